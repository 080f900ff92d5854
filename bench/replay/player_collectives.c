/* Collectives. Sizes are bytes; reductions are exclusive or, whose result each rank knows. */
#include "bench/replay/player.h"
#include "core/array.h"
#include "core/random.h"
#include "trace/call.h"

#include <stdlib.h>

/* A collective that is being called. */
struct collective {
    const struct ct_trace_event *event;
    struct ct_player_comm *comm;
    const struct ct_members *members;
    struct ct_player_slot *slot; /* NULL: it blocks */
    struct ct_buffer *send, *receive;
    struct ct_blocks to, from;
    MPI_Request *request;
    const uint64_t *sizes; /* of all members; NULL: all the same */
};

/* Kinds in stamps, apart from tags of messages. */
enum { KIND_SHIFT = 40 };

static uint64_t stamp_of(const struct ct_player_thread *thread, enum ct_trace_kind kind,
                         uint32_t from, uint64_t bytes)
{
    return ct_payload_stamp(from, UINT32_MAX, (uint64_t)kind << KIND_SHIFT, bytes,
                            thread->player->run->iteration);
}

/* ---- blocks ---- */

/* A layout that no blocks have: those are odd. */
enum { OVERWRITTEN = 2 };

static uint64_t layout_of(const struct ct_blocks *blocks)
{
    uint64_t hash = blocks->n;
    if (blocks->same)
        return ct_random_mix(hash << 32 | (uint32_t)blocks->counts[0]) | 1;
    for (uint32_t i = 0; i < blocks->n; i++)
        hash = (hash ^ (uint32_t)blocks->counts[i]) * 0x100000001b3U;
    return ct_random_mix(hash) | 1;
}

/* Blocks to be sent, each with the rank's stamp. */
static void put_blocks(struct ct_player_thread *thread, struct ct_buffer *buffer,
                       const struct ct_blocks *blocks, enum ct_trace_kind kind)
{
    uint64_t layout = layout_of(blocks);
    for (uint32_t i = 0; i < blocks->n; i++) {
        unsigned char *block = buffer->bytes + blocks->places[i];
        size_t n = (size_t)blocks->counts[i];
        if (buffer->layout != layout)
            ct_payload_fill(0, block, n);
        ct_payload_put_stamp(stamp_of(thread, kind, thread->player->rank, n), block, n);
    }
    buffer->layout = layout;
}

/* One block from the front of a buffer. */
static void put_block(struct ct_player_thread *thread, struct ct_buffer *buffer,
                      enum ct_trace_kind kind, uint64_t bytes)
{
    if (buffer->layout != 0)
        ct_payload_fill(0, buffer->bytes, buffer->room);
    buffer->layout = 0;
    ct_payload_put_stamp(stamp_of(thread, kind, thread->player->rank, bytes), buffer->bytes,
                         (size_t)bytes);
}

static void spoil_blocks(struct ct_player_thread *thread, const struct ct_buffer *buffer,
                         const struct ct_blocks *blocks)
{
    for (uint32_t i = 0; i < blocks->n; i++)
        ct_player_spoil(thread, buffer->bytes + blocks->places[i], (size_t)blocks->counts[i]);
}

static void check_block(struct ct_player_thread *thread, enum ct_trace_kind kind, uint32_t from,
                        const unsigned char *bytes, uint64_t n)
{
    const struct ct_payload payload = {.has_stamp = true, .stamp = stamp_of(thread, kind, from, n)};
    ct_player_check(thread, from, &payload, 0, bytes, (size_t)n);
}

static void place_blocks(struct ct_blocks *blocks)
{
    blocks->same = true;
    blocks->total = 0;
    for (uint32_t i = 0; i < blocks->n; i++) {
        blocks->places[i] = blocks->total;
        blocks->total += blocks->counts[i];
        blocks->same = blocks->same && blocks->counts[i] == blocks->counts[0];
    }
}

/* Of n members: sizes, or the same for all. */
static void set_blocks(struct ct_blocks *blocks, uint32_t n, const uint64_t *sizes, size_t stride,
                       uint64_t same)
{
    blocks->n = n;
    for (uint32_t i = 0; i < n; i++)
        blocks->counts[i] = (int)(sizes ? sizes[i * stride] : same);
    place_blocks(blocks);
}

/* ---- what a call needs ---- */

/* Two lists of counts and of places. Those of a call that does not block stay as they are until it
 * is complete. */
static bool open_lists(struct ct_player_thread *thread, struct collective *call, size_t n)
{
    int **counts = call->slot ? &call->slot->counts : &thread->memory.counts;
    size_t *room = call->slot ? &call->slot->room_counts : &thread->memory.room_counts;
    if (!CT_ARRAY_RESERVE(*counts, *room, 4 * n + 4))
        return false;
    call->to = (struct ct_blocks){.counts = *counts, .places = *counts + n + 1};
    call->from = (struct ct_blocks){.counts = *counts + 2 * n + 2, .places = *counts + 3 * n + 3};
    return true;
}

static const uint64_t *sizes_of(struct ct_player_thread *thread, enum ct_trace_kind kind)
{
    const struct ct_rehearsal *rehearsal = &thread->player->rehearsal;
    if (!ct_rehearsal_has_sizes(kind))
        return NULL;
    uint64_t position = thread->script.position;
    while (thread->next_use < rehearsal->n_uses &&
           rehearsal->uses[thread->next_use].position < position)
        thread->next_use++; /* those of other threads */
    if (thread->next_use == rehearsal->n_uses ||
        rehearsal->uses[thread->next_use].position != position)
        return NULL;
    return rehearsal->sizes + rehearsal->uses[thread->next_use++].first;
}

static size_t lists_of(const struct collective *call)
{
    return call->event->kind == CT_TRACE_NEIGHBOR ? (call->event->n_values - 1) / 2
                                                  : call->members->n;
}

static struct collective open_call(struct ct_player_thread *thread,
                                   const struct ct_trace_event *event)
{
    struct ct_player *player = thread->player;
    struct ct_player_comm *comm = ct_player_comm_of(player, event->comm);
    struct collective call = {.event = event,
                              .comm = comm,
                              .members = ct_player_members_of(player, comm),
                              .send = &thread->memory.collective_send,
                              .receive = &thread->memory.collective_receive};
    if (event->request != 0) {
        call.slot = ct_player_open_slot(player, event->request);
        call.send = &call.slot->send;
        call.receive = &call.slot->receive;
        call.request = &call.slot->request;
        call.slot->use = CT_SLOT_COLLECTIVE;
        call.slot->kind = event->kind;
        call.slot->comm = event->comm;
        call.slot->root = event->root;
        call.slot->bytes = event->bytes;
    }
    call.sizes = sizes_of(thread, event->kind);
    if (!open_lists(thread, &call, lists_of(&call)))
        ct_player_give_up(player);
    return call;
}

/* ---- reductions ---- */

/* What all ranks, or those up to this one, make together. */
static struct ct_payload make_reduced(const struct ct_members *members, enum ct_trace_kind kind,
                                      uint32_t rank)
{
    uint32_t n = members->n;
    uint64_t mask = members->mask;
    if (kind == CT_TRACE_SCAN || kind == CT_TRACE_EXSCAN) {
        n = (uint32_t)members->own + (kind == CT_TRACE_SCAN);
        mask =
            members->mask_before ^ (kind == CT_TRACE_SCAN ? ct_random_mix(rank + UINT64_C(1)) : 0);
    }
    return (struct ct_payload){.mask = mask, .plain = n % 2 == 0};
}

/* Elements as large as sizes allow: MPI libraries choose algorithms by their number, too. */
static MPI_Datatype element_of(uint64_t bytes, int *size_p)
{
    *size_p = bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : 1;
    return *size_p == 8 ? MPI_UINT64_T : *size_p == 4 ? MPI_UINT32_T : MPI_BYTE;
}

static void note_reduced(struct ct_player *player)
{
    ct_player_lock(player);
    ct_profile_reduced(&player->run->profile);
    ct_player_unlock(player);
}

static void play_reduce(struct ct_player_thread *thread, struct collective *call)
{
    struct ct_player *player = thread->player;
    const struct ct_trace_event *event = call->event;
    const void *from = player->reduced.bytes;
    void *to = call->receive->bytes;
    MPI_Comm comm = call->comm->comm;
    MPI_Request *request = call->request;
    int size, root = call->members->place_of[event->root];
    MPI_Datatype type = element_of(event->bytes, &size);
    int n = (int)(event->bytes / (uint64_t)size);
    ct_player_spoil(thread, call->receive->bytes, (size_t)event->bytes);
    ct_player_begin_call(thread);
    switch (event->kind) {
    case CT_TRACE_REDUCE:
        if (request)
            MPI_Ireduce(from, to, n, type, MPI_BXOR, root, comm, request);
        else
            MPI_Reduce(from, to, n, type, MPI_BXOR, root, comm);
        break;
    case CT_TRACE_ALLREDUCE:
        if (request)
            MPI_Iallreduce(from, to, n, type, MPI_BXOR, comm, request);
        else
            MPI_Allreduce(from, to, n, type, MPI_BXOR, comm);
        break;
    case CT_TRACE_SCAN:
        if (request)
            MPI_Iscan(from, to, n, type, MPI_BXOR, comm, request);
        else
            MPI_Scan(from, to, n, type, MPI_BXOR, comm);
        break;
    default:
        if (request)
            MPI_Iexscan(from, to, n, type, MPI_BXOR, comm, request);
        else
            MPI_Exscan(from, to, n, type, MPI_BXOR, comm);
    }
    ct_player_end_call(thread, !call->request);
    note_reduced(player);
}

static void reduce_scatter(struct ct_player_thread *thread, struct collective *call)
{
    struct ct_player *player = thread->player;
    const struct ct_trace_event *event = call->event;
    uint64_t common = 0;
    int size;
    for (size_t i = 0; i < event->n_values; i++)
        common |= event->values[i];
    MPI_Datatype type = element_of(common, &size);
    set_blocks(&call->from, call->members->n, event->values, 1, 0);
    for (uint32_t i = 0; i < call->from.n; i++)
        call->to.counts[i] = call->from.counts[i] / size;
    ct_player_spoil(thread, call->receive->bytes, (size_t)call->from.counts[call->members->own]);
    bool is_block = !ct_trace_is_vector(event);
    ct_player_begin_call(thread);
    if (is_block && call->request)
        MPI_Ireduce_scatter_block(player->reduced.bytes, call->receive->bytes, call->to.counts[0],
                                  type, MPI_BXOR, call->comm->comm, call->request);
    else if (is_block)
        MPI_Reduce_scatter_block(player->reduced.bytes, call->receive->bytes, call->to.counts[0],
                                 type, MPI_BXOR, call->comm->comm);
    else if (call->request)
        MPI_Ireduce_scatter(player->reduced.bytes, call->receive->bytes, call->to.counts, type,
                            MPI_BXOR, call->comm->comm, call->request);
    else
        MPI_Reduce_scatter(player->reduced.bytes, call->receive->bytes, call->to.counts, type,
                           MPI_BXOR, call->comm->comm);
    ct_player_end_call(thread, !call->request);
    note_reduced(player);
}

/* ---- the others ---- */

/* Traces of version 1 say it by different sizes only. */
static bool is_vector(const struct collective *call)
{
    return call->sizes || call->event->vector;
}

static void play_barrier(struct ct_player_thread *thread, struct collective *call)
{
    ct_player_begin_call(thread);
    if (call->request)
        MPI_Ibarrier(call->comm->comm, call->request);
    else
        MPI_Barrier(call->comm->comm);
    ct_player_end_call(thread, !call->request);
}

static void play_bcast(struct ct_player_thread *thread, struct collective *call)
{
    const struct ct_trace_event *event = call->event;
    int root = call->members->place_of[event->root], n = (int)event->bytes;
    unsigned char *bytes = call->send->bytes;
    if (event->root == thread->player->rank)
        put_block(thread, call->send, CT_TRACE_BCAST, event->bytes);
    else
        ct_player_spoil(thread, bytes, (size_t)event->bytes);
    if (call->send->layout != 0)
        call->send->layout = OVERWRITTEN;
    ct_player_begin_call(thread);
    if (call->request)
        MPI_Ibcast(bytes, n, MPI_BYTE, root, call->comm->comm, call->request);
    else
        MPI_Bcast(bytes, n, MPI_BYTE, root, call->comm->comm);
    ct_player_end_call(thread, !call->request);
}

static void play_gather(struct ct_player_thread *thread, struct collective *call)
{
    const struct ct_trace_event *event = call->event;
    const struct ct_blocks *from = &call->from;
    int root = call->members->place_of[event->root], n = (int)event->bytes;
    MPI_Comm comm = call->comm->comm;
    void *sent = call->send->bytes, *received = call->receive->bytes;
    set_blocks(&call->from, call->members->n, call->sizes, 1, event->bytes);
    put_block(thread, call->send, CT_TRACE_GATHER, event->bytes);
    if (event->root == thread->player->rank)
        spoil_blocks(thread, call->receive, from);
    ct_player_begin_call(thread);
    if (is_vector(call) && call->request)
        MPI_Igatherv(sent, n, MPI_BYTE, received, from->counts, from->places, MPI_BYTE, root, comm,
                     call->request);
    else if (is_vector(call))
        MPI_Gatherv(sent, n, MPI_BYTE, received, from->counts, from->places, MPI_BYTE, root, comm);
    else if (call->request)
        MPI_Igather(sent, n, MPI_BYTE, received, n, MPI_BYTE, root, comm, call->request);
    else
        MPI_Gather(sent, n, MPI_BYTE, received, n, MPI_BYTE, root, comm);
    ct_player_end_call(thread, !call->request);
}

static void play_scatter(struct ct_player_thread *thread, struct collective *call)
{
    const struct ct_trace_event *event = call->event;
    const struct ct_blocks *to = &call->to;
    int root = call->members->place_of[event->root], n = (int)event->bytes;
    MPI_Comm comm = call->comm->comm;
    void *sent = call->send->bytes, *received = call->receive->bytes;
    set_blocks(&call->to, call->members->n, call->sizes, 1, event->bytes);
    if (event->root == thread->player->rank)
        put_blocks(thread, call->send, to, CT_TRACE_SCATTER);
    ct_player_spoil(thread, call->receive->bytes, (size_t)event->bytes);
    ct_player_begin_call(thread);
    if (is_vector(call) && call->request)
        MPI_Iscatterv(sent, to->counts, to->places, MPI_BYTE, received, n, MPI_BYTE, root, comm,
                      call->request);
    else if (is_vector(call))
        MPI_Scatterv(sent, to->counts, to->places, MPI_BYTE, received, n, MPI_BYTE, root, comm);
    else if (call->request)
        MPI_Iscatter(sent, n, MPI_BYTE, received, n, MPI_BYTE, root, comm, call->request);
    else
        MPI_Scatter(sent, n, MPI_BYTE, received, n, MPI_BYTE, root, comm);
    ct_player_end_call(thread, !call->request);
}

static void play_allgather(struct ct_player_thread *thread, struct collective *call)
{
    const struct ct_trace_event *event = call->event;
    const struct ct_blocks *from = &call->from;
    int n = (int)event->bytes;
    MPI_Comm comm = call->comm->comm;
    void *sent = call->send->bytes, *received = call->receive->bytes;
    set_blocks(&call->from, call->members->n, call->sizes, 1, event->bytes);
    put_block(thread, call->send, CT_TRACE_ALLGATHER, event->bytes);
    spoil_blocks(thread, call->receive, from);
    ct_player_begin_call(thread);
    if (is_vector(call) && call->request)
        MPI_Iallgatherv(sent, n, MPI_BYTE, received, from->counts, from->places, MPI_BYTE, comm,
                        call->request);
    else if (is_vector(call))
        MPI_Allgatherv(sent, n, MPI_BYTE, received, from->counts, from->places, MPI_BYTE, comm);
    else if (call->request)
        MPI_Iallgather(sent, n, MPI_BYTE, received, n, MPI_BYTE, comm, call->request);
    else
        MPI_Allgather(sent, n, MPI_BYTE, received, n, MPI_BYTE, comm);
    ct_player_end_call(thread, !call->request);
}

static void play_alltoall(struct ct_player_thread *thread, struct collective *call)
{
    const struct ct_trace_event *event = call->event;
    int n = (int)event->bytes;
    set_blocks(&call->to, call->members->n, NULL, 0, event->bytes);
    set_blocks(&call->from, call->members->n, NULL, 0, event->bytes);
    put_blocks(thread, call->send, &call->to, CT_TRACE_ALLTOALL);
    spoil_blocks(thread, call->receive, &call->from);
    ct_player_begin_call(thread);
    if (call->request)
        MPI_Ialltoall(call->send->bytes, n, MPI_BYTE, call->receive->bytes, n, MPI_BYTE,
                      call->comm->comm, call->request);
    else
        MPI_Alltoall(call->send->bytes, n, MPI_BYTE, call->receive->bytes, n, MPI_BYTE,
                     call->comm->comm);
    ct_player_end_call(thread, !call->request);
}

static void play_alltoallv(struct ct_player_thread *thread, struct collective *call)
{
    const struct ct_blocks *to = &call->to, *from = &call->from;
    set_blocks(&call->to, call->members->n, call->event->values, 1, 0);
    set_blocks(&call->from, call->members->n, call->sizes, 1, 0);
    put_blocks(thread, call->send, to, CT_TRACE_ALLTOALLV);
    spoil_blocks(thread, call->receive, from);
    ct_player_begin_call(thread);
    if (call->request)
        MPI_Ialltoallv(call->send->bytes, to->counts, to->places, MPI_BYTE, call->receive->bytes,
                       from->counts, from->places, MPI_BYTE, call->comm->comm, call->request);
    else
        MPI_Alltoallv(call->send->bytes, to->counts, to->places, MPI_BYTE, call->receive->bytes,
                      from->counts, from->places, MPI_BYTE, call->comm->comm);
    ct_player_end_call(thread, !call->request);
}

static void play_neighbor(struct ct_player_thread *thread, struct collective *call)
{
    const struct ct_blocks *to = &call->to, *from = &call->from;
    const uint64_t *values = call->event->values;
    uint32_t n_to = (uint32_t)call->comm->n_to, n_from = (uint32_t)call->comm->n_from;
    set_blocks(&call->to, n_to, values + 2, 2, 0);
    set_blocks(&call->from, n_from, values + 2 + 2 * (size_t)n_to, 2, 0);
    put_blocks(thread, call->send, to, CT_TRACE_NEIGHBOR);
    spoil_blocks(thread, call->receive, from);
    ct_player_begin_call(thread);
    if (call->request)
        MPI_Ineighbor_alltoallv(call->send->bytes, to->counts, to->places, MPI_BYTE,
                                call->receive->bytes, from->counts, from->places, MPI_BYTE,
                                call->comm->comm, call->request);
    else
        MPI_Neighbor_alltoallv(call->send->bytes, to->counts, to->places, MPI_BYTE,
                               call->receive->bytes, from->counts, from->places, MPI_BYTE,
                               call->comm->comm);
    ct_player_end_call(thread, !call->request);
}

/* ---- what came ---- */

static void check_blocks(struct ct_player_thread *thread, const struct collective *call)
{
    for (uint32_t i = 0; i < call->from.n; i++) {
        uint32_t place = i;
        if (call->event->kind == CT_TRACE_NEIGHBOR)
            place = (uint32_t)call->comm->neighbours[(uint32_t)call->comm->n_to + i];
        check_block(thread, call->event->kind, call->members->ranks[place],
                    call->receive->bytes + call->from.places[i], (uint64_t)call->from.counts[i]);
    }
}

static void check_reduced(struct ct_player_thread *thread, const struct collective *call)
{
    struct ct_player *player = thread->player;
    enum ct_trace_kind kind = call->event->kind;
    struct ct_payload payload = make_reduced(call->members, kind, player->rank);
    size_t offset = 0, n = (size_t)call->event->bytes;
    bool is_root = call->event->root == player->rank;
    if ((kind == CT_TRACE_REDUCE && !is_root) ||
        (kind == CT_TRACE_EXSCAN && call->members->own == 0))
        return;
    if (kind == CT_TRACE_REDUCE_SCATTER) {
        offset = (size_t)call->from.places[call->members->own];
        n = (size_t)call->from.counts[call->members->own];
    }
    ct_player_check(thread, player->rank, &payload, offset, call->receive->bytes, n);
}

static void check_call(struct ct_player_thread *thread, const struct collective *call)
{
    struct ct_player *player = thread->player;
    const struct ct_trace_event *event = call->event;
    switch (event->kind) {
    case CT_TRACE_BARRIER:
        return;
    case CT_TRACE_BCAST:
        if (event->root != player->rank)
            check_block(thread, CT_TRACE_BCAST, event->root, call->send->bytes, event->bytes);
        return;
    case CT_TRACE_SCATTER:
        check_block(thread, CT_TRACE_SCATTER, event->root, call->receive->bytes, event->bytes);
        return;
    case CT_TRACE_GATHER:
        if (event->root == player->rank)
            check_blocks(thread, call);
        return;
    case CT_TRACE_ALLGATHER:
    case CT_TRACE_ALLTOALL:
    case CT_TRACE_ALLTOALLV:
    case CT_TRACE_NEIGHBOR:
        check_blocks(thread, call);
        return;
    default:
        check_reduced(thread, call);
    }
}

void ct_player_check_slot(struct ct_player_thread *thread, struct ct_player_slot *slot)
{
    struct ct_player *player = thread->player;
    const struct ct_trace_event event = {
        .kind = slot->kind, .comm = slot->comm, .root = slot->root, .bytes = slot->bytes};
    struct ct_player_comm *comm = ct_player_comm_of(player, slot->comm);
    struct collective call = {.event = &event,
                              .comm = comm,
                              .members = ct_player_members_of(player, comm),
                              .slot = slot,
                              .send = &slot->send,
                              .receive = &slot->receive,
                              .from = slot->from};
    check_call(thread, &call);
}

static void (*const calls[CT_TRACE_N_KINDS])(struct ct_player_thread *, struct collective *) = {
    [CT_TRACE_BARRIER] = play_barrier,     [CT_TRACE_BCAST] = play_bcast,
    [CT_TRACE_REDUCE] = play_reduce,       [CT_TRACE_ALLREDUCE] = play_reduce,
    [CT_TRACE_SCAN] = play_reduce,         [CT_TRACE_EXSCAN] = play_reduce,
    [CT_TRACE_GATHER] = play_gather,       [CT_TRACE_SCATTER] = play_scatter,
    [CT_TRACE_ALLGATHER] = play_allgather, [CT_TRACE_ALLTOALL] = play_alltoall,
    [CT_TRACE_ALLTOALLV] = play_alltoallv, [CT_TRACE_REDUCE_SCATTER] = reduce_scatter,
    [CT_TRACE_NEIGHBOR] = play_neighbor,
};

void ct_player_collective(struct ct_player_thread *thread, const struct ct_trace_event *event)
{
    struct collective call = open_call(thread, event);
    calls[event->kind](thread, &call);
    if (call.slot)
        call.slot->from = call.from;
    else
        check_call(thread, &call);
}
