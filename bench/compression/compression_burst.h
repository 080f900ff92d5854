/**
 * Load that comes in bursts: phases with load and phases without it follow one another. Pure: no
 * MPI, no clock.
 *
 * Each phase lasts its mean length times a factor drawn uniformly from 0.75 to 1.25: a strict
 * period could stay in step with the loops of an application, and then its effect would depend on
 * the phase they met in; longer tails (exponential lengths, say) would blur the time scale that a
 * burst is there to set. Equal seeds give equal phases, on all ranks.
 */
#ifndef CT_BENCH_COMPRESSION_COMPRESSION_BURST_H
#define CT_BENCH_COMPRESSION_COMPRESSION_BURST_H

#include "results/config.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * Phases in the order of time. A value: a copy looks ahead without moving the original. Times are
 * seconds since the start of the first phase, which has load, and never go back from call to call.
 */
struct ct_phases {
    struct ct_burst burst;
    uint64_t random;     /**< state of the generator */
    bool on;             /**< the current phase has load */
    double from_s, to_s; /**< the current phase; to_s is infinite without bursts */
    double on_before_s;  /**< time with load before it */
};

struct ct_phases ct_phases_start(struct ct_burst burst, uint64_t seed);

/** The first time with load from t_s on: t_s itself in a phase with load. */
double ct_phases_next_on(struct ct_phases *phases, double t_s);

/** Time with load in [0, t_s]. */
double ct_phases_on_time(struct ct_phases *phases, double t_s);

/** When work that starts at t_s and goes on only in phases with load has lasted work_s >= 0. */
double ct_phases_end_of_work(const struct ct_phases *phases, double t_s, double work_s);

#endif
