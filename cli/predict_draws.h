/** Tables of predictions with what is not known of a posterior's parameters. */
#pragma once

#include "cli/predict_tables.h"

/**
 * Add "uncertainty", a row for each co-run and model of simulations that is asked for, and
 * "uncertainty_summary", how many measured slowdowns are in the intervals. Nothing without a
 * posterior.
 * @param answers  [in] its questions with measured slowdowns, its level
 * @param n_draws  [in] >= 2
 * @param log      [in] progress
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_predict_draws_fill(const struct ct_predict_answers *answers, size_t n_draws,
                                     struct ct_log *log, struct ct_tables *tables,
                                     struct ct_error *err);
