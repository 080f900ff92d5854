/**
 * Ends a probe run on all ranks, whichever rank finds first that it is over.
 *
 * Every rank sends one notice to rank 0: on a signal or a failure (an urgent notice), or after its
 * last epoch. Rank 0 sends one stop message to every rank: after the first urgent notice, or after
 * the notices of all ranks. So every message is received, in whatever order these events come.
 */
#pragma once

#include "bench/common/bench.h"

#include <stdbool.h>

struct ct_control {
    MPI_Comm comm; /**< of its own, so that probes and control never mix */
    int rank, size;
    bool reported, stopped;
    char stop_byte;
    MPI_Request stop;
    /* rank 0 only: notices of the other ranks */
    int n_received, notice_urgent;
    bool urgent;
    MPI_Request notice;
};

/** Collective. */
void ct_control_start(const struct ct_bench *bench, struct ct_control *control);

/**
 * Whether the run is over. Sends and receives messages that are due; cheap, and does not wait.
 * @param urgent  [in] end the run on all ranks, because of a failure; a signal is found in any case
 */
bool ct_control_poll(struct ct_control *control, bool urgent);

/** This rank has done its last epoch: send its notice, if none was sent before. */
void ct_control_finish(struct ct_control *control);

/** Collective, after ct_control_poll() was true. */
void ct_control_end(struct ct_control *control);
