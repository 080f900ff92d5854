/** Options of `workload replay`. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/** A pass if no marks are given: the whole program, or a step. */
enum ct_replay_pass { CT_REPLAY_WHOLE, CT_REPLAY_STEP };

struct ct_replay_options {
    const char *trace;    /**< folder of traces, or archive of OTF2; "": none */
    const char *goal;     /**< file with a schedule; "": none */
    double compute_scale; /**< of the time between calls, >= 0 */
    int pass;             /**< enum ct_replay_pass */
    uint64_t from,
        to; /**< marks (rehearse/rehearsal.h) at which a pass begins and ends; 0: not given */
};

/**
 * Whether several threads of the program may call MPI, so that its replay needs
 * MPI_THREAD_MULTIPLE. Before MPI starts; false for traces that cannot be read.
 */
bool ct_replay_needs_threads(const struct ct_replay_options *options);
