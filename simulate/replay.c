#include "simulate/replay.h"

#include "core/lesser.h"

#include <stdlib.h>

/* A message of the network on the way over an edge: an overhead, then bytes that leave. */
struct hop {
    double before_ns; /* until its first byte leaves */
    double bytes;
    bool arrives; /* else the edge ends when the last byte has left */
};

/* An edge into a vertex, or the way from a vertex to the end of its operation. */
struct way {
    uint32_t source;
    uint32_t n_hops; /* that meet the network */
    double after_ns; /* what is left, or the whole */
};

struct ct_replay {
    uint32_t n_vertices;
    uint32_t *first_way; /* n_vertices + 1: edges into a vertex */
    struct way *ways;
    struct way *ends; /* n_ends: source is the vertex */
    size_t n_ends;
    struct hop *hops; /* of ways, then of ends, in their order */
    size_t n_hops;
    double L_ns, G_ns_per_byte;
};

/* ---- making it ---- */

struct maker {
    const struct ct_graph *graph;
    const struct ct_loggps *at;
    uint32_t ranks_per_node;
    struct ct_replay *replay;
    bool counts; /* hops only, before there is room for them */
};

static void add_hop(struct maker *maker, struct hop hop)
{
    if (!maker->counts)
        maker->replay->hops[maker->replay->n_hops] = hop;
    maker->replay->n_hops++;
}

/* Within a node nothing meets the network. */
static bool is_far(const struct maker *maker, const struct ct_message_span *span)
{
    return span->rank[CT_SIDE_SENDER] / maker->ranks_per_node !=
           span->rank[CT_SIDE_RECEIVER] / maker->ranks_per_node;
}

static struct way far_way(struct maker *maker, const struct ct_message_span *span, uint32_t source)
{
    struct ct_message_part parts[CT_MESSAGE_STEPS_MAX];
    struct way way = {.source = source};
    size_t n = ct_message_parts(span, parts);
    for (size_t i = 0; i < n; i++) {
        const struct ct_message_part *part = &parts[i];
        way.after_ns += ct_graph_overhead_ns(maker->graph, maker->at, part->overhead, span->bytes);
        if (!part->arrives && !(part->leaves && part->bytes > 0))
            continue;
        add_hop(maker, (struct hop){way.after_ns, part->bytes, part->arrives});
        way.after_ns = 0;
        way.n_hops++;
    }
    return way;
}

static struct way near_way(const struct maker *maker, const struct ct_message_span *span,
                           uint32_t source)
{
    struct ct_cost cost = ct_graph_span_cost(maker->graph, span);
    double whole_ns = cost.compute_ns + (cost.overhead_ns + cost.o * maker->at->o_ns);
    whole_ns += cost.L * maker->at->L_ns + cost.G * maker->at->G_ns_per_byte;
    return (struct way){.source = source, .after_ns = whole_ns};
}

static struct way make_way(struct maker *maker, struct ct_message_span span, uint32_t source)
{
    return is_far(maker, &span) ? far_way(maker, &span, source) : near_way(maker, &span, source);
}

static void fill(struct maker *maker)
{
    const struct ct_graph *graph = maker->graph;
    struct ct_replay *replay = maker->replay;
    replay->n_hops = replay->n_ends = 0;
    for (uint32_t v = 0; v < graph->n_vertices; v++) {
        replay->first_way[v] = graph->first_edge[v];
        for (uint32_t e = graph->first_edge[v]; e < graph->first_edge[v + 1]; e++)
            replay->ways[e] = make_way(maker, ct_graph_edge_span(graph, v, graph->edges[e]),
                                       ct_edge_source(graph->edges[e]));
    }
    replay->first_way[graph->n_vertices] = graph->n_edges;
    for (uint32_t v = 0; v < graph->n_vertices; v++)
        if (graph->what[v] & CT_VERTEX_FINAL)
            replay->ends[replay->n_ends++] = make_way(maker, ct_graph_finish_span(graph, v), v);
}

static bool make(struct maker *maker)
{
    struct ct_replay *replay = maker->replay;
    size_t n = maker->graph->n_vertices;
    replay->n_vertices = maker->graph->n_vertices;
    replay->L_ns = maker->at->L_ns;
    replay->G_ns_per_byte = maker->at->G_ns_per_byte;
    replay->first_way = malloc((n + 1) * sizeof *replay->first_way);
    replay->ways = malloc((maker->graph->n_edges + (size_t)1) * sizeof *replay->ways);
    replay->ends = malloc((n + 1) * sizeof *replay->ends);
    if (!replay->first_way || !replay->ways || !replay->ends)
        return false;
    maker->counts = true;
    fill(maker);
    replay->hops = malloc((replay->n_hops + 1) * sizeof *replay->hops);
    if (!replay->hops)
        return false;
    maker->counts = false;
    fill(maker);
    return true;
}

enum ct_status ct_replay_new(const struct ct_graph *graph, const struct ct_loggps *at,
                             uint32_t ranks_per_node, struct ct_replay **replay_p,
                             struct ct_error *err)
{
    if (ranks_per_node == 0)
        return ct_fail(err, CT_EINVAL, "replay: 0 ranks on a node; at least 1");
    struct ct_replay *replay = calloc(1, sizeof *replay);
    struct maker maker = {graph, at, ranks_per_node, replay, false};
    if (!replay || !make(&maker)) {
        ct_replay_free(replay);
        return ct_fail(err, CT_ENOMEM, "replay: out of memory");
    }
    *replay_p = replay;
    return CT_OK;
}

void ct_replay_free(struct ct_replay *replay)
{
    if (!replay)
        return;
    free(replay->first_way);
    free(replay->ways);
    free(replay->ends);
    free(replay->hops);
    free(replay);
}

/* ---- one replay ---- */

/* When a message is through that begins at a time. */
static double take_hop(const struct ct_replay *replay, const struct ct_replay_load *load,
                       const struct hop *hop, double time_ns)
{
    time_ns += hop->before_ns;
    double delay_ns = ct_delay_at(load->delay, time_ns + load->offset_ns);
    if (hop->arrives)
        time_ns += replay->L_ns + delay_ns;
    return time_ns +
           hop->bytes * replay->G_ns_per_byte * (1 + ct_greater(0, delay_ns) / load->half_delay_ns);
}

/* When a way is done; moves on to the hops of the next one. */
static double take_way(const struct ct_replay *replay, const struct ct_replay_load *load,
                       const struct way *way, const struct hop **hop, double time_ns)
{
    for (uint32_t i = 0; i < way->n_hops; i++)
        time_ns = take_hop(replay, load, (*hop)++, time_ns);
    return time_ns + way->after_ns;
}

static double run(const struct ct_replay *replay, const struct ct_replay_load *load,
                  double *time_ns)
{
    const struct hop *hop = replay->hops;
    double last_ns = 0;
    for (uint32_t v = 0; v < replay->n_vertices; v++) {
        double start_ns = 0;
        for (uint32_t w = replay->first_way[v]; w < replay->first_way[v + 1]; w++) {
            const struct way *way = &replay->ways[w];
            start_ns =
                ct_greater(start_ns, take_way(replay, load, way, &hop, time_ns[way->source]));
        }
        time_ns[v] = start_ns;
    }
    for (size_t i = 0; i < replay->n_ends; i++) {
        const struct way *way = &replay->ends[i];
        last_ns = ct_greater(last_ns, take_way(replay, load, way, &hop, time_ns[way->source]));
    }
    return last_ns;
}

static enum ct_status no_memory(struct ct_error *err)
{
    return ct_fail(err, CT_ENOMEM, "replay: out of memory");
}

enum ct_status ct_replay_runtime(const struct ct_replay *replay, const struct ct_replay_load *load,
                                 double *runtime_ns_p, struct ct_error *err)
{
    double *time_ns = malloc((replay->n_vertices + (size_t)1) * sizeof *time_ns);
    if (!time_ns)
        return no_memory(err);
    *runtime_ns_p = run(replay, load, time_ns);
    free(time_ns);
    return CT_OK;
}
