/** crosstalk export of traces: timelines for viewers. */
#pragma once

#include "trace/input/input.h"
#include "trace/timeline/timeline.h"

/**
 * Write traces in the Trace Event format.
 * @param output  [in] file; "-": standard output
 * @return as ct_input_open(); CT_EIO
 */
enum ct_status ct_export_trace_events(struct ct_input input,
                                      const struct ct_timeline_window *window, const char *output,
                                      struct ct_error *err);

/** Draw traces as SVG. Same parameters and statuses; CT_EUNSUPPORTED (too many ranks). */
enum ct_status ct_export_drawing(struct ct_input input, const struct ct_timeline_window *window,
                                 const char *output, struct ct_error *err);

/**
 * Write traces as an archive of OTF2.
 * @param directory  [in] as ct_otf2_write()
 * @return as ct_input_open() and ct_otf2_write()
 */
enum ct_status ct_export_archive(struct ct_input input, const char *directory,
                                 struct ct_error *err);

/**
 * Write a schedule, or what it is made of, as traces for SMPI.
 * @param command    [in] name, for warnings
 * @param directory  [in] as ct_goal_write_smpi()
 * @return as ct_schedule_read() and ct_goal_write_smpi()
 */
enum ct_status ct_export_smpi(const char *command, struct ct_input input, const char *directory,
                              struct ct_error *err);
