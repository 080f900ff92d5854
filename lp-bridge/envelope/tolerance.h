/**
 * How much latency a program tolerates: T and its slopes at one latency, and for each fraction x
 * the largest L with T(L) <= (1 + x) T. By the graph itself here, by linear programming in
 * lp-bridge/lp/tolerance.h; both answer alike.
 */
#ifndef CT_LP_BRIDGE_ENVELOPE_TOLERANCE_H
#define CT_LP_BRIDGE_ENVELOPE_TOLERANCE_H

#include "lp-bridge/graph/fold.h"

struct ct_evaluator;

/** Where L is not the same for all pairs (wires.h), or another parameter is asked about. */
struct ct_tolerance_planes {
    struct ct_plane parameter; /**< t[0] is what is asked about, t[1] is G: the linear program */
    struct ct_plane gap;       /**< t[0] is G; what is asked about has the value of the query */
};

struct ct_tolerance_query {
    struct ct_loggps at; /**< parameters; L, or the value of what is asked about, among them */
    const double *longer_frac; /**< n fractions x >= 0; borrowed */
    size_t n;
    const struct ct_tolerance_planes *planes; /**< NULL: L, the same for all pairs */
};

struct ct_tolerance {
    double runtime_ns;   /**< T */
    double lambda_L;     /**< dT/dL: messages on the critical path; of the planes, dT/dt[0] */
    double lambda_G;     /**< dT/dG: bytes (less one a message) on it */
    double lo_ns, hi_ns; /**< L for which lambda_L holds; hi_ns may be INFINITY */
};

/** Largest run times of a query: limits_p[i] = (1 + x_i) T, ns. */
void ct_tolerance_limits(const struct ct_tolerance_query *query, double runtime_ns,
                         double *limits_p);

/**
 * @param evaluator  [in]  of the graph, with L free: ct_plane_of_latency(), or the
 *                         parameter of the planes
 * @param threads    [in]  >= 1
 * @param found_p    [out] where the path changes at L: the right derivatives
 * @param largest_p  [out] n largest latencies, ns; INFINITY: no latency makes T so much longer
 * @return CT_OK; CT_EINVAL (L or a fraction below 0, or not finite); CT_ENOMEM
 */
enum ct_status ct_tolerance_by_envelope(const struct ct_graph *graph,
                                        const struct ct_evaluator *evaluator,
                                        const struct ct_tolerance_query *query, unsigned threads,
                                        struct ct_tolerance *found_p, double *largest_p,
                                        struct ct_error *err);

#endif
