/** Schedules from files or from folders of traces: the one place that knows both. */
#ifndef CT_STUDY_SCHEDULE_FILE_H
#define CT_STUDY_SCHEDULE_FILE_H

#include "core/words.h"
#include "lp-bridge/convert/convert.h"

/** Whether a path is a folder, of traces. */
bool ct_schedule_is_traces(const char *path);

/**
 * Read a schedule, or convert the traces in a folder.
 * @param path      [in]  as ct_goal_read(), or a folder
 * @param options   [in]  of the conversion; NULL: the defaults
 * @param goal_p    [out] ct_goal_free(); unchanged on error
 * @param warnings  [out] what a user should know about the conversion is appended
 * @return as ct_goal_read() and ct_convert(); CT_ENOMEM
 */
enum ct_status ct_schedule_read(const char *path, const struct ct_convert_options *options,
                                struct ct_goal *goal_p, struct ct_words *warnings,
                                struct ct_error *err);

#endif
