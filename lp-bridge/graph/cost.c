/* What an edge stands for: compute, or a span of the steps of a message; and its cost. */
#include "lp-bridge/graph/draft.h"

#include <assert.h>

static const double ns_per_s = 1e9;

/* ---- spans ---- */

/* From the point in time of a vertex to that of an edge of a kind that leaves it. */
static struct ct_message_span points_of(const struct ct_protocol *protocol,
                                        enum ct_vertex_kind vertex, enum ct_edge_kind kind)
{
    const struct ct_message_point begin = {0, CT_MOMENT_BEGIN}, paid = {0, CT_MOMENT_PAID},
                                  left = {0, CT_MOMENT_LEFT},
                                  met = {protocol->met, CT_MOMENT_BEGIN};
    struct ct_message_span span = {.protocol = protocol, .from = begin, .to = begin};
    if (vertex >= CT_VERTEX_STEP) {
        uint8_t step = (uint8_t)(vertex - CT_VERTEX_STEP + CT_STEP_FIRST);
        if (step >= protocol->n_steps)
            return span;
        span.from = (struct ct_message_point){step, CT_MOMENT_BEGIN};
        span.to = kind == CT_EDGE_MESSAGE
                      ? (struct ct_message_point){(uint8_t)(step + 1), CT_MOMENT_BEGIN}
                  : protocol->steps[step].by == CT_SIDE_SENDER ? protocol->send_ends
                                                               : protocol->recv_ends;
        if (span.to.step >= protocol->n_steps || span.to.step < step)
            span.to = span.from;
        return span;
    }
    switch (vertex) {
    case CT_VERTEX_SEND:
        span.to = kind == CT_EDGE_MESSAGE ? met
                  : kind == CT_EDGE_START ? paid
                                          : protocol->send_ends;
        break;
    case CT_VERTEX_LEAVING:
        span.from = paid;
        span.to = kind == CT_EDGE_MESSAGE ? met : left;
        break;
    case CT_VERTEX_RECV:
        span.from = met;
        span.to = kind == CT_EDGE_SENT ? protocol->send_ends : protocol->recv_ends;
        if (kind == CT_EDGE_MESSAGE && protocol->n_steps > protocol->met + 1)
            span.to = (struct ct_message_point){(uint8_t)(protocol->met + 1), CT_MOMENT_BEGIN};
        break;
    default:
        break;
    }
    return span;
}

/* The rank that sends what a receive gets. */
static uint32_t sender_rank(const struct ct_graph *graph, uint32_t v)
{
    for (uint32_t e = graph->first_edge[v]; e < graph->first_edge[v + 1]; e++)
        if (ct_edge_kind(graph->edges[e]) == CT_EDGE_MESSAGE)
            return graph->rank[ct_edge_source(graph->edges[e])];
    assert(false && "a receive has a message");
    return graph->rank[v];
}

/* The one side of a message that a vertex knows, and the other one where something may travel, or
 * where the graph has peers. */
static void find_ranks(const struct ct_graph *graph, uint32_t u, uint32_t *rank)
{
    const struct ct_protocol *protocol = ct_vertex_protocol(graph, u);
    enum ct_vertex_kind vertex = ct_vertex_kind(graph, u);
    rank[CT_SIDE_SENDER] = rank[CT_SIDE_RECEIVER] = graph->rank[u];
    if (graph->peer) {
        bool receives = vertex == CT_VERTEX_RECV ||
                        (vertex >= CT_VERTEX_STEP && ct_vertex_side(graph, u) == CT_SIDE_RECEIVER);
        rank[receives ? CT_SIDE_SENDER : CT_SIDE_RECEIVER] = graph->peer[u];
        return;
    }
    if (vertex == CT_VERTEX_LEAVING)
        rank[CT_SIDE_RECEIVER] = graph->receiver[u];
    if (vertex == CT_VERTEX_RECV && protocol->steps[protocol->met].carries != CT_CARRIES_NOTHING)
        rank[CT_SIDE_SENDER] = sender_rank(graph, u);
}

static double compute_ns(const struct ct_graph *graph, uint32_t u, enum ct_edge_kind kind)
{
    bool counts = ct_vertex_kind(graph, u) == CT_VERTEX_CALC && kind == CT_EDGE_FINISH;
    return counts ? (double)graph->amount[u] : 0;
}

/* ---- overheads ---- */

static void charge_overheads(const struct ct_graph *graph, const struct ct_message_sum *sum,
                             uint64_t bytes, struct ct_cost *cost)
{
    double control = sum->overheads[CT_OVERHEAD_CONTROL], send = sum->overheads[CT_OVERHEAD_SEND],
           recv = sum->overheads[CT_OVERHEAD_RECV];
    if (graph->overheads.n == 0) {
        cost->o = control + send + recv;
        return;
    }
    double overhead_s = 0;
    if (control > 0)
        overhead_s += control * ct_overheads_at(&graph->overheads, 0).send_s;
    if (send > 0 || recv > 0) {
        struct ct_overhead at = ct_overheads_at(&graph->overheads, bytes);
        overhead_s += send * at.send_s + recv * at.recv_s;
    }
    cost->overhead_ns = overhead_s * ns_per_s;
}

/* ---- linear costs ---- */

static struct ct_message_sum sum_of(const struct ct_message_span *span)
{
    struct ct_message_part parts[CT_MESSAGE_STEPS_MAX];
    struct ct_message_sum sum = {0};
    size_t n = ct_message_parts(span, parts);
    for (size_t i = 0; i < n; i++) {
        sum.overheads[parts[i].overhead]++;
        sum.L = (uint8_t)(sum.L + parts[i].arrives);
        sum.L_of_bytes = (uint8_t)(sum.L_of_bytes + (parts[i].arrives && parts[i].bytes > 0));
        sum.G = (uint8_t)(sum.G + (parts[i].leaves && parts[i].bytes > 0));
    }
    return sum;
}

void ct_graph_sum_steps(struct ct_graph *graph)
{
    for (size_t p = 0; p < CT_PROTOCOLS; p++)
        for (unsigned vertex = 0; vertex < CT_VERTEX_KINDS; vertex++)
            for (unsigned kind = 0; kind < CT_EDGE_KINDS; kind++) {
                struct ct_message_span span = points_of(
                    &ct_protocols[p], (enum ct_vertex_kind)vertex, (enum ct_edge_kind)kind);
                span.bytes = UINT64_MAX; /* any that has a G */
                graph->sums[p][vertex][kind] = sum_of(&span);
            }
}

/* What the bytes of a message count for, in bytes that take G, and in latencies. */
static void charge_network(const struct ct_graph *graph, const struct ct_message_sum *sum,
                           uint64_t bytes, struct ct_cost *cost)
{
    cost->L = sum->L;
    if (graph->gaps.n == 0) {
        cost->G = sum->G > 0 ? sum->G * ct_message_gap_bytes(bytes) : 0;
        return;
    }
    if (sum->G == 0 && sum->L_of_bytes == 0)
        return;
    const struct ct_gap_size at = ct_gaps_at(&graph->gaps, graph->gaps_G_s_per_byte, bytes);
    cost->G = sum->G * (at.wire_s / graph->gaps_G_s_per_byte);
    cost->L += sum->L_of_bytes * at.late_frac;
}

static struct ct_cost cost_of(const struct ct_graph *graph, const struct ct_message_sum *sum,
                              const uint32_t *rank, uint64_t bytes)
{
    struct ct_cost cost = {.from = rank[CT_SIDE_SENDER], .to = rank[CT_SIDE_RECEIVER]};
    /* What a rank sends to itself does not enter the network. */
    if (cost.from != cost.to)
        charge_network(graph, sum, bytes, &cost);
    charge_overheads(graph, sum, bytes, &cost);
    return cost;
}

/* From the sums that were made before: there are many edges. */
static struct ct_cost source_cost(const struct ct_graph *graph, uint32_t u, enum ct_edge_kind kind,
                                  const uint32_t *rank)
{
    unsigned protocol = (graph->what[u] & CT_VERTEX_PROTOCOL_MASK) >> CT_VERTEX_PROTOCOL_SHIFT;
    const struct ct_message_sum *sum = &graph->sums[protocol][ct_vertex_kind(graph, u)][kind];
    struct ct_cost cost = cost_of(graph, sum, rank, graph->amount[u]);
    cost.compute_ns = compute_ns(graph, u, kind);
    if (kind == CT_EDGE_START && ct_vertex_kind(graph, u) == CT_VERTEX_LEAVING)
        cost.g_ns = graph->g_ns;
    return cost;
}

struct ct_cost ct_graph_edge_cost(const struct ct_graph *graph, uint32_t v, uint32_t edge)
{
    uint32_t rank[CT_MESSAGE_SIDES];
    find_ranks(graph, ct_edge_source(edge), rank);
    if (ct_edge_kind(edge) == CT_EDGE_MESSAGE && !graph->peer)
        rank[CT_SIDE_RECEIVER] = graph->rank[v];
    return source_cost(graph, ct_edge_source(edge), ct_edge_kind(edge), rank);
}

struct ct_cost ct_graph_finish_cost(const struct ct_graph *graph, uint32_t v)
{
    uint32_t rank[CT_MESSAGE_SIDES];
    find_ranks(graph, v, rank);
    return source_cost(graph, v, CT_EDGE_FINISH, rank);
}
