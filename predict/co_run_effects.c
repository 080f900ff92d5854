#include "predict/co_run_effects.h"

#include "predict/constants.h"
#include "predict/two_way.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_SHRINKAGES = 5 };

struct ct_co_run_effects {
    size_t n_apps, n_measured;
    double *left_over; /* [app * n_apps + with] */
    double *error;  /* [shrinkage * n_apps * n_apps + app * n_apps + with]: predicted from others */
    double *values; /* [shrinkage * ct_two_way_size()], from all co-runs */
};

static double shrinkage_of(size_t i)
{
    double least = ct_predict_constant(CT_PREDICT_CO_RUN_SHRINKAGE);
    return i + 1 < N_SHRINKAGES ? ldexp(least, (int)i) : INFINITY;
}

/* Of the co-runs that count: NaN for those that do not. */
static struct ct_two_way fit_of(const double *y, size_t n_apps, size_t shrinkage, double *values)
{
    return (struct ct_two_way){.y = y,
                               .n = n_apps,
                               .ridge = shrinkage_of(shrinkage),
                               .middle_ridge = shrinkage_of(shrinkage),
                               .values = values};
}

enum ct_status ct_co_run_effects_new(const double *left_over, size_t n_apps,
                                     struct ct_co_run_effects **effects_p)
{
    size_t n = n_apps * n_apps, size = ct_two_way_size(n_apps);
    struct ct_co_run_effects *effects = calloc(1, sizeof *effects);
    if (!effects)
        return CT_ENOMEM;
    effects->n_apps = n_apps;
    effects->left_over = malloc((n + 1) * sizeof *effects->left_over);
    effects->error = calloc(N_SHRINKAGES * n + 1, sizeof *effects->error);
    effects->values = calloc(N_SHRINKAGES * size, sizeof *effects->values);
    enum ct_status status =
        effects->left_over && effects->error && effects->values ? CT_OK : CT_ENOMEM;
    for (size_t i = 0; i < n && status == CT_OK; i++) {
        effects->left_over[i] = left_over[i];
        effects->n_measured += isnan(left_over[i]) ? 0 : 1;
    }
    for (size_t s = 0; s < N_SHRINKAGES && status == CT_OK; s++) {
        const struct ct_two_way fit =
            fit_of(effects->left_over, n_apps, s, effects->values + s * size);
        status = ct_two_way_solve(&fit, effects->error + s * n);
    }
    if (status == CT_OK)
        *effects_p = effects;
    else
        ct_co_run_effects_free(effects);
    return status;
}

void ct_co_run_effects_free(struct ct_co_run_effects *effects)
{
    if (!effects)
        return;
    free(effects->left_over);
    free(effects->error);
    free(effects->values);
    free(effects);
}

/* Mean over the shrinkages, each with the likelihood of its errors for the co-runs that count. */
static double weigh_shrinkages(const struct ct_co_run_effects *effects, const double *y,
                               const double *predicted)
{
    size_t n = effects->n_apps * effects->n_apps, n_errors = 0;
    double squares[N_SHRINKAGES] = {0}, least = INFINITY, sum = 0, weights = 0;
    for (size_t i = 0; i < n; i++)
        n_errors += isnan(y[i]) ? 0 : 1;
    for (size_t s = 0; s < N_SHRINKAGES; s++) {
        for (size_t i = 0; i < n; i++)
            if (!isnan(y[i]))
                squares[s] += effects->error[s * n + i] * effects->error[s * n + i];
        squares[s] = fmax(squares[s], 1e-12);
        least = fmin(least, squares[s]);
    }
    for (size_t s = 0; s < N_SHRINKAGES; s++) {
        double weight = pow(squares[s] / least, -(double)n_errors / 2);
        weights += weight;
        sum += weight * predicted[s];
    }
    return sum / weights;
}

/* Of the co-runs that count: y. */
static enum ct_status predict_from_rest(const double *y, size_t n_apps, size_t app, size_t with,
                                        double *value_p)
{
    struct ct_co_run_effects *rest;
    double predicted[N_SHRINKAGES];
    CT_TRY(ct_co_run_effects_new(y, n_apps, &rest));
    for (size_t s = 0; s < N_SHRINKAGES; s++) {
        const struct ct_two_way fit =
            fit_of(y, n_apps, s, rest->values + s * ct_two_way_size(n_apps));
        predicted[s] = ct_two_way_at(&fit, app, with);
    }
    *value_p = weigh_shrinkages(rest, y, predicted);
    ct_co_run_effects_free(rest);
    return CT_OK;
}

/* The same, nearly: what is left out changes the effects of the two applications only. */
static enum ct_status predict_from_all(const struct ct_co_run_effects *effects, const double *y,
                                       size_t app, size_t with, double *value_p)
{
    size_t size = ct_two_way_size(effects->n_apps);
    double predicted[N_SHRINKAGES], *values = malloc(size * sizeof *values);
    if (!values)
        return CT_ENOMEM;
    for (size_t s = 0; s < N_SHRINKAGES; s++) {
        const struct ct_two_way fit = fit_of(y, effects->n_apps, s, values);
        memcpy(values, effects->values + s * size, size * sizeof *values);
        ct_two_way_settle_row(&fit, app);
        ct_two_way_settle_column(&fit, with);
        predicted[s] = ct_two_way_at(&fit, app, with);
    }
    free(values);
    *value_p = weigh_shrinkages(effects, y, predicted);
    return CT_OK;
}

enum ct_status ct_co_run_effects_at(const struct ct_co_run_effects *effects, size_t app,
                                    size_t with, const size_t *left_out, size_t n_left_out,
                                    double *value_p)
{
    size_t n = effects->n_apps;
    double *y = malloc((n * n + 1) * sizeof *y);
    if (!y)
        return CT_ENOMEM;
    memcpy(y, effects->left_over, n * n * sizeof *y);
    ct_two_way_leave_out(y, n, app, with, left_out, n_left_out);
    enum ct_status status = effects->n_measured <= ct_predict_count(CT_PREDICT_CO_RUNS_EXACT)
                                ? predict_from_rest(y, n, app, with, value_p)
                                : predict_from_all(effects, y, app, with, value_p);
    free(y);
    return status;
}
