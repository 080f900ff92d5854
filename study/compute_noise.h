/**
 * What the noise of computing does to T and tolerances. The durations of a schedule are those of
 * one run. Another run has others, and a maximum of sums is longer on average than with the means
 * of what it is of: E[max] >= max(E). Both are estimated by drawing durations anew.
 *
 * A duration is drawn from those of its class: calculations of the same rank with operations
 * of the same kinds and sizes around it, four on each side. So what differs between ranks, an
 * imbalance, stays, and so does what differs between places of the program; only what differs from
 * one pass through a place to the next is noise. Deviations from the mean of n durations are drawn
 * times sqrt(n / (n - 1)), since those of a sample are too small. Passes are drawn, not single
 * durations: the same ones of all classes that have as many durations. So what delays all ranks at
 * a time, or several calculations of a pass, still does; with single durations T would be longer
 * than that of any run where ranks share processors. What lasts for several passes, such as a slow
 * phase of a machine, does not stay.
 *
 * The interval is for another run, from the median of what was drawn. That run deviates as draws
 * do, V, and the median as this run does, W, both independently: the interval is sqrt(1 + W / V)
 * times as wide as the percentiles of what was drawn. T is nearly a sum of durations, and W = V. A
 * tolerance depends on which of nearly equal paths is the longest; its median over draws varies
 * less from run to run than that of one run, since draws try these paths. W is the infinitesimal
 * jackknife's [Efron 2014, "Estimation and accuracy after model selection"]: the sum over passes of
 * the squared covariance of how often a pass was drawn with the tolerance, less what it is on
 * average of a finite number of draws. Computing that is in no class, as at both ends of a program,
 * is taken to vary like the rest, which is drawn_frac of all: that is 1 / sqrt(drawn_frac) more.
 */
#pragma once

#include "core/stats.h"
#include "lp-bridge/graph/graph.h"

struct ct_compute_noise {
    size_t n_draws;    /**< 0: less than half of computing varies, or the schedule is too large */
    double drawn_frac; /**< share of computing whose durations are drawn */
    double mean_ns, quiet_ns; /**< T: on average; with each duration at the mean of its class */
    struct ct_interval runtime_ns; /**< of another run */
};

struct ct_compute_noise_query {
    struct ct_loggps at;
    const double *longer_frac; /**< n thresholds, ascending, > 0 */
    size_t n;
    double level; /**< of the intervals */
    uint64_t seed;
    unsigned threads;
};

/**
 * @param graph         [in]  without progress in calls
 * @param noise_p       [out]
 * @param tolerance_ns  [out] query->n: intervals of the latency that another run tolerates beside
 *                            its L; NaN where n_draws is 0, INFINITY: any
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_compute_noise_find(const struct ct_graph *graph,
                                     const struct ct_compute_noise_query *query,
                                     struct ct_compute_noise *noise_p,
                                     struct ct_interval *tolerance_ns, struct ct_error *err);
