/**
 * Predictions with intervals. A prediction is uncertain for two reasons.
 *
 * Measurement: its data were measured for a short time. Each replicate of the bootstrap draws probe
 * blocks, runs and passes anew (predict/summaries.h), fits calibration, curves and mixtures again,
 * and predicts again.
 *
 * Model: the model is not exact. Its errors are known inside the campaign, without any pair. Each
 * configuration is left out in turn and taken for a co-runner, and the slowdown beside it is
 * predicted from the others. This gives a ratio of measured to predicted time. A replicate's time
 * is multiplied by one of these ratios, drawn from the configurations with the most similar
 * predictions (a third of them, five at least). A model that is not made for configurations
 * (CT_MODEL_OFF_EITHER_WAY) is tried on the measured co-runs instead, if there are twelve: all but
 * the one in question and its reverse. Its ratio divides as often as it multiplies.
 *
 * The interval is the middle `level` of the replicates. It may not contain the prediction: if a
 * model predicts too little beside most configurations, its interval is shifted up. There is no
 * interval where fewer than two configurations show the error of the model (a model of execution
 * needs none), because the uncertainty of the measurement is the smaller part.
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
