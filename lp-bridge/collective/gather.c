/* Between one rank and all others: gather and scatter. */
#include "lp-bridge/collective/algorithms.h"
#include "lp-bridge/collective/steps.h"

void ct_gather_linear(struct ct_collective_expansion *e)
{
    uint32_t n_ranks = e->call->n_ranks, root = e->call->root;
    e->of_blocks = n_ranks;
    if (e->call->rank != root)
        ct_steps_send(e, root, ct_part_blocks(e, e->call->rank, 1));
    else
        for (uint32_t rank = 0; rank < n_ranks; rank++)
            if (rank != root)
                ct_steps_receive(e, rank, ct_part_blocks(e, rank, 1));
}

void ct_gather_binomial(struct ct_collective_expansion *e)
{
    e->of_blocks = e->call->n_ranks;
    ct_tree_gather(e, e->call->root, e->call->root);
}

void ct_scatter_linear(struct ct_collective_expansion *e)
{
    uint32_t n_ranks = e->call->n_ranks, root = e->call->root;
    e->of_blocks = n_ranks;
    if (e->call->rank != root)
        ct_steps_receive(e, root, ct_part_blocks(e, e->call->rank, 1));
    else
        for (uint32_t rank = 0; rank < n_ranks; rank++)
            if (rank != root)
                ct_steps_send(e, rank, ct_part_blocks(e, rank, 1));
}

void ct_scatter_binomial(struct ct_collective_expansion *e)
{
    e->of_blocks = e->call->n_ranks;
    ct_tree_scatter(e, e->call->root, e->call->root);
}
