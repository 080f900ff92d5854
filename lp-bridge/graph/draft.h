/* A graph before it is sorted: nodes in any order. Shared by build.c and order.c. */
#pragma once

#include "lp-bridge/graph/graph.h"

/* A node of progress in calls: a calculation of `away`, or a step that begins. */
struct ct_draft_extra {
    uint32_t op;  /* the send or the receive of the side that makes the step */
    uint8_t step; /* 0: a calculation */
    uint64_t away_ns;
};

struct ct_draft {
    uint32_t n_nodes, n_edges;
    uint32_t n_operations;  /* nodes that are operations of the schedule, and have their numbers */
    const uint32_t *second; /* n_operations; the other node of an operation; 0: none */
    const struct ct_draft_extra *extras; /* of the nodes from n_seconds on */
    uint32_t n_seconds;
    uint32_t *first; /* n_nodes + 2, one is used to make it; edges into v: first[v] .. first[v + 1]
                      */
    uint32_t *edges; /* n_edges; as ct_edge_word() makes them */
};

static inline uint32_t ct_edge_word(uint32_t source, enum ct_edge_kind kind)
{
    return source << 3 | (uint32_t)kind << 1;
}

void ct_draft_free(struct ct_draft *draft);

/**
 * Sort topologically, breadth first: so values that are needed together are computed together, and
 * few are live at a time.
 * @param order_p  [out] n_nodes; the nodes in this order; free()
 * @return CT_OK; CT_EINVAL naming the operations of a cycle; CT_ENOMEM
 */
enum ct_status ct_draft_order(const struct ct_draft *draft, const struct ct_goal *goal,
                              uint32_t **order_p, struct ct_error *err);

/**
 * The edges of the graph with the draft's nodes in that order; the draft's are freed.
 * @param order       [in,out] the order, then the place of each node in it
 * @param graph       [in,out] its vertices and edges are numbered, and first_edge and edges set
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_draft_arrange(struct ct_draft *draft, uint32_t **order, struct ct_graph *graph,
                                struct ct_error *err);

/** Set CT_VERTEX_FINAL and CT_VERTEX_LEAF, and which edges are the last of their source. */
void ct_graph_set_flags(struct ct_graph *graph);

/** Fill the sums of a graph from the table of protocols. */
void ct_graph_sum_steps(struct ct_graph *graph);
