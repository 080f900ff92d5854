/** Speeds of applications that slow each other; docs/models.md, model mutual. Pure. */
#ifndef CT_PREDICT_MUTUAL_H
#define CT_PREDICT_MUTUAL_H

#include <stddef.h>

/** n >= 2 applications that run together; arrays are borrowed. */
struct ct_mutual {
    size_t n;
    const double *full; /**< speed beside the others at full speed, > 0 and <= 1 */
    const double *load; /**< share of the network that it takes alone; may be 0 */
    double *speed;      /**< room for n */
};

/** Speed of the first. The solution v_i = 1 - x_i (1 - full_i), x_i the mean of the others' v. */
double ct_mutual_speed(struct ct_mutual *mutual);

#endif
