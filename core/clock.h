/** Clocks, and sleeping. Durations and deadlines use CLOCK_MONOTONIC. */
#pragma once

#include <stdint.h>
#include <time.h>

/** Environment of programs in a lab that imitates a machine: how many times longer than there
 * everything takes, which is what workloads multiply the times by that they compute. */
#define CT_CLOCK_DILATION_VARIABLE "CROSSTALK_DILATION"

static inline uint64_t ct_clock_read_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

/** Nanoseconds of CLOCK_MONOTONIC, whose start is arbitrary: compare times of one node only. */
static inline uint64_t ct_clock_now_ns(void)
{
    return ct_clock_read_ns(CLOCK_MONOTONIC);
}

/** Nanoseconds since 1970: for dates, never for durations. */
static inline uint64_t ct_clock_unix_ns(void)
{
    return ct_clock_read_ns(CLOCK_REALTIME);
}

enum { CT_UTC_MAX = 32 };
/** The time now in UTC by ISO 8601: "2026-11-21T10:00:00Z". */
void ct_clock_utc(char text[CT_UTC_MAX]);
/** The same of a date, nanoseconds since 1970. */
void ct_clock_utc_of(int64_t unix_ns, char text[CT_UTC_MAX]);

/** Seconds of ct_clock_now_ns(). */
static inline double ct_clock_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/**
 * Sleep until a time of ct_clock_now_s(). Returns at once if it has passed, and early if a signal
 * comes.
 */
void ct_clock_sleep_until(double time_s);

/**
 * A turn of a loop that waits for a time of ct_clock_now_s() without giving up the processor:
 * returns at once. In a simulation, whose clock stands still while a program computes, it sleeps
 * until then.
 */
void ct_clock_spin(double until_s);

/**
 * Sleep; a signal does not end it.
 * @param duration_s  [in] negative: returns at once
 */
void ct_clock_sleep(double duration_s);
