/** What a topology amounts to: hops between nodes, and what its halves can tell each other. */
#ifndef CT_TOPOLOGY_MEASURE_H
#define CT_TOPOLOGY_MEASURE_H

#include "topology/route.h"

/** Switches on the way between two different nodes, over all ordered pairs or some. */
struct ct_hop_counts {
    uint64_t *pairs; /**< n; pairs[h]: with h switches between them; free() */
    uint32_t n;      /**< 1 + the largest number of switches */
    uint32_t
        targets; /**< nodes that the ways to were counted: all of them, or evenly spaced ones */
    double mean; /**< NaN: there is one node only */
};

/**
 * @param max_pairs  [in]  about so many are counted; fewer targets are taken where there are more
 * @param counts_p   [out] untouched on error
 * @return CT_OK; CT_ENODATA (no way between two nodes); CT_ENOMEM
 */
enum ct_status ct_topology_count_hops(struct ct_router *router, const struct ct_topology *topology,
                                      uint64_t max_pairs, struct ct_hop_counts *counts_p,
                                      struct ct_error *err);

/** A cut between the first half of the nodes and the second one, by number; an odd one is in none.
 */
struct ct_bisection {
    uint64_t links;   /**< fewest links to cut so that no way is left */
    double bit_per_s; /**< least rate of links to cut, one direction; NaN: a rate is not known */
};

/** By maximum flow (Dinic). @return CT_OK; CT_ENODATA (fewer than two nodes); CT_ENOMEM */
enum ct_status ct_topology_bisect(const struct ct_topology *topology,
                                  struct ct_bisection *bisection_p, struct ct_error *err);

#endif
