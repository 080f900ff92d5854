/*
 * A collective call carried out by all ranks at once, on sets instead of numbers: a set says whose
 * contributions a block holds. Sends are synchronous: a round ends when its messages are received,
 * so that what works here works with any buffering.
 */
#pragma once

#include "lp-bridge/collective/collective.h"

enum { SIMULATED_RANKS_MAX = 64, SIMULATED_BLOCKS_MAX = 64 };

/* The steps of one rank. */
struct rank_steps {
    struct ct_collective_step *steps;
    size_t n, room;
};

/* A call seen by all ranks; sizes as in ct_collective_call, of all. */
struct simulated_call {
    enum ct_collective what;
    uint32_t n_ranks, root;
    uint64_t bytes;
    const uint64_t *block_bytes; /* n_ranks: allgatherv, gatherv, scatterv, reduce_scatter */
    const uint64_t *pair_bytes;  /* n_ranks x n_ranks, row of the sender: alltoallv */
    struct rank_steps ranks[SIMULATED_RANKS_MAX];
};

/* Expand for every rank; asserts what holds for each rank by itself. */
void simulated_call_expand(struct simulated_call *call, const struct ct_collective_rules *rules);
void simulated_call_free(struct simulated_call *call);

/* NULL if all ranks end with what MPI promises, else what went wrong. */
const char *simulated_call_run(const struct simulated_call *call);
