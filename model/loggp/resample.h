/**
 * Uncertainty of the LogGPS model of a measured curve, by the bootstrap (Efron 1979). Pure.
 *
 * A replicate draws, for each size and with replacement, as many round trips (each with its time of
 * sending) and as many receives as were measured. It takes their medians and derives all parameters
 * from these. So L, G and the overheads of a replicate are consistent: where an overhead is longer,
 * L is shorter. Every replicate has the same S, and the same larger sizes replace smaller ones that
 * took longer. Intervals are percentiles of the replicates, ranks rounded outwards. They do not
 * contain what all repetitions of a size have in common, such as a machine that was busy during all
 * of them.
 */
#pragma once

#include "model/loggp/loggps.h"

/** The repetitions of one size; its point has their medians. Seconds; borrowed. */
struct ct_loggp_sample {
    const double *send_s, *rtt_s; /**< [n_trips], of the same round trips */
    const double *recv_s;         /**< [n_receives] */
    size_t n_trips, n_receives;   /**< 0: every replicate has the value of the point */
};

struct ct_loggp_resampling {
    size_t replicates; /**< 0: no replicates, hence no intervals */
    double level;      /**< of the intervals, 0 < level < 1 */
    uint64_t seed;     /**< of the random numbers */
};

/** Models, one of each replicate. */
struct ct_loggps_replicates {
    struct ct_loggps_model *models; /**< n; owned */
    size_t n;
    double level;
    uint64_t seed;
};

/**
 * Draw replicates of a curve and derive their models.
 * @param points        [in]  n points, as ct_loggps_model_derive() takes them
 * @param samples       [in]  n, the repetitions of each point
 * @param S_bytes       [in]  largest eager message
 * @param replicates_p  [out] ct_loggps_replicates_free(); n = 0 if no size has repetitions, or if a
 *                            model can be derived for fewer than half of the replicates
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_loggps_resample(const struct ct_loggp_point *points,
                                  const struct ct_loggp_sample *samples, size_t n, uint64_t S_bytes,
                                  const struct ct_loggp_resampling *setup,
                                  struct ct_loggps_replicates *replicates_p, struct ct_error *err);
void ct_loggps_replicates_free(struct ct_loggps_replicates *replicates);

/**
 * The middle `level` of the values of replicates, ranks rounded outwards; an end may be INFINITY.
 * @param x  [in,out] n values, those that are NaN left out; order changes
 * @return NaN if fewer than half of the values, or fewer than 20, are numbers
 */
struct ct_interval ct_loggp_percentiles(double *x, size_t n, double level);

/** Intervals of L and of G: percentiles of the replicates; NaN: there are no replicates. */
struct ct_interval ct_loggps_L_interval(const struct ct_loggps_replicates *replicates);
struct ct_interval ct_loggps_G_interval(const struct ct_loggps_replicates *replicates);

/**
 * Parameters of LogP and LogGP. The intervals of L and G are percentiles of replicates. That of o
 * is the interval of the measured (o_s(1) + o_r(1)) / 2, extended down to o if larger sizes took
 * less. That of g(1) was measured.
 */
struct ct_loggp {
    struct ct_estimate L_s, o_s, g_s;
    struct ct_estimate G_s_per_byte; /**< NaN: the sizes do not determine it */
    struct ct_loggps_G G;            /**< why not */
};

/**
 * The set in four numbers, which logpb and `crosstalk show` print.
 * @param points   [in]  n points, ascending sizes
 * @param samples  [in]  n; NULL: no intervals of L and G
 * @param setup    [in]  not used if samples is NULL
 * @return CT_OK, with NaN for parameters that cannot be derived from the points; CT_ENOMEM
 */
enum ct_status ct_loggp_derive(const struct ct_loggp_point *points,
                               const struct ct_loggp_sample *samples, size_t n, uint64_t S_bytes,
                               const struct ct_loggp_resampling *setup, struct ct_loggp *loggp_p,
                               struct ct_error *err);
