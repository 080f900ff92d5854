#include "campaign/adaptive.h"

#include "campaign/folder.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double bits_per_byte = 8;

/* ---- what was measured ---- */

/* What the runs that are made before the picks say. */
struct measured {
    struct ct_study study;
    struct ct_predict_analysis analysis;
};

static void measured_free(struct measured *measured)
{
    ct_predict_analysis_free(&measured->analysis);
    ct_study_free(&measured->study);
}

/* Whether a file is that of a run of the placement that is made before the picks. */
static bool counts_as_measured(const struct ct_campaign_spec *spec, const struct ct_plan *plan,
                               size_t placement, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < plan->n_runs; i++) {
        size_t length = strlen(plan->runs[i].id);
        if (!strncmp(name, plan->runs[i].id, length) && !strcmp(name + length, ".h5"))
            return plan->runs[i].placement == placement && !ct_plan_closes(spec, &plan->runs[i]);
    }
    return false;
}

static enum ct_status load_study(const struct ct_campaign_spec *spec, const char *folder,
                                 const struct ct_plan *plan, size_t placement,
                                 struct ct_study *study_p, struct ct_error *err)
{
    struct ct_run_list all, some = {0};
    CT_TRY(ct_run_list_read(folder, &all, err));
    some.entries = malloc((all.n_entries + 1) * sizeof *some.entries);
    enum ct_status status = CT_OK;
    if (!some.entries)
        status = ct_no_memory(err, "%zu runs", all.n_entries);
    for (size_t i = 0; i < all.n_entries && status == CT_OK; i++)
        if (counts_as_measured(spec, plan, placement, all.entries[i].path))
            some.entries[some.n_entries++] = all.entries[i];
    if (status == CT_OK)
        status = ct_study_load_list(&some, study_p, err);
    free(some.entries);
    ct_run_list_free(&all);
    return status;
}

static enum ct_status measure_loads(const struct ct_campaign_spec *spec, const char *folder,
                                    const struct ct_plan *plan, size_t placement,
                                    struct measured *measured_p, struct ct_error *err)
{
    struct ct_study study;
    CT_TRY(load_study(spec, folder, plan, placement, &study, err));
    const struct ct_predict_input input = ct_study_input(&study);
    enum ct_status status = study.measured.loads[0].latency_s.n > 0
                                ? ct_predict_analyse(&input, NULL, &measured_p->analysis, err)
                                : ct_fail(err, CT_ENODATA, "the idle network was not probed");
    if (status == CT_OK)
        measured_p->study = study;
    else
        ct_study_free(&study);
    return status;
}

/* ---- points ---- */

/* What the picker is asked, and the arrays that the question points into. */
struct points {
    struct ct_next_load_question question;
    struct ct_next_load_candidate *loads; /* [config] */
    double *app_utilization;              /* [app] */
    double *slowdown;                     /* [config * n_apps + app] */
};

static void forget_points(struct points *points)
{
    free(points->loads);
    free(points->app_utilization);
    free(points->slowdown);
}

static enum ct_status allocate_points(const struct ct_campaign_spec *spec, struct points *points)
{
    size_t n_apps = spec->n_apps, n_configs = spec->n_configs;
    points->loads = calloc(n_configs + 1, sizeof *points->loads);
    points->app_utilization = calloc(n_apps + 1, sizeof *points->app_utilization);
    points->slowdown = calloc(n_apps * n_configs + 1, sizeof *points->slowdown);
    if (!points->loads || !points->app_utilization || !points->slowdown)
        return CT_ENOMEM;
    points->question =
        (struct ct_next_load_question){.n_apps = n_apps,
                                       .n_loads = n_configs,
                                       .app_utilization_frac = points->app_utilization,
                                       .loads = points->loads,
                                       .resolution_frac = spec->resolution_frac};
    return CT_OK;
}

/* Of a ring: other patterns have no number of partners that would say the same. */
static void fill_factors(const struct ct_campaign_spec *spec,
                         const struct ct_campaign_config *config,
                         struct ct_next_load_candidate *load)
{
    const struct ct_config *c = &config->load;
    double message_s =
        bits_per_byte * (double)ct_config_message_bytes(c) / spec->launcher.rate_bit_per_s;
    load->has_factors = c->pattern == CT_PATTERN_RING && c->bubble_s > 0;
    if (!load->has_factors)
        return;
    load->factors[CT_NEXT_LOAD_PARTNERS] = c->partners;
    load->factors[CT_NEXT_LOAD_MESSAGES] = c->messages;
    load->factors[CT_NEXT_LOAD_DENSITY] = message_s / c->bubble_s;
    load->factors[CT_NEXT_LOAD_DUTY] =
        c->burst.given ? c->burst.on_s / (c->burst.on_s + c->burst.off_s) : 1;
}

static void fill_load(const struct ct_campaign_spec *spec, const struct measured *measured,
                      size_t config, struct points *points)
{
    const struct ct_predict_analysis *analysis = &measured->analysis;
    struct ct_next_load_candidate *load = &points->loads[config];
    double *slowdown = &points->slowdown[config * spec->n_apps];
    size_t c = ct_study_find_config(&measured->study, &spec->configs[config].load);
    bool is_known = c < analysis->n_configs;
    load->state = CT_NEXT_LOAD_MEASURED;
    load->slowdown_frac = slowdown;
    load->utilization_frac = is_known ? analysis->configs[c].utilization_frac : NAN;
    for (size_t i = 0; i < spec->n_apps; i++) {
        size_t app = ct_study_find_app(&measured->study, spec->apps[i].name);
        slowdown[i] = is_known && app < analysis->n_apps
                          ? analysis->under_config[app * analysis->n_configs + c].frac
                          : NAN;
    }
}

static void fill_points(const struct ct_campaign_spec *spec, const struct ct_plan *plan,
                        size_t placement, const struct measured *measured, struct points *points)
{
    const struct ct_predict_analysis *analysis = &measured->analysis;
    points->question.idle_utilization_frac = analysis->idle.utilization_frac;
    for (size_t i = 0; i < spec->n_apps; i++) {
        size_t app = ct_study_find_app(&measured->study, spec->apps[i].name);
        points->app_utilization[i] =
            app < analysis->n_apps ? analysis->apps[app].utilization_frac : NAN;
    }
    for (size_t c = 0; c < spec->n_configs; c++) {
        fill_factors(spec, &spec->configs[c], &points->loads[c]);
        if (ct_plan_has_config(plan, placement, c))
            fill_load(spec, measured, c, points);
    }
}

/* ---- what is appended ---- */

static bool has_run(const struct ct_campaign_spec *spec, const char *folder, uint64_t seed,
                    size_t placement, size_t config, struct ct_error *err, enum ct_status *status_p)
{
    struct ct_plan runs = {0};
    bool found = false;
    *status_p = ct_plan_add_candidate(spec, seed, placement, config, &runs, err);
    for (size_t i = 0; i < runs.n_runs && *status_p == CT_OK && !found; i++)
        found = ct_folder_find_run(folder, spec, &runs.runs[i], NULL) == CT_OK;
    ct_plan_free(&runs);
    return found;
}

enum ct_status ct_adaptive_add_found(const struct ct_campaign_spec *spec, const char *folder,
                                     uint64_t seed, struct ct_plan *plan, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    size_t placement = 0;
    do
        for (size_t c = 0; c < spec->n_configs && status == CT_OK; c++)
            if (spec->configs[c].is_candidate && !ct_plan_has_config(plan, placement, c) &&
                has_run(spec, folder, seed, placement, c, err, &status))
                status = ct_plan_add_candidate(spec, seed, placement, c, plan, err);
    while (++placement < spec->n_placements && status == CT_OK);
    return status;
}

static enum ct_status choose_next(const struct ct_campaign_spec *spec, const char *folder,
                                  const struct ct_plan *plan, size_t placement,
                                  struct ct_next_load *next_p, struct ct_error *err)
{
    struct points points = {0};
    struct measured measured;
    enum ct_status status = measure_loads(spec, folder, plan, placement, &measured, err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "next configuration");
    status = allocate_points(spec, &points);
    if (status == CT_OK) {
        fill_points(spec, plan, placement, &measured, &points);
        status = ct_next_load_choose(&points.question, next_p);
    }
    if (status != CT_OK)
        ct_fail(err, status, "next configuration: %s", ct_status_text(status));
    forget_points(&points);
    measured_free(&measured);
    return status;
}

enum ct_status ct_adaptive_add_next(const struct ct_campaign_spec *spec, const char *folder,
                                    uint64_t seed, struct ct_plan *plan, size_t *placement_p,
                                    struct ct_next_load *next_p, struct ct_error *err)
{
    struct ct_next_load next = {.reason = CT_NEXT_LOAD_DONE, .is_met = true};
    enum ct_status status = CT_OK;
    size_t placement = 0, n_without = 0;
    bool is_met = true;
    if (spec->grid_kind == CT_GRID_ADAPTIVE)
        do {
            status = choose_next(spec, folder, plan, placement, &next, err);
            n_without += status == CT_ENODATA;
            is_met &= status == CT_OK && next.is_met;
        } while ((status == CT_ENODATA || (status == CT_OK && next.reason == CT_NEXT_LOAD_DONE)) &&
                 ++placement < spec->n_placements);
    /* A placement without runs of the idle network has no next configuration; others may. */
    if (status == CT_ENODATA && n_without < spec->n_placements)
        status = CT_OK;
    if (status == CT_OK && next.reason != CT_NEXT_LOAD_DONE)
        status = ct_plan_add_candidate(spec, seed, placement, next.load, plan, err);
    if (status == CT_OK && next.reason == CT_NEXT_LOAD_DONE)
        next.is_met = is_met;
    if (status == CT_OK) {
        *next_p = next;
        *placement_p = placement;
    }
    return status;
}
