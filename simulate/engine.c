#include "simulate/engine.h"

#include "core/array.h"
#include "core/cancel.h"
#include "simulate/engine_state.h"

#include <math.h>
#include <stdlib.h>

static const uint32_t none = CT_ENGINE_NONE;
enum { LOOK_AGAIN = 1024 }; /* events until the flag of the caller is looked at again */

/* ---- operations ---- */

static enum ct_status begin_calc(struct ct_engine *engine, struct ct_job *job, uint32_t op)
{
    const struct ct_engine_op *calc = &job->program->ops[op];
    struct ct_engine_rank *rank = &job->ranks[calc->rank];
    enum ct_status status = CT_OK;
    if (calc->amount > 0) {
        status = ct_engine_touch(engine, rank, job);
        rank->n_calcs++;
        rank->calc = op;
    }
    if (status == CT_OK)
        status = ct_engine_start_op(engine, job, op);
    if (status != CT_OK)
        return status;
    return calc->amount > 0 ? ct_engine_add(engine, engine->now_ns + (double)calc->amount,
                                            CT_ENGINE_CALC, job->first_op + op)
                            : ct_engine_end_op(engine, job, op);
}

static enum ct_status end_calc(struct ct_engine *engine, uint32_t number)
{
    struct ct_job *job = &engine->jobs[engine->n_jobs - 1];
    while (number < job->first_op)
        job--;
    uint32_t op = number - job->first_op, at = job->program->ops[op].rank;
    struct ct_engine_rank *rank = &job->ranks[at];
    enum ct_status status = ct_engine_touch(engine, rank, job);
    rank->n_calcs--;
    if (status == CT_OK)
        status = ct_engine_end_op(engine, job, op);
    if (status == CT_OK && rank->n_calcs == 0)
        status = ct_engine_will_poll(engine, job, at);
    /* free_engine() frees the jobs. NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
    return status;
}

static enum ct_status begin_op(struct ct_engine *engine, struct ct_job *job, uint32_t op)
{
    bool is_calc = job->program->ops[op].kind == CT_GOAL_CALC;
    return is_calc ? begin_calc(engine, job, op) : ct_engine_post(engine, job, op);
}

/* All operations that can begin, and those that can because of that. */
static enum ct_status begin_ready(struct ct_engine *engine)
{
    enum ct_status status = CT_OK;
    while (engine->next_ready < engine->n_ready && status == CT_OK) {
        const struct ct_ready ready = engine->ready[engine->next_ready++];
        /* free_engine() frees the jobs. NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
        status = begin_op(engine, &engine->jobs[ready.job], ready.op);
    }
    engine->next_ready = engine->n_ready = 0;
    return status;
}

/* All that can begin, and then the libraries of those that wait. */
static enum ct_status go_on(struct ct_engine *engine)
{
    enum ct_status status = begin_ready(engine);
    for (uint32_t i = 0; i < engine->n_polls && status == CT_OK; i++) {
        const struct ct_poll poll = engine->polls[i];
        status = ct_engine_poll(engine, &engine->jobs[poll.job], poll.rank);
        if (status == CT_OK)
            status = begin_ready(engine);
    }
    engine->n_polls = 0;
    return status;
}

/* ---- passes ---- */

static enum ct_status begin_pass(struct ct_engine *engine, struct ct_job *job)
{
    const struct ct_engine_program *program = job->program;
    job->begin_ns = job->end_ns = engine->now_ns;
    job->n_left = program->n_ops + program->n_messages;
    if (!CT_ARRAY_RESERVE(engine->ready, engine->room_ready, (size_t)program->n_ops))
        return ct_no_memory(engine->err, "simulation");
    for (uint32_t rank = 0; rank < program->n_ranks; rank++) {
        job->ranks[rank].n_left = program->first_op[rank + 1] - program->first_op[rank];
        job->ranks[rank].since_ns = engine->now_ns;
        if (job->ranks[rank].n_left == 0)
            ct_engine_tell_rank(engine, job, rank, engine->now_ns);
    }
    for (uint32_t op = 0; op < program->n_ops; op++) {
        job->states[op].waits = program->n_waits[op];
        if (job->states[op].waits > 0)
            continue;
        engine->ready[engine->n_ready++] = (struct ct_ready){(uint32_t)(job - engine->jobs), op};
        ct_engine_tell_begin(engine, job, op, CT_TIME_NO_OP, false);
    }
    return CT_OK;
}

/* ---- events ---- */

static enum ct_status own_event(struct ct_engine *engine)
{
    const struct ct_event event = ct_event_queue_take(&engine->events);
    uint32_t index = event.what >> CT_ENGINE_BITS;
    engine->now_ns = event.at_ns;
    switch ((enum ct_engine_event)(event.what & CT_ENGINE_MASK)) {
    case CT_ENGINE_CALC:
        return end_calc(engine, index);
    case CT_ENGINE_FLIGHT:
        return ct_engine_phase_ends(engine, index);
    case CT_ENGINE_PASS:
        return begin_pass(engine, &engine->jobs[index]);
    default:
        return ct_engine_credit_is_back(engine, index);
    }
}

static enum ct_status network_event(struct ct_engine *engine,
                                    const struct ct_simulate_network_event *event)
{
    engine->now_ns = event->at_ns;
    return event->news == CT_NEWS_LEFT ? ct_engine_left(engine, event->number)
                                       : ct_engine_there(engine, event->number);
}

/* An operation that never begins, for a message. */
static enum ct_status cannot_end(const struct ct_engine *engine)
{
    for (size_t i = 0; i < engine->n_jobs; i++) {
        const struct ct_engine_program *program = engine->jobs[i].program;
        for (uint32_t op = 0; op < program->n_ops; op++) {
            uint32_t rank = program->ops[op].rank;
            if (engine->jobs[i].states[op].waits > 0)
                return ct_fail(engine->err, CT_EINVAL,
                               "simulation: program %zu cannot end: on rank %u operation %u waits "
                               "for ever: for operations that wait for it, or for a message. Under "
                               "another protocol, or with more credits, sends may not wait for "
                               "their receives",
                               i + 1, rank, op - program->first_op[rank] + 1);
        }
    }
    return ct_fail(engine->err, CT_EINVAL,
                   "simulation: a program cannot end: its sends wait for receives that wait for "
                   "them");
}

/* Own events come first where the network has one at the same time. */
static enum ct_status step_engine(struct ct_engine *engine)
{
    const struct ct_simulate_network *network = engine->setup->network;
    struct ct_simulate_network_event event;
    double own_ns = ct_event_queue_next_ns(&engine->events);
    CT_TRY(network->ops->run(network->state, own_ns, &event, engine->err));
    bool is_own = event.news == CT_NEWS_NONE;
    engine->counts.n_events += event.work + is_own;
    enum ct_status status = CT_OK;
    if (engine->counts.n_events % LOOK_AGAIN < event.work + is_own &&
        (status = ct_cancel_check(engine->err)) != CT_OK)
        return status;
    if (engine->counts.n_events > engine->setup->work_max)
        return ct_fail(engine->err, CT_EUNSUPPORTED,
                       "simulation: too large: more than %llu events, counted for each busy pair "
                       "of nodes",
                       (unsigned long long)engine->setup->work_max);
    if (event.news == CT_NEWS_LATER)
        return CT_OK;
    if (is_own && isinf(own_ns))
        return cannot_end(engine);
    CT_TRY(is_own ? own_event(engine) : network_event(engine, &event));
    return go_on(engine);
}

static bool is_over(const struct ct_engine *engine)
{
    for (size_t i = 0; i < engine->n_jobs; i++)
        if (engine->jobs[i].n_passes < engine->setup->passes)
            return false;
    return true;
}

/* ---- the whole ---- */

static enum ct_status check_job(const struct ct_engine *engine, const struct ct_engine_job *job,
                                size_t i)
{
    const struct ct_simulate_place *place = &job->place;
    if (place->ranks_per_node == 0)
        return ct_fail(engine->err, CT_EINVAL, "simulation: 0 ranks on a node; at least 1");
    uint32_t n_blocks = (job->program->n_ranks - 1) / place->ranks_per_node + 1;
    if (place->nodes && n_blocks > place->n_nodes)
        return ct_fail(engine->err, CT_EINVAL,
                       "simulation: program %zu: %u ranks, %u on a node, do not fit on %u nodes",
                       i + 1, job->program->n_ranks, place->ranks_per_node, place->n_nodes);
    for (uint32_t b = 0; b < n_blocks; b++)
        if ((place->nodes ? place->nodes[b] : b) >= engine->setup->n_nodes)
            return ct_fail(
                engine->err, CT_EINVAL,
                "simulation: program %zu: %u ranks, %u on a node, need a node %u; the network "
                "has %u",
                i + 1, job->program->n_ranks, place->ranks_per_node,
                place->nodes ? place->nodes[b] : b, engine->setup->n_nodes);
    return CT_OK;
}

static enum ct_status make_job(struct ct_engine *engine, struct ct_job *job)
{
    const struct ct_engine_program *program = job->program;
    job->states = malloc(program->n_ops * sizeof *job->states);
    job->ranks = calloc(program->n_ranks, sizeof *job->ranks);
    if (!job->states || !job->ranks)
        return ct_no_memory(engine->err, "simulation");
    for (uint32_t op = 0; op < program->n_ops; op++)
        job->states[op] = (struct ct_op_state){.flight = none};
    for (uint32_t rank = 0; rank < program->n_ranks; rank++) {
        uint32_t block = rank / job->place.ranks_per_node;
        job->ranks[rank].node = job->place.nodes ? job->place.nodes[block] : block;
        job->ranks[rank].ready.head = job->ranks[rank].held.head = none;
    }
    return CT_OK;
}

static enum ct_status make_jobs(struct ct_engine *engine, const struct ct_engine_job *jobs)
{
    uint64_t n_ops = 0, n_ranks = 0;
    enum ct_status status = CT_OK;
    engine->jobs = calloc(engine->n_jobs, sizeof *engine->jobs);
    if (!engine->jobs)
        return ct_no_memory(engine->err, "simulation");
    for (size_t i = 0; i < engine->n_jobs && status == CT_OK; i++) {
        struct ct_job *job = &engine->jobs[i];
        *job = (struct ct_job){.program = jobs[i].program,
                               .place = jobs[i].place,
                               .first_op = (uint32_t)n_ops,
                               .first_rank = (uint32_t)n_ranks};
        n_ops += job->program->n_ops;
        n_ranks += job->program->n_ranks;
        if (n_ops >= CT_ENGINE_INDEX_MAX)
            return ct_fail(engine->err, CT_EINVAL,
                           "simulation: more than 2^30 operations in all programs");
        status = check_job(engine, &jobs[i], i);
        if (status == CT_OK)
            status = make_job(engine, job);
        engine->all_run_ns = fmax(engine->all_run_ns, jobs[i].begin_ns);
    }
    return status;
}

static void free_engine(struct ct_engine *engine)
{
    for (size_t i = 0; engine->jobs && i < engine->n_jobs; i++) {
        struct ct_job *job = &engine->jobs[i];
        for (uint32_t rank = 0; job->ranks && rank < job->program->n_ranks; rank++)
            free(job->ranks[rank].pieces);
        free(job->states);
        free(job->ranks);
    }
    free(engine->jobs);
    ct_event_queue_free(&engine->events);
    free(engine->ready);
    free(engine->polls);
    free(engine->flights);
    free(engine->times);
    ct_map_free(&engine->credit_of);
    free(engine->credits);
}

enum ct_status ct_engine_run(const struct ct_engine_job *jobs, size_t n,
                             const struct ct_engine_setup *setup,
                             const struct ct_observer *observer, double *mean_pass_ns,
                             struct ct_engine_counts *counts_p, struct ct_error *err)
{
    if (n == 0 || n > CT_SIMULATE_JOBS_MAX || setup->passes == 0)
        return ct_fail(err, CT_EINVAL, "simulation: %zu programs, %zu passes; 1 to %d, at least 1",
                       n, setup->passes, CT_SIMULATE_JOBS_MAX);
    struct ct_engine engine = {
        .setup = setup,
        .observer = observer,
        .keeps_time = observer && (observer->span || observer->rank),
        .keeps_steps = observer && (observer->span || observer->rank || observer->message),
        .n_jobs = n,
        .events = ct_event_queue_empty(),
        .free_flight = none,
        .err = err};
    enum ct_status status = make_jobs(&engine, jobs);
    for (uint32_t i = 0; i < n && status == CT_OK; i++)
        status = ct_engine_add(&engine, jobs[i].begin_ns, CT_ENGINE_PASS, i);
    while (status == CT_OK && !is_over(&engine))
        status = step_engine(&engine);
    for (size_t i = 0; i < n && status == CT_OK; i++)
        mean_pass_ns[i] = engine.jobs[i].sum_ns / (double)engine.jobs[i].n_passes;
    engine.counts.n_flights = engine.n_flights;
    engine.counts.end_ns = engine.now_ns;
    if (status == CT_OK && counts_p)
        *counts_p = engine.counts;
    free_engine(&engine);
    return status;
}
