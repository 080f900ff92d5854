/** From run files to the series that the models work on. */
#ifndef CT_STUDY_CAMPAIGN_H
#define CT_STUDY_CAMPAIGN_H

#include "predict/predict.h"
#include "results/run.h"
#include "study/drift.h"

/** A series that grows, run after run; arrays are owned (malloc), NULL while empty. */
struct ct_values {
    double *x;
    double *time_s; /**< when each was taken, since the start of its run */
    size_t n, capacity;
    size_t *ends; /**< [run]: where the run's values end */
    size_t n_runs;
};

/**
 * Append what a run measured in the order of time: probe latencies of an impact run, durations of
 * passes of a runtime run, seconds.
 * @return CT_OK; CT_EINVAL (a run of another kind); CT_ENOMEM
 */
enum ct_status ct_values_append_run(struct ct_values *values, const struct ct_run *run,
                                    struct ct_error *err);
struct ct_series ct_values_series(const struct ct_values *values);
struct ct_series ct_values_times(const struct ct_values *values);
struct ct_runs ct_values_runs(const struct ct_values *values);
void ct_values_free(struct ct_values *values);

/** Passes of an application that was timed beside several others at once ("with" = "B,C"). */
struct ct_measured_group {
    size_t app;
    size_t *with; /**< [n_with]; owned */
    size_t n_with;
    struct ct_values duration_s;
};

/**
 * A campaign in memory. Runs of the same combination of kind, application, co-runner and
 * configuration are pooled in the order of their paths. Applications are ordered by name,
 * configurations by P, M, B.
 */
struct ct_loaded_campaign {
    struct ct_predict_input input; /**< points into the fields below */
    size_t n_runs;                 /**< that were used */
    char **notes;                  /**< for people: what was left out, and what does not compare */
    size_t n_notes;
    struct ct_drifts drifts; /**< applications whose baselines disagree */
    struct ct_measured_group *groups;
    size_t n_groups;

    char **app_names, **config_names;
    struct ct_config *configs;
    struct ct_values *values; /**< one per combination */
    struct ct_series *series; /**< the same, as input shows them */
    struct ct_series *times;  /**< when they were measured */
    struct ct_runs *runs;
    struct ct_probe_summary *probe; /**< one per load; NULL: input.probe is not there */
    double *truths;                 /**< one per combination that is probed */
    double *sent_bytes_per_s; /**< [config]: by a node, as compressionb recorded; NaN: not known */
    double *known_frac;       /**< [config]: as input shows it */
    bool is_recorded;         /**< known_frac is from what was sent, not from counters */
};

/**
 * Read all runs of a campaign. Runs that cannot be read or fit no combination are left out with a
 * note. The true utilization of a probed load is the mean of "busy_fraction_mean" in the files
 * RUN.ports.json beside its runs RUN.h5, NaN where there is none.
 *
 * What a configuration is known to use of a link comes from the counters of its own probe runs;
 * ct_loaded_campaign_set_rate() changes that.
 * @param path        [in]  folder or packed campaign
 * @param campaign_p  [out] owned by the caller, ct_loaded_campaign_free(); unchanged on error
 * @return CT_OK; CT_ENOENT; CT_ENODATA (no run); CT_ENOMEM
 */
enum ct_status ct_load_campaign(const char *path, struct ct_loaded_campaign *campaign_p,
                                struct ct_error *err);

/** Number of combinations, and of those that are probed, which come first. */
size_t ct_loaded_campaign_n_values(const struct ct_loaded_campaign *campaign);
size_t ct_loaded_campaign_n_probed(const struct ct_loaded_campaign *campaign);

/** Let the input show what the other fields hold. */
void ct_loaded_campaign_show(struct ct_loaded_campaign *campaign);

/**
 * Take what a configuration uses of a link from recorded compressionb runs of it (kind compression,
 * with nothing beside but a probe): bytes sent per second and node over the link's rate. Counters
 * are not looked at any more.
 * @param link_bit_per_s  [in]  data rate of a link, > 0
 * @return CT_OK; CT_ENODATA (there is no such run)
 */
enum ct_status ct_loaded_campaign_set_rate(struct ct_loaded_campaign *campaign,
                                           double link_bit_per_s, struct ct_error *err);
void ct_loaded_campaign_free(struct ct_loaded_campaign *campaign);

#endif
