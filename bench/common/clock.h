/**
 * Resolution and overhead of the clock of all measurements, CLOCK_MONOTONIC; frequency of the
 * time-stamp counter, for pauses in cycles.
 */
#pragma once

#include "core/clock.h"

/**
 * Smallest observed difference of two readings that differ, and mean time of a reading; seconds.
 */
struct ct_clock_quality {
    double resolution_s, overhead_s;
};
struct ct_clock_quality ct_clock_measure(void);

/**
 * Cycles of the time-stamp counter per second, calibrated against the clock over about 50 ms; 1e9
 * on processors without such a counter, where a cycle is 1 ns.
 */
double ct_clock_cycles_per_s(void);
