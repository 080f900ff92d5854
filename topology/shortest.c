#include "topology/shortest.h"

#include <stdlib.h>
#include <string.h>

/* From what is in the queue already, with its distance. A node is an end, never on the way. */
static void search_breadth(const struct ct_topology *topology, uint32_t *queue, uint32_t n,
                           uint32_t *field)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = queue[i];
        if (v < topology->n_nodes && field[v] > 0)
            continue;
        for (uint32_t p = topology->first_port[v]; p < topology->first_port[v + 1]; p++) {
            uint32_t peer = topology->ports[p].peer;
            if (field[peer] != UINT32_MAX)
                continue;
            field[peer] = field[v] + 1;
            queue[n++] = peer;
        }
    }
}

static void clear_field(uint32_t *field, uint32_t n)
{
    memset(field, 0xff, n * sizeof *field);
}

bool ct_topology_heights(const struct ct_topology *topology, uint32_t *height_p)
{
    uint32_t *queue = malloc(ct_topology_vertices(topology) * sizeof *queue);
    if (!queue)
        return false;
    clear_field(height_p, ct_topology_vertices(topology));
    for (uint32_t v = 0; v < topology->n_nodes; v++) {
        height_p[v] = 0;
        queue[v] = v;
    }
    search_breadth(topology, queue, topology->n_nodes, height_p);
    free(queue);
    return true;
}

/* Ports to switches, in the order of ports. */
static bool list_switch_ports(struct ct_distances *distances)
{
    const struct ct_topology *topology = distances->topology;
    uint32_t n = 0;
    for (uint32_t v = 0; v < ct_topology_vertices(topology); v++) {
        const struct ct_port *ports = topology->ports + topology->first_port[v];
        distances->first_switch[v] = n;
        for (uint32_t p = 0; p < ct_topology_degree(topology, v); p++)
            if (ports[p].peer >= topology->n_nodes)
                distances->to_switch[n++] = p;
    }
    distances->first_switch[ct_topology_vertices(topology)] = n;
    return true;
}

bool ct_distances_begin(struct ct_distances *distances, const struct ct_topology *topology)
{
    size_t n = ct_topology_vertices(topology),
           fields = CT_FIELDS_BYTES_MAX / (n * sizeof(uint32_t));
    *distances = (struct ct_distances){.topology = topology};
    distances->n_kept_max = fields > 1 ? (uint32_t)fields : 1;
    distances->queue = malloc(n * sizeof *distances->queue);
    distances->height = malloc(n * sizeof *distances->height);
    distances->field = calloc(n, sizeof *distances->field);
    distances->kept = malloc(distances->n_kept_max * sizeof *distances->kept);
    distances->first_switch = malloc((n + 1) * sizeof *distances->first_switch);
    distances->to_switch = malloc((2 * (size_t)topology->n_links + 1) * sizeof(uint32_t));
    return distances->queue && distances->height && distances->field && distances->kept &&
           distances->first_switch && distances->to_switch && list_switch_ports(distances) &&
           ct_topology_heights(topology, distances->height);
}

void ct_distances_end(struct ct_distances *distances)
{
    for (uint32_t i = 0; i < distances->n_kept; i++)
        free(distances->field[distances->kept[i]]);
    free(distances->queue);
    free(distances->height);
    free(distances->first_switch);
    free(distances->to_switch);
    free(distances->field);
    free(distances->kept);
    *distances = (struct ct_distances){0};
}

/* The field of a root; the one that was made first gives way. NULL: out of memory. */
static const uint32_t *field_of(struct ct_distances *distances, uint32_t root)
{
    uint32_t n = ct_topology_vertices(distances->topology), *field = distances->field[root];
    if (field)
        return field;
    if (distances->n_kept < distances->n_kept_max) {
        field = malloc(n * sizeof *field);
        if (!field)
            return NULL;
        distances->kept[distances->n_kept++] = root;
    } else {
        uint32_t *oldest = &distances->kept[distances->next];
        distances->next = (distances->next + 1) % distances->n_kept_max;
        field = distances->field[*oldest];
        distances->field[*oldest] = NULL;
        *oldest = root;
    }
    distances->field[root] = field;
    clear_field(field, n);
    field[root] = 0;
    distances->queue[0] = root;
    search_breadth(distances->topology, distances->queue, 1, field);
    return field;
}

static bool find_given(const struct ct_topology *topology, uint32_t at, uint32_t to,
                       uint32_t *via_p)
{
    size_t lo = 0, hi = topology->n_given;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        const struct ct_given_route *route = &topology->given[middle];
        if (route->at == at && route->to == to) {
            *via_p = route->via;
            return true;
        }
        if (route->at < at || (route->at == at && route->to < to))
            lo = middle + 1;
        else
            hi = middle;
    }
    return false;
}

/* Number of the port of several that destinations are spread over. */
static uint32_t spread_choice(uint32_t to, uint32_t count, uint32_t height)
{
    for (uint32_t i = 1; i < height && to > 0 && count > 1; i++)
        to /= count;
    return count > 1 ? to % count : 0;
}

/* Index of the port of a link: the ports of a vertex are in the order of links. */
static uint32_t port_of_link(const struct ct_topology *topology, uint32_t at, uint32_t link)
{
    const struct ct_port *ports = topology->ports + topology->first_port[at];
    uint32_t lo = 0, hi = ct_topology_degree(topology, at);
    while (lo + 1 < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (ports[middle].link <= link)
            lo = middle;
        else
            hi = middle;
    }
    return lo;
}

/* One of the links to a neighbour, found at that end of them which has fewer. */
static uint32_t port_to(const struct ct_topology *topology, uint32_t at, uint32_t via, uint32_t to)
{
    bool from_here = ct_topology_degree(topology, at) <= ct_topology_degree(topology, via);
    uint32_t here = from_here ? at : via, there = from_here ? via : at;
    const struct ct_port *ports = topology->ports + topology->first_port[here];
    uint32_t count = 0, p = 0;
    for (uint32_t i = 0; i < ct_topology_degree(topology, here); i++)
        count += ports[i].peer == there;
    for (uint32_t skip = count > 1 ? to % count : 0; ports[p].peer != there || skip-- > 0;)
        p++;
    return from_here ? p : port_of_link(topology, at, ports[p].link);
}

/* One of the links to switches that are nearer. */
static uint32_t port_up(const struct ct_distances *distances, const uint32_t *field, uint32_t at,
                        uint32_t to)
{
    const struct ct_port *ports = distances->topology->ports + distances->topology->first_port[at];
    const uint32_t *begin = distances->to_switch + distances->first_switch[at];
    const uint32_t *end = distances->to_switch + distances->first_switch[at + 1];
    uint32_t count = 0, port = 0;
    for (const uint32_t *p = begin; p < end; p++)
        count += field[ports[*p].peer] + 1 == field[at];
    uint32_t chosen = spread_choice(to, count, distances->height[at]);
    for (const uint32_t *p = begin; p < end; p++)
        if (field[ports[*p].peer] + 1 == field[at] && chosen-- == 0)
            port = *p;
    return port;
}

enum ct_status ct_shortest_port(struct ct_distances *distances, uint32_t at, uint32_t to,
                                uint32_t *port_p, struct ct_error *err)
{
    const struct ct_topology *topology = distances->topology;
    uint32_t via;
    /* Nodes with one link have the distances of the switch that this leads to. */
    const struct ct_port *last = topology->ports + topology->first_port[to];
    bool hangs = ct_topology_degree(topology, to) == 1;
    uint32_t root = hangs && last->peer >= topology->n_nodes ? last->peer : to;
    if (find_given(topology, at, to, &via)) {
        *port_p = port_to(topology, at, via, to);
        return CT_OK;
    }
    if (hangs && last->peer == at) {
        *port_p = port_of_link(topology, at, last->link);
        return CT_OK;
    }
    const uint32_t *field = field_of(distances, root);
    if (!field)
        return ct_no_memory(err, "routes");
    if (field[at] == UINT32_MAX)
        return ct_fail(err, CT_ENODATA,
                       "%s: no links lead from %s to %s: give nodes of one part of the network, or "
                       "add the switch that joins its parts",
                       topology->name, ct_topology_name(topology, at),
                       ct_topology_name(topology, to));
    *port_p = root == to && field[at] == 1 ? port_to(topology, at, to, to)
                                           : port_up(distances, field, at, to);
    return CT_OK;
}
