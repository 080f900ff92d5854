#include "cli/link_latency.h"

#include "core/argv.h"
#include "results/run.h"
#include "topology/route.h"

#include <math.h>
#include <stdlib.h>

static enum ct_status find_links_ns(struct ct_router *router, const struct ct_topology *topology,
                                    uint32_t from, uint32_t to, double *ns_p, struct ct_error *err)
{
    struct ct_route route = {0};
    enum ct_status status = ct_route_find(router, from, to, &route, err);
    if (status == CT_OK)
        *ns_p = ct_route_links_ns(topology, &route);
    free(route.hops);
    return status;
}

/* The two hosts of a run of logpb, if they are nodes. */
static bool find_measured(const struct ct_topology *topology, const char *logp_path,
                          uint32_t nodes[2])
{
    struct ct_run_info info;
    struct ct_argv hosts = {0};
    if (!logp_path || ct_run_read_info(logp_path, &info, NULL) != CT_OK)
        return false;
    bool found = ct_argv_split(&hosts, info.hosts, NULL) == CT_OK && hosts.n == 2;
    for (size_t i = 0; i < 2 && found; i++)
        found = ct_topology_find_host(topology, hosts.item[i], &nodes[i]);
    ct_argv_free(&hosts);
    ct_run_info_free(&info);
    return found && nodes[0] != nodes[1];
}

/* What is looked at for the path that was measured. */
struct nearest {
    const struct ct_topology *topology;
    struct ct_router *router;
    uint32_t from, to;
    double ns; /* INFINITY: none yet */
};

static enum ct_status try_node(struct nearest *nearest, uint32_t to, struct ct_error *err)
{
    double ns;
    if (to == nearest->from || to >= nearest->topology->n_nodes)
        return CT_OK;
    CT_TRY(find_links_ns(nearest->router, nearest->topology, nearest->from, to, &ns, err));
    if (ns < nearest->ns) {
        nearest->ns = ns;
        nearest->to = to;
    }
    return CT_OK;
}

/* From the first node in use to the nearest on a switch of it, or else in use: people measure L
 * between neighbours. */
static enum ct_status assume_measured(const struct ct_link_latency_request *request,
                                      struct ct_router *router, uint32_t measured[2],
                                      struct ct_error *err)
{
    const struct ct_topology *topology = request->topology;
    struct nearest nearest = {topology, router, request->nodes[0], 0, INFINITY};
    uint32_t end = topology->first_port[nearest.from + 1];
    enum ct_status status = CT_OK;
    for (uint32_t p = topology->first_port[nearest.from]; p < end; p++) {
        uint32_t at = topology->ports[p].peer;
        for (uint32_t q = topology->first_port[at];
             q < topology->first_port[at + 1] && status == CT_OK; q++)
            status = try_node(&nearest, topology->ports[q].peer, err);
    }
    for (uint32_t i = 1; i < request->n_nodes && status == CT_OK && isinf(nearest.ns); i++)
        status = try_node(&nearest, request->nodes[i], err);
    measured[0] = nearest.from;
    measured[1] = nearest.to;
    return status;
}

static enum ct_status find_path(const struct ct_link_latency_request *request,
                                struct ct_link_latency *latency, struct ct_error *err)
{
    struct ct_router *router;
    CT_TRY(ct_router_new(request->topology, &router, err));
    latency->is_known = find_measured(request->topology, request->logp_path, latency->measured);
    enum ct_status status = CT_OK;
    if (!latency->is_known)
        status = assume_measured(request, router, latency->measured, err);
    if (status == CT_OK)
        status = find_links_ns(router, request->topology, latency->measured[0],
                               latency->measured[1], &latency->measured_ns, err);
    ct_router_free(router);
    return status;
}

enum ct_status ct_link_latency_find(const struct ct_link_latency_request *request,
                                    struct ct_link_latency *latency_p, struct ct_error *err)
{
    const struct ct_topology *topology = request->topology;
    struct ct_link_latency latency = {.adds_links = false};
    enum ct_status status = CT_OK;
    uint32_t n_own = 0;
    /* Links that a file has no latency of have that of --wire. */
    for (uint32_t i = 0; i < topology->n_links; i++) {
        double s = topology->links[i].latency_s;
        n_own += !isnan(s) && s != request->wire_s;
        latency.n_unknown += isnan(s) ? 1 : 0;
    }
    if (n_own == 0 || !topology->line || request->n_nodes < 2)
        latency.n_unknown = 0;
    else if (request->is_measured) {
        latency.n_unknown = 0;
        latency.is_measured = true;
    } else
        latency.adds_links = latency.n_unknown == 0;
    if (latency.adds_links && isnan(request->wire_s))
        status = find_path(request, &latency, err);
    if (status == CT_OK)
        *latency_p = latency;
    return status;
}

void ct_link_latency_note(const struct ct_link_latency *latency, const struct ct_topology *topology,
                          struct ct_tables *tables)
{
    if (latency->is_measured)
        ct_tables_note(tables,
                       "The latencies of links in %s are not used: L was measured by the switches "
                       "on a path.",
                       topology->name);
    else if (latency->n_unknown > 0)
        ct_tables_note(
            tables,
            "%u links of %s have no latency: those of the others are not used. --wire is "
            "the latency of links that have none.",
            latency->n_unknown, topology->name);
    else if (latency->adds_links)
        ct_tables_note(tables,
                       "L of two nodes is the one given, plus the latencies of the links between "
                       "them in %s, less %.4g us, those of the path that L was measured on: %s to "
                       "%s%s.",
                       topology->name, latency->measured_ns * 1e-3,
                       ct_topology_name(topology, latency->measured[0]),
                       ct_topology_name(topology, latency->measured[1]),
                       latency->is_known ? ", the hosts of --logp" : ", assumed: two neighbours");
}

bool ct_link_latency_is_given(const struct ct_topology *topology)
{
    uint32_t i = 0;
    while (i < topology->n_links && isnan(topology->links[i].latency_s))
        i++;
    return i < topology->n_links;
}

void ct_link_latency_unused_note(const char *name, struct ct_tables *tables)
{
    ct_tables_note(tables,
                   "The latencies of links in %s are not used here: each wire takes the same time. "
                   "'crosstalk simulate --topology' uses them, and 'crosstalk tolerance "
                   "--topology' without --wire.",
                   name);
}
