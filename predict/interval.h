/**
 * Predictions with intervals, by split conformal prediction (predict/conformal.h): an interval is
 * as wide as errors of the model that are known already.
 *
 * Errors of which cases? Those of co-runs of pairs that were measured, if they are enough for the
 * level: models use no co-run, so that co-runs are new to them, and a co-run that is asked about is
 * one more of these. The co-run in question and its reverse do not count. Where co-runs are too
 * few, configurations stand for them: each is left out in turn, taken for a co-runner of the
 * application in question, and the slowdown beside it predicted from the others. Some models answer
 * otherwise beside configurations than beside applications (CT_MODEL_JUDGED_BY_CO_RUNS); theirs are
 * from co-runs only. Where errors of either kind are too few, there is no interval.
 *
 * Errors grow with the slowdown, so that they are taken relative to it: with p predicted and m
 * measured, e = |m - p| / (s + max(p, 0)), and the interval is p -+ e_(k) (s + max(p, 0)), cut at
 * -1 (no time at all). s is the constant interval_scale: with any s an interval holds as often as
 * its level says; only widths depend on it. Errors contain what the measurement of a campaign
 * leaves uncertain, on both sides: of what predictions are made from, and of what they are
 * compared with.
 */
#ifndef CT_PREDICT_INTERVAL_H
#define CT_PREDICT_INTERVAL_H

#include "predict/models.h"

/** One question to one model, and its answer. */
struct ct_predict_case {
    const struct ct_predict_model *model; /**< NULL: not asked, the case is passed over */
    size_t app;
    const size_t *with;      /**< [n_with] applications; borrowed */
    size_t n_with;           /**< >= 1 */
    bool leaves_out_members; /**< no co-run in which one of these applications takes part counts:
                                  neither for the prediction nor for its interval */
    struct ct_prediction prediction;
};

/**
 * Answer cases with intervals.
 * @param analysis  [in]     made by ct_predict_analyse()
 * @param level     [in]     of the intervals, 0 < level < 1
 * @param cases     [in,out] n of them: prediction is filled in
 * @return CT_OK; CT_EINVAL (the level); CT_ENOMEM
 */
enum ct_status ct_predict_cases(const struct ct_predict_analysis *analysis, double level,
                                struct ct_predict_case *cases, size_t n);

#endif
