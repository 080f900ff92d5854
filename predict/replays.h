/** Run times of every application beside every load, by models of their execution. */
#ifndef CT_PREDICT_REPLAYS_H
#define CT_PREDICT_REPLAYS_H

#include "predict/predict.h"

/**
 * Ask the responses of the input.
 * @param input     [in]     borrowed for the call
 * @param analysis  [in,out] its responses become slowdowns: each run time over that beside the idle
 *                           network; unchanged where the input has no responses, and on error
 * @return CT_OK; CT_ENOMEM; what a response returned
 */
enum ct_status ct_predict_replays_ask(const struct ct_predict_input *input,
                                      struct ct_predict_analysis *analysis, struct ct_error *err);

#endif
