/* Requests of a rank: how they begin, and whether they are complete. */
#include "core/array.h"
#include "trace/rehearse/stage.h"

static struct ct_op *op_at(const struct ct_actor *actor, uint32_t place)
{
    return &actor->process->ops[ct_process_op(actor->process, place)];
}

static struct ct_made made_by(const struct ct_actor *actor)
{
    return (struct ct_made){ct_actor_index(actor), actor->thread};
}

static enum ct_status not_behind(struct ct_stage *stage, const struct ct_actor *actor,
                                 uint32_t request, const struct ct_op *op)
{
    return ct_stage_fail(stage, actor, CT_EFORMAT,
                         "it uses request %u while event %llu of another thread does", request,
                         (unsigned long long)op->made.index + 1);
}

/* ---- begin ---- */

enum ct_status ct_stage_new_op(struct ct_stage *stage, struct ct_actor *actor, uint32_t request,
                               struct ct_op op, uint32_t *op_p)
{
    uint32_t place = 0;
    *op_p = ct_actor_blocking(actor);
    if (request != 0) {
        if (ct_slots_find(&actor->process->slots, request, &place))
            return ct_stage_fail(stage, actor, CT_EFORMAT,
                                 "request %u begins again before it is complete", request);
        if (!ct_slots_take(&actor->process->slots, request, &place))
            return ct_no_memory(stage->err, "traces");
        *op_p = ct_process_op(actor->process, place);
    }
    if (!CT_ARRAY_RESERVE(actor->process->ops, actor->process->room_ops, (size_t)*op_p + 1))
        return ct_no_memory(stage->err, "traces");
    op.began = actor->process->epoch;
    op.made = made_by(actor);
    actor->process->ops[*op_p] = op;
    return CT_OK;
}

/* A persistent request starts again. */
enum ct_status ct_stage_start_op(struct ct_stage *stage, struct ct_actor *actor, uint32_t *op_p)
{
    const struct ct_trace_event *event = &actor->event;
    uint32_t place = 0;
    if (!ct_slots_find(&actor->process->slots, event->request, &place) ||
        !op_at(actor, place)->prepared.exists)
        return ct_stage_fail(stage, actor, CT_EFORMAT, "request %u starts, which was not made",
                             event->request);
    struct ct_op *op = op_at(actor, place);
    if (!op->idle)
        return ct_stage_fail(stage, actor, CT_EFORMAT,
                             "request %u begins again before it is complete", event->request);
    if (!ct_prepared_fits(&op->prepared, event))
        return ct_stage_fail(stage, actor, CT_EFORMAT, "request %u was made for another message",
                             event->request);
    if (!ct_actor_is_behind(actor, op->made))
        return not_behind(stage, actor, event->request, op);
    *op = (struct ct_op){
        .prepared = op->prepared, .began = actor->process->epoch, .made = made_by(actor)};
    actor->process->n_idle--;
    *op_p = ct_process_op(actor->process, place);
    return CT_OK;
}

/* The events of a call that starts several requests follow one another. */
enum ct_status ct_stage_check_start(struct ct_stage *stage, struct ct_actor *actor)
{
    const struct ct_trace_event *event = &actor->event;
    if (event->starts == 0 && actor->next_start > 0)
        return ct_stage_fail(stage, actor, CT_EFORMAT,
                             "between the starts of a call that starts %u requests", actor->starts);
    if (event->start != actor->next_start ||
        (actor->next_start > 0 && event->starts != actor->starts))
        return ct_stage_fail(stage, actor, CT_EFORMAT,
                             "start %u of %u where start %u of a call is due", event->start + 1,
                             event->starts, actor->next_start + 1);
    actor->starts = event->starts;
    actor->next_start = event->start + 1 < event->starts ? event->start + 1 : 0;
    return CT_OK;
}

bool ct_stage_is_complete(const struct ct_stage *stage, uint32_t rank, const struct ct_op *op)
{
    return op->pending == 0 && (!op->collective || ct_stage_passes(stage, rank, op));
}

static bool takes_way(const struct ct_op *op, struct ct_way way)
{
    return op->aside && op->comm == way.comm &&
           (op->from.rank < 0 || (uint32_t)op->from.rank == way.source) &&
           (op->from.tag < 0 || op->from.tag == way.tag);
}

enum ct_status ct_stage_check_aside(struct ct_stage *stage, struct ct_actor *actor,
                                    struct ct_way way)
{
    for (uint32_t place = 0; actor->process->n_aside > 0 && place < actor->process->slots.n;
         place++)
        if (takes_way(op_at(actor, place), way))
            return ct_stage_fail(stage, actor, CT_EFORMAT,
                                 "the message from rank %u, tag %lld, would come to a receive that "
                                 "was posted before, and that gets none",
                                 way.source, (long long)way.tag);
    return CT_OK;
}

/* ---- end ---- */

static enum ct_status find_open(struct ct_stage *stage, struct ct_actor *actor, uint32_t request,
                                uint32_t *place_p)
{
    const struct ct_op *op = NULL;
    if (ct_slots_find(&actor->process->slots, request, place_p))
        op = op_at(actor, *place_p);
    if (!op || op->idle)
        return ct_stage_fail(stage, actor, CT_EFORMAT, "request %u was not begun", request);
    return ct_actor_is_behind(actor, op->made) ? CT_OK : not_behind(stage, actor, request, op);
}

/* What a request did is over; a persistent one stays. */
static void end_request(struct ct_actor *actor, uint32_t request, uint32_t place)
{
    struct ct_op *op = op_at(actor, place);
    if (op->any) {
        actor->process->n_any--;
        actor->process->any_until = ct_actor_may_be_synced(actor) + 1;
    }
    op->any = false;
    op->idle = op->prepared.exists;
    op->made = made_by(actor);
    actor->process->n_idle += op->idle;
    if (!op->idle)
        ct_slots_give(&actor->process->slots, request, place);
}

/* All of the list are complete, or the rank waits. */
enum ct_status ct_stage_are_complete(struct ct_stage *stage, struct ct_actor *actor, bool *done_p)
{
    struct ct_trace_completion completion;
    size_t at = 0;
    *done_p = true;
    while (*done_p && ct_trace_completion_next(&actor->event, &at, &completion)) {
        uint32_t place = 0;
        CT_TRY(find_open(stage, actor, completion.request, &place));
        const struct ct_op *op = op_at(actor, place);
        *done_p = ct_stage_is_complete(stage, actor->rank, op);
        if (op->aside)
            return ct_stage_fail(stage, actor, CT_EFORMAT,
                                 "request %u completes without a message, but was not cancelled",
                                 completion.request);
        if (completion.received && !op->receives)
            return ct_stage_fail(stage, actor, CT_EFORMAT,
                                 "request %u receives a message, but was not begun as a receive",
                                 completion.request);
    }
    if (*done_p && at < actor->event.n_values)
        return ct_stage_fail(stage, actor, CT_EFORMAT, "a damaged list of completions");
    return CT_OK;
}

enum ct_status ct_stage_complete(struct ct_stage *stage, struct ct_actor *actor)
{
    struct ct_trace_completion completion;
    for (size_t at = 0; ct_trace_completion_next(&actor->event, &at, &completion);) {
        uint32_t place = 0;
        CT_TRY(find_open(stage, actor, completion.request, &place));
        end_request(actor, completion.request, place);
        CT_TRY(ct_stage_cross(stage, op_at(actor, place)->began, actor->process->epoch));
    }
    return CT_OK;
}

enum ct_status ct_stage_cancel_or_free(struct ct_stage *stage, struct ct_actor *actor)
{
    uint32_t place = 0, request = actor->event.request;
    if (actor->event.kind == CT_TRACE_FREE &&
        ct_slots_find(&actor->process->slots, request, &place) && op_at(actor, place)->idle) {
        if (!ct_actor_is_behind(actor, op_at(actor, place)->made))
            return not_behind(stage, actor, request, op_at(actor, place));
        actor->process->n_idle--;
        ct_slots_give(&actor->process->slots, request, place);
        return CT_OK;
    }
    CT_TRY(find_open(stage, actor, request, &place));
    struct ct_op *op = op_at(actor, place);
    if (actor->event.kind == CT_TRACE_FREE && op->aside)
        return ct_stage_fail(stage, actor, CT_EUNSUPPORTED,
                             "a receive from any source, or with any tag, is freed: what it gets "
                             "is not in a trace");
    actor->process->n_aside -= op->aside; /* it is cancelled */
    op->aside = false;
    if (actor->event.kind == CT_TRACE_CANCEL && op->sends)
        return ct_stage_fail(stage, actor, CT_EUNSUPPORTED,
                             "a send is cancelled: whether it went out is not in a trace");
    if (actor->event.kind == CT_TRACE_CANCEL)
        return CT_OK;
    if (op->collective)
        return ct_stage_fail(stage, actor, CT_EFORMAT,
                             "the request of a collective is freed, which MPI does not allow");
    if (op->pending > 0)
        ct_stage_set_free(stage, actor->rank, ct_process_op(actor->process, place));
    ct_slots_give(&actor->process->slots, request, place);
    return actor->rank == stage->own ? ct_stage_need_freed(stage, place, op->sends) : CT_OK;
}
