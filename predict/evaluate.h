/** Errors and coverage of predictions, for co-runs that were measured. Pure. */
#pragma once

#include "predict/interval.h"

/** Statistics of |predicted - measured|, fractions; NaN for n = 0. */
struct ct_predict_errors {
    size_t n;
    double mean_abs, median, q1, q3, max;
    size_t worst; /**< index of the largest error; SIZE_MAX for n = 0 */
};

/**
 * Statistics of errors. A case with NaN on either side is left out.
 * @param predicted  [in]  n fractions
 * @param measured   [in]  n fractions
 * @param errors_p   [out] unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_predict_errors_of(const double *predicted, const double *measured, size_t n,
                                    struct ct_predict_errors *errors_p);

/** Errors and coverage of one model over cases. Coverage means little without the width. */
struct ct_predict_evaluation {
    struct ct_predict_errors slowdown;     /**< of the slowdown, in fractions of the time alone */
    struct ct_predict_errors time;         /**< of the time: |predicted / measured - 1| */
    struct ct_predict_errors log;          /**< |ln((1 + measured) / (1 + predicted))|: twice as
                                                long and half as long count alike */
    size_t n_intervals;                    /**< measured cases whose prediction has an interval */
    size_t n_covered;                      /**< those whose interval contains the slowdown */
    double coverage_frac;                  /**< n_covered / n_intervals; NaN for none */
    double mean_width_frac;                /**< mean length of these intervals; NaN for none */
    enum ct_interval_source interval_from; /**< of all cases that have a prediction */
    size_t n_errors;                       /**< smallest number of errors behind an interval */
};

/**
 * @param cases         [in]  n cases of one model, answered
 * @param measured      [in]  [case] slowdown; NaN: not measured
 * @param evaluation_p  [out] unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_predict_evaluate(const struct ct_predict_case *cases, const double *measured,
                                   size_t n, struct ct_predict_evaluation *evaluation_p);

/** Pairs, or an application beside several, for which both slowdowns are at most a limit, or not.
 */
struct ct_predict_decisions {
    size_t n;         /**< decided by what was measured, and by what was predicted */
    size_t n_allowed; /**< wrongly: a measured slowdown is above the limit */
    size_t n_refused; /**< wrongly */
};

/** Decisions by the predictions of one model. @param measured  [in] [case]; NaN: not measured */
struct ct_predict_decisions ct_predict_decide(const struct ct_predict_case *cases,
                                              const double *measured, size_t n, double limit_frac);

/**
 * A model evaluated twice: as asked, and with both applications left out (docs/glossary.md). The
 * second evaluation is for applications of which no co-run was measured. Neither the prediction nor
 * its interval then uses a co-run of the applications in question. They use what was measured of
 * each application by itself: its baseline, its times under configurations, the probe beside it,
 * its schedule. Where a model uses no co-run, the predictions are the same, and only the intervals
 * differ.
 */
struct ct_predict_judgement {
    struct ct_predict_evaluation asked, left_out;
};

/**
 * @param cases        [in]  n cases of one model, answered by ct_predict_cases() for this level
 * @param judgement_p  [out] unchanged on error
 * @return CT_OK; CT_EINVAL (level); CT_ENOMEM
 */
enum ct_status ct_predict_judge(const struct ct_predict_analysis *analysis, double level,
                                const struct ct_predict_case *cases, const double *measured,
                                size_t n, struct ct_predict_judgement *judgement_p);

/**
 * Repeatability of measured slowdowns: |slowdown by one run - slowdown by another| over the runs of
 * the same pair, relative to one mean baseline. No model can have smaller errors than this.
 * @param errors_p    [out] n = pairs of runs compared; worst = app * n_apps + with
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_predict_repeatability(const struct ct_measurements *measured,
                                        struct ct_predict_errors *errors_p);
