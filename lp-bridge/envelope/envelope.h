/**
 * T as an exact function of one free parameter, without a linear program.
 *
 * T(t) = max over paths (cost + slope * t) is convex and piecewise linear. At the intersection of
 * the lines of two points there is either a breakpoint, or a line above both: finding all k
 * breakpoints of an interval takes at most 2k + 1 evaluations (Eisner and Severance, 1976),
 * CT_EVALUATOR_LANES of which share a walk through the graph.
 *
 * Lines whose values differ by less than CT_ENVELOPE_TOLERANCE of T count as equal: a piece of T
 * that is above the others by less than that is not found.
 */
#pragma once

#include "lp-bridge/envelope/evaluator.h"

#define CT_ENVELOPE_TOLERANCE 1e-12

struct ct_segment {
    double lo, hi; /**< values of the free parameter */
    struct ct_line line;
};

struct ct_envelope {
    struct ct_segment *segments; /**< n >= 1, from left to right, each begins where one ends */
    size_t n;
    size_t points; /**< evaluations made */
    size_t walks;  /**< walks through the graph for these */
};

/**
 * Find all pieces of T over [lo, hi].
 * @param lo          [in]  >= 0, finite
 * @param hi          [in]  > lo, finite
 * @param threads     [in]  >= 1
 * @param envelope_p  [out] ct_envelope_free(); unchanged on error
 * @return CT_OK; CT_EINVAL (the interval); CT_ENOMEM
 */
enum ct_status ct_envelope_find(const struct ct_evaluator *evaluator, double lo, double hi,
                                unsigned threads, struct ct_envelope *envelope_p,
                                struct ct_error *err);
void ct_envelope_free(struct ct_envelope *envelope);

/** T around one value of the free parameter. */
struct ct_sensitivity {
    double runtime_ns;
    struct ct_line line; /**< its slope is the right derivative of T */
    double lo, hi;       /**< interval in which T is this line; hi may be INFINITY */
    double left_slope;   /**< left derivative; differs from the slope only at a breakpoint, where lo
                            is t */
};

/** @return CT_OK; CT_EINVAL (t < 0 or not finite); else as ct_evaluator_lines() */
enum ct_status ct_sensitivity_at(const struct ct_evaluator *evaluator, double t, unsigned threads,
                                 struct ct_sensitivity *sensitivity_p, struct ct_error *err);

/**
 * The same, and for n fractions x >= 0 what ct_tolerance_find() finds for (1 + x) T(t), all in the
 * same walks.
 * @param t_p  [out] n
 */
enum ct_status ct_sensitivity_with(const struct ct_evaluator *evaluator, double t,
                                   const double *longer_frac, size_t n, unsigned threads,
                                   struct ct_sensitivity *sensitivity_p, double *t_p,
                                   struct ct_error *err);

/**
 * lambda_G = dT/dG, the bytes (minus one for each message) on the critical path; at a breakpoint,
 * the right derivative.
 * @param at          [in]  all parameters
 * @param lambda_G_p  [out] unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_lambda_gap(const struct ct_graph *graph, const struct ct_loggps *at,
                             double *lambda_G_p, struct ct_error *err);

/** The same at a G, ns per byte, on a plane whose t[0] is G. */
enum ct_status ct_lambda_gap_on(const struct ct_graph *graph, const struct ct_plane *plane,
                                double G_ns_per_byte, double *lambda_G_p, struct ct_error *err);

/**
 * Largest t with T(t) <= limit, for several limits at once, by Newton steps on a convex function
 * from a large t, which end after a finite number.
 * @param at       [in]  value of the free parameter with T(at) below every limit
 * @param limits   [in]  n run times, ns
 * @param t_p      [out] n; INFINITY where T never exceeds the limit
 * @return CT_OK; CT_EINVAL (a limit below T(at)); CT_ENOMEM
 */
enum ct_status ct_tolerance_find(const struct ct_evaluator *evaluator, double at,
                                 const double *limits, size_t n, unsigned threads, double *t_p,
                                 struct ct_error *err);
