/**
 * A campaign in memory, read from a folder of runs.
 *
 *     struct ct_study study;
 *     ct_study_load("results", NULL, &study, &err);
 *     struct ct_predict_input input = ct_study_input(&study);
 *     ct_predict_analyse(&input, &setup, &analysis, &err);
 *     ct_study_free(&study);
 *
 * The same with a cache of the summaries of probe runs: study/cache.h.
 */
#pragma once

#include "core/argv.h"
#include "predict/predict.h"
#include "results/run.h"
#include "study/dilation.h"
#include "study/drift.h"
#include "study/shared.h"

/** A configuration of CompressionB, and the rate at which it sent. */
struct ct_study_config {
    struct ct_config config;
    double sent_bytes_per_s; /**< per node, as recorded by compressionb; NaN: not known */
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
 * order of their paths. Applications are ordered by name, configurations by P, M, B. No pointer in
 * it points into the struct itself, so it may be copied; free one of the copies.
 */
struct ct_study {
    struct ct_measurements measured;
    struct ct_study_config *configs; /**< [config] */
    struct ct_study_group *groups;
    size_t n_groups;
    struct ct_dilation dilation;
    struct ct_drifts drifts; /**< applications whose baselines drift */
    struct ct_argv notes;    /**< messages: what was left out, and why */
    struct ct_argv switches; /**< what the models of one switch leave out of this network; empty:
                                nothing */
    size_t n_unreadable;   /**< the first n_unreadable notes are about files that cannot be read */
    size_t n_runs;         /**< number of runs that were used */
    bool is_recorded;      /**< known loads are from the bytes sent, not from switch counters */
    enum ct_shared shared; /**< what programs that ran at the same time shared */
    double
        idle_wait_frac; /**< share of their time in which ranks of the probe waited for processors
                           while nothing else of the campaign ran; NaN: not recorded */
};

/**
 * Read all runs of a campaign. Runs that cannot be read, or that have no place in a study, are left
 * out with a note. The utilization of a probed load by the switch counters is the mean of
 * "busy_fraction_mean" in the files RUN.ports.json beside its runs RUN.h5; NaN: there are no such
 * files.
 *
 * The known load of a configuration is that by the counters of its probe runs, until
 * ct_study_set_rate() is called.
 * @param path       [in]  folder or packed campaign
 * @param placement  [in]  of the runs (study/placements.h); NULL: all must have the same one
 * @param study_p    [out] ct_study_free(); unchanged on error
 * @return CT_OK; CT_ENOENT; CT_ENODATA (no run); CT_EUSAGE (no run has the placement; NULL: runs
 *         have several); CT_EINVAL (of labs that differ, see ct_dilation_find()); CT_ENOMEM
 */
enum ct_status ct_study_load(const char *path, const char *placement, struct ct_study *study_p,
                             struct ct_error *err);

/**
 * The same for a list of runs.
 * @param list  [in] borrowed for the call
 */
enum ct_status ct_study_load_list(const struct ct_run_list *list, struct ct_study *study_p,
                                  struct ct_error *err);

/**
 * Set the known loads of configurations from their recorded runs of compressionb (kind compression,
 * beside nothing but a probe): bytes sent per second and node, divided by the link's rate. Counters
 * are not used any more.
 * @param link_bit_per_s  [in]  data rate of a link, > 0
 * @return CT_OK; CT_ENODATA (no such run); CT_EINVAL (a configuration sent more than that)
 */
enum ct_status ct_study_set_rate(struct ct_study *study, double link_bit_per_s,
                                 struct ct_error *err);

/**
 * Summarize the probe runs; the analysis uses the summaries from now on.
 * @return as ct_predict_summarize()
 */
enum ct_status ct_study_summarize(struct ct_study *study, struct ct_error *err);

/** Input of predictions, without models of execution. It refers to the study. */
struct ct_predict_input ct_study_input(const struct ct_study *study);

/** Index of an application or a configuration; their count if it does not exist. */
size_t ct_study_find_app(const struct ct_study *study, const char *name);
size_t ct_study_find_config(const struct ct_study *study, const struct ct_config *config);

/** Name of an application. */
const char *ct_study_app(const struct ct_study *study, size_t app);

/**
 * Add to an error of missing runs: how many files could not be read, and the first one with its
 * reason.
 * @return status
 */
enum ct_status ct_study_fail_within(const struct ct_study *study, enum ct_status status,
                                    struct ct_error *err);

void ct_study_free(struct ct_study *study);
