/**
 * Few pairs of nodes that pass every link of a network and tell links apart as well as all pairs
 * do, in rounds: within one a node has at most one partner; where some would have none, pairs of
 * other rounds are repeated. Pure: no MPI.
 */
#pragma once

#include "topology/route.h"

/** Pairs are chosen from at most so many, all pairs of 1024 nodes: with a route of 12 links there
 * and back 40 MB. */
enum { CT_IMPACT_CANDIDATES_MAX = 1024 * 1023 / 2 };

struct ct_impact_rounds {
    int n;
    int *partner; /**< [n][nodes]; a node without a partner has itself */
};

/**
 * Choose pairs by ct_paths_choose(): from all pairs of nodes or, if these are more than
 * CT_IMPACT_CANDIDATES_MAX, from pairs at all distances in the order of the topology's vertices, 1,
 * 2, 4 and so on, about as many at each.
 * @param vertex    [in]  [n_nodes] the nodes of the run in the topology
 * @param n_nodes   [in]  >= 2
 * @param rounds_p  [out] ct_impact_rounds_free(); unchanged on error
 * @return CT_OK; what ct_paths_make() returns; CT_ENOMEM
 */
enum ct_status ct_impact_rounds_make(struct ct_router *router, const struct ct_topology *topology,
                                     const uint32_t *vertex, int n_nodes,
                                     struct ct_impact_rounds *rounds_p, struct ct_error *err);
void ct_impact_rounds_free(struct ct_impact_rounds *rounds);
