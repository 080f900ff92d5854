/** Advice on every two applications of a study: how much both slow each other down. */
#ifndef CT_STUDY_PAIR_ADVICE_H
#define CT_STUDY_PAIR_ADVICE_H

#include "study/questions.h"

/** Two applications beside each other: [0] the first, [1] the second. */
struct ct_pair_advice {
    size_t app[2]; /**< app[0] <= app[1]; the same one twice: beside another run of it */
    struct ct_prediction prediction[2];
    struct ct_slowdown measured[2]; /**< NaN: not measured */
};

/**
 * Predict both slowdowns of every two applications.
 * @param analysis  [in,out] of the study; its intervals are computed
 * @param pairs_p   [out]    n_apps (n_apps + 1) / 2 of them, free(); unchanged on error
 * @return CT_OK; CT_EINVAL; CT_ENOMEM
 */
enum ct_status ct_pairs_advise(const struct ct_study *study, struct ct_predict_analysis *analysis,
                               const struct ct_predict_model *model,
                               const struct ct_bootstrap *setup, struct ct_pair_advice **pairs_p,
                               size_t *n_p, struct ct_error *err);

/** Slowdown of one of the two: the measured one, else the predicted one. NaN: neither is known */
double ct_pair_advice_frac(const struct ct_pair_advice *pair, size_t i);

/** Which of the two is slowed more; 0 if they are equal or one is not known. */
size_t ct_pair_advice_worst(const struct ct_pair_advice *pair);

#endif
