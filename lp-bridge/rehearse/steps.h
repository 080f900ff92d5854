/** Which part of a program is one step of its time: from the points that all ranks pass together.
 */
#ifndef CT_LP_BRIDGE_REHEARSE_STEPS_H
#define CT_LP_BRIDGE_REHEARSE_STEPS_H

#include "lp-bridge/rehearse/rehearsal.h"

/**
 * Steps that can be made again and again: step i, from 0, is from behind mark first + i period to
 * behind mark first + (i + 1) period. Marks count from 1.
 */
struct ct_steps {
    uint64_t first, period, n;
};

/**
 * The part that a user names.
 * @param from  [in]  mark, >= 1
 * @param to    [in]  mark, > from
 * @return CT_OK; CT_EUSAGE (marks that there are not; messages or requests are under way at one of
 *         them, and the nearest one where that is not so)
 */
enum ct_status ct_steps_between(const struct ct_rehearsal *rehearsal, uint64_t from, uint64_t to,
                                struct ct_steps *steps_p, struct ct_error *err);

/**
 * The steps of the program: the longest row of calls that repeats at least three times, with the
 * same numbers of messages between them. If it has less than a fifth of all marks: the longest one
 * without looking at messages, with at least half of all marks.
 * @return CT_OK; CT_ENODATA (there is none)
 */
enum ct_status ct_steps_find(const struct ct_rehearsal *rehearsal, struct ct_steps *steps_p,
                             struct ct_error *err);

#endif
