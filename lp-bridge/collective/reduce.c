/* Reductions, and the barrier, which is one without data. */
#include "lp-bridge/collective/algorithms.h"
#include "lp-bridge/collective/steps.h"

/* In round k each rank signals the one 2^k after it. */
void ct_barrier_dissemination(struct ct_collective_expansion *e)
{
    for (uint32_t distance = 1; distance < e->call->n_ranks; distance *= 2)
        ct_steps_exchange(e, ct_rank_after(e, distance), (struct ct_part){0},
                          ct_rank_before(e, distance), (struct ct_part){0});
}

void ct_reduce_binomial(struct ct_collective_expansion *e)
{
    e->of_blocks = 1;
    ct_tree_reduce(e, e->call->root);
}

/*
 * Gather to the root what halving has left at the ids, partners in the opposite order: of two, the
 * one goes on that is on the root's side.
 */
static void gather_halves(struct ct_collective_expansion *e, const struct ct_fold *fold,
                          uint32_t root_id, uint32_t block)
{
    uint32_t step = 0;
    for (uint32_t n = 1; n < fold->n_ids; n *= 2, step++) {
        uint32_t bit = ct_fold_bit(fold, CT_FARTHEST_FIRST, step), partner_id = fold->id ^ bit;
        uint32_t partner = ct_fold_rank_of(fold, partner_id);
        /* A root that idled has taken the place of id 0. */
        if (partner_id == 0 && root_id == 0)
            partner = e->call->root;
        if ((fold->id ^ root_id) & bit) {
            ct_steps_send(e, partner, ct_fold_part(e, fold, block, n));
            return;
        }
        ct_steps_receive(e, partner, ct_fold_part(e, fold, block ^ n, n));
        ct_steps_end_round(e);
        block &= ~n;
    }
}

void ct_reduce_scatter_gather(struct ct_collective_expansion *e)
{
    uint32_t root = e->call->root;
    struct ct_fold fold = ct_fold_ranks(e, 0, 0);
    e->of_blocks = fold.n_ids;
    ct_fold_in(e, &fold, ct_part_reduced(ct_part_whole(e)));
    uint32_t block = fold.idles ? 0 : ct_fold_halve(e, &fold, CT_NEAREST_FIRST);

    uint32_t root_id = root < 2 * fold.extra ? root / 2 : root - fold.extra;
    if (ct_fold_rank_of(&fold, root_id) != root) { /* the root idles: id 0 hands its place over */
        root_id = 0;
        if (e->call->rank == root) {
            ct_steps_receive(e, ct_fold_rank_of(&fold, 0), ct_fold_part(e, &fold, 0, 1));
            ct_steps_end_round(e);
            fold.id = 0;
            fold.idles = false;
        } else if (!fold.idles && fold.id == 0) {
            ct_steps_send(e, root, ct_fold_part(e, &fold, 0, 1));
            return;
        }
    }
    if (!fold.idles)
        gather_halves(e, &fold, root_id, block);
}

void ct_allreduce_recursive_doubling(struct ct_collective_expansion *e)
{
    e->of_blocks = 1;
    struct ct_fold fold = ct_fold_ranks(e, 0, 1);
    struct ct_part whole = ct_part_whole(e), reduced = ct_part_reduced(whole);
    ct_fold_in(e, &fold, reduced);
    for (uint32_t bit = 1; bit < fold.n_ids && !fold.idles; bit *= 2) {
        uint32_t partner = ct_fold_rank_of(&fold, fold.id ^ bit);
        ct_steps_exchange(e, partner, reduced, partner, reduced);
    }
    ct_fold_out(e, &fold, whole);
}

void ct_allreduce_ring(struct ct_collective_expansion *e)
{
    e->of_blocks = e->call->n_ranks;
    ct_ring_pass(e, e->call->rank, true);
    ct_ring_pass(e, ct_rank_after(e, 1), false);
}

void ct_allreduce_rabenseifner(struct ct_collective_expansion *e)
{
    struct ct_fold fold = ct_fold_ranks(e, 0, 1);
    e->of_blocks = fold.n_ids;
    ct_fold_in(e, &fold, ct_part_reduced(ct_part_whole(e)));
    if (!fold.idles) {
        uint32_t block = ct_fold_halve(e, &fold, CT_NEAREST_FIRST);
        ct_fold_double(e, &fold, CT_FARTHEST_FIRST, block);
    }
    ct_fold_out(e, &fold, ct_part_whole(e));
}

void ct_allreduce_reduce_bcast(struct ct_collective_expansion *e)
{
    e->of_blocks = 1;
    ct_tree_reduce(e, 0);
    ct_tree_bcast(e, 0);
}

void ct_reduce_scatter_recursive_halving(struct ct_collective_expansion *e)
{
    e->of_blocks = e->call->n_ranks;
    struct ct_fold fold = ct_fold_ranks(e, 0, 1);
    fold.block_a_rank = true;
    ct_fold_in(e, &fold, ct_part_reduced(ct_part_whole(e)));
    if (!fold.idles)
        ct_fold_halve(e, &fold, CT_FARTHEST_FIRST);
    ct_fold_out(e, &fold, ct_part_blocks(e, 2 * fold.id, 1));
}

void ct_reduce_scatter_pairwise(struct ct_collective_expansion *e)
{
    e->of_blocks = e->call->n_ranks;
    struct ct_part own = ct_part_reduced(ct_part_blocks(e, e->call->rank, 1));
    for (uint32_t distance = 1; distance < e->call->n_ranks; distance++) {
        uint32_t to = ct_rank_after(e, distance);
        ct_steps_exchange(e, to, ct_part_reduced(ct_part_blocks(e, to, 1)),
                          ct_rank_before(e, distance), own);
    }
}

void ct_scan_recursive_doubling(struct ct_collective_expansion *e)
{
    e->of_blocks = 1;
    struct ct_part whole = ct_part_reduced(ct_part_whole(e));
    for (uint32_t bit = 1; bit < e->call->n_ranks; bit *= 2) {
        uint32_t partner = e->call->rank ^ bit;
        if (partner < e->call->n_ranks)
            ct_steps_exchange(e, partner, whole, partner, whole);
    }
}

void ct_scan_linear(struct ct_collective_expansion *e)
{
    e->of_blocks = 1;
    struct ct_part whole = ct_part_reduced(ct_part_whole(e));
    if (e->call->rank > 0) {
        ct_steps_receive(e, e->call->rank - 1, whole);
        ct_steps_end_round(e);
    }
    if (e->call->rank + 1 < e->call->n_ranks)
        ct_steps_send(e, e->call->rank + 1, whole);
}
