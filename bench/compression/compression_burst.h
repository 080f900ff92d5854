/**
 * Bursts: phases with load alternate with phases without load. Pure: no MPI, no clock.
 *
 * Each phase lasts its mean length times a factor drawn uniformly from 0.75 to 1.25: a strict
 * period could be synchronous with the loops of an application, and its effect would then depend on
 * their relative phase. Distributions with longer tails, such as the exponential one, would have no
 * definite time scale. Equal seeds give equal phases, on all ranks.
 */
#pragma once

#include "results/config.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * Phases in the order of time. A copy can be advanced without changing the original. Times are
 * seconds since the start of the first phase, which has load. They must not decrease from call to
 * call.
 */
struct ct_phases {
    struct ct_burst burst;
    uint64_t random;     /**< state of the generator */
    bool on;             /**< the current phase has load */
    double from_s, to_s; /**< the current phase; to_s is infinite without bursts */
    double on_before_s;  /**< time with load before it */
};

struct ct_phases ct_phases_start(struct ct_burst burst, uint64_t seed);

/** The first time >= t_s with load: t_s itself in a phase with load. */
double ct_phases_next_on(struct ct_phases *phases, double t_s);

/** Time with load in [0, t_s]. */
double ct_phases_on_time(struct ct_phases *phases, double t_s);

/** End of work that starts at t_s, takes work_s >= 0, and proceeds only in phases with load. */
double ct_phases_end_of_work(const struct ct_phases *phases, double t_s, double work_s);
