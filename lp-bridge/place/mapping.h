/**
 * Mappings to compare with, and all mappings of a few ranks. A mapping is an array of the node of
 * each rank; nodes have room for ranks_per_node.
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

struct ct_place_room {
    uint32_t n_ranks;
    uint32_t n_nodes, ranks_per_node; /**< room for all ranks */
};

/** Ranks in their order, node by node, as launchers do. */
void ct_mapping_block(struct ct_place_room room, uint32_t *node_of_p);

/** Ranks in turn on the nodes that blocks would use. */
void ct_mapping_round_robin(struct ct_place_room room, uint32_t *node_of_p);

/**
 * Every mapping as likely as the others.
 * @param state  [in,out] of SplitMix64
 * @param slots  [in]     room for n_nodes * ranks_per_node numbers
 */
void ct_mapping_random(struct ct_place_room room, uint64_t *state, uint32_t *slots,
                       uint32_t *node_of_p);

/** How many mappings there are; more than `limit`: limit + 1. */
uint64_t ct_mapping_count(struct ct_place_room room, uint64_t limit);

/**
 * The next of all mappings, in the order of their numbers as digits.
 * @param node_of  [in,out] a mapping; the first one is ct_mapping_block()
 * @param used     [in,out] ranks on each node; n_nodes
 * @return whether there was a next one
 */
bool ct_mapping_next(struct ct_place_room room, uint32_t *node_of, uint32_t *used);

/** Whether every node is one of the room and has no more ranks than it has room for. */
bool ct_mapping_is_valid(struct ct_place_room room, const uint32_t *node_of, uint32_t *used);
