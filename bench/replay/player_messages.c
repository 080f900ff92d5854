/* Messages between two ranks, and requests. */
#include "bench/replay/player.h"
#include "core/array.h"

#include <sched.h>
#include <stdlib.h>

static uint64_t stamp_of(const struct ct_player *player, uint32_t from, uint32_t to, int32_t tag,
                         uint64_t bytes)
{
    return ct_payload_stamp(from, to, (uint64_t)tag, bytes, player->run->iteration);
}

/* The message in a buffer that may have held blocks of a collective before. */
const void *ct_player_stamped(struct ct_player *player, struct ct_buffer *buffer,
                              const struct ct_trace_message *to)
{
    if (buffer->layout != 0) {
        ct_payload_fill(0, buffer->bytes, buffer->room);
        buffer->layout = 0;
    }
    /* A shorter message leaves its stamp in the first word only. */
    ct_payload_put_stamp(stamp_of(player, player->rank, (uint32_t)to->rank, to->tag, to->bytes),
                         buffer->bytes, (size_t)to->bytes);
    ct_workload_sent(player->run, to->rank, to->bytes);
    return buffer->bytes;
}

static void check_message(struct ct_player *player, const struct ct_trace_message *from,
                          const MPI_Status *status, const struct ct_buffer *buffer)
{
    int count = 0;
    MPI_Get_count(status, MPI_BYTE, &count);
    uint64_t bytes = (uint64_t)count;
    if (!player->events.room_only && bytes != from->bytes) {
        ct_player_fail(player, "%llu bytes came from rank %d, tag %d, not %llu",
                       (unsigned long long)bytes, from->rank, from->tag,
                       (unsigned long long)from->bytes);
        return;
    }
    const struct ct_trace_message came = {from->rank, from->tag, bytes};
    const struct ct_payload payload = ct_player_payload(player, &came);
    ct_player_check(player, (uint32_t)from->rank, &payload, 0, buffer->bytes, (size_t)bytes);
}

/* ---- begin ---- */

typedef int send_fn(const void *, int, MPI_Datatype, int, int, MPI_Comm);
typedef int isend_fn(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
static send_fn *const sends[CT_TRACE_N_MODES] = {[CT_TRACE_STANDARD] = MPI_Send,
                                                 [CT_TRACE_SYNCHRONOUS] = MPI_Ssend,
                                                 [CT_TRACE_BUFFERED] = MPI_Bsend,
                                                 [CT_TRACE_READY] = MPI_Rsend};
static isend_fn *const isends[CT_TRACE_N_MODES] = {[CT_TRACE_STANDARD] = MPI_Isend,
                                                   [CT_TRACE_SYNCHRONOUS] = MPI_Issend,
                                                   [CT_TRACE_BUFFERED] = MPI_Ibsend,
                                                   [CT_TRACE_READY] = MPI_Irsend};

struct ct_player_slot *ct_player_open_slot(struct ct_player *player, uint32_t request)
{
    uint32_t place = 0;
    if (!ct_slots_take(&player->slots, request, &place)) /* had room in the rehearsal */
        ct_player_give_up(player);
    return &player->slot[place];
}

void ct_player_send(struct ct_player *player, const struct ct_trace_event *event)
{
    const struct ct_player_comm *comm = ct_player_comm_of(player, event->comm);
    int to = ct_player_place_of(player, comm, event->to.rank), n = (int)event->to.bytes;
    struct ct_player_slot *slot =
        event->request ? ct_player_open_slot(player, event->request) : NULL;
    const void *bytes = ct_player_stamped(player, slot ? &slot->send : &player->send, &event->to);
    ct_player_begin_call(player);
    if (slot) {
        slot->use = CT_SLOT_SEND;
        isends[event->mode](bytes, n, MPI_BYTE, to, event->to.tag, comm->comm, &slot->request);
    } else {
        sends[event->mode](bytes, n, MPI_BYTE, to, event->to.tag, comm->comm);
    }
    ct_player_end_call(player, !slot && event->mode != CT_TRACE_BUFFERED);
}

void ct_player_receive(struct ct_player *player, const struct ct_trace_event *event,
                       const struct ct_outcome *outcome)
{
    const struct ct_player_comm *comm = ct_player_comm_of(player, event->comm);
    struct ct_player_slot *slot =
        event->request ? ct_player_open_slot(player, event->request) : NULL;
    struct ct_buffer *buffer = slot ? &slot->receive : &player->receive;
    struct ct_trace_message from = event->from;
    MPI_Status status;
    int room = (int)from.bytes;
    if (outcome->arrives)
        from = outcome->message;
    ct_player_spoil(player, buffer->bytes, (size_t)from.bytes);
    if (outcome->freed)
        ct_player_expect_freed(player, slot, &from);
    int source = from.rank < 0 ? MPI_ANY_SOURCE : ct_player_place_of(player, comm, from.rank);
    int tag = from.tag < 0 ? MPI_ANY_TAG : from.tag;
    ct_player_begin_call(player);
    if (slot) {
        slot->use = CT_SLOT_RECEIVE;
        MPI_Irecv(buffer->bytes, room, MPI_BYTE, source, tag, comm->comm, &slot->request);
        ct_player_end_call(player, false);
        return;
    }
    MPI_Recv(buffer->bytes, room, MPI_BYTE, source, tag, comm->comm, &status);
    ct_player_end_call(player, true);
    check_message(player, &from, &status, buffer);
}

/* A receive that has no room for its message: an error, which the program has seen, too. */
void ct_player_receive_cut(struct ct_player *player, const struct ct_trace_event *event)
{
    const struct ct_player_comm *comm = ct_player_comm_of(player, event->comm);
    const struct ct_trace_message *from = &event->from;
    int class = MPI_SUCCESS, source = ct_player_place_of(player, comm, from->rank);
    MPI_Errhandler before;
    MPI_Comm_get_errhandler(comm->comm, &before);
    MPI_Comm_set_errhandler(comm->comm, MPI_ERRORS_RETURN);
    ct_player_begin_call(player);
    int code = MPI_Recv(player->receive.bytes, (int)from->bytes, MPI_BYTE, source, from->tag,
                        comm->comm, MPI_STATUS_IGNORE);
    ct_player_end_call(player, true);
    MPI_Comm_set_errhandler(comm->comm, before);
    MPI_Errhandler_free(&before);
    if (MPI_Error_class(code, &class) != MPI_SUCCESS || class != MPI_ERR_TRUNCATE)
        ct_player_fail(player, "a message from rank %d, tag %d, is not longer than %llu B",
                       from->rank, from->tag, (unsigned long long)from->bytes);
}

void ct_player_sendrecv(struct ct_player *player, const struct ct_trace_event *event)
{
    const struct ct_player_comm *comm = ct_player_comm_of(player, event->comm);
    int to = ct_player_place_of(player, comm, event->to.rank),
        from = ct_player_place_of(player, comm, event->from.rank);
    const void *bytes = ct_player_stamped(player, &player->send, &event->to);
    MPI_Status status;
    ct_player_spoil(player, player->receive.bytes, (size_t)event->from.bytes);
    ct_player_begin_call(player);
    MPI_Sendrecv(bytes, (int)event->to.bytes, MPI_BYTE, to, event->to.tag, player->receive.bytes,
                 (int)event->from.bytes, MPI_BYTE, from, event->from.tag, comm->comm, &status);
    ct_player_end_call(player, true);
    check_message(player, &event->from, &status, &player->receive);
}

void ct_player_probe(struct ct_player *player, const struct ct_trace_event *event)
{
    const struct ct_player_comm *comm = ct_player_comm_of(player, event->comm);
    MPI_Status status;
    ct_player_begin_call(player);
    MPI_Probe(ct_player_place_of(player, comm, event->from.rank), event->from.tag, comm->comm,
              &status);
    ct_player_end_call(player, true);
}

/* ---- end ---- */

/* What a program polls for is there in the end. */
static void test_until_done(int n, MPI_Request *requests, MPI_Status *statuses)
{
    int done = 0;
    for (int tries = 0; !done; tries++) {
        MPI_Testall(n, requests, &done, statuses);
        if (!done && tries > 0) /* others may need the processor to send */
            sched_yield();
    }
}

/* A test that finds nothing. */
static void find_nothing(struct ct_player *player)
{
    ct_player_begin_call(player);
    ct_player_poll(player);
    ct_player_end_call(player, false);
}

static void check_completed(struct ct_player *player, const struct ct_trace_completion *completion,
                            struct ct_player_slot *slot, const MPI_Status *status)
{
    if (slot->use == CT_SLOT_COLLECTIVE) {
        ct_player_check_slot(player, slot);
        return;
    }
    int cancelled = 0;
    if (slot->use != CT_SLOT_RECEIVE)
        return;
    if (completion->received) {
        check_message(player, &completion->from, status, &slot->receive);
        return;
    }
    MPI_Test_cancelled(status, &cancelled);
    if (!cancelled && !player->events.room_only)
        ct_player_fail(player, "a receive that was cancelled got a message");
}

void ct_player_complete(struct ct_player *player, const struct ct_trace_event *event)
{
    struct ct_trace_completion completion;
    int n = 0;
    for (size_t at = 0; ct_trace_completion_next(event, &at, &completion); n++) {
        ct_slots_find(&player->slots, completion.request, &player->places[n]);
        player->requests[n] = player->slot[player->places[n]].request;
    }
    if (n == 0) {
        find_nothing(player);
        return;
    }
    ct_player_begin_call(player);
    if (event->kind == CT_TRACE_TEST)
        test_until_done(n, player->requests, player->statuses);
    else if (n == 1)
        MPI_Wait(player->requests, player->statuses);
    else
        MPI_Waitall(n, player->requests, player->statuses);
    ct_player_end_call(player, true);
    n = 0;
    for (size_t at = 0; ct_trace_completion_next(event, &at, &completion); n++) {
        struct ct_player_slot *slot = &player->slot[player->places[n]];
        slot->request = player->requests[n]; /* none, unless it is persistent */
        slot->active = false;
        check_completed(player, &completion, slot, &player->statuses[n]);
        if (!slot->prepared.exists)
            ct_slots_give(&player->slots, completion.request, player->places[n]);
    }
}

void ct_player_cancel(struct ct_player *player, const struct ct_trace_event *event)
{
    uint32_t place = 0;
    ct_slots_find(&player->slots, event->request, &place);
    ct_player_begin_call(player);
    MPI_Cancel(&player->slot[place].request);
    ct_player_end_call(player, false);
}

void ct_player_drop_requests(struct ct_player *player)
{
    for (uint32_t place = 0; place < player->rehearsal.n_slots; place++) {
        struct ct_player_slot *slot = &player->slot[place];
        if (slot->request == MPI_REQUEST_NULL)
            continue;
        if (slot->use == CT_SLOT_RECEIVE && (!slot->prepared.exists || slot->active))
            MPI_Cancel(&slot->request);
        MPI_Wait(&slot->request, MPI_STATUS_IGNORE);
        if (slot->prepared.exists)
            MPI_Request_free(&slot->request);
        slot->prepared = (struct ct_prepared){.exists = false};
        slot->active = false;
    }
    ct_slots_free(&player->slots);
}
