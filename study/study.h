/**
 * What a folder of runs says: a campaign in memory.
 *
 *     struct ct_study study;
 *     ct_study_load("results", &study, &err);
 *     struct ct_predict_input input = ct_study_input(&study);
 *     ct_predict_analyse(&input, &setup, &analysis, &err);
 *     ct_study_free(&study);
 *
 * With its probe runs summarised, and kept beside the runs: study/cache.h.
 */
#ifndef CT_STUDY_STUDY_H
#define CT_STUDY_STUDY_H

#include "core/argv.h"
#include "predict/predict.h"
#include "results/run.h"
#include "study/drift.h"

/** A configuration of CompressionB, beside what was measured beside it. */
struct ct_study_config {
    struct ct_config config;
    double sent_bytes_per_s; /**< by a node, as compressionb recorded; NaN: not known */
};

/** Passes of an application that was timed beside several others at once ("with" = "B,C"). */
struct ct_study_group {
    size_t app;
    size_t *with; /**< [n_with], ascending; owned */
    size_t n_with;
    struct ct_samples passes_s;
};

/**
 * Runs of the same combination of kind, application, co-runner and configuration are pooled in the
 * order of their paths. Applications are ordered by name, configurations by P, M, B. Nothing in it
 * points into it: it may be copied and moved as long as one of the copies is freed.
 */
struct ct_study {
    struct ct_measurements measured;
    struct ct_study_config *configs; /**< [config] */
    struct ct_study_group *groups;
    size_t n_groups;
    struct ct_drifts drifts; /**< applications whose baselines disagree */
    struct ct_argv notes;    /**< for people: what was left out, and why */
    size_t n_unreadable;     /**< so many of them, the first, are of files that cannot be read */
    size_t n_runs;           /**< that were used */
    bool
        is_recorded; /**< loads of configurations are known from what was sent, not from counters */
};

/**
 * Read all runs of a campaign. Runs that cannot be read or fit no combination are left out with a
 * note. The true utilization of a probed load is the mean of "busy_fraction_mean" in the files
 * RUN.ports.json beside its runs RUN.h5, NaN where there is none.
 *
 * What a configuration is known to use of a link comes from the counters of its own probe runs;
 * ct_study_set_rate() changes that.
 * @param path     [in]  folder or packed campaign
 * @param study_p  [out] ct_study_free(); unchanged on error
 * @return CT_OK; CT_ENOENT; CT_ENODATA (no run); CT_ENOMEM
 */
enum ct_status ct_study_load(const char *path, struct ct_study *study_p, struct ct_error *err);

/** The same of runs that are listed already. @param list  [in] borrowed for the call */
enum ct_status ct_study_load_list(const struct ct_run_list *list, struct ct_study *study_p,
                                  struct ct_error *err);

/**
 * Take what a configuration uses of a link from recorded compressionb runs of it (kind compression,
 * with nothing beside but a probe): bytes sent per second and node over the link's rate. Counters
 * are not looked at any more.
 * @param link_bit_per_s  [in]  data rate of a link, > 0
 * @return CT_OK; CT_ENODATA (there is no such run)
 */
enum ct_status ct_study_set_rate(struct ct_study *study, double link_bit_per_s,
                                 struct ct_error *err);

/** Summarise probe runs, which are looked at from then on. @return as ct_predict_summarize() */
enum ct_status ct_study_summarize(struct ct_study *study, struct ct_error *err);

/** What predictions are made from, without models of execution. It refers to the study. */
struct ct_predict_input ct_study_input(const struct ct_study *study);

/** Number of an application or a configuration; the count of them where it is not there. */
size_t ct_study_find_app(const struct ct_study *study, const char *name);
size_t ct_study_find_config(const struct ct_study *study, const struct ct_config *config);

/** Name of an application. */
const char *ct_study_app(const struct ct_study *study, size_t app);

/** An error of a study for which something is missing: name the files that could not be read, the
 * first with its reason. @return status */
enum ct_status ct_study_fail_within(const struct ct_study *study, enum ct_status status,
                                    struct ct_error *err);

void ct_study_free(struct ct_study *study);

#endif
