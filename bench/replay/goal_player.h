/**
 * Executes one rank of a schedule with MPI. A calc occupies its CPU for its time; a send is
 * MPI_Isend, a receive MPI_Irecv. Each operation starts as soon as its dependencies are complete
 * and its CPU is free; while a CPU calculates, nothing else starts on it. A send of up to
 * CT_GOAL_EAGER_BYTES is complete when it has started, a longer one when MPI completes it.
 */
#pragma once

#include "bench/workloads/workload.h"

enum { CT_GOAL_EAGER_BYTES = 65536 };

struct ct_goal_player; /**< opaque */

/**
 * Read a schedule and check that it can end. Collective over run's communicator.
 * @param player_p  [out] ct_goal_player_free(); unchanged on error
 * @return CT_OK; CT_EUSAGE (another number of ranks); CT_EFORMAT, CT_EINVAL (no schedule; a message
 *         without counterpart, a cycle); CT_EUNSUPPORTED (a message above 2^31 - 1 bytes, more tags
 *         than MPI has); CT_ENOENT; CT_EIO; CT_ENOMEM (also: messages
 *         that are under way at once are more than their node has)
 */
enum ct_status ct_goal_player_open(const char *path, const struct ct_workload_run *run,
                                   struct ct_goal_player **player_p, struct ct_error *err);
/**
 * Run it once. Collective. If messages that are under way together need more than the rank's share
 * of the memory of its node, the rank says so and ends the job.
 */
void ct_goal_player_run(struct ct_goal_player *player, struct ct_workload_run *run);
void ct_goal_player_free(struct ct_goal_player *player); /**< NULL is allowed */
