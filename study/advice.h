/** Which applications of a study should share a switch, by what a model predicts. */
#ifndef CT_STUDY_ADVICE_H
#define CT_STUDY_ADVICE_H

#include "predict/grouping.h"
#include "study/questions.h"

struct ct_advice_settings {
    const struct ct_predict_model *model;
    const size_t *jobs; /**< [n_jobs] applications, each as often as it is to run */
    size_t n_jobs;      /**< >= 1 */
    size_t per_switch;  /**< jobs that a switch holds, >= 1 */
    size_t n_switches;  /**< 0: as few as hold all */
    enum ct_grouping_objective objective;
    struct ct_bootstrap setup; /**< its seed is that of random divisions too */
};

/** A job with those that share its switch. */
struct ct_advice_row {
    size_t number;                   /**< of the switch */
    struct ct_question question;     /**< with what was measured of it */
    struct ct_prediction prediction; /**< all 0 for one that is alone */
};

struct ct_advice {
    struct ct_grouping grouping;
    double random_cost;         /**< mean of random divisions */
    struct ct_advice_row *rows; /**< [job], by switch */
    size_t n;
};

/**
 * @param analysis  [in,out] of the study; its intervals are filled in
 * @param advice_p  [out]    ct_advice_free(); unchanged on error
 * @return CT_OK; CT_EUSAGE (the switches have too little room); CT_ENODATA (the model cannot tell a
 *         slowdown); CT_EINVAL; CT_ENOMEM
 */
enum ct_status ct_advice_make(const struct ct_study *study, struct ct_predict_analysis *analysis,
                              const struct ct_advice_settings *settings, struct ct_advice *advice_p,
                              struct ct_error *err);
void ct_advice_free(struct ct_advice *advice);

#endif
