#include "campaign/plan.h"

#include "campaign/constants.h"
#include "core/array.h"
#include "core/hash.h"
#include "core/order.h"
#include "core/random.h"
#include "core/spread.h"
#include "core/units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS_MAX = 100000 };

/* From the name and not from the position, so that a campaign that grows keeps its runs' seeds. */
static uint64_t seed_of(uint64_t seed, const char *id)
{
    uint64_t state = seed ^ ct_hash_text(id, strlen(id));
    return ct_random_next(&state) >> 16; /* short enough to read and to type */
}

/* ---- one run ---- */

const char *ct_plan_sort(const struct ct_plan_run *run)
{
    static const char *const sorts[][4] = {
        [CT_PLAN_PROBE] = {"idle", "impact", "impact", "impact"},
        [CT_PLAN_APP] = {"baseline", "corun", "compression", "group"},
        [CT_PLAN_LOGP] = {"logp", "logp", "logp", "logp"},
        [CT_PLAN_TRACE] = {"trace", "trace", "trace", "trace"}};
    return sorts[run->measure][run->background];
}

size_t ct_plan_n_others(const struct ct_campaign_spec *spec, const struct ct_plan_run *run)
{
    if (run->background == CT_PLAN_GROUP)
        return spec->groups[run->group].n_others;
    return run->background == CT_PLAN_OTHER_APP ? 1 : 0;
}

size_t ct_plan_other(const struct ct_campaign_spec *spec, const struct ct_plan_run *run, size_t i)
{
    return run->background == CT_PLAN_GROUP ? spec->groups[run->group].others[i] : run->other;
}

const char *ct_plan_others(const struct ct_campaign_spec *spec, const struct ct_plan_run *run)
{
    if (run->background == CT_PLAN_GROUP)
        return spec->groups[run->group].with;
    return run->background == CT_PLAN_OTHER_APP ? spec->apps[run->other].name : "";
}

const struct ct_sides *ct_plan_sides(const struct ct_campaign_spec *spec,
                                     const struct ct_plan_run *run)
{
    return spec->n_placements > 0 ? &spec->placements[run->placement] : NULL;
}

const char *ct_plan_placement(const struct ct_campaign_spec *spec, const struct ct_plan_run *run)
{
    const struct ct_sides *sides = ct_plan_sides(spec, run);
    return sides ? ct_sides_names[sides->kind] : NULL;
}

double ct_plan_measured_s(const struct ct_campaign_spec *spec, const struct ct_plan_run *run)
{
    if (run->measure == CT_PLAN_PROBE)
        return spec->durations.impact_s;
    if (run->measure == CT_PLAN_LOGP)
        return spec->durations.logp_s;
    if (run->measure == CT_PLAN_TRACE)
        return spec->apps[run->app].pass_s *
               (run->is_longer ? 1 + (double)spec->apps[run->app].longer_by : 1);
    /* The pass that has begun when the time is over is finished: half a pass on average. */
    return spec->durations.runtime_s + spec->apps[run->app].pass_s / 2;
}

/* As it is described, in letters that names of files have: "p4-m1-b25ms-alltoall-20ms-40ms". */
void ct_plan_config_name(const struct ct_config *config, char name[CT_CONFIG_TEXT_MAX])
{
    ct_config_describe(config, name);
    for (char *c = name; *c; c++)
        *c = *c == ' ' || *c == '/' ? '-' : (char)tolower((unsigned char)*c);
}

/* Before the application's name, or what is in the background. */
static const char *first_part(const struct ct_plan_run *run)
{
    if (run->measure == CT_PLAN_TRACE)
        return "trace-";
    if (run->measure != CT_PLAN_APP)
        return ct_plan_sort(run);
    return run->background == CT_PLAN_NOTHING ? "baseline-" : "runtime-";
}

static void name_run(const struct ct_campaign_spec *spec, struct ct_plan_run *run)
{
    char config[CT_CONFIG_TEXT_MAX] = "", other[CT_GROUP_TEXT_MAX];
    bool of_app = run->measure == CT_PLAN_APP || run->measure == CT_PLAN_TRACE;
    const char *app = of_app ? spec->apps[run->app].name : "";
    snprintf(other, sizeof other, "%s", ct_plan_others(spec, run));
    for (char *comma = other; (comma = strchr(comma, ',')) != NULL;)
        *comma = '+';
    if (run->background == CT_PLAN_COMPRESSION)
        ct_plan_config_name(&spec->configs[run->config].load, config);
    const char *verb = of_app ? (*other    ? "-with-"
                                 : *config ? "-under-"
                                           : "")
                              : (*other || *config ? "-" : "");
    char later[CT_UNITS_TEXT_MAX + 8] = "";
    if (run->latency_s > 0) {
        char text[CT_UNITS_TEXT_MAX];
        ct_format_duration(run->latency_s, text);
        snprintf(later, sizeof later, "-later-%s", text);
    }
    /* Traces are the same under every placement. */
    const char *placement = run->measure == CT_PLAN_TRACE ? NULL : ct_plan_placement(spec, run);
    int length = snprintf(run->id, sizeof run->id, "%s%s%s%s%s%s%s%s-r%llu", first_part(run), app,
                          run->is_longer ? "-longer" : "", verb, *other ? other : config, later,
                          placement ? "-" : "", placement ? placement : "",
                          (unsigned long long)run->repetition);
    run->is_id_cut = length >= (int)sizeof run->id;
}

void ct_plan_repeat(const struct ct_campaign_spec *spec, uint64_t seed, uint64_t repetition,
                    struct ct_plan_run *run)
{
    run->repetition = repetition;
    name_run(spec, run);
    run->seed = seed_of(seed, run->id);
}

struct ct_plan_phase ct_plan_phase(const struct ct_campaign_spec *spec,
                                   const struct ct_plan_run *run)
{
    const bool in_simgrid = spec->launcher.kind == CT_LAUNCHER_SIMGRID;
    size_t n = ct_plan_n_others(spec, run);
    struct ct_plan_phase phase = {0, 0};
    double pass_s = 0;
    if (n == 0 || (spec->has_fixed_phases && !in_simgrid))
        return phase;
    for (size_t i = 0; i < (spec->has_fixed_phases ? 1 : n); i++)
        pass_s = fmax(pass_s, spec->apps[ct_plan_other(spec, run, i)].pass_s);
    /* Without the key it is 1 s, and simulations are of milliseconds. */
    if (in_simgrid && !spec->has_fixed_phases)
        pass_s = fmin(pass_s, spec->durations.runtime_s);
    phase.pass_frac = spec->has_fixed_phases ? ct_spread(0, run->repetition)
                                             : ct_random_unit(ct_random_at(run->seed, 0));
    phase.later_s = phase.pass_frac * pass_s;
    return phase;
}

static double expected_time(const struct ct_campaign_spec *spec, const struct ct_plan_run *run)
{
    double launch_s = ct_campaign_constant(CT_CAMPAIGN_LAUNCH);
    size_t n_behind = ct_plan_n_others(spec, run);
    double expected_s = launch_s + ct_plan_measured_s(spec, run);
    if (run->background != CT_PLAN_NOTHING)
        expected_s += spec->durations.settle_s + ct_plan_phase(spec, run).later_s +
                      launch_s * (double)(n_behind > 1 ? n_behind : 1);
    return expected_s;
}

/* ---- all runs ---- */

struct maker {
    const struct ct_campaign_spec *spec;
    uint64_t seed, state;
    struct ct_plan plan;
    enum ct_status status;
};

static void add_runs(struct maker *maker, struct ct_plan_run run, uint64_t repetitions)
{
    if (maker->status != CT_OK)
        return;
    if (repetitions > RUNS_MAX - maker->plan.n_runs) {
        maker->status = CT_EINVAL;
        return;
    }
    if (!CT_ARRAY_RESIZE(maker->plan.runs, maker->plan.n_runs + repetitions)) {
        maker->status = CT_ENOMEM;
        return;
    }
    for (uint64_t i = 0; i < repetitions; i++) {
        ct_plan_repeat(maker->spec, maker->seed, i, &run);
        run.position =
            ((double)i + ct_random_unit(ct_random_next(&maker->state))) / (double)repetitions;
        run.expected_s = expected_time(maker->spec, &run);
        maker->plan.expected_s += run.expected_s;
        maker->plan.runs[maker->plan.n_runs++] = run;
    }
}

static void add_beside(struct maker *maker, struct ct_plan_run run, uint64_t apps, uint64_t configs)
{
    if (run.measure == CT_PLAN_PROBE && *maker->spec->scan)
        configs = 0;
    for (size_t i = 0; i < maker->spec->n_apps; i++) {
        run.background = CT_PLAN_OTHER_APP;
        run.other = i;
        add_runs(maker, run, apps);
    }
    for (size_t i = 0; i < maker->spec->n_configs; i++) {
        run.background = CT_PLAN_COMPRESSION;
        run.config = i;
        add_runs(maker, run, configs);
    }
}

/* After all others, in whose order they change nothing. */
static void add_traces(struct maker *maker)
{
    for (size_t i = 0; i < maker->spec->n_apps && maker->spec->trace; i++) {
        size_t n_before = maker->plan.n_runs;
        add_runs(maker, (struct ct_plan_run){.measure = CT_PLAN_TRACE, .app = i}, 1);
        if (*maker->spec->apps[i].longer)
            add_runs(maker,
                     (struct ct_plan_run){.measure = CT_PLAN_TRACE, .app = i, .is_longer = true},
                     1);
        for (size_t k = n_before; k < maker->plan.n_runs; k++)
            maker->plan.runs[k].position = 1;
    }
}

bool ct_plan_closes(const struct ct_campaign_spec *spec, const struct ct_plan_run *run)
{
    uint64_t n = run->measure == CT_PLAN_APP ? spec->repetitions.baseline : spec->repetitions.idle;
    return spec->grid_kind == CT_GRID_ADAPTIVE && run->background == CT_PLAN_NOTHING &&
           run->latency_s == 0 && n > 1 && run->repetition >= n - 1;
}

/* Whether a run is made only if it is picked. */
static bool is_candidate(const struct ct_campaign_spec *spec, const struct ct_plan_run *run)
{
    if (run->background == CT_PLAN_COMPRESSION)
        return spec->configs[run->config].is_candidate;
    return spec->repetitions.picks_co_runs && run->measure == CT_PLAN_APP &&
           run->background == CT_PLAN_OTHER_APP;
}

/* Take the candidates out, and put the closing runs to the end. */
static void divide_plan(const struct ct_campaign_spec *spec, struct ct_plan *plan)
{
    size_t n_all = plan->n_runs;
    plan->n_runs = 0;
    for (size_t i = 0; i < n_all; i++) {
        struct ct_plan_run run = plan->runs[i];
        if (is_candidate(spec, &run)) {
            plan->n_open++;
            plan->open_s += run.expected_s;
            plan->expected_s -= run.expected_s;
            continue;
        }
        if (ct_plan_closes(spec, &run)) {
            run.position += 1;
            plan->n_closing++;
        }
        plan->runs[plan->n_runs++] = run;
    }
}

static int compare_positions(const void *a, const void *b)
{
    const struct ct_plan_run *x = a, *y = b;
    if (x->position < y->position)
        return -1;
    return x->position > y->position ? 1 : strcmp(x->id, y->id);
}

static int compare_ids(const void *a, const void *b)
{
    const struct ct_plan_run *x = a, *y = b;
    return strcmp(x->id, y->id);
}

static enum ct_status check_id(const struct ct_plan_run *run, struct ct_error *err)
{
    return run->is_id_cut
               ? ct_fail(err, CT_EINVAL,
                         "a run would have the name '%s...', longer than %d letters: names of its "
                         "files would be too long; give its applications shorter names",
                         run->id, CT_PLAN_ID_MAX - 1)
               : CT_OK;
}

/* Names of applications with "-with-" in them can make two runs' names equal. */
static enum ct_status check_ids(const struct ct_plan *plan, struct ct_error *err)
{
    for (size_t i = 0; i < plan->n_runs; i++)
        if (check_id(&plan->runs[i], err) != CT_OK)
            return CT_EINVAL;
    qsort(plan->runs, plan->n_runs, sizeof *plan->runs, compare_ids);
    for (size_t i = 1; i < plan->n_runs; i++)
        if (!strcmp(plan->runs[i].id, plan->runs[i - 1].id))
            return ct_fail(err, CT_EINVAL,
                           "two runs would have the name '%s': rename an application",
                           plan->runs[i].id);
    return CT_OK;
}

/* A run at each of the further latencies. */
static void add_later(struct maker *maker, struct ct_plan_run run, uint64_t repetitions)
{
    const struct ct_campaign_spec *spec = maker->spec;
    if (run.background == CT_PLAN_NOTHING && spec->latency_runs == CT_LATENCY_RUNS_LOADED)
        return;
    for (size_t k = 0; k < spec->n_latencies; k++) {
        run.latency_s = spec->latencies_s[k];
        add_runs(maker, run, repetitions);
    }
}

static void add_loaded_later(struct maker *maker, size_t placement)
{
    const struct ct_campaign_spec *spec = maker->spec;
    struct ct_plan_run run = {.background = CT_PLAN_COMPRESSION, .placement = placement};
    if (spec->latency_runs == CT_LATENCY_RUNS_ALONE)
        return;
    for (run.config = 0; run.config < spec->n_configs; run.config++) {
        run.measure = CT_PLAN_PROBE;
        run.app = 0;
        add_later(maker, run, spec->repetitions.impact);
        run.measure = CT_PLAN_APP;
        for (run.app = 0; run.app < spec->n_apps; run.app++)
            add_later(maker, run, spec->repetitions.compression);
    }
}

/* All runs of a placement but traces. */
static void add_placement(struct maker *maker, size_t placement)
{
    const struct ct_campaign_spec *spec = maker->spec;
    const struct ct_campaign_repetitions *n = &spec->repetitions;
    struct ct_plan_run probe = {.measure = CT_PLAN_PROBE, .placement = placement};
    add_runs(maker, probe, *spec->scan ? 0 : n->idle);
    add_beside(maker, probe, n->impact, n->impact);
    for (size_t i = 0; i < spec->n_apps; i++) {
        struct ct_plan_run app = {.measure = CT_PLAN_APP, .app = i, .placement = placement};
        add_runs(maker, app, n->baseline);
        add_later(maker, app, n->baseline);
        add_beside(maker, app, n->corun, n->compression);
    }
    for (size_t i = 0; i < spec->n_groups; i++)
        add_runs(maker,
                 (struct ct_plan_run){.measure = CT_PLAN_APP,
                                      .background = CT_PLAN_GROUP,
                                      .app = spec->groups[i].app,
                                      .group = i,
                                      .placement = placement},
                 n->corun);
    struct ct_plan_run logp = {.measure = CT_PLAN_LOGP, .placement = placement};
    uint64_t n_beside = spec->logp == CT_CAMPAIGN_LOGP_ALL ? 1 : 0;
    add_runs(maker, logp, spec->logp != CT_CAMPAIGN_LOGP_NONE ? 1 : 0);
    add_beside(maker, logp, n_beside, n_beside);
    add_loaded_later(maker, placement);
}

enum ct_status ct_plan_make(const struct ct_campaign_spec *spec, uint64_t seed,
                            struct ct_plan *plan_p, struct ct_error *err)
{
    struct maker maker = {.spec = spec, .seed = seed, .state = seed};
    size_t placement = 0;
    do
        add_placement(&maker, placement);
    while (++placement < spec->n_placements);
    add_traces(&maker);
    enum ct_status status = maker.status;
    if (status == CT_ENOMEM)
        ct_no_memory(err, "plan");
    else if (status != CT_OK)
        ct_fail(err, status, "more than %d runs: fewer applications or repetitions", RUNS_MAX);
    else if (maker.plan.n_runs == 0)
        status = ct_fail(err, CT_EINVAL, "nothing to measure: every repetition is 0");
    else
        status = check_ids(&maker.plan, err);
    if (status != CT_OK) {
        ct_plan_free(&maker.plan);
        return status;
    }
    divide_plan(spec, &maker.plan);
    qsort(maker.plan.runs, maker.plan.n_runs, sizeof *maker.plan.runs, compare_positions);
    *plan_p = maker.plan;
    return CT_OK;
}

/* ---- additions ---- */

bool ct_plan_has_config(const struct ct_plan *plan, size_t placement, size_t config)
{
    for (size_t i = 0; i < plan->n_runs; i++)
        if (plan->runs[i].background == CT_PLAN_COMPRESSION && plan->runs[i].config == config &&
            plan->runs[i].placement == placement)
            return true;
    return false;
}

/* A seed follows from the run's name: an order that is random and always the same. */
CT_ORDER(compare_seeds, struct ct_plan_run, seed)

enum ct_status ct_plan_add_candidate(const struct ct_campaign_spec *spec, uint64_t seed,
                                     size_t placement, size_t config, struct ct_plan *plan,
                                     struct ct_error *err)
{
    struct maker maker = {.spec = spec, .seed = seed, .state = seed};
    struct ct_plan_run run = {.measure = CT_PLAN_PROBE,
                              .background = CT_PLAN_COMPRESSION,
                              .config = config,
                              .placement = placement};
    add_runs(&maker, run, spec->repetitions.impact);
    run.measure = CT_PLAN_APP;
    for (run.app = 0; run.app < spec->n_apps; run.app++)
        add_runs(&maker, run, spec->repetitions.compression);
    enum ct_status status = maker.status;
    if (status != CT_OK)
        ct_no_memory(err, "plan");
    else if (maker.plan.n_runs > 0)
        qsort(maker.plan.runs, maker.plan.n_runs, sizeof *maker.plan.runs, compare_seeds);
    for (size_t i = 0; i < maker.plan.n_runs && status == CT_OK; i++)
        status = ct_plan_append(plan, &maker.plan.runs[i], err);
    ct_plan_free(&maker.plan);
    return status;
}

struct ct_plan_run ct_plan_co_run(const struct ct_campaign_spec *spec, uint64_t seed,
                                  size_t placement, size_t app, size_t with)
{
    struct ct_plan_run run = {.measure = CT_PLAN_APP,
                              .background = CT_PLAN_OTHER_APP,
                              .app = app,
                              .other = with,
                              .placement = placement};
    ct_plan_repeat(spec, seed, 0, &run);
    run.expected_s = expected_time(spec, &run);
    return run;
}

bool ct_plan_has_co_run(const struct ct_plan *plan, size_t placement, size_t app, size_t with)
{
    for (size_t i = 0; i < plan->n_runs; i++) {
        const struct ct_plan_run *run = &plan->runs[i];
        if (run->measure == CT_PLAN_APP && run->background == CT_PLAN_OTHER_APP &&
            run->app == app && run->other == with && run->placement == placement)
            return true;
    }
    return false;
}

enum ct_status ct_plan_append(struct ct_plan *plan, const struct ct_plan_run *run,
                              struct ct_error *err)
{
    if (plan->n_runs >= RUNS_MAX)
        return ct_fail(err, CT_EINVAL, "more than %d runs: lower repetitions.max", RUNS_MAX);
    if (check_id(run, err) != CT_OK)
        return CT_EINVAL;
    if (!CT_ARRAY_RESIZE(plan->runs, plan->n_runs + 1))
        return ct_no_memory(err, "plan");
    struct ct_plan_run *runs = plan->runs;
    size_t at = plan->n_runs++ - plan->n_closing;
    memmove(&runs[at + 1], &runs[at], plan->n_closing * sizeof *runs);
    runs[at] = *run;
    runs[at].position = 1;
    plan->expected_s += run->expected_s;
    return CT_OK;
}

bool ct_plan_is_co_run(const struct ct_plan_run *run)
{
    return run->measure == CT_PLAN_APP &&
           (run->background == CT_PLAN_OTHER_APP || run->background == CT_PLAN_GROUP);
}

void ct_plan_leave_out_co_runs(struct ct_plan *plan)
{
    size_t n = 0, n_open = plan->n_runs - plan->n_closing, n_closing = 0;
    for (size_t i = 0; i < plan->n_runs; i++) {
        const struct ct_plan_run *run = &plan->runs[i];
        if (ct_plan_is_co_run(run)) {
            plan->expected_s -= run->expected_s;
        } else {
            n_closing += i >= n_open;
            plan->runs[n++] = *run;
        }
    }
    plan->n_runs = n;
    plan->n_closing = n_closing;
}

void ct_plan_free(struct ct_plan *plan)
{
    free(plan->runs);
    *plan = (struct ct_plan){0};
}
