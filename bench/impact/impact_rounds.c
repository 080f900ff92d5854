#include "bench/impact/impact_rounds.h"

#include "bench/impact/impact_plan.h"
#include "core/array.h"
#include "topology/paths.h"

#include <stdlib.h>

/* Pairs to choose from, by numbers of nodes of the run. */
struct candidates {
    struct ct_node_pair *nodes, *vertices; /* n */
    size_t n;
    bool *chosen;
};

static enum ct_status no_memory(struct ct_error *err)
{
    return ct_fail(err, CT_ENOMEM, "pairs of nodes: out of memory");
}

static enum ct_status list_candidates(const uint32_t *vertex, int n_nodes,
                                      struct candidates *candidates, struct ct_error *err)
{
    int all = ct_impact_epochs(CT_PAIRING_ROTATE, n_nodes), per_round = n_nodes / 2;
    int n_rounds = CT_IMPACT_CANDIDATES_MAX / per_round;
    n_rounds = n_rounds < 1 ? 1 : n_rounds < all ? n_rounds : all;
    size_t most = (size_t)n_rounds * (size_t)per_round;
    int *partner = malloc((size_t)n_nodes * sizeof *partner);
    candidates->nodes = malloc(most * sizeof *candidates->nodes);
    candidates->vertices = malloc(most * sizeof *candidates->vertices);
    candidates->chosen = calloc(most, sizeof *candidates->chosen);
    bool room = partner && candidates->nodes && candidates->vertices && candidates->chosen;
    enum ct_status status = room ? CT_OK : no_memory(err);
    for (int round = 0; round < n_rounds && status == CT_OK; round++) {
        int epoch = (int)((int64_t)round * all / n_rounds);
        status = ct_impact_partners(CT_PAIRING_ROTATE, n_nodes, epoch, 0, partner);
        for (int a = 0; a < n_nodes && status == CT_OK; a++)
            if (partner[a] > a) {
                struct ct_node_pair pair = {(uint32_t)a, (uint32_t)partner[a]};
                candidates->nodes[candidates->n] = pair;
                candidates->vertices[candidates->n++] =
                    (struct ct_node_pair){vertex[pair.a], vertex[pair.b]};
            }
    }
    free(partner);
    return status;
}

/* The first round in which both are free, or a new one. */
static enum ct_status place(struct ct_impact_rounds *rounds, size_t *room, int n_nodes,
                            struct ct_node_pair pair, struct ct_error *err)
{
    size_t n = (size_t)n_nodes;
    int round = 0;
    while (round < rounds->n && (rounds->partner[(size_t)round * n + pair.a] != (int)pair.a ||
                                 rounds->partner[(size_t)round * n + pair.b] != (int)pair.b))
        round++;
    if (round == rounds->n) {
        if (!CT_ARRAY_RESERVE(rounds->partner, *room, (size_t)(rounds->n + 1) * n) ||
            !rounds->partner)
            return no_memory(err);
        for (int node = 0; node < n_nodes; node++)
            rounds->partner[(size_t)rounds->n * n + (size_t)node] = node;
        rounds->n++;
    }
    rounds->partner[(size_t)round * n + pair.a] = (int)pair.b;
    rounds->partner[(size_t)round * n + pair.b] = (int)pair.a;
    return CT_OK;
}

enum ct_status ct_impact_rounds_make(struct ct_router *router, const struct ct_topology *topology,
                                     const uint32_t *vertex, int n_nodes,
                                     struct ct_impact_rounds *rounds_p, struct ct_error *err)
{
    struct candidates candidates = {0};
    struct ct_impact_rounds rounds = {0};
    struct ct_paths paths = {0};
    size_t rank, room = 0;
    enum ct_status status = list_candidates(vertex, n_nodes, &candidates, err);
    if (status == CT_OK)
        status = ct_paths_make(router, topology, candidates.vertices, candidates.n, &paths, err);
    if (status == CT_OK)
        status = ct_paths_choose(&paths, candidates.chosen, &rank, err);
    for (size_t i = 0; i < candidates.n && status == CT_OK; i++)
        if (candidates.chosen[i])
            status = place(&rounds, &room, n_nodes, candidates.nodes[i], err);
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
