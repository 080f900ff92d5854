/**
 * Points at which simulations are made, in coordinates -1 .. 1 (prior.h). Sobol's sequence is the
 * usual choice: the leave-one-out error of a surrogate on a sparse grid is too small
 * (docs/models.md).
 *
 *     struct ct_design design;
 *     ct_design_make(&(struct ct_design_setup){.kind = CT_DESIGN_SOBOL, .n_dims = 7,
 *                    .n_points = 1024}, &design, &err);
 *     ... design.points[i * design.n_dims + d] ...
 *     ct_design_free(&design);
 */
#pragma once

#include "core/status.h"

#include <stdint.h>

/** Kinds of designs, with their names in options. */
#define CT_DESIGN_MAP(X)                                                                           \
    X(SOBOL, "sobol")   /* Sobol's sequence: the first n points; more points keep the first */     \
    X(LATIN, "lhs")     /* Latin hypercube: one point in each of n strata of each parameter */     \
    X(SPARSE, "sparse") /* Smolyak's sparse grid of nested Clenshaw-Curtis rules */

enum ct_design_kind {
#define CT_DESIGN_ENUM(name, text) CT_DESIGN_##name,
    CT_DESIGN_MAP(CT_DESIGN_ENUM)
#undef CT_DESIGN_ENUM
};

enum { CT_DESIGN_DIMS_MAX = 40, CT_DESIGN_LEVEL_MAX = 10, CT_DESIGN_POINTS_MAX = 1000000 };

struct ct_design_setup {
    enum ct_design_kind kind;
    size_t n_dims;   /**< 1 .. CT_DESIGN_DIMS_MAX */
    size_t n_points; /**< Sobol, Latin: 1 .. CT_DESIGN_POINTS_MAX */
    unsigned level;  /**< sparse: 0 .. CT_DESIGN_LEVEL_MAX; level 4 in 7 dimensions: 2465 points */
    uint64_t seed;   /**< Latin; the caller records it */
};

struct ct_design {
    double *points;  /**< [point * n_dims + dimension], -1 .. 1; owned */
    double *weights; /**< [n_points] sparse: weights of the quadrature with sum 1, some of which are
                          negative; otherwise NULL; owned */
    size_t n_points, n_dims;
};

/**
 * Make a design. The same setup gives the same points on every machine.
 *
 * The sparse grid of level l is the union of tensor grids whose levels add up to at most l; the
 * rule of level 0 has one point, that of level k > 0 has 2^k + 1, cos(pi j / 2^k). Its quadrature
 * is exact for polynomials of total degree 2 l + 1 and less (Novak and Ritter 1999). Points are in
 * the order of the grids, those of level l - 1 first.
 * @param design_p  [out] ct_design_free(); unchanged on error
 * @return CT_OK; CT_EINVAL (a value outside its range; a grid with more than CT_DESIGN_POINTS_MAX
 *         points); CT_ENOMEM
 */
enum ct_status ct_design_make(const struct ct_design_setup *setup, struct ct_design *design_p,
                              struct ct_error *err);

void ct_design_free(struct ct_design *design);
