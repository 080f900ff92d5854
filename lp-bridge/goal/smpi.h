/**
 * Schedules as time-independent traces of SimGrid's SMPI (3.32), which its launcher replays
 * (`smpirun -replay`).
 *
 * A trace is a sequence, a schedule is not: of each rank, sends and receives (isend, irecv) begin
 * as soon as what they require has ended, in the order of their numbers; then calculations are
 * made; if neither is possible, the rank waits (wait) for what its first remaining operation
 * requires. So an operation may begin later than in the schedule if the rank waits for something
 * else at that time. Before its end a rank waits for all of its messages.
 *
 * Calculations are in flops, one for each nanosecond: on a host of 1 Gflop/s they take the same
 * time. Tags are replaced by the number of the message from its sender to its receiver, since SMPI
 * knows a request by sender, receiver and tag only. Calls of collectives are their messages, as in
 * the schedule.
 */
#pragma once

#include "lp-bridge/goal/goal.h"

/**
 * Write the traces into a new folder: rank-R.txt, and traces.txt, the list of their full names,
 * which smpirun takes.
 * @param directory  [in] created; removed on error
 * @return CT_OK; CT_EEXIST; CT_EUNSUPPORTED, naming the operation (a second CPU or NIC, a receive
 * of any tag, a message of a rank to itself, one of 2 GiB or more); CT_EINVAL (a send or receive
 * without counterpart, operations that wait for each other); CT_EIO; CT_ENOMEM
 */
enum ct_status ct_goal_write_smpi(const struct ct_goal *goal, const char *directory,
                                  struct ct_error *err);

/**
 * The trace of one rank, for ct_goal_write_smpi() and tests.
 * @param tags  [in] of ct_goal_smpi_tags()
 * @return as above; the caller checks the stream for errors
 */
enum ct_status ct_goal_write_smpi_rank(const struct ct_goal *goal, uint32_t rank,
                                       const uint32_t *tags, FILE *out, struct ct_error *err);

/**
 * Check what SMPI cannot replay, and number messages.
 * @param tags_p  [out] of each operation of the schedule, of a calculation 0; free(); unchanged on
 *                      error
 * @return as above
 */
enum ct_status ct_goal_smpi_tags(const struct ct_goal *goal, uint32_t **tags_p,
                                 struct ct_error *err);
