/** Run times of every application beside every load, by models of their execution. */
#pragma once

#include "predict/predict.h"

/**
 * Ask the models of the input.
 * @param input     [in]     borrowed for the call
 * @param analysis  [in,out] responses become slowdowns: run time beside a load, whose mean delay
 *                           is that of the probe, over run time beside the idle network, minus 1;
 *                           unchanged without models
 * @return CT_OK; CT_ENOMEM; what a response returned
 */
enum ct_status ct_predict_responses_ask(const struct ct_predict_input *input,
                                        struct ct_predict_analysis *analysis, struct ct_error *err);
