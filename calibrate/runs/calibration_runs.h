/** What runs of logpb have for a calibration (calibrate/data.h). */
#pragma once

#include "calibrate/data.h"
#include "results/run.h"

/**
 * Take the repetitions of the direction of the first row, by the fast method. Round trips are those
 * of the row's median. Throughput is m / g(m), with g(m) = (RTT_n - RTT_1) / (n - 1) of each train
 * of n messages and the median RTT_1; sizes without trains have none (logpb --gap back-to-back
 * measures trains of all sizes), nor have those of which a train is not longer than a round trip.
 * @param run         [in]  of kind logp; may be freed after the call
 * @param measured_p  [out] sorted; ct_measured_free(); unchanged on error
 * @return CT_OK; CT_ENODATA (no repetitions); CT_EINVAL (a size that is there twice, named);
 *         CT_ENOMEM
 */
enum ct_status ct_measured_of_run(const struct ct_run *run, struct ct_measured *measured_p,
                                  struct ct_error *err);

/**
 * Read a run of logpb, or a table: an HDF5 file is recognized by its first bytes.
 * @return CT_OK; what ct_measured_of_run(), ct_run_read() and ct_measured_read() return; CT_EFORMAT
 *         (a run of another kind)
 */
enum ct_status ct_measured_open(const char *path, struct ct_measured *measured_p,
                                struct ct_error *err);
