/**
 * How the run time of an application responds to latency, by a model of its execution. study/ makes
 * the model from a schedule and simulate/; predict/ asks it once for each load of the campaign. The
 * slowdown then follows from the impact of a co-runner alone, without any CompressionB run.
 *
 * The delay of messages beside a load is taken from the probe series: latency minus the mean
 * latency of the idle network. The gap grows with the delay. With rho, the utilization by waiting,
 * the gap is 1 / (1 - rho) times as long on average. Run times are compared with those beside the
 * probe series of the idle network.
 */
#ifndef CT_PREDICT_RESPONSE_H
#define CT_PREDICT_RESPONSE_H

#include "core/stats.h"

#include <stdbool.h>

/** Delay of messages over time, beyond that of the idle network; arrays are borrowed. */
struct ct_predict_delay {
    const double *time_s;  /**< [n], not falling */
    const double *extra_s; /**< [n] additional latency from this time on; may be below 0 */
    size_t n;              /**< >= 1 */
    double period_s;       /**< the delay repeats with this period */
    double half_delay_s;   /**< G is multiplied by 1 + extra / half_delay; INFINITY: G stays */
    bool is_constant;      /**< the mean delay at all times instead */
};

/** Response of one application. */
struct ct_predict_response {
    const void *model; /**< passed to runtime(); NULL: the application has none */
    const char *why;   /**< a text: why it has none */
    /**
     * Mean run time over random starting times within a delay. Called by several threads at once.
     * @param seed         [in]  equal seeds draw equal starting times, for any model
     * @param runtime_s_p  [out]
     * @return CT_OK; an error ends the analysis
     */
    enum ct_status (*runtime)(const void *model, const struct ct_predict_delay *delay,
                              uint64_t seed, double *runtime_s_p, struct ct_error *err);
};

/** Applications that run at the same time, by models of the execution of all of them. */
struct ct_predict_joint_response {
    void *model; /**< passed to slowdown(); NULL: there is none */
    /**
     * Slowdown of app. The model keeps its answers, so that a question costs time once.
     * @param loads            [in]  n co-runners, numbered as in measurements.h; app may be one
     * @param slowdown_frac_p  [out] NaN: not known
     * @return CT_OK; CT_ENOMEM
     */
    enum ct_status (*slowdown)(void *model, size_t app, const size_t *loads, size_t n,
                               double *slowdown_frac_p, struct ct_error *err);
};

/** What changes beside a load. */
enum ct_response_kind {
    CT_RESPONSE_MEAN,       /**< latency, by the mean delay */
    CT_RESPONSE_MEAN_GAP,   /**< latency and gap, by the mean delay */
    CT_RESPONSE_SERIES,     /**< latency, by the delay over time */
    CT_RESPONSE_SERIES_GAP, /**< latency and gap, by the delay over time */
    CT_N_RESPONSES
};

#endif
