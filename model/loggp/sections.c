#include "model/loggp/sections.h"

#include <math.h>
#include <stdbool.h>

/* Through points first to first + n - 1. */
static struct ct_section fit_line(const struct ct_sections_curve *curve, size_t first, size_t n)
{
    double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0, least_startup = curve->least_startup;
    for (size_t i = first; i < first + n; i++) {
        double x = curve->x[i], y = curve->y[i], sigma = curve->tolerance[i] * y;
        double weight = 1 / (sigma * sigma);
        w += weight;
        wx += weight * x;
        wy += weight * y;
        wxx += weight * x * x;
        wxy += weight * x * y;
    }
    double spread = w * wxx - wx * wx;
    struct ct_section line = {.from = curve->x[first], .slope = curve->least_slope};
    if (n > 1 && spread > 0)
        line.slope = fmax(line.slope, (w * wxy - wx * wy) / spread);
    line.startup = (wy - line.slope * wx) / w;
    if (line.startup < least_startup) {
        line.startup = least_startup;
        if (wxx > 0)
            line.slope = fmax(curve->least_slope, (wxy - least_startup * wx) / wxx);
    }
    return line;
}

static double error_at(const struct ct_sections_curve *curve, struct ct_section line, size_t i)
{
    double y = curve->y[i];
    return fabs(line.startup + line.slope * curve->x[i] - y) / y;
}

static bool meets_points(const struct ct_sections_curve *curve, struct ct_section line,
                         size_t first, size_t n)
{
    const double rounding = 1e-9;
    for (size_t i = first; i < first + n; i++) {
        double attainable = error_at(curve, fit_line(curve, i, 1), i);
        if (error_at(curve, line, i) > fmax(curve->tolerance[i], attainable + rounding))
            return false;
    }
    return true;
}

size_t ct_sections_fit(const struct ct_sections_curve *curve, struct ct_section *sections_p)
{
    size_t n_sections = 0;
    for (size_t first = 0; first < curve->n;) {
        size_t length = 1;
        struct ct_section section = fit_line(curve, first, 1);
        for (size_t longer = 2; first + longer <= curve->n; longer++) {
            struct ct_section line = fit_line(curve, first, longer);
            if (!meets_points(curve, line, first, longer))
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
