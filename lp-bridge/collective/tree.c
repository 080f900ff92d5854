/* Binomial trees: the parent of a vrank, counted from the root, has its lowest bit cleared. */
#include "lp-bridge/collective/steps.h"

/* Lowest bit of the vrank; for the root the first power of two that is not below n_ranks. */
static uint32_t lowest_bit(uint32_t vrank, uint32_t n_ranks)
{
    uint32_t bit = 1;
    while (bit < n_ranks && !(vrank & bit))
        bit *= 2;
    return bit;
}

/* The blocks of a vrank and of all below it, whose subtree has room for `room` of them. */
static struct ct_part find_subtree(const struct ct_collective_expansion *e, uint32_t vrank,
                                   uint32_t room, uint32_t first_block)
{
    uint32_t left = e->call->n_ranks - vrank;
    return ct_part_blocks(e, first_block + vrank, left < room ? left : room);
}

/* One message down each edge, the farthest child first; scattered parts or the whole. */
static void pass_down(struct ct_collective_expansion *e, uint32_t root, bool is_scattered,
                      uint32_t first_block)
{
    uint32_t n_ranks = e->call->n_ranks, vrank = ct_rank_before(e, root);
    uint32_t bit = lowest_bit(vrank, n_ranks);
    if (vrank != 0) {
        ct_steps_receive(e, ct_rank_before(e, bit),
                         is_scattered ? find_subtree(e, vrank, bit, first_block)
                                      : ct_part_whole(e));
        ct_steps_end_round(e);
    }
    for (bit /= 2; bit > 0; bit /= 2) {
        if (bit >= n_ranks - vrank)
            continue;
        ct_steps_send(e, ct_rank_after(e, bit),
                      is_scattered ? find_subtree(e, vrank + bit, bit, first_block)
                                   : ct_part_whole(e));
        ct_steps_end_round(e);
    }
}

/* One message up each edge, the nearest child first. */
static void pass_up(struct ct_collective_expansion *e, uint32_t root, bool is_gathered,
                    uint32_t first_block)
{
    uint32_t n_ranks = e->call->n_ranks, vrank = ct_rank_before(e, root);
    struct ct_part whole = ct_part_reduced(ct_part_whole(e));
    uint32_t lowest = lowest_bit(vrank, n_ranks);
    for (uint32_t bit = 1; bit < lowest && bit < n_ranks - vrank; bit *= 2) {
        ct_steps_receive(e, ct_rank_after(e, bit),
                         is_gathered ? find_subtree(e, vrank + bit, bit, first_block) : whole);
        ct_steps_end_round(e);
    }
    if (vrank != 0)
        ct_steps_send(e, ct_rank_before(e, lowest),
                      is_gathered ? find_subtree(e, vrank, lowest, first_block) : whole);
    ct_steps_end_round(e);
}

void ct_tree_bcast(struct ct_collective_expansion *e, uint32_t root)
{
    pass_down(e, root, false, 0);
}

void ct_tree_reduce(struct ct_collective_expansion *e, uint32_t root)
{
    pass_up(e, root, false, 0);
}

void ct_tree_scatter(struct ct_collective_expansion *e, uint32_t root, uint32_t first_block)
{
    pass_down(e, root, true, first_block);
}

void ct_tree_gather(struct ct_collective_expansion *e, uint32_t root, uint32_t first_block)
{
    pass_up(e, root, true, first_block);
}
