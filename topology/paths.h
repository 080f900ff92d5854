/**
 * Directions of links that round trips between nodes pass, and pairs of nodes whose round trips
 * pass all of them. Pure.
 *
 * A direction is numbered as in struct ct_picture: 2 link from its first end on, 2 link + 1 back. A
 * round trip between nodes a and b passes the route from a to b and that from b to a. Every round
 * trip comes back, so over any set of switches and nodes it leaves as often as it enters: what the
 * directions out of a node take cannot be distinguished from what those into it take.
 */
#pragma once

#include "topology/route.h"

/** A pair of nodes. */
struct ct_node_pair {
    uint32_t a, b; /**< vertices below n_nodes; different */
};

/** The matrix of pairs and directions, by rows. ct_paths_free(). */
struct ct_paths {
    size_t n_pairs, n_columns;
    uint32_t *direction; /**< [n_columns] those that some pair passes, ascending */
    size_t *first;       /**< [n_pairs + 1] */
    uint32_t *column;    /**< those of pair p: first[p] .. first[p + 1]; one that is passed twice is
                            there twice */
    size_t *back;        /**< [n_pairs] those of the way back: back[p] .. first[p + 1] */
    uint32_t *switches;  /**< [n_pairs] the path class: switches on the way there or on that back,
                            whichever are more */
};

/**
 * Follow the routes of pairs, there and back.
 * @param paths_p  [out] ct_paths_free(); unchanged on error
 * @return CT_OK; CT_EINVAL (a vertex that is no node, or a pair of one node); what ct_route_find()
 *         returns; CT_ENOMEM
 */
enum ct_status ct_paths_make(struct ct_router *router, const struct ct_topology *topology,
                             const struct ct_node_pair *pairs, size_t n_pairs,
                             struct ct_paths *paths_p, struct ct_error *err);
void ct_paths_free(struct ct_paths *paths);

/**
 * Choose few pairs that tell as much about directions as all pairs do: of each path class those
 * that pass the most directions which none of the class passed yet (greedy set cover), so that a
 * link is passed by short paths and by long ones; then more, until their rows span those of all
 * pairs (paths_apart.h). Time and memory are linear in the entries of the matrix, but for the
 * steps of conjugate gradients.
 * @param chosen  [out] [n_pairs]
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_paths_choose(const struct ct_paths *paths, bool *chosen, struct ct_error *err);
