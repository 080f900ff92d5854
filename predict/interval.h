/**
 * Predictions with intervals. Two things make a prediction uncertain:
 *
 * - What it is made from was measured for a short time. Each replicate of the bootstrap draws probe
 *   blocks, runs and passes anew (predict/summaries.h), fits calibration, curves and mixtures
 * again, and answers again.
 * - The model is not exact. How far it is off is seen inside the campaign, without any pair: each
 *   configuration is taken for a co-runner that the model has not seen (it is left out), and the
 *   application's slowdown beside it is foretold. The ratio of measured to foretold time, drawn at
 *   random from the configurations with the most similar foretold slowdowns (a third of them, five
 *   at least), multiplies the replicate's time. A model for which configurations are not what it is
 *   made for (CT_MODEL_OFF_EITHER_WAY) is tried on the measured co-runs instead, all but the one
 * that is asked about and its other side, if there are twelve; its ratio divides as often as it
 * multiplies.
 *
 * The interval holds the middle `level` of the replicates. It need not hold the prediction: a model
 * that is off to one side beside the configurations is taken to be so here. Where fewer than two
 * configurations tell how far the model is off (a model of execution needs none), there is no
 * interval: what the measurement leaves open is the small part of it.
 */
#ifndef CT_PREDICT_INTERVAL_H
#define CT_PREDICT_INTERVAL_H

#include "predict/models.h"

/** One question to one model, and its answer. */
struct ct_predict_case {
    const struct ct_predict_model *model; /**< NULL: not asked, the case is passed over */
    size_t app;
    const size_t *with; /**< [n_with] applications; borrowed */
    size_t n_with;      /**< >= 1 */
    struct ct_prediction prediction;
};

/**
 * Answer cases with intervals, and make the intervals of what was measured.
 * @param analysis  [in,out] made by ct_predict_analyse(); its intervals are filled in
 * @param setup     [in]     of the bootstrap
 * @param cases     [in,out] n of them: prediction is filled in
 * @return CT_OK; CT_EINVAL (the setup); CT_ENOMEM
 */
enum ct_status ct_predict_cases(struct ct_predict_analysis *analysis,
                                const struct ct_bootstrap *setup, struct ct_predict_case *cases,
                                size_t n);

#endif
