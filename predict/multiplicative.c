#include "predict/multiplicative.h"

#include "predict/constants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double least_frac = -0.01;

struct ct_multiplicative {
    size_t n_apps;
    double logs[]; /* [app * n_apps + with]; NaN: not measured */
};

enum ct_status ct_multiplicative_new(const struct ct_slowdown *beside_app, size_t n_apps,
                                     struct ct_multiplicative **multiplicative_p)
{
    struct ct_multiplicative *made = malloc(sizeof *made + n_apps * n_apps * sizeof *made->logs);
    if (!made)
        return CT_ENOMEM;
    made->n_apps = n_apps;
    for (size_t i = 0; i < n_apps * n_apps; i++) {
        const double frac = beside_app[i].frac;
        made->logs[i] =
            isnan(frac) ? NAN
                        : log(ct_predict_constant(CT_PREDICT_NULL_OFFSET) + fmax(frac, least_frac));
    }
    *multiplicative_p = made;
    return CT_OK;
}

void ct_multiplicative_free(struct ct_multiplicative *multiplicative)
{
    free(multiplicative);
}

/* The co-runs that are used, and the effects: rows of applications, then columns. */
struct fit {
    size_t n_apps, n_used;
    double *logs;    /* [app * n_apps + with]; NaN: not used */
    double *effects; /* [n_apps] rows, [n_apps] columns */
    double mean;
};

static void leave_out(struct fit *fit, size_t app, size_t with, const size_t *left_out, size_t n)
{
    fit->logs[app * fit->n_apps + with] = NAN;
    fit->logs[with * fit->n_apps + app] = NAN;
    for (size_t i = 0; i < n; i++)
        for (size_t other = 0; other < fit->n_apps; other++)
            fit->logs[left_out[i] * fit->n_apps + other] =
                fit->logs[other * fit->n_apps + left_out[i]] = NAN;
    for (size_t i = 0; i < fit->n_apps * fit->n_apps; i++)
        fit->n_used += isnan(fit->logs[i]) ? 0 : 1;
}

/* The effect of a row (step 1 in it) or column that fits best, given the others; its change. */
static double adjust_effect(struct fit *fit, size_t effect)
{
    const size_t n = fit->n_apps, app = effect < n ? effect : effect - n;
    const bool is_row = effect < n;
    const double *others = fit->effects + (is_row ? n : 0);
    double sum = 0, before = fit->effects[effect];
    size_t n_used = 0;
    for (size_t i = 0; i < n; i++) {
        const double y = fit->logs[is_row ? app * n + i : i * n + app];
        if (isnan(y))
            continue;
        sum += y - fit->mean - others[i];
        n_used++;
    }
    fit->effects[effect] = sum / ((double)n_used + ct_predict_constant(CT_PREDICT_NULL_RIDGE));
    return fabs(fit->effects[effect] - before);
}

static void adjust_mean(struct fit *fit)
{
    const size_t n = fit->n_apps;
    const double *y = fit->logs;
    double sum = 0;
    for (size_t app = 0; app < n; app++)
        for (size_t with = 0; with < n; with++, y++)
            if (!isnan(*y))
                sum += *y - fit->effects[app] - fit->effects[n + with];
    fit->mean = sum / (double)fit->n_used;
}

/* One effect after the other (Gauss-Seidel), until none changes. */
static void solve_fit(struct fit *fit)
{
    enum { STEPS_MAX = 10000 };
    static const double settled = 1e-10;
    double change = 1;
    for (int step = 0; step < STEPS_MAX && change > settled; step++) {
        change = 0;
        adjust_mean(fit);
        for (size_t effect = 0; effect < 2 * fit->n_apps; effect++)
            change = fmax(change, adjust_effect(fit, effect));
    }
}

enum ct_status ct_multiplicative_slowdown(const struct ct_multiplicative *multiplicative,
                                          size_t app, size_t with, const size_t *left_out,
                                          size_t n_left_out, double *slowdown_p)
{
    const size_t n = multiplicative->n_apps;
    struct fit fit = {.n_apps = n, .logs = malloc((n * n + 2 * n) * sizeof *fit.logs)};
    if (!fit.logs)
        return CT_ENOMEM;
    memcpy(fit.logs, multiplicative->logs, n * n * sizeof *fit.logs);
    fit.effects = fit.logs + n * n;
    memset(fit.effects, 0, 2 * n * sizeof *fit.effects);
    leave_out(&fit, app, with, left_out, n_left_out);
    if (fit.n_used > 0)
        solve_fit(&fit);
    *slowdown_p = fit.n_used > 0 ? exp(fit.mean + fit.effects[app] + fit.effects[n + with]) -
                                       ct_predict_constant(CT_PREDICT_NULL_OFFSET)
                                 : NAN;
    free(fit.logs);
    return CT_OK;
}
