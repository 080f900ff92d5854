#include "predict/validation.h"

#include "core/distribution.h"
#include "core/order.h"

#include <math.h>
#include <stdlib.h>

CT_ORDER(by_latency, struct ct_validation_run, delta_L_s)

static struct ct_validation_point point_of(const struct ct_validation_run *runs, size_t n,
                                           double level)
{
    struct ct_validation_point point = {.delta_L_s = runs[0].delta_L_s,
                                        .n_runs = n,
                                        .measured_ci = {NAN, NAN},
                                        .measured_variance = NAN,
                                        .cpu_wait_frac = NAN,
                                        .predicted_s = NAN};
    double sum = 0, squares = 0, waits = 0;
    size_t n_waits = 0;
    for (size_t i = 0; i < n; i++) {
        sum += runs[i].runtime_s;
        n_waits += isnan(runs[i].cpu_wait_frac) ? 0 : 1;
        waits += isnan(runs[i].cpu_wait_frac) ? 0 : runs[i].cpu_wait_frac;
    }
    point.measured_s = sum / (double)n;
    if (n_waits > 0)
        point.cpu_wait_frac = waits / (double)n_waits;
    for (size_t i = 0; i < n; i++)
        squares += pow(runs[i].runtime_s - point.measured_s, 2);
    if (n > 1) {
        point.measured_variance = squares / (double)(n - 1) / (double)n;
        double half = ct_student_half_width(level, n - 1) * sqrt(point.measured_variance);
        point.measured_ci = (struct ct_interval){point.measured_s - half, point.measured_s + half};
    }
    return point;
}

size_t ct_validation_points(struct ct_validation_run *runs, size_t n, double level,
                            struct ct_validation_point *points)
{
    size_t n_points = 0;
    if (n > 0)
        qsort(runs, n, sizeof *runs, by_latency);
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && runs[end].delta_L_s == runs[first].delta_L_s; end++)
            continue;
        points[n_points++] = point_of(runs + first, end - first, level);
    }
    return n_points;
}

double ct_validation_rrmse(const struct ct_validation_point *points, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += pow(points[i].predicted_s / points[i].measured_s - 1, 2);
    return sqrt(sum / (double)n);
}

/* ---- slopes ---- */

/* Sums of a weighted regression line. */
struct sums {
    double n, x, y, xx, xy, yy;
};

static void add_point(struct sums *s, double weight, double x, double y)
{
    s->n += weight;
    s->x += weight * x;
    s->y += weight * y;
    s->xx += weight * x * x;
    s->xy += weight * x * y;
    s->yy += weight * y * y;
}

/* Deviations from the means; *left_p: what the line does not explain of those of y. */
static double slope_of(const struct sums *s, double *spread_p, double *left_p)
{
    double sxx = s->xx - s->x * s->x / s->n, sxy = s->xy - s->x * s->y / s->n;
    double syy = s->yy - s->y * s->y / s->n;
    if (!(sxx > 1e-12 * s->xx))
        return NAN;
    *spread_p = sxx;
    *left_p = fmax(syy - sxy * sxy / sxx, 0);
    return sxy / sxx;
}

struct ct_validation_slope ct_validation_slope(const struct ct_validation_run *runs, size_t n,
                                               double limit_s, double level)
{
    struct ct_validation_slope result = {.slope = NAN, .ci = {NAN, NAN}};
    struct sums sums = {0};
    double spread = NAN, left = NAN;
    for (size_t i = 0; i < n && runs[i].delta_L_s <= limit_s; i++) {
        /* About the first run, so that no digits are lost. */
        add_point(&sums, 1, runs[i].delta_L_s, runs[i].runtime_s - runs[0].runtime_s);
        result.n_runs++;
    }
    if (result.n_runs < 2)
        return result;
    result.slope = slope_of(&sums, &spread, &left);
    if (isnan(result.slope) || result.n_runs < 3)
        return result;
    uint64_t df = result.n_runs - 2;
    double half = ct_student_half_width(level, df) * sqrt(left / (double)df / spread);
    result.ci = (struct ct_interval){result.slope - half, result.slope + half};
    return result;
}

double ct_validation_predicted_slope(const struct ct_validation_point *points, size_t n,
                                     double limit_s)
{
    struct sums sums = {0};
    double spread = NAN, left = NAN;
    for (size_t i = 0; i < n && points[i].delta_L_s <= limit_s; i++)
        add_point(&sums, (double)points[i].n_runs, points[i].delta_L_s,
                  points[i].predicted_s - points[0].predicted_s);
    return sums.n > 0 ? slope_of(&sums, &spread, &left) : NAN;
}

double ct_validation_limit_s(const struct ct_validation_point *points, size_t n, double longer_frac)
{
    size_t last = 0;
    for (size_t i = 1; i < n; i++)
        if (points[i].measured_s <= (1 + longer_frac) * points[0].measured_s)
            last = i;
    return points[last].delta_L_s;
}

/* ---- tolerances ---- */

struct pool {
    double value, weight;
    size_t n; /* points in it */
};

/* Averages neighbours until none is below the one before. */
static size_t make_ascend(const struct ct_validation_point *points, size_t n, struct pool *pools)
{
    size_t n_pools = 0;
    for (size_t i = 0; i < n; i++) {
        pools[n_pools++] = (struct pool){points[i].measured_s, (double)points[i].n_runs, 1};
        while (n_pools > 1 && pools[n_pools - 1].value < pools[n_pools - 2].value) {
            struct pool *to = &pools[n_pools - 2], *from = &pools[n_pools - 1];
            double weight = to->weight + from->weight;
            to->value = (to->value * to->weight + from->value * from->weight) / weight;
            to->weight = weight;
            to->n += from->n;
            n_pools--;
        }
    }
    return n_pools;
}

double ct_validation_tolerance_s(const struct ct_validation_point *points, size_t n,
                                 double longer_frac)
{
    struct pool *pools = calloc(n + 1, sizeof *pools);
    double found_s = NAN, before_s = NAN, before = NAN, limit = NAN;
    size_t n_pools = pools ? make_ascend(points, n, pools) : 0;
    for (size_t i = 0, k = 0; i < n_pools && isnan(found_s); i++)
        for (size_t j = 0; j < pools[i].n && isnan(found_s); j++, k++) {
            double value = pools[i].value;
            if (k == 0)
                limit = (1 + longer_frac) * value;
            else if (value > limit)
                found_s = before_s +
                          (points[k].delta_L_s - before_s) * (limit - before) / (value - before);
            before_s = points[k].delta_L_s;
            before = value;
        }
    free(pools);
    return found_s;
}

/* What a replicate of the runs is made of. */
struct replicate {
    const struct ct_validation_point *points; /* as measured */
    struct ct_validation_point *drawn;        /* [n_points] */
    size_t n_points;
    double longer_frac;
};

/* Relative deviations of runs from the mean at their latency, of n runs in their order. Where a
 * latency has one run, that of another in turn. Returns how many are known. */
static size_t find_deviations(const struct ct_validation_run *runs,
                              const struct ct_validation_point *points, size_t n_points,
                              double *known)
{
    size_t n_known = 0, run = 0;
    for (size_t i = 0; i < n_points; run += points[i].n_runs, i++)
        for (size_t k = 0; k < points[i].n_runs && points[i].n_runs > 1; k++) {
            double n = (double)points[i].n_runs;
            known[n_known++] =
                (runs[run + k].runtime_s / points[i].measured_s - 1) * sqrt(n / (n - 1));
        }
    for (size_t i = n_known; i < run && n_known > 0; i++)
        known[i] = known[i - n_known];
    return n_known;
}

static double drawn_tolerance_s(const struct ct_series *series, void *data)
{
    const struct replicate *of = data;
    for (size_t i = 0, run = 0; i < of->n_points; i++) {
        double sum = 0;
        for (size_t k = 0; k < of->points[i].n_runs; k++)
            sum += series->x[run++];
        of->drawn[i] = of->points[i];
        of->drawn[i].measured_s *= 1 + sum / (double)of->points[i].n_runs;
    }
    double found_s = ct_validation_tolerance_s(of->drawn, of->n_points, of->longer_frac);
    return isnan(found_s) ? INFINITY : found_s;
}

enum ct_status ct_validation_tolerance_ci(const struct ct_validation_run *runs, size_t n,
                                          double longer_frac, const struct ct_bootstrap *setup,
                                          struct ct_interval *ci_p)
{
    struct ct_validation_run *sorted = malloc((n + 1) * sizeof *sorted);
    struct ct_validation_point *points = calloc(2 * n + 1, sizeof *points);
    double *known = malloc((n + 1) * sizeof *known);
    struct ct_bootstrap independent = *setup;
    enum ct_status status = sorted && points && known ? CT_OK : CT_ENOMEM;
    *ci_p = (struct ct_interval){NAN, NAN};
    if (status == CT_OK) {
        for (size_t i = 0; i < n; i++)
            sorted[i] = runs[i];
        struct replicate of = {points, points + n, 0, longer_frac};
        of.n_points = ct_validation_points(sorted, n, setup->level, points);
        independent.block = 1;
        if (find_deviations(sorted, points, of.n_points, known) > 0)
            status = ct_stats_bootstrap(&(struct ct_series){known, n}, 1, drawn_tolerance_s, &of,
                                        &independent, ci_p);
    }
    ci_p->lo = isfinite(ci_p->lo) ? ci_p->lo : NAN;
    ci_p->hi = isfinite(ci_p->hi) ? ci_p->hi : NAN;
    free(sorted);
    free(points);
    free(known);
    return status;
}
