/* Functions for writing algorithms: parts of the data, steps, rounds, and the folding of ranks. */
#pragma once

#include "lp-bridge/collective/collective.h"

/* An expansion under way. Algorithms set of_blocks first. */
struct ct_collective_expansion {
    const struct ct_collective_call *call;
    ct_collective_sink *sink;
    void *context;
    enum ct_status
        status; /* of the first call of sink that failed; sink is not called after that */
    uint32_t round;
    uint32_t of_blocks;
    bool sends_empty;
};

/* The size that rules choose by, bytes. */
uint64_t ct_call_size(const struct ct_collective_call *call);

/* Part of the data in a step, see struct ct_collective_step. */
struct ct_part {
    uint32_t first, n, run;
    bool is_reduced;
};

/* n consecutive blocks, beginning with first, which may be of_blocks or more. */
struct ct_part ct_part_blocks(const struct ct_collective_expansion *e, uint32_t first, uint32_t n);
struct ct_part ct_part_whole(const struct ct_collective_expansion *e);
/* The same part, to be reduced by the receiver. */
struct ct_part ct_part_reduced(struct ct_part part);

/* Rank that is distance after or before this one, around the ring; distance <= n_ranks. */
uint32_t ct_rank_after(const struct ct_collective_expansion *e, uint32_t distance);
uint32_t ct_rank_before(const struct ct_collective_expansion *e, uint32_t distance);

/* Add a step to the current round; receives before sends. */
void ct_steps_send(struct ct_collective_expansion *e, uint32_t to, struct ct_part part);
void ct_steps_receive(struct ct_collective_expansion *e, uint32_t from, struct ct_part part);
void ct_steps_end_round(struct ct_collective_expansion *e);
/* A round of a receive and a send. */
void ct_steps_exchange(struct ct_collective_expansion *e, uint32_t to, struct ct_part sent,
                       uint32_t from, struct ct_part received);

/* Largest power of two that is not above n; n >= 1. */
uint32_t ct_power_of_two_below(uint32_t n);

/*
 * Algorithms for a power of two of ranks fold the extra ranks: of the first 2 * extra ranks,
 * counted from the root, every other one gives its part to its neighbour and idles. The remaining
 * ranks have ids 0 .. n_ids - 1.
 */
struct ct_fold {
    uint32_t n_ranks, root;
    uint32_t n_ids; /* power of two */
    uint32_t extra; /* n_ranks - n_ids */
    uint32_t stays; /* 0: the even of two neighbours stays, 1: the odd one */
    uint32_t id;    /* of this rank; that of its neighbour, if it idles */
    bool idles;
    bool block_a_rank; /* the blocks are those of ranks; else each id has one */
};
struct ct_fold ct_fold_ranks(const struct ct_collective_expansion *e, uint32_t root,
                             uint32_t stays);
uint32_t ct_fold_rank_of(const struct ct_fold *fold, uint32_t id);
/* The blocks that belong to n ids. */
struct ct_part ct_fold_part(const struct ct_collective_expansion *e, const struct ct_fold *fold,
                            uint32_t first_id, uint32_t n);
/*
 * The round in which idling ranks give away their data, and the one in which they get the result.
 */
void ct_fold_in(struct ct_collective_expansion *e, const struct ct_fold *fold, struct ct_part part);
void ct_fold_out(struct ct_collective_expansion *e, const struct ct_fold *fold,
                 struct ct_part part);

/* Which partners come first: ids that differ in the lowest bit, or in the highest. */
enum ct_order { CT_NEAREST_FIRST, CT_FARTHEST_FIRST };
/* Bit in which partners of a step differ, for step < log2(n_ids). */
uint32_t ct_fold_bit(const struct ct_fold *fold, enum ct_order order, uint32_t step);

/*
 * Recursive halving: partners divide their data, and each reduces its half. Returns the block that
 * the id has afterwards: its own after FARTHEST_FIRST.
 */
uint32_t ct_fold_halve(struct ct_collective_expansion *e, const struct ct_fold *fold,
                       enum ct_order order);
/* Recursive doubling: the way back, from one block to all. order: the opposite one. */
void ct_fold_double(struct ct_collective_expansion *e, const struct ct_fold *fold,
                    enum ct_order order, uint32_t block);

/*
 * n_ranks - 1 rounds around the ring, in which each rank forwards the block that it has received,
 * beginning with own.
 */
void ct_ring_pass(struct ct_collective_expansion *e, uint32_t own, bool is_reduced);

/* Binomial trees. In scatter and gather, block first_block is that of the root, the next that of
 * the rank after it. */
void ct_tree_bcast(struct ct_collective_expansion *e, uint32_t root);
void ct_tree_reduce(struct ct_collective_expansion *e, uint32_t root);
void ct_tree_scatter(struct ct_collective_expansion *e, uint32_t root, uint32_t first_block);
void ct_tree_gather(struct ct_collective_expansion *e, uint32_t root, uint32_t first_block);
