/**
 * Predictions with intervals, by split conformal prediction (predict/conformal.h): the width of an
 * interval follows from known errors of the model.
 *
 * The errors are those for measured co-runs of pairs, if the level can be reached with them. The
 * method requires cases that the model was not made from. Co-runs are such cases: a model uses
 * none, and CT_MODEL_KNOWS_CO_RUNS marks the exception, whose predictions leave out the co-run in
 * question. The errors of this co-run and of its reverse are not used.
 *
 * If there are too few co-runs, the errors are those for configurations. Each configuration is left
 * out in turn and taken as the co-runner of the application in question, or, if these are too few
 * as well, of each application; the model predicts the slowdown from the other configurations. This
 * does not show the errors of a model that treats configurations and applications differently
 * (CT_MODEL_JUDGED_BY_CO_RUNS). Such a model has intervals from co-runs only. If errors of either
 * kind are too few, those of packets in other campaigns stand for them (constants packets_error_80,
 * 90 and 95, that of the next higher level), and the interval holds that of its mean over phases,
 * too; other models have no interval then.
 *
 * Errors grow with the slowdown, so they are relative to it: with p predicted and m measured,
 * e = |m - p| / (s + max(p, 0)), and the interval is p -+ e_(k) (s + max(p, 0)), cut at -1 (a run
 * that takes no time). s is the constant interval_scale. Coverage has its level with any s; the
 * widths depend on s. Errors include the uncertainty of measurements: of those that predictions are
 * made from, and of those that predictions are compared with.
 */
#pragma once

#include "predict/models.h"

/** One question to one model, and its answer. */
struct ct_predict_case {
    const struct ct_predict_model *model; /**< NULL: not asked, the case is skipped */
    size_t app;
    const size_t *with;      /**< [n_with] applications; borrowed */
    size_t n_with;           /**< >= 1 */
    bool leaves_out_members; /**< neither the prediction nor its interval uses a co-run of app or
                                  of an application in with */
    bool is_by_configs;      /**< where co-runs are too few, errors for configurations count of
                                  CT_MODEL_JUDGED_BY_CO_RUNS, too: before a co-run was measured there are
                                  no others */
    struct ct_prediction prediction;
};

/**
 * Answer cases with intervals.
 * @param analysis  [in]     made by ct_predict_analyse()
 * @param level     [in]     of the intervals, 0 < level < 1
 * @param cases     [in,out] n cases, whose prediction is filled in
 * @return CT_OK; CT_EINVAL (the level); CT_ENOMEM
 */
enum ct_status ct_predict_cases(const struct ct_predict_analysis *analysis, double level,
                                struct ct_predict_case *cases, size_t n);

/**
 * Interval of the mean slowdown over phases, by Student's t: what a few phases leave open of the
 * mean over all of them. Phases that are spread evenly leave less. The model's own error is not in
 * it, nor what is not known of its parameters.
 * @return NaN: the model has no phases, or saw one
 */
struct ct_interval ct_prediction_mean_interval(const struct ct_prediction *prediction,
                                               double level);
