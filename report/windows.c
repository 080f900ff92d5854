#include "report/windows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The values of a window; sorts them. */
static struct ct_window describe_window(double *x, size_t n, double threshold)
{
    struct ct_window window = {.median = NAN, .most = NAN, .above_frac = NAN};
    size_t n_above = 0;
    ct_stats_sort(x, n);
    ct_stats_quantile(x, n, 0.5, &window.median);
    window.most = x[n - 1];
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
        windows[*n_found_p] = describe_window(values + first, end - first, threshold);
        windows[*n_found_p].start_s = start_s;
        windows[(*n_found_p)++].end_s = end_s;
    }
    free(values);
    return CT_OK;
}
