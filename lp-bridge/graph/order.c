#include "lp-bridge/graph/draft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ct_draft_free(struct ct_draft *draft)
{
    free(draft->first);
    free(draft->edges);
    *draft = (struct ct_draft){0};
}

/* ---- topological order ---- */

/* The edges by source, and how many of each node's predecessors are not placed yet. */
struct successors {
    uint32_t *first; /* n_nodes + 2 */
    uint32_t *nodes; /* n_edges */
    uint32_t *waiting_for;
};

static void free_successors(struct successors *successors)
{
    free(successors->first);
    free(successors->nodes);
    free(successors->waiting_for);
}

static bool list_successors(const struct ct_draft *draft, struct successors *successors)
{
    size_t n = draft->n_nodes;
    uint32_t *first = calloc(n + 2, sizeof *first);
    uint32_t *nodes = malloc((draft->n_edges + (size_t)1) * sizeof *nodes);
    uint32_t *waiting_for = malloc((n + 1) * sizeof *waiting_for);
    *successors = (struct successors){first, nodes, waiting_for};
    if (!first || !nodes || !waiting_for)
        return false;
    /* Counted two entries ahead, so that after filling each start is where it belongs. */
    for (uint32_t e = 0; e < draft->n_edges; e++)
        first[ct_edge_source(draft->edges[e]) + 2]++;
    for (size_t v = 0; v < n; v++)
        first[v + 1] += first[v];
    for (uint32_t v = 0; v < n; v++) {
        waiting_for[v] = draft->first[v + 1] - draft->first[v];
        for (uint32_t e = draft->first[v]; e < draft->first[v + 1]; e++)
            nodes[first[ct_edge_source(draft->edges[e]) + 1]++] = v;
    }
    return true;
}

/* The order itself is the queue of what can be placed. Returns how many were. */
static uint32_t place_all(const struct ct_draft *draft, const struct successors *successors,
                          uint32_t *order)
{
    uint32_t n = 0;
    for (uint32_t v = 0; v < draft->n_nodes; v++)
        if (successors->waiting_for[v] == 0)
            order[n++] = v;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t s = successors->first[order[i]]; s < successors->first[order[i] + 1]; s++) {
            uint32_t v = successors->nodes[s];
            if (--successors->waiting_for[v] == 0)
                order[n++] = v;
        }
    return n;
}

/* ---- what to say about a cycle ---- */

static uint32_t unplaced_predecessor(const struct ct_draft *draft, const uint32_t *waiting_for,
                                     uint32_t v)
{
    for (uint32_t e = draft->first[v]; e < draft->first[v + 1]; e++)
        if (waiting_for[ct_edge_source(draft->edges[e])] > 0)
            return ct_edge_source(draft->edges[e]);
    return v;
}

/* A node that is no operation is the second one of some, or of a step. */
static uint32_t operation_of(const struct ct_draft *draft, uint32_t v)
{
    uint32_t op = v;
    if (v >= draft->n_seconds)
        op = draft->extras[v - draft->n_seconds].op;
    else if (v >= draft->n_operations)
        for (op = 0; draft->second[op] != v;)
            op++;
    return op;
}

/* Go from a node that waits to the one waited for. After as many steps as there are nodes, that one
 * is on the cycle. */
static enum ct_status name_cycle(const struct ct_draft *draft, const struct ct_goal *goal,
                                 const uint32_t *waiting_for, struct ct_error *err)
{
    enum { SHOWN_MAX = 4 };
    char text[SHOWN_MAX * (CT_GOAL_TEXT_MAX + 16)] = "";
    uint32_t v = 0;
    while (waiting_for[v] == 0)
        v++;
    for (uint32_t i = 0; i < draft->n_nodes; i++)
        v = unplaced_predecessor(draft, waiting_for, v);
    uint32_t first = v;
    for (int shown = 0; shown < SHOWN_MAX && (shown == 0 || v != first); shown++) {
        size_t length = strlen(text);
        char operation[CT_GOAL_TEXT_MAX];
        ct_goal_describe(goal, operation_of(draft, v), operation);
        snprintf(text + length, sizeof text - length, "%s%s", shown > 0 ? " waits for " : "",
                 operation);
        v = unplaced_predecessor(draft, waiting_for, v);
    }
    return ct_fail(err, CT_EINVAL, "a cycle: %s waits for %s", text,
                   v == first ? "the first of these" : "others, and so on to the first of these");
}

enum ct_status ct_draft_order(const struct ct_draft *draft, const struct ct_goal *goal,
                              uint32_t **order_p, struct ct_error *err)
{
    struct successors successors;
    uint32_t *order = malloc((draft->n_nodes + (size_t)1) * sizeof *order);
    enum ct_status status = CT_OK;
    if (!list_successors(draft, &successors) || !order)
        status = ct_no_memory(err, "execution graph");
    else if (place_all(draft, &successors, order) < draft->n_nodes)
        status = name_cycle(draft, goal, successors.waiting_for, err);
    free_successors(&successors);
    if (status == CT_OK)
        *order_p = order;
    else
        free(order);
    return status;
}

/* ---- arrange ---- */

/* Whether the last step of a receive is that of a vertex. */
static bool ends_receive(const struct ct_graph *graph, uint32_t v)
{
    enum ct_vertex_kind kind = ct_vertex_kind(graph, v);
    uint8_t ends = ct_vertex_protocol(graph, v)->recv_ends.step;
    if (kind == CT_VERTEX_RECV)
        return !graph->in_call || ends < CT_STEP_FIRST;
    return kind >= CT_VERTEX_STEP && kind - CT_VERTEX_STEP + CT_STEP_FIRST == ends;
}

/* From the last edge back: the first one seen of a source is the last that leaves it. */
void ct_graph_set_flags(struct ct_graph *graph)
{
    for (uint32_t v = 0; v < graph->n_vertices; v++) {
        enum ct_vertex_kind kind = ct_vertex_kind(graph, v);
        graph->what[v] |= CT_VERTEX_LEAF;
        if (kind == CT_VERTEX_CALC || kind == CT_VERTEX_INPUT || ends_receive(graph, v))
            graph->what[v] |= CT_VERTEX_FINAL;
    }
    for (uint32_t e = graph->n_edges; e-- > 0;) {
        uint8_t *source = &graph->what[ct_edge_source(graph->edges[e])];
        if (*source & CT_VERTEX_LEAF)
            graph->edges[e] |= 1;
        *source &= (uint8_t)~CT_VERTEX_LEAF;
        if (ct_edge_kind(graph->edges[e]) == CT_EDGE_FINISH)
            *source &= (uint8_t)~CT_VERTEX_FINAL;
    }
}

enum ct_status ct_draft_arrange(struct ct_draft *draft, uint32_t **order, struct ct_graph *graph,
                                struct ct_error *err)
{
    size_t n = draft->n_nodes;
    uint32_t *position = malloc((n + 1) * sizeof *position);
    graph->n_vertices = draft->n_nodes;
    graph->n_edges = draft->n_edges;
    graph->first_edge = malloc((n + 1) * sizeof *graph->first_edge);
    graph->edges = malloc((draft->n_edges + (size_t)1) * sizeof *graph->edges);
    if (!position || !graph->first_edge || !graph->edges) {
        free(position);
        return ct_no_memory(err, "execution graph");
    }
    for (uint32_t i = 0; i < draft->n_nodes; i++)
        position[(*order)[i]] = i;
    uint32_t n_edges = 0;
    for (uint32_t i = 0; i < draft->n_nodes; i++) {
        uint32_t v = (*order)[i];
        graph->first_edge[i] = n_edges;
        for (uint32_t e = draft->first[v]; e < draft->first[v + 1]; e++)
            graph->edges[n_edges++] = ct_edge_word(position[ct_edge_source(draft->edges[e])],
                                                   ct_edge_kind(draft->edges[e]));
    }
    graph->first_edge[n] = n_edges;
    free(*order);
    *order = position;
    ct_draft_free(draft);
    return CT_OK;
}
