/** Programs on a network whose parameters are uncertain: once for each of some draws. */
#pragma once

#include "calibrate/runs/posterior_draws.h"
#include "core/stats.h"
#include "simulate/joint/network_runs.h"
#include "study/parameters.h"

/** What parameters contribute to the times of a program: intervals of quantiles over the draws. */
struct ct_network_spread {
    struct ct_interval alone_ns, together_ns;
    struct ct_interval slowdown_frac; /**< together / alone - 1 of each draw */
    double alone_mean_ns, together_mean_ns;
};

/** Where parameters come from that are not known for certain: one of both. Borrowed. */
struct ct_network_uncertain {
    const struct ct_posterior_draws *posterior; /**< NULL: none */
    /** NULL, or LogGPS with replicates: of the stack, and with them the rate of the links of nodes
     *  and, if it is the latency of every path, that. */
    const struct ct_parameters *measured;
};

/**
 * How many draws take seconds.
 * @param wanted  [in] at most
 * @param n_ops   [in] operations of all programs together
 * @param n       [in] programs
 * @return 0: fewer than 20, or than are wanted, would
 */
size_t ct_network_draws_within(uint64_t wanted, uint64_t n_ops, size_t n);

/**
 * Run programs with draws of what is uncertain, spread evenly over all draws that there are.
 * @param jobs     [in]  n, as for ct_network_runs()
 * @param setup    [in]  the draws replace what they have of its stack, rates and latencies; its
 *                       observer is not called
 * @param n_draws  [in]  >= 2
 * @param level    [in]  of the intervals, 0 < level < 1
 * @param threads  [in]  draws at the same time, >= 1
 * @param spreads  [out] n
 * @return CT_OK; CT_EINVAL (a value outside its range); what ct_network_runs() returns; CT_ENOMEM
 */
enum ct_status ct_network_draws(const struct ct_engine_job *jobs, const uint32_t *n_ranks, size_t n,
                                const struct ct_network_runs_setup *setup,
                                const struct ct_network_uncertain *uncertain, size_t n_draws,
                                double level, unsigned threads, struct ct_network_spread *spreads,
                                struct ct_error *err);
