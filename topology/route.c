#include "topology/route.h"

#include "core/array.h"
#include "topology/shortest.h"

#include <stdlib.h>

static const double ns_per_s = 1e9;

struct ct_router {
    const struct ct_topology *topology;
    struct ct_distances distances; /* of topologies without a formula */
};

static enum ct_status find_port(struct ct_router *router, uint32_t at, uint32_t to,
                                const struct ct_port **port_p, struct ct_error *err)
{
    const struct ct_topology *topology = router->topology;
    enum ct_status status = CT_OK;
    uint32_t port = 0;
    if (topology->routing)
        port = topology->routing->port(topology, at, to);
    else
        status = ct_shortest_port(&router->distances, at, to, &port, err);
    *port_p = &topology->ports[topology->first_port[at] + port];
    return status;
}

/* Given routes mixed with shortest ones may lead back: no way passes a vertex twice. */
static enum ct_status check_given(struct ct_router *router, struct ct_error *err)
{
    const struct ct_topology *topology = router->topology;
    for (uint32_t i = 0; i < topology->n_given; i++) {
        const struct ct_given_route *route = &topology->given[i];
        uint32_t at = route->at, n = 0;
        while (at != route->to) {
            const struct ct_port *port;
            CT_TRY(find_port(router, at, route->to, &port, err));
            at = port->peer;
            bool ends = at < topology->n_nodes && at != route->to;
            if (ends || ++n > ct_topology_vertices(topology))
                return ct_fail(err, CT_EFORMAT, "%s: line %u: the route from %s to %s %s%s",
                               topology->name, route->line, ct_topology_name(topology, route->at),
                               ct_topology_name(topology, route->to),
                               ends ? "ends at another node, " : "goes round in a circle",
                               ends ? ct_topology_name(topology, at) : "");
        }
    }
    return CT_OK;
}

enum ct_status ct_router_new(const struct ct_topology *topology, struct ct_router **router_p,
                             struct ct_error *err)
{
    struct ct_router *router = calloc(1, sizeof *router);
    enum ct_status status = CT_OK;
    if (router)
        router->topology = topology;
    if (!router || (!topology->routing && !ct_distances_begin(&router->distances, topology)))
        status = ct_no_memory(err, "routes");
    if (status == CT_OK)
        status = check_given(router, err);
    if (status == CT_OK)
        *router_p = router;
    else
        ct_router_free(router);
    return status;
}

void ct_router_free(struct ct_router *router)
{
    if (!router)
        return;
    ct_distances_end(&router->distances);
    free(router);
}

enum ct_status ct_route_find(struct ct_router *router, uint32_t from, uint32_t to,
                             struct ct_route *route, struct ct_error *err)
{
    route->n = 0;
    for (uint32_t at = from; at != to;) {
        const struct ct_port *port;
        CT_TRY(find_port(router, at, to, &port, err));
        if (!CT_ARRAY_RESERVE(route->hops, route->room, route->n + 1))
            return ct_no_memory(err, "routes");
        route->hops[route->n++] = (struct ct_hop){at, port->peer, port->link};
        at = port->peer;
    }
    return CT_OK;
}

enum ct_status ct_route_switches(struct ct_router *router, uint32_t from, uint32_t to,
                                 uint32_t *switches_p, struct ct_error *err)
{
    uint32_t links = 0;
    for (uint32_t at = from; at != to; links++) {
        const struct ct_port *port;
        CT_TRY(find_port(router, at, to, &port, err));
        at = port->peer;
    }
    *switches_p = links > 0 ? links - 1 : 0;
    return CT_OK;
}

/* ---- latencies of links ---- */

double ct_route_links_ns(const struct ct_topology *topology, const struct ct_route *route)
{
    double sum = 0;
    for (size_t i = 0; i < route->n; i++)
        sum += ns_per_s * topology->links[route->hops[i].link].latency_s;
    return sum;
}

enum ct_status ct_route_beyond(const struct ct_topology *topology, const struct ct_route *route,
                               double L_ns, double measured_ns, double *beyond_p,
                               struct ct_error *err)
{
    double beyond_ns = ct_route_links_ns(topology, route) - measured_ns;
    if (L_ns + beyond_ns < 0)
        return ct_fail(
            err, CT_EINVAL,
            "%s: the latency from %s to %s would be %.4g us: its links take %.4g us less than "
            "those of the path that L was measured on",
            topology->name, ct_topology_name(topology, route->hops[0].from),
            ct_topology_name(topology, route->hops[route->n - 1].to), (L_ns + beyond_ns) * 1e-3,
            -beyond_ns * 1e-3);
    *beyond_p = beyond_ns;
    return CT_OK;
}

/* ---- what was measured by the number of switches ---- */

static double find_beyond(const struct ct_path_latencies *latencies, const double *beyond,
                          uint32_t switches)
{
    uint32_t n = latencies->n, i = 1;
    if (n < 2)
        return 0;
    if (switches <= latencies->switches[0])
        return beyond[0];
    while (i + 1 < n && latencies->switches[i] < switches)
        i++;
    double from = latencies->switches[i - 1], to = latencies->switches[i];
    return beyond[i - 1] + (beyond[i] - beyond[i - 1]) * (switches - from) / (to - from);
}

double ct_path_latency_beyond_ns(const struct ct_path_latencies *latencies, uint32_t switches)
{
    return find_beyond(latencies, latencies->beyond_ns, switches);
}

double ct_path_gap_beyond_ns(const struct ct_path_latencies *latencies, uint32_t switches)
{
    return find_beyond(latencies, latencies->beyond_ns_per_byte, switches);
}
