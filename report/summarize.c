#include "report/summarize.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t ct_distribution_points(const double *values, size_t n, size_t n_points, double *x,
                              double *share)
{
    double *sorted = malloc(n * sizeof *sorted);
    if (!sorted)
        return 0;
    memcpy(sorted, values, n * sizeof *sorted);
    ct_stats_sort(sorted, n);
    if (n < n_points)
        n_points = n;
    for (size_t i = 0; i < n_points; i++) {
        size_t rank = n_points > 1 ? i * (n - 1) / (n_points - 1) : 0;
        x[i] = sorted[rank];
        share[i] = (double)(rank + 1) / (double)n;
    }
    free(sorted);
    return n_points;
}

size_t ct_series_thin(const double *t, const double *x, size_t n, size_t n_points, double *t_thin,
                      double *x_thin)
{
    size_t n_parts = n_points / 2, n_thin = 0;
    if (n <= n_points) {
        memcpy(t_thin, t, n * sizeof *t);
        memcpy(x_thin, x, n * sizeof *x);
        return n;
    }
    for (size_t part = 0; part < n_parts; part++) {
        size_t first = part * n / n_parts, end = (part + 1) * n / n_parts;
        size_t least = first, most = first;
        for (size_t i = first; i < end; i++) {
            least = x[i] < x[least] ? i : least;
            most = x[i] > x[most] ? i : most;
        }
        size_t one = least < most ? least : most, other = least < most ? most : least;
        t_thin[n_thin] = t[one];
        x_thin[n_thin++] = x[one];
        if (other != one) {
            t_thin[n_thin] = t[other];
            x_thin[n_thin++] = x[other];
        }
    }
    return n_thin;
}

/* The values of a window; sorts them. */
static struct ct_window describe(double *x, size_t n, double threshold)
{
    struct ct_window window = {.median = NAN, .above_frac = NAN};
    size_t n_above = 0;
    ct_stats_sort(x, n);
    ct_stats_quantile(x, n, 0.5, &window.median);
    window.is_busy = window.median > threshold;
    for (size_t i = 0; i < n; i++)
        n_above += x[i] > threshold;
    if (!isnan(threshold))
        window.above_frac = (double)n_above / (double)n;
    return window;
}

enum ct_status ct_windows_make(const double *t_s, const double *x, size_t n, size_t n_per_window,
                               size_t n_windows, double threshold, struct ct_window *windows,
                               size_t *n_found_p)
{
    *n_found_p = 0;
    if (n == 0)
        return CT_OK;
    double *values = malloc(n * sizeof *values);
    if (!values)
        return CT_ENOMEM;
    memcpy(values, x, n * sizeof *values);
    size_t wanted = n / n_per_window > 0 ? n / n_per_window : 1;
    n_windows = wanted < n_windows ? wanted : n_windows;
    double length_s = (t_s[n - 1] - t_s[0]) / (double)n_windows;
    for (size_t w = 0, first = 0, end; w < n_windows; w++, first = end) {
        double start_s = t_s[0] + (double)w * length_s, end_s = start_s + length_s;
        for (end = first; end < n && (t_s[end] < end_s || w + 1 == n_windows); end++)
            ;
        if (end == first)
            continue;
        windows[*n_found_p] = describe(values + first, end - first, threshold);
        windows[*n_found_p].start_s = start_s;
        windows[(*n_found_p)++].end_s = end_s;
    }
    free(values);
    return CT_OK;
}
