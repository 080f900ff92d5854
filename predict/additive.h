/**
 * Null model `additive`: every application has a mean slowdown, and every co-runner a mean effect.
 * It uses other measured co-runs only, neither the network nor the probe. Another model is worth
 * its measurements only where its errors are smaller.
 *
 *     slowdown of A beside B = mean of A's row + mean of B's column - mean of all
 *
 * These are the main effects of a two-way layout (Scheffe, The Analysis of Variance, 1959, chapter
 * 4). The means are over the measured pairs other than A beside B. If A's row (B's column) has no
 * other measured pair, the mean of all replaces its mean.
 */
#ifndef CT_PREDICT_ADDITIVE_H
#define CT_PREDICT_ADDITIVE_H

#include "predict/predict.h"

struct ct_additive;

/**
 * @param beside_app  [in]  [app * n_apps + with] measured slowdowns, NaN where not measured;
 *                          borrowed
 * @param additive_p  [out] ct_additive_free(); unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_additive_new(const struct ct_slowdown *beside_app, size_t n_apps,
                               struct ct_additive **additive_p);
void ct_additive_free(struct ct_additive *additive);

/**
 * @param left_out  [in]  n_left_out different applications: no co-run with one of them is used
 * @return slowdown as a fraction; NaN: no other co-run can be used
 */
double ct_additive_slowdown(const struct ct_additive *additive, size_t app, size_t with,
                            const size_t *left_out, size_t n_left_out);

#endif
