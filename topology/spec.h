/**
 * Generators of topologies, by a text KIND:SIZES, and the formulas of their routes.
 *
 *     switch:N                     N nodes on one switch
 *     tree:LEAVESxHOSTS[,SPINES]   LEAVES switches with HOSTS nodes each, all on SPINES switches
 *     fat-tree:RADIX[xTIERS]       of switches with RADIX ports: 2 (RADIX/2)^TIERS nodes, 3 tiers
 *     xgft:M1,M2,..../W1,W2,...    extended generalized fat tree: on level i, M_i children, and
 *                                  W_i parents of each child [Öhring et al., IPPS 1995]
 *     dragonfly:G,A,P[,H]          G groups of A switches with P nodes and H links to other groups
 *                                  [Kim et al., ISCA 2008]; default of H: the least that joins all
 *                                  pairs of groups
 *     torus:XxYx...[,P]            P nodes on each switch (1)
 *
 * Routes. Trees: up to parent (d / (w_1 ... w_i)) mod w_(i+1), where d is the number of the
 * destination (D-mod-k [Zahavi, JPDC 2012]); the route down is unique. Dragonfly: at most one link
 * between groups (minimal routing); of several, those that are reached over the fewest links, and
 * of these number d mod their count. Torus: dimension by dimension, in the shorter direction; if
 * both are equal, towards higher coordinates if the destination's coordinate is even, else towards
 * lower ones.
 */
#pragma once

#include "topology/topology.h"

/** Settings that are not in the text. */
struct ct_topology_settings {
    uint32_t spines; /**< tree: number of spines; 0: as in the text, or 1 */
    uint32_t
        n_nodes; /**< number of nodes of "switch" without a number; 0: the text must have one */
    double rate_bit_per_s;   /**< links of nodes; NaN: not known */
    double uplink_bit_per_s; /**< links between switches; NaN: as links of nodes */
    double wire_s;           /**< latency of each link; NaN: not known */
};

/** Default settings: 0 and NaN. */
struct ct_topology_settings ct_topology_defaults(void);

/** Whether a text begins with a KIND above; else it is the path of a file. */
bool ct_topology_is_spec(const char *text);

/**
 * @param topology_p  [out] ct_topology_free(); unchanged on error
 * @return CT_OK; CT_EUSAGE (not of this form, sizes that are not consistent, settings of another
 *         kind); CT_EINVAL (too many nodes, switches or links); CT_ENOMEM
 */
enum ct_status ct_topology_make(const char *text, const struct ct_topology_settings *settings,
                                struct ct_topology *topology_p, struct ct_error *err);
