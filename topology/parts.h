/** Parts of a topology that no link joins: racks without a switch above them, for example. */
#pragma once

#include "topology/topology.h"

/** ct_topology_parts_free() */
struct ct_topology_parts {
    struct ct_topology *part; /**< [n], by their first nodes, each a topology of its own */
    uint32_t n;               /**< 0: the topology is one part, and not copied */
    uint32_t spare_switches;  /**< that no node is joined to, and no part has */
};

/**
 * Find the parts that have nodes. Two nodes are in one part if links join them, over whatever
 * vertices. Time and memory are linear in the topology.
 * @param parts_p  [out] unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_topology_split(const struct ct_topology *topology,
                                 struct ct_topology_parts *parts_p, struct ct_error *err);
void ct_topology_parts_free(struct ct_topology_parts *parts);
