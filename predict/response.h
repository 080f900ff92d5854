/**
 * How the run time of an application responds to latency, by a model of its execution. study/ makes
 * the model from a schedule and lp-bridge/envelope/; predict/ asks it once, about all loads of the
 * campaign. The slowdown then follows from the impact of a co-runner alone, without any
 * CompressionB run.
 */
#pragma once

#include "core/status.h"

#include <stddef.h>

/** Response of one application. */
struct ct_predict_response {
    const void *model; /**< passed to runtimes(); NULL: the application has none */
    const char *why;   /**< a text: why it has none */
    /**
     * Run times where every message takes longer than on the idle network.
     * @param extra_s    [in]  [n] by so much; may be below 0
     * @param runtime_s  [out] [n]
     * @return CT_OK; an error ends the analysis
     */
    enum ct_status (*runtimes)(const void *model, const double *extra_s, size_t n,
                               double *runtime_s, struct ct_error *err);
};

/** Slowdown of one of several programs that run at the same time. */
struct ct_joint_slowdown {
    double frac;        /**< mean over the phases that they may begin at; NaN: not known */
    double spread_frac; /**< standard deviation between phases; NaN: of one phase, or not known */
};

/** Applications that run at the same time, by models of the execution of all of them. */
struct ct_predict_joint_response {
    void *model;     /**< passed to slowdown(); NULL: there is none */
    size_t n_phases; /**< that a mean is over */
    /**
     * Slowdown of app. The model keeps its answers, so that a question costs time once.
     * @param loads            [in]  n co-runners, numbered as in measurements.h; app may be one
     * @param slowdown_p       [out] NaN: not known
     * @return CT_OK; CT_ENOMEM
     */
    enum ct_status (*slowdown)(void *model, size_t app, const size_t *loads, size_t n,
                               struct ct_joint_slowdown *slowdown_p, struct ct_error *err);
};
