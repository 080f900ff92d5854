/**
 * Sums bytes in windows of time of equal length, since rounds of microseconds in a run of hours
 * would be too many rows. Pure: no MPI, no clock.
 */
#pragma once

#include "core/status.h"

#include <stdint.h>

/** Window k covers [k width_s, (k + 1) width_s) since the start of the first round. */
struct ct_compression_windows {
    double width_s;
    uint64_t *bytes; /**< n; owned, ct_compression_windows_free() */
    size_t n;
};

/**
 * Make windows for a run of time_s: of 0.1 s, or longer ones if these would be more than 10 000.
 * @param windows_p  [out] unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_compression_windows_new(double time_s, struct ct_compression_windows *windows_p,
                                          struct ct_error *err);
void ct_compression_windows_free(struct ct_compression_windows *windows);

/**
 * Grow to at least n windows; new ones are empty.
 * @return CT_OK; CT_ENOMEM (windows unchanged)
 */
enum ct_status ct_compression_windows_reserve(struct ct_compression_windows *windows, size_t n,
                                              struct ct_error *err);

/** Number of windows that begin before a time, seconds since the start of the first round, >= 0. */
size_t ct_compression_windows_until(const struct ct_compression_windows *windows, double time_s);

/**
 * Distribute the bytes of a round evenly over its duration. The sum of the windows is exact.
 * @param from_s  [in] start of the round, >= 0, seconds since the start of the first round
 * @param to_s    [in] its end, >= from_s
 * @return CT_OK; CT_ENOMEM (nothing was added)
 */
enum ct_status ct_compression_windows_add(struct ct_compression_windows *windows, double from_s,
                                          double to_s, uint64_t bytes, struct ct_error *err);
