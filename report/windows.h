/** A long series in time as windows, for figures. Pure. */
#pragma once

#include "core/stats.h"

#include <stdbool.h>

/** A window of time, with the latencies in it. */
struct ct_window {
    double start_s, end_s;
    double median, most; /**< of the values */
    double above_frac;   /**< share of the values above the threshold; NaN: there is none */
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
