/**
 * Predicted slowdowns of co-runs with their uncertainty: applications simulated together with draws
 * of a posterior. With T the run time beside others and T_0 that alone,
 *
 *     ln(T / T_0) = y_k + e + r      of draw k of the parameters
 *
 * y_k: simulated; r: scatter of the mean run times that are compared, Gaussian; e: the simulator's
 * own error (simulator_error.h), known from slowdowns that were measured and are simulated with the
 * most likely parameters: those of other co-runs of pairs, neither the co-run in question nor its
 * reverse; if these are too few for the level (predict/conformal.h), those beside steady
 * configurations. The interval of a co-run is that of quantiles of this mixture.
 */
#pragma once

#include "study/questions.h"
#include "study/schedules.h"

/** Borrowed. */
struct ct_slowdown_draws {
    const struct ct_study *study;
    const struct ct_schedules *schedules; /**< with a model that has a posterior */
    const struct ct_questions *questions;
    size_t n_draws;     /**< >= 2 */
    double level;       /**< of intervals, 0 < level < 1 */
    struct ct_log *log; /**< progress; NULL: none */
};

/** Of a question. NaN: not known. */
struct ct_slowdown_spread {
    double predicted_frac;              /**< median of the mixture */
    struct ct_interval parameters_frac; /**< what parameters contribute */
    struct ct_interval frac;            /**< of a measured slowdown */
    /** Parts of the variance of ln(T / T_0). */
    double variance_parameters, variance_runs, variance_simulator;
    enum ct_interval_source error_from; /**< what the simulator's error is known from; from too
                                             few: it is not in the interval */
    size_t n_errors;                    /**< how many slowdowns these are */
};

/**
 * @param spreads_p  [out] [questions->n], free(); unchanged on error
 * @return CT_OK; CT_EINVAL; CT_ENOMEM
 */
enum ct_status ct_slowdown_draws(const struct ct_slowdown_draws *draws,
                                 struct ct_slowdown_spread **spreads_p, struct ct_error *err);

/** How good intervals are, over the questions that were measured. */
struct ct_slowdown_coverage {
    size_t n, n_inside;
    double width_frac;                                 /**< mean width of the intervals */
    double parameters_frac, runs_frac, simulator_frac; /**< mean shares of the variance */
};
struct ct_slowdown_coverage ct_slowdown_coverage(const struct ct_questions *questions,
                                                 const struct ct_slowdown_spread *spreads);

/** Sum of the parts of the variance. */
double ct_slowdown_variance(const struct ct_slowdown_spread *spread);

/** Whether a measured slowdown is in the interval; false if one of them is not known. */
bool ct_slowdown_is_inside(const struct ct_question *question,
                           const struct ct_slowdown_spread *spread);
