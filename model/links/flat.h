/** Vectors along which sums of squares are flat or nearly so, which slow conjugate gradients down:
 * their part in a preconditioner. Internal. */
#pragma once

#include "model/links/sparse.h"

#include <stdbool.h>

/** A sum over rows of weight (A x)^2 and over unknowns of hold x^2, of the unknowns that are free.
 */
struct ct_flat_sum {
    const struct ct_sparse *matrix;
    const double *factor, *weight;
    double hold;
};

/** V (V' (A'WA + hold) V)^-1 V', V the vectors without the unknowns that are not free. */
struct ct_flat {
    const struct ct_sparse *vectors; /**< borrowed; a row a vector, of unknowns; NULL: none */
    double *lower;                   /**< [n][n] Cholesky, n vectors; 0 on the diagonal: left out */
    double *along;                   /**< [n] */
    uint32_t *touched;               /**< [n] vectors, */
    bool *is_touched;                /**< [n] that have one of the unknowns at hand */
    bool *is_free;                   /**< [unknowns] */
};

/** @param vectors  [in] NULL: none. @return CT_OK; CT_ENOMEM; ct_flat_free() is due in both cases
 */
enum ct_status ct_flat_new(const struct ct_sparse *vectors, struct ct_flat *flat_p,
                           struct ct_error *err);
void ct_flat_free(struct ct_flat *flat);

/** @param x  [in] unknowns: those above 0 are free */
void ct_flat_set(struct ct_flat *flat, const struct ct_flat_sum *sum, const double *x);

/** Add the part of a slope to a way: way += V (...)^-1 V' slope. Both have 0 for what is not free.
 */
void ct_flat_add(struct ct_flat *flat, const double *slope, double *way);
