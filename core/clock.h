/** Clocks, and sleeping. A duration or deadline is of the clock that only goes forward. */
#ifndef CT_CORE_CLOCK_H
#define CT_CORE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t ct_clock_read_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

/** Nanoseconds since an arbitrary start, of one node; CLOCK_MONOTONIC. */
static inline uint64_t ct_clock_now_ns(void)
{
    return ct_clock_read_ns(CLOCK_MONOTONIC);
}

/** Nanoseconds since 1970: for dates, never for durations. */
static inline uint64_t ct_clock_unix_ns(void)
{
    return ct_clock_read_ns(CLOCK_REALTIME);
}

/** The same in seconds. */
static inline double ct_clock_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/** Sleep until a time of ct_clock_now_s(); returns at once when it has passed, early on a signal.
 */
void ct_clock_sleep_until(double time_s);

/** Sleep that long, through signals. @param duration_s  [in] none for a negative one */
void ct_clock_sleep(double duration_s);

#endif
