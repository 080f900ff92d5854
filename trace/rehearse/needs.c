/* What the rank that is asked about has to know: memory, and sizes that others' traces tell. */
#include "core/array.h"
#include "core/hash.h"
#include "trace/rehearse/stage.h"

#include <stdlib.h>
#include <string.h>

void ct_rehearsal_free(struct ct_rehearsal *rehearsal)
{
    free(rehearsal->threads);
    free(rehearsal->slots);
    free(rehearsal->uses);
    free(rehearsal->sizes);
    free(rehearsal->marks);
    free(rehearsal->freed);
    free(rehearsal->unmodelled);
    *rehearsal = (struct ct_rehearsal){0};
}

bool ct_rehearsal_has_sizes(enum ct_trace_kind kind)
{
    return kind == CT_TRACE_GATHER || kind == CT_TRACE_SCATTER || kind == CT_TRACE_ALLGATHER ||
           kind == CT_TRACE_ALLTOALLV;
}

static void widen_room(struct ct_room *room, struct ct_room needed)
{
    room->send = needed.send > room->send ? needed.send : room->send;
    room->receive = needed.receive > room->receive ? needed.receive : room->receive;
}

/* Counts and displacements of MPI are ints; they count bytes here. */
enum ct_status ct_stage_need(struct ct_stage *stage, const struct ct_actor *actor, uint32_t op,
                             bool collective, struct ct_room room)
{
    struct ct_rehearsal *answer = &stage->answer;
    uint64_t most = room.send > room.receive ? room.send : room.receive;
    if (most > CT_SIZE_MAX)
        return ct_stage_fail(stage, actor, CT_EUNSUPPORTED,
                             "%llu bytes in one call; a replay takes %d at most",
                             (unsigned long long)most, CT_SIZE_MAX);
    if (op < answer->n_threads) {
        struct ct_thread_rooms *blocking = &answer->threads[op];
        widen_room(collective ? &blocking->collective : &blocking->message, room);
        return CT_OK;
    }
    uint32_t place = op - answer->n_threads;
    if (!CT_ARRAY_RESERVE(answer->slots, stage->needs.room_slots, (size_t)place + 1))
        return ct_no_memory(stage->err, "traces");
    for (; answer->n_slots <= place; answer->n_slots++)
        answer->slots[answer->n_slots] = (struct ct_room){0};
    widen_room(&answer->slots[place], room);
    return CT_OK;
}

/* A sum that stops where it is too much. */
static uint64_t sum_of(const uint64_t *values, size_t n, size_t stride)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum = values[i * stride] > CT_SIZE_MAX || sum > CT_SIZE_MAX ? (uint64_t)CT_SIZE_MAX + 1
                                                                    : sum + values[i * stride];
    return sum;
}

static uint64_t multiply_bytes(uint64_t bytes, uint32_t n)
{
    return bytes > CT_SIZE_MAX ? (uint64_t)CT_SIZE_MAX + 1 : bytes * n;
}

static bool is_reducing(enum ct_trace_kind kind)
{
    return kind == CT_TRACE_REDUCE || kind == CT_TRACE_ALLREDUCE || kind == CT_TRACE_SCAN ||
           kind == CT_TRACE_EXSCAN || kind == CT_TRACE_REDUCE_SCATTER;
}

enum ct_status ct_stage_need_call(struct ct_stage *stage, const struct ct_actor *actor,
                                  uint32_t comm, uint32_t member, uint32_t op)
{
    const struct ct_trace_event *event = &actor->event;
    struct ct_rehearsal *answer = &stage->answer;
    uint32_t n = stage->comms.comms[comm].group.n;
    size_t n_to = event->kind == CT_TRACE_NEIGHBOR ? (size_t)event->values[0] : 0;
    struct ct_room room = {event->bytes, event->bytes};
    if (is_reducing(event->kind)) {
        if (event->bytes > answer->reduced_bytes)
            answer->reduced_bytes = event->bytes;
        room.send = event->bytes > CT_SIZE_MAX ? event->bytes : 0;
    }
    switch (event->kind) {
    case CT_TRACE_BCAST:
        room.receive = 0;
        break;
    case CT_TRACE_ALLTOALL:
        room = (struct ct_room){multiply_bytes(event->bytes, n), multiply_bytes(event->bytes, n)};
        break;
    case CT_TRACE_ALLTOALLV:
        room = (struct ct_room){sum_of(event->values, n, 1), 0};
        break;
    case CT_TRACE_REDUCE_SCATTER:
        room.receive = event->values[member];
        break;
    case CT_TRACE_NEIGHBOR:
        room = (struct ct_room){
            sum_of(event->values + 2, n_to, 2),
            sum_of(event->values + 2 + 2 * n_to, (event->n_values - 1) / 2 - n_to, 2)};
        break;
    default:
        break;
    }
    return ct_stage_need(stage, actor, op, true, room);
}

/* The same sizes are kept once. */
static enum ct_status keep_sizes(struct ct_stage *stage, uint64_t position, const uint64_t *sizes,
                                 uint32_t n)
{
    struct ct_rehearsal *answer = &stage->answer;
    uint64_t hash = ct_hash_numbers(sizes, n);
    uint32_t known = ct_map_find(&stage->needs.known_sizes, hash);
    size_t first = stage->needs.n_sizes;
    if (known != 0 && answer->uses[known - 1].first + n <= stage->needs.n_sizes &&
        memcmp(answer->sizes + answer->uses[known - 1].first, sizes, n * sizeof *sizes) == 0)
        first = answer->uses[known - 1].first;
    if (!CT_ARRAY_RESERVE(answer->uses, stage->needs.room_uses, answer->n_uses + 1) ||
        answer->n_uses >= UINT32_MAX - 1)
        return ct_no_memory(stage->err, "traces");
    if (first == stage->needs.n_sizes) {
        if (!CT_ARRAY_RESERVE(answer->sizes, stage->needs.room_sizes, first + n) ||
            (known == 0 &&
             !ct_map_add(&stage->needs.known_sizes, hash, (uint32_t)answer->n_uses + 1)))
            return ct_no_memory(stage->err, "traces");
        memcpy(answer->sizes + first, sizes, n * sizeof *sizes);
        stage->needs.n_sizes += n;
    }
    answer->uses[answer->n_uses++] = (struct ct_sizes_use){position, first};
    return CT_OK;
}

enum ct_status ct_stage_keep_sizes(struct ct_stage *stage, const struct ct_call *call, uint32_t n)
{
    bool same = call->kind != CT_TRACE_ALLTOALLV;
    for (uint32_t i = 1; i < n; i++)
        same = same && call->sizes[i] == call->sizes[0];
    uint64_t sum = sum_of(call->sizes, n, 1);
    struct ct_room room = {0, 0};
    if (call->kind == CT_TRACE_SCATTER && call->root == stage->own)
        room.send = sum;
    else if (call->kind == CT_TRACE_ALLGATHER || call->kind == CT_TRACE_ALLTOALLV ||
             (call->kind == CT_TRACE_GATHER && call->root == stage->own))
        room.receive = sum;
    enum ct_status status = ct_stage_need(stage, call->own, call->own_op, true, room);
    return status == CT_OK && !same ? keep_sizes(stage, call->own_position, call->sizes, n)
                                    : status;
}

enum ct_status ct_stage_post_freed(struct ct_stage *stage, const struct ct_actor *actor,
                                   struct ct_op *op)
{
    struct ct_rehearsal *answer = &stage->answer;
    if (!CT_ARRAY_RESERVE(answer->freed, stage->needs.room_freed, answer->n_freed + 1))
        return ct_no_memory(stage->err, "traces");
    answer->freed[answer->n_freed++] = (struct ct_freed_use){actor->script.position, 0};
    op->freed = answer->n_freed;
    return CT_OK;
}

enum ct_status ct_stage_need_freed(struct ct_stage *stage, uint32_t place, bool sends)
{
    if (!CT_ARRAY_RESERVE(stage->needs.frees, stage->needs.room_frees, (size_t)place + 1))
        return ct_no_memory(stage->err, "traces");
    for (; stage->needs.n_frees <= place; stage->needs.n_frees++)
        stage->needs.frees[stage->needs.n_frees] = (struct ct_room){0};
    stage->needs.frees[place].send += sends;
    stage->needs.frees[place].receive += !sends;
    return CT_OK;
}

/* Of structs that begin with a position. */
static int by_position(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

enum ct_status ct_stage_finish_needs(struct ct_stage *stage)
{
    struct ct_rehearsal *answer = &stage->answer;
    if (answer->n_uses > 1)
        qsort(answer->uses, answer->n_uses, sizeof *answer->uses, by_position);
    if (answer->n_threads > 1 && answer->n_freed > 1) /* else they are in order */
        qsort(answer->freed, answer->n_freed, sizeof *answer->freed, by_position);
    /* Accesses: the window, and what they send and get. */
    if (answer->has_accesses)
        answer->access_bytes += sizeof(uint64_t);
    answer->total_bytes = answer->reduced_bytes + answer->buffered_bytes + 3 * answer->access_bytes;
    for (uint32_t i = 0; i < answer->n_threads; i++) {
        const struct ct_thread_rooms *blocking = &answer->threads[i];
        answer->total_bytes += blocking->message.send + blocking->message.receive +
                               blocking->collective.send + blocking->collective.receive;
    }
    for (uint32_t i = 0; i < answer->n_slots; i++)
        answer->total_bytes += answer->slots[i].send + answer->slots[i].receive;
    for (size_t i = 0; i < stage->needs.n_frees && i < answer->n_slots; i++)
        answer->freed_bytes += stage->needs.frees[i].send * answer->slots[i].send +
                               stage->needs.frees[i].receive * answer->slots[i].receive;
    answer->total_bytes += answer->freed_bytes;
    answer->comms_first = stage->comms_first;
    return CT_OK;
}
