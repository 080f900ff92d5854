/** Speeds of applications that slow each other: docs/models.md, models mutual and probe. Pure. */
#pragma once

#include <stddef.h>

/**
 * What an application whose co-runners are slowed themselves is spared. With V its speed beside
 * them at full speed, and x their mean speed:
 */
enum ct_mutual_law {
    CT_MUTUAL_SHARES, /**< v = 1 - x (1 - V): it meets them in x times the share of the time */
    CT_MUTUAL_RATES   /**< 1 / v = 1 + x (1 / V - 1): it loses x times as long in each pass */
};

/** n >= 2 applications that run at the same time; arrays of n, borrowed. */
struct ct_mutual {
    enum ct_mutual_law law;
    size_t n;
    const double *full; /**< V, > 0, <= 1 */
    const double *load; /**< share of the network that the application takes alone, >= 0 */
    double *speed;      /**< filled in: speeds v */
};

/**
 * Solve for the speeds of all, where x_i is the mean of the other v, weighted by load.
 * @return v of the first application
 */
double ct_mutual_speed(struct ct_mutual *mutual);
