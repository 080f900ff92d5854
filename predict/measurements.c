#include "predict/measurements.h"

#include "core/distribution.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

struct ct_series ct_samples_values(const struct ct_samples *samples)
{
    return (struct ct_series){samples->x, samples->n};
}

struct ct_runs ct_samples_runs(const struct ct_samples *samples)
{
    return (struct ct_runs){samples->ends, samples->n_runs};
}

double ct_samples_mean(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return n > 0 ? sum / (double)n : NAN;
}

void ct_samples_free(struct ct_samples *samples)
{
    free(samples->x);
    free(samples->time_s);
    free(samples->ends);
    *samples = (struct ct_samples){0};
}

enum ct_status ct_measurements_new(size_t n_apps, size_t n_configs,
                                   struct ct_measurements *measured_p)
{
    struct ct_measurements measured = {.n_apps = n_apps, .n_configs = n_configs};
    size_t n = ct_measured_n_loads(&measured);
    measured.loads = calloc(n, sizeof *measured.loads);
    if (!measured.loads)
        return CT_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        struct ct_measured_load *load = &measured.loads[i];
        load->true_frac = load->known_frac = NAN;
        /* One more than needed: calloc(0) may answer NULL. */
        load->passes_s = calloc(n_apps + 1, sizeof *load->passes_s);
        if (!load->passes_s) {
            ct_measurements_free(&measured);
            return CT_ENOMEM;
        }
    }
    *measured_p = measured;
    return CT_OK;
}

void ct_measurements_free(struct ct_measurements *measured)
{
    for (size_t i = 0; measured->loads && i < ct_measured_n_loads(measured); i++) {
        struct ct_measured_load *load = &measured->loads[i];
        free(load->name);
        ct_samples_free(&load->latency_s);
        for (size_t app = 0; load->passes_s && app < measured->n_apps; app++)
            ct_samples_free(&load->passes_s[app]);
        free(load->passes_s);
        ct_probe_summary_free(&load->summary);
    }
    free(measured->loads);
    *measured = (struct ct_measurements){0};
}

size_t ct_measured_n_loads(const struct ct_measurements *measured)
{
    return 1 + measured->n_apps + measured->n_configs;
}

size_t ct_load_of_app(size_t app)
{
    return 1 + app;
}

size_t ct_load_of_config(size_t n_apps, size_t config)
{
    return 1 + n_apps + config;
}

const struct ct_measured_load *ct_measured_app(const struct ct_measurements *measured, size_t app)
{
    return &measured->loads[ct_load_of_app(app)];
}

const struct ct_measured_load *ct_measured_config(const struct ct_measurements *measured,
                                                  size_t config)
{
    return &measured->loads[ct_load_of_config(measured->n_apps, config)];
}

struct ct_samples ct_measured_passes(const struct ct_measurements *measured, size_t app,
                                     size_t load)
{
    const struct ct_samples *passes_s = measured->loads[load].passes_s;
    return passes_s ? passes_s[app] : (struct ct_samples){0};
}

double ct_measured_slowdown(const struct ct_samples *with_s, const struct ct_samples *without_s)
{
    double without = ct_samples_mean(without_s->x, without_s->n);
    return without > 0 ? ct_samples_mean(with_s->x, with_s->n) / without - 1 : NAN;
}

double ct_measured_spread(const struct ct_samples *with_s, const struct ct_samples *without_s)
{
    double sum = 0, squares = 0, n = 0;
    for (size_t r = 0, start = 0; r < with_s->n_runs; start = with_s->ends[r++]) {
        if (with_s->ends[r] == start)
            continue;
        double run = ct_samples_mean(with_s->x + start, with_s->ends[r] - start), before = sum / n;
        n++;
        sum += run;
        squares += n > 1 ? (run - before) * (run - sum / n) : 0;
    }
    return n > 1 ? sqrt(squares / (n - 1)) / ct_samples_mean(without_s->x, without_s->n) : NAN;
}

/* Relative, of the mean in replicates: what its own passes and runs tell, and what is added. */
struct variance {
    double own, added;
};

static struct variance variance_of(const struct ct_samples *samples, double between_runs)
{
    size_t n_runs = samples->n_runs > 0 ? samples->n_runs : 1, n_timed = 0;
    double all = (double)samples->n, mean = ct_samples_mean(samples->x, samples->n), sum = 0;
    if (samples->n == 0 || (samples->n == 1 && between_runs == 0))
        return (struct variance){NAN, NAN};
    for (size_t r = 0, start = 0, end; r < n_runs; r++, start = end) {
        end = samples->n_runs > 0 ? samples->ends[r] : samples->n;
        double n = (double)(end - start), squares = 0;
        if (end == start)
            continue;
        double run = ct_samples_mean(samples->x + start, end - start);
        for (size_t i = start; i < end; i++)
            squares += (samples->x[i] - run) * (samples->x[i] - run);
        sum += n * n / (all * all) * ((run - mean) * (run - mean) + squares / (n * n));
        n_timed++;
    }
    double added = between_runs / (double)n_timed;
    return (struct variance){sum / (mean * mean), added * added};
}

struct ct_interval ct_measured_interval(const struct ct_samples *with_s,
                                        const struct ct_samples *without_s,
                                        struct ct_between_runs between_runs, double level)
{
    double ratio = 1 + ct_measured_slowdown(with_s, without_s);
    const struct variance with = variance_of(with_s, between_runs.deviation_frac),
                          without = variance_of(without_s, between_runs.deviation_frac);
    double added = with.added + without.added, variance = with.own + without.own + added;
    /* Welch and Satterthwaite; what passes tell is taken as known. */
    double freedom = added > 0 ? (double)between_runs.freedom * pow(variance / added, 2) : 0;
    double quantile = freedom >= 1 && freedom < 1e6
                          ? ct_student_half_width(level, (uint64_t)freedom)
                          : gsl_cdf_ugaussian_Pinv((1 + level) / 2);
    double factor = exp(quantile * sqrt(variance));
    return (struct ct_interval){ratio / factor - 1, ratio * factor - 1};
}

static double part_of_time(double part_s, double time_s)
{
    return time_s > 0 ? part_s / time_s : NAN;
}

double ct_samples_wait_frac(const struct ct_samples *samples)
{
    return part_of_time(samples->waited_s, samples->watched_s);
}

double ct_measured_processors(const struct ct_samples *with_s, const struct ct_samples *without_s)
{
    double ratio = 1 + ct_measured_slowdown(with_s, without_s);
    return ct_samples_wait_frac(with_s) * ratio - ct_samples_wait_frac(without_s);
}

double ct_measured_stolen(const struct ct_samples *with_s, const struct ct_samples *without_s)
{
    double ratio = 1 + ct_measured_slowdown(with_s, without_s);
    return part_of_time(with_s->stolen_s, with_s->steal_watched_s) * ratio -
           part_of_time(without_s->stolen_s, without_s->steal_watched_s);
}
