#include "predict/co_run_effects.h"

#include "predict/constants.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { N_SHRINKAGES = 5, SWEEPS = 12 };

/* Of one shrinkage: m, then r of each application, then c of each. */
static size_t values_count(size_t n_apps)
{
    return 1 + 2 * n_apps;
}

struct ct_co_run_effects {
    size_t n_apps, n_measured;
    double *left_over; /* [app * n_apps + with] */
    double *error;  /* [shrinkage * n_apps * n_apps + app * n_apps + with]: predicted from others */
    double *values; /* [shrinkage * values_count()], from all co-runs */
};

static double shrinkage_of(size_t i)
{
    double least = ct_predict_constant(CT_PREDICT_CO_RUN_SHRINKAGE);
    return i + 1 < N_SHRINKAGES ? ldexp(least, (int)i) : INFINITY;
}

/* Which co-runs count: a table of their own, with NaN for those that do not. */
struct effects_fit {
    const double *y;
    size_t n_apps;
    double shrinkage;
    double *values;
};

static double shrunk_mean(double sum, size_t n, double shrinkage)
{
    return isinf(shrinkage) ? 0 : sum / ((double)n + shrinkage);
}

static void settle_middle(const struct effects_fit *fit)
{
    const double *r = fit->values + 1, *c = r + fit->n_apps;
    double sum = 0;
    size_t n = 0;
    for (size_t app = 0; app < fit->n_apps; app++)
        for (size_t with = 0; with < fit->n_apps; with++) {
            double y = fit->y[app * fit->n_apps + with];
            if (isnan(y))
                continue;
            sum += y - r[app] - c[with];
            n++;
        }
    fit->values[0] = shrunk_mean(sum, n, fit->shrinkage);
}

/* Sensitivity of an application: over its co-runs as the one that is slowed. */
static void settle_row(const struct effects_fit *fit, size_t app)
{
    const double *c = fit->values + 1 + fit->n_apps, *y = fit->y + app * fit->n_apps;
    double sum = 0;
    size_t n = 0;
    for (size_t with = 0; with < fit->n_apps; with++)
        if (!isnan(y[with])) {
            sum += y[with] - fit->values[0] - c[with];
            n++;
        }
    fit->values[1 + app] = shrunk_mean(sum, n, fit->shrinkage);
}

static void settle_column(const struct effects_fit *fit, size_t with)
{
    const double *r = fit->values + 1;
    double sum = 0;
    size_t n = 0;
    for (size_t app = 0; app < fit->n_apps; app++) {
        double y = fit->y[app * fit->n_apps + with];
        if (!isnan(y)) {
            sum += y - fit->values[0] - r[app];
            n++;
        }
    }
    fit->values[1 + fit->n_apps + with] = shrunk_mean(sum, n, fit->shrinkage);
}

static void settle_all(const struct effects_fit *fit)
{
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        settle_middle(fit);
        for (size_t app = 0; app < fit->n_apps; app++)
            settle_row(fit, app);
        for (size_t with = 0; with < fit->n_apps; with++)
            settle_column(fit, with);
    }
}

/* Begins at what all co-runs say, which is near. */
static double predict_pair(const struct ct_co_run_effects *effects, const double *y,
                           size_t shrinkage, size_t app, size_t with, double *values)
{
    size_t n = effects->n_apps, size = values_count(n);
    memcpy(values, effects->values + shrinkage * size, size * sizeof *values);
    const struct effects_fit fit = {y, n, shrinkage_of(shrinkage), values};
    if (effects->n_measured <= ct_predict_count(CT_PREDICT_CO_RUNS_EXACT))
        settle_all(&fit);
    settle_row(&fit, app);
    settle_column(&fit, with);
    return values[0] + values[1 + app] + values[1 + n + with];
}

static void hide_pair(double *y, size_t n_apps, size_t app, size_t with)
{
    y[app * n_apps + with] = NAN;
    y[with * n_apps + app] = NAN;
}

static void hide_apps(double *y, size_t n_apps, const size_t *apps, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t other = 0; other < n_apps; other++)
            hide_pair(y, n_apps, apps[i], other);
}

/* Room for a table of co-runs and the values of a fit. */
static double *make_room(const struct ct_co_run_effects *effects)
{
    size_t n = effects->n_apps;
    return malloc((n * n + values_count(n)) * sizeof(double));
}

static enum ct_status judge_shrinkages(struct ct_co_run_effects *effects)
{
    size_t n = effects->n_apps;
    double *y = make_room(effects);
    if (!y)
        return CT_ENOMEM;
    memcpy(y, effects->left_over, n * n * sizeof *y);
    for (size_t i = 0; i < n * n; i++) {
        size_t app = i / n, with = i % n;
        if (isnan(effects->left_over[i]))
            continue;
        hide_pair(y, n, app, with);
        for (size_t s = 0; s < N_SHRINKAGES; s++)
            effects->error[s * n * n + i] =
                effects->left_over[i] - predict_pair(effects, y, s, app, with, y + n * n);
        y[i] = effects->left_over[i];
        y[with * n + app] = effects->left_over[with * n + app];
    }
    free(y);
    return CT_OK;
}

enum ct_status ct_co_run_effects_new(const double *left_over, size_t n_apps,
                                     struct ct_co_run_effects **effects_p)
{
    size_t n = n_apps * n_apps, size = values_count(n_apps);
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
        const struct effects_fit fit = {effects->left_over, n_apps, shrinkage_of(s),
                                        effects->values + s * size};
        settle_all(&fit);
    }
    if (status == CT_OK)
        status = judge_shrinkages(effects);
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

enum ct_status ct_co_run_effects_at(const struct ct_co_run_effects *effects, size_t app,
                                    size_t with, const size_t *left_out, size_t n_left_out,
                                    double *value_p)
{
    size_t n = effects->n_apps;
    double *y = make_room(effects), predicted[N_SHRINKAGES];
    if (!y)
        return CT_ENOMEM;
    memcpy(y, effects->left_over, n * n * sizeof *y);
    hide_pair(y, n, app, with);
    hide_apps(y, n, left_out, n_left_out);
    for (size_t s = 0; s < N_SHRINKAGES; s++)
        predicted[s] = predict_pair(effects, y, s, app, with, y + n * n);
    *value_p = weigh_shrinkages(effects, y, predicted);
    free(y);
    return CT_OK;
}
