#include "study/network_draws.h"

#include "study/draws.h"

#include <stdlib.h>

enum { ALONE, TOGETHER, SLOWDOWN, PER_PROGRAM };

/* Shared by the threads. */
struct work {
    const struct ct_engine_job *jobs;
    const uint32_t *n_ranks;
    size_t n;
    const struct ct_network_runs_setup *setup;
    const struct ct_posterior_draws *draws;
    size_t n_draws;
};

static enum ct_status run_draw(void *data, size_t i, double *values, struct ct_error *err)
{
    const struct work *work = data;
    const struct ct_stack_parameters parameters = ct_posterior_draw(work->draws, i, work->n_draws);
    const struct ct_stack stack = ct_stack_of(&parameters),
                          free_stack = ct_stack_free_of_cost(&stack);
    struct ct_network_runs_setup setup = *work->setup;
    struct ct_network_run runs[CT_LINKS_JOBS_MAX];
    struct ct_rank_times *times = NULL;
    setup.stack = setup.kind == CT_NETWORK_NONE ? &free_stack : &stack;
    setup.observer = NULL;
    ct_stack_set_network(&parameters, &setup.network);
    enum ct_status status =
        ct_network_runs(work->jobs, work->n_ranks, work->n, &setup, runs, &times, NULL, err);
    ct_rank_times_free(times);
    for (size_t p = 0; p < work->n && status == CT_OK; p++) {
        double *of = values + p * PER_PROGRAM;
        of[ALONE] = runs[p].alone_ns;
        of[TOGETHER] = runs[p].together_ns;
        of[SLOWDOWN] = of[ALONE] > 0 ? of[TOGETHER] / of[ALONE] - 1 : 0;
    }
    return status;
}

/* @param scratch  [out] n_draws numbers */
static struct ct_network_spread spread_of(const struct ct_draws_job *job, const double *values,
                                          size_t program, double level, double *scratch)
{
    struct ct_draws_summary of[PER_PROGRAM];
    for (size_t i = 0; i < PER_PROGRAM; i++)
        of[i] = ct_draws_summarize(job, values, program * PER_PROGRAM + i, level, scratch);
    return (struct ct_network_spread){.alone_ns = of[ALONE].interval,
                                      .together_ns = of[TOGETHER].interval,
                                      .slowdown_frac = of[SLOWDOWN].interval,
                                      .alone_mean_ns = of[ALONE].mean,
                                      .together_mean_ns = of[TOGETHER].mean};
}

enum ct_status ct_network_draws(const struct ct_engine_job *jobs, const uint32_t *n_ranks, size_t n,
                                const struct ct_network_runs_setup *setup,
                                const struct ct_posterior_draws *draws, size_t n_draws,
                                double level, unsigned threads, struct ct_network_spread *spreads,
                                struct ct_error *err)
{
    struct work work = {jobs, n_ranks, n, setup, draws, n_draws};
    const struct ct_draws_job job = {.n_draws = n_draws,
                                     .n_values = n * PER_PROGRAM,
                                     .threads = threads,
                                     .evaluate = run_draw,
                                     .data = &work};
    if (!(level > 0 && level < 1))
        return ct_fail(err, CT_EINVAL, "a level of %g", level);
    double *values = malloc((job.n_values + 1) * (n_draws + 1) * sizeof *values);
    if (!values)
        return ct_fail(err, CT_ENOMEM, "%zu draws: out of memory", n_draws);
    double *scratch = values + job.n_values * n_draws;
    enum ct_status status = ct_draws_evaluate(&job, values, err);
    for (size_t p = 0; p < n && status == CT_OK; p++)
        spreads[p] = spread_of(&job, values, p, level, scratch);
    free(values);
    return status;
}
