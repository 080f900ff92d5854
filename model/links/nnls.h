/** Least squares with unknowns that are not negative. */
#ifndef CT_MODEL_LINKS_NNLS_H
#define CT_MODEL_LINKS_NNLS_H

#include "core/status.h"

#include <stddef.h>

/**
 * Minimize |A x - b|^2 over x >= 0 by the active sets of Lawson and Hanson (Solving Least Squares
 * Problems, 1974, chapter 23), on the normal equations (Bro and de Jong, J. Chemometrics 11, 1997).
 * @param gram  [in]     [n][n] A'A, positive definite, only its lower triangle is read
 * @param rhs   [in]     [n] A'b
 * @param n     [in]     unknowns
 * @param x     [in,out] [n] a guess: those above 0 are first taken as above 0; then the solution
 * @return CT_OK; CT_EINVAL (gram is not positive definite, or values are not finite); CT_ENOMEM
 */
enum ct_status ct_nnls_solve(const double *gram, const double *rhs, size_t n, double *x,
                             struct ct_error *err);

#endif
