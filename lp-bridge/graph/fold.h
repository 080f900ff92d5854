/**
 * The folded graph, without the vertices that have one predecessor. It has the joins only, at which
 * several edges meet. Each edge has the sum of the costs along the vertices that it replaces
 * [LLAMP, section II-C: a variable only where a vertex has several predecessors]. Costs become
 *
 *     cost + slope[0] * t[0] + slope[1] * t[1],   t >= 0,
 *
 * for one or two free parameters t. An edge is left out if another one into the same join dominates
 * it for every t >= 0. Joins are visited in topological order and not stored. Both the evaluator
 * and the linear program are built from this.
 */
#pragma once

#include "lp-bridge/graph/graph.h"

enum {
    CT_FREE_MAX = 2,
    CT_FOLD_INPUT = 1 /**< id and slot of the input of rank 0 */
};

/** Costs of messages that depend on the pair of ranks. */
struct ct_pair_costs {
    /**
     * L, G and o of a pair, and their slopes by the free parameters. The caller has put in those of
     * the plane. o is that of the pair only in a graph with peers (graph.h).
     */
    void (*get)(const void *data, uint32_t from, uint32_t to, struct ct_loggps *origin_p,
                struct ct_loggps slope_p[CT_FREE_MAX]);
    const void *data;
};

/** Parameters as a function of the free ones: origin + t[0] * slope[0] + t[1] * slope[1]. */
struct ct_plane {
    struct ct_loggps origin;
    struct ct_loggps slope[CT_FREE_MAX];
    const struct ct_pair_costs *pairs; /**< NULL: the same for all pairs */
    /** w: overheads by size are multiplied by 1 - w + w t[0]. 0: they stay as they are. */
    double overheads_share;
};

/** A join, or time 0, or, of a schedule that goes on, where a rank was: CT_FOLD_INPUT + rank. */
struct ct_fold_node {
    uint32_t id;   /**< 0: time 0; joins count from 1, or from the last input on */
    uint32_t slot; /**< place for its value; reused when no later edge refers to it */
};

struct ct_fold_edge {
    struct ct_fold_node source;
    double cost_ns;
    double slope[CT_FREE_MAX];
    uint32_t
        trail; /**< what has travelled since the source, as the visitor numbers it; 0: nothing */
};

/** Functions that are called during the walk. A status other than CT_OK ends the walk. */
struct ct_fold_visitor {
    enum ct_status (*join)(void *data, struct ct_fold_node target, const struct ct_fold_edge *edges,
                           size_t n_edges, struct ct_error *err);
    /** The end of an operation; T is the maximum of all ends. */
    enum ct_status (*end)(void *data, const struct ct_fold_edge *edge, struct ct_error *err);
    /** Of a schedule that is continued: the slot, never used again, where a rank is then. */
    enum ct_status (*output)(void *data, uint32_t rank, uint32_t slot, struct ct_error *err);
    void *data;
    /**
     * A number, from 1, for the trail that goes on with a message, or part of it, that travels
     * from one rank to another; 0: out of memory. NULL: edges have no trails.
     */
    uint32_t (*travel)(void *data, uint32_t trail, const struct ct_cost *cost);
    /**
     * What pairs cost is found later, and may change: the plane has costs of none. Then travel()
     * gets overheads of pairs, too (in a graph with peers), an edge has at most one cost of a pair,
     * so that a join may have one edge only, and trails that differ are never compared. travel()
     * must give equal costs equal numbers.
     */
    bool prices_later;
};

struct ct_fold_size {
    uint32_t n_joins;
    uint32_t n_slots; /**< slot 0 is for node 0 */
};

/**
 * Walk the joins.
 * @param size_p  [out] totals; may be NULL
 * @return CT_OK; CT_ENOMEM; what a visitor's function returned
 */
enum ct_status ct_graph_fold(const struct ct_graph *graph, const struct ct_plane *plane,
                             const struct ct_fold_visitor *visitor, struct ct_fold_size *size_p,
                             struct ct_error *err);

/** For visitors that number their joins: which one filled each slot last. {0} at first; free(join).
 */
struct ct_fold_writers {
    uint32_t *join;
    size_t n;
};

/** 0: none has, or it has number 0. */
static inline uint32_t ct_fold_writer(const struct ct_fold_writers *writers, uint32_t slot)
{
    return slot < writers->n ? writers->join[slot] : 0;
}

/** @return false: out of memory */
bool ct_fold_writers_note(struct ct_fold_writers *writers, uint32_t slot, size_t join);
