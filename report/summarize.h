/** Reduces long series for figures. Pure. */
#ifndef CT_REPORT_SUMMARIZE_H
#define CT_REPORT_SUMMARIZE_H

#include "core/stats.h"

#include <stdbool.h>

/**
 * Points of the empirical distribution function, n_points of them at equal distances in rank,
 * including the smallest and the largest value; all values if there are not more than n_points.
 * @param values  [in]  n >= 1, in any order; copied
 * @param x       [out] room for n_points >= 2 values
 * @param share   [out] n_points: the share 0..1 of the values at or below x
 * @return number of points; 0: out of memory
 */
size_t ct_distribution_points(const double *values, size_t n, size_t n_points, double *x,
                              double *share);

/**
 * Thin a series: of each of n_points / 2 successive parts it keeps the smallest and the largest
 * value, in the order of time, so that peaks remain; all values if there are not more than
 * n_points.
 * @param t       [in]  n times
 * @param x       [in]  n values
 * @param t_thin  [out] room for n_points >= 2 times
 * @param x_thin  [out] n_points values
 * @return number of points
 */
size_t ct_series_thin(const double *t, const double *x, size_t n, size_t n_points, double *t_thin,
                      double *x_thin);

/** A window of time, with the latencies in it. */
struct ct_window {
    double start_s, end_s;
    double median;
    double above_frac; /**< share of the values above the threshold; NaN: there is none */
    bool is_busy;
};

/**
 * Divide a series into windows of equal length in time, with about n_per_window values on average,
 * at most n_windows; windows without a value are left out. A window is busy if its median is above
 * the threshold, so that most probes in it wait.
 * @param t_s         [in]  n, ascending
 * @param threshold   [in]  NaN: none is busy
 * @param windows     [out] room for n_windows >= 1
 * @param n_found_p   [out] windows with values; 0 for n = 0
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_windows_make(const double *t_s, const double *x, size_t n, size_t n_per_window,
                               size_t n_windows, double threshold, struct ct_window *windows,
                               size_t *n_found_p);

#endif
