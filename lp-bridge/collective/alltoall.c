#include "lp-bridge/collective/algorithms.h"
#include "lp-bridge/collective/steps.h"

void ct_alltoall_linear(struct ct_collective_expansion *e)
{
    uint32_t n_ranks = e->call->n_ranks;
    e->of_blocks = n_ranks;
    /* The first turn has one message less: MPICH counts that of the rank to itself. */
    for (uint32_t first = 1, end; first < n_ranks; first = end) {
        end = first - first % CT_ALLTOALL_AT_ONCE + CT_ALLTOALL_AT_ONCE;
        end = end < n_ranks ? end : n_ranks;
        for (uint32_t distance = first; distance < end; distance++)
            ct_steps_receive(e, ct_rank_after(e, distance),
                             ct_part_blocks(e, n_ranks - distance, 1));
        for (uint32_t distance = first; distance < end; distance++)
            ct_steps_send(e, ct_rank_before(e, distance), ct_part_blocks(e, n_ranks - distance, 1));
        ct_steps_end_round(e);
    }
}

/* In step i with rank XOR i, if that is a rank for all; else to the one i after, from i before. */
void ct_alltoall_pairwise(struct ct_collective_expansion *e)
{
    uint32_t n_ranks = e->call->n_ranks, rank = e->call->rank;
    bool is_power_of_two = (n_ranks & (n_ranks - 1)) == 0;
    e->of_blocks = n_ranks;
    for (uint32_t i = 1; i < n_ranks; i++) {
        uint32_t to = is_power_of_two ? rank ^ i : ct_rank_after(e, i);
        uint32_t from = is_power_of_two ? rank ^ i : ct_rank_before(e, i);
        ct_steps_exchange(e, to, ct_part_blocks(e, to + n_ranks - rank, 1), from,
                          ct_part_blocks(e, rank + n_ranks - from, 1));
    }
}

/* Blocks of distance d travel by the bits of d: in round k those with bit k set, 2^k ranks on. */
void ct_alltoall_bruck(struct ct_collective_expansion *e)
{
    uint32_t n_ranks = e->call->n_ranks;
    e->of_blocks = n_ranks;
    for (uint32_t bit = 1; bit < n_ranks; bit *= 2) {
        uint32_t rest = n_ranks % (2 * bit);
        uint32_t n = n_ranks / (2 * bit) * bit + (rest > bit ? rest - bit : 0);
        struct ct_part part = {.first = bit, .n = n, .run = bit < n ? bit : n};
        ct_steps_exchange(e, ct_rank_after(e, bit), part, ct_rank_before(e, bit), part);
    }
}
