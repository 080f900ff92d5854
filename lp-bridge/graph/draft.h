/* A graph before it is sorted: nodes in any order. Shared by build.c and order.c. */
#ifndef CT_LP_BRIDGE_GRAPH_DRAFT_H
#define CT_LP_BRIDGE_GRAPH_DRAFT_H

#include "lp-bridge/graph/graph.h"

struct ct_draft {
    uint32_t n_nodes, n_edges;
    uint64_t *amount;    /* n_nodes, as in struct ct_graph */
    uint32_t *rank;      /* n_nodes */
    uint32_t *operation; /* n_nodes */
    uint8_t *what;       /* n_nodes; kind and protocol */
    uint32_t *receiver;  /* n_nodes; of messages that leave; NULL: none does */
    uint32_t *peer;      /* n_nodes; of every message; NULL: not asked for */
    uint32_t *first;     /* n_nodes + 1; edges into node v: first[v] .. first[v + 1] */
    uint32_t *edges;     /* n_edges; as ct_edge_word() makes them */
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

/** The graph with the draft's nodes in that order. The caller sets n_ranks and n_operations. */
enum ct_status ct_draft_arrange(const struct ct_draft *draft, const uint32_t *order,
                                struct ct_graph *graph_p, struct ct_error *err);

/** Fill the sums of a graph from the table of protocols. */
void ct_graph_sum_steps(struct ct_graph *graph);

#endif
