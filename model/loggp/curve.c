#include "model/loggp/curve.h"

#include <math.h>

struct ct_estimate ct_estimate_none(void)
{
    return (struct ct_estimate){NAN, {NAN, NAN}};
}

struct ct_estimate ct_estimate_median(double *x, size_t n, double level)
{
    struct ct_estimate estimate = ct_estimate_none();
    ct_stats_sort(x, n);
    if (ct_stats_quantile(x, n, 0.5, &estimate.value) != CT_OK ||
        ct_stats_quantile_interval(x, n, 0.5, level, &estimate.ci) != CT_OK)
        return ct_estimate_none();
    return estimate;
}

struct ct_estimate ct_estimate_combine(double a, struct ct_estimate x, double b,
                                       struct ct_estimate y)
{
    double below_x = a >= 0 ? a * (x.value - x.ci.lo) : a * (x.value - x.ci.hi);
    double above_x = a >= 0 ? a * (x.ci.hi - x.value) : a * (x.ci.lo - x.value);
    double below_y = b >= 0 ? b * (y.value - y.ci.lo) : b * (y.value - y.ci.hi);
    double above_y = b >= 0 ? b * (y.ci.hi - y.value) : b * (y.ci.lo - y.value);
    double value = a * x.value + b * y.value;
    return (struct ct_estimate){value,
                                {value - hypot(below_x, below_y), value + hypot(above_x, above_y)}};
}

double ct_estimate_half_width(struct ct_estimate x)
{
    double half = (x.ci.hi - x.ci.lo) / 2;
    return isnan(half) ? 0 : half;
}

bool ct_estimate_differ(struct ct_estimate x, struct ct_estimate y)
{
    return x.ci.hi < y.ci.lo || y.ci.hi < x.ci.lo;
}

struct ct_estimate ct_loggp_gap(const struct ct_loggp_point *point)
{
    return isnan(point->g_s.value) ? point->g_saturation_s : point->g_s;
}

struct ct_estimate ct_loggp_gap_of_one(const struct ct_loggp_point *points, size_t n)
{
    size_t first = 0;
    while (first < n && points[first].bytes == 0)
        first++;
    return first < n ? ct_loggp_gap(&points[first]) : ct_estimate_none();
}

/* 0 where a value was not measured. */
static double find_misfit(const struct ct_loggp_point three[3], struct ct_estimate a,
                          struct ct_estimate b, struct ct_estimate c, double epsilon)
{
    double known = (double)three[1].bytes - (double)three[0].bytes;
    double beyond = (double)three[2].bytes - (double)three[1].bytes;
    double factor = beyond / known;
    double expected = b.value + factor * (b.value - a.value);
    double noise = hypot(ct_estimate_half_width(c), hypot((1 + factor) * ct_estimate_half_width(b),
                                                          factor * ct_estimate_half_width(a)));
    double distance = fabs(c.value - expected);
    return distance > 0 ? distance / fmax(epsilon * fabs(c.value), noise) : 0;
}

double ct_loggp_gap_misfit(const struct ct_loggp_point three[3], double epsilon)
{
    return find_misfit(three, ct_loggp_gap(&three[0]), ct_loggp_gap(&three[1]),
                       ct_loggp_gap(&three[2]), epsilon);
}

double ct_loggp_misfit(const struct ct_loggp_point three[3], double epsilon)
{
    double os = find_misfit(three, three[0].os_s, three[1].os_s, three[2].os_s, epsilon);
    double or_ = find_misfit(three, three[0].or_s, three[1].or_s, three[2].or_s, epsilon);
    return fmax(fmax(os, or_), ct_loggp_gap_misfit(three, epsilon));
}
