#include "lp-bridge/envelope/path.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

/* Longest path to a vertex: its length without latencies, and how many of them are on it. */
struct reach {
    double rest_ns, latencies;
};

static double overhead_ns(const struct ct_cost *cost, const struct ct_loggps *at)
{
    return cost->overhead_ns + cost->o * at->o_ns + cost->g_ns;
}

static struct reach extend_reach(struct reach reach, const struct ct_cost *cost,
                                 const struct ct_loggps *at)
{
    reach.rest_ns += cost->compute_ns + overhead_ns(cost, at) + cost->G * at->G_ns_per_byte;
    reach.latencies += cost->L;
    return reach;
}

static double length_ns(struct reach reach, const struct ct_loggps *at)
{
    return reach.rest_ns + reach.latencies * at->L_ns;
}

static bool is_longer(struct reach a, struct reach b, const struct ct_loggps *at)
{
    double a_ns = length_ns(a, at), b_ns = length_ns(b, at);
    return a_ns > b_ns || (a_ns == b_ns && a.latencies > b.latencies);
}

/* The edge into v over which the longest path comes; false: v starts at time 0. */
static bool longest_edge(const struct ct_graph *graph, const struct ct_loggps *at,
                         const struct reach *reach, uint32_t v, uint32_t *edge_p,
                         struct reach *reach_p)
{
    bool found = false;
    for (uint32_t e = graph->first_edge[v]; e < graph->first_edge[v + 1]; e++) {
        struct ct_cost cost = ct_graph_edge_cost(graph, v, graph->edges[e]);
        struct reach over = extend_reach(reach[ct_edge_source(graph->edges[e])], &cost, at);
        if (!found || is_longer(over, *reach_p, at)) {
            *reach_p = over;
            *edge_p = graph->edges[e];
        }
        found = true;
    }
    return found;
}

/* Fills reach; returns the operation that ends last. */
static uint32_t walk_forward(const struct ct_graph *graph, const struct ct_loggps *at,
                             struct reach *reach)
{
    uint32_t last = 0, edge;
    struct reach end = {-1, 0};
    for (uint32_t v = 0; v < graph->n_vertices; v++) {
        longest_edge(graph, at, reach, v, &edge, &reach[v]);
        if (!(graph->what[v] & CT_VERTEX_FINAL))
            continue;
        struct ct_cost cost = ct_graph_finish_cost(graph, v);
        struct reach over = extend_reach(reach[v], &cost, at);
        if (is_longer(over, end, at)) {
            end = over;
            last = v;
        }
    }
    return last;
}

static struct ct_path_step make_step(const struct ct_graph *graph, const struct ct_loggps *at,
                                     uint32_t v, double time_ns, const struct ct_cost *cost)
{
    return (struct ct_path_step){.rank = graph->rank[v],
                                 .operation = graph->operation[v],
                                 .kind = ct_vertex_kind(graph, v),
                                 .amount = graph->amount[v],
                                 .time_ns = time_ns,
                                 .part_ns = {[CT_PATH_COMPUTE] = cost->compute_ns,
                                             [CT_PATH_OVERHEAD] = overhead_ns(cost, at),
                                             [CT_PATH_LATENCY] = cost->L * at->L_ns,
                                             [CT_PATH_BANDWIDTH] = cost->G * at->G_ns_per_byte},
                                 .to = cost->to};
}

static bool append_step(struct ct_path *path, size_t *capacity, const struct ct_path_step *step)
{
    if (!CT_ARRAY_RESERVE(path->steps, *capacity, path->n + 1))
        return false;
    path->steps[path->n++] = *step;
    return true;
}

static void reverse_path(struct ct_path *path)
{
    for (size_t i = 0; i < path->n / 2; i++) {
        struct ct_path_step step = path->steps[i];
        path->steps[i] = path->steps[path->n - 1 - i];
        path->steps[path->n - 1 - i] = step;
    }
}

/* From the last operation back to time 0. */
static bool walk_back(const struct ct_graph *graph, const struct ct_loggps *at,
                      const struct reach *reach, uint32_t last, struct ct_path *path)
{
    size_t capacity = 0;
    struct ct_cost cost = ct_graph_finish_cost(graph, last);
    struct reach end = extend_reach(reach[last], &cost, at);
    path->runtime_ns = length_ns(end, at);
    path->messages = end.latencies;
    for (uint32_t v = last;;) {
        path->bytes += cost.G;
        struct ct_path_step step = make_step(graph, at, v, length_ns(reach[v], at), &cost);
        if (step.kind != CT_VERTEX_POSTED && !append_step(path, &capacity, &step))
            return false;
        uint32_t edge;
        struct reach unused;
        if (!longest_edge(graph, at, reach, v, &edge, &unused))
            break;
        cost = ct_graph_edge_cost(graph, v, edge);
        v = ct_edge_source(edge);
    }
    reverse_path(path);
    return true;
}

enum ct_status ct_path_find(const struct ct_graph *graph, const struct ct_loggps *at,
                            struct ct_path *path_p, struct ct_error *err)
{
    struct ct_path path = {0};
    bool ok = true;
    if (graph->n_vertices > 0) {
        struct reach *reach = calloc(graph->n_vertices, sizeof *reach);
        ok = reach != NULL;
        if (ok)
            ok = walk_back(graph, at, reach, walk_forward(graph, at, reach), &path);
        free(reach);
    }
    if (!ok) {
        ct_path_free(&path);
        return ct_no_memory(err, "critical path");
    }
    *path_p = path;
    return CT_OK;
}

void ct_path_free(struct ct_path *path)
{
    free(path->steps);
    *path = (struct ct_path){0};
}

void ct_path_share(const struct ct_path *path, uint32_t n_ranks, double (*parts_p)[CT_PATH_PARTS])
{
    memset(parts_p, 0, n_ranks * sizeof *parts_p);
    for (size_t i = 0; i < path->n; i++) {
        const struct ct_path_step *step = &path->steps[i];
        for (size_t part = 0; part < CT_PATH_PARTS; part++) {
            bool is_network = part == CT_PATH_LATENCY || part == CT_PATH_BANDWIDTH;
            parts_p[is_network ? step->to : step->rank][part] += step->part_ns[part];
        }
    }
}
