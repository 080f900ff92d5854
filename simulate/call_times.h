/**
 * Where the time of a program goes by call of MPI, and over time: the spans of observer.h, added up
 * over a simulation.
 *
 * A wait is one of the call that waits for the operation which ended it (struct ct_goal_op_calls).
 * Work of the software on the rank itself is one of the call that made the operation if that is a
 * send, else of the one that waits for it: a copy out of a mailbox takes place there. All messages
 * that a collective consists of are of the collective. So stack, synchronization and network of all
 * calls add up to those of all ranks; compute is of no call. If a schedule has no calls, sends and
 * receives are two rows. If it knows from which places of the program calls come, a call has a row
 * for each.
 */
#pragma once

#include "core/status.h"
#include "lp-bridge/goal/goal.h"
#include "simulate/observer.h"

#include <stddef.h>

/** The row of a span that is not compute: a call of the schedule, or a kind of operation. */
uint32_t ct_call_row_of(const struct ct_goal *goal, const struct ct_time_span *span);
/** Its name: "MPI_Wait"; of a schedule without calls "send" or "recv". */
const char *ct_call_row_name(const struct ct_goal *goal, uint32_t row);
/** From which place of the program it comes; NULL: the schedule does not know. */
const char *ct_call_row_site(const struct ct_goal *goal, uint32_t row);
/** Whether any of the schedules knows any place. */
bool ct_call_rows_have_sites(const struct ct_goal *goals, size_t n);
/** The row that stands for all with the same name: the first one. */
uint32_t ct_call_row_anywhere(const struct ct_goal *goal, uint32_t row);

struct ct_call_times;

/**
 * @param goals    [in]  [n]; borrowed
 * @param times_p  [out] ct_call_times_free()
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_call_times_new(const struct ct_goal *goals, size_t n,
                                 struct ct_call_times **times_p, struct ct_error *err);
void ct_call_times_free(struct ct_call_times *times); /**< NULL is allowed */

/** The observer that adds up. In calls, passes that a rank has not ended do not count. */
struct ct_observer ct_call_times_observer(struct ct_call_times *times);

/** Add what another simulation of the same programs took, as ct_rank_times_add(). */
void ct_call_times_add(struct ct_call_times *into, const struct ct_call_times *from);

/** A row: sums over the ranks of a program, each the mean of its passes. */
struct ct_call_time {
    const char *name;              /**< ct_call_row_name() */
    const char *site;              /**< ct_call_row_site() */
    uint64_t count;                /**< calls, or operations, of all ranks in a pass */
    double part_ns[CT_TIME_PARTS]; /**< of CT_TIME_COMPUTE: 0 */
};

/**
 * The rows of the program with an index, those with most time first, without those that have
 * neither time nor count.
 * @param rows  [out] room for CT_GOAL_CALLS_MAX
 * @return how many
 */
size_t ct_call_times_rows(const struct ct_call_times *times, size_t index,
                          struct ct_call_time *rows);

/**
 * Add up rows that differ in their places only, which are then not distinguished.
 * @param rows  [in,out] n from ct_call_times_rows()
 * @return how many are left, those with most time first
 */
size_t ct_call_times_anywhere(struct ct_call_time *rows, size_t n);

enum { CT_TIME_COURSE_MAX = 64 };

/** Time since the begin of a pass, in equal steps: a power of two in ns, so that the steps of two
 * simulations can be added. */
struct ct_time_course {
    double step_ns;
    size_t n;                                          /**< up to the last that has any time */
    double part_ns[CT_TIME_COURSE_MAX][CT_TIME_PARTS]; /**< sums over ranks and passes */
};

/** The course of a program; borrowed. */
const struct ct_time_course *ct_call_times_course(const struct ct_call_times *times,
                                                  size_t program);
