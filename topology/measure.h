/** Properties of a topology: hops between nodes, and bisection bandwidth. */
#pragma once

#include "topology/route.h"

/** Number of switches on the routes between two different nodes, over all or some ordered pairs. */
struct ct_hop_counts {
    uint64_t *pairs; /**< [n]: pairs[h] have a route with h switches; free() */
    uint32_t n;      /**< 1 + the largest number of switches */
    uint32_t
        targets;    /**< destinations whose routes were counted: all nodes, or evenly spaced ones */
    uint64_t apart; /**< pairs without a route between them, which are not in `pairs` */
    double mean;    /**< NaN: there is one node only */
};

/**
 * @param max_pairs  [in]  about this many pairs are counted: if there are more, fewer destinations
 *                         are used
 * @param counts_p   [out] unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_topology_count_hops(struct ct_router *router, const struct ct_topology *topology,
                                      uint64_t max_pairs, struct ct_hop_counts *counts_p,
                                      struct ct_error *err);

/**
 * Minimum cut between the first and the second half of the nodes, by number; the middle one of an
 * odd number is in neither.
 */
struct ct_bisection {
    uint64_t links;   /**< least number of links in a cut */
    double bit_per_s; /**< least rate of a cut, one direction; NaN: a rate is not known */
};

/**
 * Find the minimum cuts by maximum flow (Dinic).
 * @return CT_OK; CT_ENODATA (fewer than two nodes); CT_ENOMEM
 */
enum ct_status ct_topology_bisect(const struct ct_topology *topology,
                                  struct ct_bisection *bisection_p, struct ct_error *err);
