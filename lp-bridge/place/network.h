/** Pairs of nodes of a topology. */
#pragma once

#include "lp-bridge/envelope/pairs.h"
#include "lp-bridge/envelope/wires.h"

/**
 * Classes of pairs by the number h of switches between them: L = (h + 1) l_wire + h d_switch, or
 * the L and G that were measured (wires.h). The class of a node itself has its L and G.
 * @param setup    [in]  with a topology
 * @param nodes    [in]  n_nodes nodes of the topology, of which pairs are made; NULL: all
 * @param at       [in]  o, G, and L: l_wire, or that of the class with the fewest switches
 * @param pairs_p  [out] ct_pairs_free(); unchanged on error
 * @return CT_OK; CT_EINVAL (more than CT_PAIRS_PLACES_MAX nodes); as ct_router_new() and
 *         ct_route_switches(); CT_ENOMEM
 */
enum ct_status ct_place_network(const struct ct_wires_setup *setup, const struct ct_loggps *at,
                                const uint32_t *nodes, uint32_t n_nodes, struct ct_pairs *pairs_p,
                                struct ct_error *err);
