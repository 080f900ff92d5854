/**
 * Which latency and which gap per byte a program stands together: the points (L, G) from which on T
 * is longer than a limit.
 *
 * T(L, G) is the maximum of cost + lambda_L L + lambda_G G over the paths of the graph, so that the
 * points with T <= limit are a convex polygon. Its sides are found exactly: where the paths that
 * two points of the frontier lie on meet, there is either a corner, or T is above the limit, and a
 * further path crosses the ray to that point (the method of envelope.h, in two dimensions).
 */
#pragma once

#include "lp-bridge/graph/graph.h"

/** Corners of which no more are looked for; beyond, the frontier is inside of the true one. */
enum { CT_FRONTIER_CORNERS_MAX = 256 };

struct ct_frontier_point {
    double added_L_ns; /**< to the L that it begins at; INFINITY: no latency makes T so long */
    double added_G;    /**< ns per byte; INFINITY likewise */
};

struct ct_frontier {
    struct ct_frontier_point *points; /**< n: from the largest latency, with no gap added, to the
                                           largest gap, with no latency added; n >= 2 */
    size_t n;
    bool is_whole;      /**< all corners are there */
    size_t evaluations; /**< walks through the graph */
};

/**
 * @param at          [in]  where it begins; from there on L and G only grow
 * @param limit_ns    [in]  >= T there
 * @param frontier_p  [out] ct_frontier_free(); unchanged on error
 * @return CT_OK; CT_EINVAL (the limit); CT_ENOMEM
 */
enum ct_status ct_frontier_find(const struct ct_graph *graph, const struct ct_loggps *at,
                                double limit_ns, struct ct_frontier *frontier_p,
                                struct ct_error *err);
void ct_frontier_free(struct ct_frontier *frontier);

/** The gap that may be added beside a latency, by linear interpolation along the frontier. */
double ct_frontier_gap_at(const struct ct_frontier *frontier, double added_L_ns);
