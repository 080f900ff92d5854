/* Collective calls: whether members agree, and who may go on. */
#include "core/array.h"
#include "core/hash.h"
#include "trace/rehearse/stage.h"

#include <stdlib.h>
#include <string.h>

void ct_stage_free_gatherings(struct ct_stage *stage)
{
    for (size_t c = 0; c < stage->n_gatherings; c++) {
        struct ct_gathering *gathering = &stage->gatherings[c];
        for (size_t i = gathering->first; i < gathering->n; i++)
            free(gathering->calls[i].sizes);
        free(gathering->calls);
    }
    free(stage->gatherings);
}

/* Of the list that all members must give. */
static uint64_t hash_of(const struct ct_trace_event *event)
{
    return ct_hash_numbers(event->values,
                           event->kind == CT_TRACE_REDUCE_SCATTER ? event->n_values : 0);
}

/* Kinds whose bytes are a matter of each member. */
static bool has_own_bytes(enum ct_trace_kind kind)
{
    return ct_rehearsal_has_sizes(kind) || kind == CT_TRACE_NEIGHBOR;
}

static const char *form_of(bool vector, bool blocks)
{
    static const char *const forms[2][2] = {
        {", nonblocking", ""},
        {", a size for each member, nonblocking", ", a size for each member"}};
    return forms[vector][blocks];
}

static enum ct_status check_call(struct ct_stage *stage, const struct ct_actor *actor,
                                 const struct ct_call *call, const struct ct_trace_event *event)
{
    bool rooted = ct_trace_kind_fields(event->kind) & CT_TRACE_ROOT, blocks = event->request == 0;
    if (call->kind == event->kind && call->vector == event->vector && call->blocks == blocks &&
        (!rooted || call->root == event->root) &&
        (has_own_bytes(event->kind) || call->bytes == event->bytes) && call->hash == hash_of(event))
        return CT_OK;
    return ct_stage_fail(stage, actor, CT_EFORMAT,
                         "%llu B, root %u%s; but rank %u, %s %llu, calls %s, %llu B, root %u%s",
                         (unsigned long long)event->bytes, event->root,
                         form_of(event->vector, blocks), call->first_rank,
                         stage->events->position_unit, (unsigned long long)call->first_position,
                         ct_trace_kind_text(call->kind), (unsigned long long)call->bytes,
                         call->root, form_of(call->vector, call->blocks));
}

static enum ct_status check_lists(struct ct_stage *stage, const struct ct_actor *actor,
                                  const struct ct_comm *comm, const struct ct_trace_event *event)
{
    uint32_t member;
    if ((event->kind == CT_TRACE_ALLTOALLV || event->kind == CT_TRACE_REDUCE_SCATTER) &&
        event->n_values != comm->group.n)
        return ct_stage_fail(stage, actor, CT_EFORMAT, "%zu sizes for %u members", event->n_values,
                             comm->group.n);
    uint64_t sum = 0;
    for (size_t i = 0; event->kind == CT_TRACE_REDUCE_SCATTER && i < event->n_values; i++)
        sum = event->values[i] > event->bytes ? UINT64_MAX : sum + event->values[i];
    if (event->kind == CT_TRACE_REDUCE_SCATTER && sum != event->bytes)
        return ct_stage_fail(stage, actor, CT_EFORMAT, "sizes that are not those of %llu B",
                             (unsigned long long)event->bytes);
    if (ct_trace_kind_fields(event->kind) & CT_TRACE_ROOT &&
        !ct_ranks_find(&comm->group, event->root, &member))
        return ct_stage_fail(stage, actor, CT_EFORMAT, "root %u is no member of its communicator",
                             event->root);
    return CT_OK;
}

/* The call that is the actor's next one. */
static enum ct_status find_call(struct ct_stage *stage, struct ct_gathering *gathering,
                                const struct ct_actor *actor, uint64_t number,
                                const struct ct_trace_event *event, struct ct_call **call_p)
{
    size_t i = gathering->first + (size_t)(number - gathering->done);
    if (i < gathering->n) {
        *call_p = &gathering->calls[i];
        return check_call(stage, actor, *call_p, event);
    }
    if (gathering->first > 0 && gathering->n == gathering->room) {
        memmove(gathering->calls, gathering->calls + gathering->first,
                (gathering->n - gathering->first) * sizeof *gathering->calls);
        gathering->n -= gathering->first;
        gathering->first = 0;
    }
    if (!CT_ARRAY_RESERVE(gathering->calls, gathering->room, gathering->n + 1))
        return ct_no_memory(stage->err, "traces");
    *call_p = &gathering->calls[gathering->n++];
    **call_p = (struct ct_call){.kind = event->kind,
                                .vector = event->vector,
                                .blocks = event->request == 0,
                                .root = event->root,
                                .first_rank = actor->rank,
                                .first_position = actor->script.position,
                                .bytes = event->bytes,
                                .hash = hash_of(event)};
    return CT_OK;
}

static enum ct_status note_size(struct ct_stage *stage, const struct ct_comm *comm,
                                struct ct_call *call, uint32_t member,
                                const struct ct_trace_event *event)
{
    uint32_t own;
    if (!ct_rehearsal_has_sizes(event->kind) || !ct_ranks_find(&comm->group, stage->own, &own))
        return CT_OK;
    if (!call->sizes && !(call->sizes = calloc(comm->group.n, sizeof *call->sizes)))
        return ct_no_memory(stage->err, "traces");
    call->sizes[member] = event->kind == CT_TRACE_ALLTOALLV ? event->values[own] : event->bytes;
    return CT_OK;
}

enum ct_status ct_stage_arrive(struct ct_stage *stage, struct ct_actor *actor,
                               const struct ct_trace_event *event, uint32_t op)
{
    uint32_t found = ct_map_find(&actor->process->comm_numbers, event->comm);
    if (found == 0)
        return ct_stage_fail(stage, actor, CT_EFORMAT, "communicator %u is not in the trace",
                             event->comm);
    struct ct_actor_comm *local = &actor->process->comms[found - 1];
    const struct ct_comm *comm = &stage->comms.comms[local->comm];
    struct ct_gathering *gathering = &stage->gatherings[local->comm];
    struct ct_call *call = NULL;
    CT_TRY(check_lists(stage, actor, comm, event));
    CT_TRY(find_call(stage, gathering, actor, local->calls, event, &call));
    CT_TRY(note_size(stage, comm, call, local->member, event));
    struct ct_op *of = &actor->process->ops[op];
    of->collective = true;
    of->comm = local->comm;
    of->instance = local->calls++;
    call->root_is_here |= event->root == actor->rank;
    enum ct_status status = CT_OK;
    if (actor->rank == stage->own) {
        call->own = actor;
        call->own_op = op;
        call->own_position = actor->script.position;
        status = ct_stage_need_call(stage, actor, local->comm, local->member, op);
    }
    call->arrived++;
    while (status == CT_OK && gathering->first < gathering->n &&
           gathering->calls[gathering->first].arrived == comm->group.n) {
        call = &gathering->calls[gathering->first++];
        gathering->done++;
        if (call->own && call->sizes)
            status = ct_stage_keep_sizes(stage, call, comm->group.n);
        free(call->sizes);
        call->sizes = NULL;
    }
    return status;
}

bool ct_stage_passes(const struct ct_stage *stage, uint32_t rank, const struct ct_op *op)
{
    const struct ct_gathering *gathering = &stage->gatherings[op->comm];
    if (op->instance < gathering->done)
        return true;
    const struct ct_call *call =
        &gathering->calls[gathering->first + (size_t)(op->instance - gathering->done)];
    switch (call->kind) {
    case CT_TRACE_BCAST:
    case CT_TRACE_SCATTER:
        return call->root_is_here;
    case CT_TRACE_REDUCE:
    case CT_TRACE_GATHER:
        return call->root != rank || call->arrived == stage->comms.comms[op->comm].group.n;
    default:
        return call->arrived == stage->comms.comms[op->comm].group.n;
    }
}
