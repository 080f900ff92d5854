/**
 * How well a measured curve tells the LogGPS model: the model again of curves that are drawn from
 * the repetitions. Pure.
 *
 * Bootstrap (Efron 1979): a replicate draws, for each size, as many round trips (each with its time
 * of sending) and as many receives as there are, with replacement, takes their medians, and derives
 * all parameters again. So L, G and overheads of a replicate belong together: where an overhead is
 * longer, L is shorter. S stays, and so does which larger size counts for a smaller one that took
 * longer. Intervals are percentiles of the replicates, ranks rounded
 * outwards. What all repetitions of a size have in common, such as a machine that was busy
 * meanwhile, is not in them.
 */
#ifndef CT_MODEL_LOGGP_RESAMPLE_H
#define CT_MODEL_LOGGP_RESAMPLE_H

#include "model/loggp/loggps.h"

/** The repetitions of which the values of a point are medians. Seconds; borrowed. */
struct ct_loggp_sample {
    const double *send_s, *rtt_s; /**< n_trips, of the same round trips */
    const double *recv_s;         /**< n_receives */
    size_t n_trips, n_receives;   /**< 0: the point's value stays as it is */
};

struct ct_loggp_resampling {
    size_t replicates; /**< 0: none, hence no intervals */
    double level;      /**< of the intervals, 0 < level < 1 */
    uint64_t seed;     /**< recorded by the caller */
};

/** Models of drawn curves. */
struct ct_loggps_replicates {
    struct ct_loggps_model *models; /**< n; owned */
    size_t n;
    double level;
    uint64_t seed;
};

/**
 * @param points        [in]  n of them, as ct_loggps_model_derive() takes them
 * @param samples       [in]  n, of the points
 * @param S_bytes       [in]  largest eager message
 * @param replicates_p  [out] ct_loggps_replicates_free(); none where no size has repetitions, or
 *                            where fewer than half of the replicates have a model
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_loggps_resample(const struct ct_loggp_point *points,
                                  const struct ct_loggp_sample *samples, size_t n, uint64_t S_bytes,
                                  const struct ct_loggp_resampling *setup,
                                  struct ct_loggps_replicates *replicates_p, struct ct_error *err);
void ct_loggps_replicates_free(struct ct_loggps_replicates *replicates);

/**
 * The middle `level` of what replicates gave, ranks rounded outwards; an end may be INFINITY.
 * @param x  [in,out] n values, those that are NaN left out; order changes
 * @return NaN where fewer than half of the values, or fewer than 20, are numbers
 */
struct ct_interval ct_loggp_percentiles(double *x, size_t n, double level);

/** Percentiles of L and of G over the replicates; NaN where there are none. */
struct ct_interval ct_loggps_L_interval(const struct ct_loggps_replicates *replicates);
struct ct_interval ct_loggps_G_interval(const struct ct_loggps_replicates *replicates);

/**
 * LogP and LogGP of the set: L and G with the percentiles of replicates. o has the interval of
 * (o_s(1) + o_r(1)) / 2 as measured, down to o where larger sizes took less; g(1) has its own.
 */
struct ct_loggp {
    struct ct_estimate L_s, o_s, g_s;
    struct ct_estimate G_s_per_byte;
};

/**
 * The set in four numbers, as logpb and `crosstalk show` print it.
 * @param points   [in]  n of them, ascending sizes
 * @param samples  [in]  n; NULL: no intervals of L and G
 * @param setup    [in]  not looked at where samples is NULL
 * @return CT_OK, with NaN for what the points do not tell; CT_ENOMEM
 */
enum ct_status ct_loggp_derive(const struct ct_loggp_point *points,
                               const struct ct_loggp_sample *samples, size_t n, uint64_t S_bytes,
                               const struct ct_loggp_resampling *setup, struct ct_loggp *loggp_p,
                               struct ct_error *err);

#endif
