/**
 * Which of two models is nearer to the truth, and is that more than chance? Paired: the errors of
 * both for the same co-runs are subtracted, so that what makes a co-run hard for both cancels.
 *
 * Co-runs of one application have much in common: thirty-six pairs of six applications tell about
 * six applications. A replicate therefore draws applications anew, with replacement, not pairs: if
 * it holds A a times and B b times, A beside B counts a b times, and A beside A counts a times
 * (resampling of the nodes of an array: Owen, Ann. Appl. Stat. 1, 2007; Davezies, D'Haultfoeuille
 * and Guyonvarch, Ann. Statist. 49, 2021). The interval is the middle `level` of the replicates.
 */
#ifndef CT_PREDICT_COMPARE_H
#define CT_PREDICT_COMPARE_H

#include "core/stats.h"

struct ct_predict_comparison {
    size_t n;               /**< pairs for which both answer */
    size_t n_apps;          /**< applications in these */
    double difference_frac; /**< mean |error| of the one minus that of the other; NaN for n = 0 */
    struct ct_interval interval; /**< NaN with fewer applications than compared_apps_least */
};

/**
 * @param off           [in]  [app * n_apps + with] |predicted - measured| of the one; NaN: none
 * @param other         [in]  the same of the other
 * @param setup         [in]  replicates >= 20, 0 < level < 1, seed; equal seeds draw the same
 *                            applications, whatever is compared
 * @param comparison_p  [out] unchanged on error
 * @return CT_OK; CT_EINVAL (the setup); CT_ENOMEM
 */
enum ct_status ct_predict_compare(const double *off, const double *other, size_t n_apps,
                                  const struct ct_bootstrap *setup,
                                  struct ct_predict_comparison *comparison_p);

#endif
