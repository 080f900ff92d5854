#include "campaign/adaptive.h"

#include "campaign/folder.h"
#include "campaign/pool.h"
#include "model/queue/queue.h"

#include <math.h>
#include <stdlib.h>

static const double bits_per_byte = 8;

/* ---- reading ---- */

struct reader {
    const struct ct_campaign_spec *spec;
    const char *folder;
    const struct ct_plan *plan;
    struct ct_queue_service service; /* of the idle network */
};

/* All runs like this one, but for the repetition, that are made before the picks. */
static enum ct_status read_pool(const struct reader *reader, struct ct_plan_run like,
                                struct ct_pool *pool)
{
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < reader->plan->n_runs && status == CT_OK; i++) {
        const struct ct_plan_run *run = &reader->plan->runs[i];
        bool found;
        if (run->measure == like.measure && run->background == like.background &&
            run->app == like.app && run->other == like.other && run->config == like.config &&
            !ct_plan_closes(reader->spec, run))
            status = ct_pool_add(pool, reader->folder, run, &found);
    }
    return status;
}

/* NaN where there is no such run. */
static enum ct_status read_mean(const struct reader *reader, struct ct_plan_run like,
                                double *mean_p)
{
    struct ct_pool pool = {0};
    struct ct_summary summary;
    *mean_p = NAN;
    enum ct_status status = read_pool(reader, like, &pool);
    if (status == CT_OK && ct_stats_summarize(pool.x, pool.n, &summary) == CT_OK)
        *mean_p = summary.mean;
    free(pool.x);
    return status;
}

static enum ct_status read_utilization(const struct reader *reader, struct ct_plan_run probe,
                                       double *utilization_p)
{
    double latency_s;
    enum ct_status status = read_mean(reader, probe, &latency_s);
    *utilization_p = ct_queue_utilization(&reader->service, latency_s);
    return status;
}

static enum ct_status read_service(struct reader *reader, double *idle_utilization_p,
                                   struct ct_error *err)
{
    struct ct_pool pool = {0};
    struct ct_summary summary;
    enum ct_status status =
        read_pool(reader, (struct ct_plan_run){.measure = CT_PLAN_PROBE}, &pool);
    if (status != CT_OK)
        ct_fail(err, status, "latencies: %s", ct_status_text(status));
    else
        status = ct_queue_service_of((struct ct_series){pool.x, pool.n}, &reader->service, err);
    if (status == CT_OK && ct_stats_summarize(pool.x, pool.n, &summary) == CT_OK)
        *idle_utilization_p = ct_queue_utilization(&reader->service, summary.mean);
    free(pool.x);
    return status;
}

/* ---- points ---- */

/* What the picker is asked, and the arrays that the question points into. */
struct points {
    struct ct_pick_question question;
    struct ct_pick_load *loads; /* [config] */
    double *app_utilization;    /* [app] */
    double *baseline_s;         /* [app] */
    double *slowdown;           /* [config * n_apps + app] */
};

static void forget(struct points *points)
{
    free(points->loads);
    free(points->app_utilization);
    free(points->baseline_s);
    free(points->slowdown);
}

static enum ct_status allocate(const struct ct_campaign_spec *spec, struct points *points)
{
    size_t n_apps = spec->n_apps, n_configs = spec->n_configs;
    points->loads = calloc(n_configs + 1, sizeof *points->loads);
    points->app_utilization = calloc(n_apps + 1, sizeof *points->app_utilization);
    points->baseline_s = calloc(n_apps + 1, sizeof *points->baseline_s);
    points->slowdown = calloc(n_apps * n_configs + 1, sizeof *points->slowdown);
    if (!points->loads || !points->app_utilization || !points->baseline_s || !points->slowdown)
        return CT_ENOMEM;
    points->question = (struct ct_pick_question){.n_apps = n_apps,
                                                 .n_loads = n_configs,
                                                 .app_utilization_frac = points->app_utilization,
                                                 .loads = points->loads,
                                                 .resolution_frac = spec->resolution_frac};
    return CT_OK;
}

/* Of a ring: other patterns have no number of partners that would say the same. */
static void fill_factors(const struct ct_campaign_spec *spec,
                         const struct ct_campaign_config *config, struct ct_pick_load *load)
{
    const struct ct_config *c = &config->load;
    double message_s =
        bits_per_byte * (double)config->message_bytes / spec->launcher.rate_bit_per_s;
    load->has_factors = c->pattern == CT_PATTERN_RING && c->bubble_s > 0;
    if (!load->has_factors)
        return;
    load->factors[CT_PICK_PARTNERS] = c->partners;
    load->factors[CT_PICK_MESSAGES] = c->messages;
    load->factors[CT_PICK_DENSITY] = message_s / c->bubble_s;
    load->factors[CT_PICK_DUTY] =
        c->burst.given ? c->burst.on_s / (c->burst.on_s + c->burst.off_s) : 1;
}

static enum ct_status read_load(const struct reader *reader, size_t config, struct points *points)
{
    struct ct_pick_load *load = &points->loads[config];
    double *slowdown = &points->slowdown[config * reader->spec->n_apps];
    struct ct_plan_run run = {
        .measure = CT_PLAN_PROBE, .background = CT_PLAN_COMPRESSION, .config = config};
    load->state = CT_PICK_MEASURED;
    load->slowdown_frac = slowdown;
    enum ct_status status = read_utilization(reader, run, &load->utilization_frac);
    run.measure = CT_PLAN_APP;
    for (run.app = 0; run.app < reader->spec->n_apps && status == CT_OK; run.app++) {
        double duration_s;
        status = read_mean(reader, run, &duration_s);
        slowdown[run.app] = duration_s / points->baseline_s[run.app] - 1;
    }
    return status;
}

static enum ct_status read_points(const struct reader *reader, struct points *points)
{
    enum ct_status status = CT_OK;
    for (size_t app = 0; app < reader->spec->n_apps && status == CT_OK; app++) {
        struct ct_plan_run probe = {
            .measure = CT_PLAN_PROBE, .background = CT_PLAN_OTHER_APP, .other = app};
        status = read_utilization(reader, probe, &points->app_utilization[app]);
        if (status == CT_OK)
            status = read_mean(reader, (struct ct_plan_run){.measure = CT_PLAN_APP, .app = app},
                               &points->baseline_s[app]);
    }
    for (size_t c = 0; c < reader->spec->n_configs && status == CT_OK; c++) {
        fill_factors(reader->spec, &reader->spec->configs[c], &points->loads[c]);
        if (ct_plan_has_config(reader->plan, c))
            status = read_load(reader, c, points);
    }
    return status;
}

/* ---- what is appended ---- */

static bool has_run(const struct ct_campaign_spec *spec, const char *folder, uint64_t seed,
                    size_t config, struct ct_error *err, enum ct_status *status_p)
{
    struct ct_plan runs = {0};
    bool found = false;
    *status_p = ct_plan_add_candidate(spec, seed, config, &runs, err);
    for (size_t i = 0; i < runs.n_runs && *status_p == CT_OK && !found; i++)
        found = ct_folder_find_run(folder, spec, &runs.runs[i], NULL) == CT_OK;
    ct_plan_free(&runs);
    return found;
}

enum ct_status ct_adaptive_add_found(const struct ct_campaign_spec *spec, const char *folder,
                                     uint64_t seed, struct ct_plan *plan, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (size_t c = 0; c < spec->n_configs && status == CT_OK; c++)
        if (spec->configs[c].is_candidate && !ct_plan_has_config(plan, c) &&
            has_run(spec, folder, seed, c, err, &status))
            status = ct_plan_add_candidate(spec, seed, c, plan, err);
    return status;
}

static enum ct_status pick_next(struct reader *reader, struct ct_pick *pick_p, struct ct_error *err)
{
    struct points points = {0};
    enum ct_status status = allocate(reader->spec, &points);
    if (status == CT_OK) {
        status = read_service(reader, &points.question.idle_utilization_frac, err);
        if (status != CT_OK) {
            forget(&points);
            return ct_fail_within(err, status, "idle network");
        }
        status = read_points(reader, &points);
    }
    if (status == CT_OK)
        status = ct_pick_next(&points.question, pick_p);
    if (status != CT_OK)
        ct_fail(err, status, "next configuration: %s", ct_status_text(status));
    forget(&points);
    return status;
}

enum ct_status ct_adaptive_add_next(const struct ct_campaign_spec *spec, const char *folder,
                                    uint64_t seed, struct ct_plan *plan, struct ct_pick *pick_p,
                                    struct ct_error *err)
{
    struct reader reader = {.spec = spec, .folder = folder, .plan = plan};
    struct ct_pick pick = {.reason = CT_PICK_DONE, .is_met = true};
    enum ct_status status =
        spec->grid_kind == CT_GRID_ADAPTIVE ? pick_next(&reader, &pick, err) : CT_OK;
    if (status == CT_OK && pick.reason != CT_PICK_DONE)
        status = ct_plan_add_candidate(spec, seed, pick.load, plan, err);
    if (status == CT_OK)
        *pick_p = pick;
    return status;
}
