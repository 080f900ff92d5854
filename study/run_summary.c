#include "study/run_summary.h"

#include "core/log.h"
#include "core/option.h"
#include "core/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- one run ---- */

/* Times of the rows: the field at this offset of the first dataset of the run's kind. */
static double *copy_times(const struct ct_dataset *dataset, const struct ct_run *run, size_t n)
{
    size_t offset = 0;
    for (size_t f = 0; f < dataset->n_fields; f++)
        if (dataset->fields[f].rule == CT_RULE_NOT_NEGATIVE)
            offset = dataset->fields[f].offset;
    const char *rows = ct_dataset_rows(dataset, run);
    double *times_s = malloc(n * sizeof *times_s);
    for (size_t i = 0; times_s && i < n; i++)
        memcpy(&times_s[i], rows + i * dataset->row_bytes + offset, sizeof *times_s);
    return times_s;
}

static void summarize_sorted(const double *times_s, size_t n, struct ct_run_summary *summary)
{
    struct ct_summary moments = {0};
    if (ct_stats_summarize(times_s, n, &moments) != CT_OK)
        return;
    summary->min_s = moments.min;
    summary->mean_s = moments.mean;
    summary->max_s = moments.max;
    ct_stats_quantile(times_s, n, 0.5, &summary->p50_s);
    ct_stats_quantile(times_s, n, 0.99, &summary->p99_s);
}

enum ct_status ct_run_summarize(const struct ct_run *run, struct ct_run_summary *summary_p,
                                struct ct_error *err)
{
    const struct ct_dataset *dataset = ct_datasets;
    while (dataset->kind != run->info.kind)
        dataset++;
    size_t n = ct_dataset_count(dataset, run);
    struct ct_run_summary summary = {(double)n, NAN, NAN, NAN, NAN, NAN};
    if (n > 0 && run->info.kind != CT_RUN_LOGP) {
        double *times_s = copy_times(dataset, run, n);
        if (!times_s)
            return ct_fail(err, CT_ENOMEM, "%zu rows: out of memory", n);
        ct_stats_sort(times_s, n);
        summarize_sorted(times_s, n, &summary);
        free(times_s);
    }
    *summary_p = summary;
    return CT_OK;
}

/* ---- a run or a list of runs ---- */

enum ct_status ct_found_read(const char *path, struct ct_found *found_p, struct ct_error *err)
{
    struct ct_found found = {.is_run = true};
    struct stat st;
    enum ct_status status = CT_OK;
    /* What is not there by this name may be a run in a packed campaign, "FILE.h5:0000". */
    if (stat(path, &st) == 0) {
        status = ct_run_list_read(path, &found.list, err);
        if (status != CT_OK)
            return status;
        found.is_run = found.list.n_entries == 1 && !strcmp(found.list.entries[0].path, path);
    }
    if (found.is_run) {
        ct_run_list_free(&found.list);
        status = ct_run_read(path, &found.run, err);
    }
    if (status == CT_OK)
        *found_p = found;
    return status;
}

void ct_found_free(struct ct_found *found)
{
    ct_run_free(&found->run);
    ct_run_list_free(&found->list);
}

/* ---- the table of runs ---- */

static const struct ct_column run_columns[] = {{"path", "run", CT_UNIT_NONE},
                                               {"kind", "kind", CT_UNIT_NONE},
                                               {"app", "app", CT_UNIT_NONE},
                                               {"with", "with", CT_UNIT_NONE},
                                               {"config_P", "P", CT_UNIT_COUNT},
                                               {"config_M", "M", CT_UNIT_COUNT},
                                               {"config_B_s", "B", CT_UNIT_SECONDS},
                                               {"config_pattern", "pattern", CT_UNIT_NONE},
                                               {"config_burst_on_s", "on", CT_UNIT_LONG_SECONDS},
                                               {"config_burst_off_s", "off", CT_UNIT_LONG_SECONDS},
                                               {"started_utc", "started", CT_UNIT_NONE},
                                               {"n", "rows", CT_UNIT_COUNT},
                                               {"min_s", "min", CT_UNIT_SECONDS},
                                               {"mean_s", "mean", CT_UNIT_SECONDS},
                                               {"p50_s", "p50", CT_UNIT_SECONDS},
                                               {"p99_s", "p99", CT_UNIT_SECONDS},
                                               {"max_s", "max", CT_UNIT_SECONDS}};
enum { N_RUN_COLUMNS = sizeof run_columns / sizeof *run_columns, N_IDENTITY_COLUMNS = 11 };

static void add_identity(struct ct_report *report, const struct ct_run_entry *entry)
{
    const struct ct_run_info *info = &entry->info;
    const struct ct_burst *burst = &info->config.burst;
    ct_report_cell_text(report, entry->path);
    ct_report_cell_text(report, ct_run_kind_text(info->kind));
    ct_report_cell_text(report, info->app);
    ct_report_cell_text(report, info->with);
    ct_report_cell_number(report, info->has_config ? (double)info->config.partners : NAN);
    ct_report_cell_number(report, info->has_config ? (double)info->config.messages : NAN);
    ct_report_cell_number(report, info->has_config ? info->config.bubble_s : NAN);
    ct_report_cell_text(report, info->has_config ? ct_pattern_names[info->config.pattern] : "");
    ct_report_cell_number(report, burst->given ? burst->on_s : NAN);
    ct_report_cell_number(report, burst->given ? burst->off_s : NAN);
    ct_report_cell_text(report, info->started_utc);
}

static enum ct_status add_summary(struct ct_report *report, const char *path, struct ct_error *err)
{
    struct ct_run run;
    struct ct_run_summary summary;
    enum ct_status status = ct_run_read(path, &run, err);
    if (status != CT_OK)
        return status;
    status = ct_run_summarize(&run, &summary, err);
    ct_run_free(&run);
    if (status != CT_OK)
        return status;
    ct_report_cell_number(report, summary.n);
    ct_report_cell_number(report, summary.min_s);
    ct_report_cell_number(report, summary.mean_s);
    ct_report_cell_number(report, summary.p50_s);
    ct_report_cell_number(report, summary.p99_s);
    ct_report_cell_number(report, summary.max_s);
    return CT_OK;
}

enum ct_status ct_report_runs(struct ct_report *report, const struct ct_run_list *list,
                              bool with_summaries, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    ct_report_table(report, "runs", NULL, run_columns,
                    with_summaries ? N_RUN_COLUMNS : N_IDENTITY_COLUMNS);
    for (size_t i = 0; i < list->n_entries && status == CT_OK; i++) {
        add_identity(report, &list->entries[i]);
        if (with_summaries)
            status = add_summary(report, list->entries[i].path, err);
    }
    return status;
}

/* ---- ends ---- */

void ct_warn_of_rejected(const char *command, const struct ct_run_list *list)
{
    struct ct_log log = ct_log_open(command, false);
    for (size_t i = 0; i < list->n_rejected; i++)
        ct_log_warn(&log, "left out: %s", list->rejected[i]);
}
