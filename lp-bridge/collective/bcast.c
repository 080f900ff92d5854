/* What ends with the same data everywhere: bcast and allgather. */
#include "lp-bridge/collective/algorithms.h"
#include "lp-bridge/collective/steps.h"

void ct_bcast_binomial(struct ct_collective_expansion *e)
{
    e->of_blocks = 1;
    ct_tree_bcast(e, e->call->root);
}

/* From one block a rank to all of them; blocks are counted from the root on. */
static void double_blocks(struct ct_collective_expansion *e, uint32_t root)
{
    struct ct_fold fold = ct_fold_ranks(e, root, 1);
    fold.block_a_rank = true;
    ct_fold_in(e, &fold, ct_part_blocks(e, 2 * fold.id, 1));
    if (!fold.idles)
        ct_fold_double(e, &fold, CT_NEAREST_FIRST, fold.id);
    ct_fold_out(e, &fold, ct_part_whole(e));
}

void ct_bcast_scatter_allgather(struct ct_collective_expansion *e)
{
    e->of_blocks = e->call->n_ranks;
    ct_tree_scatter(e, e->call->root, 0);
    double_blocks(e, e->call->root);
}

void ct_bcast_scatter_ring(struct ct_collective_expansion *e)
{
    e->of_blocks = e->call->n_ranks;
    ct_tree_scatter(e, e->call->root, 0);
    ct_ring_pass(e, ct_rank_before(e, e->call->root), false);
}

/* While a rank receives a chunk, it passes on the one before. */
void ct_bcast_pipelined_ring(struct ct_collective_expansion *e)
{
    uint64_t n_chunks = (e->call->bytes - (e->call->bytes > 0)) / CT_PIPELINE_CHUNK_BYTES + 1;
    e->of_blocks = n_chunks < UINT32_MAX ? (uint32_t)n_chunks : UINT32_MAX - 1;
    uint32_t vrank = ct_rank_before(e, e->call->root);
    bool is_first = vrank == 0, is_last = vrank == e->call->n_ranks - 1;
    for (uint32_t k = 0; k <= e->of_blocks; k++) {
        uint32_t sent = is_first ? k : k - 1;
        if (!is_first && k < e->of_blocks)
            ct_steps_receive(e, ct_rank_before(e, 1), ct_part_blocks(e, k, 1));
        if (!is_last && sent < e->of_blocks)
            ct_steps_send(e, ct_rank_after(e, 1), ct_part_blocks(e, sent, 1));
        ct_steps_end_round(e);
    }
}

void ct_allgather_ring(struct ct_collective_expansion *e)
{
    e->of_blocks = e->call->n_ranks;
    ct_ring_pass(e, e->call->rank, false);
}

void ct_allgather_recursive_doubling(struct ct_collective_expansion *e)
{
    e->of_blocks = e->call->n_ranks;
    double_blocks(e, 0);
}

/* In round k each rank gets, from the one 2^k after it, the blocks that follow its own 2^k. */
void ct_allgather_bruck(struct ct_collective_expansion *e)
{
    uint32_t n_ranks = e->call->n_ranks, rank = e->call->rank;
    e->of_blocks = n_ranks;
    for (uint32_t held = 1; held < n_ranks; held *= 2) {
        uint32_t n = n_ranks - held < held ? n_ranks - held : held;
        ct_steps_exchange(e, ct_rank_before(e, held), ct_part_blocks(e, rank, n),
                          ct_rank_after(e, held), ct_part_blocks(e, rank + held, n));
    }
}
