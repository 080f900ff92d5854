#include "topology/shortest.h"

#include <stdlib.h>
#include <string.h>

/* From what is in the queue already, with its distance. A node is an end, never on the way. */
static void search(const struct ct_topology *topology, uint32_t *queue, uint32_t n, uint32_t *field)
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

static void clear(uint32_t *field, uint32_t n)
{
    memset(field, 0xff, n * sizeof *field);
}

bool ct_topology_heights(const struct ct_topology *topology, uint32_t *height_p)
{
    uint32_t *queue = malloc(ct_topology_vertices(topology) * sizeof *queue);
    if (!queue)
        return false;
    clear(height_p, ct_topology_vertices(topology));
    for (uint32_t v = 0; v < topology->n_nodes; v++) {
        height_p[v] = 0;
        queue[v] = v;
    }
    search(topology, queue, topology->n_nodes, height_p);
    free(queue);
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
    return distances->queue && distances->height && distances->field && distances->kept &&
           ct_topology_heights(topology, distances->height);
}

void ct_distances_end(struct ct_distances *distances)
{
    for (uint32_t i = 0; i < distances->n_kept; i++)
        free(distances->field[distances->kept[i]]);
    free(distances->queue);
    free(distances->height);
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
    clear(field, n);
    field[root] = 0;
    distances->queue[0] = root;
    search(distances->topology, distances->queue, 1, field);
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
static uint32_t spread(uint32_t to, uint32_t count, uint32_t height)
{
    for (uint32_t i = 1; i < height && to > 0 && count > 1; i++)
        to /= count;
    return count > 1 ? to % count : 0;
}

/* Whether a neighbour is nearer, and no other node. */
static bool is_step(const struct ct_topology *topology, const uint32_t *field, uint32_t at,
                    uint32_t peer, uint32_t to)
{
    return field[peer] + 1 == field[at] && (peer >= topology->n_nodes || peer == to);
}

/* One of the links to a neighbour. */
static uint32_t port_to(const struct ct_port *ports, uint32_t degree, uint32_t via, uint32_t to)
{
    uint32_t count = 0, p = 0;
    for (uint32_t i = 0; i < degree; i++)
        count += ports[i].peer == via;
    for (uint32_t skip = count > 1 ? to % count : 0; ports[p].peer != via || skip-- > 0;)
        p++;
    return p;
}

enum ct_status ct_shortest_port(struct ct_distances *distances, uint32_t at, uint32_t to,
                                uint32_t *port_p, struct ct_error *err)
{
    const struct ct_topology *topology = distances->topology;
    const struct ct_port *ports = topology->ports + topology->first_port[at];
    uint32_t degree = ct_topology_degree(topology, at), via, count = 0;
    /* Nodes with one link have the distances of the switch that this leads to. */
    const struct ct_port *last = topology->ports + topology->first_port[to];
    bool hangs = ct_topology_degree(topology, to) == 1;
    uint32_t root = hangs && last->peer >= topology->n_nodes ? last->peer : to;
    bool is_given = find_given(topology, at, to, &via);
    if (!is_given && hangs && last->peer == at) {
        via = to;
        is_given = true;
    }
    if (is_given) {
        *port_p = port_to(ports, degree, via, to);
        return CT_OK;
    }
    const uint32_t *field = field_of(distances, root);
    if (!field)
        return ct_fail(err, CT_ENOMEM, "routes: out of memory");
    if (field[at] == UINT32_MAX)
        return ct_fail(err, CT_ENODATA, "%s: no way from %s to %s", topology->name,
                       ct_topology_name(topology, at), ct_topology_name(topology, to));
    for (uint32_t p = 0; p < degree; p++)
        count += is_step(topology, field, at, ports[p].peer, to);
    uint32_t chosen = spread(to, count, distances->height[at]);
    for (uint32_t p = 0; p < degree; p++)
        if (is_step(topology, field, at, ports[p].peer, to) && chosen-- == 0)
            *port_p = p;
    return CT_OK;
}
