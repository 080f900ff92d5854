/** Two distributions that intervals of core/stats are made from, by exact formulas. */
#pragma once

#include <stdint.h>

/**
 * Probability of k successes in n trials, by the saddle-point form of C. Loader, "Fast and Accurate
 * Computation of Binomial Probabilities" (2000), which loses no digits where n is large.
 * @param k  [in] successes, 0 <= k <= n
 * @param n  [in] trials
 * @param p  [in] probability of a success, 0..1
 */
double ct_binomial(uint64_t k, uint64_t n, double p);

/**
 * Half-width of the interval around 0 that Student's t falls into with probability `level`; so the
 * (1 + level) / 2 quantile.
 *
 * With theta = atan(t / sqrt(df)) the probability P(|T| <= t) is a finite sum (Abramowitz and
 * Stegun 26.7.3 for odd, 26.7.4 for even degrees of freedom), which is inverted by Newton's method.
 * From 1000 degrees of freedom on the expansion 26.7.5 around the normal quantile is used, whose
 * error is of order df^-5. Relative error below 1e-10 for levels up to 1 - 1e-5.
 * @param level  [in] 0 < level < 1
 * @param df     [in] degrees of freedom, >= 1
 */
double ct_student_half_width(double level, uint64_t df);
