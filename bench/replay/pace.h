/**
 * Due times of the calls of a replay. A call is due after the end of the call before plus the time
 * that the program computed in between. Times are absolute, so that sleeps that end late do not add
 * up: if a call starts late and does not wait for other ranks, the next call is due earlier by the
 * same amount.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct ct_pace {
    double scale;        /**< of the time between calls, >= 0 */
    bool spin;           /**< keep the processor busy; else sleep */
    double end_ns;       /**< when the call before would have ended if it had started in time */
    uint64_t late_ns;    /**< lateness of the current call */
    uint64_t started_ns; /**< start of the current call */
    double lead_ns;      /**< sleeps are set to end this much earlier, since they end late */
};

/**
 * Begin: the time before the next call counts from now on.
 * @param now_ns  [in] ct_clock_now_ns()
 */
static inline void ct_pace_begin(struct ct_pace *pace, uint64_t now_ns)
{
    pace->end_ns = (double)now_ns;
    pace->late_ns = 0;
}

/**
 * When a call is due.
 * @param compute_ns  [in] time that the program computed before it
 */
static inline double ct_pace_due(const struct ct_pace *pace, uint64_t compute_ns)
{
    return pace->end_ns + pace->scale * (double)compute_ns;
}

/**
 * A call could not have started before from_ns, since it had to wait for another thread: it is due
 * then, if not later.
 */
static inline void ct_pace_hold(struct ct_pace *pace, uint64_t compute_ns, uint64_t from_ns)
{
    double early_ns = (double)from_ns - ct_pace_due(pace, compute_ns);
    if (early_ns > 0)
        pace->end_ns += early_ns;
}

/** A call that was due at due_ns starts now. */
static inline void ct_pace_start(struct ct_pace *pace, double due_ns, uint64_t now_ns)
{
    pace->late_ns = (double)now_ns > due_ns ? (uint64_t)((double)now_ns - due_ns) : 0;
    pace->started_ns = now_ns;
}

/**
 * The call has ended. A call that waited for other ranks has made up for its lateness, as far as it
 * waited: it could not have ended earlier.
 */
static inline void ct_pace_end(struct ct_pace *pace, bool waits, uint64_t now_ns)
{
    uint64_t took_ns = now_ns - pace->started_ns;
    uint64_t carried_ns = pace->late_ns;
    if (waits)
        carried_ns = took_ns < carried_ns ? carried_ns - took_ns : 0;
    pace->end_ns = (double)now_ns - (double)carried_ns;
}

/**
 * Sleep or spin until due_ns. A sleep is set to end earlier, by the lateness of recent sleeps but
 * at most 0.2 ms; the rest of the time is spun.
 * @return ct_clock_now_ns() afterwards, >= due_ns
 */
uint64_t ct_pace_until(struct ct_pace *pace, double due_ns);

/** Compute until a call is due, and start it. */
void ct_pace_wait(struct ct_pace *pace, uint64_t compute_ns);
