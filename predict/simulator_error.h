/**
 * How far simulated slowdowns are off: the simulator's own error, which no draw of its parameters
 * shows. With T the run time beside others and T_0 that alone, measured, and y the logarithm of
 * what was simulated for a case i,
 *
 *     ln(T / T_0) = y_i + e_i + r_i,   e_i ~ N(0, (delta (s + max(y_i, 0)))^2),   r_i ~ N(0, v_i)
 *
 * s: the constant interval_scale of predict/, to which errors are relative there, too; v_i:
 * variance of the mean run times that are compared. delta has a log-uniform prior (constants
 * simulator_error_min, simulator_error_max) and is known from the cases as a distribution over a
 * grid. An interval from it thus gets wider if cases are few.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/** A slowdown that was measured and simulated. */
struct ct_simulator_case {
    double measured, simulated; /**< ln(T / T_0), finite */
    double variance;            /**< v_i >= 0 */
    size_t app, with;           /**< for the caller, who chooses the cases that count */
};

enum { CT_SIMULATOR_ERROR_GRID = 41 };

/** What is known of delta. */
struct ct_simulator_error {
    double delta[CT_SIMULATOR_ERROR_GRID];       /**< rising */
    double probability[CT_SIMULATOR_ERROR_GRID]; /**< adds up to 1 */
    size_t n;                                    /**< cases that it is known from */
};

/**
 * @param counts  [in]  [n]: which cases are used; NULL: all. Without any the prior is returned
 */
struct ct_simulator_error ct_simulator_error_find(const struct ct_simulator_case *cases,
                                                  const bool *counts, size_t n);

/** Standard deviation of e, as a multiple of delta: s + max(simulated, 0). */
double ct_simulator_error_scale(double simulated);

/** Mean variance of e. @param simulated  [in] ln(T / T_0) */
double ct_simulator_error_variance(const struct ct_simulator_error *error, double simulated);

/** Logarithms that were simulated, of which each is as likely as the others. Borrowed. */
struct ct_simulator_mixture {
    const double *simulated;
    size_t n;                               /**< >= 1 */
    double variance;                        /**< of r, >= 0 */
    const struct ct_simulator_error *error; /**< NULL: none */
};

/** Quantile of y + e + r. @param p  [in] 0 < p < 1 */
double ct_simulator_mixture_quantile(const struct ct_simulator_mixture *mixture, double p);
