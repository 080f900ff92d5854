/* Calls: what an event does at once, and whether its thread may go on. */
#include "core/array.h"
#include "trace/rehearse/stage.h"

#include <stdio.h>
#include <string.h>

/* NULL: it is not in the trace, and the error says so. */
static const struct ct_actor_comm *find_comm(struct ct_stage *stage, const struct ct_actor *actor,
                                             uint32_t number)
{
    uint32_t found = ct_map_find(&actor->process->comm_numbers, number);
    if (found == 0) {
        ct_stage_fail(stage, actor, CT_EFORMAT, "communicator %u is not in the trace", number);
        return NULL;
    }
    const struct ct_actor_comm *comm = &actor->process->comms[found - 1];
    if (ct_actor_is_behind(actor, comm->made))
        return comm;
    ct_stage_fail(stage, actor, CT_EFORMAT,
                  "it uses communicator %u while event %llu of another thread makes it", number,
                  (unsigned long long)comm->made.index + 1);
    return NULL;
}

/* Where a message goes; both ranks must be members. */
static enum ct_status find_way(struct ct_stage *stage, const struct ct_actor *actor,
                               struct ct_trace_message message, bool sends, struct ct_way *way_p)
{
    const struct ct_actor_comm *local = find_comm(stage, actor, actor->event.comm);
    uint32_t member;
    if (!local)
        return CT_EFORMAT;
    if (message.tag < 0)
        return ct_stage_fail(stage, actor, CT_EFORMAT, "a message with tag %d", message.tag);
    if (message.rank < 0 ||
        !ct_ranks_find(&stage->comms.comms[local->comm].group, (uint32_t)message.rank, &member))
        return ct_stage_fail(stage, actor, CT_EFORMAT,
                             "a message with rank %d, which is no member of the communicator",
                             message.rank);
    uint32_t peer = (uint32_t)message.rank;
    *way_p = (struct ct_way){.comm = local->comm,
                             .source = sends ? actor->rank : peer,
                             .destination = sends ? peer : actor->rank,
                             .tag = message.tag};
    return CT_OK;
}

/* ---- messages ---- */

static enum ct_status need_message(struct ct_stage *stage, const struct ct_actor *actor,
                                   uint32_t op, uint64_t send, uint64_t receive)
{
    return actor->rank == stage->own
               ? ct_stage_need(stage, actor, op, false, (struct ct_room){send, receive})
               : CT_OK;
}

/* Adds to an operation that may receive, too. */
static enum ct_status do_send(struct ct_stage *stage, struct ct_actor *actor, uint32_t op)
{
    const struct ct_trace_event *event = &actor->event;
    struct ct_way way = {0};
    enum ct_status status = find_way(stage, actor, event->to, true, &way);
    bool synchronous = event->mode == CT_TRACE_SYNCHRONOUS;
    if (status != CT_OK)
        return status;
    actor->process->ops[op].sends = true;
    actor->process->ops[op].way = way;
    actor->process->ops[op].pending += synchronous;
    if (actor->rank == stage->own && event->mode == CT_TRACE_BUFFERED) {
        if (event->to.bytes > CT_SIZE_MAX - stage->answer.buffered_bytes)
            return ct_stage_fail(stage, actor, CT_EUNSUPPORTED,
                                 "more than %d bytes in buffered sends", CT_SIZE_MAX);
        stage->answer.buffered_bytes += event->to.bytes;
        stage->answer.n_buffered++;
    }
    status = need_message(stage, actor, op, event->to.bytes, 0);
    if (status == CT_OK)
        status = ct_stage_claim(
            stage, actor,
            (struct ct_claim){.kind = CT_CLAIM_SEND, .way = way, .bytes = event->to.bytes});
    if (status == CT_OK)
        status = ct_stage_count_message(stage, actor);
    return status == CT_OK ? ct_stage_send(stage, actor, way, event->to.bytes, synchronous, op)
                           : status;
}

/* Where the message of a receive comes from; any source: any of them, any tag: any. */
static enum ct_status find_way_in(struct ct_stage *stage, const struct ct_actor *actor,
                                  struct ct_trace_message from, struct ct_way *way_p)
{
    if (from.rank < 0)
        from.rank = (int32_t)actor->rank;
    if (from.tag < 0)
        from.tag = 0;
    return find_way(stage, actor, from, false, way_p);
}

/* A receive is posted, behind others that may be from any source. */
static void note_any(struct ct_actor *actor, struct ct_op *op, bool any)
{
    op->after = actor->process->n_any > 0 ? UINT64_MAX : actor->process->any_until;
    op->any = any;
    actor->process->n_any += any;
}

/* What a receive gets, where that is known; else it stays aside. */
static enum ct_status do_receive(struct ct_stage *stage, struct ct_actor *actor, uint32_t op)
{
    const struct ct_trace_event *event = &actor->event;
    struct ct_trace_message from = event->from;
    const struct ct_outcome *outcome = &actor->outcome;
    bool cut = event->cut || outcome->cut;
    bool exact = !stage->events->room_only && !cut && (event->request == 0 || outcome->arrives);
    bool is_wild = from.rank < 0 || from.tag < 0;
    struct ct_way way = {0};
    struct ct_op *of = &actor->process->ops[op];
    CT_TRY(need_message(stage, actor, op, 0, from.bytes));
    CT_TRY(find_way_in(stage, actor, from, &way));
    of->comm = way.comm;
    of->from = from;
    bool is_lost = outcome->known && !outcome->freed;
    note_any(actor, of, event->starts > 0 && is_wild);
    stage->answer.any_may_differ |=
        of->any && actor->rank == stage->own && ct_actor_overlaps_receive(actor);
    if (event->request != 0 && !outcome->arrives && (is_lost || is_wild)) {
        stage->answer.any_may_differ |= of->any && actor->rank == stage->own;
        of->aside = true;
        actor->process->n_aside++;
        return ct_stage_claim(stage, actor,
                              (struct ct_claim){.kind = CT_CLAIM_ASIDE, .way = way, .from = from});
    }
    if (outcome->arrives) {
        if ((from.rank >= 0 && from.rank != outcome->message.rank) ||
            (from.tag >= 0 && from.tag != outcome->message.tag) ||
            outcome->message.bytes > from.bytes)
            return ct_stage_fail(stage, actor, CT_EFORMAT,
                                 "posted for rank %d, tag %d, %llu B, it gets rank %d, tag %d, "
                                 "%llu B",
                                 from.rank, from.tag, (unsigned long long)from.bytes,
                                 outcome->message.rank, outcome->message.tag,
                                 (unsigned long long)outcome->message.bytes);
        from = outcome->message;
    }
    CT_TRY(find_way(stage, actor, from, false, &way));
    CT_TRY(ct_stage_check_aside(stage, actor, way));
    CT_TRY(ct_stage_claim(stage, actor,
                          (struct ct_claim){.kind = CT_CLAIM_RECEIVE,
                                            .way = way,
                                            .bytes = from.bytes,
                                            .exact = exact,
                                            .cut = cut}));
    of->receives = true;
    of->exact = exact;
    of->cut = cut;
    of->way = way;
    of->bytes = from.bytes;
    of->expected = event->request == 0 || outcome->arrives || outcome->freed;
    of->pending++;
    if (outcome->freed && actor->rank == stage->own)
        CT_TRY(ct_stage_post_freed(stage, actor, of));
    return ct_stage_receive(stage, way, op);
}

static enum ct_status begin_messages(struct ct_stage *stage, struct ct_actor *actor)
{
    const struct ct_trace_event *event = &actor->event;
    uint32_t op = ct_actor_blocking(actor);
    CT_TRY(event->starts > 0
               ? ct_stage_start_op(stage, actor, &op)
               : ct_stage_new_op(stage, actor, event->request, (struct ct_op){0}, &op));
    if (event->kind != CT_TRACE_RECEIVE)
        CT_TRY(do_send(stage, actor, op));
    if (event->kind != CT_TRACE_SEND)
        CT_TRY(do_receive(stage, actor, op));
    return CT_OK;
}

/* A persistent request is made. */
static enum ct_status begin_init(struct ct_stage *stage, struct ct_actor *actor)
{
    const struct ct_trace_event *event = &actor->event;
    const struct ct_prepared prepared = ct_prepared_of(event);
    struct ct_way way = {0};
    uint32_t op = ct_actor_blocking(actor);
    if (event->request == 0)
        return ct_stage_fail(stage, actor, CT_EFORMAT, "a persistent request without a number");
    CT_TRY(ct_stage_new_op(stage, actor, event->request,
                           (struct ct_op){.prepared = prepared, .idle = true}, &op));
    actor->process->n_idle++;
    CT_TRY(prepared.sends ? find_way(stage, actor, prepared.message, true, &way)
                          : find_way_in(stage, actor, prepared.message, &way));
    return need_message(stage, actor, op, prepared.sends ? prepared.message.bytes : 0,
                        prepared.sends ? 0 : prepared.message.bytes);
}

/* ---- one-sided accesses ---- */

static enum ct_status begin_access(struct ct_stage *stage, struct ct_actor *actor)
{
    const struct ct_trace_event *event = &actor->event;
    const uint64_t bytes = event->to.bytes > event->bytes ? event->to.bytes : event->bytes;
    struct ct_rehearsal *answer = &stage->answer;
    struct ct_way way = {0};
    uint32_t op;
    CT_TRY(find_way(stage, actor, event->to, true, &way));
    if (way.destination == actor->rank)
        return ct_stage_fail(stage, actor, CT_EFORMAT, "an access to the rank itself");
    if (bytes > CT_SIZE_MAX)
        return ct_stage_fail(stage, actor, CT_EUNSUPPORTED, "an access of more than %d bytes",
                             CT_SIZE_MAX);
    answer->has_accesses = true;
    if (bytes > answer->access_bytes)
        answer->access_bytes = bytes;
    if (event->request == 0)
        return CT_OK;
    CT_TRY(ct_stage_new_op(stage, actor, event->request, (struct ct_op){0}, &op));
    return need_message(stage, actor, op, 0, 0);
}

/* ---- collectives ---- */

/* Messages with the number of the call as their tag, below 0. */
static enum ct_status do_exchange(struct ct_stage *stage, struct ct_actor *actor, uint32_t op)
{
    const struct ct_trace_event *event = &actor->event;
    uint64_t n_to = event->values[0];
    const struct ct_op *of = &actor->process->ops[op];
    uint32_t comm = of->comm, member;
    int64_t tag = -1 - (int64_t)(of->instance & INT32_MAX);
    enum ct_status status = CT_OK;
    for (size_t i = 1; i < event->n_values && status == CT_OK; i += 2) {
        bool sends = i <= 2 * n_to;
        uint64_t peer = event->values[i];
        if (peer > UINT32_MAX ||
            !ct_ranks_find(&stage->comms.comms[comm].group, (uint32_t)peer, &member))
            return ct_stage_fail(stage, actor, CT_EFORMAT, "a neighbour that is no member");
        struct ct_way way = {.comm = comm,
                             .source = sends ? actor->rank : (uint32_t)peer,
                             .destination = sends ? (uint32_t)peer : actor->rank,
                             .tag = tag};
        if (sends) {
            status = ct_stage_send(stage, actor, way, event->values[i + 1], false, op);
            continue;
        }
        actor->process->ops[op].any_size = true;
        actor->process->ops[op].pending++;
        status = ct_stage_receive(stage, way, op);
    }
    return status;
}

/* All ranks make it, and wait in it. */
static bool is_mark(const struct ct_stage *stage, const struct ct_actor *actor)
{
    uint32_t found = ct_map_find(&actor->process->comm_numbers, actor->event.comm);
    return actor->event.kind >= CT_TRACE_BARRIER && actor->event.kind <= CT_TRACE_NEIGHBOR &&
           actor->event.request == 0 && found != 0 &&
           stage->comms.comms[actor->process->comms[found - 1].comm].group.n ==
               stage->events->n_ranks;
}

/* No rank leaves it before all have come. */
static bool is_synchronizing(const struct ct_trace_event *event)
{
    bool all = event->kind == CT_TRACE_ALLREDUCE || event->kind == CT_TRACE_ALLGATHER ||
               event->kind == CT_TRACE_ALLTOALL;
    return event->kind == CT_TRACE_BARRIER || (all && event->bytes > 0 && !event->vector);
}

/* Of a collective. */
static enum ct_status claim_comm(struct ct_stage *stage, const struct ct_actor *actor)
{
    const struct ct_actor_comm *local = find_comm(stage, actor, actor->event.comm);
    return local ? ct_stage_claim(
                       stage, actor,
                       (struct ct_claim){.kind = CT_CLAIM_COLLECTIVE, .way = {.comm = local->comm}})
                 : CT_EFORMAT;
}

static enum ct_status begin_collective(struct ct_stage *stage, struct ct_actor *actor)
{
    const struct ct_trace_event *event = &actor->event;
    uint32_t op = ct_actor_blocking(actor);
    if (event->kind == CT_TRACE_NEIGHBOR &&
        (event->n_values % 2 == 0 || event->values[0] > event->n_values / 2))
        return ct_stage_fail(stage, actor, CT_EFORMAT, "a damaged list of neighbours");
    enum ct_status status = ct_stage_new_op(stage, actor, event->request, (struct ct_op){0}, &op);
    if (status == CT_OK)
        status = claim_comm(stage, actor);
    if (status == CT_OK)
        status = ct_stage_arrive(stage, actor, event, op);
    if (status == CT_OK && is_mark(stage, actor))
        status = ct_stage_mark(stage, actor, &actor->process->ops[op]);
    return status == CT_OK && event->kind == CT_TRACE_NEIGHBOR ? do_exchange(stage, actor, op)
                                                               : status;
}

static enum ct_status begin_comm(struct ct_stage *stage, struct ct_actor *actor)
{
    const struct ct_trace_event *event = &actor->event;
    struct ct_actor_comm local = {.made = {ct_actor_index(actor), actor->thread}};
    enum ct_status status = ct_comms_add(&stage->comms, event, &local.comm, stage->err);
    if (status == CT_ENOMEM)
        return status;
    if (status != CT_OK)
        return ct_fail_within(stage->err, status, "rank %u, %s %llu (comm)", actor->rank,
                              stage->events->position_unit,
                              (unsigned long long)actor->script.position);
    const struct ct_comm *comm = &stage->comms.comms[local.comm];
    if (!ct_ranks_find(&comm->group, actor->rank, &local.member))
        return ct_stage_fail(stage, actor, CT_EFORMAT, "the rank is no member of it");
    if (stage->n_gatherings < stage->comms.n) {
        if (!CT_ARRAY_RESERVE(stage->gatherings, stage->room_gatherings, stage->comms.n))
            return ct_no_memory(stage->err, "traces");
        for (; stage->n_gatherings < stage->comms.n; stage->n_gatherings++)
            stage->gatherings[stage->n_gatherings] = (struct ct_gathering){0};
    }
    if (++stage->gatherings[local.comm].made > comm->group.n)
        return ct_stage_fail(stage, actor, CT_EFORMAT, "a rank makes the same one twice");
    CT_TRY(ct_stage_claim(stage, actor,
                          (struct ct_claim){.kind = CT_CLAIM_COMM, .way = {.comm = local.comm}}));
    if (!CT_ARRAY_RESERVE(actor->process->comms, actor->process->room_comms,
                          actor->process->n_comms + 1))
        return ct_no_memory(stage->err, "traces");
    actor->new_comm = actor->process->n_comms;
    actor->process->comms[actor->process->n_comms++] = local;
    return ct_map_add(&actor->process->comm_numbers, event->comm, (uint32_t)actor->process->n_comms)
               ? CT_OK
               : ct_no_memory(stage->err, "traces");
}

static enum ct_status note_unmodelled(struct ct_stage *stage, const struct ct_actor *actor)
{
    static const char threads[] = CT_TRACE_THREADS;
    const struct ct_trace_event *event = &actor->event;
    const char *text = event->text ? event->text : "";
    actor->process->has_gaps |= ct_trace_is_unmodelled(event, CT_TRACE_NOT_RECORDED) ||
                                ct_trace_is_unmodelled(event, CT_TRACE_END_NOT_RECORDED);
    stage->has_threads |=
        event->n_text == sizeof threads - 1 && memcmp(text, threads, sizeof threads - 1) == 0;
    return ct_trace_unmodelled_add(&stage->answer.unmodelled, &stage->answer.n_unmodelled, event,
                                   stage->err);
}

/* ---- begin and end ---- */

enum ct_status ct_stage_begin(struct ct_stage *stage, struct ct_actor *actor)
{
    switch (actor->event.kind) {
    case CT_TRACE_BEGIN:
    case CT_TRACE_WAIT:
    case CT_TRACE_TEST:
    case CT_TRACE_PROBE:
    case CT_TRACE_STAGES:
        return CT_OK;
    case CT_TRACE_END:
        actor->process->finalized = true;
        ct_actor_end(actor);
        return CT_OK;
    case CT_TRACE_NEW_COMM:
        return begin_comm(stage, actor);
    case CT_TRACE_ACCESS:
        return begin_access(stage, actor);
    case CT_TRACE_WINDOW_FLUSH:
        return find_comm(stage, actor, actor->event.comm) ? CT_OK : CT_EFORMAT;
    case CT_TRACE_SEND:
    case CT_TRACE_RECEIVE:
    case CT_TRACE_SENDRECV:
        return begin_messages(stage, actor);
    case CT_TRACE_SEND_INIT:
    case CT_TRACE_RECEIVE_INIT:
        return begin_init(stage, actor);
    case CT_TRACE_CANCEL:
    case CT_TRACE_FREE:
        return ct_stage_cancel_or_free(stage, actor);
    case CT_TRACE_UNMODELLED:
        return note_unmodelled(stage, actor);
    default:
        return begin_collective(stage, actor);
    }
}

/* Whether the rank may go on behind its event. */
static enum ct_status may_go_on(struct ct_stage *stage, struct ct_actor *actor, bool *may_p)
{
    const struct ct_trace_event *event = &actor->event;
    struct ct_way way = {0};
    enum ct_status status = CT_OK;
    *may_p = true;
    switch (event->kind) {
    case CT_TRACE_WAIT:
    case CT_TRACE_TEST:
        status = ct_stage_are_complete(stage, actor, may_p);
        return status == CT_OK && *may_p ? ct_stage_complete(stage, actor) : status;
    case CT_TRACE_PROBE:
        status = find_way(stage, actor, event->from, false, &way);
        *may_p = status == CT_OK && ct_stage_has_message(stage, way);
        return status;
    case CT_TRACE_NEW_COMM: {
        const struct ct_actor_comm *local = &actor->process->comms[actor->new_comm];
        *may_p = stage->comms_first ||
                 stage->gatherings[local->comm].made == stage->comms.comms[local->comm].group.n;
        return CT_OK;
    }
    case CT_TRACE_ACCESS:
    case CT_TRACE_WINDOW_FLUSH:
        return CT_OK;
    default:
        if (ct_trace_kind_fields(event->kind) & CT_TRACE_COMM && event->request == 0)
            *may_p = ct_stage_is_complete(stage, actor->rank,
                                          &actor->process->ops[ct_actor_blocking(actor)]);
        return CT_OK;
    }
}

enum ct_status ct_stage_end(struct ct_stage *stage, struct ct_actor *actor, bool *ended_p)
{
    enum ct_status status = may_go_on(stage, actor, ended_p);
    if (status != CT_OK || !*ended_p)
        return status;
    if (!is_mark(stage, actor))
        return CT_OK;
    actor->process->epoch++;
    return is_synchronizing(&actor->event) && !ct_actor_sync(actor)
               ? ct_no_memory(stage->err, "traces")
               : CT_OK;
}
