/**
 * When the next call of a replay is due: so long after the end of the call before as the program
 * computed there. Times are absolute, so that sleeps that end late do not add up: a call that
 * starts late, and does not have to wait for others, makes the next one due earlier by as much.
 */
#ifndef CT_BENCH_REPLAY_PACE_H
#define CT_BENCH_REPLAY_PACE_H

#include <stdbool.h>
#include <stdint.h>

struct ct_pace {
    double scale;        /**< of the time between calls, >= 0 */
    bool spin;           /**< keep the processor busy; else sleep */
    double end_ns;       /**< when the call before would have ended, had it started in time */
    uint64_t late_ns;    /**< of the call that is going on */
    uint64_t started_ns; /**< it */
    double lead_ns;      /**< sleeps begin to end so much too early, since they end late */
};

/** What comes next is due from now on. @param now_ns  [in] ct_clock_now_ns() */
static inline void ct_pace_begin(struct ct_pace *pace, uint64_t now_ns)
{
    pace->end_ns = (double)now_ns;
    pace->late_ns = 0;
}

/**
 * When a call is due.
 * @param compute_ns  [in] that the program computed before it
 */
static inline double ct_pace_due(const struct ct_pace *pace, uint64_t compute_ns)
{
    return pace->end_ns + pace->scale * (double)compute_ns;
}

/** A call that was due then starts. */
static inline void ct_pace_start(struct ct_pace *pace, double due_ns, uint64_t now_ns)
{
    pace->late_ns = (double)now_ns > due_ns ? (uint64_t)((double)now_ns - due_ns) : 0;
    pace->started_ns = now_ns;
}

/**
 * The call has ended. One that waits for others makes up for what it was late by: what it waited
 * for was not there earlier, either.
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
 * Sleep or spin until then. A sleep is told to end earlier by what sleeps were late by lately, 0.2
 * ms at most, and the rest is spun.
 * @return ct_clock_now_ns() afterwards, >= due_ns
 */
uint64_t ct_pace_until(struct ct_pace *pace, double due_ns);

/** Compute until a call is due, and start it. */
void ct_pace_wait(struct ct_pace *pace, uint64_t compute_ns);

#endif
