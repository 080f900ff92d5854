#include "topology/simgrid.h"

#include <stdlib.h>

struct platform {
    const struct ct_topology *topology;
    const char *prefix;
    FILE *out;
    bool is_plain; /* no XML: characters stand for themselves */
};

/* Within an attribute in double quotes. */
static void print_escaped(const char *text, FILE *out)
{
    for (; *text; text++)
        switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc(*text, out);
        }
}

static void print_vertex(const struct platform *platform, uint32_t v)
{
    if (platform->prefix && v < platform->topology->n_nodes)
        fprintf(platform->out, "%s%u", platform->prefix, v + 1);
    else if (platform->is_plain)
        fputs(ct_topology_name(platform->topology, v), platform->out);
    else
        print_escaped(ct_topology_name(platform->topology, v), platform->out);
}

/* One direction of a link. */
static void print_link_name(const struct platform *platform, const struct ct_hop *hop)
{
    print_vertex(platform, hop->from);
    fputc('-', platform->out);
    print_vertex(platform, hop->to);
    fprintf(platform->out, "-%u", hop->link);
}

enum ct_status ct_topology_simgrid_check(const struct ct_topology *topology, struct ct_error *err)
{
    for (uint32_t i = 0; i < topology->n_links; i++) {
        const struct ct_link *link = &topology->links[i];
        bool has_rate = link->rate_bit_per_s > 0;
        if (!has_rate || !(link->latency_s >= 0))
            return ct_fail(err, CT_EINVAL,
                           "%s: the link from %s to %s has no %s, which SimGrid needs: give %s",
                           topology->name, ct_topology_name(topology, link->end[0]),
                           ct_topology_name(topology, link->end[1]), has_rate ? "latency" : "rate",
                           has_rate ? "--wire" : "--rate");
    }
    return CT_OK;
}

static void print_links(const struct platform *platform)
{
    for (uint32_t i = 0; i < platform->topology->n_links; i++) {
        const struct ct_link *link = &platform->topology->links[i];
        for (int d = 0; d < 2; d++) {
            const struct ct_hop hop = {link->end[d], link->end[1 - d], i};
            fputs("<link id=\"", platform->out);
            print_link_name(platform, &hop);
            fprintf(platform->out, "\" bandwidth=\"%.9gBps\" latency=\"%.9gs\"/>\n",
                    link->rate_bit_per_s / 8, link->latency_s);
        }
    }
}

static void print_route(const struct platform *platform, uint32_t from, uint32_t to,
                        const struct ct_route *route)
{
    fputs("<route src=\"", platform->out);
    print_vertex(platform, from);
    fputs("\" dst=\"", platform->out);
    print_vertex(platform, to);
    fputs("\" symmetrical=\"NO\">", platform->out);
    for (size_t i = 0; i < route->n; i++) {
        fputs("<link_ctn id=\"", platform->out);
        print_link_name(platform, &route->hops[i]);
        fputs("\"/>", platform->out);
    }
    fputs("</route>\n", platform->out);
}

/* By destination, for which routers keep distances. */
static enum ct_status print_routes(const struct platform *platform, struct ct_error *err)
{
    struct ct_router *router;
    struct ct_route route = {0};
    CT_TRY(ct_router_new(platform->topology, &router, err));
    enum ct_status status = CT_OK;
    for (uint32_t to = 0; to < platform->topology->n_nodes && status == CT_OK; to++)
        for (uint32_t from = 0; from < platform->topology->n_nodes && status == CT_OK; from++) {
            if (from == to)
                continue;
            status = ct_route_find(router, from, to, &route, err);
            if (status == CT_OK)
                print_route(platform, from, to, &route);
        }
    free(route.hops);
    ct_router_free(router);
    return status;
}

enum ct_status ct_topology_simgrid(const struct ct_topology *topology, const char *prefix,
                                   FILE *out, struct ct_error *err)
{
    const struct platform platform = {topology, prefix, out, false};
    if (topology->n_nodes > CT_SIMGRID_NODES_MAX)
        return ct_fail(err, CT_EINVAL,
                       "%s: %u nodes; a platform has a route for each pair of at most %d",
                       topology->name, topology->n_nodes, CT_SIMGRID_NODES_MAX);
    CT_TRY(ct_topology_simgrid_check(topology, err));
    fputs("<?xml version='1.0'?>\n"
          "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
          "<platform version=\"4.1\">\n<zone id=\"network\" routing=\"Full\">\n",
          out);
    for (uint32_t v = 0; v < topology->n_nodes; v++) {
        fputs("<host id=\"", out);
        print_vertex(&platform, v);
        fputs("\" speed=\"1Gf\"/>\n", out);
    }
    print_links(&platform);
    enum ct_status status = print_routes(&platform, err);
    fputs("</zone>\n</platform>\n", out);
    return status;
}

char *ct_topology_simgrid_link(const struct ct_topology *topology, const char *prefix,
                               const struct ct_hop *hop)
{
    char *name = NULL;
    size_t size;
    FILE *out = open_memstream(&name, &size);
    if (!out)
        return NULL;
    const struct platform platform = {topology, prefix, out, true};
    print_link_name(&platform, hop);
    bool good = !ferror(out);
    if (fclose(out) == 0 && good)
        return name;
    free(name);
    return NULL;
}
