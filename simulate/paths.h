/**
 * The directed links of a network, and those that a message passes from each node to each other: a
 * static path, in order. The first link of a path leaves a node and the last one enters a node; the
 * ones in between join switches.
 */
#ifndef CT_SIMULATE_PATHS_H
#define CT_SIMULATE_PATHS_H

#include "topology/topology.h"

enum { CT_SIMULATE_NODES_MAX = 1024 };

/** Immutable once made; ct_simulate_paths_free(). */
struct ct_simulate_paths {
    uint32_t n_nodes, n_links;
    uint32_t n_between;  /**< links between switches: the last ones */
    double *ns_per_byte; /**< [n_links]: G of a link with a single message, > 0 */
    uint32_t *first_hop; /**< [n_nodes * n_nodes + 1] */
    uint32_t *hops;      /**< links of the path from a to b: hops[first_hop[a * n_nodes + b]] and so
                              on; none from a node to itself */
    uint32_t most_hops;  /**< of a path */
    uint32_t *link; /**< [n_links]: 2 l + d, link l of the topology from its end d on; NULL: made
                         without a topology */
    double wire_ns, switch_ns; /**< latency of a link and time in a switch; NaN: not known */
};

/**
 * One switch: link i leaves node i, link n_nodes + i enters it.
 * @param n_nodes      [in]  1 .. CT_SIMULATE_NODES_MAX
 * @param ns_per_byte  [in]  of each link, > 0, finite
 * @param paths_p      [out] unchanged on error
 * @return CT_OK; CT_EINVAL; CT_ENOMEM
 */
enum ct_status ct_simulate_paths_of_switch(uint32_t n_nodes, double ns_per_byte,
                                           struct ct_simulate_paths *paths_p, struct ct_error *err);

struct ct_simulate_paths_setup {
    const struct ct_topology *topology;
    const uint32_t
        *nodes;       /**< n_nodes different nodes of the topology, node 0 of the paths first */
    uint32_t n_nodes; /**< 1 .. CT_SIMULATE_NODES_MAX */
    /**
     * G of the slowest link of one of these nodes, > 0, finite. Other links have it in proportion
     * to their rates; if no rate is known, all have this one.
     */
    double ns_per_byte;
    double wire_ns, switch_ns; /**< NaN: not known */
};

/**
 * The paths of some nodes of a topology; links that none of them passes are left out.
 * @param paths_p  [out] unchanged on error; does not refer to the topology
 * @return CT_OK; CT_EINVAL (out of range; the rate of one link is known and that of another is not;
 *         two nodes joined by a link without a switch); CT_ENODATA (no route); CT_EFORMAT (routes
 *         in a circle); CT_ENOMEM
 */
enum ct_status ct_simulate_paths_of_topology(const struct ct_simulate_paths_setup *setup,
                                             struct ct_simulate_paths *paths_p,
                                             struct ct_error *err);

/**
 * Latency between two different nodes: (h + 1) wires and h switches, h the switches of the path.
 * @return ns; NaN: not known
 */
double ct_simulate_paths_latency_ns(const struct ct_simulate_paths *paths, uint32_t from,
                                    uint32_t to);

void ct_simulate_paths_free(struct ct_simulate_paths *paths);

#endif
