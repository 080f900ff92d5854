/**
 * Options of the commands that work on schedules, which are read from files or made from folders of
 * traces.
 */
#pragma once

#include "core/option.h"
#include "trace/input/schedule_file.h"

/** Values of --pass: the whole program; its steps. NULL-terminated. */
extern const char *const ct_pass_names[];

/** How traces become a schedule. */
struct ct_trace_settings {
    double compute_scale;
    int pass; /**< 0: whole; 1: its steps */
    struct ct_convert_part part;
    const char *collectives;                        /**< --collectives; NULL: not given */
    const char *rules[CT_COLLECTIVE_N_COLLECTIVES]; /**< of one collective; NULL: of the others */
    bool marks_waits;                               /**< struct ct_convert_options; no row */
    bool is_known; /**< the same traces were read before: nothing is said of them again */
};

/** Rows --compute-scale, --pass-from, --collectives and so on; offsets in struct ct_trace_settings.
 */
extern const struct ct_option ct_trace_options[];

/** Options as values. @return CT_OK; CT_EUSAGE (invalid rules) */
enum ct_status ct_trace_convert_options(const struct ct_trace_settings *settings,
                                        struct ct_convert_options *options_p, struct ct_error *err);

/**
 * ct_schedule_read() for commands: options are texts, and notes are printed as warnings.
 * @param command   [in]  name, for warnings
 * @param goal_p    [out] ct_goal_free(); unchanged on error
 * @return as ct_schedule_read(); CT_EUSAGE (invalid rules, or options for traces with
 *         a path that has none)
 */
enum ct_status ct_schedule_load(const char *command, struct ct_input input,
                                const struct ct_trace_settings *settings, struct ct_goal *goal_p,
                                struct ct_error *err);

/** The same in windows of about `weight` operations: ct_schedule_windows_next() reads them. */
enum ct_status ct_schedule_open(const char *command, struct ct_input input,
                                const struct ct_trace_settings *settings, uint64_t weight,
                                struct ct_schedule_windows *windows_p, struct ct_error *err);

/** Close it, and print notes as warnings. */
void ct_schedule_close(const char *command, const struct ct_trace_settings *settings,
                       struct ct_schedule_windows *windows);
