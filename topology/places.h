/** Which nodes of a topology the hosts of a run are. */
#pragma once

#include "topology/topology.h"

/**
 * Environment of ranks in a lab with several switches: its topology as a text, "tree:4x4,2". The
 * lab sets it for programs that measure.
 */
#define CT_LAB_TOPOLOGY_VARIABLE "CROSSTALK_LAB_TOPOLOGY"

/** How hosts are called where a topology from a generator does not name them. */
enum ct_places {
    CT_PLACES_IN_ORDER, /**< the first host is node n0, the second n1, whatever their names */
    CT_PLACES_OF_LAB    /**< host h1 is node n0, h2 is n1, as in labs */
};

/**
 * Find the nodes that hosts are: by their names in a topology from a file
 * (ct_topology_find_host()), or as `places` says.
 * @param hosts     [in]  n names
 * @param vertex    [out] [n] below n_nodes
 * @return CT_OK; CT_EINVAL (fewer nodes than hosts, a host that is no node, two that are
 *         one)
 */
enum ct_status ct_topology_place(const struct ct_topology *topology, const char *const *hosts,
                                 size_t n, enum ct_places places, uint32_t *vertex,
                                 struct ct_error *err);
