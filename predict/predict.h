/**
 * From the measurements of a campaign to slowdowns of pairs of applications. An analysis has the
 * effect of each load on the probe and on each application; models (predict/models.h) predict from
 * it. Pure functions: study/ reads campaigns.
 *
 *     struct ct_predict_analysis analysis;
 *     ct_predict_analyse(&input, &setup, &analysis, &err);
 *     for each model, app, with:
 *         ct_predict_group(&ct_predict_models[m], &analysis, app, &with, 1, NULL, &prediction);
 *     ct_predict_analysis_free(&analysis);
 *
 * Predictions with intervals: predict/interval.h. Errors of predictions: predict/evaluate.h.
 */
#pragma once

#include "model/lookup/lookup.h"
#include "model/queue/queue.h"
#include "predict/measurements.h"
#include "predict/response.h"

/** Input of an analysis; all borrowed. */
struct ct_predict_input {
    const struct ct_measurements *measured;
    /** [app]: run times by models of execution; NULL: there are none. */
    const struct ct_predict_response *responses;
    struct ct_predict_joint_response joint; /**< model NULL: none */
    uint64_t seed;                          /**< of the random numbers that responses use */
};

/** Stands for no configuration. */
#define CT_PREDICT_NO_CONFIG SIZE_MAX

/** A utilization, 0..1, with its interval; NaN: not known. */
struct ct_utilization {
    double frac;
    struct ct_interval interval;
};

/** The effect of a load on the probe, and utilizations. */
struct ct_predict_load {
    struct ct_probe_profile profile; /**< profile.latency_s.n = 0: not measured */
    double utilization_frac;         /**< queue model "pk"; NaN: not measured */
    struct ct_interval utilization_interval;
    struct ct_utilization calibrated; /**< by delay, with K fitted */
    struct ct_utilization waiting;    /**< by waiting, with m fitted */
    struct ct_utilization mixture;    /**< by phases: known loads of configurations, weighted by
                                           their shares of the time; of applications only */
    double known_frac; /**< known load of a configuration, share of a link; NaN: unknown */
    double true_utilization_frac; /**< by the switch counters; NaN: unknown */
};

/** A slowdown by ct_measured_slowdown(), with its interval; NaN: not measured. */
struct ct_slowdown {
    double frac;
    struct ct_interval interval;
};

/** Estimates of utilization from latencies: docs/glossary.md. */
enum ct_utilization_kind {
    CT_UTILIZATION_PK,         /**< pk: model/queue/queue.h */
    CT_UTILIZATION_CALIBRATED, /**< by delay: ct_queue_delay of model/queue/calibration.h */
    CT_UTILIZATION_WAITING,    /**< by waiting: ct_queue_waiting of model/queue/calibration.h */
    CT_UTILIZATION_MIXTURE,    /**< by phases: model/mixture/mixture.h */
    CT_N_UTILIZATIONS
};

/** Parameter of a queue relation, fitted to the configurations whose load is known. */
struct ct_predict_fit {
    size_t n;         /**< number of these configurations; 0: parameter is the default */
    double parameter; /**< K in seconds, NaN by default; m, 1 by default (a single queue) */
    double rms_frac;  /**< root mean square error of their utilizations; NaN for n = 0 */
};

struct ct_predict_summaries;
struct ct_predict_precomputed;
struct ct_probe_lines;
struct ct_multiplicative;
struct ct_mixture;
struct ct_curve;

/** What the models work on. The analysis owns its arrays. */
struct ct_predict_analysis {
    size_t n_apps, n_configs;
    struct ct_predict_load idle;
    struct ct_predict_load *apps;     /**< [app] */
    struct ct_predict_load *configs;  /**< [config] */
    struct ct_slowdown *under_config; /**< [app * n_configs + config] */
    struct ct_slowdown *beside_app;   /**< [app * n_apps + with]: measured; no intervals: these
                                         are ct_measured_interval()'s */
    double *responses; /**< [app * n_loads + load]: slowdown by a model of execution; loads as in
                            measurements.h; NaN: not known */
    struct ct_predict_joint_response joint;
    double idle_latency_s; /**< W0: median latency of the idle network; outliers do not change it */
    struct ct_predict_fit delay, waiting;

    /* Derived from the above, for the models. */
    struct ct_curve **curves;   /**< [kind * n_apps + app]: slowdown over utilization; NULL: none */
    struct ct_mixture *mixture; /**< idle network and configurations */
    double
        *shares; /**< [app * (1 + n_configs) + component]: share of the time that the idle network
                      or a configuration has in the mixture; 0 if the application was not probed */
    struct ct_predict_precomputed *precomputed; /**< predict/precomputed.h */
    struct ct_probe_lines *lines;               /**< predict/probe_lines.h */
    struct ct_multiplicative *multiplicative;   /**< predict/multiplicative.h */
    struct ct_predict_summaries *summaries;     /**< to draw replicates from; NULL in a replicate */
    double *masses;                             /**< histograms of all profiles, in the order of
                                                     loads */
};

/** Utilization of a load by one of the estimates, as a fraction; NaN: not known. */
double ct_predict_utilization(const struct ct_predict_load *load, enum ct_utilization_kind kind);

/**
 * Summarize loads and compute slowdowns. What was not measured is NaN.
 * Each replicate for the intervals draws blocks of probe latencies, runs and passes of all loads
 * (predict/summaries.h). So slowdowns that share a baseline vary together.
 * @param setup       [in]  bootstrap; its member block is not used, since blocks are those of
 *                          summaries. NULL: intervals are NaN until ct_predict_resample() is called
 * @param analysis_p  [out] ct_predict_analysis_free(); unchanged on error
 * @return CT_OK; CT_ENODATA (idle network: one latency); CT_EINVAL (a latency or a
 *         duration is not finite or not above 0; the setup); CT_ENOMEM; what a response returned
 */
enum ct_status ct_predict_analyse(const struct ct_predict_input *input,
                                  const struct ct_bootstrap *setup,
                                  struct ct_predict_analysis *analysis_p, struct ct_error *err);
void ct_predict_analysis_free(struct ct_predict_analysis *analysis);
