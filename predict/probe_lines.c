#include "predict/probe_lines.h"

#include "predict/co_run_effects.h"
#include "predict/constants.h"

#include <math.h>
#include <stdlib.h>

struct ct_probe_line_setup ct_probe_line_setup_default(void)
{
    return (struct ct_probe_line_setup){
        .moment = ct_predict_constant(CT_PREDICT_PROBE_MOMENT),
        .delay_share = ct_predict_constant(CT_PREDICT_PROBE_DELAY_SHARE),
        .idle_quantile = ct_predict_constant(CT_PREDICT_WAITING_QUANTILE),
        .offset = ct_predict_constant(CT_PREDICT_PROBE_OFFSET),
        .slope = ct_predict_constant(CT_PREDICT_PROBE_SLOPE),
        .slope_deviation = ct_predict_constant(CT_PREDICT_PROBE_SLOPE_DEVIATION),
        .noise = ct_predict_constant(CT_PREDICT_PROBE_NOISE),
        .beyond = ct_predict_constant(CT_PREDICT_PROBE_BEYOND),
    };
}

double ct_probe_log(const struct ct_probe_line_setup *setup, double slowdown_frac)
{
    return log(setup->offset + fmax(slowdown_frac, -setup->offset / 5));
}

/* ---- what the probe reads ---- */

/* (mean of max(latency - from, 0)^p)^(1/p); a bin counts by its middle. */
static double mean_delay_s(const struct ct_probe_profile *profile, double from_s, double p)
{
    const struct ct_probe_grid *grid = &profile->grid;
    double sum = 0;
    for (size_t i = 0; i < grid->n_bins; i++) {
        double middle_s = (ct_probe_edge_s(grid, i) + ct_probe_edge_s(grid, i + 1)) / 2;
        if (profile->mass[i] > 0 && middle_s > from_s)
            sum += profile->mass[i] * pow(middle_s - from_s, p);
    }
    return pow(sum, 1 / p);
}

static void read_load(const struct ct_predict_analysis *analysis,
                      const struct ct_predict_load *load, struct ct_probe_lines *lines,
                      size_t number)
{
    const struct ct_probe_profile *idle = &analysis->idle.profile, *profile = &load->profile;
    double from_s = analysis->idle_latency_s, p = lines->setup.moment;
    double still = ct_probe_undisturbed_frac(idle, profile, lines->setup.idle_quantile);
    lines->delay[number] = lines->still[number] = NAN;
    if (isnan(still))
        return;
    double delay_s = mean_delay_s(profile, from_s, p) - mean_delay_s(idle, from_s, p);
    lines->delay[number] = fmax(0, delay_s) / from_s;
    /* Of n probes a share of less than 1/n is not known. */
    lines->still[number] = fmax(still, 1 / (double)profile->latency_s.n);
}

double ct_probe_reading(const struct ct_probe_lines *lines, const size_t *loads, size_t n)
{
    double delay = 0, still = 1, share = lines->setup.delay_share;
    for (size_t i = 0; i < n; i++) {
        delay += lines->delay[loads[i]];
        still *= lines->still[loads[i]];
    }
    return pow(delay, share) * pow((1 - still) / still, 1 - share);
}

/* ---- one line ---- */

struct fit {
    const struct ct_probe_line_setup *setup;
    const double *log_reading, *log_slowdown; /* [n]; readings from their mean */
    size_t n;
};

static double find_deviation(const struct fit *fit, size_t point, double a, double b)
{
    return fit->log_slowdown[point] -
           log(fit->setup->offset + exp(a + b * fit->log_reading[point]));
}

static double slope_excess(const struct fit *fit, double b)
{
    return (b - fit->setup->slope) / fit->setup->slope_deviation;
}

static double price_line(const struct fit *fit, double a, double b)
{
    double sum = slope_excess(fit, b) * slope_excess(fit, b) / 2;
    for (size_t i = 0; i < fit->n; i++)
        sum += fabs(find_deviation(fit, i, a, b)) / fit->setup->noise;
    return b > 0 ? sum : INFINITY;
}

/* Normal equations of a step, with weights that make squares of deviations from them. */
struct step {
    double aa, ab, bb, a, b;
};

static struct step weigh_step(const struct fit *fit, double a, double b)
{
    static const double least = 0.02; /* deviations below this weigh alike */
    const struct ct_probe_line_setup *setup = fit->setup;
    double per = 1 / (setup->slope_deviation * setup->slope_deviation);
    struct step step = {.aa = 1e-9, .bb = per, .b = -(b - setup->slope) * per};
    for (size_t i = 0; i < fit->n; i++) {
        double off = find_deviation(fit, i, a, b), x = fit->log_reading[i];
        double e = exp(a + b * x), rise = e / (setup->offset + e);
        double weight = rise / (fmax(fabs(off), least) * setup->noise);
        step.aa += weight * rise;
        step.ab += weight * rise * x;
        step.bb += weight * rise * x * x;
        step.a += weight * off;
        step.b += weight * off * x;
    }
    return step;
}

static double hold_within(double value, double most)
{
    return fmax(-most, fmin(most, value));
}

/* Least absolute deviations by weighted least squares, damped as Levenberg and Marquardt do. */
static void fit_line(const struct fit *fit, double *a, double *b)
{
    enum { STEPS_MAX = 60, TRIES = 8 };
    double price = price_line(fit, *a, *b), damping = 1e-3, gain = INFINITY;
    for (int i = 0; i < STEPS_MAX && gain > 1e-7; i++) {
        struct step step = weigh_step(fit, *a, *b);
        gain = 0;
        for (int try = 0; try < TRIES && gain <= 0; try++) {
            double aa = step.aa * (1 + damping), bb = step.bb * (1 + damping);
            damping *= 5;
            double det = aa * bb - step.ab * step.ab;
            double da = hold_within((step.a * bb - step.ab * step.b) / det, 2);
            double db = hold_within((aa * step.b - step.ab * step.a) / det, 0.5);
            double tried = price_line(fit, *a + da, *b + db);
            if (!(det > 0) || !(tried < price))
                continue;
            gain = price - tried;
            price = tried;
            *a += da;
            *b += db;
        }
        damping = fmax(1e-6, damping / 25);
    }
}

enum ct_status ct_probe_line_fit(const struct ct_probe_line_point *points, size_t n,
                                 const struct ct_probe_line_setup *setup,
                                 struct ct_probe_line *line_p)
{
    struct ct_probe_line line = {NAN, NAN, NAN, NAN, setup->beyond};
    double *x = malloc((2 * n + 1) * sizeof *x), middle = 0, height = 0;
    size_t n_used = 0;
    if (!x)
        return CT_ENOMEM;
    double *y = x + n;
    for (size_t i = 0; i < n; i++) {
        line.highest_reading = fmax(line.highest_reading, points[i].reading);
        line.highest_slowdown = fmax(line.highest_slowdown, points[i].slowdown_frac);
        if (!(points[i].reading > 0))
            continue;
        x[n_used] = log(points[i].reading);
        y[n_used] = ct_probe_log(setup, points[i].slowdown_frac);
        middle += x[n_used];
        height += y[n_used++];
    }
    if (n_used > 0) {
        middle /= (double)n_used;
        for (size_t i = 0; i < n_used; i++)
            x[i] -= middle;
        const struct fit fit = {setup, x, y, n_used};
        double a = hold_within(height / (double)n_used, 8), b = setup->slope;
        fit_line(&fit, &a, &b);
        line.intercept = a - b * middle;
        line.slope = b;
    }
    free(x);
    *line_p = line;
    return CT_OK;
}

double ct_probe_line_at(const struct ct_probe_line *line, double reading)
{
    double most = fmax(0, line->highest_slowdown);
    if (isnan(line->highest_slowdown) || isnan(reading))
        return NAN;
    if (reading > 0 && isnan(line->intercept))
        return most;
    double slowdown = reading > 0 ? exp(line->intercept + line->slope * log(reading)) : 0;
    if (slowdown <= most)
        return slowdown;
    return most > 0 ? most * pow(slowdown / most, line->beyond) : 0;
}

/* ---- all lines ---- */

static enum ct_status fit_app(const struct ct_predict_analysis *analysis,
                              const struct ct_probe_lines *lines, size_t app, size_t excluded,
                              struct ct_probe_line *line_p)
{
    struct ct_probe_line_point *points = malloc((analysis->n_configs + 1) * sizeof *points);
    size_t n = 0;
    if (!points)
        return CT_ENOMEM;
    for (size_t c = 0; c < analysis->n_configs; c++) {
        double slowdown = analysis->under_config[app * analysis->n_configs + c].frac;
        const size_t load = ct_load_of_config(analysis->n_apps, c);
        double reading = ct_probe_reading(lines, &load, 1);
        if (c != excluded && !isnan(slowdown) && !isnan(reading))
            points[n++] = (struct ct_probe_line_point){reading, slowdown};
    }
    enum ct_status status = ct_probe_line_fit(points, n, &lines->setup, line_p);
    free(points);
    return status;
}

enum ct_status ct_probe_lines_without(const struct ct_predict_analysis *analysis, size_t app,
                                      size_t excluded, struct ct_probe_line *line_p)
{
    return fit_app(analysis, analysis->lines, app, excluded, line_p);
}

enum ct_status ct_probe_lines_new(const struct ct_predict_analysis *analysis,
                                  const struct ct_probe_line_setup *setup,
                                  struct ct_probe_lines **lines_p)
{
    size_t n_apps = analysis->n_apps, n_loads = 1 + n_apps + analysis->n_configs;
    struct ct_probe_lines *lines = calloc(1, sizeof *lines);
    if (!lines)
        return CT_ENOMEM;
    lines->setup = *setup;
    lines->delay = malloc(n_loads * sizeof *lines->delay);
    lines->still = malloc(n_loads * sizeof *lines->still);
    lines->line = calloc(n_apps + 1, sizeof *lines->line);
    enum ct_status status = lines->delay && lines->still && lines->line ? CT_OK : CT_ENOMEM;
    for (size_t i = 0; i < n_loads && status == CT_OK; i++)
        read_load(analysis,
                  i == 0        ? &analysis->idle
                  : i <= n_apps ? &analysis->apps[i - 1]
                                : &analysis->configs[i - 1 - n_apps],
                  lines, i);
    for (size_t app = 0; app < n_apps && status == CT_OK; app++)
        status = fit_app(analysis, lines, app, CT_PREDICT_NO_CONFIG, &lines->line[app]);
    if (status == CT_OK)
        *lines_p = lines;
    else
        ct_probe_lines_free(lines);
    return status;
}

void ct_probe_lines_free(struct ct_probe_lines *lines)
{
    if (!lines)
        return;
    ct_co_run_effects_free(lines->effects);
    free(lines->delay);
    free(lines->still);
    free(lines->line);
    free(lines);
}
