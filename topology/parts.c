#include "topology/parts.h"

#include "topology/builder.h"

#include <stdlib.h>
#include <string.h>

enum { NO_PART = UINT32_MAX };

/* Everything that links join to a node. */
static void spread_part(const struct ct_topology *topology, uint32_t node, uint32_t number,
                        uint32_t *part, uint32_t *queue)
{
    uint32_t end = 0;
    part[node] = number;
    queue[end++] = node;
    for (uint32_t i = 0; i < end; i++)
        for (uint32_t p = topology->first_port[queue[i]]; p < topology->first_port[queue[i] + 1];
             p++) {
            uint32_t peer = topology->ports[p].peer;
            if (part[peer] != NO_PART)
                continue;
            part[peer] = number;
            queue[end++] = peer;
        }
}

/* What makes the parts. */
struct splitter {
    const struct ct_topology *topology;
    uint32_t *part, *number; /* vertices: part, and number in its builder */
    uint32_t n;
    struct ct_topology_builder **builders; /* n */
};

static enum ct_status add_vertices(struct splitter *splitter, struct ct_error *err)
{
    const struct ct_topology *topology = splitter->topology;
    for (uint32_t v = 0; v < ct_topology_vertices(topology); v++)
        if (splitter->part[v] != NO_PART)
            CT_TRY(ct_topology_add(splitter->builders[splitter->part[v]],
                                   v < topology->n_nodes ? CT_ROLE_NODE : CT_ROLE_SWITCH,
                                   ct_topology_name(topology, v),
                                   topology->line ? topology->line[v] : 0, &splitter->number[v],
                                   err));
    return CT_OK;
}

static enum ct_status add_links(struct splitter *splitter, struct ct_error *err)
{
    const struct ct_topology *topology = splitter->topology;
    for (uint32_t i = 0; i < topology->n_links; i++) {
        struct ct_link link = topology->links[i];
        uint32_t part = splitter->part[link.end[0]];
        link.end[0] = splitter->number[link.end[0]];
        link.end[1] = splitter->number[link.end[1]];
        if (part != NO_PART)
            CT_TRY(ct_topology_connect(splitter->builders[part], &link, err));
    }
    for (uint32_t i = 0; i < topology->n_given; i++) {
        const struct ct_given_route *given = &topology->given[i];
        uint32_t part = splitter->part[given->at];
        const struct ct_given_route route = {splitter->number[given->at],
                                             splitter->number[given->to],
                                             splitter->number[given->via], given->line};
        if (part != NO_PART && splitter->part[given->to] == part)
            CT_TRY(ct_topology_route_over(splitter->builders[part], &route, err));
    }
    return CT_OK;
}

static enum ct_status make_parts(struct splitter *splitter, struct ct_topology_parts *parts_p,
                                 struct ct_error *err)
{
    struct ct_topology_parts parts = {.part = calloc(splitter->n, sizeof *parts.part)};
    enum ct_status status = CT_OK;
    splitter->builders = calloc(splitter->n, sizeof(struct ct_topology_builder *));
    if (!parts.part || !splitter->builders)
        status = ct_no_memory(err, "parts of a network");
    for (uint32_t i = 0; i < splitter->n && status == CT_OK; i++)
        if (!(splitter->builders[i] = ct_topology_builder_new(splitter->topology->name)))
            status = ct_no_memory(err, "parts of a network");
    if (status == CT_OK)
        status = add_vertices(splitter, err);
    if (status == CT_OK)
        status = add_links(splitter, err);
    while (parts.n < splitter->n && status == CT_OK) {
        struct ct_topology_builder *builder = splitter->builders[parts.n];
        splitter->builders[parts.n] = NULL;
        status = ct_topology_build(builder, &parts.part[parts.n], err);
        parts.n += status == CT_OK;
    }
    for (uint32_t i = 0; splitter->builders && i < splitter->n; i++)
        ct_topology_builder_free(splitter->builders[i]);
    free(splitter->builders);
    if (status == CT_OK)
        *parts_p = parts;
    else
        ct_topology_parts_free(&parts);
    return status;
}

enum ct_status ct_topology_split(const struct ct_topology *topology,
                                 struct ct_topology_parts *parts_p, struct ct_error *err)
{
    uint32_t n = ct_topology_vertices(topology), spare = 0;
    struct splitter splitter = {.topology = topology,
                                .part = malloc(n * sizeof *splitter.part),
                                .number = malloc(n * sizeof *splitter.number)};
    struct ct_topology_parts parts = {.part = NULL};
    enum ct_status status =
        splitter.part && splitter.number ? CT_OK : ct_no_memory(err, "parts of a network");
    if (status == CT_OK) {
        memset(splitter.part, 0xff, n * sizeof *splitter.part);
        for (uint32_t v = 0; v < topology->n_nodes; v++)
            if (splitter.part[v] == NO_PART)
                spread_part(topology, v, splitter.n++, splitter.part, splitter.number);
        for (uint32_t v = topology->n_nodes; v < n; v++)
            spare += splitter.part[v] == NO_PART;
    }
    if (status == CT_OK && splitter.n > 1)
        status = make_parts(&splitter, &parts, err);
    free(splitter.part);
    free(splitter.number);
    parts.spare_switches = spare;
    if (status == CT_OK)
        *parts_p = parts;
    return status;
}

void ct_topology_parts_free(struct ct_topology_parts *parts)
{
    for (uint32_t i = 0; i < parts->n; i++)
        ct_topology_free(&parts->part[i]);
    free(parts->part);
    *parts = (struct ct_topology_parts){0};
}
