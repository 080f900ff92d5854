/**
 * Parameterized LogP, o_s(m), o_r(m) and g(m), as measured for a number of message sizes. Pure.
 *
 * Source: Kielmann, Bal and Verstoep, "Fast Measurement of LogP Parameters for Message Passing
 * Platforms", IPDPS 2000 workshops.
 */
#ifndef CT_MODEL_LOGGP_CURVE_H
#define CT_MODEL_LOGGP_CURVE_H

#include "core/stats.h"

#include <stdbool.h>

/** A value with its interval. NaN: not measured; an interval of NaN: too few repetitions. */
struct ct_estimate {
    double value;
    struct ct_interval ci;
};

/** Not measured: all NaN. */
struct ct_estimate ct_estimate_none(void);

/**
 * Median with its distribution-free interval.
 * @param x      [in,out] n >= 1 values; sorted on return
 * @param level  [in] 0 < level < 1
 */
struct ct_estimate ct_estimate_median(double *x, size_t n, double level);

/**
 * a * x + b * y of independent estimates. Half-widths are added as squares, each side by itself,
 * as for normal errors.
 */
struct ct_estimate ct_estimate_combine(double a, struct ct_estimate x, double b,
                                       struct ct_estimate y);

/** Half of the interval's width; 0 where there is no interval. */
double ct_estimate_half_width(struct ct_estimate x);

/** Both have intervals, and these share no value. */
bool ct_estimate_differ(struct ct_estimate x, struct ct_estimate y);

/** One message size. Seconds. */
struct ct_loggp_point {
    uint64_t bytes;
    struct ct_estimate os_s;           /**< send overhead */
    struct ct_estimate or_s;           /**< receive overhead, message unexpected */
    struct ct_estimate or_expected_s;  /**< receive posted before the message came */
    struct ct_estimate g_s;            /**< gap, by the fast method */
    struct ct_estimate g_train_s;      /**< gap, by short trains: one of the two that g_s may be */
    struct ct_estimate g_saturation_s; /**< gap, by saturating the link */
    struct ct_estimate rtt_s;          /**< message out, empty answer back */
    uint32_t repetitions;              /**< round trips */
    uint32_t occasions;                /**< times it was measured; the fastest counts */
    uint32_t train;                    /**< messages in the train of g_saturation_s; 0: none */
};

/** The gap to compute with: by the fast method, or by saturation where only that was measured. */
struct ct_estimate ct_loggp_gap(const struct ct_loggp_point *point);

/** g(1), of the smallest size above 0; NaN: there is none. @param points  [in] n, ascending sizes
 */
struct ct_estimate ct_loggp_gap_of_one(const struct ct_loggp_point *points, size_t n);

/**
 * How far the third of three sizes is off the line through the first two: the largest distance of
 * o_s, o_r and g, each relative to epsilon of the value or to what the three intervals explain,
 * whichever is more. Above 1 the curve bends.
 */
double ct_loggp_misfit(const struct ct_loggp_point three[3], double epsilon);

/** The same for the gap alone: above 1 the gap per further byte is not stable. */
double ct_loggp_gap_misfit(const struct ct_loggp_point three[3], double epsilon);

#endif
