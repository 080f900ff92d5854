/** Run times of every application beside every load, by models of their execution. */
#ifndef CT_PREDICT_REPLAYS_H
#define CT_PREDICT_REPLAYS_H

#include "predict/predict.h"

#include <gsl/gsl_rng.h>

struct ct_predict_replays;

/**
 * Ask the responses of the input. Loads of applications, and the idle network, are drawn anew a few
 * times too, so that predictions get intervals; configurations serve to see how far models are off,
 * and are asked about once.
 * @param input      [in]  borrowed for the call
 * @param analysis   [in]  of the data as they are: for utilizations
 * @param replays_p  [out] ct_predict_replays_free(); NULL where the input has no responses
 * @return CT_OK; CT_ENOMEM; what a response returned
 */
enum ct_status ct_predict_replays_make(const struct ct_predict_input *input,
                                       const struct ct_predict_analysis *analysis, uint64_t seed,
                                       struct ct_predict_replays **replays_p, struct ct_error *err);
void ct_predict_replays_free(struct ct_predict_replays *replays);

/**
 * Slowdowns, each run time over that beside the idle network.
 * @param replays    [in]  NULL: all are NaN
 * @param rng        [in]  draws of the replicates of each load one for all; NULL: the data as they
 *                         are
 * @param responses  [out] as in struct ct_predict_analysis
 */
void ct_predict_replays_draw(const struct ct_predict_replays *replays, gsl_rng *rng, size_t n_apps,
                             size_t n_loads, double *responses);

#endif
