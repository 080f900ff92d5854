/* What a surrogate consists of: for surrogate*.c only. */
#pragma once

#include "calibrate/surrogate.h"

/* A term is an earlier one, without its last dimension, times one polynomial. Term 0 is the
   constant. */
struct ct_surrogate_factor {
    unsigned parent;
    unsigned short dim, order;
};

/* All terms up to an order, sorted by order: the first n_terms_of[p] have order p at most. */
struct ct_surrogate_basis {
    size_t n_dims;
    unsigned order;
    size_t n_terms, n_terms_of[CT_SURROGATE_ORDER_MAX + 1];
    unsigned char *powers; /* [term * n_dims + dimension] */
    struct ct_surrogate_factor *factors;
};

struct ct_surrogate_output {
    unsigned order;
    double loo_variance, loo_share;
};

struct ct_surrogate {
    struct ct_surrogate_basis basis;
    size_t n_outputs;
    struct ct_surrogate_output *outputs;
    double *coefficients; /* [output * n_terms + term], 0 beyond an output's order */
};

/* Number of terms of an order; more than CT_SURROGATE_TERMS_MAX: too many, not counted on. */
size_t ct_surrogate_count_terms(size_t n_dims, unsigned order);

/* n_terms values at a point. */
void ct_surrogate_basis_at(const struct ct_surrogate_basis *basis, const double *z, double *values);
