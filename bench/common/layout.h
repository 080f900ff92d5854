/** Which ranks share a node, according to MPI. A host of a lab counts as a node. */
#pragma once

#include "core/status.h"
#include "results/run.h"

#include <mpi.h>

/** Nodes are numbered in the order of their lowest rank, slots within a node in the order of ranks.
 */
struct ct_layout {
    int n_ranks, n_nodes;
    int *node_of_rank;  /**< n_ranks */
    int *slot_of_rank;  /**< n_ranks */
    int *slots_of_node; /**< n_nodes: ranks on the node */
    int max_slots, min_slots;
    char *hosts;    /**< n_nodes names of host_bytes each: see ct_layout_host() */
    int host_bytes; /**< that the longest name takes, with its NUL; at most CT_HOST_MAX */
};

/** Collective. @return CT_OK; CT_ENOMEM */
enum ct_status ct_layout_discover(MPI_Comm comm, struct ct_layout *layout_p, struct ct_error *err);
void ct_layout_free(struct ct_layout *layout);

/** Name of a node. Every rank knows all of them, so with thousands of ranks they are the most that
 * a layout has. @return borrowed */
const char *ct_layout_host(const struct ct_layout *layout, int node);

/** Rank at a slot of a node; -1 where the node has fewer slots. */
int ct_layout_rank(const struct ct_layout *layout, int node, int slot);
