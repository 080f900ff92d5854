/** The measured curve in a logp run, with its repetitions. */
#pragma once

#include "model/loggp/resample.h"
#include "model/loggp/threshold.h"
#include "results/logp_times.h"

/** Curve of one direction between two ranks. Arrays of n; owned. */
struct ct_logp_curve {
    struct ct_loggp_point *points;   /**< ascending sizes */
    struct ct_loggp_sample *samples; /**< of the points; they point into times */
    struct ct_logp_times *times;
    size_t n;
    struct ct_loggp_threshold threshold;
    struct ct_loggp_resampling resampling; /**< seed and level of the run */
};

/**
 * Take the rows of the fast method in the direction of the first row.
 * @param run      [in]  of kind logp; may be freed after the call
 * @param curve_p  [out] ct_logp_curve_free(); unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_logp_curve_take(const struct ct_run *run, struct ct_logp_curve *curve_p,
                                  struct ct_error *err);
void ct_logp_curve_free(struct ct_logp_curve *curve);

/** S of the curve, bytes. */
uint64_t ct_logp_curve_eager_bytes(const struct ct_logp_curve *curve);

/** LogP and LogGP of the curve, L, o and G with intervals. @return as ct_loggp_derive() */
enum ct_status ct_logp_curve_derive(const struct ct_logp_curve *curve, struct ct_loggp *loggp_p,
                                    struct ct_error *err);
