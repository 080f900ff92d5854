#include "topology/measure.h"

#include "core/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- hops ---- */

static bool count_hops(struct ct_hop_counts *counts, uint32_t switches)
{
    while (counts->n <= switches) {
        if (!CT_ARRAY_RESIZE(counts->pairs, counts->n + 1))
            return false;
        counts->pairs[counts->n++] = 0;
    }
    counts->pairs[switches]++;
    return true;
}

static void find_mean(struct ct_hop_counts *counts)
{
    double sum = 0, pairs = 0;
    for (uint32_t h = 0; h < counts->n; h++) {
        sum += (double)h * (double)counts->pairs[h];
        pairs += (double)counts->pairs[h];
    }
    counts->mean = pairs > 0 ? sum / pairs : NAN;
}

enum ct_status ct_topology_count_hops(struct ct_router *router, const struct ct_topology *topology,
                                      uint64_t max_pairs, struct ct_hop_counts *counts_p,
                                      struct ct_error *err)
{
    struct ct_hop_counts counts = {.targets = topology->n_nodes};
    uint32_t n = topology->n_nodes;
    enum ct_status status = CT_OK;
    if ((uint64_t)n * n > max_pairs)
        counts.targets = max_pairs / n > 0 ? (uint32_t)(max_pairs / n) : 1;
    for (uint32_t i = 0; i < counts.targets; i++) {
        uint32_t to = (uint32_t)((uint64_t)i * n / counts.targets), switches = 0;
        for (uint32_t from = 0; from < n && status == CT_OK; from++) {
            if (from == to)
                continue;
            status = ct_route_switches(router, from, to, &switches, err);
            if (status == CT_ENODATA) {
                counts.apart++;
                status = CT_OK;
            } else if (status == CT_OK && !count_hops(&counts, switches))
                status = ct_no_memory(err, "topology");
        }
    }
    if (status != CT_OK) {
        free(counts.pairs);
        return status;
    }
    find_mean(&counts);
    *counts_p = counts;
    return CT_OK;
}

/* ---- bisection ---- */

enum { FIRST_HALF, SECOND_HALF, NEITHER };

/* Maximum flow from one half to the other; a direction of a link has number 2 link + side. */
struct flow {
    const struct ct_topology *topology;
    uint64_t *room;                 /* 2 n_links; capacity that is left, from end[side] on */
    uint32_t *level, *next, *queue; /* vertices */
    uint32_t *path;                 /* vertices; directions from the first half on */
};

static int half_of(const struct ct_topology *topology, uint32_t v)
{
    uint32_t half = topology->n_nodes / 2;
    return v < half ? FIRST_HALF : v < 2 * half ? SECOND_HALF : NEITHER;
}

static uint32_t direction_of(const struct ct_topology *topology, uint32_t v, struct ct_port port)
{
    return 2 * port.link + (topology->links[port.link].end[0] != v);
}

/* Links to the first half, breadth first; whether the second one is reached. */
static bool find_levels(struct flow *flow)
{
    const struct ct_topology *topology = flow->topology;
    uint32_t end = 0, half = topology->n_nodes / 2;
    bool reached = false;
    memset(flow->level, 0xff, ct_topology_vertices(topology) * sizeof *flow->level);
    for (; end < half; end++) {
        flow->queue[end] = end;
        flow->level[end] = 0;
    }
    for (uint32_t i = 0; i < end; i++) {
        uint32_t v = flow->queue[i];
        if (v < topology->n_nodes && flow->level[v] > 0)
            continue;
        for (uint32_t p = topology->first_port[v]; p < topology->first_port[v + 1]; p++) {
            struct ct_port port = topology->ports[p];
            if (flow->level[port.peer] != UINT32_MAX ||
                flow->room[direction_of(topology, v, port)] == 0)
                continue;
            flow->level[port.peer] = flow->level[v] + 1;
            flow->queue[end++] = port.peer;
            reached = reached || half_of(topology, port.peer) == SECOND_HALF;
        }
    }
    return reached;
}

/* One more way from a node of the first half along ascending levels; 0: there is none. */
static uint64_t push_flow(struct flow *flow, uint32_t source)
{
    const struct ct_topology *topology = flow->topology;
    uint32_t length = 0, v = source;
    uint64_t least = UINT64_MAX;
    while (half_of(topology, v) != SECOND_HALF) {
        bool may_pass = v >= topology->n_nodes || length == 0, moved = false;
        for (; may_pass && flow->next[v] < topology->first_port[v + 1]; flow->next[v]++) {
            struct ct_port port = topology->ports[flow->next[v]];
            uint32_t direction = direction_of(topology, v, port);
            if (flow->room[direction] == 0 || flow->level[port.peer] != flow->level[v] + 1)
                continue;
            flow->path[length++] = direction;
            v = port.peer;
            moved = true;
            break;
        }
        if (moved)
            continue;
        if (length == 0)
            return 0;
        /* A dead end: back, and on with the next port. */
        uint32_t back = flow->path[--length];
        v = topology->links[back / 2].end[back % 2];
        flow->next[v]++;
    }
    for (uint32_t i = 0; i < length; i++)
        least = flow->room[flow->path[i]] < least ? flow->room[flow->path[i]] : least;
    for (uint32_t i = 0; i < length; i++) {
        flow->room[flow->path[i]] -= least;
        flow->room[flow->path[i] ^ 1] += least;
    }
    return least;
}

static uint64_t find_maximum(struct flow *flow)
{
    const struct ct_topology *topology = flow->topology;
    uint64_t sum = 0;
    while (find_levels(flow)) {
        memcpy(flow->next, topology->first_port,
               ct_topology_vertices(topology) * sizeof *flow->next);
        for (uint32_t v = 0; v < topology->n_nodes / 2; v++)
            for (uint64_t more = push_flow(flow, v); more > 0; more = push_flow(flow, v))
                sum += more;
    }
    return sum;
}

static void free_flow(struct flow *flow)
{
    free(flow->room);
    free(flow->level);
    free(flow->next);
    free(flow->queue);
    free(flow->path);
}

enum ct_status ct_topology_bisect(const struct ct_topology *topology,
                                  struct ct_bisection *bisection_p, struct ct_error *err)
{
    if (topology->n_nodes < 2)
        return ct_fail(err, CT_ENODATA, "%s: one node has no halves", topology->name);
    size_t n = ct_topology_vertices(topology), n_links = topology->n_links;
    struct flow flow = {.topology = topology,
                        .room = malloc((2 * n_links + 1) * sizeof *flow.room),
                        .level = malloc(n * sizeof *flow.level),
                        .next = malloc(n * sizeof *flow.next),
                        .queue = malloc(n * sizeof *flow.queue),
                        .path = malloc(n * sizeof *flow.path)};
    if (!flow.room || !flow.level || !flow.next || !flow.queue || !flow.path) {
        free_flow(&flow);
        return ct_no_memory(err, "topology");
    }
    bool has_rates = true;
    for (size_t i = 0; i < n_links; i++) {
        flow.room[2 * i] = flow.room[2 * i + 1] = 1;
        has_rates = has_rates && !isnan(topology->links[i].rate_bit_per_s);
    }
    struct ct_bisection bisection = {.links = find_maximum(&flow), .bit_per_s = NAN};
    /* Whole bit/s, of which 2^21 links of 10^12 stay below 2^64. */
    for (size_t i = 0; i < n_links && has_rates; i++)
        flow.room[2 * i] = flow.room[2 * i + 1] =
            (uint64_t)fmin(topology->links[i].rate_bit_per_s, 1e12);
    if (has_rates)
        bisection.bit_per_s = (double)find_maximum(&flow);
    free_flow(&flow);
    *bisection_p = bisection;
    return CT_OK;
}
