/**
 * Run time of one pass of a program as a function of the latency, from its schedules.
 *
 * T of a trace contains starting, warming up and ending. A pass that is timed does not. Two traces,
 * one of twice as many iterations, differ by the iterations alone:
 *     P(L) = T_longer(L) - T(L)
 * Where there is only one, P(L) = T(L) + c with c such that P is the measured run time at one L.
 */
#ifndef CT_STUDY_PASS_MODEL_H
#define CT_STUDY_PASS_MODEL_H

#include "lp-bridge/envelope/evaluator.h"

struct ct_pass_model {
    const struct ct_evaluator *schedule; /**< T as a function of L; borrowed */
    const struct ct_evaluator *longer;   /**< of twice as many iterations; borrowed; NULL: none */
    double offset_s;                     /**< c; 0 with a longer one */
    unsigned threads;                    /**< >= 1 */
};

/** P and its right derivative. @param slope_p  [out] messages in a row; may be NULL
 * @return CT_OK; CT_ENOMEM */
enum ct_status ct_pass_runtime(const struct ct_pass_model *model, double L_s, double *runtime_s_p,
                               double *slope_p, struct ct_error *err);

/**
 * The largest dL up to a limit with P(L + dL) <= (1 + x) P(L), to 1e-6 of the limit, by bisection:
 * P ascends, but for an irregular program need not be convex.
 * @param delta_p  [out] NaN: beyond the limit
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_pass_tolerance(const struct ct_pass_model *model, double L_s, double longer_frac,
                                 double limit_s, double *delta_p, struct ct_error *err);

#endif
