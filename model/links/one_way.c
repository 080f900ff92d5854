#include "model/links/one_way.h"

#include "model/constants.h"

#include <stdbool.h>

/* Of the rate, to 1e-15 of itself. */
enum { BISECTIONS = 50 };

/* Index of the least x_i + rate t_i. */
static size_t find_least(const double *x_s, const double *t_s, size_t n, double rate)
{
    size_t found = 0;
    for (size_t i = 1; i < n; i++)
        if (x_s[i] + rate * t_s[i] < x_s[found] + rate * t_s[found])
            found = i;
    return found;
}

struct trips {
    const double *t_s, *there_s, *back_s;
    size_t n;
};

/* Slope of min(there - r t) + min(back + r t), which is concave in r. */
static double slope_at(const struct trips *trips, double rate)
{
    return trips->t_s[find_least(trips->back_s, trips->t_s, trips->n, rate)] -
           trips->t_s[find_least(trips->there_s, trips->t_s, trips->n, -rate)];
}

/* Where the slope falls below 0 or, if `first`, to 0. */
static double end_of_ascent(const struct trips *trips, bool first)
{
    double hi = ct_model_constant(CT_MODEL_LINK_CLOCK_RATE), lo = -hi;
    for (int i = 0; i < BISECTIONS; i++) {
        double middle = (lo + hi) / 2, slope = slope_at(trips, middle);
        if (first ? slope > 0 : slope >= 0)
            lo = middle;
        else
            hi = middle;
    }
    return (lo + hi) / 2;
}

static void subtract_line(double *x_s, const double *t_s, size_t n, double rate)
{
    size_t at = find_least(x_s, t_s, n, rate);
    double least_s = x_s[at] + rate * t_s[at];
    for (size_t i = 0; i < n; i++)
        x_s[i] = x_s[i] + rate * t_s[i] - least_s;
}

double ct_one_way_waits(const double *sent_s, double *there_s, double *back_s, size_t n)
{
    if (n == 0)
        return 0;
    const struct trips trips = {sent_s, there_s, back_s, n};
    double rate = (end_of_ascent(&trips, true) + end_of_ascent(&trips, false)) / 2;
    subtract_line(there_s, sent_s, n, -rate);
    subtract_line(back_s, sent_s, n, rate);
    return rate;
}
