/** Long series made short enough for a figure. Pure. */
#ifndef CT_REPORT_SUMMARIZE_H
#define CT_REPORT_SUMMARIZE_H

#include "core/stats.h"

#include <stdbool.h>

/**
 * Points of the empirical distribution function, n_points of them at even distances in rank; the
 * smallest and the largest value are among them. All values where there are no more than that.
 * @param values  [in]  n >= 1, in any order; copied
 * @param x       [out] n_points >= 2 values, as many as are returned are set
 * @param share   [out] n_points: the share 0..1 of the values at or below x
 * @return number of points; 0: out of memory
 */
size_t ct_distribution_points(const double *values, size_t n, size_t n_points, double *x,
                              double *share);

/**
 * Thin a series: of each of n_points / 2 successive parts the smallest and the largest value, in
 * the order of time, so that peaks stay. All values where there are no more than that.
 * @param t       [in]  n times
 * @param x       [in]  n values
 * @param t_thin  [out] n_points >= 2 times, as many as are returned are set
 * @param x_thin  [out] n_points values
 * @return number of points
 */
size_t ct_series_thin(const double *t, const double *x, size_t n, size_t n_points, double *t_thin,
                      double *x_thin);

/** Successive probes of about the same time. */
struct ct_window {
    double start_s, end_s;
    double median;
    double above_frac; /**< share of the values above the threshold; NaN: there is none */
    bool is_busy;
};

/**
 * Divide a series into windows of equal length in time, with about n_per_window values on average,
 * at most n_windows; windows without a value are left out. A window is busy if its median is above
 * the threshold: a phase in which most probes wait.
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
