#include "study/samples.h"

#include "core/array.h"
#include "core/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

CT_ORDER(by_time, struct ct_sample, t_s)

/* Room for so many more values. */
static enum ct_status reserve_values(struct ct_samples *samples, size_t more, struct ct_error *err)
{
    size_t room = samples->n + more;
    return CT_ARRAY_RESIZE(samples->x, room) && CT_ARRAY_RESIZE(samples->time_s, room)
               ? CT_OK
               : ct_no_memory(err, "%zu values", room);
}

static void append_value(struct ct_samples *samples, double time_s, double x)
{
    samples->time_s[samples->n] = time_s;
    samples->x[samples->n++] = x;
}

/* As a campaign records it, see docs/campaigns.md. Runs count by the time of a rank. */
static void add_waits(struct ct_samples *samples, const struct ct_run_info *info)
{
    double n_ranks = ct_run_number(info, "cpu_measured_ranks");
    double watched_s = ct_run_number(info, "cpu_measured_wall_s") / n_ranks;
    double wait_frac = ct_run_number(info, "cpu_measured_wait_frac");
    double stolen_frac = ct_run_number(info, "cpu_measured_stolen_frac");
    if (!(watched_s > 0 && isfinite(watched_s)))
        return;
    if (wait_frac >= 0 && wait_frac <= 1) {
        samples->watched_s += watched_s;
        samples->waited_s += wait_frac * watched_s;
    }
    if (stolen_frac >= 0 && stolen_frac <= 1) {
        samples->steal_watched_s += watched_s;
        samples->stolen_s += stolen_frac * watched_s;
    }
}

/* Ranks wrote their samples one after the other; the bootstrap needs the order of time. */
static enum ct_status append_latencies(struct ct_samples *samples, const struct ct_run *run,
                                       struct ct_error *err)
{
    if (run->n_samples == 0)
        return CT_OK;
    struct ct_sample *sorted = malloc(run->n_samples * sizeof *sorted);
    if (!sorted)
        return ct_no_memory(err, "%zu samples", run->n_samples);
    memcpy(sorted, run->samples, run->n_samples * sizeof *sorted);
    qsort(sorted, run->n_samples, sizeof *sorted, by_time);
    enum ct_status status = reserve_values(samples, run->n_samples, err);
    for (size_t i = 0; i < run->n_samples && status == CT_OK; i++)
        append_value(samples, sorted[i].t_s, sorted[i].latency_s);
    free(sorted);
    return status;
}

static enum ct_status append_durations(struct ct_samples *samples, const struct ct_run *run,
                                       struct ct_error *err)
{
    CT_TRY(reserve_values(samples, run->n_runtimes, err));
    for (size_t i = 0; i < run->n_runtimes; i++)
        append_value(samples, run->runtimes[i].start_s, run->runtimes[i].duration_s);
    return CT_OK;
}

static enum ct_status end_run(struct ct_samples *samples, struct ct_error *err)
{
    if (!CT_ARRAY_RESIZE(samples->ends, samples->n_runs + 1))
        return ct_no_memory(err, "%zu runs", samples->n_runs + 1);
    samples->ends[samples->n_runs++] = samples->n;
    return CT_OK;
}

enum ct_status ct_samples_append_run(struct ct_samples *samples, const struct ct_run *run,
                                     struct ct_error *err)
{
    enum ct_status status;
    if (run->info.kind == CT_RUN_IMPACT)
        status = append_latencies(samples, run, err);
    else if (run->info.kind == CT_RUN_RUNTIME)
        status = append_durations(samples, run, err);
    else
        status = ct_fail(err, CT_EINVAL, "a run of kind %s has neither latencies nor run times",
                         ct_run_kind_text(run->info.kind));
    if (status != CT_OK)
        return status;
    add_waits(samples, &run->info);
    return end_run(samples, err);
}

enum ct_status ct_samples_append_file(struct ct_samples *samples, const char *path,
                                      struct ct_error *err)
{
    struct ct_run run;
    CT_TRY(ct_run_read(path, &run, err));
    enum ct_status status = ct_samples_append_run(samples, &run, err);
    if (status != CT_OK)
        ct_fail_within(err, status, "%s", path);
    ct_run_free(&run);
    return status;
}

enum ct_status ct_samples_read_probe(const char *path, struct ct_samples *samples, char **app_p,
                                     struct ct_error *err)
{
    struct ct_run run;
    CT_TRY(ct_run_read(path, &run, err));
    enum ct_status status = CT_OK;
    if (run.info.kind != CT_RUN_IMPACT)
        status = ct_fail(err, CT_EINVAL, "%s: a run of kind %s; impactb makes runs of kind %s",
                         path, ct_run_kind_text(run.info.kind), ct_run_kind_text(CT_RUN_IMPACT));
    else
        status = ct_samples_append_run(samples, &run, err);
    if (status == CT_OK && app_p) {
        *app_p = strdup(run.info.app);
        if (!*app_p)
            status = ct_no_memory(err, "%s", path);
    }
    ct_run_free(&run);
    return status;
}
