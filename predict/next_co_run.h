/**
 * Chooses the co-run to measure next: the one that is expected to decide most verdicts in the time
 * that it takes. Pure.
 *
 * A verdict on A beside B is open as long as neither a measurement nor the interval of a prediction
 * says on which side of the limit the slowdown is. With y = log(o + slowdown), what predictions
 * leave over is taken as in predict/co_run_effects.h,
 *
 *     y_AB = prediction + m + r_A + c_B + e,
 *
 * normal, with variance s^2 of e and s^2 / lambda of m, r and c; o is the constant probe_offset and
 * lambda co_run_shrinkage. The co-runs that were measured leave v_AB s^2 of the variance of
 * m + r_A + c_B. A further co-run lowers it, by as much whatever it measures, to v'_AB s^2, and
 * moves the prediction by a normal number of variance (v_AB - v'_AB) s^2. It decides a verdict if
 * the moved prediction is further from the limit than z s sqrt(v'_AB + 1), z being the quantile of
 * the level; its own verdict it decides. The sum of these probabilities over the open verdicts,
 * divided by the time of the run, is the largest for the chosen one.
 *
 * s is the median of what the intervals of the open verdicts say, half of their width in y divided
 * by z sqrt(v_AB + 1); without intervals the constant probe_noise.
 */
#pragma once

#include "core/stats.h"
#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

/** A beside B. */
struct ct_next_co_run_pair {
    bool is_measured;
    bool is_open;                /**< its verdict is wanted, and open; not if it is measured */
    double frac;                 /**< predicted slowdown, if it is open; NaN: not known */
    struct ct_interval interval; /**< of frac, at the level; NaN: none */
    double run_s; /**< time that its run takes, > 0; NaN: it cannot be measured (again) */
};

struct ct_next_co_run_question {
    size_t n_apps;
    const struct ct_next_co_run_pair *pairs; /**< [app * n_apps + with] */
    double limit_frac;                       /**< of the verdicts, > 0 */
    double level;                            /**< of the intervals, 0 < level < 1 */
};

struct ct_next_co_run {
    bool is_found;    /**< else: no verdict is open that a run could decide */
    size_t app, with; /**< that is timed, and that runs beside it */
    double n_decided; /**< expected number of verdicts that it decides */
    size_t n_open;    /**< open verdicts, also if none is found */
};

/**
 * @param next_p  [out] of equal ones the first; unchanged on error
 * @return CT_OK; CT_EINVAL (the limit or the level); CT_ENOMEM
 */
enum ct_status ct_next_co_run_choose(const struct ct_next_co_run_question *question,
                                     struct ct_next_co_run *next_p);
