/**
 * The latency that a program tolerates: T and its slopes at one latency, and for each fraction x
 * the largest L with T(L) <= (1 + x) T. Here from the graph, in lp-bridge/lp/tolerance.h by linear
 * programming; the results are the same.
 */
#pragma once

#include "lp-bridge/graph/fold.h"

struct ct_evaluator;

/** For an L that depends on the pair of ranks (wires.h), or for another free parameter than L. */
struct ct_tolerance_planes {
    struct ct_plane parameter; /**< t[0] is the free parameter, t[1] is G: for the linear program */
    struct ct_plane gap;       /**< t[0] is G; the free parameter has the value of the query */
};

struct ct_tolerance_query {
    struct ct_loggps at;       /**< parameters, including L or the value of the free parameter */
    const double *longer_frac; /**< n fractions x >= 0; borrowed */
    size_t n;
    const struct ct_tolerance_planes *planes; /**< NULL: L, the same for all pairs */
};

struct ct_tolerance {
    double runtime_ns; /**< T */
    double lambda_L;   /**< dT/dL: messages on the critical path; with planes, dT/dt[0] */
    double lambda_G;   /**< dT/dG: bytes (minus one for each message) on it */
    double lo_ns,
        hi_ns; /**< interval of L in which lambda_L does not change; hi_ns may be INFINITY */
};

/** Largest run times of a query: limits_p[i] = (1 + x_i) T, ns. */
void ct_tolerance_limits(const struct ct_tolerance_query *query, double runtime_ns,
                         double *limits_p);

/**
 * @param graph      [in]  NULL: lambda_G is not wanted, and 0
 * @param evaluator  [in]  of the graph, with L as free parameter: ct_plane_of_latency(), or with
 *                         that of the planes
 * @param threads    [in]  >= 1
 * @param found_p    [out] at a critical latency, the right derivatives
 * @param largest_p  [out] n largest latencies, ns; INFINITY: no latency makes T so much longer
 * @return CT_OK; CT_EINVAL (L or a fraction below 0, or not finite); else as ct_evaluator_lines()
 */
enum ct_status ct_tolerance_by_envelope(const struct ct_graph *graph,
                                        const struct ct_evaluator *evaluator,
                                        const struct ct_tolerance_query *query, unsigned threads,
                                        struct ct_tolerance *found_p, double *largest_p,
                                        struct ct_error *err);
