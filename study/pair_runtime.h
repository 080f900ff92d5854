/** T of a schedule by L and G of each pair of nodes (lp-bridge/envelope/pairs.h). */
#pragma once

#include "lp-bridge/envelope/pairs.h"
#include "simulate/joint/simulation_packets.h"

/** A graph that pairs can price. @param graph_p  [out] ct_graph_free(). @return as ct_graph_build()
 */
enum ct_status ct_pair_graph(const struct ct_simulation_costs *costs, const struct ct_goal *goal,
                             struct ct_graph *graph_p, struct ct_error *err);

/** @param runtime_p  [out] T, ns. @return CT_OK; as ct_pair_evaluator_new() */
enum ct_status ct_pair_runtime(const struct ct_graph *graph, const struct ct_pairs *pairs,
                               double *runtime_p, struct ct_error *err);
