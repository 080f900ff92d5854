/**
 * Canaries: calls of MPI between the canary nodes, timed one by one.
 *
 * Nodes meet in pairs, in steps (scan_schedule.h); the ranks with the same slot on two nodes are a
 * pair. A turn is all steps, each with a few calls; after it all canaries agree on whether to go
 * on. Steps begin with an empty exchange, and nothing is kept of the first turn, so that no time
 * has in it how much later than the other its partner began.
 *   - latency: MPI_Sendrecv of 8 bytes each way, two in a row, and half of their time: one alone is
 *     longer by as much as its rank was earlier. The rank of the lower node keeps it.
 *   - bandwidth: CT_SCAN_WINDOW messages each way by MPI_Isend and MPI_Irecv, then an empty
 *     MPI_Sendrecv, so that the time ends when both ends have everything.
 *   - allreduce: MPI_Allreduce of 8 bytes over all canary ranks; the time is the slowest rank's.
 *   - a workload: an iteration of it on all canary ranks, from a common start; likewise.
 */
#pragma once

#include "bench/scan/scan_side.h"
#include "results/scan_setting.h"

enum { CT_SCAN_WINDOW = 8 };

struct ct_scan_canary_setup {
    enum ct_scan_canary canary;
    size_t message_bytes; /**< of bandwidth */
    size_t most_samples;  /**< that all ranks keep, about */
    double time_s;        /**< at least one turn, then until this has passed */
};

/** What this rank keeps, in the order of time. Owned; ct_scan_times_free(). */
struct ct_scan_times {
    struct ct_scan_sample *rows; /**< their cell is 0 */
    size_t n;
    double start_s, duration_s; /**< of the canary; start_s by ct_clock_now_s() */
    bool is_interrupted;        /**< a signal came to one of the ranks; the same on all of them */
};

/** Bytes of a sample in one direction. */
size_t ct_scan_canary_bytes(const struct ct_scan_canary_setup *setup);

/** One turn that nothing is kept of: it connects the ranks. Collective over the side. */
enum ct_status ct_scan_canary_connect(const struct ct_scan_side *side,
                                      const struct ct_scan_canary_setup *setup,
                                      struct ct_error *err);

/**
 * Measure. Collective over the side. Where a rank has more times than it may keep, those of every
 * second turn are dropped, then of every second that is left, so that they stay spread over the
 * time.
 * @return on this rank: CT_OK; CT_ENOMEM (the ranks have gone on together nevertheless); of a
 *         workload CT_EUSAGE (not on this number of ranks), CT_EIO (a message was changed)
 */
enum ct_status ct_scan_canary_measure(const struct ct_scan_side *side,
                                      const struct ct_scan_canary_setup *setup,
                                      struct ct_scan_times *times_p, struct ct_error *err);
void ct_scan_times_free(struct ct_scan_times *times);
