/** Tables of crosstalk predict: run times in seconds, measured and simulated. */
#pragma once

#include "cli/predict_tables.h"

/**
 * Add "run_times", a row for each application alone and for each co-run, and "run_time_errors", a
 * row for those alone and one for those together.
 * @param answers  [in] its questions with measured slowdowns
 * @return CT_OK; CT_EUSAGE (no application has a schedule, or no such model is asked for);
 *         CT_ENOMEM
 */
enum ct_status ct_predict_times_fill(const struct ct_predict_answers *answers,
                                     struct ct_tables *tables, struct ct_error *err);
