#include "topology/builder.h"

#include "core/array.h"
#include "core/order.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vertex {
    uint32_t name_at, line;
    enum ct_vertex_role role;
};

struct ct_topology_builder {
    char *name;
    char *notes; /* NULL: none */
    char *names;
    uint32_t names_size, names_room;
    struct vertex *vertices;
    uint32_t n, room;
    struct ct_link *links;
    uint32_t n_links, links_room;
    struct ct_given_route *routes;
    uint32_t n_routes, routes_room;
};

struct ct_topology_builder *ct_topology_builder_new(const char *name)
{
    struct ct_topology_builder *builder = calloc(1, sizeof *builder);
    if (!builder)
        return NULL;
    builder->name = strdup(name);
    if (builder->name)
        return builder;
    ct_topology_builder_free(builder);
    return NULL;
}

void ct_topology_builder_free(struct ct_topology_builder *builder)
{
    if (!builder)
        return;
    free(builder->name);
    free(builder->notes);
    free(builder->names);
    free(builder->vertices);
    free(builder->links);
    free(builder->routes);
    free(builder);
}

enum ct_status ct_fail_at_line(struct ct_error *err, enum ct_status status, const char *source,
                               uint32_t line)
{
    if (line > 0)
        return ct_fail_within(err, status, "%s: line %u", source, line);
    return ct_fail_within(err, status, "%s", source);
}

/* ---- adding ---- */

enum ct_status ct_topology_add(struct ct_topology_builder *builder, enum ct_vertex_role role,
                               const char *name, uint32_t line, uint32_t *number_p,
                               struct ct_error *err)
{
    size_t size = strlen(name) + 1;
    if (builder->n >= CT_TOPOLOGY_VERTICES_MAX)
        return ct_fail(err, CT_EINVAL, "more than %d nodes and switches", CT_TOPOLOGY_VERTICES_MAX);
    if (!CT_ARRAY_RESERVE(builder->names, builder->names_room, builder->names_size + size) ||
        !CT_ARRAY_RESERVE(builder->vertices, builder->room, builder->n + (size_t)1))
        return ct_no_memory(err, "topology");
    memcpy(builder->names + builder->names_size, name, size);
    builder->vertices[builder->n] = (struct vertex){builder->names_size, line, role};
    builder->names_size += (uint32_t)size;
    if (number_p)
        *number_p = builder->n;
    builder->n++;
    return CT_OK;
}

enum ct_status ct_topology_connect(struct ct_topology_builder *builder, const struct ct_link *link,
                                   struct ct_error *err)
{
    if (builder->n_links >= CT_TOPOLOGY_LINKS_MAX)
        return ct_fail(err, CT_EINVAL, "more than %d links", CT_TOPOLOGY_LINKS_MAX);
    if (link->end[0] == link->end[1])
        return ct_topology_fail(err, builder->name, link->line, "a link from %s to itself",
                                builder->names + builder->vertices[link->end[0]].name_at);
    if (!CT_ARRAY_RESERVE(builder->links, builder->links_room, builder->n_links + (size_t)1))
        return ct_no_memory(err, "topology");
    builder->links[builder->n_links++] = *link;
    return CT_OK;
}

enum ct_status ct_topology_route_over(struct ct_topology_builder *builder,
                                      const struct ct_given_route *route, struct ct_error *err)
{
    if (!CT_ARRAY_RESERVE(builder->routes, builder->routes_room, builder->n_routes + (size_t)1))
        return ct_no_memory(err, "topology");
    builder->routes[builder->n_routes++] = *route;
    return CT_OK;
}

enum ct_status ct_topology_note(struct ct_topology_builder *builder, struct ct_error *err,
                                const char *format, ...)
{
    char *sentence, *notes;
    va_list args;
    va_start(args, format);
    int length = vasprintf(&sentence, format, args);
    va_end(args);
    if (length < 0)
        return ct_no_memory(err, "topology");
    length = asprintf(&notes, "%s%s\n", builder->notes ? builder->notes : "", sentence);
    free(sentence);
    if (length < 0)
        return ct_no_memory(err, "topology");
    free(builder->notes);
    builder->notes = notes;
    return CT_OK;
}

/* ---- the whole ---- */

/* Nodes first, each kind in its order. */
static bool place_vertices(const struct ct_topology_builder *builder, struct ct_topology *topology,
                           uint32_t *place)
{
    bool has_lines = false;
    for (uint32_t i = 0; i < builder->n; i++) {
        topology->n_nodes += builder->vertices[i].role == CT_ROLE_NODE;
        has_lines = has_lines || builder->vertices[i].line > 0;
    }
    topology->n_switches = builder->n - topology->n_nodes;
    topology->name_at = malloc((builder->n + (size_t)1) * sizeof *topology->name_at);
    topology->by_name = malloc((builder->n + (size_t)1) * sizeof *topology->by_name);
    topology->line = has_lines ? malloc(builder->n * sizeof *topology->line) : NULL;
    if (!topology->name_at || !topology->by_name || (has_lines && !topology->line))
        return false;
    uint32_t next[] = {[CT_ROLE_NODE] = 0, [CT_ROLE_SWITCH] = topology->n_nodes};
    for (uint32_t i = 0; i < builder->n; i++) {
        uint32_t v = next[builder->vertices[i].role]++;
        place[i] = v;
        topology->name_at[v] = builder->vertices[i].name_at;
        topology->by_name[v] = v;
        if (topology->line)
            topology->line[v] = builder->vertices[i].line;
    }
    return true;
}

static bool place_links(const struct ct_topology_builder *builder, struct ct_topology *topology,
                        const uint32_t *place)
{
    size_t n_links = builder->n_links, n = builder->n;
    topology->n_links = builder->n_links;
    topology->links = malloc((n_links + 1) * sizeof *topology->links);
    topology->ports = malloc((2 * n_links + 1) * sizeof *topology->ports);
    topology->first_port = calloc(n + 2, sizeof *topology->first_port);
    if (!topology->links || !topology->ports || !topology->first_port)
        return false;
    /* Counted two entries ahead, so that after filling each start is where it belongs. */
    uint32_t *start = topology->first_port + 1;
    for (size_t i = 0; i < n_links; i++) {
        topology->links[i] = builder->links[i];
        for (size_t side = 0; side < 2; side++) {
            uint32_t v = place[builder->links[i].end[side]];
            topology->links[i].end[side] = v;
            if (v + 1 < n)
                start[v + 1]++;
        }
    }
    for (size_t v = 0; v + 1 < n; v++)
        start[v + 1] += start[v];
    for (uint32_t i = 0; i < n_links; i++)
        for (size_t side = 0; side < 2; side++)
            topology->ports[start[topology->links[i].end[side]]++] =
                (struct ct_port){i, topology->links[i].end[!side]};
    return true;
}

static int compare_names(const void *a, const void *b, void *data)
{
    const struct ct_topology *topology = data;
    return strcmp(ct_topology_name(topology, *(const uint32_t *)a),
                  ct_topology_name(topology, *(const uint32_t *)b));
}

static uint32_t line_of(const struct ct_topology *topology, uint32_t v)
{
    return topology->line ? topology->line[v] : 0;
}

static enum ct_status check_names(const struct ct_topology *topology, struct ct_error *err)
{
    for (uint32_t i = 1; i < ct_topology_vertices(topology); i++) {
        uint32_t a = topology->by_name[i - 1], b = topology->by_name[i];
        if (compare_names(&a, &b, (void *)(uintptr_t)topology) != 0)
            continue;
        uint32_t first = line_of(topology, a), second = line_of(topology, b);
        return ct_topology_fail(err, topology->name, first > second ? first : second,
                                "%s is there twice; the other one is in line %u",
                                ct_topology_name(topology, a), first > second ? second : first);
    }
    return CT_OK;
}

CT_ORDER(compare_routes, struct ct_given_route, at, to, line)

static bool place_routes(const struct ct_topology_builder *builder, struct ct_topology *topology,
                         const uint32_t *place)
{
    topology->n_given = builder->n_routes;
    if (builder->n_routes == 0)
        return true;
    topology->given = malloc(builder->n_routes * sizeof *topology->given);
    if (!topology->given)
        return false;
    for (uint32_t i = 0; i < builder->n_routes; i++) {
        topology->given[i] = builder->routes[i];
        topology->given[i].at = place[builder->routes[i].at];
        topology->given[i].to = place[builder->routes[i].to];
        topology->given[i].via = place[builder->routes[i].via];
    }
    qsort(topology->given, topology->n_given, sizeof *topology->given, compare_routes);
    return true;
}

static bool is_linked(const struct ct_topology *topology, uint32_t a, uint32_t b)
{
    for (uint32_t p = topology->first_port[a]; p < topology->first_port[a + 1]; p++)
        if (topology->ports[p].peer == b)
            return true;
    return false;
}

static enum ct_status check_routes(const struct ct_topology *topology, struct ct_error *err)
{
    for (uint32_t i = 0; i < topology->n_given; i++) {
        const struct ct_given_route *route = &topology->given[i];
        const char *at = ct_topology_name(topology, route->at);
        const char *to = ct_topology_name(topology, route->to);
        const char *via = ct_topology_name(topology, route->via);
        if (i > 0 && route[-1].at == route->at && route[-1].to == route->to &&
            route[-1].via != route->via)
            return ct_topology_fail(err, topology->name, route->line,
                                    "two routes from %s to %s; the other one is in line %u", at, to,
                                    route[-1].line);
        if (route->at == route->to || route->to >= topology->n_nodes)
            return ct_topology_fail(err, topology->name, route->line,
                                    "a route from %s to %s, which is no other node", at, to);
        if (!is_linked(topology, route->at, route->via))
            return ct_topology_fail(err, topology->name, route->line, "no link from %s to %s", at,
                                    via);
    }
    return CT_OK;
}

static enum ct_status fill_topology(const struct ct_topology_builder *builder, uint32_t *place,
                                    struct ct_topology *topology, struct ct_error *err)
{
    if (!place || !place_vertices(builder, topology, place) ||
        !place_links(builder, topology, place) || !place_routes(builder, topology, place))
        return ct_no_memory(err, "topology");
    if (topology->n_nodes == 0)
        return ct_fail(err, CT_ENODATA, "%s: no node in it", topology->name);
    if (topology->n_nodes > CT_TOPOLOGY_NODES_MAX)
        return ct_fail(err, CT_EINVAL, "%s: more than %d nodes", topology->name,
                       CT_TOPOLOGY_NODES_MAX);
    qsort_r(topology->by_name, builder->n, sizeof *topology->by_name, compare_names, topology);
    CT_TRY(check_names(topology, err));
    return check_routes(topology, err);
}

enum ct_status ct_topology_build(struct ct_topology_builder *builder,
                                 struct ct_topology *topology_p, struct ct_error *err)
{
    struct ct_topology topology = {
        .name = builder->name, .names = builder->names, .notes = builder->notes};
    uint32_t *place = malloc((builder->n + (size_t)1) * sizeof *place);
    builder->name = builder->names = builder->notes = NULL;
    enum ct_status status = fill_topology(builder, place, &topology, err);
    free(place);
    ct_topology_builder_free(builder);
    if (status == CT_OK)
        *topology_p = topology;
    else
        ct_topology_free(&topology);
    return status;
}
