/** The schedule of a program, from whatever a user has of it. */
#ifndef CT_CLI_LOAD_SCHEDULE_H
#define CT_CLI_LOAD_SCHEDULE_H

#include "lp-bridge/goal/goal.h"

/**
 * @param path    [in]  GOAL file, text or binary
 * @param goal_p  [out] ct_goal_free(); untouched on error
 * @return as ct_goal_read()
 */
enum ct_status ct_load_schedule(const char *path, struct ct_goal *goal_p, struct ct_error *err);

#endif
