#include "simulate/program.h"

#include <stdlib.h>

struct maker {
    const struct ct_graph *graph;
    const struct ct_loggps *at;
    const struct ct_simulate_place *place;
    struct ct_simulate_program *program;
    uint32_t *fill; /* next free edge of each vertex */
};

static enum ct_status no_memory(struct ct_error *err)
{
    return ct_fail(err, CT_ENOMEM, "simulation: out of memory");
}

static uint32_t node_of(const struct maker *maker, uint32_t rank)
{
    uint32_t block = rank / maker->place->ranks_per_node;
    return maker->place->nodes ? maker->place->nodes[block] : block;
}

static double latency_ns(const struct maker *maker, uint32_t from, uint32_t to)
{
    const struct ct_simulate_paths *paths = maker->place->paths;
    return paths ? ct_simulate_paths_latency_ns(paths, from, to) : maker->at->L_ns;
}

/* Within a node nothing meets the network. */
static bool is_far(const struct maker *maker, const struct ct_message_span *span)
{
    return node_of(maker, span->rank[CT_SIDE_SENDER]) !=
           node_of(maker, span->rank[CT_SIDE_RECEIVER]);
}

/* The messages of a span between two nodes, and when it ends.
 * legs: [out] of its first vertex on; NULL: are only counted */
static uint32_t walk_span(const struct maker *maker, const struct ct_message_span *span,
                          struct ct_simulate_leg *legs, struct ct_simulate_moment *end_p)
{
    struct ct_message_part parts[CT_MESSAGE_STEPS_MAX];
    uint8_t leg = CT_SIMULATE_NO_LEG;
    uint32_t n_legs = 0;
    double flight_ns = 0, overhead_ns = 0; /* since the leg */
    size_t n = ct_message_parts(span, parts);
    for (size_t i = 0; i < n; i++) {
        const struct ct_message_part *part = &parts[i];
        overhead_ns += ct_graph_overhead_ns(maker->graph, maker->at, part->overhead, span->bytes);
        if (!part->leaves)
            continue;
        uint32_t from = node_of(maker, part->rank), to = node_of(maker, part->peer);
        double L_ns = latency_ns(maker, from, to);
        if (legs)
            legs[n_legs] = (struct ct_simulate_leg){.before_ns = overhead_ns,
                                                    .bytes = part->bytes,
                                                    .L_ns = L_ns,
                                                    .from = from,
                                                    .to = to};
        leg = (uint8_t)n_legs++;
        flight_ns = part->arrives ? L_ns : 0;
        overhead_ns = 0;
    }
    *end_p = (struct ct_simulate_moment){flight_ns + overhead_ns, leg};
    return n_legs;
}

/* When what a span stands for is done. */
static struct ct_simulate_moment end_of(const struct maker *maker,
                                        const struct ct_message_span *span)
{
    const struct ct_loggps *at = maker->at;
    struct ct_simulate_moment end = {0, CT_SIMULATE_NO_LEG};
    if (is_far(maker, span)) {
        walk_span(maker, span, NULL, &end);
        return end;
    }
    const struct ct_loggps *inside = maker->place->inside ? maker->place->inside : at;
    struct ct_cost cost = ct_graph_span_cost(maker->graph, span);
    end.after_ns = cost.compute_ns + cost.overhead_ns + cost.o * at->o_ns + cost.L * inside->L_ns +
                   cost.G * inside->G_ns_per_byte;
    return end;
}

/* ---- legs: visited twice, to count them and to put them in ---- */

/* Those that a vertex begins: of a send until the message meets its receive, of a receive until
 * nothing is left. Returns how many. */
static uint32_t begin_legs(const struct maker *maker, const struct ct_message_span *span,
                           uint32_t vertex, bool counts)
{
    struct ct_simulate_program *program = maker->program;
    struct ct_simulate_moment unused;
    struct ct_simulate_leg *legs =
        counts ? NULL : &program->legs[program->vertices[vertex].first_leg];
    return is_far(maker, span) ? walk_span(maker, span, legs, &unused) : 0;
}

static void visit_legs(const struct maker *maker, bool counts)
{
    const struct ct_graph *graph = maker->graph;
    struct ct_simulate_vertex *vertices = maker->program->vertices;
    for (uint32_t v = 0; v < graph->n_vertices; v++)
        for (uint32_t e = graph->first_edge[v]; e < graph->first_edge[v + 1]; e++) {
            if (ct_edge_kind(graph->edges[e]) != CT_EDGE_MESSAGE)
                continue;
            uint32_t send = ct_edge_source(graph->edges[e]);
            struct ct_message_span sent = ct_graph_edge_span(graph, v, graph->edges[e]);
            struct ct_message_span rest = ct_message_rest(&sent);
            uint32_t n_sent = begin_legs(maker, &sent, send, counts);
            uint32_t n_rest = begin_legs(maker, &rest, v, counts);
            if (!counts)
                continue;
            vertices[send + 1].first_leg = n_sent;
            vertices[v + 1].first_leg = n_rest;
        }
}

static enum ct_status make_legs(const struct maker *maker, struct ct_error *err)
{
    struct ct_simulate_program *program = maker->program;
    visit_legs(maker, true);
    for (uint32_t v = 0; v < program->n_vertices; v++)
        program->vertices[v + 1].first_leg += program->vertices[v].first_leg;
    size_t n = program->vertices[program->n_vertices].first_leg;
    program->legs = malloc((n + 1) * sizeof *program->legs);
    if (!program->legs)
        return no_memory(err);
    visit_legs(maker, false);
    return CT_OK;
}

/* ---- vertices and edges ---- */

static void make_vertices(const struct maker *maker)
{
    const struct ct_graph *graph = maker->graph;
    for (uint32_t v = 0; v < graph->n_vertices; v++) {
        struct ct_simulate_vertex *vertex = &maker->program->vertices[v];
        vertex->n_waits = graph->first_edge[v + 1] - graph->first_edge[v];
        for (uint32_t e = graph->first_edge[v]; e < graph->first_edge[v + 1]; e++)
            maker->program->vertices[ct_edge_source(graph->edges[e]) + 1].first_edge++;
        vertex->is_final = graph->what[v] & CT_VERTEX_FINAL;
        struct ct_message_span span = ct_graph_finish_span(graph, v);
        if (vertex->is_final)
            vertex->end = end_of(maker, &span);
    }
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
            struct ct_message_span span = ct_graph_edge_span(graph, v, graph->edges[e]);
            program->edges[maker->fill[ct_edge_source(graph->edges[e])]++] =
                (struct ct_simulate_edge){end_of(maker, &span), v};
        }
    free(maker->fill);
    return CT_OK;
}

static enum ct_status check(const struct ct_graph *graph, const struct ct_simulate_place *place,
                            struct ct_error *err)
{
    uint32_t ranks_per_node = place->ranks_per_node;
    if (ranks_per_node == 0)
        return ct_fail(err, CT_EINVAL, "simulation: 0 ranks on a node; at least 1");
    uint32_t n_blocks = (graph->n_ranks - 1) / ranks_per_node + 1;
    if (place->nodes && n_blocks > place->n_nodes)
        return ct_fail(err, CT_EINVAL, "simulation: %u ranks, %u on a node, do not fit on %u nodes",
                       graph->n_ranks, ranks_per_node, place->n_nodes);
    for (uint32_t i = 0; i < n_blocks; i++)
        if ((place->nodes ? place->nodes[i] : i) >= CT_SIMULATE_NODES_MAX)
            return ct_fail(err, CT_EINVAL, "simulation: %u ranks, %u on a node; at most %d nodes",
                           graph->n_ranks, ranks_per_node, CT_SIMULATE_NODES_MAX);
    if (graph->receiver)
        return ct_fail(err, CT_EINVAL,
                       "simulation: the graph has messages that leave one at a time");
    return CT_OK;
}

static uint32_t count_nodes(const struct maker *maker)
{
    uint32_t n = 1;
    for (uint32_t rank = 0; rank < maker->graph->n_ranks; rank++)
        n = node_of(maker, rank) >= n ? node_of(maker, rank) + 1 : n;
    return n;
}

enum ct_status ct_simulate_program_new(const struct ct_graph *graph, const struct ct_loggps *at,
                                       const struct ct_simulate_place *place,
                                       struct ct_simulate_program **program_p, struct ct_error *err)
{
    enum ct_status status = check(graph, place, err);
    struct ct_simulate_program *program = status == CT_OK ? calloc(1, sizeof *program) : NULL;
    if (status == CT_OK && program) {
        *program = (struct ct_simulate_program){
            .vertices = calloc(graph->n_vertices + (size_t)1, sizeof *program->vertices),
            .edges = malloc((graph->n_edges + (size_t)1) * sizeof *program->edges),
            .n_vertices = graph->n_vertices,
            .n_edges = graph->n_edges};
    }
    if (status == CT_OK && (!program || !program->vertices || !program->edges))
        status = no_memory(err);
    if (status == CT_OK) {
        struct maker maker = {graph, at, place, program, NULL};
        program->n_nodes = count_nodes(&maker);
        make_vertices(&maker);
        status = make_edges(&maker, err);
        if (status == CT_OK)
            status = make_legs(&maker, err);
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

void ct_simulate_program_pieces(const struct ct_simulate_program *program,
                                void (*take)(void *taker, const void *bytes, size_t n), void *taker)
{
    const uint32_t sizes[] = {program->n_vertices, program->n_edges, program->n_nodes};
    take(taker, sizes, sizeof sizes);
    for (uint32_t i = 0; i <= program->n_vertices; i++) {
        const struct ct_simulate_vertex *at = &program->vertices[i];
        const uint32_t whole[] = {at->first_edge, at->first_leg, at->n_waits, at->is_final,
                                  at->end.leg};
        take(taker, whole, sizeof whole);
        take(taker, &at->end.after_ns, sizeof at->end.after_ns);
    }
    for (uint32_t i = 0; i < program->n_edges; i++) {
        const struct ct_simulate_edge *edge = &program->edges[i];
        const uint32_t whole[] = {edge->target, edge->when.leg};
        take(taker, whole, sizeof whole);
        take(taker, &edge->when.after_ns, sizeof edge->when.after_ns);
    }
    for (uint32_t i = 0; i < program->vertices[program->n_vertices].first_leg; i++) {
        const struct ct_simulate_leg *leg = &program->legs[i];
        const double costs[] = {leg->before_ns, leg->bytes, leg->L_ns};
        const uint32_t ends[] = {leg->from, leg->to};
        take(taker, costs, sizeof costs);
        take(taker, ends, sizeof ends);
    }
}

void ct_simulate_program_free(struct ct_simulate_program *program)
{
    if (!program)
        return;
    free(program->vertices);
    free(program->edges);
    free(program->legs);
    free(program);
}
