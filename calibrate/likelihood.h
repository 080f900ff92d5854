/**
 * How likely measurements are, if the parameters are right: independent Gaussians.
 *
 *     ln L = sum_i -1/2 ln(2 pi v_i) - (f_i - mu_i)^2 / (2 v_i)
 *
 * f_i: the surrogate's value, mu_i: mean of R_i repetitions, V_i: leave-one-out error of the
 * surrogate.
 *
 *     printed     v_i = (1 - 1/R_i) s_i^2 + V_i
 *     corrected   v_i = s_i^2 / R_i + V_i + W_i + (delta m_i)^2
 *
 * s_i^2: unbiased variance of the repetitions; `printed` takes the variance of a single one, as [D]
 * does (equation 7). delta: discrepancy, the standard deviation of the simulator's own error as a
 * share of m_i, the scale of the output (observed.h). W_i: variance by parameters that stay at
 * their nominal values (calibrate.h, groups). Both assume that outputs are independent.
 */
#pragma once

#include "calibrate/observed.h"

/** Kinds, with their names in options. */
#define CT_LIKELIHOOD_MAP(X)                                                                       \
    X(CORRECTED, "corrected")                                                                      \
    X(PRINTED, "printed")

enum ct_likelihood_kind {
#define CT_LIKELIHOOD_ENUM(name, text) CT_LIKELIHOOD_##name,
    CT_LIKELIHOOD_MAP(CT_LIKELIHOOD_ENUM)
#undef CT_LIKELIHOOD_ENUM
};

/**
 * Variance of the difference between a predicted and a measured mean.
 * @param surrogate    [in] V_i + W_i
 * @param discrepancy  [in] delta, >= 0; no part of `printed`
 */
double ct_likelihood_variance(enum ct_likelihood_kind kind, const struct ct_observed_summary *data,
                              double surrogate, double discrepancy);

/** An output's term of ln L. @param variance  [in] v_i > 0 */
double ct_likelihood_log(double predicted, double measured, double variance);
