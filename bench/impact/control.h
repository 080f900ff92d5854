/**
 * How all ranks of a probe run learn that it is over, no matter which learns it first.
 *
 * Every rank sends one notice to rank 0: when a signal or a failure wants it to end, or when it is
 * through its epochs. Rank 0 sends one stop to every rank: after the first notice of the former
 * sort, or when all have reported. So every message has its receiver, whatever happens when.
 */
#ifndef CT_BENCH_IMPACT_CONTROL_H
#define CT_BENCH_IMPACT_CONTROL_H

#include "bench/common/bench.h"

#include <stdbool.h>

struct ct_control {
    MPI_Comm comm; /**< of its own, so that probes and control never mix */
    int rank, size;
    bool reported, stopped;
    char stop_byte;
    MPI_Request stop;
    /* rank 0 only: what the others reported */
    int n_received, notice_urgent;
    bool urgent;
    MPI_Request notice;
};

/** Collective. */
void ct_control_start(const struct ct_bench *bench, struct ct_control *control);

/**
 * Look whether the run is over; sends and receives what is due. Cheap, never blocks for long.
 * @param urgent  [in] this rank wants everybody to end (a signal counts too)
 */
bool ct_control_poll(struct ct_control *control, bool urgent);

/** This rank is through: give notice, unless that was done already. */
void ct_control_finish(struct ct_control *control);

/** Collective, after ct_control_poll() was true. */
void ct_control_end(struct ct_control *control);

#endif
