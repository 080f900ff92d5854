/* Mappings by what all messages cost together: no critical path, but quick. */
#include "lp-bridge/place/constants.h"
#include "lp-bridge/place/search.h"

#include <math.h>
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

/* A mapping whose ranks are exchanged. */
struct lowering {
    const struct ct_placer *placer;
    struct ct_place_pairs pairs;
    struct ct_place_room room;
    uint32_t *mapping, *used; /* used: ranks on each node */
    double *costs_ns; /* of the messages of each rank; NaN: not known since something moved */
    double priced;    /* pairs, in all */
};

static double price_rank(struct lowering *lowering, uint32_t rank)
{
    const struct ct_place_pairs *pairs = &lowering->pairs;
    double sum_ns = 0;
    for (uint32_t i = pairs->first[rank]; i < pairs->first[rank + 1]; i++)
        sum_ns += cost_of(lowering->placer, &pairs->pairs[pairs->of[i]], lowering->mapping);
    lowering->priced += pairs->first[rank + 1] - pairs->first[rank];
    return sum_ns;
}

static double cost_of_rank(struct lowering *lowering, uint32_t rank)
{
    double *cost_ns = &lowering->costs_ns[rank];
    if (isnan(*cost_ns))
        *cost_ns = price_rank(lowering, rank);
    return *cost_ns;
}

static void forget_costs(struct lowering *lowering)
{
    for (uint32_t r = 0; r < lowering->room.n_ranks; r++)
        lowering->costs_ns[r] = NAN;
}

static void swap_nodes(uint32_t *mapping, uint32_t a, uint32_t b)
{
    uint32_t node = mapping[a];
    mapping[a] = mapping[b];
    mapping[b] = node;
}

/* Messages between the two count twice before and after, and cost the same if pairs of nodes cost
 * the same in both directions; else the estimate is a little off, and the sum is not lower. */
static bool try_swap(struct lowering *lowering, uint32_t a, uint32_t b)
{
    const double before_ns = cost_of_rank(lowering, a) + cost_of_rank(lowering, b);
    swap_nodes(lowering->mapping, a, b);
    if (price_rank(lowering, a) + price_rank(lowering, b) < before_ns * (1 - 1e-9)) {
        forget_costs(lowering);
        return true;
    }
    swap_nodes(lowering->mapping, a, b);
    return false;
}

static bool try_move(struct lowering *lowering, uint32_t rank, uint32_t node)
{
    const uint32_t before = lowering->mapping[rank];
    const double before_ns = cost_of_rank(lowering, rank);
    lowering->mapping[rank] = node;
    if (price_rank(lowering, rank) < before_ns * (1 - 1e-9)) {
        lowering->used[before]--;
        lowering->used[node]++;
        forget_costs(lowering);
        return true;
    }
    lowering->mapping[rank] = before;
    return false;
}

/* Whether anything changed. */
static bool lower_once(struct lowering *lowering)
{
    const double priced_max = ct_place_constant(CT_PLACE_PRICED_PAIRS);
    const struct ct_place_room *room = &lowering->room;
    const uint32_t *mapping = lowering->mapping;
    bool changed = false;
    for (uint32_t a = 0; a < room->n_ranks && lowering->priced < priced_max; a++) {
        for (uint32_t b = a + 1; b < room->n_ranks; b++)
            if (mapping[a] != mapping[b] && try_swap(lowering, a, b))
                changed = true;
        for (uint32_t node = 0; node < room->n_nodes; node++)
            if (lowering->used[node] < room->ranks_per_node && mapping[a] != node &&
                try_move(lowering, a, node))
                changed = true;
    }
    return changed && lowering->priced < priced_max;
}

enum ct_status ct_place_lower_volume(const struct ct_placer *placer, uint32_t *mapping,
                                     struct ct_error *err)
{
    struct lowering lowering = {.placer = placer,
                                .pairs = ct_placer_pairs(placer),
                                .room = ct_placer_room(placer),
                                .mapping = mapping};
    lowering.used = calloc(lowering.room.n_nodes, sizeof *lowering.used);
    lowering.costs_ns = malloc((lowering.room.n_ranks + (size_t)1) * sizeof *lowering.costs_ns);
    const bool ok = lowering.used && lowering.costs_ns;
    if (ok) {
        for (uint32_t r = 0; r < lowering.room.n_ranks; r++)
            lowering.used[mapping[r]]++;
        forget_costs(&lowering);
        for (int round = 0; round < ROUNDS_MAX && lower_once(&lowering); round++)
            ;
    }
    free(lowering.used);
    free(lowering.costs_ns);
    return ok ? CT_OK : ct_no_memory(err, "placement");
}
