#include "predict/curve.h"

#include "core/order.h"

#include <gsl/gsl_interp.h>
#include <math.h>
#include <stdlib.h>

struct ct_curve {
    size_t n;           /* points, the origin included */
    double *x, *y;      /* x strictly rising, y not falling; one block, at x */
    gsl_interp *interp; /* NULL where two points or fewer are joined by a line */
};

CT_ORDER(by_x, struct ct_curve_point, x)

struct pool {
    double sum;
    size_t n;
};

static double mean_of(const struct pool *pool)
{
    return pool->sum / (double)pool->n;
}

/* Points of equal x are one point of the regression, however often it was measured. */
static size_t next_x(const struct ct_curve_point *points, size_t n, size_t i, struct pool *pool)
{
    size_t end = i;
    *pool = (struct pool){0};
    for (; end < n && points[end].x == points[i].x; end++) {
        pool->sum += points[end].y;
        pool->n++;
    }
    return end;
}

/* Pool adjacent violators: pools[] from the left, each with a greater mean than the one before. */
static void fit_points(const struct ct_curve_point *points, size_t n, struct pool *pools,
                       struct ct_curve *curve)
{
    size_t n_pools = 0, i = 0;
    while (i < n) {
        i = next_x(points, n, i, &pools[n_pools++]);
        while (n_pools > 1 && mean_of(&pools[n_pools - 2]) >= mean_of(&pools[n_pools - 1])) {
            pools[n_pools - 2].sum += pools[n_pools - 1].sum;
            pools[n_pools - 2].n += pools[n_pools - 1].n;
            n_pools--;
        }
    }
    i = 0;
    for (size_t p = 0; p < n_pools; p++) {
        /* The best fit that is bounded below is the unbounded one, cut off at the bound. */
        double y = fmax(0, mean_of(&pools[p]));
        for (size_t used = 0; used < pools[p].n;) {
            struct pool same_x;
            size_t end = next_x(points, n, i, &same_x);
            curve->x[curve->n] = points[i].x;
            curve->y[curve->n++] = y;
            used += same_x.n;
            i = end;
        }
    }
}

enum ct_status ct_curve_new(struct ct_curve_point *points, size_t n, double origin_x,
                            struct ct_curve **curve_p)
{
    if (!isfinite(origin_x))
        return CT_EINVAL;
    size_t n_used = 0;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(points[i].x) || !isfinite(points[i].y))
            return CT_EINVAL;
        if (points[i].x > origin_x)
            points[n_used++] = points[i];
    }
    if (n_used > 0)
        qsort(points, n_used, sizeof *points, by_x);
    struct pool *pools = malloc((n_used + 1) * sizeof *pools);
    struct ct_curve *curve = calloc(1, sizeof *curve);
    double *values = malloc(2 * (n_used + 1) * sizeof *values);
    if (!pools || !curve || !values) {
        free(pools);
        free(curve);
        free(values);
        return CT_ENOMEM;
    }
    *curve = (struct ct_curve){.n = 1, .x = values, .y = values + n_used + 1};
    curve->x[0] = origin_x;
    curve->y[0] = 0;
    fit_points(points, n_used, pools, curve);
    free(pools);
    if (curve->n >= gsl_interp_type_min_size(gsl_interp_steffen)) {
        curve->interp = gsl_interp_alloc(gsl_interp_steffen, curve->n);
        if (!curve->interp || gsl_interp_init(curve->interp, curve->x, curve->y, curve->n)) {
            ct_curve_free(curve);
            return CT_ENOMEM;
        }
    }
    *curve_p = curve;
    return CT_OK;
}

void ct_curve_free(struct ct_curve *curve)
{
    if (!curve)
        return;
    if (curve->interp)
        gsl_interp_free(curve->interp);
    free(curve->x);
    free(curve);
}

double ct_curve_at(const struct ct_curve *curve, double x, bool *beyond_p)
{
    size_t last = curve->n - 1;
    *beyond_p = x > curve->x[last];
    if (x >= curve->x[last])
        return curve->y[last];
    if (x <= curve->x[0])
        return curve->y[0];
    if (curve->interp)
        return gsl_interp_eval(curve->interp, curve->x, curve->y, x, NULL);
    return curve->y[1] * (x - curve->x[0]) / (curve->x[1] - curve->x[0]);
}
