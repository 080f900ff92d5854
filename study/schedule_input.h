/** Schedules from files or from folders of traces, for the commands that work on schedules. */
#ifndef CT_STUDY_SCHEDULE_INPUT_H
#define CT_STUDY_SCHEDULE_INPUT_H

#include "core/option.h"
#include "core/words.h"
#include "lp-bridge/convert/convert.h"

/** Largest factor for the time between calls. */
#define CT_COMPUTE_SCALE_MAX 1e6

/** How traces become a schedule. */
struct ct_trace_settings {
    double compute_scale;
    const char *rules[CT_COLLECTIVE_N_COLLECTIVES]; /**< NULL: the default */
};

/** Rows --compute-scale, --allreduce and so on; offsets in struct ct_trace_settings. */
extern const struct ct_option ct_trace_options[];

/**
 * Read a schedule, or convert the traces in a folder.
 * @param path     [in]     as ct_goal_read(), or a folder
 * @param options  [in]     for a folder; NULL: the defaults
 * @param goal_p   [out]    ct_goal_free(); unchanged on error
 * @param notes    [in,out] what the schedule leaves out of the traces is appended, a text each
 * @return as ct_goal_read() and ct_convert()
 */
enum ct_status ct_schedule_read(const char *path, const struct ct_convert_options *options,
                                struct ct_goal *goal_p, struct ct_words *notes,
                                struct ct_error *err);

/**
 * The same for commands: options as texts, and the notes are printed as warnings.
 * @param command   [in]  name, for warnings
 * @param settings  [in]  NULL: the defaults
 * @param goal_p    [out] ct_goal_free(); unchanged on error
 * @return as ct_goal_read() and ct_convert(); CT_EUSAGE (settings that are no rules, or given for
 *         what is no folder)
 */
enum ct_status ct_schedule_load(const char *command, const char *path,
                                const struct ct_trace_settings *settings, struct ct_goal *goal_p,
                                struct ct_error *err);

#endif
