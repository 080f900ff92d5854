/** The clock of all measurements, CLOCK_MONOTONIC: how good it is, and the time-stamp counter for
 * pauses in cycles. */
#ifndef CT_BENCH_COMMON_CLOCK_H
#define CT_BENCH_COMMON_CLOCK_H

#include "core/clock.h"

/** Smallest step seen between two different readings, and mean cost of a reading; seconds. */
struct ct_clock_quality {
    double resolution_s, overhead_s;
};
struct ct_clock_quality ct_clock_measure(void);

/** Cycles of the time-stamp counter per second, calibrated against the clock over about 50 ms; on
 *  processors without one the cycles of a nanosecond counter (1e9). */
double ct_clock_cycles_per_s(void);

#endif
