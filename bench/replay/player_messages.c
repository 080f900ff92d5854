/* Messages between two ranks, and requests. */
#include "bench/replay/player.h"

#include <sched.h>
#include <stdlib.h>

static uint64_t stamp_of(const struct ct_player_thread *thread, uint32_t from, uint32_t to,
                         int32_t tag, uint64_t bytes)
{
    return ct_payload_stamp(from, to, (uint64_t)tag, bytes, thread->player->run->iteration);
}

/* The message in a buffer that may have held blocks of a collective before. */
const void *ct_player_stamped(struct ct_player_thread *thread, struct ct_buffer *buffer,
                              const struct ct_trace_message *to)
{
    struct ct_player *player = thread->player;
    if (buffer->layout != 0) {
        ct_payload_fill(0, buffer->bytes, buffer->room);
        buffer->layout = 0;
    }
    /* A shorter message leaves its stamp in the first word only. */
    ct_payload_put_stamp(stamp_of(thread, player->rank, (uint32_t)to->rank, to->tag, to->bytes),
                         buffer->bytes, (size_t)to->bytes);
    ct_player_lock(player);
    ct_workload_sent(player->run, to->rank, to->bytes);
    ct_player_unlock(player);
    return buffer->bytes;
}

static void check_message(struct ct_player_thread *thread, const struct ct_trace_message *from,
                          const MPI_Status *status, const struct ct_buffer *buffer)
{
    int count = 0;
    MPI_Get_count(status, MPI_BYTE, &count);
    uint64_t bytes = (uint64_t)count;
    if (!thread->player->events.room_only && bytes != from->bytes) {
        ct_player_fail(thread, "%llu bytes came from rank %d, tag %d, not %llu",
                       (unsigned long long)bytes, from->rank, from->tag,
                       (unsigned long long)from->bytes);
        return;
    }
    const struct ct_trace_message came = {from->rank, from->tag, bytes};
    const struct ct_payload payload = ct_player_payload(thread, &came);
    ct_player_check(thread, (uint32_t)from->rank, &payload, 0, buffer->bytes, (size_t)bytes);
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

void ct_player_send(struct ct_player_thread *thread, const struct ct_trace_event *event)
{
    struct ct_player *player = thread->player;
    const struct ct_player_comm *comm = ct_player_comm_of(player, event->comm);
    int to = ct_player_place_of(player, comm, event->to.rank), n = (int)event->to.bytes;
    struct ct_player_slot *slot =
        event->request ? ct_player_open_slot(player, event->request) : NULL;
    const void *bytes =
        ct_player_stamped(thread, slot ? &slot->send : &thread->memory.send, &event->to);
    ct_player_begin_call(thread);
    if (slot) {
        slot->use = CT_SLOT_SEND;
        isends[event->mode](bytes, n, MPI_BYTE, to, event->to.tag, comm->comm, &slot->request);
    } else {
        sends[event->mode](bytes, n, MPI_BYTE, to, event->to.tag, comm->comm);
    }
    ct_player_end_call(thread, !slot && event->mode != CT_TRACE_BUFFERED);
}

void ct_player_receive(struct ct_player_thread *thread, const struct ct_trace_event *event,
                       const struct ct_outcome *outcome)
{
    struct ct_player *player = thread->player;
    const struct ct_player_comm *comm = ct_player_comm_of(player, event->comm);
    struct ct_player_slot *slot =
        event->request ? ct_player_open_slot(player, event->request) : NULL;
    struct ct_buffer *buffer = slot ? &slot->receive : &thread->memory.receive;
    struct ct_trace_message from = event->from;
    MPI_Status status;
    int room = (int)from.bytes;
    if (outcome->arrives)
        from = outcome->message;
    ct_player_spoil(thread, buffer->bytes, (size_t)from.bytes);
    if (outcome->freed)
        ct_player_expect_freed(thread, slot, &from);
    int source = from.rank < 0 ? MPI_ANY_SOURCE : ct_player_place_of(player, comm, from.rank);
    int tag = from.tag < 0 ? MPI_ANY_TAG : from.tag;
    ct_player_begin_call(thread);
    if (slot) {
        slot->use = CT_SLOT_RECEIVE;
        slot->comm = event->comm;
        MPI_Irecv(buffer->bytes, room, MPI_BYTE, source, tag, comm->comm, &slot->request);
        ct_player_end_call(thread, false);
        return;
    }
    MPI_Recv(buffer->bytes, room, MPI_BYTE, source, tag, comm->comm, &status);
    ct_player_end_call(thread, true);
    check_message(thread, &from, &status, buffer);
}

static void check_cut(struct ct_player_thread *thread, const struct ct_trace_message *from,
                      int code)
{
    int class = MPI_SUCCESS;
    if (MPI_Error_class(code, &class) != MPI_SUCCESS || class != MPI_ERR_TRUNCATE)
        ct_player_fail(thread, "a message from rank %d, tag %d, is not longer than %llu B",
                       from->rank, from->tag, (unsigned long long)from->bytes);
}

/* A receive that has no room for its message: an error, which the program has seen, too. */
void ct_player_receive_cut(struct ct_player_thread *thread, const struct ct_trace_event *event)
{
    struct ct_player *player = thread->player;
    const struct ct_player_comm *comm = ct_player_comm_of(player, event->comm);
    const struct ct_trace_message *from = &event->from;
    int source = ct_player_place_of(player, comm, from->rank);
    MPI_Errhandler before;
    MPI_Comm_get_errhandler(comm->comm, &before);
    MPI_Comm_set_errhandler(comm->comm, MPI_ERRORS_RETURN);
    ct_player_begin_call(thread);
    int code = MPI_Recv(thread->memory.receive.bytes, (int)from->bytes, MPI_BYTE, source, from->tag,
                        comm->comm, MPI_STATUS_IGNORE);
    ct_player_end_call(thread, true);
    MPI_Comm_set_errhandler(comm->comm, before);
    MPI_Errhandler_free(&before);
    check_cut(thread, from, code);
}

void ct_player_sendrecv(struct ct_player_thread *thread, const struct ct_trace_event *event)
{
    struct ct_player *player = thread->player;
    const struct ct_player_comm *comm = ct_player_comm_of(player, event->comm);
    int to = ct_player_place_of(player, comm, event->to.rank),
        from = ct_player_place_of(player, comm, event->from.rank);
    const void *bytes = ct_player_stamped(thread, &thread->memory.send, &event->to);
    MPI_Status status;
    ct_player_spoil(thread, thread->memory.receive.bytes, (size_t)event->from.bytes);
    ct_player_begin_call(thread);
    MPI_Sendrecv(bytes, (int)event->to.bytes, MPI_BYTE, to, event->to.tag,
                 thread->memory.receive.bytes, (int)event->from.bytes, MPI_BYTE, from,
                 event->from.tag, comm->comm, &status);
    ct_player_end_call(thread, true);
    check_message(thread, &event->from, &status, &thread->memory.receive);
}

void ct_player_probe(struct ct_player_thread *thread, const struct ct_trace_event *event)
{
    struct ct_player *player = thread->player;
    const struct ct_player_comm *comm = ct_player_comm_of(player, event->comm);
    MPI_Status status;
    ct_player_begin_call(thread);
    MPI_Probe(ct_player_place_of(player, comm, event->from.rank), event->from.tag, comm->comm,
              &status);
    ct_player_end_call(thread, true);
}

/* ---- end ---- */

/* What a program polls for is there in the end. */
static int test_until_done(int n, MPI_Request *requests, MPI_Status *statuses)
{
    int done = 0, code = MPI_SUCCESS;
    for (int tries = 0; !done && code == MPI_SUCCESS; tries++) {
        code = MPI_Testall(n, requests, &done, statuses);
        if (!done && tries > 0) /* others may need the processor to send */
            sched_yield();
    }
    return code;
}

/* A call that completes several requests may have the error handler of any of their communicators,
 * or that of the world. */
static void set_handlers(struct ct_player_thread *thread, const struct ct_trace_event *event,
                         MPI_Errhandler handler)
{
    struct ct_player *player = thread->player;
    struct ct_trace_completion completion;
    int n = 0;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    for (size_t at = 0; ct_trace_completion_next(event, &at, &completion); n++)
        if (completion.cut)
            MPI_Comm_set_errhandler(
                ct_player_comm_of(player, player->slot[thread->places[n]].comm)->comm, handler);
}

static int complete_requests(struct ct_player_thread *thread, const struct ct_trace_event *event,
                             int n, bool cut)
{
    int code;
    MPI_Errhandler before;
    if (cut) {
        MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
        set_handlers(thread, event, MPI_ERRORS_RETURN);
    }
    ct_player_begin_call(thread);
    if (event->kind == CT_TRACE_TEST)
        code = test_until_done(n, thread->requests, thread->statuses);
    else if (n == 1)
        code = MPI_Wait(thread->requests, thread->statuses);
    else
        code = MPI_Waitall(n, thread->requests, thread->statuses);
    ct_player_end_call(thread, true);
    if (cut) {
        set_handlers(thread, event, before);
        MPI_Errhandler_free(&before);
    }
    return code;
}

/* A test that finds nothing. */
static void find_nothing(struct ct_player_thread *thread)
{
    ct_player_begin_call(thread);
    ct_player_poll(thread);
    ct_player_end_call(thread, false);
}

static void check_completed(struct ct_player_thread *thread,
                            const struct ct_trace_completion *completion,
                            struct ct_player_slot *slot, const MPI_Status *status, int code)
{
    int class = MPI_SUCCESS;
    if (MPI_Error_class(code, &class) == MPI_SUCCESS && class == MPI_ERR_IN_STATUS)
        code = status->MPI_ERROR;
    if (completion->cut) {
        check_cut(thread, &completion->from, code);
        return;
    }
    if (slot->use == CT_SLOT_COLLECTIVE) {
        ct_player_check_slot(thread, slot);
        return;
    }
    int cancelled = 0;
    if (slot->use != CT_SLOT_RECEIVE)
        return;
    if (completion->received) {
        check_message(thread, &completion->from, status, &slot->receive);
        return;
    }
    MPI_Test_cancelled(status, &cancelled);
    if (!cancelled && !thread->player->events.room_only)
        ct_player_fail(thread, "a receive that was cancelled got a message");
}

void ct_player_complete(struct ct_player_thread *thread, const struct ct_trace_event *event)
{
    struct ct_player *player = thread->player;
    struct ct_trace_completion completion;
    int n = 0;
    bool cut = false;
    for (size_t at = 0; ct_trace_completion_next(event, &at, &completion); n++) {
        cut |= completion.cut;
        thread->places[n] = ct_player_find_slot(player, completion.request);
        thread->requests[n] = player->slot[thread->places[n]].request;
    }
    if (n == 0) {
        find_nothing(thread);
        return;
    }
    int code = complete_requests(thread, event, n, cut);
    n = 0;
    for (size_t at = 0; ct_trace_completion_next(event, &at, &completion); n++) {
        struct ct_player_slot *slot = &player->slot[thread->places[n]];
        slot->request = thread->requests[n]; /* none, unless it is persistent */
        slot->active = false;
        check_completed(thread, &completion, slot, &thread->statuses[n], code);
        if (!slot->prepared.exists)
            ct_player_close_slot(player, completion.request, thread->places[n]);
    }
}

void ct_player_cancel(struct ct_player_thread *thread, const struct ct_trace_event *event)
{
    struct ct_player *player = thread->player;
    uint32_t place = ct_player_find_slot(player, event->request);
    ct_player_begin_call(thread);
    MPI_Cancel(&player->slot[place].request);
    ct_player_end_call(thread, false);
}
