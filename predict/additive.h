/**
 * Null model of co-runs: an application is slowed as much as it is on average, and disturbs as much
 * as it does on average. It knows no network and no probe, only other measured co-runs; a model
 * that is not nearer to the truth has found nothing beyond that.
 *
 *     slowdown of A beside B = mean of A's row + mean of B's column - mean of all
 *
 * These are the main effects of a two-way layout (Scheffe, The Analysis of Variance, 1959, chapter
 * 4). The means are over measured pairs except A beside B itself. Where A's row (B's column) has no
 * other measured pair, the mean of all stands for it.
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
 * @param left_out  [in]  n_left_out applications, no one twice: co-runs in which one of them takes
 *                        part do not count
 * @return slowdown as a fraction; NaN: no other co-run counts
 */
double ct_additive_slowdown(const struct ct_additive *additive, size_t app, size_t with,
                            const size_t *left_out, size_t n_left_out);

#endif
