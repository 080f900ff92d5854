#include "lp-bridge/collective/algorithms.h"
#include "lp-bridge/collective/steps.h"

/* From a distance on, so many at once each way. */
static void exchange_in_turns(struct ct_collective_expansion *e, uint32_t from, uint32_t at_once)
{
    uint32_t n_ranks = e->call->n_ranks;
    e->of_blocks = n_ranks;
    /* The first turn has one message less without that of the rank to itself, which counts. */
    for (uint32_t first = from, end; first < n_ranks; first = end) {
        end = first - first % at_once + at_once;
        end = end < n_ranks ? end : n_ranks;
        for (uint32_t distance = first; distance < end; distance++)
            ct_steps_receive(e, ct_rank_after(e, distance),
                             ct_part_blocks(e, n_ranks - distance, 1));
        for (uint32_t distance = first; distance < end; distance++)
            ct_steps_send(e, ct_rank_before(e, distance), ct_part_blocks(e, n_ranks - distance, 1));
        ct_steps_end_round(e);
    }
}

void ct_alltoall_linear(struct ct_collective_expansion *e)
{
    exchange_in_turns(e, 1, CT_ALLTOALL_AT_ONCE);
}

/* SMPI sends the rank's own block as a message, too, which costs it both overheads. */
void ct_alltoall_fours(struct ct_collective_expansion *e)
{
    exchange_in_turns(e, 0, CT_ALLTOALL_AT_ONCE_SMPI);
}

/* In step i to the rank i after, from the one i before. */
void ct_alltoall_ring(struct ct_collective_expansion *e)
{
    uint32_t n_ranks = e->call->n_ranks;
    e->of_blocks = n_ranks;
    for (uint32_t i = 1; i < n_ranks; i++)
        ct_steps_exchange(e, ct_rank_after(e, i), ct_part_blocks(e, i, 1), ct_rank_before(e, i),
                          ct_part_blocks(e, i, 1));
}

/* In step i with rank XOR i, if that is a rank for all; else as in a ring. */
void ct_alltoall_pairwise(struct ct_collective_expansion *e)
{
    uint32_t n_ranks = e->call->n_ranks, rank = e->call->rank;
    if ((n_ranks & (n_ranks - 1)) != 0) {
        ct_alltoall_ring(e);
        return;
    }
    e->of_blocks = n_ranks;
    for (uint32_t i = 1; i < n_ranks; i++) {
        uint32_t with = rank ^ i;
        ct_steps_exchange(e, with, ct_part_blocks(e, with + n_ranks - rank, 1), with,
                          ct_part_blocks(e, rank + n_ranks - with, 1));
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
