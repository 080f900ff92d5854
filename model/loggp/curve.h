/**
 * Parameterized LogP, o_s(m), o_r(m) and g(m), as measured for a number of message sizes. Pure.
 *
 * Source: Kielmann, Bal and Verstoep, "Fast Measurement of LogP Parameters for Message Passing
 * Platforms", IPDPS 2000 workshops.
 */
#pragma once

#include "core/stats.h"

#include <stdbool.h>

/** A value with its interval. A value of NaN: not measured; an interval of NaN: too few
 * repetitions.
 */
struct ct_estimate {
    double value;
    struct ct_interval ci;
};

/** The estimate of a value that was not measured: all NaN. */
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

/** Half of the interval's width; 0: no interval. */
double ct_estimate_half_width(struct ct_estimate x);

/** Whether both have intervals, and these have no value in common. */
bool ct_estimate_differ(struct ct_estimate x, struct ct_estimate y);

/** One message size. Seconds. */
struct ct_loggp_point {
    uint64_t bytes;
    struct ct_estimate os_s;           /**< send overhead */
    struct ct_estimate or_s;           /**< receive overhead, receive posted after arrival */
    struct ct_estimate or_expected_s;  /**< receive overhead, receive posted before arrival */
    struct ct_estimate g_s;            /**< gap, by the fast method */
    struct ct_estimate g_train_s;      /**< gap, by short trains: one of two sources of g_s */
    struct ct_estimate g_saturation_s; /**< gap, by saturating the link */
    struct ct_estimate rtt_s;          /**< round trip: the message, and an empty answer */
    uint32_t repetitions;              /**< number of round trips */
    uint32_t occasions;                /**< times the size was measured; the fastest one is kept */
    uint32_t train;                    /**< messages in the train of g_saturation_s; 0: none */
};

/** The gap of a size: g_s, or g_saturation_s if g_s was not measured. */
struct ct_estimate ct_loggp_gap(const struct ct_loggp_point *point);

/**
 * g(1): the gap of the smallest size above 0.
 * @param points  [in] n, ascending sizes
 * @return NaN: there is no such size
 */
struct ct_estimate ct_loggp_gap_of_one(const struct ct_loggp_point *points, size_t n);

/**
 * Distance of the third of three sizes from the line through the first two: the largest of those of
 * o_s, o_r and g. Each is divided by epsilon times the value, or by what the three intervals
 * explain, whichever is more.
 * @return above 1: the curve bends
 */
double ct_loggp_misfit(const struct ct_loggp_point three[3], double epsilon);

/** The same distance, of the gap alone. Above 1: the gap per further byte is not constant. */
double ct_loggp_gap_misfit(const struct ct_loggp_point three[3], double epsilon);
