#include "study/network_draws.h"

#include "core/draws.h"
#include "simulate/constants.h"
#include "study/constants.h"

#include <math.h>
#include <stdlib.h>

enum { ALONE, TOGETHER, SLOWDOWN, PER_PROGRAM };

/* Shared by the threads. */
struct work {
    const struct ct_engine_job *jobs;
    const uint32_t *n_ranks;
    size_t n;
    const struct ct_network_runs_setup *setup;
    const struct ct_network_uncertain *uncertain;
    size_t n_draws;
};

/* Alone, and together as often as ct_network_runs() makes programs run. */
size_t ct_network_draws_within(uint64_t wanted, uint64_t n_ops, size_t n)
{
    static const uint64_t alone = 1, least = 20;
    size_t together =
        n > 1 ? ct_simulate_count(CT_SIMULATE_STARTS) * ct_simulate_count(CT_SIMULATE_PASSES) : 0;
    double most = ct_study_constant(CT_STUDY_DRAWN_OPERATIONS) /
                  ((double)n_ops * (double)(alone + together) + 1);
    if ((double)wanted <= most)
        return (size_t)wanted;
    return most < (double)least ? 0 : (size_t)most;
}

/* The costs of a draw of the posterior. */
static struct ct_stack of_posterior(const struct work *work, size_t i,
                                    struct ct_simulate_network_setup *network)
{
    const struct ct_stack_parameters parameters =
        ct_posterior_draw(work->uncertain->posterior, i, work->n_draws);
    ct_stack_set_network(&parameters, network);
    return ct_stack_of(&parameters);
}

/* The costs of a replicate. @param model_p  [out] the replicate, whose overheads the stack borrows
 */
static struct ct_stack of_measured(const struct work *work, size_t i, struct ct_parameters *model_p,
                                   struct ct_simulate_network_setup *network)
{
    const struct ct_parameters *measured = work->uncertain->measured;
    *model_p = ct_parameters_replicate(measured, i * measured->replicates.n / work->n_draws);
    const struct ct_loggps at = ct_parameters_at(model_p, model_p->L_s);
    network->injection_ns_per_byte = at.G_ns_per_byte;
    if (!isnan(network->latency_ns))
        network->latency_ns = at.L_ns;
    network->by_switches = model_p->paths;
    struct ct_stack stack =
        ct_stack_loggps(&at, model_p->S_bytes, ct_parameters_overheads(model_p));
    stack.gaps = ct_parameters_gaps(model_p);
    stack.g_ns = ct_ns_from_s(model_p->between_s);
    return stack;
}

static enum ct_status run_draw(void *data, size_t i, double *values, struct ct_error *err)
{
    const struct work *work = data;
    struct ct_network_runs_setup setup = *work->setup;
    struct ct_parameters replicate;
    const struct ct_stack stack = work->uncertain->posterior
                                      ? of_posterior(work, i, &setup.network)
                                      : of_measured(work, i, &replicate, &setup.network);
    const struct ct_stack free_stack = ct_stack_free_of_cost(&stack);
    struct ct_network_run runs[CT_SIMULATE_JOBS_MAX];
    struct ct_rank_times *times = NULL;
    setup.stack = setup.kind == CT_NETWORK_NONE ? &free_stack : &stack;
    setup.observers = NULL;
    setup.has_gains = false;
    setup.threads = 1; /* draws have them */
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
                                const struct ct_network_uncertain *uncertain, size_t n_draws,
                                double level, unsigned threads, struct ct_network_spread *spreads,
                                struct ct_error *err)
{
    struct work work = {jobs, n_ranks, n, setup, uncertain, n_draws};
    const struct ct_draws_job job = {.n_draws = n_draws,
                                     .n_values = n * PER_PROGRAM,
                                     .threads = threads,
                                     .evaluate = run_draw,
                                     .data = &work};
    if (!(level > 0 && level < 1))
        return ct_fail(err, CT_EINVAL, "a level of %g", level);
    double *values = malloc((job.n_values + 1) * (n_draws + 1) * sizeof *values);
    if (!values)
        return ct_no_memory(err, "%zu draws", n_draws);
    double *scratch = values + job.n_values * n_draws;
    enum ct_status status = ct_draws_evaluate(&job, values, err);
    for (size_t p = 0; p < n && status == CT_OK; p++)
        spreads[p] = spread_of(&job, values, p, level, scratch);
    free(values);
    return status;
}
