/* Costs of edges: a row for each kind of edge and of the vertex that it leaves. */
#include "lp-bridge/graph/graph.h"

#include <assert.h>

static const double ns_per_s = 1e9;

/*
 * How often each part counts. Overheads are those of a request or grant, of sending and of
 * receiving the message: three that are equal where o is a parameter. G counts its bytes but one.
 */
struct rule {
    double compute, control, send, recv, L, G;
};

static const struct rule eager_rules[CT_EDGE_KINDS][CT_VERTEX_KINDS] = {
    [CT_EDGE_FINISH] = {[CT_VERTEX_CALC] = {.compute = 1},
                        [CT_VERTEX_SEND] = {.send = 1},
                        [CT_VERTEX_RECV] = {.recv = 1}},
    [CT_EDGE_START] = {[CT_VERTEX_SEND] = {.send = 1}, [CT_VERTEX_LEAVING] = {.G = 1}},
    [CT_EDGE_MESSAGE] =
        {[CT_VERTEX_SEND] = {.send = 1, .L = 1, .G = 1}, [CT_VERTEX_LEAVING] = {.L = 1, .G = 1}},
};

static const struct rule rendezvous_rules[CT_EDGE_KINDS][CT_VERTEX_KINDS] = {
    [CT_EDGE_FINISH] = {[CT_VERTEX_RECV] = {.control = 1, .send = 1, .recv = 1, .L = 2, .G = 1}},
    [CT_EDGE_START] = {[CT_VERTEX_SEND] = {.control = 1}},
    [CT_EDGE_MESSAGE] = {[CT_VERTEX_SEND] = {.control = 1, .L = 1}},
    [CT_EDGE_SENT] = {[CT_VERTEX_RECV] = {.control = 1, .send = 1, .L = 1, .G = 1}},
};

/* The rank that sends what a receive gets. */
static uint32_t sender_rank(const struct ct_graph *graph, uint32_t v)
{
    for (uint32_t e = graph->first_edge[v]; e < graph->first_edge[v + 1]; e++)
        if (ct_edge_kind(graph->edges[e]) == CT_EDGE_MESSAGE)
            return graph->rank[ct_edge_source(graph->edges[e])];
    assert(false && "a receive has a message");
    return graph->rank[v];
}

static void charge_overheads(const struct ct_graph *graph, const struct rule *rule, uint64_t bytes,
                             struct ct_cost *cost)
{
    if (graph->overheads.n == 0) {
        cost->o = rule->control + rule->send + rule->recv;
        return;
    }
    double overhead_s = 0;
    if (rule->control > 0)
        overhead_s += rule->control * ct_overheads_at(&graph->overheads, 0).send_s;
    if (rule->send > 0 || rule->recv > 0) {
        struct ct_overhead at = ct_overheads_at(&graph->overheads, bytes);
        overhead_s += rule->send * at.send_s + rule->recv * at.recv_s;
    }
    cost->overhead_ns = overhead_s * ns_per_s;
}

static struct ct_cost source_cost(const struct ct_graph *graph, uint32_t u, enum ct_edge_kind kind)
{
    enum ct_vertex_kind vertex = ct_vertex_kind(graph, u);
    bool rendezvous = graph->what[u] & CT_VERTEX_RENDEZVOUS;
    const struct rule *rule =
        rendezvous ? &rendezvous_rules[kind][vertex] : &eager_rules[kind][vertex];
    uint64_t amount = graph->amount[u];
    struct ct_cost cost = {.compute_ns = rule->compute > 0 ? (double)amount : 0,
                           .L = rule->L,
                           .G = rule->G > 0 && amount > 0 ? (double)(amount - 1) : 0,
                           .from = graph->rank[u],
                           .to = graph->rank[u]};
    charge_overheads(graph, rule, amount, &cost);
    if (vertex == CT_VERTEX_RECV && cost.L > 0)
        cost.from = sender_rank(graph, u);
    if (vertex == CT_VERTEX_LEAVING)
        cost.to = graph->receiver[u];
    return cost;
}

/* What a rank sends to itself does not enter the network. */
static struct ct_cost without_network(struct ct_cost cost)
{
    if (cost.from == cost.to)
        cost.L = cost.G = 0;
    return cost;
}

struct ct_cost ct_graph_edge_cost(const struct ct_graph *graph, uint32_t v, uint32_t edge)
{
    struct ct_cost cost = source_cost(graph, ct_edge_source(edge), ct_edge_kind(edge));
    if (ct_edge_kind(edge) == CT_EDGE_MESSAGE)
        cost.to = graph->rank[v];
    return without_network(cost);
}

struct ct_cost ct_graph_finish_cost(const struct ct_graph *graph, uint32_t v)
{
    return without_network(source_cost(graph, v, CT_EDGE_FINISH));
}
