#include "lp-bridge/envelope/wires.h"

#include "core/array.h"
#include "core/map.h"

#include <math.h>
#include <stdlib.h>

/* Between two nodes that have messages. */
struct path {
    uint32_t switches;
    double beyond_ns; /* of links, beyond L of the path that was measured */
};

struct ct_wires {
    struct ct_wires_setup setup;
    struct ct_map number; /* of the path of a pair, plus 1 */
    struct path *paths;
    size_t n_paths, room_paths;
    struct ct_route route; /* the last one */
    struct ct_wires_hops hops;
    double sum_switches;
};

static bool has_classes(const struct ct_wires *wires)
{
    return wires->setup.by_switches.n > 1;
}

/* ---- the pairs of a graph ---- */

static enum ct_status find_path(struct ct_wires *wires, struct ct_router *router, uint32_t from,
                                uint32_t to, struct path *path_p, struct ct_error *err)
{
    const struct ct_wires_setup *setup = &wires->setup;
    struct path path = {0, 0};
    enum ct_status status = CT_OK;
    if (!setup->adds_links || has_classes(wires)) {
        status = ct_route_switches(router, from, to, &path.switches, err);
    } else {
        status = ct_route_find(router, from, to, &wires->route, err);
        if (status == CT_OK)
            status = ct_route_beyond(setup->topology, &wires->route, setup->L_ns,
                                     setup->measured_ns, &path.beyond_ns, err);
        path.switches = (uint32_t)wires->route.n - 1;
    }
    if (status != CT_OK)
        return status;
    double beyond_ns = has_classes(wires)
                           ? ct_path_latency_beyond_ns(&setup->by_switches, path.switches)
                           : path.beyond_ns;
    wires->hops.least_L_ns = fmax(wires->hops.least_L_ns, -beyond_ns);
    *path_p = path;
    return CT_OK;
}

static enum ct_status add_path(struct ct_wires *wires, struct ct_router *router, uint32_t from,
                               uint32_t to, struct ct_error *err)
{
    if (!CT_ARRAY_RESERVE(wires->paths, wires->room_paths, wires->n_paths + 1))
        return ct_no_memory(err, "wires");
    CT_TRY(find_path(wires, router, from, to, &wires->paths[wires->n_paths], err));
    wires->n_paths++;
    return ct_map_add(&wires->number, ct_map_pair(from, to), wires->n_paths)
               ? CT_OK
               : ct_no_memory(err, "wires");
}

static enum ct_status add_pair(struct ct_wires *wires, struct ct_router *router,
                               const struct ct_cost *cost, struct ct_error *err)
{
    uint32_t from = cost->from / wires->setup.ranks_per_node;
    uint32_t to = cost->to / wires->setup.ranks_per_node;
    if (cost->from == cost->to || cost->L == 0)
        return CT_OK;
    if (from == to) {
        wires->hops.inside++;
        return CT_OK;
    }
    wires->hops.between++;
    if (!router)
        return CT_OK;
    uint64_t number = ct_map_get(&wires->number, ct_map_pair(from, to));
    CT_TRY(number ? CT_OK : add_path(wires, router, from, to, err));
    uint32_t switches = wires->paths[(number ? number : wires->n_paths) - 1].switches;
    wires->sum_switches += switches;
    if (switches > wires->hops.most)
        wires->hops.most = switches;
    return CT_OK;
}

static enum ct_status add_pairs(struct ct_wires *wires, const struct ct_graph *graph,
                                struct ct_router *router, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (uint32_t v = 0; v < graph->n_vertices && status == CT_OK; v++) {
        for (uint32_t e = graph->first_edge[v]; e < graph->first_edge[v + 1] && status == CT_OK;
             e++) {
            struct ct_cost cost = ct_graph_edge_cost(graph, v, graph->edges[e]);
            status = add_pair(wires, router, &cost, err);
        }
        struct ct_cost cost = ct_graph_finish_cost(graph, v);
        if (status == CT_OK && graph->what[v] & CT_VERTEX_FINAL)
            status = add_pair(wires, router, &cost, err);
    }
    wires->hops.mean =
        router && wires->hops.between > 0 ? wires->sum_switches / (double)wires->hops.between : NAN;
    return status;
}

static enum ct_status check_room(const struct ct_wires_setup *setup, const struct ct_graph *graph,
                                 struct ct_error *err)
{
    const struct ct_topology *topology = setup->topology;
    if (!topology || (uint64_t)topology->n_nodes * setup->ranks_per_node >= graph->n_ranks)
        return CT_OK;
    return ct_fail(err, CT_EINVAL,
                   "%s: %u nodes with %u ranks each have no room for the schedule's %u ranks",
                   topology->name, topology->n_nodes, setup->ranks_per_node, graph->n_ranks);
}

enum ct_status ct_wires_new(const struct ct_wires_setup *setup, const struct ct_graph *graph,
                            struct ct_wires **wires_p, struct ct_error *err)
{
    struct ct_router *router = NULL;
    struct ct_wires *wires = calloc(1, sizeof *wires);
    enum ct_status status = wires ? CT_OK : ct_no_memory(err, "wires");
    if (status == CT_OK)
        status = check_room(setup, graph, err);
    if (status == CT_OK && setup->topology)
        status = ct_router_new(setup->topology, &router, err);
    if (status == CT_OK) {
        wires->setup = *setup;
        status = add_pairs(wires, graph, router, err);
    }
    ct_router_free(router);
    if (status == CT_OK)
        *wires_p = wires;
    else
        ct_wires_free(wires);
    return status;
}

void ct_wires_free(struct ct_wires *wires)
{
    if (!wires)
        return;
    ct_map_free(&wires->number);
    free(wires->paths);
    free(wires->route.hops);
    free(wires);
}

struct ct_wires_hops ct_wires_hops(const struct ct_wires *wires)
{
    return wires->hops;
}

/* ---- costs ---- */

static void get_cost(const void *data, uint32_t from, uint32_t to, struct ct_loggps *origin_p,
                     struct ct_loggps slope_p[CT_FREE_MAX])
{
    const struct ct_wires_plane *plane = data;
    const struct ct_wires_setup *setup = &plane->wires->setup;
    const struct ct_loggps *at = &plane->at;
    double switches = 0, wires = 1, beyond_ns = 0, beyond_ns_per_byte = 0;
    from /= setup->ranks_per_node;
    to /= setup->ranks_per_node;
    for (size_t k = 0; k < CT_FREE_MAX; k++)
        slope_p[k].L_ns = slope_p[k].G_ns_per_byte = 0;
    if (from == to) {
        origin_p->L_ns = setup->L_node_ns;
        origin_p->G_ns_per_byte = setup->G_node_ns_per_byte;
        return;
    }
    uint64_t number = ct_map_get(&plane->wires->number, ct_map_pair(from, to));
    const struct path *path = number != 0 ? &plane->wires->paths[number - 1] : NULL;
    if (path && has_classes(plane->wires)) {
        beyond_ns = ct_path_latency_beyond_ns(plane->by_switches, path->switches);
        beyond_ns_per_byte = ct_path_gap_beyond_ns(plane->by_switches, path->switches);
    } else if (path && setup->adds_links) {
        beyond_ns = path->beyond_ns;
    } else if (path) {
        switches = path->switches;
        wires = switches + 1;
    }
    double latency_ns = at->L_ns, switch_ns = setup->topology ? setup->switch_ns : 0;
    origin_p->G_ns_per_byte = at->G_ns_per_byte + beyond_ns_per_byte;
    for (size_t k = 0; k < CT_FREE_MAX; k++)
        switch (plane->free[k]) {
        case CT_WIRES_LATENCY:
            slope_p[k].L_ns = wires;
            latency_ns = 0;
            break;
        case CT_WIRES_SWITCH:
            slope_p[k].L_ns = switches;
            switch_ns = 0;
            break;
        case CT_WIRES_GAP:
            slope_p[k].G_ns_per_byte = 1;
            origin_p->G_ns_per_byte = beyond_ns_per_byte;
            break;
        case CT_WIRES_SHARE:
        case CT_WIRES_FIXED:
            break;
        }
    origin_p->L_ns = wires * latency_ns + switches * switch_ns + beyond_ns;
    if (plane->free[0] == CT_WIRES_SHARE) {
        slope_p[0].L_ns = origin_p->L_ns;
        origin_p->L_ns = 0;
    }
}

void ct_wires_plane(const struct ct_wires *wires, const struct ct_loggps *at,
                    enum ct_wires_free first, enum ct_wires_free second,
                    struct ct_wires_plane *plane_p)
{
    *plane_p = (struct ct_wires_plane){.plane = {.origin = {.o_ns = at->o_ns}},
                                       .wires = wires,
                                       .by_switches = &wires->setup.by_switches,
                                       .at = *at,
                                       .free = {first, second}};
    plane_p->costs = (struct ct_pair_costs){.get = get_cost, .data = plane_p};
    plane_p->plane.pairs = &plane_p->costs;
}
