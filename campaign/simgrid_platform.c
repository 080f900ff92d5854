#include "campaign/simgrid_platform.h"

#include "core/file.h"
#include "topology/read.h"
#include "topology/route.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum ct_status ct_simgrid_topology(const struct ct_campaign_launcher *launcher,
                                   struct ct_topology *topology_p, struct ct_error *err)
{
    struct ct_topology_settings settings = ct_topology_defaults();
    bool is_switch = *launcher->topology == '\0';
    settings.rate_bit_per_s = launcher->rate_bit_per_s;
    settings.wire_s = launcher->latency_s;
    settings.spines = (uint32_t)launcher->spines;
    if (is_switch)
        settings.n_nodes = (uint32_t)launcher->hosts;
    if (launcher->has_uplink)
        settings.uplink_bit_per_s = launcher->uplink_bit_per_s;
    enum ct_status status =
        ct_topology_open(is_switch ? "switch" : launcher->topology, &settings, topology_p, err);
    return status == CT_OK
               ? CT_OK
               : ct_fail_within(err, status == CT_EUSAGE ? CT_EINVAL : status, "launcher.topology");
}

void ct_simgrid_host_name(const struct ct_topology *topology, uint32_t node, char text[CT_HOST_MAX])
{
    if (topology->line)
        snprintf(text, CT_HOST_MAX, "%s", ct_topology_name(topology, node));
    else
        snprintf(text, CT_HOST_MAX, "h%u", node + 1);
}

/* A host or a switch, in the names of links. */
static void name_vertex(const struct ct_topology *topology, uint32_t v, char text[CT_HOST_MAX])
{
    if (v < topology->n_nodes)
        ct_simgrid_host_name(topology, v, text);
    else
        snprintf(text, CT_HOST_MAX, "%s", ct_topology_name(topology, v));
}

static void write_link(FILE *out, const struct ct_topology *topology, uint32_t from, uint32_t to,
                       const struct ct_link *link)
{
    char names[2][CT_HOST_MAX];
    name_vertex(topology, from, names[0]);
    name_vertex(topology, to, names[1]);
    fprintf(out, "<link id=\"%s-%s-%u\" bandwidth=\"%.9gBps\" latency=\"%.9gs\"/>\n", names[0],
            names[1], (unsigned)(link - topology->links), link->rate_bit_per_s / 8,
            link->latency_s);
}

static enum ct_status write_links(FILE *out, const struct ct_topology *topology,
                                  struct ct_error *err)
{
    for (uint32_t i = 0; i < topology->n_links; i++) {
        const struct ct_link *link = &topology->links[i];
        if (!(link->rate_bit_per_s > 0) || !(link->latency_s >= 0))
            return ct_fail(err, CT_EINVAL, "%s: a link without a rate or without a latency",
                           topology->name);
        write_link(out, topology, link->end[0], link->end[1], link);
        write_link(out, topology, link->end[1], link->end[0], link);
    }
    return CT_OK;
}

static void write_route(FILE *out, const struct ct_topology *topology, uint32_t from, uint32_t to,
                        const struct ct_route *route)
{
    char names[2][CT_HOST_MAX];
    name_vertex(topology, from, names[0]);
    name_vertex(topology, to, names[1]);
    fprintf(out, "<route src=\"%s\" dst=\"%s\" symmetrical=\"NO\">", names[0], names[1]);
    for (size_t i = 0; i < route->n; i++) {
        name_vertex(topology, route->hops[i].from, names[0]);
        name_vertex(topology, route->hops[i].to, names[1]);
        fprintf(out, "<link_ctn id=\"%s-%s-%u\"/>", names[0], names[1], route->hops[i].link);
    }
    fputs("</route>\n", out);
}

static enum ct_status write_routes(FILE *out, const struct ct_topology *topology,
                                   struct ct_error *err)
{
    struct ct_router *router;
    struct ct_route route = {0};
    enum ct_status status = ct_router_new(topology, &router, err);
    if (status != CT_OK)
        return status;
    for (uint32_t from = 0; from < topology->n_nodes && status == CT_OK; from++)
        for (uint32_t to = 0; to < topology->n_nodes && status == CT_OK; to++) {
            if (from == to)
                continue;
            status = ct_route_find(router, from, to, &route, err);
            if (status == CT_OK)
                write_route(out, topology, from, to, &route);
        }
    free(route.hops);
    ct_router_free(router);
    return status;
}

static enum ct_status write_platform(FILE *out, const void *data, struct ct_error *err)
{
    const struct ct_topology *topology = data;
    fputs("<?xml version='1.0'?>\n"
          "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
          "<platform version=\"4.1\"><zone id=\"network\" routing=\"Full\">\n",
          out);
    for (uint32_t v = 0; v < topology->n_nodes; v++) {
        char name[CT_HOST_MAX];
        ct_simgrid_host_name(topology, v, name);
        fprintf(out, "<host id=\"%s\" speed=\"1Gf\"/>\n", name);
    }
    enum ct_status status = write_links(out, topology, err);
    if (status == CT_OK)
        status = write_routes(out, topology, err);
    fputs("</zone></platform>\n", out);
    return status;
}

enum ct_status ct_simgrid_platform_write(const struct ct_topology *topology, const char *path,
                                         struct ct_error *err)
{
    return ct_file_make(path, write_platform, topology, err);
}
