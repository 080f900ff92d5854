/**
 * Nodes of a topology that programs are on, and their numbers in a simulation: nodes that no
 * program is on have none.
 */
#pragma once

#include "topology/topology.h"

/** Where the ranks of a program are. */
struct ct_simulate_place {
    uint32_t ranks_per_node; /**< ranks are on nodes in blocks of so many, >= 1 */
    const uint32_t *nodes;   /**< [n_nodes]: of each block; borrowed; NULL: block i is on node i */
    uint32_t n_nodes;
};

/** Ranks in blocks, from the first node on. */
static inline struct ct_simulate_place ct_simulate_blocks(uint32_t ranks_per_node)
{
    return (struct ct_simulate_place){.ranks_per_node = ranks_per_node};
}

/** Nodes of a program, by their numbers in the topology; one may be there more than once. */
struct ct_node_list {
    uint32_t *nodes; /**< n; free() */
    uint32_t n;
};

struct ct_simulate_places {
    uint32_t *used; /**< [n_used]: nodes of the topology, ascending; number i of a simulation is
                       used[i] */
    uint32_t n_used;
    struct ct_node_list *of; /**< [n_programs]: numbers of a simulation */
    size_t n_programs;
};

/**
 * @param lists     [in]  n_programs, at least one node each
 * @param places_p  [out] ct_simulate_places_free(); unchanged on error
 * @return CT_OK; CT_EINVAL (a number that the topology does not have); CT_ENOMEM
 */
enum ct_status ct_simulate_places_new(const struct ct_topology *topology,
                                      const struct ct_node_list *lists, size_t n_programs,
                                      struct ct_simulate_places *places_p, struct ct_error *err);
void ct_simulate_places_free(struct ct_simulate_places *places);

/** Node 0 of the topology and those that follow it. @return CT_OK; CT_EINVAL (it has fewer than n);
 * CT_ENOMEM */
enum ct_status ct_simulate_places_first(const struct ct_topology *topology, uint32_t n,
                                        struct ct_node_list *list_p, struct ct_error *err);

/**
 * Nodes by name.
 * @param names   [in]  as Slurm writes them, "n[0-3],n8"; `length` bytes
 * @param list_p  [out] unchanged on error
 * @return CT_OK; CT_EINVAL (no node of the topology); CT_EFORMAT; CT_ENOMEM
 */
enum ct_status ct_simulate_places_named(const struct ct_topology *topology, const char *names,
                                        size_t length, struct ct_node_list *list_p,
                                        struct ct_error *err);
