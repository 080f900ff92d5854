#include "study/validation_runs.h"

#include "core/order.h"
#include "study/placements.h"
#include "study/samples.h"

#include <stdlib.h>
#include <string.h>

struct reader {
    const char *folder, *app;
    const struct ct_bootstrap *setup;
    struct ct_run_list list;
    struct ct_validation_runs found;
};

static bool is_alone(const struct ct_run_info *info)
{
    return !info->has_config && !*info->with;
}

/* ---- run times ---- */

static enum ct_status read_passes(const struct ct_run_entry *entry, struct ct_validation_run *run_p,
                                  struct ct_error *err)
{
    struct ct_run run;
    enum ct_status status = ct_run_read_entry(entry, &run, err);
    if (status != CT_OK)
        return status;
    double sum_s = 0;
    for (size_t i = 0; i < run.n_runtimes; i++)
        sum_s += run.runtimes[i].duration_s;
    if (sum_s > 0)
        *run_p = (struct ct_validation_run){
            .delta_L_s = ct_run_added_latency_s(&entry->info),
            .runtime_s = sum_s / (double)run.n_runtimes,
            .cpu_wait_frac = ct_run_number(&entry->info, "cpu_measured_wait_frac")};
    else
        status = ct_fail(err, CT_ENODATA, "%s: no pass in it", entry->path);
    ct_run_free(&run);
    return status;
}

/* Alone, without a load: all runs are compared. With one: those beside it. */
static enum ct_status read_run_times(struct reader *reader, struct ct_error *err)
{
    struct ct_validation_runs *found = &reader->found;
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < reader->list.n_entries && status == CT_OK; i++) {
        const struct ct_run_entry *entry = &reader->list.entries[i];
        const struct ct_run_info *info = &entry->info;
        if (info->kind != CT_RUN_RUNTIME || strcmp(info->app, reader->app) != 0 || *info->with)
            continue;
        if (info->has_config == found->has_load)
            status = read_passes(entry, &found->runs[found->n_runs++], err);
        else if (ct_run_added_latency_s(info) == 0)
            status = read_passes(entry, &found->alone[found->n_alone++], err);
    }
    if (status == CT_OK && found->has_load && found->n_alone == 0)
        return ct_fail(err, CT_ENODATA, "%s: no run time of '%s' without a load", reader->folder,
                       reader->app);
    return status;
}

/* ---- probes ---- */

static double mean_of(struct ct_series series)
{
    double sum = 0;
    for (size_t i = 0; i < series.n; i++)
        sum += series.x[i];
    return sum / (double)series.n;
}

static double difference_of(const struct ct_series *series, void *unused)
{
    (void)unused;
    return mean_of(series[0]) - mean_of(series[1]);
}

/* All probes on the idle network, or beside the load at one latency. */
static enum ct_status read_probes(const struct reader *reader, bool loaded, double delta_s,
                                  struct ct_samples *samples, struct ct_error *err)
{
    for (size_t i = 0; i < reader->list.n_entries; i++) {
        const struct ct_run_entry *entry = &reader->list.entries[i];
        const struct ct_run_info *info = &entry->info;
        bool fits = info->kind == CT_RUN_IMPACT && !*info->app && info->has_config == loaded &&
                    ct_run_added_latency_s(info) == delta_s;
        if (fits)
            CT_TRY(ct_samples_append_file(samples, entry->path, err));
    }
    return CT_OK;
}

static enum ct_status add_probe(struct reader *reader, struct ct_series idle_s, double delta_s,
                                struct ct_error *err)
{
    struct ct_validation_runs *found = &reader->found;
    struct ct_samples samples = {0};
    enum ct_status status = read_probes(reader, true, delta_s, &samples, err);
    if (status == CT_OK && ct_samples_values(&samples).n > 0) {
        const struct ct_series series[] = {ct_samples_values(&samples), idle_s};
        struct ct_validation_probe *probe = &found->probes[found->n_probes++];
        *probe = (struct ct_validation_probe){
            .delta_L_s = delta_s, .added_s = difference_of(series, NULL), .n_probes = series[0].n};
        status =
            ct_stats_bootstrap(series, 2, difference_of, NULL, reader->setup, &probe->added_ci);
        if (status != CT_OK)
            ct_fail(err, status, "%s: interval of the probes' latency: %s", reader->folder,
                    ct_status_text(status));
    }
    ct_samples_free(&samples);
    return status;
}

/* At each latency at which the load was probed. */
static enum ct_status add_probes(struct reader *reader, struct ct_series idle_s,
                                 struct ct_error *err)
{
    double *deltas_s = calloc(reader->list.n_entries + 1, sizeof *deltas_s);
    size_t n = 0;
    enum ct_status status = CT_OK;
    if (!deltas_s)
        return ct_no_memory(err, "%s", reader->folder);
    for (size_t i = 0; i < reader->list.n_entries; i++) {
        const struct ct_run_info *info = &reader->list.entries[i].info;
        if (info->kind == CT_RUN_IMPACT && info->has_config)
            deltas_s[n++] = ct_run_added_latency_s(info);
    }
    if (n > 0)
        qsort(deltas_s, n, sizeof *deltas_s, ct_order_doubles);
    for (size_t i = 0; i < n && status == CT_OK; i++)
        if (i == 0 || deltas_s[i] > deltas_s[i - 1])
            status = add_probe(reader, idle_s, deltas_s[i], err);
    free(deltas_s);
    return status;
}

static enum ct_status read_load(struct reader *reader, struct ct_error *err)
{
    struct ct_samples idle = {0};
    enum ct_status status = read_probes(reader, false, 0, &idle, err);
    if (status == CT_OK && ct_samples_values(&idle).n == 0)
        status = ct_fail(err, CT_ENODATA, "%s: no probe on the idle network", reader->folder);
    if (status == CT_OK)
        status = add_probes(reader, ct_samples_values(&idle), err);
    ct_samples_free(&idle);
    const struct ct_validation_runs *found = &reader->found;
    if (status == CT_OK && (found->n_probes == 0 || found->probes[0].delta_L_s > 0))
        status = ct_fail(err, CT_ENODATA, "%s: no probe beside the load without added latency",
                         reader->folder);
    return status;
}

/* ---- all of it ---- */

static enum ct_status look_through(struct reader *reader, struct ct_error *err)
{
    struct ct_validation_runs *found = &reader->found;
    for (size_t i = 0; i < reader->list.n_entries; i++) {
        const struct ct_run_entry *entry = &reader->list.entries[i];
        const struct ct_run_info *info = &entry->info;
        if (info->kind == CT_RUN_LOGP && is_alone(info) && !found->logp_path) {
            found->logp_path = strdup(entry->path);
            if (!found->logp_path)
                return ct_no_memory(err, "%s", reader->folder);
        }
        if ((info->kind != CT_RUN_RUNTIME && info->kind != CT_RUN_IMPACT) || !info->has_config)
            continue;
        if (found->has_load && !ct_config_same(&found->load, &info->config))
            return ct_fail(err, CT_EINVAL, "%s: runs beside several loads", reader->folder);
        found->has_load = true;
        found->load = info->config;
    }
    return CT_OK;
}

static enum ct_status read_all(struct reader *reader, struct ct_error *err)
{
    struct ct_validation_runs *found = &reader->found;
    size_t room = reader->list.n_entries + 1;
    found->runs = calloc(room, sizeof *found->runs);
    found->alone = calloc(room, sizeof *found->alone);
    found->probes = calloc(room, sizeof *found->probes);
    if (!found->runs || !found->alone || !found->probes)
        return ct_no_memory(err, "%s", reader->folder);
    enum ct_status status = look_through(reader, err);
    if (status == CT_OK)
        status = read_run_times(reader, err);
    return status == CT_OK && found->has_load ? read_load(reader, err) : status;
}

enum ct_status ct_validation_runs_read(const char *folder, const char *placement, const char *app,
                                       const struct ct_bootstrap *setup,
                                       struct ct_validation_runs *runs_p, struct ct_error *err)
{
    struct reader reader = {.folder = folder, .app = app, .setup = setup};
    CT_TRY(ct_placements_read_list(folder, placement, &reader.list, err));
    enum ct_status status = read_all(&reader, err);
    ct_run_list_free(&reader.list);
    if (status == CT_OK)
        *runs_p = reader.found;
    else
        ct_validation_runs_free(&reader.found);
    return status;
}

void ct_validation_runs_free(struct ct_validation_runs *runs)
{
    free(runs->runs);
    free(runs->alone);
    free(runs->probes);
    free(runs->logp_path);
    *runs = (struct ct_validation_runs){0};
}
