/** Summary of a run in a few numbers; the run, or the runs, under a path. */
#pragma once

#include "results/dataset.h"

/**
 * Statistics of the quantity that a run measures, over all of its rows. NaN: there are no rows, or
 * it is a logp run, whose rows are of different message sizes, or a round of a scan.
 */
struct ct_run_summary {
    double n;
    double min_s, mean_s, p50_s, p99_s, max_s;
};

/** @return CT_OK; CT_ENOMEM */
enum ct_status ct_run_summarize(const struct ct_run *run, struct ct_run_summary *summary_p,
                                struct ct_error *err);

/** Content of a path of the command line. */
struct ct_found {
    bool is_run;        /**< true: run is set; false: list is set */
    bool is_checkpoint; /**< a run that was killed, or is under way */
    struct ct_run run;
    struct ct_run_list list;
};

/**
 * Read a run, the checkpoint of one that is not there, or list the runs of a folder or packed
 * campaign. Free with ct_found_free().
 * @return as ct_run_read() and ct_run_list_read()
 */
enum ct_status ct_found_read(const char *path, struct ct_found *found_p, struct ct_error *err);
void ct_found_free(struct ct_found *found);
