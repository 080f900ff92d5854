#include "model/loggp/sections.h"

#include <math.h>
#include <stdbool.h>

static struct ct_section fit_line(const double *x, const double *y, size_t n, double least_slope)
{
    double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0;
    for (size_t i = 0; i < n; i++) {
        double weight = 1 / (y[i] * y[i]);
        w += weight;
        wx += weight * x[i];
        wy += weight * y[i];
        wxx += weight * x[i] * x[i];
        wxy += weight * x[i] * y[i];
    }
    double spread = w * wxx - wx * wx;
    struct ct_section line = {.from = x[0], .slope = least_slope};
    if (n > 1 && spread > 0)
        line.slope = fmax(least_slope, (w * wxy - wx * wy) / spread);
    line.startup = (wy - line.slope * wx) / w;
    if (line.startup < 0) {
        line.startup = 0;
        line.slope = wxx > 0 ? fmax(least_slope, wxy / wxx) : least_slope;
    }
    return line;
}

static bool meets(struct ct_section line, const double *x, const double *y, size_t n,
                  double tolerance)
{
    for (size_t i = 0; i < n; i++)
        if (fabs(line.startup + line.slope * x[i] - y[i]) > tolerance * y[i])
            return false;
    return true;
}

size_t ct_sections_fit(const double *x, const double *y, size_t n, double least_slope,
                       double tolerance, struct ct_section *sections_p)
{
    size_t n_sections = 0;
    for (size_t first = 0; first < n;) {
        size_t length = 1;
        struct ct_section section = fit_line(x + first, y + first, 1, least_slope);
        for (size_t longer = 2; first + longer <= n; longer++) {
            struct ct_section line = fit_line(x + first, y + first, longer, least_slope);
            if (!meets(line, x + first, y + first, longer, tolerance))
                break;
            section = line;
            length = longer;
        }
        if (first == 0)
            section.from = 0;
        sections_p[n_sections++] = section;
        first += length;
    }
    return n_sections;
}
