/* Networks of switches. */
#include "libcrosstalk/network.h"
#include "topology/measure.h"
#include "topology/read.h"

#include <math.h>
#include <stdlib.h>

/* Counted in half a second; all of 1024 nodes: as crosstalk topology does. */
enum { PAIRS_MAX = 1100000 };

enum crosstalk_status crosstalk_topology_open(const char *text, double rate_bit_per_s,
                                              double uplink_bit_per_s,
                                              struct crosstalk_topology **topology_p,
                                              struct crosstalk_error *error)
{
    struct ct_error err;
    struct ct_topology_settings settings = ct_topology_defaults();
    struct crosstalk_topology *topology = calloc(1, sizeof *topology);
    settings.rate_bit_per_s = rate_bit_per_s;
    settings.uplink_bit_per_s = uplink_bit_per_s;
    enum ct_status status = topology ? ct_topology_open(text, &settings, &topology->of, &err)
                                     : ct_no_memory(&err, "topology");
    const struct ct_topology *of = topology ? &topology->of : NULL;
    if (status == CT_OK &&
        !(topology->links = calloc(of->n_links + (size_t)1, sizeof *topology->links)))
        status = ct_no_memory(&err, "topology");
    if (status != CT_OK) {
        crosstalk_topology_close(topology);
        return ct_facade_return(status, &err, error);
    }
    for (uint32_t i = 0; i < of->n_links; i++)
        topology->links[i] =
            (struct crosstalk_link){of->links[i].end[0], of->links[i].end[1],
                                    of->links[i].rate_bit_per_s, of->links[i].latency_s};
    *topology_p = topology;
    return CROSSTALK_OK;
}

void crosstalk_topology_close(struct crosstalk_topology *topology)
{
    if (topology) {
        ct_topology_free(&topology->of);
        free(topology->links);
    }
    free(topology);
}

uint32_t crosstalk_topology_nodes(const struct crosstalk_topology *topology)
{
    return topology->of.n_nodes;
}

uint32_t crosstalk_topology_switches(const struct crosstalk_topology *topology)
{
    return topology->of.n_switches;
}

const char *crosstalk_topology_name(const struct crosstalk_topology *topology, uint32_t i)
{
    return ct_topology_name(&topology->of, i);
}

size_t crosstalk_topology_links(const struct crosstalk_topology *topology,
                                const struct crosstalk_link **links_p)
{
    *links_p = topology->links;
    return topology->of.n_links;
}

enum crosstalk_status crosstalk_topology_route(const struct crosstalk_topology *topology,
                                               uint32_t from, uint32_t to, uint32_t **links_p,
                                               size_t *n_p, struct crosstalk_error *error)
{
    struct ct_error err;
    struct ct_route route = {0};
    struct ct_router *router = NULL;
    uint32_t *links = NULL, n_nodes = topology->of.n_nodes;
    enum ct_status status = from < n_nodes && to < n_nodes
                                ? ct_router_new(&topology->of, &router, &err)
                                : ct_fail(&err, CT_EINVAL, "node %u: %s has %u, from 0 on",
                                          from < n_nodes ? to : from, topology->of.name, n_nodes);
    if (status == CT_OK)
        status = ct_route_find(router, from, to, &route, &err);
    if (status == CT_OK && !(links = malloc((route.n + 1) * sizeof *links)))
        status = ct_no_memory(&err, "route");
    for (size_t i = 0; i < route.n && status == CT_OK; i++)
        links[i] = route.hops[i].link;
    if (status == CT_OK) {
        *links_p = links;
        *n_p = route.n;
    }
    free(route.hops);
    ct_router_free(router);
    return ct_facade_return(status, &err, error);
}

static enum ct_status measure_topology(const struct ct_topology *of, struct ct_router *router,
                                       struct crosstalk_distances *distances_p,
                                       struct ct_error *err)
{
    struct ct_hop_counts counts;
    struct ct_bisection bisection;
    CT_TRY(ct_topology_bisect(of, &bisection, err));
    CT_TRY(ct_topology_count_hops(router, of, PAIRS_MAX, &counts, err));
    *distances_p = (struct crosstalk_distances){.mean_switches = counts.mean,
                                                .most_switches = counts.n - 1,
                                                .bisection_links = bisection.links,
                                                .bisection_bit_per_s = bisection.bit_per_s};
    free(counts.pairs);
    return CT_OK;
}

enum crosstalk_status crosstalk_topology_distances(const struct crosstalk_topology *topology,
                                                   struct crosstalk_distances *distances_p,
                                                   struct crosstalk_error *error)
{
    struct ct_error err;
    struct ct_router *router = NULL;
    enum ct_status status = ct_router_new(&topology->of, &router, &err);
    if (status == CT_OK)
        status = measure_topology(&topology->of, router, distances_p, &err);
    ct_router_free(router);
    return ct_facade_return(status, &err, error);
}
