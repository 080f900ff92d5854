/** Approximates a measured curve by few straight sections, as simulators take costs. Pure. */
#pragma once

#include <stddef.h>

/** y = startup + slope * x, for x from `from` up to the next section. */
struct ct_section {
    double from;
    double startup, slope;
};

/** A curve to approximate. Arrays of n, borrowed. */
struct ct_sections_curve {
    const double *x;         /**< >= 0, ascending */
    const double *y;         /**< > 0 */
    const double *tolerance; /**< largest relative errors, > 0 */
    size_t n;
    double least_startup, least_slope; /**< lower bounds, for every section */
};

/**
 * Approximate a curve by sections. The relative error of every point is at most its tolerance, or
 * as small as the lower bounds of startup and slope let it be. Each section has as many points as
 * possible, and is the line with the least sum of squared errors relative to the tolerances.
 * @param sections_p  [out] room for n; the first one begins at 0
 * @return number of sections
 */
size_t ct_sections_fit(const struct ct_sections_curve *curve, struct ct_section *sections_p);
