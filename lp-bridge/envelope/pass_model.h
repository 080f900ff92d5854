/**
 * Run time of one pass of a program as a function of the latency, from its schedules.
 *
 * T of a trace includes the start, the warm-up and the end of the program; a timed pass does not.
 * The difference of two traces, one with the iterations of k more passes, is that of these:
 *     P(L) = (T_longer(L) - T(L)) / k
 * What differs from run to run at the start and the end counts for 1 / k of it then.
 * With a single trace, P(L) = T(L) + c, where c is such that P equals the measured run time at one
 * L.
 */
#pragma once

#include "lp-bridge/envelope/evaluator.h"

struct ct_pass_model {
    const struct ct_evaluator *schedule; /**< T as a function of L; borrowed */
    const struct ct_evaluator *longer;   /**< of more passes; borrowed; NULL: none */
    double longer_by;                    /**< k, with a longer one */
    double offset_s;                     /**< c; 0 if there is a longer one */
    unsigned threads;                    /**< >= 1 */
};

/**
 * P, and its right derivative.
 * @param slope_p  [out] dP/dL: number of latencies on the critical path; may be NULL
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_pass_runtime(const struct ct_pass_model *model, double L_s, double *runtime_s_p,
                               double *slope_p, struct ct_error *err);

/**
 * The largest dL up to a limit with P(L + dL) <= (1 + x) P(L), with an error of 1e-6 of the limit,
 * by bisection: P increases, but need not be convex for an irregular program.
 * @param delta_p  [out] NaN: beyond the limit
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_pass_tolerance(const struct ct_pass_model *model, double L_s, double longer_frac,
                                 double limit_s, double *delta_p, struct ct_error *err);
