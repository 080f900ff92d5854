#include "lp-bridge/collective/algorithms.h"
#include "lp-bridge/collective/steps.h"

/* In messages n stands for the bytes of the vector or block, P for the ranks. The first row of a
 * collective can do any call. */
static const struct ct_collective_algorithm algorithms[] = {
    {CT_COLLECTIVE_BARRIER, "dissemination", "ceil(log2 P) rounds of empty messages",
     .sends_empty = true, .expand = ct_barrier_dissemination},

    {CT_COLLECTIVE_BCAST, "binomial", "binomial tree, the whole vector on each edge",
     .expand = ct_bcast_binomial},
    {CT_COLLECTIVE_BCAST, "scatter-allgather",
     "binomial scatter of n/P each, then recursive doubling; folds if P is no power of two",
     .expand = ct_bcast_scatter_allgather},
    {CT_COLLECTIVE_BCAST, "scatter-ring", "binomial scatter of n/P each, then P-1 rounds of a ring",
     .expand = ct_bcast_scatter_ring},
    {CT_COLLECTIVE_BCAST, "pipelined-ring",
     "around the ring in equal chunks of at most 64 KiB, sent on while the next arrives",
     .expand = ct_bcast_pipelined_ring},

    {CT_COLLECTIVE_REDUCE, "binomial", "binomial tree, the whole vector on each edge",
     .expand = ct_reduce_binomial},
    {CT_COLLECTIVE_REDUCE, "reduce-scatter-gather",
     "recursive halving, then a binomial gather; folds if P is no power of two",
     .expand = ct_reduce_scatter_gather},

    {CT_COLLECTIVE_ALLREDUCE, "recursive-doubling",
     "log2 P rounds of n; folds if P is no power of two",
     .expand = ct_allreduce_recursive_doubling},
    {CT_COLLECTIVE_ALLREDUCE, "ring", "2 (P-1) rounds of n/P around a ring",
     .expand = ct_allreduce_ring},
    {CT_COLLECTIVE_ALLREDUCE, "rabenseifner",
     "recursive halving, then doubling: 2 log2 P rounds, 2 n (P-1)/P; folds if P is no power of "
     "two",
     .expand = ct_allreduce_rabenseifner},
    {CT_COLLECTIVE_ALLREDUCE, "reduce-bcast", "binomial reduce to rank 0, binomial bcast from it",
     .expand = ct_allreduce_reduce_bcast},

    {CT_COLLECTIVE_REDUCE_SCATTER, "pairwise", "P-1 rounds, with each rank its block",
     .sends_empty = true, .expand = ct_reduce_scatter_pairwise},
    {CT_COLLECTIVE_REDUCE_SCATTER, "recursive-halving",
     "log2 P rounds of n/2, n/4, ...; folds if P is no power of two",
     .expand = ct_reduce_scatter_recursive_halving},

    {CT_COLLECTIVE_ALLGATHER, "ring", "P-1 rounds of a block", .expand = ct_allgather_ring},
    {CT_COLLECTIVE_ALLGATHER, "recursive-doubling",
     "log2 P rounds of 1, 2, 4, ... blocks; folds if P is no power of two", .sends_empty = true,
     .expand = ct_allgather_recursive_doubling},
    {CT_COLLECTIVE_ALLGATHER, "bruck", "ceil(log2 P) rounds of 1, 2, 4, ... blocks",
     .sends_empty = true, .expand = ct_allgather_bruck},

    {CT_COLLECTIVE_ALLTOALL, "linear", "all messages at once, at most 32 each way",
     .expand = ct_alltoall_linear},
    {CT_COLLECTIVE_ALLTOALL, "fours",
     "four messages at once each way, that of a rank to itself with them: SimGrid's SMPI",
     .expand = ct_alltoall_fours},
    {CT_COLLECTIVE_ALLTOALL, "pairwise", "P-1 rounds of a block", .expand = ct_alltoall_pairwise},
    {CT_COLLECTIVE_ALLTOALL, "ring", "P-1 rounds of a block, to the rank i after in the i-th",
     .expand = ct_alltoall_ring},
    {CT_COLLECTIVE_ALLTOALL, "bruck", "ceil(log2 P) rounds of about P/2 blocks; not for alltoallv",
     .equal_blocks = true, .expand = ct_alltoall_bruck},

    {CT_COLLECTIVE_GATHER, "linear", "the root receives from all at once",
     .expand = ct_gather_linear},
    {CT_COLLECTIVE_GATHER, "binomial", "binomial tree; not for gatherv", .equal_blocks = true,
     .expand = ct_gather_binomial},

    {CT_COLLECTIVE_SCATTER, "linear", "the root sends to all at once", .expand = ct_scatter_linear},
    {CT_COLLECTIVE_SCATTER, "binomial", "binomial tree; not for scatterv", .equal_blocks = true,
     .expand = ct_scatter_binomial},

    {CT_COLLECTIVE_SCAN, "recursive-doubling", "ceil(log2 P) rounds of n",
     .expand = ct_scan_recursive_doubling},
    {CT_COLLECTIVE_SCAN, "linear", "from each rank to the next", .expand = ct_scan_linear},

    {CT_COLLECTIVE_EXSCAN, "recursive-doubling", "ceil(log2 P) rounds of n",
     .expand = ct_scan_recursive_doubling},
    {CT_COLLECTIVE_EXSCAN, "linear", "from each rank to the next", .expand = ct_scan_linear},
};

const struct ct_collective_algorithm *ct_collective_algorithms(size_t *n_p)
{
    *n_p = sizeof algorithms / sizeof *algorithms;
    return algorithms;
}
