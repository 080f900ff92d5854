/** A measured curve as few straight sections, the form in which simulators take costs. */
#ifndef CT_MODEL_LOGGP_SECTIONS_H
#define CT_MODEL_LOGGP_SECTIONS_H

#include <stddef.h>

/** y = startup + slope * x, from x = from until the next section. */
struct ct_section {
    double from;
    double startup, slope;
};

/** A curve to cut. Arrays of n, borrowed. */
struct ct_sections_curve {
    const double *x;         /**< >= 0, ascending */
    const double *y;         /**< > 0 */
    const double *tolerance; /**< relative errors allowed, > 0 */
    size_t n;
    double least_startup, least_slope; /**< of every section */
};

/**
 * Cut a curve into sections that stay within the relative error allowed of every point, or as close
 * as the least startup and slope let any line come. Each is as long as it can be, and a
 * least-squares line of errors relative to those allowed.
 * @param sections_p  [out] room for n; the first one begins at 0
 * @return number of sections
 */
size_t ct_sections_fit(const struct ct_sections_curve *curve, struct ct_section *sections_p);

#endif
