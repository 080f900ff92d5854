#include "bench/impact/impact_rounds.h"

#include "core/array.h"
#include "core/order.h"
#include "topology/paths.h"

#include <stdlib.h>

/* A node of the run, and where it is in the topology. */
struct site {
    uint32_t vertex, node;
};

/* Pairs to choose from, by numbers of nodes of the run. */
struct candidates {
    struct ct_node_pair *nodes, *vertices; /* n */
    size_t n;
    bool *chosen;
};

CT_ORDER(by_vertex, struct site, vertex)

static uint32_t count_masks(uint32_t n_bits, uint32_t per_bit)
{
    uint32_t n = 0;
    for (uint32_t bit = 0; bit < n_bits; bit++)
        n += 1u << bit < per_bit ? 1u << bit : per_bit;
    return n;
}

/* A mask pairs nodes whose numbers differ by its bits; those of one highest bit pair nodes at about
 * one distance in the order of the topology. At irregular steps: equal ones would always pair hosts
 * at the same place of their switch. */
static uint32_t mask_of(uint32_t highest, uint32_t i)
{
    static const uint32_t odd = 0x9e3779b1; /* i odd modulo a power of two takes all values */
    return highest | ((i * odd) & (highest - 1));
}

static void add_mask(const struct site *sites, uint32_t n, uint32_t mask,
                     struct candidates *candidates)
{
    for (uint32_t a = 0; a < n; a++) {
        uint32_t b = a ^ mask;
        if (b <= a || b >= n)
            continue;
        candidates->nodes[candidates->n] = (struct ct_node_pair){sites[a].node, sites[b].node};
        candidates->vertices[candidates->n++] =
            (struct ct_node_pair){sites[a].vertex, sites[b].vertex};
    }
}

static void add_masks(const struct site *sites, uint32_t n, uint32_t n_bits, uint32_t per_bit,
                      struct candidates *candidates)
{
    for (uint32_t bit = 0; bit < n_bits; bit++)
        for (uint32_t i = 0; i < per_bit && i < 1u << bit; i++)
            add_mask(sites, n, mask_of(1u << bit, i), candidates);
}

static enum ct_status list_candidates(const uint32_t *vertex, int n_nodes,
                                      struct candidates *candidates, struct ct_error *err)
{
    uint32_t n = (uint32_t)n_nodes, n_bits = 1, per_bit = 1;
    while (1u << n_bits < n)
        n_bits++;
    while (per_bit < n &&
           (size_t)count_masks(n_bits, per_bit + 1) * (n / 2) <= CT_IMPACT_CANDIDATES_MAX)
        per_bit++;
    size_t most = (size_t)count_masks(n_bits, per_bit) * (n / 2);
    struct site *sites = malloc(n * sizeof *sites);
    candidates->nodes = malloc(most * sizeof *candidates->nodes);
    candidates->vertices = malloc(most * sizeof *candidates->vertices);
    candidates->chosen = calloc(most, sizeof *candidates->chosen);
    if (!sites || !candidates->nodes || !candidates->vertices || !candidates->chosen) {
        free(sites);
        return ct_no_memory(err, "pairs of nodes");
    }
    for (uint32_t i = 0; i < n; i++)
        sites[i] = (struct site){vertex[i], i};
    qsort(sites, n, sizeof *sites, by_vertex);
    add_masks(sites, n, n_bits, per_bit, candidates);
    free(sites);
    return CT_OK;
}

static bool are_free(const struct ct_impact_rounds *rounds, int round, int n_nodes,
                     struct ct_node_pair pair)
{
    const int *partner = rounds->partner + (size_t)round * (size_t)n_nodes;
    return partner[pair.a] == (int)pair.a && partner[pair.b] == (int)pair.b;
}

static void join_pair(struct ct_impact_rounds *rounds, int round, int n_nodes,
                      struct ct_node_pair pair)
{
    int *partner = rounds->partner + (size_t)round * (size_t)n_nodes;
    partner[pair.a] = (int)pair.b;
    partner[pair.b] = (int)pair.a;
}

/* The first round in which both are free, or a new one. */
static enum ct_status place_pair(struct ct_impact_rounds *rounds, size_t *room, int n_nodes,
                                 struct ct_node_pair pair, struct ct_error *err)
{
    size_t n = (size_t)n_nodes;
    int round = 0;
    while (round < rounds->n && !are_free(rounds, round, n_nodes, pair))
        round++;
    if (round == rounds->n) {
        if (!CT_ARRAY_RESERVE(rounds->partner, *room, (size_t)(rounds->n + 1) * n) ||
            !rounds->partner)
            return ct_no_memory(err, "pairs of nodes");
        for (int node = 0; node < n_nodes; node++)
            rounds->partner[(size_t)rounds->n * n + (size_t)node] = node;
        rounds->n++;
    }
    join_pair(rounds, round, n_nodes, pair);
    return CT_OK;
}

/* Nodes without a partner in a round repeat a pair of another one, others in each round. */
static void fill_rounds(struct ct_impact_rounds *rounds, int n_nodes,
                        const struct candidates *candidates)
{
    for (int round = 0; round < rounds->n; round++) {
        size_t begin = candidates->n * (size_t)round / (size_t)rounds->n;
        for (size_t i = 0; i < candidates->n; i++) {
            size_t at = begin + i < candidates->n ? begin + i : begin + i - candidates->n;
            if (candidates->chosen[at] && are_free(rounds, round, n_nodes, candidates->nodes[at]))
                join_pair(rounds, round, n_nodes, candidates->nodes[at]);
        }
    }
}

enum ct_status ct_impact_rounds_make(struct ct_router *router, const struct ct_topology *topology,
                                     const uint32_t *vertex, int n_nodes,
                                     struct ct_impact_rounds *rounds_p, struct ct_error *err)
{
    struct candidates candidates = {0};
    struct ct_impact_rounds rounds = {0};
    struct ct_paths paths = {0};
    size_t room = 0;
    enum ct_status status = list_candidates(vertex, n_nodes, &candidates, err);
    if (status == CT_OK)
        status = ct_paths_make(router, topology, candidates.vertices, candidates.n, &paths, err);
    if (status == CT_OK)
        status = ct_paths_choose(&paths, candidates.chosen, err);
    for (size_t i = 0; i < candidates.n && status == CT_OK; i++)
        if (candidates.chosen[i])
            status = place_pair(&rounds, &room, n_nodes, candidates.nodes[i], err);
    if (status == CT_OK)
        fill_rounds(&rounds, n_nodes, &candidates);
    ct_paths_free(&paths);
    free(candidates.nodes);
    free(candidates.vertices);
    free(candidates.chosen);
    if (status == CT_OK)
        *rounds_p = rounds;
    else
        ct_impact_rounds_free(&rounds);
    return status;
}

void ct_impact_rounds_free(struct ct_impact_rounds *rounds)
{
    free(rounds->partner);
    *rounds = (struct ct_impact_rounds){0};
}
