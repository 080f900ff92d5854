/** Runs as tables: what show and export have in common. */
#ifndef CT_STUDY_RUN_SUMMARY_H
#define CT_STUDY_RUN_SUMMARY_H

#include "core/report.h"
#include "results/dataset.h"

/** The quantity that a run measures, over all of its rows. NaN where there are no rows, and for a
 *  logp run, whose rows are of different message sizes. */
struct ct_run_summary {
    double n;
    double min_s, mean_s, p50_s, p99_s, max_s;
};

/** @return CT_OK; CT_ENOMEM */
enum ct_status ct_run_summarize(const struct ct_run *run, struct ct_run_summary *summary_p,
                                struct ct_error *err);

/** What one finds under a path of the command line. */
struct ct_found {
    bool is_run; /**< one run: run is read, list is not */
    struct ct_run run;
    struct ct_run_list list;
};

/** Read a run, or list the runs of a folder or packed campaign. Free with ct_found_free(). */
enum ct_status ct_found_read(const char *path, struct ct_found *found_p, struct ct_error *err);
void ct_found_free(struct ct_found *found);

/**
 * Add the table "runs" to a report: what each run is and, where asked for, its summary, for which
 * every run is read.
 * @return CT_OK; the status of the first run that cannot be read
 */
enum ct_status ct_report_runs(struct ct_report *report, const struct ct_run_list *list,
                              bool with_summaries, struct ct_error *err);

/** Warn of each file that could not be read. */
void ct_warn_of_rejected(const char *command, const struct ct_run_list *list);

#endif
