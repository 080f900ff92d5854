#include "predict/analysis.h"

#include "core/random.h"
#include "model/mixture/mixture.h"
#include "model/queue/calibration.h"
#include "predict/constants.h"
#include "predict/multiplicative.h"
#include "predict/precomputed.h"
#include "predict/probe_lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double ct_predict_utilization(const struct ct_predict_load *load, enum ct_utilization_kind kind)
{
    const double fracs[CT_N_UTILIZATIONS] = {
        [CT_UTILIZATION_PK] = load->utilization_frac,
        [CT_UTILIZATION_CALIBRATED] = load->calibrated.frac,
        [CT_UTILIZATION_WAITING] = load->waiting.frac,
        [CT_UTILIZATION_MIXTURE] = load->mixture.frac,
    };
    return fracs[kind];
}

/* ---- utilizations ---- */

static bool is_measured(const struct ct_predict_load *load)
{
    return load->profile.latency_s.n > 0;
}

/* Nothing where the idle network was not probed. */
static void set_pk(const struct ct_queue_service *service, struct ct_predict_load *load)
{
    if (is_measured(load) && service->time_s > 0)
        load->utilization_frac = ct_queue_utilization(service, load->profile.latency_s.mean);
}

static double delay_s(const struct ct_predict_analysis *analysis,
                      const struct ct_predict_load *load)
{
    return is_measured(load) ? load->profile.latency_s.mean - analysis->idle_latency_s : NAN;
}

static double waiting_frac(const struct ct_predict_analysis *analysis,
                           const struct ct_predict_load *load)
{
    return 1 - ct_probe_undisturbed_frac(&analysis->idle.profile, &load->profile,
                                         ct_predict_constant(CT_PREDICT_WAITING_QUANTILE));
}

static void set_calibrated(const struct ct_predict_analysis *analysis, struct ct_predict_load *load)
{
    load->calibrated.frac =
        ct_queue_relation_at(&ct_queue_delay, delay_s(analysis, load), analysis->delay.parameter);
    load->waiting.frac = ct_queue_relation_at(&ct_queue_waiting, waiting_frac(analysis, load),
                                              analysis->waiting.parameter);
}

/* Both relations, fitted to the configurations whose load is known. */
static enum ct_status calibrate_queue(struct ct_predict_analysis *analysis)
{
    size_t n = analysis->n_configs;
    struct ct_queue_known *known = calloc(n + 1, sizeof *known);
    if (!known)
        return CT_ENOMEM;
    const struct {
        const struct ct_queue_relation *relation;
        double (*signal)(const struct ct_predict_analysis *, const struct ct_predict_load *);
        struct ct_predict_fit *fit;
    } fits[] = {{&ct_queue_delay, delay_s, &analysis->delay},
                {&ct_queue_waiting, waiting_frac, &analysis->waiting}};
    enum ct_status status = CT_OK;
    for (size_t f = 0; f < sizeof fits / sizeof *fits && status != CT_ENOMEM; f++) {
        size_t n_known = 0;
        for (size_t c = 0; c < n; c++)
            if (!isnan(analysis->configs[c].known_frac))
                known[n_known++] =
                    (struct ct_queue_known){fits[f].signal(analysis, &analysis->configs[c]),
                                            analysis->configs[c].known_frac};
        status = ct_queue_fit(fits[f].relation, known, n_known, &fits[f].fit->parameter,
                              &fits[f].fit->rms_frac);
        fits[f].fit->n = status == CT_OK ? n_known : 0;
    }
    free(known);
    return status == CT_ENOMEM ? status : CT_OK;
}

static enum ct_status set_utilizations(struct ct_predict_analysis *analysis)
{
    const struct ct_summary *idle = &analysis->idle.profile.latency_s;
    /* A replicate may hold a single block: without a variance there is no noise in it. */
    const struct ct_queue_service service = {idle->min, isnan(idle->variance) ? 0 : idle->variance};
    analysis->delay = (struct ct_predict_fit){0, NAN, NAN};
    analysis->waiting = (struct ct_predict_fit){0, 1, NAN};
    analysis->idle_latency_s = ct_probe_quantile_s(&analysis->idle.profile, 0.5);
    CT_TRY(calibrate_queue(analysis));
    set_pk(&service, &analysis->idle);
    set_calibrated(analysis, &analysis->idle);
    for (size_t i = 0; i < analysis->n_apps; i++) {
        set_pk(&service, &analysis->apps[i]);
        set_calibrated(analysis, &analysis->apps[i]);
    }
    for (size_t i = 0; i < analysis->n_configs; i++) {
        set_pk(&service, &analysis->configs[i]);
        set_calibrated(analysis, &analysis->configs[i]);
    }
    return CT_OK;
}

/* ---- curves ---- */

enum ct_status ct_predict_curve_make(const struct ct_predict_analysis *analysis, size_t app,
                                     enum ct_utilization_kind kind, size_t excluded,
                                     struct ct_curve **curve_p)
{
    const struct ct_slowdown *slowdown = &analysis->under_config[app * analysis->n_configs];
    size_t most = analysis->n_configs > 0 ? analysis->n_configs : 1;
    struct ct_curve_point *points = malloc(most * sizeof *points);
    if (!points)
        return CT_ENOMEM;
    size_t n = 0;
    for (size_t c = 0; c < analysis->n_configs; c++) {
        struct ct_curve_point point = {ct_predict_utilization(&analysis->configs[c], kind),
                                       slowdown[c].frac};
        if (c != excluded && !isnan(point.x) && !isnan(point.y))
            points[n++] = point;
    }
    double origin_frac = ct_predict_utilization(&analysis->idle, kind);
    struct ct_curve *curve = NULL;
    enum ct_status status = CT_OK;
    if (n > 0 && !isnan(origin_frac))
        status = ct_curve_new(points, n, origin_frac, &curve);
    free(points);
    if (status == CT_OK)
        *curve_p = curve;
    return status;
}

static enum ct_status make_curves(struct ct_predict_analysis *analysis)
{
    for (size_t i = 0; i < CT_N_UTILIZATIONS * analysis->n_apps; i++)
        CT_TRY(ct_predict_curve_make(analysis, i % analysis->n_apps,
                                     (enum ct_utilization_kind)(i / analysis->n_apps),
                                     CT_PREDICT_NO_CONFIG, &analysis->curves[i]));
    return CT_OK;
}

/* Unknown where a configuration of unknown load has a share. */
static double known_load(const struct ct_predict_analysis *analysis, const double *shares)
{
    double sum = 0;
    for (size_t c = 0; c < analysis->n_configs; c++)
        if (shares[1 + c] > 0)
            sum += shares[1 + c] * analysis->configs[c].known_frac;
    return sum;
}

static enum ct_status make_mixture(struct ct_predict_analysis *analysis)
{
    size_t n = 1 + analysis->n_configs;
    struct ct_probe_profile *components = malloc(n * sizeof *components);
    if (!components)
        return CT_ENOMEM;
    bool is_any = is_measured(&analysis->idle); /* else nothing is a mixture of anything */
    components[0] = analysis->idle.profile;
    for (size_t c = 0; c < analysis->n_configs; c++) {
        components[1 + c] = analysis->configs[c].profile;
        is_any |= is_measured(&analysis->configs[c]);
    }
    /* What is below is not distinguished from idle. */
    double floor_s =
        ct_probe_quantile_s(&analysis->idle.profile, ct_predict_constant(CT_PREDICT_IDLE_QUANTILE));
    enum ct_status status = ct_mixture_new(components, n, floor_s, &analysis->mixture);
    free(components);
    for (size_t app = 0; app < analysis->n_apps && status == CT_OK; app++) {
        double *shares = analysis->shares + app * n, distance;
        if (!is_any || !is_measured(&analysis->apps[app]))
            continue;
        status = ct_mixture_weights(analysis->mixture, &analysis->apps[app].profile, NULL, shares,
                                    &distance);
        if (status == CT_OK)
            analysis->apps[app].mixture.frac = known_load(analysis, shares);
    }
    return status;
}

/* ---- the whole ---- */

enum ct_status ct_predict_analysis_draw(const struct ct_predict_summaries *summaries, gsl_rng *rng,
                                        struct ct_predict_analysis *analysis_p)
{
    size_t n_apps = ct_predict_n_apps(summaries), n_configs = ct_predict_n_configs(summaries);
    /* At least one element each: calloc(0) may answer NULL. */
    struct ct_predict_analysis analysis = {
        .n_apps = n_apps,
        .n_configs = n_configs,
        .apps = calloc(n_apps + 1, sizeof *analysis.apps),
        .configs = calloc(n_configs + 1, sizeof *analysis.configs),
        .under_config = calloc(n_apps * n_configs + 1, sizeof *analysis.under_config),
        .beside_app = calloc(n_apps * n_apps + 1, sizeof *analysis.beside_app),
        .shares = calloc(n_apps * (1 + n_configs) + 1, sizeof *analysis.shares),
        .masses = calloc(ct_predict_masses_size(summaries), sizeof *analysis.masses),
    };
    enum ct_status status = CT_ENOMEM;
    if (analysis.apps && analysis.configs && analysis.under_config && analysis.beside_app &&
        analysis.shares && analysis.masses)
        status = ct_predict_draw(summaries, rng, &analysis);
    if (status == CT_OK)
        status = set_utilizations(&analysis);
    if (status == CT_OK)
        status = make_mixture(&analysis);
    if (status != CT_OK) {
        ct_predict_analysis_free(&analysis);
        return status;
    }
    *analysis_p = analysis;
    return CT_OK;
}

enum ct_status ct_predict_analysis_make(const struct ct_predict_summaries *summaries,
                                        struct ct_predict_analysis *analysis_p)
{
    struct ct_predict_analysis analysis;
    CT_TRY(ct_predict_analysis_draw(summaries, NULL, &analysis));
    size_t n_apps = analysis.n_apps, n_loads = 1 + n_apps + analysis.n_configs;
    size_t n_responses = n_apps * n_loads;
    analysis.responses = malloc((n_responses + 1) * sizeof *analysis.responses);
    analysis.curves = calloc(CT_N_UTILIZATIONS * n_apps + 1, sizeof *analysis.curves);
    for (size_t i = 0; analysis.responses && i < n_responses; i++)
        analysis.responses[i] = NAN;
    enum ct_status status =
        analysis.responses && analysis.curves ? make_curves(&analysis) : CT_ENOMEM;
    if (status == CT_OK)
        status = ct_predict_precomputed_make(&analysis, &analysis.precomputed);
    const struct ct_probe_line_setup setup = ct_probe_line_setup_default();
    if (status == CT_OK)
        status = ct_probe_lines_new(&analysis, &setup, &analysis.lines);
    if (status == CT_OK)
        status = ct_multiplicative_new(analysis.beside_app, n_apps, &analysis.multiplicative);
    if (status != CT_OK) {
        ct_predict_analysis_free(&analysis);
        return status;
    }
    *analysis_p = analysis;
    return CT_OK;
}

void ct_predict_analysis_free(struct ct_predict_analysis *analysis)
{
    for (size_t i = 0; analysis->curves && i < CT_N_UTILIZATIONS * analysis->n_apps; i++)
        ct_curve_free(analysis->curves[i]);
    free(analysis->curves);
    ct_mixture_free(analysis->mixture);
    ct_predict_precomputed_free(analysis->precomputed);
    ct_probe_lines_free(analysis->lines);
    ct_multiplicative_free(analysis->multiplicative);
    ct_predict_summaries_free(analysis->summaries);
    free(analysis->apps);
    free(analysis->configs);
    free(analysis->under_config);
    free(analysis->beside_app);
    free(analysis->responses);
    free(analysis->shares);
    free(analysis->masses);
    *analysis = (struct ct_predict_analysis){0};
}

/* ---- several loads together ---- */

size_t ct_predict_mass_size(const struct ct_predict_analysis *analysis)
{
    return ct_probe_mass_size(&analysis->idle.profile.grid);
}

static double middle_s(const struct ct_probe_grid *grid, size_t bin)
{
    return (ct_probe_edge_s(grid, bin) + ct_probe_edge_s(grid, bin + 1)) / 2;
}

/* Distribution of the sum of two independent delays beyond the idle median, scale by scale. */
static void fold_profile(const struct ct_probe_profile *a, const struct ct_probe_profile *b,
                         double idle_latency_s, double *mass)
{
    size_t n_bins = a->grid.n_bins;
    for (size_t i = 0; i < CT_PROBE_SCALES * n_bins; i++)
        mass[i] = 0;
    for (size_t i = 0; i < n_bins; i++)
        for (size_t j = 0; j < n_bins; j++) {
            double sum_s = middle_s(&a->grid, i) + middle_s(&a->grid, j) - idle_latency_s;
            size_t bin = ct_probe_bin(&a->grid, fmax(sum_s, ct_probe_edge_s(&a->grid, 0)));
            for (size_t scale = 0; scale < CT_PROBE_SCALES; scale++)
                mass[scale * n_bins + bin] +=
                    a->mass[scale * n_bins + i] * b->mass[scale * n_bins + j];
        }
}

/* Beyond the idle network; may be below it by noise. */
static double add_beyond(double sum, double value, double idle)
{
    return sum + value - idle;
}

static struct ct_summary add_summaries(struct ct_summary sum, const struct ct_summary *more,
                                       const struct ct_summary *idle)
{
    sum.n = sum.n < more->n ? sum.n : more->n;
    sum.min = fmax(sum.min, more->min);
    sum.mean = fmax(sum.min, add_beyond(sum.mean, more->mean, idle->mean));
    sum.max = fmax(sum.mean, add_beyond(sum.max, more->max, idle->mean));
    sum.variance = fmax(0, add_beyond(sum.variance, more->variance, idle->variance));
    return sum;
}

static double add_utilizations(double sum, double more, double idle)
{
    return fmin(1, fmax(0, add_beyond(sum, more, idle)));
}

enum ct_status ct_predict_combine(const struct ct_predict_analysis *analysis, const size_t *with,
                                  size_t n, double *mass, struct ct_predict_load *load_p)
{
    const struct ct_predict_load *idle = &analysis->idle;
    size_t size = ct_predict_mass_size(analysis);
    double *before = malloc((size + 1) * sizeof *before);
    if (!before)
        return CT_ENOMEM;
    struct ct_predict_load sum = analysis->apps[with[0]];
    for (size_t i = 1; i < n; i++) {
        const struct ct_predict_load *more = &analysis->apps[with[i]];
        if (!is_measured(&sum) || !is_measured(more)) {
            sum = (struct ct_predict_load){
                .utilization_frac = NAN, .calibrated = {.frac = NAN}, .waiting = {.frac = NAN}};
            break;
        }
        memcpy(before, sum.profile.mass, size * sizeof *before);
        sum.profile.mass = before;
        fold_profile(&sum.profile, &more->profile, analysis->idle_latency_s, mass);
        sum.profile.mass = mass;
        sum.profile.latency_s = add_summaries(sum.profile.latency_s, &more->profile.latency_s,
                                              &idle->profile.latency_s);
        sum.utilization_frac =
            add_utilizations(sum.utilization_frac, more->utilization_frac, idle->utilization_frac);
        sum.calibrated.frac =
            add_utilizations(sum.calibrated.frac, more->calibrated.frac, idle->calibrated.frac);
        sum.waiting.frac =
            add_utilizations(sum.waiting.frac, more->waiting.frac, idle->waiting.frac);
        sum.mixture.frac = add_utilizations(sum.mixture.frac, more->mixture.frac, 0);
    }
    free(before);
    const struct ct_interval none = {NAN, NAN};
    sum.utilization_interval = sum.calibrated.interval = sum.waiting.interval = none;
    sum.mixture.interval = none;
    sum.known_frac = sum.true_utilization_frac = NAN;
    *load_p = sum;
    return CT_OK;
}

/* ---- replicates ---- */

/* As ct_stats_quantile(), without sorting all. */
static double find_quantile(double *values, size_t n, double p)
{
    double at = p * (double)(n - 1), below = floor(at);
    size_t k = (size_t)below;
    ct_stats_select(values, n, k);
    double next = INFINITY;
    for (size_t i = k + 1; i < n; i++)
        next = values[i] < next ? values[i] : next;
    return at > below ? values[k] + (at - below) * (next - values[k]) : values[k];
}

struct ct_interval ct_predict_interval_of(double *values, size_t n, double level)
{
    struct ct_interval interval = {NAN, NAN};
    size_t n_defined = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(values[i]))
            values[n_defined++] = values[i];
    if (n_defined * 2 < n || n_defined == 0)
        return interval;
    interval.lo = find_quantile(values, n_defined, (1 - level) / 2);
    interval.hi = find_quantile(values, n_defined, (1 + level) / 2);
    return interval;
}

void ct_predict_rng_set(gsl_rng *rng, uint64_t seed)
{
    gsl_rng_set(rng, ct_random_fold(seed));
}

gsl_rng *ct_predict_rng(uint64_t seed)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    if (rng)
        ct_predict_rng_set(rng, seed);
    return rng;
}
