#include "simulate/routes.h"

#include "core/array.h"
#include "core/map.h"

#include <math.h>
#include <stdlib.h>

/* The path of a pair, as it is kept. */
struct kept {
    uint32_t first, n;
    double more_ns; /* of its links, beyond the path that was measured, and of their changes */
    double lost_frac;
};

struct ct_routes {
    struct ct_simulate_network_setup setup;
    struct ct_router *router; /* NULL: one switch */
    struct ct_route route;    /* the last one */
    struct ct_map number;     /* of the path of a pair */
    struct kept *paths;
    uint32_t n_paths, room_paths;
    uint32_t *ways;
    uint32_t n_ways, room_ways;
    double *ns_per_byte; /* [way]; NULL: one switch */
};

/* ---- rates ---- */

static bool is_between(const struct ct_topology *topology, const struct ct_link *link)
{
    return link->end[0] >= topology->n_nodes && link->end[1] >= topology->n_nodes;
}

/* The lowest rate of the links of nodes, and of those between switches; NaN: none is known. */
static enum ct_status find_slowest(const struct ct_topology *topology, double slowest[2],
                                   struct ct_error *err)
{
    uint32_t n_known = 0;
    slowest[0] = slowest[1] = NAN;
    for (uint32_t i = 0; i < topology->n_links; i++) {
        const struct ct_link *link = &topology->links[i];
        double *of = &slowest[is_between(topology, link)];
        n_known += link->rate_bit_per_s > 0 && isfinite(link->rate_bit_per_s);
        *of = fmin(*of, link->rate_bit_per_s);
    }
    if (n_known > 0 && n_known < topology->n_links)
        return ct_fail(err, CT_EINVAL,
                       "%s: the rates of some links are known, and those of others are not: give "
                       "--rate, or --uplink",
                       topology->name);
    return CT_OK;
}

static enum ct_status change_ways(struct ct_routes *routes, struct ct_error *err)
{
    const struct ct_simulate_network_setup *setup = &routes->setup;
    for (size_t i = 0; i < setup->n_changes; i++) {
        const struct ct_way_change *change = &setup->changes[i];
        if (change->way >= 2 * setup->topology->n_links || !(change->slower > 0) ||
            !isfinite(change->slower) || !(change->later_ns >= 0) || !isfinite(change->later_ns) ||
            !(change->lost_frac >= 0 && change->lost_frac < 1))
            return ct_fail(err, CT_EINVAL,
                           "%s: way %u of %u, %g times as slow, %g ns later, %g lost: the first "
                           "must be one of them, the second above 0, the third not below 0, the "
                           "fourth below 1",
                           setup->topology->name, change->way, 2 * setup->topology->n_links,
                           change->slower, change->later_ns, change->lost_frac);
        routes->ns_per_byte[change->way] *= change->slower;
    }
    return CT_OK;
}

static enum ct_status rate_ways(struct ct_routes *routes, struct ct_error *err)
{
    const struct ct_simulate_network_setup *setup = &routes->setup;
    const struct ct_topology *topology = setup->topology;
    double slowest[2];
    CT_TRY(find_slowest(topology, slowest, err));
    routes->ns_per_byte = malloc((2 * (size_t)topology->n_links + 1) * sizeof(double));
    if (!routes->ns_per_byte)
        return ct_no_memory(err, "routes");
    for (uint32_t i = 0; i < topology->n_links; i++) {
        const struct ct_link *link = &topology->links[i];
        bool own = is_between(topology, link) && !isnan(setup->link_ns_per_byte);
        double ns_per_byte = own ? setup->link_ns_per_byte : setup->injection_ns_per_byte;
        if (!isnan(link->rate_bit_per_s))
            ns_per_byte *= slowest[own] / link->rate_bit_per_s;
        routes->ns_per_byte[2 * i] = routes->ns_per_byte[2 * i + 1] = ns_per_byte;
    }
    return change_ways(routes, err);
}

enum ct_status ct_routes_new(const struct ct_simulate_network_setup *setup,
                             struct ct_routes **routes_p, struct ct_error *err)
{
    struct ct_routes *routes = malloc(sizeof *routes);
    if (!routes)
        return ct_no_memory(err, "routes");
    *routes = (struct ct_routes){.setup = *setup};
    enum ct_status status = CT_OK;
    if (setup->topology)
        status = ct_router_new(setup->topology, &routes->router, err);
    if (status == CT_OK && setup->topology)
        status = rate_ways(routes, err);
    if (status == CT_OK)
        *routes_p = routes;
    else
        ct_routes_free(routes);
    return status;
}

void ct_routes_free(struct ct_routes *routes)
{
    if (!routes)
        return;
    ct_router_free(routes->router);
    free(routes->route.hops);
    ct_map_free(&routes->number);
    free(routes->paths);
    free(routes->ways);
    free(routes->ns_per_byte);
    free(routes);
}

uint32_t ct_routes_n_ways(const struct ct_routes *routes)
{
    const struct ct_topology *topology = routes->setup.topology;
    return 2 * (topology ? topology->n_links : routes->setup.n_nodes);
}

double ct_routes_ns_per_byte(const struct ct_routes *routes, uint32_t way)
{
    return routes->ns_per_byte ? routes->ns_per_byte[way] : routes->setup.injection_ns_per_byte;
}

uint32_t ct_routes_reverse(const struct ct_routes *routes, uint32_t way)
{
    uint32_t n_nodes = routes->setup.n_nodes;
    if (routes->setup.topology)
        return way ^ 1;
    return way < n_nodes ? way + n_nodes : way - n_nodes;
}

const uint32_t *ct_routes_ways(const struct ct_routes *routes)
{
    return routes->router ? routes->ways : NULL;
}

double ct_routes_slowest_ns_per_byte(const struct ct_routes *routes, const struct ct_path *path)
{
    const uint32_t *ways = ct_routes_ways(routes);
    double slowest = 0;
    if (!ways)
        return routes->setup.injection_ns_per_byte;
    for (uint32_t i = 0; i < path->n; i++)
        slowest = fmax(slowest, routes->ns_per_byte[ways[path->first + i]]);
    return slowest;
}

/* ---- paths ---- */

static double latency_ns(const struct ct_routes *routes, uint32_t n)
{
    const struct ct_simulate_network_setup *setup = &routes->setup;
    return isnan(setup->latency_ns)
               ? n * setup->wire_ns + (n - 1) * setup->switch_ns
               : fmax(setup->latency_ns + ct_path_latency_beyond_ns(&setup->by_switches, n - 1), 0);
}

/* What the changes of a way add to a path by it. */
static void add_changes(const struct ct_simulate_network_setup *setup, uint32_t way,
                        struct kept *kept)
{
    for (size_t i = 0; i < setup->n_changes; i++)
        if (setup->changes[i].way == way) {
            kept->more_ns += setup->changes[i].later_ns;
            kept->lost_frac += (1 - kept->lost_frac) * setup->changes[i].lost_frac;
        }
}

static enum ct_status add_path(struct ct_routes *routes, uint32_t from, uint32_t to,
                               struct ct_error *err)
{
    const struct ct_topology *topology = routes->setup.topology;
    const uint32_t *nodes = routes->setup.nodes;
    CT_TRY(ct_route_find(routes->router, nodes[from], nodes[to], &routes->route, err));
    uint32_t n = (uint32_t)routes->route.n;
    if (n < 2)
        return ct_fail(err, CT_EINVAL,
                       "%s: %s and %s are joined by a link without a switch, or are one node",
                       topology->name, ct_topology_name(topology, nodes[from]),
                       ct_topology_name(topology, nodes[to]));
    if (!CT_ARRAY_RESERVE(routes->paths, routes->room_paths, routes->n_paths + (size_t)1) ||
        !CT_ARRAY_RESERVE(routes->ways, routes->room_ways, routes->n_ways + (size_t)n))
        return ct_no_memory(err, "routes");
    struct kept kept = {routes->n_ways, n, 0, 0};
    if (routes->setup.adds_links)
        CT_TRY(ct_route_beyond(topology, &routes->route, latency_ns(routes, n),
                               routes->setup.measured_ns, &kept.more_ns, err));
    for (uint32_t i = 0; i < n; i++) {
        const struct ct_hop *hop = &routes->route.hops[i];
        uint32_t way = 2 * hop->link + (topology->links[hop->link].end[0] == hop->from ? 0 : 1);
        add_changes(&routes->setup, way, &kept);
        routes->ways[routes->n_ways++] = way;
    }
    routes->paths[routes->n_paths++] = kept;
    return CT_OK;
}

static enum ct_status find_in_topology(struct ct_routes *routes, uint32_t from, uint32_t to,
                                       struct ct_path *path_p, struct ct_error *err)
{
    uint32_t number;
    if (!ct_map_number(&routes->number, ct_map_pair(from, to), &number))
        return ct_no_memory(err, "routes");
    if (number == routes->n_paths)
        CT_TRY(add_path(routes, from, to, err));
    const struct kept *path = &routes->paths[number];
    *path_p = (struct ct_path){.first = path->first,
                               .last = routes->ways[path->first + path->n - 1],
                               .n = path->n,
                               .latency_ns = latency_ns(routes, path->n) + path->more_ns,
                               .lost_frac = path->lost_frac};
    return CT_OK;
}

enum ct_status ct_routes_find(struct ct_routes *routes, uint32_t from, uint32_t to,
                              struct ct_path *path_p, struct ct_error *err)
{
    if (routes->router)
        return find_in_topology(routes, from, to, path_p, err);
    *path_p = (struct ct_path){.first = from,
                               .last = routes->setup.n_nodes + to,
                               .n = 2,
                               .latency_ns = latency_ns(routes, 2)};
    return CT_OK;
}

enum ct_status ct_routes_latency_ns(struct ct_routes *routes, uint32_t from, uint32_t to,
                                    double *latency_p, struct ct_error *err)
{
    struct ct_path path = {.latency_ns = 0};
    CT_TRY(ct_routes_find(routes, from, to, &path, err));
    *latency_p = path.latency_ns;
    return CT_OK;
}
