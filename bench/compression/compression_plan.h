/**
 * Which ranks of CompressionB send to which, and how often all ranks agree on whether to continue.
 * Pure: no MPI, no clock.
 *
 * Ranks with the same slot on their nodes form a group, in the order of the nodes that have the
 * slot; ranks of different groups do not communicate. A round of a group of n nodes is made of
 * steps, each followed by a pause. What the rank on node i of the group does (indices modulo n):
 *
 *   - ring: P steps; in step p = 1..P it receives from i + p and sends to i - p. Source:
 *     "CompressionB", section III-B, where text and listing disagree on the direction, which does
 *     not change the load.
 *   - alltoall: 1 step; it receives from and sends to all others, nearest first as in the ring.
 *   - incast: 1 step; node 0 receives from all others.
 *   - bisection: 1 step; it receives from i + n/2 and sends to i - n/2 (n/2 rounded down). All
 *     messages cross from half to half; of an odd number of nodes, all but one.
 *   - bcast: 1 step; node 0 sends to all others.
 *
 * Each message in this list is M messages, sent one after the other.
 */
#pragma once

#include "bench/common/layout.h"
#include "results/config.h"

#include <stdbool.h>

/** Whether a pattern has the parameter P: only the ring. In the others P follows from n. */
bool ct_pattern_takes_partners(enum ct_pattern pattern);

/** One rank's part in every round. Owned; ct_compression_plan_free(). */
struct ct_compression_plan {
    int n_nodes;        /**< of the rank's group */
    int n_steps;        /**< >= 1, the same on all ranks; divides n_sends and n_receives */
    int n_sends;        /**< messages sent in a round */
    int n_receives;     /**< messages received in a round */
    int *sends_to;      /**< n_sends ranks; step s has [s n_sends / n_steps, ...) */
    int *receives_from; /**< n_receives ranks, in steps likewise */
    bool synchronous; /**< some ranks send but receive nothing, so sends must be synchronous: these
                         ranks would get ahead of the receivers otherwise */
};

/** Number of nodes in the smallest group, which is that of the last slot. */
int ct_compression_smallest_group(const struct ct_layout *layout);

/**
 * Check that every rank has another node to send to, in a ring P different ones.
 * @param n_partners  [in] P, >= 1 where the pattern takes partners; else ignored
 * @return CT_OK; CT_EINVAL with P, the number of nodes and the remedy. The same on all ranks.
 */
enum ct_status ct_compression_check(const struct ct_layout *layout, enum ct_pattern pattern,
                                    int n_partners, struct ct_error *err);

/**
 * Part of a rank. Layout, pattern and partners must have passed ct_compression_check().
 * @param plan_p  [out] unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_compression_plan_new(const struct ct_layout *layout, enum ct_pattern pattern,
                                       int n_partners, int rank, struct ct_compression_plan *plan_p,
                                       struct ct_error *err);
void ct_compression_plan_free(struct ct_compression_plan *plan);

/**
 * Number of rounds until all ranks agree again on whether to continue: about 75 ms of rounds
 * (1 ms in a simulation), but at most four times as many as before, since a single fast round may
 * be an exception.
 * @param before   [in] number of rounds before the present agreement, >= 1
 * @param round_s  [in] duration of a round on the slowest rank, >= 0
 * @return >= 1
 */
int ct_compression_cadence(int before, double round_s);

/**
 * Pauses of this length or longer sleep. Shorter ones keep the processor busy, since waking up
 * takes too long.
 */
extern const double ct_compression_sleep_from_s;
