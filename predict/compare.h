/**
 * Compares the errors of two models. The comparison is paired: for each co-run the error of one
 * model is subtracted from that of the other, so that what makes a co-run hard for both cancels.
 *
 * Co-runs of one application have much in common, so that pairs are not independent: 36 pairs of
 * six applications are a sample of six. A replicate therefore draws applications, with replacement,
 * and not pairs. If A is drawn a times and B b times, A beside B counts a b times, and A beside A
 * counts a times (resampling of the nodes of an array: Owen, Ann. Appl. Stat. 1, 2007; Davezies,
 * D'Haultfoeuille and Guyonvarch, Ann. Statist. 49, 2021). The interval is the middle `level` of
 * the replicates.
 */
#pragma once

#include "core/stats.h"

struct ct_predict_comparison {
    size_t n;               /**< pairs that both models predict */
    size_t n_apps;          /**< applications in these pairs */
    double difference_frac; /**< mean |error| of the first minus that of the other; NaN for n = 0 */
    struct ct_interval interval; /**< NaN with fewer applications than compared_apps_least */
};

/**
 * @param off           [in]  [app * n_apps + with] |predicted - measured| of the first model; NaN:
 *                            not known
 * @param other         [in]  the same of the other model
 * @param setup         [in]  replicates >= 20, 0 < level < 1, seed; equal seeds draw the same
 *                            applications, whatever is compared
 * @param comparison_p  [out] unchanged on error
 * @return CT_OK; CT_EINVAL (the setup); CT_ENOMEM
 */
enum ct_status ct_predict_compare(const double *off, const double *other, size_t n_apps,
                                  const struct ct_bootstrap *setup,
                                  struct ct_predict_comparison *comparison_p);
