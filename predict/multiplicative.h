/**
 * Null model `multiplicative`: every application has a sensitivity, and every co-runner an
 * aggressiveness, which multiply. It uses other measured co-runs only, neither the network nor the
 * probe. Another model is worth its measurements only where its errors are smaller.
 *
 *     log(d + s_AB) = m + r_A + c_B,    d = null_offset
 *
 * by least squares with a ridge: the sum of squares over the measured co-runs, and null_ridge times
 * the sum of all r^2 and c^2, is least (Hoerl and Kennard, Technometrics 12, 1970). Slowdowns below
 * -1 % count as -1 %. A beside B and B beside A are left out. An application without another co-run
 * has the effect 0.
 */
#pragma once

#include "predict/predict.h"

struct ct_multiplicative;

/**
 * @param beside_app        [in]  [app * n_apps + with] measured slowdowns, NaN where not measured
 * @param multiplicative_p  [out] ct_multiplicative_free(); unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_multiplicative_new(const struct ct_slowdown *beside_app, size_t n_apps,
                                     struct ct_multiplicative **multiplicative_p);
void ct_multiplicative_free(struct ct_multiplicative *multiplicative);

/**
 * @param left_out    [in]  n_left_out different applications: no co-run with one of them is used
 * @param slowdown_p  [out] fraction; NaN: no other co-run can be used; unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_multiplicative_slowdown(const struct ct_multiplicative *multiplicative,
                                          size_t app, size_t with, const size_t *left_out,
                                          size_t n_left_out, double *slowdown_p);
