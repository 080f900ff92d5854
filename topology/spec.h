/**
 * Topologies by a short text, KIND:SIZES, and the formulas of their routes.
 *
 *     switch:N                     N nodes on one switch
 *     tree:LEAVESxHOSTS[,SPINES]   LEAVES switches with HOSTS nodes each, all on SPINES switches
 *     fat-tree:RADIX[xTIERS]       of switches with RADIX ports: 2 (RADIX/2)^TIERS nodes, 3 tiers
 *     xgft:M1,M2,..../W1,W2,...    extended generalized fat tree: on level i, M_i children, and
 *                                  W_i parents of each child [Öhring et al., IPPS 1995]
 *     dragonfly:G,A,P[,H]          G groups of A switches with P nodes and H links to other groups
 *                                  [Kim et al., ISCA 2008]; H: as few as join every two groups
 *     torus:XxYx...[,P]            P nodes on each switch (1)
 *
 * Routes. Trees: up over parent (d / (w_1 ... w_i)) mod w_(i+1), d the number of the destination
 * (D-mod-k [Zahavi, JPDC 2012]), down the only way. Dragonfly: at most one link between groups,
 * of several the one that is reached over the fewest links, then number d mod their count (minimal
 * routing). Torus: dimension by dimension, the shorter way round; where both are equal, towards
 * higher coordinates if that of the destination is even, else towards lower ones.
 */
#ifndef CT_TOPOLOGY_SPEC_H
#define CT_TOPOLOGY_SPEC_H

#include "topology/topology.h"

/** What the text leaves open. */
struct ct_topology_settings {
    uint32_t spines;         /**< tree: 0: as in the text, or 1 */
    uint32_t n_nodes;        /**< of "switch" without a number; 0: it needs one */
    double rate_bit_per_s;   /**< links of nodes; NaN: not known */
    double uplink_bit_per_s; /**< links between switches; NaN: as links of nodes */
    double wire_s;           /**< latency of each link; NaN: not known */
};

/** Nothing is given. */
struct ct_topology_settings ct_topology_defaults(void);

/** Whether a text begins as one of the above; else it names a file. */
bool ct_topology_is_spec(const char *text);

/**
 * @param topology_p  [out] ct_topology_free(); untouched on error
 * @return CT_OK; CT_EUSAGE (a text of another form, sizes that do not go together, settings that
 *         do not belong to it); CT_EINVAL (too many nodes, switches or links); CT_ENOMEM
 */
enum ct_status ct_topology_make(const char *text, const struct ct_topology_settings *settings,
                                struct ct_topology *topology_p, struct ct_error *err);

#endif
