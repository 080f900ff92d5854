/**
 * From measured series to slowdowns of pairs of applications: what each load does to the probe, how
 * much each application is slowed by each load, what each model (predict/models.h) predicts, and
 * how far it is off. Pure functions; reading a campaign is done elsewhere.
 *
 *     struct ct_predict_analysis analysis;
 *     ct_predict_analyse(&input, &setup, &analysis, &err);
 *     for each model, app, with:
 *         ct_predict_pair(&ct_predict_models[m], &analysis, app, with, &prediction);
 *     ct_predict_analysis_free(&analysis);
 *
 * With intervals: predict/interval.h. Against the truth: predict/evaluate.h.
 */
#ifndef CT_PREDICT_PREDICT_H
#define CT_PREDICT_PREDICT_H

#include "model/lookup/lookup.h"
#include "model/queue/queue.h"
#include "predict/measurements.h"
#include "predict/response.h"

/** What an analysis is made from; all borrowed. */
struct ct_predict_input {
    const struct ct_measurements *measured;
    /** [app]: run times by models of execution; NULL: there are none. When latencies were taken is
     *  needed with it, not falling within a run. */
    const struct ct_predict_response *responses;
    struct ct_predict_joint_response joint; /**< model NULL: none */
    uint64_t seed; /**< start of the random numbers with which responses are asked */
};

/** No configuration is meant. */
#define CT_PREDICT_NO_CONFIG SIZE_MAX

/** A utilization, 0..1, with its interval; NaN: not known. */
struct ct_utilization {
    double frac;
    struct ct_interval interval;
};

/** What a load does to the probe. */
struct ct_predict_load {
    struct ct_probe_profile profile; /**< profile.latency_s.n = 0: not measured */
    double utilization_frac;         /**< queue model "pk"; NaN: not measured */
    struct ct_interval utilization_interval;
    struct ct_utilization calibrated; /**< from the mean delay, with K fitted */
    struct ct_utilization waiting;    /**< from the share of the probes that wait, with m fitted */
    struct ct_utilization mixture; /**< sum of shares of time times known loads of configurations;
                                        only of applications: configurations are their own */
    double known_frac; /**< share of a link that was sent, of a configuration; NaN: unknown */
    double true_utilization_frac; /**< from counters; NaN: unknown */
};

/** As ct_measured_slowdown() has it, with its interval; NaN: not measured. */
struct ct_slowdown {
    double frac;
    struct ct_interval interval;
};

/** Ways from latencies to a utilization. */
enum ct_utilization_kind {
    CT_UTILIZATION_PK,         /**< model/queue/queue.h */
    CT_UTILIZATION_CALIBRATED, /**< ct_queue_delay of model/queue/calibration.h */
    CT_UTILIZATION_WAITING,    /**< ct_queue_waiting of the same */
    CT_UTILIZATION_MIXTURE,    /**< known loads of configurations, by model/mixture/mixture.h */
    CT_N_UTILIZATIONS
};

/** Parameter of a queue relation, fitted to the configurations whose load is known. */
struct ct_predict_fit {
    size_t n;         /**< configurations it was fitted to; 0: none, parameter is the default */
    double parameter; /**< K in seconds, NaN by default; m, 1 by default (a single queue) */
    double rms_frac;  /**< of the utilizations of these configurations; NaN for n = 0 */
};

struct ct_predict_summaries;
struct ct_predict_precomputed;
struct ct_additive;
struct ct_mixture;
struct ct_curve;

/** What the models work on; arrays are owned. */
struct ct_predict_analysis {
    size_t n_apps, n_configs;
    struct ct_predict_load idle;
    struct ct_predict_load *apps;     /**< [app] */
    struct ct_predict_load *configs;  /**< [config] */
    struct ct_slowdown *under_config; /**< [app * n_configs + config] */
    struct ct_slowdown *beside_app;   /**< [app * n_apps + with]: measured */
    double *responses; /**< [(enum ct_response_kind * n_apps + app) * n_loads + load]: slowdown by a
                            model of execution; loads: idle network, applications, configurations;
                            NaN: not known */
    struct ct_predict_joint_response joint;
    double idle_latency_s; /**< W0: median of the idle network, safe from outliers */
    struct ct_predict_fit delay, waiting;

    /* Made from the above for the models. */
    struct ct_curve **curves;   /**< [kind * n_apps + app]: slowdown over utilization; NULL: none */
    struct ct_mixture *mixture; /**< idle network and configurations */
    double *shares; /**< [app * (1 + n_configs) + component]: of the application as a mixture; 0
                         where it was not probed */
    struct ct_predict_precomputed
        *precomputed;             /**< what answers about pairs share; predict/precomputed.h */
    struct ct_additive *additive; /**< of measured co-runs: predict/additive.h */
    struct ct_predict_summaries *summaries; /**< to be resampled; NULL in a resampled analysis */
    double *masses;                         /**< histograms of all profiles; idle first, then
                                                 applications, then configurations */
};

/** @return NaN: not known */
double ct_predict_utilization(const struct ct_predict_load *load, enum ct_utilization_kind kind);

/**
 * Summarise loads and compute slowdowns. A piece that was not measured stays NaN.
 * Intervals are made by drawing blocks of probe latencies, runs and passes anew
 * (predict/summaries.h), all together, so that what has the baseline in common varies with it.
 * @param setup       [in]  of the bootstrap; block is not used, blocks follow the rule. NULL:
 *                          intervals stay NaN, until ct_predict_resample() makes them
 * @param analysis_p  [out] ct_predict_analysis_free(); unchanged on error
 * @return CT_OK; CT_ENODATA (idle network: fewer than 2 latencies); CT_EINVAL (a latency or a
 *         duration is not finite or not above 0; the setup); CT_ENOMEM; what a response returned
 */
enum ct_status ct_predict_analyse(const struct ct_predict_input *input,
                                  const struct ct_bootstrap *setup,
                                  struct ct_predict_analysis *analysis_p, struct ct_error *err);
void ct_predict_analysis_free(struct ct_predict_analysis *analysis);

#endif
