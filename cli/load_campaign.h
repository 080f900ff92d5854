/** From run files to the series that the models work on. */
#ifndef CT_CLI_LOAD_CAMPAIGN_H
#define CT_CLI_LOAD_CAMPAIGN_H

#include "cli/drift.h"
#include "predict/predict.h"
#include "results/run.h"

/** A series that grows; x is owned (malloc), NULL while empty. */
struct ct_values {
    double *x;
    size_t n, capacity;
};

/**
 * Append what a run measured in the order of time: probe latencies of an impact run, durations of
 * passes of a runtime run, seconds.
 * @return CT_OK; CT_EINVAL (a run of another kind); CT_ENOMEM
 */
enum ct_status ct_values_append_run(struct ct_values *values, const struct ct_run *run,
                                    struct ct_error *err);
struct ct_series ct_values_series(const struct ct_values *values);
void ct_values_free(struct ct_values *values);

/**
 * A campaign in memory. Runs of the same combination of kind, application, co-runner and
 * configuration are pooled in the order of their paths. Applications are ordered by name,
 * configurations by P, M, B.
 */
struct ct_loaded_campaign {
    struct ct_predict_input input; /**< points into the fields below */
    size_t n_runs;                 /**< that were used */
    char **notes;                  /**< for people: what was left out, and why */
    size_t n_notes;
    struct ct_drifts drifts; /**< applications whose baselines disagree */

    char **app_names, **config_names;
    struct ct_config *configs;
    struct ct_values *values; /**< one per combination */
    struct ct_series *series; /**< the same, as input shows them */
    double *truths;           /**< one per combination that is probed */
};

/**
 * Read all runs of a campaign. Runs that cannot be read or fit no combination are left out with a
 * note. The true utilization of a probed load is the mean of "busy_fraction_mean" in the files
 * RUN.ports.json beside its runs RUN.h5, NaN where there is none.
 * @param path        [in]  folder or packed campaign
 * @param campaign_p  [out] owned by the caller, ct_loaded_campaign_free(); unchanged on error
 * @return CT_OK; CT_ENOENT; CT_ENODATA (no run); CT_ENOMEM
 */
enum ct_status ct_load_campaign(const char *path, struct ct_loaded_campaign *campaign_p,
                                struct ct_error *err);
void ct_loaded_campaign_free(struct ct_loaded_campaign *campaign);

#endif
