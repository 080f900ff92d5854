/**
 * Run times measured at several latencies, held against those that a model predicts: errors, slopes
 * and tolerances. Pure functions. Source: Shen et al., "LLAMP" (2024), section III.
 */
#ifndef CT_STUDY_VALIDATION_H
#define CT_STUDY_VALIDATION_H

#include "core/stats.h"

/** One run, at one latency. */
struct ct_validation_run {
    double delta_L_s; /**< added to that of the baseline, >= 0 */
    double runtime_s; /**< mean of its passes, > 0 */
    double
        cpu_wait_frac; /**< share of its time that a rank waited for processors; NaN: not known */
};

/** All runs at one latency. */
struct ct_validation_point {
    double delta_L_s;
    size_t n_runs;
    double measured_s;              /**< mean over the runs */
    struct ct_interval measured_ci; /**< of that mean, by Student's t; NaN: of one run */
    double cpu_wait_frac;           /**< mean over the runs that know it; NaN: none */
    double predicted_s;             /**< NaN until it is filled in */
};

/**
 * Put runs at the same latency together.
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

/** A straight line through run times over latencies, by least squares. */
struct ct_validation_slope {
    double slope;          /**< seconds per second; NaN: fewer than two latencies */
    struct ct_interval ci; /**< by Student's t; NaN: fewer than three runs */
    size_t n_runs;
};

/** @param runs  [in] sorted by latency; those with a latency above limit_s are left out */
struct ct_validation_slope ct_validation_slope(const struct ct_validation_run *runs, size_t n,
                                               double limit_s, double level);

/** The slope that the predictions have when they are looked at like the runs. */
double ct_validation_predicted_slope(const struct ct_validation_point *points, size_t n,
                                     double limit_s);

/** The largest latency at which run times are not longer than those without by more than a
 * fraction. @return the last point's latency where all are within it, one point at least */
double ct_validation_limit_s(const struct ct_validation_point *points, size_t n,
                             double longer_frac);

/**
 * The latency at which measured run times reach (1 + x) of those at the first point: linear between
 * points, which are made to ascend by averaging neighbours that do not (pool adjacent violators:
 * Ayer et al., Annals of Mathematical Statistics 26, 1955), weighted by their runs.
 * @return NaN: they do not get there; CT_ENOMEM is NaN too
 */
double ct_validation_tolerance_s(const struct ct_validation_point *points, size_t n,
                                 double longer_frac);

#endif
