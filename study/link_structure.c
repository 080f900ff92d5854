#include "study/link_structure.h"

#include <math.h>
#include <stdlib.h>

/* ---- what enters a switch leaves it ---- */

struct balances {
    size_t *first;
    uint32_t *column;
    double *factor;
    size_t n_rows, n;
};

/* Rates of all links of a switch: 1 where none is known, NaN where only some are. */
static double rate_factor(const struct ct_topology *topology, uint32_t at, uint32_t link)
{
    size_t n_known = 0, n = ct_topology_degree(topology, at);
    for (uint32_t p = topology->first_port[at]; p < topology->first_port[at + 1]; p++)
        n_known += isnan(topology->links[topology->ports[p].link].rate_bit_per_s) ? 0 : 1;
    if (n_known == 0)
        return 1;
    double most = 0;
    for (uint32_t p = topology->first_port[at]; p < topology->first_port[at + 1]; p++)
        most = fmax(most, topology->links[topology->ports[p].link].rate_bit_per_s);
    return n_known == n ? topology->links[link].rate_bit_per_s / most : NAN;
}

/* Of a switch all of whose links are passed both ways; of others something is not known. */
static void add_balance(const struct ct_topology *topology, const uint32_t *column_of, uint32_t at,
                        struct balances *balances)
{
    size_t n = balances->n;
    for (uint32_t p = topology->first_port[at]; p < topology->first_port[at + 1]; p++) {
        uint32_t link = topology->ports[p].link;
        uint32_t out = 2 * link + (topology->links[link].end[0] != at), in = out ^ 1u;
        double factor = rate_factor(topology, at, link);
        if (column_of[out] == UINT32_MAX || column_of[in] == UINT32_MAX || isnan(factor))
            return;
        balances->column[n] = column_of[in];
        balances->factor[n++] = factor;
        balances->column[n] = column_of[out];
        balances->factor[n++] = -factor;
    }
    balances->n = n;
    balances->first[++balances->n_rows] = n;
}

static enum ct_status make_balances(const struct ct_topology *topology,
                                    const struct ct_paths *paths, struct ct_link_rows *rows_p,
                                    struct ct_error *err)
{
    size_t n_directions = 2 * (size_t)topology->n_links;
    uint32_t *column_of = malloc((n_directions + 1) * sizeof *column_of);
    struct balances balances = {
        .first = calloc((size_t)topology->n_switches + 1, sizeof *balances.first),
        .column = malloc((2 * n_directions + 1) * sizeof *balances.column),
        .factor = malloc((2 * n_directions + 1) * sizeof *balances.factor)};
    bool room = column_of && balances.first && balances.column && balances.factor;
    for (size_t d = 0; d < n_directions && room; d++)
        column_of[d] = UINT32_MAX;
    for (size_t c = 0; c < paths->n_columns && room; c++)
        column_of[paths->direction[c]] = (uint32_t)c;
    for (uint32_t v = topology->n_nodes; v < ct_topology_vertices(topology) && room; v++)
        if (ct_topology_degree(topology, v) > 0)
            add_balance(topology, column_of, v, &balances);
    free(column_of);
    *rows_p =
        (struct ct_link_rows){balances.n_rows, balances.first, balances.column, balances.factor};
    return room ? CT_OK : ct_no_memory(err, "utilization of links");
}

/* ---- kinds ---- */

/* Links to each vertex from the nearest node, by breadth first search from all nodes.
 * queue: [vertices] room. @return the most */
static uint32_t find_tiers(const struct ct_topology *topology, uint32_t *queue, uint32_t *tier)
{
    uint32_t n = 0, n_vertices = (uint32_t)ct_topology_vertices(topology);
    for (uint32_t v = 0; v < n_vertices; v++) {
        tier[v] = v < topology->n_nodes ? 0 : UINT32_MAX;
        if (v < topology->n_nodes)
            queue[n++] = v;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = queue[i];
        for (uint32_t p = topology->first_port[at]; p < topology->first_port[at + 1]; p++) {
            const uint32_t *end = topology->links[topology->ports[p].link].end;
            uint32_t other = end[end[0] == at];
            if (tier[other] == UINT32_MAX) {
                tier[other] = tier[at] + 1;
                queue[n++] = other;
            }
        }
    }
    return n > 0 ? tier[queue[n - 1]] : 0;
}

static enum ct_status find_kinds(const struct ct_topology *topology, const struct ct_paths *paths,
                                 uint32_t *kind, struct ct_error *err)
{
    size_t n_vertices = ct_topology_vertices(topology);
    uint32_t *queue = malloc((n_vertices + 1) * sizeof *queue);
    uint32_t *tier = malloc((n_vertices + 1) * sizeof *tier);
    bool room = queue && tier;
    uint32_t most = room ? find_tiers(topology, queue, tier) : 0;
    for (size_t c = 0; c < paths->n_columns && room; c++) {
        const uint32_t *end = topology->links[paths->direction[c] / 2].end;
        uint32_t is_back = paths->direction[c] % 2;
        kind[c] = tier[end[is_back]] * (most + 1) + tier[end[1 - is_back]];
    }
    free(queue);
    free(tier);
    return room ? CT_OK : ct_no_memory(err, "utilization of links");
}

/* ---- rates ---- */

static double rate_of(const struct ct_topology *topology, const struct ct_paths *paths, size_t c)
{
    return topology->links[paths->direction[c] / 2].rate_bit_per_s;
}

static void compare_rates(const struct ct_topology *topology, const struct ct_paths *paths,
                          double *relative_rate)
{
    double least = NAN;
    for (size_t c = 0; c < paths->n_columns; c++)
        least = fmin(least, rate_of(topology, paths, c));
    for (size_t c = 0; c < paths->n_columns; c++) {
        double rate = rate_of(topology, paths, c);
        relative_rate[c] = isnan(rate) ? 1 : rate / least;
    }
}

bool ct_link_is_seen(const struct ct_topology *topology, const struct ct_paths *paths,
                     const uint32_t *way, size_t n, uint32_t at)
{
    double least = NAN;
    for (size_t i = 0; i < n; i++)
        least = fmin(least, rate_of(topology, paths, way[i]));
    return !(rate_of(topology, paths, at) >= 2 * least);
}

/* ---- the whole ---- */

enum ct_status ct_link_structure_make(const struct ct_topology *topology,
                                      const struct ct_paths *paths,
                                      struct ct_link_structure *structure_p, struct ct_error *err)
{
    size_t n = paths->n_columns + 1;
    *structure_p =
        (struct ct_link_structure){.kind = malloc(n * sizeof *structure_p->kind),
                                   .relative_rate = malloc(n * sizeof *structure_p->relative_rate)};
    if (!structure_p->kind || !structure_p->relative_rate)
        return ct_no_memory(err, "utilization of links");
    compare_rates(topology, paths, structure_p->relative_rate);
    CT_TRY(find_kinds(topology, paths, structure_p->kind, err));
    return make_balances(topology, paths, &structure_p->balances, err);
}

void ct_link_structure_free(struct ct_link_structure *structure)
{
    free((void *)structure->balances.first);
    free((void *)structure->balances.column);
    free((void *)structure->balances.factor);
    free(structure->kind);
    free(structure->relative_rate);
    *structure = (struct ct_link_structure){0};
}
