/**
 * How applications respond to latency: run times from a model of their execution, which is made
 * elsewhere (a schedule and simulate/), asked once for each load of the campaign. From the
 * impact of a co-runner alone they give a slowdown; no CompressionB run is needed.
 *
 * What a co-runner does to messages is taken from its probe series: latency beyond the mean of the
 * idle network. A load's gap is that of a network that is used as much as the share of the probes
 * that wait says: with this utilization rho the mean of the gap's growth is rho / (1 - rho), and it
 * goes with the delay. The idle network's own series is what a load is compared with.
 */
#ifndef CT_PREDICT_RESPONSE_H
#define CT_PREDICT_RESPONSE_H

#include "core/stats.h"

#include <stdbool.h>

/** What messages meet beyond the idle network; arrays are borrowed. */
struct ct_predict_delay {
    const double *time_s;  /**< n, not falling */
    const double *extra_s; /**< n; may be below 0 */
    size_t n;              /**< >= 1 */
    double period_s;       /**< it begins again after it */
    double half_delay_s;   /**< a byte takes 1 + extra / this times as long; INFINITY: as alone */
    bool is_constant;      /**< every message meets the mean instead */
};

/** Of one application. */
struct ct_predict_response {
    const void *model; /**< handed on; NULL: the application has none */
    const char *why;   /**< for people: why it has none */
    /**
     * Mean run time over random starts within a delay.
     * @param seed         [in]  equal seeds draw equal starts, whatever the model
     * @param runtime_s_p  [out]
     * @return CT_OK; an error ends the analysis
     */
    enum ct_status (*runtime)(const void *model, const struct ct_predict_delay *delay,
                              uint64_t seed, double *runtime_s_p, struct ct_error *err);
};

/** Applications that run together, by models of the execution of all of them. */
struct ct_predict_joint_response {
    void *model; /**< handed on; NULL: there is none */
    /**
     * How much app is slowed. Answers are remembered: asking again costs nothing.
     * @param loads            [in]  n of them, numbered as in measurements.h; app itself too
     * @param slowdown_frac_p  [out] NaN: not known
     * @return CT_OK; CT_ENOMEM
     */
    enum ct_status (*slowdown)(void *model, size_t app, const size_t *loads, size_t n,
                               double *slowdown_frac_p, struct ct_error *err);
};

/** Ways to ask. */
enum ct_response_kind {
    CT_RESPONSE_MEAN,       /**< the mean delay, at every message */
    CT_RESPONSE_MEAN_GAP,   /**< and the gap */
    CT_RESPONSE_SERIES,     /**< the delay as it changes */
    CT_RESPONSE_SERIES_GAP, /**< and the gap with it */
    CT_N_RESPONSES
};

#endif
