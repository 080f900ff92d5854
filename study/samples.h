/** Reads the rows of run files as samples in the order of time. */
#pragma once

#include "predict/measurements.h"
#include "results/run.h"

/**
 * Append the measurements of a run: probe latencies of an impact run, durations of the passes of a
 * runtime run; seconds.
 * @param samples  [in,out] ct_samples_free() is due even on error
 * @return CT_OK; CT_EINVAL (a run of another kind); CT_ENOMEM
 */
enum ct_status ct_samples_append_run(struct ct_samples *samples, const struct ct_run *run,
                                     struct ct_error *err);

/**
 * Read a run, and append its measurements.
 * @return also what ct_run_read() returns
 */
enum ct_status ct_samples_append_file(struct ct_samples *samples, const char *path,
                                      struct ct_error *err);

/**
 * Read a run of impactb: one-way latencies (half of each round trip).
 * @param samples  [in,out] appended to; ct_samples_free() is due even on error
 * @param app_p    [out] application that ran beside the probe, "": none; owned by the caller; may
 *                       be NULL
 * @return CT_OK; CT_EINVAL (a run of another kind); what ct_run_read() returns
 */
enum ct_status ct_samples_read_probe(const char *path, struct ct_samples *samples, char **app_p,
                                     struct ct_error *err);
