#include "results/run_summary.h"

#include "core/stats.h"
#include "results/checkpoint.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    const struct ct_dataset *dataset = ct_dataset_main(run->info.kind);
    size_t n = ct_dataset_count(dataset, run);
    struct ct_run_summary summary = {(double)n, NAN, NAN, NAN, NAN, NAN};
    if (n > 0 && run->info.kind != CT_RUN_LOGP && run->info.kind != CT_RUN_SCAN) {
        double *times_s = copy_times(dataset, run, n);
        if (!times_s)
            return ct_no_memory(err, "%zu rows", n);
        ct_stats_sort(times_s, n);
        summarize_sorted(times_s, n, &summary);
        free(times_s);
    }
    *summary_p = summary;
    return CT_OK;
}

/* ---- a run or a list of runs ---- */

enum ct_status ct_found_read(const char *given, struct ct_found *found_p, struct ct_error *err)
{
    char checkpoint[PATH_MAX];
    snprintf(checkpoint, sizeof checkpoint, "%s" CT_CHECKPOINT_SUFFIX, given);
    bool is_left = access(given, F_OK) != 0 && ct_checkpoint_is(checkpoint);
    const char *path = is_left ? checkpoint : given;
    struct ct_found found = {.is_run = true, .is_checkpoint = ct_checkpoint_is(path)};
    struct stat st;
    /* What is not there by this name may be a run in a packed campaign, "FILE.h5:0000". */
    if (stat(path, &st) == 0) {
        CT_TRY(ct_run_list_read(path, &found.list, err));
        found.is_run = found.list.n_entries == 1 && !strcmp(found.list.entries[0].path, path);
    }
    if (found.is_run) {
        ct_run_list_free(&found.list);
        CT_TRY(ct_run_read(path, &found.run, err));
    }
    *found_p = found;
    return CT_OK;
}

void ct_found_free(struct ct_found *found)
{
    ct_run_free(&found->run);
    ct_run_list_free(&found->list);
}
