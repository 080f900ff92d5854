/**
 * Effect of a co-runner on T, from the added latency of the probe beside it.
 *
 * With x_i the one-way latencies of a probe beside B and m the mean of those on the idle network,
 * dL = mean(x) - m, and the predicted run time of A beside B is T(L + dL). Latencies vary, so T has
 * a distribution too: T_i = T(max(L + x_i - m, 0)), as if all of A's messages had latency i. T is
 * convex, hence mean(T_i) >= T(L + dL). T grows with L, hence quantiles of T_i are T of quantiles.
 *
 * All values are computed from the envelope, which is exact: n samples take n additions, not n
 * evaluations of the graph. Intervals: circular block bootstrap of both series, which keeps their
 * autocorrelation; block lengths are those of the ranks of the values beside B.
 */
#pragma once

#include "core/stats.h"
#include "lp-bridge/envelope/envelope.h"

/** Results, each with its interval. */
enum ct_effect_value {
    CT_EFFECT_DELTA_L,       /**< dL, seconds */
    CT_EFFECT_RUNTIME,       /**< T(L + dL), seconds */
    CT_EFFECT_SLOWDOWN,      /**< T(L + dL) / T(L) - 1 */
    CT_EFFECT_MEAN_RUNTIME,  /**< mean(T_i), seconds */
    CT_EFFECT_MEAN_SLOWDOWN, /**< mean(T_i) / T(L) - 1 */
    CT_EFFECT_QUANTILES,     /**< the first of the quantiles of T_i, seconds */
    CT_EFFECT_N_QUANTILES = 7,
    CT_EFFECT_VALUES = CT_EFFECT_QUANTILES + CT_EFFECT_N_QUANTILES
};

/** Probabilities of the quantiles, ascending. */
extern const double ct_effect_probabilities[CT_EFFECT_N_QUANTILES];

struct ct_effect {
    double value[CT_EFFECT_VALUES];
    struct ct_interval interval[CT_EFFECT_VALUES]; /**< NaN: a series of one sample */
};

/** One-way latencies, seconds, in the order of time. */
struct ct_effect_probe {
    struct ct_series idle, beside;
};

/** The largest L that ct_effect_find() uses, ns: the least end of the envelope. */
double ct_effect_end_ns(double L_ns, const struct ct_effect_probe *probe);

/**
 * @param envelope  [in]  T from 0 to ct_effect_end_ns() or beyond
 * @param L_ns      [in]  latency of the idle network
 * @param effect_p  [out] unchanged on error; slowdowns are NaN if T(L) is 0
 * @return CT_OK; CT_ENODATA (a series is empty); CT_EINVAL (a latency that is not finite, a setup
 *         that ct_stats_bootstrap() refuses); CT_ENOMEM
 */
enum ct_status ct_effect_find(const struct ct_envelope *envelope, double L_ns,
                              const struct ct_effect_probe *probe, const struct ct_bootstrap *setup,
                              struct ct_effect *effect_p, struct ct_error *err);
