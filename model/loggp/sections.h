/** A measured curve as few straight sections, the form in which simulators take costs. */
#ifndef CT_MODEL_LOGGP_SECTIONS_H
#define CT_MODEL_LOGGP_SECTIONS_H

#include <stddef.h>

/** y = startup + slope * x, from x = from until the next section. */
struct ct_section {
    double from;
    double startup, slope;
};

/**
 * Cut a curve into sections that stay within a relative error of every point, each as long as it
 * can be. A section is a least-squares line of relative errors with startup >= 0 and
 * slope >= least_slope; a point that no such line meets has a section of its own.
 * @param x           [in]  n values, >= 0, ascending
 * @param y           [in]  n values, > 0
 * @param tolerance   [in]  relative, > 0
 * @param sections_p  [out] room for n; the first one begins at 0
 * @return number of sections
 */
size_t ct_sections_fit(const double *x, const double *y, size_t n, double least_slope,
                       double tolerance, struct ct_section *sections_p);

#endif
