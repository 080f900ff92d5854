/** Reads a schedule from a file, or makes it from traces. */
#pragma once

#include "core/argv.h"
#include "trace/input/input.h"

/** Largest factor for the time between calls. */
#define CT_COMPUTE_SCALE_MAX 1e6

/**
 * Read a schedule, or convert what has calls.
 * @param options  [in]     for those with calls; NULL: the defaults
 * @param goal_p   [out]    ct_goal_free(); unchanged on error
 * @param notes    [in,out] a text is appended for each part of the traces that the schedule leaves
 *                          out
 * @return as ct_goal_read() and ct_input_convert()
 */
enum ct_status ct_schedule_read(struct ct_input input, const struct ct_convert_options *options,
                                struct ct_goal *goal_p, struct ct_argv *notes,
                                struct ct_error *err);

/** A schedule in windows (trace/convert/convert.h; of a file in the binary form: goal.h). Another
 * file, and an archive, is one. */
struct ct_schedule_windows {
    struct ct_input input;
    struct ct_events events;
    struct ct_windows *windows;     /**< NULL: a file */
    struct ct_goal_windows *binary; /**< NULL: a file that is one window, or no file */
    bool failed;                    /**< no notes are wanted */
};

/**
 * @param options    [in]  for those with calls
 * @param weight     [in]  operations of a window, about
 * @param windows_p  [out] ct_schedule_windows_close(), unless there is an error; not to be moved
 * @return as ct_input_open(), ct_windows_open()
 */
enum ct_status ct_schedule_windows_open(struct ct_input input,
                                        const struct ct_convert_options *options, uint64_t weight,
                                        struct ct_schedule_windows *windows_p,
                                        struct ct_error *err);

/** The next window. @return as ct_schedule_read() */
enum ct_status ct_schedule_windows_next(struct ct_schedule_windows *windows, struct ct_goal *goal_p,
                                        struct ct_error *err);

/** @param notes  [in,out] as of ct_schedule_read(); unchanged after an error */
void ct_schedule_windows_close(struct ct_schedule_windows *windows, struct ct_argv *notes);

/**
 * Find the steps of the program in the traces, as `workload replay --pass step` finds them.
 * @param part_p     [out] from the first to the end of the last one; unchanged on error
 * @param n_steps_p  [out] how many they are
 * @return as ct_input_open(), ct_rehearse() and ct_steps_find(); CT_EUNSUPPORTED: an archive
 */
enum ct_status ct_schedule_find_steps(struct ct_input input, struct ct_convert_part *part_p,
                                      uint64_t *n_steps_p, struct ct_error *err);

/**
 * How often the program in the traces calls each collective, the calls of all ranks together.
 * @param calls_p  [out] CT_COLLECTIVE_N_COLLECTIVES; unchanged on error
 * @return as ct_input_open() and ct_events_summarize()
 */
enum ct_status ct_schedule_collectives(struct ct_input input, uint64_t *calls_p,
                                       struct ct_error *err);

/**
 * Time between the first and the last call that were traced, of the rank that took longest.
 * @param time_s_p  [out] unchanged on error
 * @return as ct_schedule_collectives()
 */
enum ct_status ct_schedule_traced_time(struct ct_input input, double *time_s_p,
                                       struct ct_error *err);
