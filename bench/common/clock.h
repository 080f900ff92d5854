/** The clock of all measurements: CLOCK_MONOTONIC, and the time-stamp counter for pauses in cycles.
 */
#ifndef CT_BENCH_COMMON_CLOCK_H
#define CT_BENCH_COMMON_CLOCK_H

#include <time.h>

/** Seconds since an arbitrary start; monotonic on its node. */
static inline double ct_clock_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/** Smallest step seen between two different readings, and mean cost of a reading; seconds. */
struct ct_clock_quality {
    double resolution_s, overhead_s;
};
struct ct_clock_quality ct_clock_measure(void);

/** Sleep until a time of ct_clock_now_s(); returns at once when it has passed, early on a signal.
 */
void ct_clock_sleep_until(double time_s);

/** Cycles of the time-stamp counter per second, calibrated against the clock over about 50 ms; on
 *  processors without one the cycles of a nanosecond counter (1e9). */
double ct_clock_cycles_per_s(void);

#endif
