/**
 * Polynomials in place of simulations: one for each output, fitted to the simulations of a design.
 *
 *     f(z) = sum_k c_k Psi_k(z),   Psi_k(z) = prod_d P_{k_d}(z_d),   sum_d k_d <= p
 *
 * with Legendre's polynomials P_n, by least squares ([D], equation 8; (m + p)! / (m! p!) terms for
 * m parameters). The order p of an output is the one with the smallest leave-one-out error
 *
 *     V = 1/n sum_i (e_i / (1 - h_i))^2
 *
 * (e: residuals, h: diagonal of the hat matrix), which equals that of n fits that leave out a point
 * each.
 */
#pragma once

#include "core/status.h"

enum { CT_SURROGATE_ORDER_MAX = 12, CT_SURROGATE_TERMS_MAX = 5000, CT_SURROGATE_DIMS_MAX = 40 };

/** Simulations. Borrowed, not needed after the fit. */
struct ct_surrogate_data {
    const double *points; /**< [point * n_dims + dimension], -1 .. 1 */
    size_t n_points, n_dims;
    const double *outputs; /**< [point * n_outputs + output]; finite */
    size_t n_outputs;
    const char *const *names; /**< [n_outputs], for messages */
};

struct ct_surrogate;

/**
 * Fit the polynomials.
 * @param order         [in]  total order of all, 1 .. CT_SURROGATE_ORDER_MAX; 0: chosen for each
 *                            output among 1 .. order_max
 * @param order_max     [in]  for order 0, 1 .. CT_SURROGATE_ORDER_MAX; orders that have too few
 * points are left out: an order needs surrogate_points_per_term (constants.h) times as many points
 * as it has terms, if it is chosen, and one point more than terms, if it is given
 * @param surrogate_p   [out] ct_surrogate_free(); unchanged on error
 * @return CT_OK; CT_ENODATA (too few points, says how many are needed, or points that do not tell
 * the terms apart); CT_EINVAL (an output or a point that is not finite, is named; more than
 *         CT_SURROGATE_TERMS_MAX terms); CT_ENOMEM
 */
enum ct_status ct_surrogate_fit(const struct ct_surrogate_data *data, unsigned order,
                                unsigned order_max, struct ct_surrogate **surrogate_p,
                                struct ct_error *err);

void ct_surrogate_free(struct ct_surrogate *surrogate);

/**
 * All outputs at a point. Thread-safe: nothing is changed.
 * @param z        [in]  n_dims coordinates, -1 .. 1
 * @param outputs  [out] n_outputs values
 */
void ct_surrogate_evaluate(const struct ct_surrogate *surrogate, const double *z, double *outputs);

/** Some outputs at a point. @param which  [in] n of them, below n_outputs */
void ct_surrogate_evaluate_some(const struct ct_surrogate *surrogate, const double *z,
                                const size_t *which, size_t n, double *outputs);

size_t ct_surrogate_n_dims(const struct ct_surrogate *surrogate);
size_t ct_surrogate_n_outputs(const struct ct_surrogate *surrogate);

/** Total order of an output's polynomial. */
unsigned ct_surrogate_order(const struct ct_surrogate *surrogate, size_t output);

/** Number of terms of an output's polynomial. */
size_t ct_surrogate_n_terms(const struct ct_surrogate *surrogate, size_t output);

/** Powers of a term, the same for all outputs: n_dims orders. Terms are sorted by total order. */
const unsigned char *ct_surrogate_term(const struct ct_surrogate *surrogate, size_t term);

/** Coefficients of an output, ct_surrogate_n_terms() of them. */
const double *ct_surrogate_coefficients(const struct ct_surrogate *surrogate, size_t output);

/** Leave-one-out error V, in the square of the output's unit. */
double ct_surrogate_loo_variance(const struct ct_surrogate *surrogate, size_t output);

/** The same as a share of the output's variance over the design: 1 - Q^2; 0 if that is 0. */
double ct_surrogate_loo_share(const struct ct_surrogate *surrogate, size_t output);

/** Mean over the prior: the coefficient of the constant. */
double ct_surrogate_mean(const struct ct_surrogate *surrogate, size_t output);

/** Variance over the prior: sum_{k > 0} c_k^2 prod_d 1 / (2 k_d + 1). */
double ct_surrogate_variance(const struct ct_surrogate *surrogate, size_t output);

/**
 * Sobol's indices of an output: the share of its variance over the prior that a parameter causes
 * alone (first), and alone or with others (total). Sudret, Reliab. Eng. Syst. Saf. 93 (2008).
 * @param first  [out] n_dims shares; NULL: not wanted; NaN for an output that is constant,
 *                  but for rounding
 * @param total  [out] the same
 */
void ct_surrogate_indices(const struct ct_surrogate *surrogate, size_t output, double *first,
                          double *total);

/**
 * Variance that only parameters which are left out cause, alone or with others: what an output
 * scatters around its value when these parameters stay at z = 0, at most. Sum of the terms in which
 * one of them occurs.
 * @param in  [in] n_dims; nonzero: the parameter is not left out
 */
double ct_surrogate_variance_without(const struct ct_surrogate *surrogate, size_t output,
                                     const unsigned char *in);
