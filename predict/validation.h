/**
 * Compares run times measured at several latencies with those that a model predicts: errors, slopes
 * and tolerances. Pure. Source: Shen et al., "LLAMP" (2024), section III.
 */
#pragma once

#include "core/stats.h"

/** One run, at one latency. */
struct ct_validation_run {
    double delta_L_s;     /**< added to that of the baseline, >= 0 */
    double runtime_s;     /**< mean of its passes, > 0 */
    double cpu_wait_frac; /**< share of the time in which ranks waited for processors; NaN: not
                             known */
};

/** All runs at one latency. */
struct ct_validation_point {
    double delta_L_s;
    size_t n_runs;
    double measured_s;              /**< mean over the runs */
    struct ct_interval measured_ci; /**< of that mean, by Student's t; NaN: of one run */
    double measured_variance;       /**< of that mean; NaN: of one run */
    double cpu_wait_frac;           /**< mean over the runs with a known value; NaN: none */
    double predicted_s;             /**< NaN until the caller sets it */
};

/**
 * Combine the runs at each latency to a point.
 * @param runs     [in,out] n; sorted by latency
 * @param level    [in]  of the intervals, 0 < level < 1
 * @param points   [out] room for n
 * @return number of points, in the order of latencies
 */
size_t ct_validation_points(struct ct_validation_run *runs, size_t n, double level,
                            struct ct_validation_point *points);

/** Relative root mean square error: sqrt(mean(((predicted - measured) / measured)^2)).
 * @param n  [in] >= 1 */
double ct_validation_rrmse(const struct ct_validation_point *points, size_t n);

/** Slope of the run time over the latency: a straight line by least squares. */
struct ct_validation_slope {
    double slope;          /**< seconds per second; NaN: fewer than two latencies */
    struct ct_interval ci; /**< by Student's t; NaN: fewer than three runs */
    size_t n_runs;
};

/** @param runs  [in] sorted by latency; those with a latency above limit_s are left out */
struct ct_validation_slope ct_validation_slope(const struct ct_validation_run *runs, size_t n,
                                               double limit_s, double level);

/**
 * Slope of the predicted run times: the same line through the predictions, each weighted by the
 * number of its runs.
 */
double ct_validation_predicted_slope(const struct ct_validation_point *points, size_t n,
                                     double limit_s);

/**
 * The largest latency at which the measured run time exceeds that of the first point by at most a
 * fraction.
 * @return latency of that point; that of the first point if no other is within the fraction
 */
double ct_validation_limit_s(const struct ct_validation_point *points, size_t n,
                             double longer_frac);

/**
 * The latency at which the measured run time is 1 + longer_frac times that at the first point,
 * linear between points. The points are first made monotone by averaging neighbours that decrease
 * (pool adjacent violators: Ayer et al., Annals of Mathematical Statistics 26, 1955), weighted by
 * their numbers of runs.
 * @return NaN: the run time does not become so long, or out of memory
 */
double ct_validation_tolerance_s(const struct ct_validation_point *points, size_t n,
                                 double longer_frac);

/**
 * Percentile interval of ct_validation_tolerance_s() by a bootstrap of residuals: each run becomes
 * the mean at its latency times 1 + e, with e drawn from the relative deviations of all runs from
 * their means, times sqrt(n / (n - 1)) for the n runs at that latency (Davison and Hinkley,
 * "Bootstrap Methods and their Application" (1997), section 6.2).
 * @param runs     [in]  as ct_validation_points() has left them
 * @param setup    [in]  its block is not used
 * @param ci_p     [out] lo NaN: no latency has two runs, or most replicates do not become so long;
 *                       hi NaN: or some of those at the upper end do not
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_validation_tolerance_ci(const struct ct_validation_run *runs, size_t n,
                                          double longer_frac, const struct ct_bootstrap *setup,
                                          struct ct_interval *ci_p);
