/* The algorithms, for the table. */
#pragma once

#include "lp-bridge/collective/collective.h"

/* Longest chunk of the pipelined broadcast; the vector is cut into equal ones. Of the segments that
 * Open MPI's fixed decisions choose from (8, 16, 64, 128 KiB) the shortest whose transfer outlasts
 * a latency of a few microseconds at 100 Gbit/s too (5 us): shorter ones would pay for messages,
 * longer ones take longer to reach the last rank. */
#define CT_PIPELINE_CHUNK_BYTES (UINT64_C(64) * 1024)

/* Most messages each way that alltoall has under way: MPICH's ALLTOALL_THROTTLE. */
#define CT_ALLTOALL_AT_ONCE 32

/* The same of SMPI, with that of the rank to itself: MV2_ALLTOALL_THROTTLE_FACTOR. */
#define CT_ALLTOALL_AT_ONCE_SMPI 4

typedef void ct_collective_algorithm_fn(struct ct_collective_expansion *e);

ct_collective_algorithm_fn ct_barrier_dissemination;
ct_collective_algorithm_fn ct_bcast_binomial, ct_bcast_scatter_allgather, ct_bcast_scatter_ring,
    ct_bcast_pipelined_ring;
ct_collective_algorithm_fn ct_reduce_binomial, ct_reduce_scatter_gather;
ct_collective_algorithm_fn ct_allreduce_recursive_doubling, ct_allreduce_ring,
    ct_allreduce_rabenseifner, ct_allreduce_reduce_bcast;
ct_collective_algorithm_fn ct_reduce_scatter_recursive_halving, ct_reduce_scatter_pairwise;
ct_collective_algorithm_fn ct_allgather_ring, ct_allgather_recursive_doubling, ct_allgather_bruck;
ct_collective_algorithm_fn ct_alltoall_linear, ct_alltoall_fours, ct_alltoall_pairwise,
    ct_alltoall_ring, ct_alltoall_bruck;
ct_collective_algorithm_fn ct_gather_linear, ct_gather_binomial;
ct_collective_algorithm_fn ct_scatter_linear, ct_scatter_binomial;
ct_collective_algorithm_fn ct_scan_recursive_doubling, ct_scan_linear;
