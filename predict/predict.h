/**
 * From measured series to slowdowns of pairs of applications: what each load does to the probe, how
 * much each application is slowed by each load, what each model (predict/models.h) foretells, and
 * how far it is off. Pure functions; reading a campaign is done elsewhere.
 *
 *     struct ct_predict_analysis analysis;
 *     ct_predict_analyse(&input, &setup, &analysis, &err);
 *     for each model, app, with:
 *         ct_predict_models[m].predict(&analysis, app, with, &prediction, &err);
 *     ct_predict_analysis_free(&analysis);
 */
#ifndef CT_PREDICT_PREDICT_H
#define CT_PREDICT_PREDICT_H

#include "model/lookup/lookup.h"
#include "model/queue/queue.h"

/**
 * Pooled raw series of a campaign. Applications and CompressionB configurations are numbered from
 * 0, configurations in the order of P, M, B. A series with n = 0 was not measured. All borrowed.
 */
struct ct_predict_input {
    size_t n_apps, n_configs;
    const char *const *app_names;               /**< [app] */
    const char *const *config_names;            /**< [config] */
    struct ct_series idle_latency_s;            /**< the probe on the idle network */
    const struct ct_series *app_latency_s;      /**< [app]: the probe beside the application */
    const struct ct_series *config_latency_s;   /**< [config] */
    const struct ct_series *baseline_s;         /**< [app]: durations of passes, alone */
    const struct ct_series *under_config_s;     /**< [app * n_configs + config]: durations */
    const struct ct_series *beside_app_s;       /**< [app * n_apps + with]: durations of app */
    double idle_true_utilization_frac;          /**< from counters; NaN: unknown */
    const double *app_true_utilization_frac;    /**< [app] */
    const double *config_true_utilization_frac; /**< [config] */
};

/** What a load does to the probe. */
struct ct_predict_load {
    struct ct_lookup_profile profile; /**< profile.latency_s.n = 0: not measured */
    double utilization_frac;          /**< queue model "pk"; NaN: not measured */
    struct ct_interval utilization_interval;
    double true_utilization_frac; /**< from counters; NaN: unknown */
};

/** A fraction such as 0.25 for "25 % slower"; NaN: not measured. */
struct ct_slowdown {
    double frac;
    struct ct_interval interval; /**< NaN where a side has fewer than 2 passes */
};

/** What the models work on; arrays are owned. */
struct ct_predict_analysis {
    size_t n_apps, n_configs;
    struct ct_predict_load idle;
    struct ct_predict_load *apps;     /**< [app] */
    struct ct_predict_load *configs;  /**< [config] */
    struct ct_slowdown *under_config; /**< [app * n_configs + config] */
    struct ct_slowdown *beside_app;   /**< [app * n_apps + with]: measured */
};

/**
 * Summarise loads and compute slowdowns. A piece that was not measured stays NaN.
 * @param setup       [in]  of the bootstraps; every interval uses the same seed
 * @param analysis_p  [out] ct_predict_analysis_free(); unchanged on error
 * @return CT_OK; CT_ENODATA (idle network: fewer than 2 latencies); CT_EINVAL (a latency or a
 *         duration is not finite or not above 0; the setup); CT_ENOMEM
 */
enum ct_status ct_predict_analyse(const struct ct_predict_input *input,
                                  const struct ct_bootstrap *setup,
                                  struct ct_predict_analysis *analysis_p, struct ct_error *err);
void ct_predict_analysis_free(struct ct_predict_analysis *analysis);

/**
 * (mean time with - mean time without) / mean time without; interval by block bootstrap of both
 * series. Source: Casas and Bronevetsky, IPDPS 2014, section IV-D.
 * @param without, with  [in]  durations of passes, seconds; n = 0 in either gives NaN
 * @return CT_OK; CT_EINVAL (a duration is not finite or not above 0; the setup); CT_ENOMEM
 */
enum ct_status ct_predict_slowdown(struct ct_series without, struct ct_series with,
                                   const struct ct_bootstrap *setup, struct ct_slowdown *slowdown_p,
                                   struct ct_error *err);

/** How far a model is off: statistics of |predicted - measured|, fractions; NaN for n = 0. */
struct ct_predict_errors {
    size_t n;
    double mean_abs, median, q1, q3, max;
};

/**
 * @param predicted, measured  [in]  n fractions each; pairs with a NaN on either side are left out
 * @param errors_p             [out] unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_predict_errors_of(const double *predicted, const double *measured, size_t n,
                                    struct ct_predict_errors *errors_p);

#endif
