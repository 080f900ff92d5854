/**
 * Groups: which applications of a study should run together, so that their slowdowns are least:
 * those that were measured, and where one was not, that of a model.
 */
#pragma once

#include "predict/grouping.h"
#include "study/verdict.h"

enum { CT_ADVICE_JOBS_MAX = 10000 };

struct ct_advice_settings {
    const struct ct_predict_model *model; /**< of slowdowns that were not measured */
    double limit_frac;                    /**< of the verdicts, > 0 */
    const size_t *jobs; /**< [n_jobs] applications; one that runs several times is listed as often;
                             NULL: every one once */
    size_t n_jobs;      /**< 1..CT_ADVICE_JOBS_MAX, else CT_EUSAGE */
    size_t per_switch;  /**< most jobs on a switch, >= 1 */
    size_t n_switches;  /**< 0: the least number that has room for all jobs */
    enum ct_grouping_objective objective;
    struct ct_bootstrap setup; /**< its seed is also used for the random divisions */
};

/** A job, and the jobs on the same switch. */
struct ct_advice_row {
    size_t number;                   /**< of the switch */
    struct ct_question question;     /**< with the measured slowdown */
    struct ct_prediction prediction; /**< all 0 for a job that is alone on its switch */
    struct ct_judged judged;         /**< alone: yes */
};

struct ct_advice {
    struct ct_grouping grouping;
    double random_cost;         /**< mean cost of random divisions */
    struct ct_advice_row *rows; /**< [job], by switch */
    size_t n;
};

/**
 * Whether these jobs can be divided so; nothing is simulated.
 * @return CT_OK; CT_EUSAGE (too many jobs, or the switches have room for too few)
 */
enum ct_status ct_advice_check(const struct ct_advice_settings *settings, struct ct_error *err);

/**
 * @param analysis  [in,out] of the study; its intervals are computed
 * @param advice_p  [out]    ct_advice_free(); unchanged on error
 * @return CT_OK; CT_EUSAGE (ct_advice_check()); CT_ENODATA (a slowdown is
 *         neither measured nor predicted); CT_EINVAL; CT_ENOMEM
 */
enum ct_status ct_advice_make(const struct ct_study *study, struct ct_predict_analysis *analysis,
                              const struct ct_advice_settings *settings, struct ct_advice *advice_p,
                              struct ct_error *err);
void ct_advice_free(struct ct_advice *advice);
