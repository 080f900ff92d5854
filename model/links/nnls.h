/** Least squares with unknowns that are not negative, with a sparse matrix. */
#pragma once

#include "model/links/flat.h"

/** Sum over rows of weight (A x - b)^2, and over unknowns of hold (x - held)^2. Borrowed. */
struct ct_nnls {
    const struct ct_sparse *matrix;
    const double *factor; /**< of each entry of the matrix */
    const double *weight; /**< [n_rows] >= 0 */
    const double *b;      /**< [n_rows] */
    double hold;          /**< > 0: all unknowns are determined */
    const double *held;   /**< [n_columns]; NULL: 0 */
};

/**
 * Room for solving, and where it is. Both functions go on from it.
 * residual: b - A x, slope: of the sum by each unknown, halved and negative, of the last call.
 */
struct ct_nnls_room {
    double *residual;                          /**< [n_rows] */
    double *row;                               /**< [n_rows] */
    double *diagonal;                          /**< [n_columns] of A'WA + hold */
    double *slope, *rest, *way, *image, *next; /**< [n_columns] */
    double *before;                            /**< [n_columns] */
    struct ct_flat flat;
};

/**
 * @param flat  [in] a row a vector along which A x is 0 or nearly so: with these few conjugate
 *                   gradients suffice; borrowed; NULL: none are known
 * @return CT_OK; CT_ENOMEM; ct_nnls_room_free() is due in both cases
 */
enum ct_status ct_nnls_room_new(const struct ct_sparse *matrix, const struct ct_sparse *flat,
                                struct ct_nnls_room *room_p, struct ct_error *err);
void ct_nnls_room_free(struct ct_nnls_room *room);

/** Of A'WA, without what holds. @param diagonal  [out] [n_columns] */
void ct_nnls_diagonal(const struct ct_nnls *problem, double *diagonal);

/**
 * Lower the sum, one unknown after the other, each as far as its bound allows (Hildreth, Naval
 * Research Logistics Quarterly 4, 1957).
 * @param sweeps  [in]     over all unknowns
 * @param x       [in,out] [n_columns] >= 0
 */
void ct_nnls_descend(const struct ct_nnls *problem, int sweeps, struct ct_nnls_room *room,
                     double *x);

/**
 * The least sum: sweeps find which unknowns are 0, conjugate gradients the values of the others,
 * and a search along the projection of that way goes on from there, in turn (More and Toraldo,
 * SIAM J. Optimization 1, 1991). A turn takes time linear in the entries of the matrix.
 * @param least_gain  [in]     a turn that lowers the sum by less is the last; 1: the variance of an
 *                             equation of weight 1, so that x is a standard error off; 0: only
 *                             rounding ends
 * @param x           [in,out] [n_columns] a guess >= 0; then the solution
 * @return CT_OK; CT_EINVAL (values that are not finite, hold not above 0)
 */
enum ct_status ct_nnls_solve(const struct ct_nnls *problem, double least_gain,
                             struct ct_nnls_room *room, double *x, struct ct_error *err);
