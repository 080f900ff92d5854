#include "study/network_draws.h"

#include "core/parallel.h"

#include <stdlib.h>

/* Shared by the threads; each draw writes to places of its own. */
struct work {
    const struct ct_engine_job *jobs;
    const uint32_t *n_ranks;
    size_t n;
    const struct ct_network_runs_setup *setup;
    const struct ct_posterior_draws *draws;
    size_t n_draws;
    struct ct_network_run *runs; /* [draw * n + program] */
    enum ct_status *status;      /* [draw] */
    struct ct_error *errors;     /* [draw] */
};

static void run_draw(void *data, size_t i)
{
    struct work *work = data;
    const struct ct_stack_parameters parameters = ct_posterior_draw(work->draws, i, work->n_draws);
    const struct ct_stack stack = ct_stack_rdma(&parameters),
                          free_stack = ct_stack_free_of_cost(&stack);
    struct ct_network_runs_setup setup = *work->setup;
    struct ct_rank_times *times = NULL;
    setup.stack = setup.kind == CT_NETWORK_NONE ? &free_stack : &stack;
    setup.observer = NULL;
    ct_stack_set_network(&parameters, &setup.network);
    work->status[i] = ct_network_runs(work->jobs, work->n_ranks, work->n, &setup,
                                      work->runs + i * work->n, &times, NULL, &work->errors[i]);
    ct_rank_times_free(times);
}

/* Quantiles of n values, which are sorted. */
static struct ct_interval interval_of(double *values, size_t n, double level)
{
    struct ct_interval interval = {0, 0};
    ct_stats_sort(values, n);
    ct_stats_quantile(values, n, (1 - level) / 2, &interval.lo);
    ct_stats_quantile(values, n, (1 + level) / 2, &interval.hi);
    return interval;
}

/* @param values  [out] 3 n_draws, used here only */
static struct ct_network_spread spread_of(const struct work *work, size_t program, double level,
                                          double *values)
{
    size_t n = work->n_draws;
    double *alone_ns = values, *together_ns = values + n, *slowdown_frac = values + 2 * n;
    struct ct_network_spread spread = {.alone_mean_ns = 0};
    for (size_t i = 0; i < n; i++) {
        const struct ct_network_run *run = &work->runs[i * work->n + program];
        alone_ns[i] = run->alone_ns;
        together_ns[i] = run->together_ns;
        slowdown_frac[i] = run->alone_ns > 0 ? run->together_ns / run->alone_ns - 1 : 0;
        spread.alone_mean_ns += run->alone_ns / (double)n;
        spread.together_mean_ns += run->together_ns / (double)n;
    }
    spread.alone_ns = interval_of(alone_ns, n, level);
    spread.together_ns = interval_of(together_ns, n, level);
    spread.slowdown_frac = interval_of(slowdown_frac, n, level);
    return spread;
}

enum ct_status ct_network_draws(const struct ct_engine_job *jobs, const uint32_t *n_ranks, size_t n,
                                const struct ct_network_runs_setup *setup,
                                const struct ct_posterior_draws *draws, size_t n_draws,
                                double level, unsigned threads, struct ct_network_spread *spreads,
                                struct ct_error *err)
{
    if (n == 0 || n_draws < 2 || !(level > 0 && level < 1) || threads == 0)
        return ct_fail(err, CT_EINVAL, "%zu programs, %zu draws, a level of %g, %u threads", n,
                       n_draws, level, threads);
    struct work work = {.jobs = jobs,
                        .n_ranks = n_ranks,
                        .n = n,
                        .setup = setup,
                        .draws = draws,
                        .n_draws = n_draws,
                        .runs = malloc(n_draws * n * sizeof *work.runs),
                        .status = calloc(n_draws, sizeof *work.status),
                        .errors = calloc(n_draws, sizeof *work.errors)};
    double *values = malloc(3 * n_draws * sizeof *values);
    enum ct_status status = CT_OK;
    if (!work.runs || !work.status || !work.errors || !values)
        status = ct_fail(err, CT_ENOMEM, "%zu draws: out of memory", n_draws);
    if (status == CT_OK)
        ct_parallel_run(n_draws, threads, run_draw, &work);
    for (size_t i = 0; i < n_draws && status == CT_OK; i++)
        if (work.status[i] != CT_OK)
            status = ct_fail(err, work.status[i], "draw %zu: %s", i, work.errors[i].text);
    for (size_t p = 0; p < n && status == CT_OK; p++)
        spreads[p] = spread_of(&work, p, level, values);
    free(values);
    free(work.errors);
    free(work.status);
    free(work.runs);
    return status;
}
