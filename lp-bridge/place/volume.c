/* Mappings by what all messages cost together: no critical path, but quick. */
#include "lp-bridge/place/search.h"

#include <stdlib.h>

enum { ROUNDS_MAX = 50 };

struct ct_place_room ct_placer_room(const struct ct_placer *placer)
{
    struct ct_placer_size size = ct_placer_size(placer);
    return (struct ct_place_room){size.n_ranks, size.n_nodes, size.ranks_per_node};
}

static double cost_of(const struct ct_placer *placer, const struct ct_place_pair *pair,
                      const uint32_t *mapping)
{
    const struct ct_place_count count = {pair->messages, pair->messages, pair->bytes};
    return ct_placer_price(placer, &count, mapping[pair->from], mapping[pair->to]);
}

double ct_place_volume(const struct ct_placer *placer, const uint32_t *mapping)
{
    struct ct_place_pairs pairs = ct_placer_pairs(placer);
    double sum_ns = 0;
    for (size_t p = 0; p < pairs.n; p++)
        sum_ns += cost_of(placer, &pairs.pairs[p], mapping);
    return sum_ns;
}

static double cost_of_rank(const struct ct_placer *placer, const struct ct_place_pairs *pairs,
                           uint32_t rank, const uint32_t *mapping)
{
    double sum_ns = 0;
    for (uint32_t i = pairs->first[rank]; i < pairs->first[rank + 1]; i++)
        sum_ns += cost_of(placer, &pairs->pairs[pairs->of[i]], mapping);
    return sum_ns;
}

static void swap_nodes(uint32_t *mapping, uint32_t a, uint32_t b)
{
    uint32_t node = mapping[a];
    mapping[a] = mapping[b];
    mapping[b] = node;
}

/* Messages between the two count twice before and after, and cost the same if pairs of nodes cost
 * the same in both directions; else the estimate is a little off, and the sum is not lower. */
static bool try_swap(const struct ct_placer *placer, const struct ct_place_pairs *pairs,
                     uint32_t *mapping, uint32_t a, uint32_t b)
{
    double before_ns =
        cost_of_rank(placer, pairs, a, mapping) + cost_of_rank(placer, pairs, b, mapping);
    swap_nodes(mapping, a, b);
    double after_ns =
        cost_of_rank(placer, pairs, a, mapping) + cost_of_rank(placer, pairs, b, mapping);
    if (after_ns < before_ns * (1 - 1e-9))
        return true;
    swap_nodes(mapping, a, b);
    return false;
}

static bool try_move(const struct ct_placer *placer, const struct ct_place_pairs *pairs,
                     uint32_t *mapping, uint32_t rank, uint32_t node)
{
    uint32_t before = mapping[rank];
    double before_ns = cost_of_rank(placer, pairs, rank, mapping);
    mapping[rank] = node;
    if (cost_of_rank(placer, pairs, rank, mapping) < before_ns * (1 - 1e-9))
        return true;
    mapping[rank] = before;
    return false;
}

/* Whether anything changed. */
static bool round_of(const struct ct_placer *placer, uint32_t *mapping, uint32_t *used)
{
    const struct ct_place_pairs pairs = ct_placer_pairs(placer);
    const struct ct_place_room room = ct_placer_room(placer);
    bool changed = false;
    for (uint32_t a = 0; a < room.n_ranks; a++) {
        for (uint32_t b = a + 1; b < room.n_ranks; b++)
            if (mapping[a] != mapping[b] && try_swap(placer, &pairs, mapping, a, b))
                changed = true;
        for (uint32_t node = 0; node < room.n_nodes; node++) {
            uint32_t before = mapping[a];
            if (used[node] == room.ranks_per_node || before == node ||
                !try_move(placer, &pairs, mapping, a, node))
                continue;
            used[before]--;
            used[node]++;
            changed = true;
        }
    }
    return changed;
}

enum ct_status ct_place_lower_volume(const struct ct_placer *placer, uint32_t *mapping,
                                     struct ct_error *err)
{
    const struct ct_place_room room = ct_placer_room(placer);
    uint32_t *used = calloc(room.n_nodes, sizeof *used);
    if (!used)
        return ct_no_memory(err, "placement");
    for (uint32_t r = 0; r < room.n_ranks; r++)
        used[mapping[r]]++;
    for (int round = 0; round < ROUNDS_MAX && round_of(placer, mapping, used); round++)
        ;
    free(used);
    return CT_OK;
}
