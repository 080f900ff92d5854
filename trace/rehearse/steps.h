/** Finds the steps of a program, such as time steps: parts between marks that repeat. */
#pragma once

#include "trace/rehearse/rehearsal.h"

/**
 * Steps that can be repeated: step i, from 0, lasts from mark first + i period to mark first + (i +
 * 1) period. Marks are counted from 1.
 */
struct ct_steps {
    uint64_t first, period, n;
};

/**
 * Make a step of the part that a user selects.
 * @param from  [in]  mark, >= 1
 * @param to    [in]  mark, > from
 * @return CT_OK; CT_EUSAGE (marks that do not exist; a message or request is under way at one of
 *         them: the message names the nearest mark without)
 */
enum ct_status ct_steps_between(const struct ct_rehearsal *rehearsal, uint64_t from, uint64_t to,
                                struct ct_steps *steps_p, struct ct_error *err);

/**
 * Find the steps of the program: the longest sequence of calls that repeats at least three times,
 * with the same numbers of messages between them. If it covers less than a fifth of all marks, the
 * numbers of messages are ignored, and the longest sequence that covers at least half of all marks
 * is taken.
 * @return CT_OK; CT_ENODATA (there is no such sequence)
 */
enum ct_status ct_steps_find(const struct ct_rehearsal *rehearsal, struct ct_steps *steps_p,
                             struct ct_error *err);
