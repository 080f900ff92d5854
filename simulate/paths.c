#include "simulate/paths.h"

#include "core/array.h"
#include "topology/route.h"

#include <math.h>
#include <stdlib.h>

static enum ct_status no_memory(struct ct_error *err)
{
    return ct_fail(err, CT_ENOMEM, "paths: out of memory");
}

static enum ct_status check(uint32_t n_nodes, double ns_per_byte, struct ct_error *err)
{
    if (n_nodes < 1 || n_nodes > CT_SIMULATE_NODES_MAX)
        return ct_fail(err, CT_EINVAL, "links: %u nodes; 1 to %d", n_nodes, CT_SIMULATE_NODES_MAX);
    if (!(ns_per_byte > 0) || !isfinite(ns_per_byte))
        return ct_fail(err, CT_EINVAL, "links: %g ns a byte, which must be above 0 and finite",
                       ns_per_byte);
    return CT_OK;
}

enum ct_status ct_simulate_paths_of_switch(uint32_t n_nodes, double ns_per_byte,
                                           struct ct_simulate_paths *paths_p, struct ct_error *err)
{
    enum ct_status status = check(n_nodes, ns_per_byte, err);
    if (status != CT_OK)
        return status;
    size_t n_pairs = (size_t)n_nodes * n_nodes;
    struct ct_simulate_paths paths = {.n_nodes = n_nodes,
                                      .n_links = 2 * n_nodes,
                                      .ns_per_byte = malloc(2 * (size_t)n_nodes * sizeof(double)),
                                      .first_hop = malloc((n_pairs + 1) * sizeof(uint32_t)),
                                      .hops = malloc(2 * n_pairs * sizeof(uint32_t)),
                                      .most_hops = 2,
                                      .wire_ns = NAN,
                                      .switch_ns = NAN};
    if (!paths.ns_per_byte || !paths.first_hop || !paths.hops) {
        ct_simulate_paths_free(&paths);
        return no_memory(err);
    }
    for (uint32_t i = 0; i < paths.n_links; i++)
        paths.ns_per_byte[i] = ns_per_byte;
    uint32_t n = 0;
    for (size_t pair = 0; pair < n_pairs; pair++) {
        uint32_t from = (uint32_t)(pair / n_nodes), to = (uint32_t)(pair % n_nodes);
        paths.first_hop[pair] = n;
        if (from == to)
            continue;
        paths.hops[n++] = from;
        paths.hops[n++] = n_nodes + to;
    }
    paths.first_hop[n_pairs] = n;
    *paths_p = paths;
    return CT_OK;
}

/* ---- of a topology ---- */

/* Hops are directions of links of the topology at first: 2 link + end that they leave. */
struct maker {
    const struct ct_simulate_paths_setup *setup;
    struct ct_simulate_paths *paths;
    uint32_t n_hops, room_hops;
    uint32_t *number; /* [2 n_links of the topology]: 1 + that of a direction; 0: no path has it */
};

static enum ct_status take_route(struct maker *maker, const struct ct_route *route,
                                 struct ct_error *err)
{
    const struct ct_topology *topology = maker->setup->topology;
    struct ct_simulate_paths *paths = maker->paths;
    if (route->n < 2)
        return ct_fail(err, CT_EINVAL, "links: nodes %s and %s are joined without a switch",
                       ct_topology_name(topology, route->hops[0].from),
                       ct_topology_name(topology, route->hops[0].to));
    if (!CT_ARRAY_RESERVE(paths->hops, maker->room_hops, maker->n_hops + (size_t)route->n))
        return no_memory(err);
    for (size_t i = 0; i < route->n; i++) {
        const struct ct_hop *hop = &route->hops[i];
        uint32_t way = 2 * hop->link + (topology->links[hop->link].end[0] != hop->from);
        paths->hops[maker->n_hops++] = way;
        maker->number[way] = 1;
    }
    if (route->n > paths->most_hops)
        paths->most_hops = (uint32_t)route->n;
    return CT_OK;
}

static enum ct_status take_routes(struct maker *maker, struct ct_error *err)
{
    const struct ct_simulate_paths_setup *setup = maker->setup;
    struct ct_simulate_paths *paths = maker->paths;
    struct ct_router *router;
    struct ct_route route = {0};
    enum ct_status status = ct_router_new(setup->topology, &router, err);
    if (status != CT_OK)
        return status;
    /* Destination by destination, since a router keeps distances to the last few. */
    uint32_t n = setup->n_nodes;
    for (uint32_t to = 0; to < n && status == CT_OK; to++)
        for (uint32_t from = 0; from < n && status == CT_OK; from++) {
            paths->first_hop[(size_t)to * n + from] = maker->n_hops;
            if (from == to)
                continue;
            status = ct_route_find(router, setup->nodes[from], setup->nodes[to], &route, err);
            if (status == CT_OK)
                status = take_route(maker, &route, err);
        }
    paths->first_hop[(size_t)n * n] = maker->n_hops;
    free(route.hops);
    ct_router_free(router);
    return status;
}

/* From the order of destinations to that of sources. */
static enum ct_status sort_routes(struct maker *maker, struct ct_error *err)
{
    struct ct_simulate_paths *paths = maker->paths;
    size_t n = paths->n_nodes, at = 0;
    uint32_t *hops = malloc((maker->n_hops + (size_t)1) * sizeof *hops);
    uint32_t *first_hop = malloc((n * n + 1) * sizeof *first_hop);
    if (!hops || !first_hop) {
        free(hops);
        free(first_hop);
        return no_memory(err);
    }
    for (size_t from = 0; from < n; from++)
        for (size_t to = 0; to < n; to++) {
            first_hop[from * n + to] = (uint32_t)at;
            for (uint32_t i = paths->first_hop[to * n + from];
                 i < paths->first_hop[to * n + from + 1]; i++)
                hops[at++] = maker->number[paths->hops[i]] - 1;
        }
    first_hop[n * n] = (uint32_t)at;
    free(paths->hops);
    free(paths->first_hop);
    paths->hops = hops;
    paths->first_hop = first_hop;
    return CT_OK;
}

static bool joins_switches(const struct ct_topology *topology, uint32_t link)
{
    const uint32_t *end = topology->links[link].end;
    return end[0] >= topology->n_nodes && end[1] >= topology->n_nodes;
}

/* The links that paths have, those of nodes first. */
static enum ct_status number_links(struct maker *maker, struct ct_error *err)
{
    const struct ct_topology *topology = maker->setup->topology;
    struct ct_simulate_paths *paths = maker->paths;
    for (uint32_t way = 0; way < 2 * topology->n_links; way++)
        if (maker->number[way] > 0) {
            paths->n_links++;
            paths->n_between += joins_switches(topology, way / 2);
        }
    paths->link = calloc(paths->n_links + (size_t)1, sizeof *paths->link);
    if (!paths->link)
        return no_memory(err);
    uint32_t of_node = 0, between = paths->n_links - paths->n_between;
    for (uint32_t way = 0; way < 2 * topology->n_links; way++)
        if (maker->number[way] > 0) {
            uint32_t number = joins_switches(topology, way / 2) ? between++ : of_node++;
            maker->number[way] = 1 + number;
            paths->link[number] = way;
        }
    return CT_OK;
}

static enum ct_status rate_links(const struct maker *maker, struct ct_error *err)
{
    const struct ct_topology *topology = maker->setup->topology;
    struct ct_simulate_paths *paths = maker->paths;
    double of_node = INFINITY;
    uint32_t n_known = 0;
    paths->ns_per_byte = malloc((paths->n_links + (size_t)1) * sizeof *paths->ns_per_byte);
    if (!paths->ns_per_byte)
        return no_memory(err);
    for (uint32_t i = 0; i < paths->n_links; i++) {
        const struct ct_link *link = &topology->links[paths->link[i] / 2];
        n_known += isnan(link->rate_bit_per_s) ? 0 : 1;
        if (i < paths->n_links - paths->n_between)
            of_node = fmin(of_node, link->rate_bit_per_s);
    }
    for (uint32_t i = 0; i < paths->n_links; i++) {
        const struct ct_link *link = &topology->links[paths->link[i] / 2];
        paths->ns_per_byte[i] = maker->setup->ns_per_byte;
        if (n_known == 0)
            continue;
        if (!(link->rate_bit_per_s > 0) || isinf(link->rate_bit_per_s))
            return ct_fail(err, CT_EINVAL,
                           "%s: the rate of the link between %s and %s is not known, but that of "
                           "others is: give --rate, or --uplink",
                           topology->name, ct_topology_name(topology, link->end[0]),
                           ct_topology_name(topology, link->end[1]));
        paths->ns_per_byte[i] *= of_node / link->rate_bit_per_s;
    }
    return CT_OK;
}

enum ct_status ct_simulate_paths_of_topology(const struct ct_simulate_paths_setup *setup,
                                             struct ct_simulate_paths *paths_p,
                                             struct ct_error *err)
{
    enum ct_status status = check(setup->n_nodes, setup->ns_per_byte, err);
    if (status != CT_OK)
        return status;
    size_t n_ways = 2 * (size_t)setup->topology->n_links;
    struct ct_simulate_paths paths = {
        .n_nodes = setup->n_nodes,
        .first_hop = malloc(((size_t)setup->n_nodes * setup->n_nodes + 1) * sizeof(uint32_t)),
        .wire_ns = setup->wire_ns,
        .switch_ns = setup->switch_ns};
    struct maker maker = {setup, &paths, 0, 0, calloc(n_ways + 1, sizeof(uint32_t))};
    if (!paths.first_hop || !maker.number)
        status = no_memory(err);
    if (status == CT_OK)
        status = take_routes(&maker, err);
    if (status == CT_OK)
        status = number_links(&maker, err);
    if (status == CT_OK)
        status = sort_routes(&maker, err);
    if (status == CT_OK)
        status = rate_links(&maker, err);
    free(maker.number);
    if (status == CT_OK)
        *paths_p = paths;
    else
        ct_simulate_paths_free(&paths);
    return status;
}

double ct_simulate_paths_latency_ns(const struct ct_simulate_paths *paths, uint32_t from,
                                    uint32_t to)
{
    const uint32_t *first = &paths->first_hop[(size_t)from * paths->n_nodes + to];
    double links = first[1] - first[0];
    return links * paths->wire_ns + (links - 1) * paths->switch_ns;
}

void ct_simulate_paths_free(struct ct_simulate_paths *paths)
{
    free(paths->ns_per_byte);
    free(paths->first_hop);
    free(paths->hops);
    free(paths->link);
    *paths = (struct ct_simulate_paths){0};
}
