/* Where the time of ranks goes: pieces as they pass, and of whose making waits are. */
#include "core/array.h"
#include "simulate/engine_state.h"

#include <math.h>

static uint8_t name_doing(const struct ct_engine_rank *rank)
{
    if (rank->n_calcs > 0)
        return CT_TIME_COMPUTE;
    return rank->n_working > 0 ? CT_TIME_STACK : CT_TIME_PARTS;
}

static void tell_span(const struct ct_engine *engine, const struct ct_job *job,
                      const struct ct_time_span *span)
{
    struct ct_time_span seen = *span;
    if (!(span->end_ns > span->begin_ns) || !engine->observer->span)
        return;
    seen.program = (uint32_t)(job - engine->jobs);
    seen.pass = job->pass;
    engine->observer->span(engine->observer->context, &seen);
}

enum ct_status ct_engine_keep_piece(struct ct_engine *engine, struct ct_engine_rank *rank,
                                    const struct ct_job *job)
{
    double since_ns = rank->since_ns;
    if (!(engine->now_ns > since_ns))
        return CT_OK;
    uint8_t what = name_doing(rank);
    uint32_t op = what == CT_TIME_COMPUTE ? rank->calc : rank->work;
    rank->since_ns = engine->now_ns;
    if (what != CT_TIME_PARTS && rank->n_pieces == 0) {
        tell_span(engine, job,
                  &(struct ct_time_span){.rank = (uint32_t)(rank - job->ranks),
                                         .op = op,
                                         .next = CT_TIME_NO_OP,
                                         .part = (enum ct_time_part)what,
                                         .begin_ns = since_ns,
                                         .end_ns = engine->now_ns});
        return CT_OK;
    }
    if (!CT_ARRAY_RESERVE(rank->pieces, rank->room_pieces, rank->n_pieces + (size_t)1))
        return ct_no_memory(engine->err, "simulation");
    rank->pieces[rank->n_pieces++] = (struct ct_piece){since_ns, engine->now_ns, op, what};
    return CT_OK;
}

/* A message as one of its sides sees it. */
struct view {
    const struct ct_stack_protocol *protocol;
    const struct ct_flight_times *times; /* NULL: a calc */
    uint8_t step;                        /* that the message is at */
    enum ct_message_side side;
};

static struct view view_of(const struct ct_engine *engine, const struct ct_job *job, uint32_t op)
{
    const struct ct_engine_op *ops = job->program->ops;
    if (ops[op].kind == CT_GOAL_CALC)
        return (struct view){.side = CT_SIDE_SENDER};
    bool sends = ops[op].kind == CT_GOAL_SEND;
    uint32_t number = job->states[sends ? op : ops[op].partner].flight;
    const struct ct_flight *flight = &engine->flights[number];
    return (struct view){.protocol = &engine->setup->stack->protocols[flight->protocol],
                         .times = &engine->times[number],
                         .step = flight->step,
                         .side = sends ? CT_SIDE_SENDER : CT_SIDE_RECEIVER};
}

/* What a message does from a time on, and until when [D, equations 1 to 4]. */
static enum ct_time_part part_at(const struct view *view, double at_ns, double *until_p)
{
    const struct ct_message_times *times = view->times->steps;
    bool sends = view->side == CT_SIDE_SENDER;
    bool needs_recv = view->protocol->send_ends.step >= view->protocol->met;
    double sync_ns = sends ? times[0].ready_ns : times[0].paid_ns;
    if (sends && needs_recv && at_ns >= times[0].paid_ns)
        sync_ns = view->times->posted_ns[CT_SIDE_RECEIVER];
    *until_p = sync_ns;
    if (at_ns < sync_ns)
        return CT_TIME_SYNC;
    for (uint8_t i = 0; i <= view->step; i++) {
        if (at_ns < (*until_p = times[i].ready_ns))
            return CT_TIME_SYNC;
        if (at_ns < (*until_p = times[i].paid_ns))
            return CT_TIME_STACK;
        if (at_ns < (*until_p = times[i].there_ns))
            return CT_TIME_NETWORK;
    }
    *until_p = INFINITY;
    return CT_TIME_NETWORK;
}

static void tell_wait(const struct ct_engine *engine, const struct ct_job *job,
                      const struct ct_piece *piece, struct ct_time_span *span,
                      const struct view *view)
{
    double at_ns = piece->begin_ns;
    while (at_ns < piece->end_ns) {
        enum ct_time_part part = CT_TIME_NETWORK;
        double until_ns = INFINITY;
        if (view->times)
            part = part_at(view, at_ns, &until_ns);
        until_ns = fmin(until_ns, piece->end_ns);
        span->part = part;
        span->begin_ns = at_ns;
        span->end_ns = until_ns;
        tell_span(engine, job, span);
        at_ns = until_ns;
    }
}

enum ct_status ct_engine_tell_pieces(struct ct_engine *engine, struct ct_job *job, uint32_t op,
                                     uint32_t next)
{
    uint32_t number = job->program->ops[op].rank;
    struct ct_engine_rank *rank = &job->ranks[number];
    enum ct_status status = ct_engine_touch(engine, rank, job);
    if (status != CT_OK || rank->n_pieces == 0)
        return status;
    const struct view view = view_of(engine, job, op);
    for (uint32_t i = 0; i < rank->n_pieces; i++) {
        const struct ct_piece *piece = &rank->pieces[i];
        bool waits = piece->what == CT_TIME_PARTS;
        struct ct_time_span span = {.rank = number,
                                    .op = waits ? op : piece->op,
                                    .next = waits ? next : CT_TIME_NO_OP,
                                    .begin_ns = piece->begin_ns,
                                    .end_ns = piece->end_ns};
        if (waits) {
            tell_wait(engine, job, piece, &span, &view);
        } else {
            span.part = (enum ct_time_part)piece->what;
            tell_span(engine, job, &span);
        }
    }
    rank->n_pieces = 0;
    return CT_OK;
}

void ct_engine_tell_rank(const struct ct_engine *engine, const struct ct_job *job, uint32_t rank,
                         double end_ns)
{
    if (!engine->keeps_time || !engine->observer->rank)
        return;
    const struct ct_observed_rank seen = {.program = (uint32_t)(job - engine->jobs),
                                          .pass = job->pass,
                                          .rank = rank,
                                          .begin_ns = job->begin_ns,
                                          .end_ns = end_ns};
    engine->observer->rank(engine->observer->context, &seen);
}

void ct_engine_tell_begin(const struct ct_engine *engine, const struct ct_job *job, uint32_t op,
                          uint32_t after, bool at_start)
{
    if (!engine->observer || !engine->observer->begin)
        return;
    const struct ct_observed_begin seen = {.program = (uint32_t)(job - engine->jobs),
                                           .pass = job->pass,
                                           .op = op,
                                           .after = after,
                                           .at_start = at_start,
                                           .at_ns = engine->now_ns};
    engine->observer->begin(engine->observer->context, &seen);
}

static uint8_t steps_of_receiver(const struct ct_stack_protocol *protocol)
{
    unsigned bits = 0;
    for (unsigned i = 0; i < protocol->n_steps; i++)
        bits |= (unsigned)(protocol->steps[i].by == CT_SIDE_RECEIVER) << i;
    return (uint8_t)bits;
}

void ct_engine_tell_message(const struct ct_engine *engine, uint32_t number)
{
    if (!engine->observer || !engine->observer->message)
        return;
    const struct ct_flight *flight = &engine->flights[number];
    const struct ct_flight_times *times = &engine->times[number];
    const struct ct_job *job = &engine->jobs[flight->job];
    const struct ct_stack_protocol *protocol = &engine->setup->stack->protocols[flight->protocol];
    const struct ct_observed_message seen = {
        .program = flight->job,
        .pass = job->pass,
        .op = {flight->op[CT_SIDE_SENDER], flight->op[CT_SIDE_RECEIVER]},
        .rank = {flight->rank[CT_SIDE_SENDER], flight->rank[CT_SIDE_RECEIVER]},
        .bytes = flight->bytes,
        .protocol = protocol->name,
        .posted_ns = {times->posted_ns[CT_SIDE_SENDER], times->posted_ns[CT_SIDE_RECEIVER]},
        .ended_ns = {times->ended_ns[CT_SIDE_SENDER], times->ended_ns[CT_SIDE_RECEIVER]},
        .n_steps = protocol->n_steps,
        .met = protocol->met,
        .by_receiver = steps_of_receiver(protocol),
        .steps = times->steps};
    engine->observer->message(engine->observer->context, &seen);
}
