#include "predict/summaries.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Durations of one cell: an application alone, under a configuration, or beside another. */
struct cell {
    double *duration_s; /* owned */
    size_t n;
    size_t *ends; /* [run]; owned */
    size_t n_runs;
};

struct ct_predict_summaries {
    size_t n_apps, n_configs;
    struct ct_probe_summary *loads; /* [load] */
    bool owns_loads;                /* false: their arrays are borrowed */
    struct cell *cells;             /* [app]; [app * n_configs + config]; [app * n_apps + with] */
    double *known_frac, *true_frac; /* [load] */
    struct ct_between_runs between_runs;
    struct ct_predict_joint_response joint;
};

static size_t n_loads(const struct ct_predict_summaries *summaries)
{
    return 1 + summaries->n_apps + summaries->n_configs;
}

static size_t n_cells(const struct ct_predict_summaries *summaries)
{
    return summaries->n_apps * (1 + summaries->n_configs + summaries->n_apps);
}

/* ---- summarising ---- */

static enum ct_status fail_within_load(enum ct_status status,
                                       const struct ct_measurements *measured, size_t load,
                                       struct ct_error *err)
{
    return load == 0 ? ct_fail_within(err, status, "idle network")
                     : ct_fail_within(err, status, "probe beside %s", measured->loads[load].name);
}

static enum ct_status check_latencies(const struct ct_measurements *measured, struct ct_error *err)
{
    struct ct_queue_service service; /* says what is wrong with the idle sample */
    const struct ct_series idle = ct_samples_values(&measured->loads[0].latency_s);
    enum ct_status status = idle.n > 0 ? ct_queue_service_of(idle, &service, err) : CT_OK;
    if (status != CT_OK)
        return fail_within_load(status, measured, 0, err);
    for (size_t load = 1; load < ct_measured_n_loads(measured); load++) {
        const struct ct_samples *latency_s = &measured->loads[load].latency_s;
        double least_s, most_s;
        if (latency_s->n == 0 ||
            (ct_stats_range(latency_s->x, latency_s->n, &least_s, &most_s) == CT_OK && least_s > 0))
            continue;
        size_t i = 0;
        while (isfinite(latency_s->x[i]) && latency_s->x[i] > 0)
            i++;
        status =
            ct_fail(err, CT_EINVAL, "latency of a probe: %g s is not above 0", latency_s->x[i]);
        return fail_within_load(status, measured, load, err);
    }
    return CT_OK;
}

/* One grid for all loads; without a probe any one. */
static enum ct_status make_grid(const struct ct_measurements *measured, struct ct_probe_grid *grid,
                                struct ct_error *err)
{
    size_t n = ct_measured_n_loads(measured);
    struct ct_series *latency_s = calloc(n, sizeof *latency_s);
    static const double any_s = 1;
    const struct ct_series one = {&any_s, 1};
    if (!latency_s)
        return ct_no_memory(err, "%zu loads", n);
    for (size_t load = 0; load < n; load++)
        latency_s[load] = ct_samples_values(&measured->loads[load].latency_s);
    enum ct_status status = ct_probe_grid_over(latency_s, n, grid);
    if (status == CT_ENODATA)
        status = ct_probe_grid_over(&one, 1, grid);
    free(latency_s);
    return status == CT_OK
               ? CT_OK
               : ct_fail(err, CT_EINVAL, "latencies of the probe differ by more than a factor 2^%d",
                         CT_PROBE_BINS_MAX / CT_PROBE_BINS_PER_OCTAVE);
}

static void free_summaries(struct ct_probe_summary *summaries, size_t n)
{
    for (size_t load = 0; load < n; load++)
        ct_probe_summary_free(&summaries[load]);
}

enum ct_status ct_predict_summarize_probes(const struct ct_measurements *measured,
                                           struct ct_probe_summary *summaries, struct ct_error *err)
{
    size_t n = ct_measured_n_loads(measured);
    struct ct_probe_grid grid;
    memset(summaries, 0, n * sizeof *summaries);
    enum ct_status status = check_latencies(measured, err);
    if (status == CT_OK)
        status = make_grid(measured, &grid, err);
    for (size_t load = 0; load < n && status == CT_OK; load++) {
        const struct ct_samples *latency_s = &measured->loads[load].latency_s;
        status = ct_probe_summarize(ct_samples_values(latency_s), ct_samples_runs(latency_s), &grid,
                                    &summaries[load]);
        if (status != CT_OK) {
            ct_fail(err, status, "summary of the probe: %s", ct_status_text(status));
            fail_within_load(status, measured, load, err);
        }
    }
    if (status != CT_OK)
        free_summaries(summaries, n);
    return status;
}

/* Those that the loads have already, or else new ones. */
static enum ct_status summarize_loads(const struct ct_measurements *measured,
                                      struct ct_predict_summaries *summaries, struct ct_error *err)
{
    if (measured->loads[0].summary.n_blocks == 0) {
        summaries->owns_loads = true;
        return ct_predict_summarize_probes(measured, summaries->loads, err);
    }
    for (size_t load = 0; load < ct_measured_n_loads(measured); load++)
        summaries->loads[load] = measured->loads[load].summary;
    return CT_OK;
}

static enum ct_status summarize_cell(struct ct_samples duration_s, struct cell *cell,
                                     struct ct_error *err)
{
    for (size_t i = 0; i < duration_s.n; i++)
        if (!(isfinite(duration_s.x[i]) && duration_s.x[i] > 0))
            return ct_fail(err, CT_EINVAL, "duration of a pass: %g s is not above 0",
                           duration_s.x[i]);
    size_t n_runs = duration_s.n_runs > 0 ? duration_s.n_runs : 1;
    cell->duration_s = malloc((duration_s.n + 1) * sizeof *cell->duration_s);
    cell->ends = malloc(n_runs * sizeof *cell->ends);
    if (!cell->duration_s || !cell->ends)
        return ct_no_memory(err, "%zu passes", duration_s.n);
    for (size_t i = 0; i < duration_s.n; i++)
        cell->duration_s[i] = duration_s.x[i];
    cell->n = duration_s.n;
    size_t start = 0;
    for (size_t r = 0; r < n_runs; r++) {
        size_t end = r < duration_s.n_runs ? duration_s.ends[r] : duration_s.n;
        if (end > start)
            cell->ends[cell->n_runs++] = start = end;
    }
    return CT_OK;
}

/* Passes of an application beside a load. */
static enum ct_status summarize_passes(const struct ct_measurements *measured, size_t app,
                                       size_t load, struct cell *cell, struct ct_error *err)
{
    const char *name = ct_measured_app(measured, app)->name;
    enum ct_status status = summarize_cell(ct_measured_passes(measured, app, load), cell, err);
    if (status == CT_OK)
        return CT_OK;
    return load == 0
               ? ct_fail_within(err, status, "%s alone", name)
               : ct_fail_within(err, status, "%s beside %s", name, measured->loads[load].name);
}

/* In the order in which replicates draw them: alone, under configurations, beside applications. */
static enum ct_status summarize_cells(const struct ct_measurements *measured,
                                      struct ct_predict_summaries *summaries, struct ct_error *err)
{
    size_t n_apps = measured->n_apps, n_configs = measured->n_configs;
    struct cell *cell = summaries->cells;
    for (size_t app = 0; app < n_apps; app++)
        CT_TRY(summarize_passes(measured, app, 0, cell++, err));
    for (size_t i = 0; i < n_apps * n_configs; i++)
        CT_TRY(summarize_passes(measured, i / n_configs, ct_load_of_config(n_apps, i % n_configs),
                                cell++, err));
    for (size_t i = 0; i < n_apps * n_apps; i++)
        CT_TRY(summarize_passes(measured, i / n_apps, ct_load_of_app(i % n_apps), cell++, err));
    return CT_OK;
}

/* ---- what differs between runs ---- */

/* Relative variance of the means of a cell's runs, less the part that comes from passes. */
static bool excess_variance(const struct cell *cell, double *excess_p, double *freedom_p)
{
    double sum_s = 0, squares = 0, within = 0;
    size_t start = 0;
    for (size_t r = 0; r < cell->n_runs; r++) {
        struct ct_summary run;
        if (ct_stats_summarize(cell->duration_s + start, cell->ends[r] - start, &run) != CT_OK)
            return false;
        sum_s += run.mean;
        squares += run.mean * run.mean;
        within += run.n > 1 ? run.variance / (double)run.n : 0;
        start = cell->ends[r];
    }
    double n = (double)cell->n_runs, mean_s = sum_s / n;
    if (cell->n_runs < 2)
        return false;
    *excess_p = ((squares - n * mean_s * mean_s) / (n - 1) - within / n) / (mean_s * mean_s);
    *freedom_p = n - 1;
    return true;
}

static struct ct_between_runs find_between_runs(const struct ct_predict_summaries *summaries)
{
    double sum = 0, freedom = 0;
    for (size_t i = 0; i < n_cells(summaries); i++) {
        double excess, more;
        if (excess_variance(&summaries->cells[i], &excess, &more)) {
            sum += excess * more;
            freedom += more;
        }
    }
    return (struct ct_between_runs){freedom > 0 ? sqrt(fmax(0, sum / freedom)) : 0,
                                    (uint64_t)freedom};
}

/* ---- the whole ---- */

enum ct_status ct_predict_summarize(const struct ct_predict_input *input,
                                    struct ct_predict_summaries **summaries_p, struct ct_error *err)
{
    const struct ct_measurements *measured = input->measured;
    struct ct_predict_summaries *summaries = calloc(1, sizeof *summaries);
    if (!summaries)
        return ct_no_memory(err, "summaries");
    summaries->n_apps = measured->n_apps;
    summaries->n_configs = measured->n_configs;
    summaries->joint = input->joint;
    /* One more than needed: calloc(0) may answer NULL. */
    summaries->loads = calloc(n_loads(summaries), sizeof *summaries->loads);
    summaries->cells = calloc(n_cells(summaries) + 1, sizeof *summaries->cells);
    summaries->known_frac = calloc(n_loads(summaries), sizeof *summaries->known_frac);
    summaries->true_frac = calloc(n_loads(summaries), sizeof *summaries->true_frac);
    enum ct_status status = CT_OK;
    if (!summaries->loads || !summaries->cells || !summaries->known_frac || !summaries->true_frac)
        status = ct_no_memory(err, "%zu applications", measured->n_apps);
    if (status == CT_OK)
        status = summarize_loads(measured, summaries, err);
    if (status == CT_OK)
        status = summarize_cells(measured, summaries, err);
    if (status != CT_OK) {
        ct_predict_summaries_free(summaries);
        return status;
    }
    for (size_t load = 0; load < n_loads(summaries); load++) {
        summaries->true_frac[load] = measured->loads[load].true_frac;
        summaries->known_frac[load] = measured->loads[load].known_frac;
    }
    summaries->between_runs = find_between_runs(summaries);
    *summaries_p = summaries;
    return CT_OK;
}

void ct_predict_summaries_free(struct ct_predict_summaries *summaries)
{
    if (!summaries)
        return;
    if (summaries->owns_loads)
        free_summaries(summaries->loads, n_loads(summaries));
    free(summaries->loads);
    for (size_t i = 0; summaries->cells && i < n_cells(summaries); i++) {
        free(summaries->cells[i].duration_s);
        free(summaries->cells[i].ends);
    }
    free(summaries->cells);
    free(summaries->known_frac);
    free(summaries->true_frac);
    free(summaries);
}

/* ---- the data, or a replicate of them ---- */

static double mean_of_cell(const struct cell *cell, double between_runs, gsl_rng *rng)
{
    bool is_single = cell->n == 1 && between_runs == 0; /* nothing says how it varies */
    if (cell->n == 0 || (rng && is_single))
        return NAN;
    double sum_s = 0, n = 0;
    for (size_t r = 0; r < cell->n_runs; r++) {
        size_t drawn = rng ? gsl_rng_uniform_int(rng, cell->n_runs) : r;
        size_t start = drawn > 0 ? cell->ends[drawn - 1] : 0, length = cell->ends[drawn] - start;
        for (size_t i = 0; i < length; i++)
            sum_s += cell->duration_s[start + (rng ? gsl_rng_uniform_int(rng, length) : i)];
        n += (double)length;
    }
    double mean_s = sum_s / n;
    /* Means of n runs vary by v / n, of n drawn from those by (n - 1) v / n^2: add the rest. */
    if (rng)
        mean_s *= fmax(0, 1 + between_runs / (double)cell->n_runs * gsl_ran_ugaussian(rng));
    return mean_s;
}

/* Slowdowns share the baseline of their replicate. */
static void make_slowdowns(const struct ct_predict_summaries *summaries, gsl_rng *rng,
                           struct ct_predict_analysis *analysis, double *baseline_s)
{
    size_t n_apps = summaries->n_apps, n_configs = summaries->n_configs;
    const struct ct_interval none = {NAN, NAN};
    const double between_runs = summaries->between_runs.deviation_frac;
    const struct cell *cell = summaries->cells;
    for (size_t app = 0; app < n_apps; app++)
        baseline_s[app] = mean_of_cell(cell++, between_runs, rng);
    for (size_t i = 0; i < n_apps * n_configs; i++) {
        double mean_s = mean_of_cell(cell++, between_runs, rng);
        analysis->under_config[i] =
            (struct ct_slowdown){mean_s / baseline_s[i / n_configs] - 1, none};
    }
    for (size_t i = 0; i < n_apps * n_apps; i++) {
        double mean_s = mean_of_cell(cell++, between_runs, rng);
        analysis->beside_app[i] = (struct ct_slowdown){mean_s / baseline_s[i / n_apps] - 1, none};
    }
}

struct ct_between_runs ct_predict_between_runs(const struct ct_predict_summaries *summaries)
{
    return summaries->between_runs;
}

size_t ct_predict_masses_size(const struct ct_predict_summaries *summaries)
{
    return n_loads(summaries) * ct_probe_mass_size(&summaries->loads[0].grid);
}

size_t ct_predict_n_apps(const struct ct_predict_summaries *summaries)
{
    return summaries->n_apps;
}

size_t ct_predict_n_configs(const struct ct_predict_summaries *summaries)
{
    return summaries->n_configs;
}

static void make_load(const struct ct_predict_summaries *summaries, size_t i, gsl_rng *rng,
                      struct ct_predict_analysis *analysis, struct ct_predict_load *load)
{
    const struct ct_probe_summary *summary = &summaries->loads[i];
    const struct ct_utilization unknown = {NAN, {NAN, NAN}};
    uint32_t drawn[CT_PROBE_BLOCKS_MAX] = {0};
    for (size_t b = 0; b < summary->n_blocks && rng; b++)
        drawn[gsl_rng_uniform_int(rng, summary->n_blocks)]++;
    *load = (struct ct_predict_load){.utilization_frac = NAN,
                                     .utilization_interval = {NAN, NAN},
                                     .calibrated = unknown,
                                     .waiting = unknown,
                                     .mixture = unknown,
                                     .known_frac = summaries->known_frac[i],
                                     .true_utilization_frac = summaries->true_frac[i]};
    if (summary->n_blocks > 0)
        ct_probe_profile_of(summary, rng ? drawn : NULL,
                            analysis->masses + i * ct_probe_mass_size(&summary->grid),
                            &load->profile);
}

enum ct_status ct_predict_draw(const struct ct_predict_summaries *summaries, gsl_rng *rng,
                               struct ct_predict_analysis *analysis)
{
    size_t n_apps = summaries->n_apps;
    double *baseline_s = malloc((n_apps + 1) * sizeof *baseline_s);
    if (!baseline_s)
        return CT_ENOMEM;
    make_load(summaries, 0, rng, analysis, &analysis->idle);
    for (size_t i = 0; i < n_apps; i++)
        make_load(summaries, 1 + i, rng, analysis, &analysis->apps[i]);
    for (size_t i = 0; i < summaries->n_configs; i++)
        make_load(summaries, 1 + n_apps + i, rng, analysis, &analysis->configs[i]);
    make_slowdowns(summaries, rng, analysis, baseline_s);
    analysis->joint = summaries->joint;
    free(baseline_s);
    return CT_OK;
}
