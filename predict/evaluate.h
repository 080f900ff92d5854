/** How good predictions are, where the truth was measured too. Pure. */
#ifndef CT_PREDICT_EVALUATE_H
#define CT_PREDICT_EVALUATE_H

#include "predict/interval.h"

/** How far values are off: statistics of |predicted - measured|, fractions; NaN for n = 0. */
struct ct_predict_errors {
    size_t n;
    double mean_abs, median, q1, q3, max;
    size_t worst; /**< index of the largest; SIZE_MAX for n = 0 */
};

/**
 * @param predicted, measured  [in]  n fractions each; pairs with a NaN on either side are left out
 * @param errors_p             [out] unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_predict_errors_of(const double *predicted, const double *measured, size_t n,
                                    struct ct_predict_errors *errors_p);

/** Of one model over cases. Coverage says little without the width beside it. */
struct ct_predict_evaluation {
    struct ct_predict_errors slowdown;     /**< of the slowdown, in fractions of the time alone */
    struct ct_predict_errors time;         /**< of the time: |predicted / measured - 1| */
    size_t n_intervals;                    /**< measured cases whose prediction has an interval */
    size_t n_covered;                      /**< those whose interval holds the measured slowdown */
    double coverage_frac;                  /**< n_covered / n_intervals; NaN for none */
    double mean_width_frac;                /**< mean length of these intervals; NaN for none */
    enum ct_interval_source interval_from; /**< of all cases that have a prediction */
    size_t n_errors;                       /**< fewest that one of these rests on */
};

/**
 * @param cases         [in]  n of one model, answered
 * @param measured      [in]  [case] slowdown; NaN: not measured
 * @param evaluation_p  [out] unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_predict_evaluate(const struct ct_predict_case *cases, const double *measured,
                                   size_t n, struct ct_predict_evaluation *evaluation_p);

/**
 * Of each model, as asked and with all members of a case left out. The second says how good a
 * prediction is for two applications that never ran beside anything but configurations: nothing of
 * any co-run of theirs is in the prediction or in its interval, only what was measured of each of
 * them alone (its baseline, its times under configurations, the probe beside it, its schedule). For
 * models that use no co-run the prediction is the same, and only the interval differs.
 */
struct ct_predict_judgement {
    struct ct_predict_evaluation asked, left_out;
};

/**
 * @param cases        [in]  n of one model, answered by ct_predict_cases() for the same level
 * @param judgement_p  [out] unchanged on error
 * @return CT_OK; CT_EINVAL (level); CT_ENOMEM
 */
enum ct_status ct_predict_judge(const struct ct_predict_analysis *analysis, double level,
                                const struct ct_predict_case *cases, const double *measured,
                                size_t n, struct ct_predict_judgement *judgement_p);

/**
 * How well measured slowdowns repeat: |slowdown by one run - slowdown by another| over the runs of
 * the same pair, all against the same mean baseline. No model can be better than that.
 * @param errors_p    [out] n = pairs of runs compared; worst = app * n_apps + with
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_predict_repeatability(const struct ct_measurements *measured,
                                        struct ct_predict_errors *errors_p);

#endif
