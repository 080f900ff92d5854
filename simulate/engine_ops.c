/* The begin and the end of operations, and what waits for these. */
#include "core/array.h"
#include "simulate/engine_state.h"

/* What waits for an operation has one thing less to wait for. */
static enum ct_status release_op(struct ct_engine *engine, struct ct_job *job, uint32_t op,
                                 bool at_start)
{
    const struct ct_engine_op *ops = job->program->ops;
    for (uint32_t e = ops[op].first_edge; e < ops[op + 1].first_edge; e++) {
        uint32_t target = job->program->edges[e] >> 1;
        if ((job->program->edges[e] & 1) != at_start || --job->states[target].waits > 0)
            continue;
        if (!CT_ARRAY_RESERVE(engine->ready, engine->room_ready, engine->n_ready + (size_t)1))
            return ct_no_memory(engine->err, "simulation");
        engine->ready[engine->n_ready++] =
            (struct ct_ready){(uint32_t)(job - engine->jobs), target};
        ct_engine_tell_begin(engine, job, target, op, at_start);
        CT_TRY(ct_engine_go_on(engine, job, op, target));
    }
    return CT_OK;
}

enum ct_status ct_engine_count_down(struct ct_engine *engine, struct ct_job *job)
{
    if (--job->n_left > 0)
        return CT_OK;
    double pass_ns = job->end_ns - job->begin_ns;
    if (!(pass_ns > 0) && engine->n_jobs > 1)
        return ct_fail(engine->err, CT_EINVAL, "simulation: a program that takes no time");
    if (job->begin_ns >= engine->all_run_ns) {
        job->sum_ns += pass_ns;
        job->n_passes++;
    }
    job->pass++;
    return ct_engine_add(engine, job->end_ns, CT_ENGINE_PASS, (uint32_t)(job - engine->jobs));
}

enum ct_status ct_engine_start_op(struct ct_engine *engine, struct ct_job *job, uint32_t op)
{
    return job->program->ops[op].has_starts ? release_op(engine, job, op, true) : CT_OK;
}

enum ct_status ct_engine_end_op(struct ct_engine *engine, struct ct_job *job, uint32_t op)
{
    uint32_t rank = job->program->ops[op].rank;
    enum ct_status status = release_op(engine, job, op, false);
    job->end_ns = engine->now_ns;
    if (status == CT_OK && --job->ranks[rank].n_left == 0) {
        status = ct_engine_go_on(engine, job, op, CT_TIME_NO_OP);
        ct_engine_tell_rank(engine, job, rank, engine->now_ns);
    }
    return status == CT_OK ? ct_engine_count_down(engine, job) : status;
}
