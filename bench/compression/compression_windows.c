#include "bench/compression/compression_windows.h"

#include "core/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOWS_MAX = 10000 };
static const double shortest_s = 0.1;

enum ct_status ct_compression_windows_new(double time_s, struct ct_compression_windows *windows_p,
                                          struct ct_error *err)
{
    struct ct_compression_windows windows = {.width_s = fmax(shortest_s, time_s / WINDOWS_MAX)};
    /* One more: the last round ends after the time is over. */
    size_t n = (size_t)ceil(time_s / windows.width_s) + 1;
    CT_TRY(ct_compression_windows_reserve(&windows, n, err));
    *windows_p = windows;
    return CT_OK;
}

void ct_compression_windows_free(struct ct_compression_windows *windows)
{
    free(windows->bytes);
    *windows = (struct ct_compression_windows){0};
}

enum ct_status ct_compression_windows_reserve(struct ct_compression_windows *windows, size_t n,
                                              struct ct_error *err)
{
    if (n <= windows->n)
        return CT_OK;
    if (!CT_ARRAY_RESIZE(windows->bytes, n))
        return ct_no_memory(err, "%zu windows of time", n);
    memset(windows->bytes + windows->n, 0, (n - windows->n) * sizeof *windows->bytes);
    windows->n = n;
    return CT_OK;
}

size_t ct_compression_windows_until(const struct ct_compression_windows *windows, double time_s)
{
    return (size_t)ceil(time_s / windows->width_s);
}

enum ct_status ct_compression_windows_add(struct ct_compression_windows *windows, double from_s,
                                          double to_s, uint64_t bytes, struct ct_error *err)
{
    size_t first = (size_t)(from_s / windows->width_s);
    size_t end = ct_compression_windows_until(windows, to_s);
    size_t last = end > first ? end - 1 : first;
    CT_TRY(ct_compression_windows_reserve(windows, last + 1, err));
    /* What is due at each window's end, less what was given out: the rest goes to the last. */
    uint64_t given = 0;
    for (size_t k = first; k < last; k++) {
        double part = ((double)(k + 1) * windows->width_s - from_s) / (to_s - from_s);
        uint64_t due = (uint64_t)((double)bytes * fmin(fmax(part, 0), 1));
        if (due > bytes) /* the nearest double may lie above */
            due = bytes;
        windows->bytes[k] += due - given;
        given = due;
    }
    windows->bytes[last] += bytes - given;
    return CT_OK;
}
