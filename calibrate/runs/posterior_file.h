/**
 * Posterior files: all of a calibration in one HDF5 file (results/arrays.h, kind `posterior`).
 * docs/calibrate.md lists the datasets; posterior_draws.h reads what others need.
 */
#pragma once

#include "calibrate/runs/calibration.h"
#include "results/run.h"

/**
 * Write the result of a calibration.
 * @param about  [in] its facts become attributes of the file; borrowed
 * @return CT_OK; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_posterior_file_write(const struct ct_calibration_request *request,
                                       const struct ct_calibration_answer *answer,
                                       const struct ct_run_info *about, struct ct_error *err);
