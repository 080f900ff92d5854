/* What crosstalk calibrate prints. */
#pragma once

#include "calibrate/runs/calibration.h"
#include "core/table.h"

/* Parameters and outputs; r_hat, effective_samples and loo_error. */
void ct_calibrate_fill(const struct ct_calibration_request *request,
                       const struct ct_calibration_answer *answer, struct ct_tables *tables);

/* In words: which parameters the data determine. */
void ct_calibrate_say(const struct ct_calibration_request *request,
                      const struct ct_calibration_answer *answer, struct ct_tables *tables);
