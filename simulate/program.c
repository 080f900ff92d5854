#include "simulate/program.h"

#include "simulate/links.h"

#include <stdlib.h>

struct maker {
    const struct ct_graph *graph;
    const struct ct_loggps *at;
    struct ct_simulate_program *program;
    uint32_t *fill; /* next free edge of each vertex */
};

static const double ns_per_s = 1e9;

static enum ct_status no_memory(struct ct_error *err)
{
    return ct_fail(err, CT_ENOMEM, "simulation: out of memory");
}

static double whole_ns(const struct ct_loggps *at, const struct ct_cost *cost)
{
    return cost->compute_ns + cost->overhead_ns + cost->o * at->o_ns + cost->L * at->L_ns +
           cost->G * at->G_ns_per_byte;
}

static double send_ns(const struct maker *maker, uint64_t bytes)
{
    const struct ct_overheads *overheads = &maker->graph->overheads;
    return overheads->n > 0 ? ct_overheads_at(overheads, bytes).send_s * ns_per_s : maker->at->o_ns;
}

static double recv_ns(const struct maker *maker, uint64_t bytes)
{
    const struct ct_overheads *overheads = &maker->graph->overheads;
    return overheads->n > 0 ? ct_overheads_at(overheads, bytes).recv_s * ns_per_s : maker->at->o_ns;
}

static bool is_far(const struct ct_simulate_program *program, uint32_t rank, uint32_t peer)
{
    return rank / program->ranks_per_node != peer / program->ranks_per_node;
}

static bool is_rendezvous(const struct ct_graph *graph, uint32_t v)
{
    return graph->what[v] & CT_VERTEX_RENDEZVOUS;
}

static double data_bytes(uint64_t size)
{
    return size > 0 ? (double)(size - 1) : 0;
}

/* A receive with rendezvous from another node: grant and data are messages. */
static void make_granted(const struct maker *maker, uint32_t v, uint32_t sender)
{
    struct ct_simulate_vertex *vertex = &maker->program->vertices[v];
    uint64_t size = maker->graph->amount[v];
    vertex->is_granted = true;
    vertex->peer = sender;
    vertex->bytes = data_bytes(size);
    vertex->grant_ns = send_ns(maker, 0);
    vertex->data_ns = send_ns(maker, size);
}

static void make_vertices(const struct maker *maker)
{
    const struct ct_graph *graph = maker->graph;
    for (uint32_t v = 0; v < graph->n_vertices; v++) {
        struct ct_simulate_vertex *vertex = &maker->program->vertices[v];
        vertex->rank = vertex->peer = graph->rank[v];
        vertex->n_waits = graph->first_edge[v + 1] - graph->first_edge[v];
        for (uint32_t e = graph->first_edge[v]; e < graph->first_edge[v + 1]; e++) {
            uint32_t source = ct_edge_source(graph->edges[e]);
            maker->program->vertices[source + 1].first_edge++;
            if (ct_edge_kind(graph->edges[e]) == CT_EDGE_MESSAGE && is_rendezvous(graph, v) &&
                is_far(maker->program, graph->rank[v], graph->rank[source]))
                make_granted(maker, v, graph->rank[source]);
        }
        vertex->is_final = graph->what[v] & CT_VERTEX_FINAL;
        if (vertex->is_final && vertex->is_granted) {
            vertex->end_ns = maker->at->L_ns + recv_ns(maker, graph->amount[v]);
        } else if (vertex->is_final) {
            struct ct_cost cost = ct_graph_finish_cost(graph, v);
            vertex->end_ns = whole_ns(maker->at, &cost);
        }
    }
}

static struct ct_simulate_edge make_edge(const struct maker *maker, uint32_t v, uint32_t edge)
{
    const struct ct_graph *graph = maker->graph;
    uint32_t source = ct_edge_source(edge);
    struct ct_simulate_vertex *from = &maker->program->vertices[source];
    enum ct_edge_kind kind = ct_edge_kind(edge);
    if (kind == CT_EDGE_MESSAGE && is_far(maker->program, graph->rank[source], graph->rank[v])) {
        bool is_request = is_rendezvous(graph, source);
        uint64_t size = graph->amount[source];
        from->peer = graph->rank[v];
        from->bytes = is_request ? 0 : data_bytes(size);
        return (struct ct_simulate_edge){v, CT_SIMULATE_MESSAGE,
                                         send_ns(maker, is_request ? 0 : size)};
    }
    if (from->is_granted && kind == CT_EDGE_SENT)
        return (struct ct_simulate_edge){v, CT_SIMULATE_GRANTED, 0};
    if (from->is_granted && kind == CT_EDGE_FINISH)
        return (struct ct_simulate_edge){v, CT_SIMULATE_GRANTED,
                                         maker->at->L_ns + recv_ns(maker, graph->amount[source])};
    struct ct_cost cost = ct_graph_edge_cost(graph, v, edge);
    return (struct ct_simulate_edge){v, CT_SIMULATE_LOCAL, whole_ns(maker->at, &cost)};
}

static enum ct_status make_edges(struct maker *maker, struct ct_error *err)
{
    const struct ct_graph *graph = maker->graph;
    struct ct_simulate_program *program = maker->program;
    maker->fill = malloc((graph->n_vertices + (size_t)1) * sizeof *maker->fill);
    if (!maker->fill)
        return no_memory(err);
    for (uint32_t v = 0; v < graph->n_vertices; v++) {
        program->vertices[v + 1].first_edge += program->vertices[v].first_edge;
        maker->fill[v] = program->vertices[v].first_edge;
    }
    for (uint32_t v = 0; v < graph->n_vertices; v++)
        for (uint32_t e = graph->first_edge[v]; e < graph->first_edge[v + 1]; e++) {
            uint32_t source = ct_edge_source(graph->edges[e]);
            program->edges[maker->fill[source]++] = make_edge(maker, v, graph->edges[e]);
        }
    free(maker->fill);
    return CT_OK;
}

static enum ct_status check(const struct ct_graph *graph, uint32_t ranks_per_node,
                            struct ct_error *err)
{
    if (ranks_per_node == 0)
        return ct_fail(err, CT_EINVAL, "simulation: 0 ranks on a node; at least 1");
    if ((graph->n_ranks - 1) / ranks_per_node >= CT_LINKS_NODES_MAX)
        return ct_fail(err, CT_EINVAL, "simulation: %u ranks, %u on a node; at most %d nodes",
                       graph->n_ranks, ranks_per_node, CT_LINKS_NODES_MAX);
    if (graph->receiver)
        return ct_fail(err, CT_EINVAL,
                       "simulation: the graph has messages that leave one at a time");
    return CT_OK;
}

enum ct_status ct_simulate_program_new(const struct ct_graph *graph, const struct ct_loggps *at,
                                       uint32_t ranks_per_node,
                                       struct ct_simulate_program **program_p, struct ct_error *err)
{
    enum ct_status status = check(graph, ranks_per_node, err);
    struct ct_simulate_program *program = status == CT_OK ? calloc(1, sizeof *program) : NULL;
    if (status == CT_OK && program) {
        *program = (struct ct_simulate_program){
            .vertices = calloc(graph->n_vertices + (size_t)1, sizeof *program->vertices),
            .edges = malloc((graph->n_edges + (size_t)1) * sizeof *program->edges),
            .n_vertices = graph->n_vertices,
            .n_edges = graph->n_edges,
            .n_nodes = (graph->n_ranks - 1) / ranks_per_node + 1,
            .ranks_per_node = ranks_per_node,
            .L_ns = at->L_ns};
    }
    if (status == CT_OK && (!program || !program->vertices || !program->edges))
        status = no_memory(err);
    if (status == CT_OK) {
        struct maker maker = {graph, at, program, NULL};
        make_vertices(&maker);
        status = make_edges(&maker, err);
    }
    if (status == CT_OK)
        *program_p = program;
    else
        ct_simulate_program_free(program);
    return status;
}

uint32_t ct_simulate_n_nodes(const struct ct_simulate_program *program)
{
    return program->n_nodes;
}

void ct_simulate_program_free(struct ct_simulate_program *program)
{
    if (!program)
        return;
    free(program->vertices);
    free(program->edges);
    free(program);
}
