/**
 * Bounds of errors by split conformal prediction (Vovk, Gammerman and Shafer, Algorithmic Learning
 * in a Random World, 2005; Lei et al., J. Amer. Statist. Assoc. 113, 2018). Pure.
 *
 * A model is tried on n cases that it was not made from; e_(1) <= .. <= e_(n) are its errors. If
 * the next case is exchangeable with these n, its error is at most e_(k) with a probability of at
 * least level, for k = ceil(level (n + 1)), whatever the distribution of the errors is. Where k > n
 * no number has this property: n errors are too few for this level.
 */
#pragma once

#include <stddef.h>

/**
 * Rank k of the error that is the bound: errors in rising order, counted from 1.
 * @param level  [in]  0 < level < 1
 * @return ceil(level (n + 1)); 0: n errors are too few
 */
size_t ct_conformal_rank(size_t n, double level);

/** Number of errors that a bound needs: the least n with ceil(level (n + 1)) <= n. */
size_t ct_conformal_least(double level);
