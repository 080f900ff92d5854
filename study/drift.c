#include "study/drift.h"

#include "core/array.h"
#include "study/constants.h"
#include "study/samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_baseline(const struct ct_run_info *info)
{
    return info->kind == CT_RUN_RUNTIME && *info->app && !*info->with && !info->has_config &&
           ct_run_added_latency_s(info) == 0;
}

static int by_app_and_time(const void *left, const void *right)
{
    const struct ct_run_entry *a = *(const struct ct_run_entry *const *)left;
    const struct ct_run_entry *b = *(const struct ct_run_entry *const *)right;
    int order = strcmp(a->info.app, b->info.app);
    if (order == 0)
        order = strcmp(a->info.started_utc, b->info.started_utc);
    return order ? order : strcmp(a->path, b->path);
}

static enum ct_status add_drift(struct ct_drifts *drifts, const struct ct_run_entry *const *entries,
                                struct ct_drift drift)
{
    if (!CT_ARRAY_RESIZE(drifts->items, drifts->n + 1))
        return CT_ENOMEM;
    struct ct_app_drift *item = &drifts->items[drifts->n++];
    *item = (struct ct_app_drift){.app = strdup(entries[0]->info.app),
                                  .before_utc = strdup(entries[drift.before]->info.started_utc),
                                  .after_utc = strdup(entries[drift.after]->info.started_utc),
                                  .drift = drift};
    return item->app && item->before_utc && item->after_utc ? CT_OK : CT_ENOMEM;
}

/* The baselines of one application, n of them. */
static enum ct_status compare_runs(const struct ct_run_entry *const *entries, size_t n,
                                   struct ct_drifts *drifts)
{
    struct ct_samples *samples = calloc(n, sizeof *samples);
    struct ct_series *runs = calloc(n, sizeof *runs);
    enum ct_status status = samples && runs ? CT_OK : CT_ENOMEM;
    for (size_t i = 0; i < n && status == CT_OK; i++) {
        struct ct_run run;
        struct ct_error why;
        if (ct_run_read_entry(entries[i], &run, &why) != CT_OK)
            continue; /* its series stays empty */
        status = ct_samples_append_run(&samples[i], &run, &why);
        ct_run_free(&run);
        runs[i] = ct_samples_values(&samples[i]);
    }
    struct ct_drift drift = {0};
    if (status == CT_OK)
        status = ct_drift_find(runs, n, ct_study_constant(CT_STUDY_DRIFT_LEVEL), &drift);
    if (status == CT_EINVAL)
        status = CT_OK; /* durations that are no numbers: the prediction says so */
    if (drift.found)
        status = add_drift(drifts, entries, drift);
    for (size_t i = 0; samples && i < n; i++)
        ct_samples_free(&samples[i]);
    free(samples);
    free(runs);
    return status;
}

enum ct_status ct_drifts_find(const struct ct_run_list *list, struct ct_drifts *drifts_p,
                              struct ct_error *err)
{
    struct ct_drifts drifts = {0};
    const struct ct_run_entry **entries = calloc(list->n_entries + 1, sizeof *entries);
    size_t n = 0;
    enum ct_status status = entries ? CT_OK : CT_ENOMEM;
    for (size_t i = 0; i < list->n_entries && entries; i++)
        if (is_baseline(&list->entries[i].info))
            entries[n++] = &list->entries[i];
    if (n > 0)
        qsort(entries, n, sizeof *entries, by_app_and_time);
    for (size_t first = 0, end; first < n && status == CT_OK; first = end) {
        for (end = first + 1; end < n; end++)
            if (strcmp(entries[end]->info.app, entries[first]->info.app) != 0)
                break;
        status = compare_runs(entries + first, end - first, &drifts);
    }
    free(entries);
    if (status != CT_OK) {
        ct_drifts_free(&drifts);
        return ct_fail(err, status, "baselines: %s", ct_status_text(status));
    }
    *drifts_p = drifts;
    return CT_OK;
}

void ct_drifts_free(struct ct_drifts *drifts)
{
    for (size_t i = 0; drifts->items && i < drifts->n; i++) {
        free(drifts->items[i].app);
        free(drifts->items[i].before_utc);
        free(drifts->items[i].after_utc);
    }
    free(drifts->items);
    *drifts = (struct ct_drifts){0};
}

const struct ct_app_drift *ct_drifts_of(const struct ct_drifts *drifts, const char *app)
{
    for (size_t i = 0; i < drifts->n; i++)
        if (!strcmp(drifts->items[i].app, app))
            return &drifts->items[i];
    return NULL;
}

void ct_drift_describe(const struct ct_app_drift *drift, char *text, size_t size)
{
    snprintf(text, size,
             "baseline of %s drifts: %.4g s a pass in the run of %s, %.4g s in that of %s (%+.1f "
             "%%), beyond their intervals: slowdowns of %s are uncertain by as much",
             drift->app, drift->drift.before_s, drift->before_utc, drift->drift.after_s,
             drift->after_utc, 100 * drift->drift.change_frac, drift->app);
}
