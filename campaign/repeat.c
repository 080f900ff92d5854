#include "campaign/repeat.h"

#include "campaign/constants.h"
#include "campaign/folder.h"
#include "core/stats.h"
#include "study/samples.h"

#include <stdlib.h>

bool ct_repeat_is_precise(const double *x, size_t n, double target_frac)
{
    double level = ct_campaign_constant(CT_CAMPAIGN_REPEAT_LEVEL);
    struct ct_interval interval;
    return n >= 2 && ct_stats_mean_interval(x, n, level, &interval) == CT_OK &&
           interval.hi - interval.lo <= target_frac * (interval.hi + interval.lo);
}

static bool same_sort(const struct ct_plan_run *a, const struct ct_plan_run *b)
{
    return a->measure == b->measure && a->background == b->background && a->app == b->app &&
           a->other == b->other && a->config == b->config && a->group == b->group &&
           a->placement == b->placement;
}

/* Timed, and the one of its sort that stands for all of them. */
static bool leads_group(const struct ct_plan_run *run)
{
    return run->measure == CT_PLAN_APP && run->repetition == 0;
}

static uint64_t count_sort(const struct ct_plan *plan, const struct ct_plan_run *run)
{
    uint64_t n = 0;
    for (size_t i = 0; i < plan->n_runs; i++)
        n += same_sort(&plan->runs[i], run);
    return n;
}

enum ct_status ct_repeat_add_found(const struct ct_campaign_spec *spec, const char *folder,
                                   uint64_t seed, struct ct_plan *plan, struct ct_error *err)
{
    size_t n_planned = spec->repetitions.has_target ? plan->n_runs : 0;
    for (size_t i = 0; i < n_planned; i++) {
        struct ct_plan_run run = plan->runs[i];
        if (!leads_group(&run))
            continue;
        for (uint64_t n = count_sort(plan, &run); n < spec->repetitions.max; n++) {
            ct_plan_repeat(spec, seed, n, &run);
            if (ct_folder_find_run(folder, spec, &run, NULL) != CT_OK)
                break;
            CT_TRY(ct_plan_append(plan, &run, err));
        }
    }
    return CT_OK;
}

/* Durations of the passes of all runs of a sort. *complete_p: every run has its file. */
static enum ct_status read_passes(const char *folder, const struct ct_plan *plan,
                                  const struct ct_plan_run *sort, struct ct_samples *passes_s,
                                  bool *complete_p)
{
    char path[PATH_MAX];
    *complete_p = true;
    for (size_t i = 0; i < plan->n_runs && *complete_p; i++) {
        if (!same_sort(&plan->runs[i], sort))
            continue;
        enum ct_status status =
            ct_folder_name(folder, "runs/", plan->runs[i].id, ".h5", path, NULL);
        if (status == CT_OK)
            status = ct_samples_append_file(passes_s, path, NULL);
        if (status == CT_ENOMEM)
            return status;
        *complete_p = status == CT_OK;
    }
    return CT_OK;
}

enum ct_status ct_repeat_add_needed(const struct ct_campaign_spec *spec, const char *folder,
                                    uint64_t seed, struct ct_plan *plan, struct ct_error *err)
{
    size_t n_before = spec->repetitions.has_target ? plan->n_runs : 0;
    for (size_t i = 0; i < n_before; i++) {
        struct ct_plan_run run = plan->runs[i];
        uint64_t n = leads_group(&run) ? count_sort(plan, &run) : 0;
        if (n == 0 || n >= spec->repetitions.max)
            continue;
        struct ct_samples passes_s = {0};
        bool complete;
        enum ct_status status = read_passes(folder, plan, &run, &passes_s, &complete);
        bool enough = ct_repeat_is_precise(passes_s.x, passes_s.n, spec->repetitions.target_frac) &&
                      passes_s.stolen_s <= ct_campaign_constant(CT_CAMPAIGN_STEAL_REPEATED) *
                                               passes_s.steal_watched_s;
        ct_samples_free(&passes_s);
        if (status != CT_OK)
            return ct_fail(err, status, "run times: %s", ct_status_text(status));
        if (enough || !complete)
            continue;
        ct_plan_repeat(spec, seed, n, &run);
        CT_TRY(ct_plan_append(plan, &run, err));
    }
    return CT_OK;
}
