/** Speeds of applications that slow each other: docs/models.md, model mutual. Pure. */
#ifndef CT_PREDICT_MUTUAL_H
#define CT_PREDICT_MUTUAL_H

#include <stddef.h>

/** n >= 2 applications that run at the same time; arrays of n, borrowed. */
struct ct_mutual {
    size_t n;
    const double *full; /**< speed beside the others while these run as fast as alone, > 0, <= 1 */
    const double *load; /**< share of the network that the application takes alone, >= 0 */
    double *speed;      /**< filled in: speeds v */
};

/**
 * Solve v_i = 1 - x_i (1 - full_i), where x_i is the mean of the other v, weighted by load.
 * @return v of the first application
 */
double ct_mutual_speed(struct ct_mutual *mutual);

#endif
