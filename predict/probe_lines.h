/**
 * The lines of the model probe: slowdown of each application over what the probe reads beside a
 * load. Smooth, rising, and fitted to the configurations alone.
 *
 * With l the latencies beside the load, l0 the median of the idle network, w the share of the
 * probes that had to wait (ct_probe_undisturbed_frac()), d = (mean of max(l - l0, 0)^p)^(1/p), less
 * the same of the idle network, the reading is
 *
 *     x = (d / l0)^q  (w / (1 - w))^(1 - q)
 *
 * Long delays that few probes meet raise d, and stop an application for as small a part of the time
 * as they take; short ones that nearly all meet raise w. The line of an application with slowdowns
 * s beside configurations is
 *
 *     log(o + s) = log(o + exp(a + b log x))
 *
 * with a and b of the least absolute deviations, and a normal prior of b. A slowdown of more than
 * the largest one that was measured, S, is extrapolated: S (s / S)^e.
 */
#pragma once

#include "predict/predict.h"

/** Choices of the model; predict/constants.c has those that count. */
struct ct_probe_line_setup {
    double moment;      /**< p > 0 */
    double delay_share; /**< q, 0..1 */
    double
        idle_quantile; /**< waiting is looked for at latencies from this one of the idle network */
    double offset;     /**< o > 0: slowdowns of this size and less count alike */
    double slope;      /**< mean of b */
    double slope_deviation; /**< its standard deviation, > 0 */
    double noise;           /**< mean deviation of the points from the line, in log(o + s), > 0 */
    double beyond;          /**< e, 0..1 */
};

/** Of predict/constants.c. */
struct ct_probe_line_setup ct_probe_line_setup_default(void);

/** Log of a slowdown and the offset; faster than alone is noise. */
double ct_probe_log(const struct ct_probe_line_setup *setup, double slowdown_frac);

/** A point that a line is fitted to: a configuration. */
struct ct_probe_line_point {
    double reading;       /**< >= 0 */
    double slowdown_frac; /**< > -1 */
};

struct ct_probe_line {
    double intercept, slope; /**< a, b; NaN: no point has a reading above 0 */
    double highest_reading;  /**< of a point; NaN: there is none */
    double highest_slowdown; /**< likewise */
    double beyond;           /**< e */
};

/**
 * @param points  [in]  n of them; those with a reading of 0 say nothing about a and b
 * @param line_p  [out] unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_probe_line_fit(const struct ct_probe_line_point *points, size_t n,
                                 const struct ct_probe_line_setup *setup,
                                 struct ct_probe_line *line_p);

/** @return slowdown as a fraction, >= 0; where a and b are NaN, 0 or the highest one; NaN: no
 * point, or no reading */
double ct_probe_line_at(const struct ct_probe_line *line, double reading);

struct ct_co_run_effects;

/** Of an analysis. */
struct ct_probe_lines {
    struct ct_probe_line_setup setup;
    double *delay;              /**< [load]: d / l0; NaN: not probed. Loads as in measurements.h */
    double *still;              /**< [load]: 1 - w, > 0 */
    struct ct_probe_line *line; /**< [app] */
    struct ct_co_run_effects *effects; /**< predict/co_run_effects.h; NULL: none */
};

/**
 * @param analysis  [in]  with loads and slowdowns; lines and effects are not read
 * @param lines_p   [out] ct_probe_lines_free(); effects NULL; unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_probe_lines_new(const struct ct_predict_analysis *analysis,
                                  const struct ct_probe_line_setup *setup,
                                  struct ct_probe_lines **lines_p);
void ct_probe_lines_free(struct ct_probe_lines *lines);

/**
 * What the probe reads beside loads that run at the same time: their delays add up, and probes that
 * one of them lets pass may have to wait for another.
 * @param loads  [in]  n >= 1 of them, numbered as in measurements.h
 * @return NaN: one of them was not probed
 */
double ct_probe_reading(const struct ct_probe_lines *lines, const size_t *loads, size_t n);

/**
 * The line of an application without one of the configurations.
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_probe_lines_without(const struct ct_predict_analysis *analysis, size_t app,
                                      size_t excluded, struct ct_probe_line *line_p);
