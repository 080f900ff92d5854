/**
 * The messages that one rank sends and receives in a collective call, by the algorithms of MPI
 * libraries.
 *
 * A call is expanded by an algorithm, a row of a table, which rules choose by the size of the call
 * and the number of ranks. All ranks of a communicator that expand the same call by the same rules
 * get matching steps: between two ranks, the k-th send of one matches the k-th receive of the
 * other, and has the same size.
 *
 *     static enum ct_status print(const struct ct_collective_step *step, void *context)
 *     {
 *         fprintf(context, "%s %u\n", step->is_send ? "send to" : "receive from", step->peer);
 *         return CT_OK;
 *     }
 *     ...
 *     struct ct_collective_rules rules;
 *     ct_collective_rules_default(&rules);
 *     struct ct_collective_call call = {
 *         .what = CT_COLLECTIVE_ALLREDUCE, .n_ranks = 16, .rank = 3, .bytes = 4096};
 *     status = ct_collective_expand(&rules, &call, print, stdout, err);
 *
 * Not modelled: the time that a rank takes to reduce or to copy received data, the order of
 * operands of operations that do not commute, and algorithms that depend on which ranks share a
 * node. Vectors are divided at bytes; libraries divide between elements.
 *
 * Messages without bytes are left out, except by those algorithms that send them in MPICH too
 * (sends_empty). A message of a rank to itself is a copy, and left out but in "fours" of alltoall.
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ct_collective {
    CT_COLLECTIVE_BARRIER,
    CT_COLLECTIVE_BCAST,
    CT_COLLECTIVE_REDUCE,
    CT_COLLECTIVE_ALLREDUCE,
    CT_COLLECTIVE_REDUCE_SCATTER,
    CT_COLLECTIVE_ALLGATHER,
    CT_COLLECTIVE_ALLTOALL,
    CT_COLLECTIVE_GATHER,
    CT_COLLECTIVE_SCATTER,
    CT_COLLECTIVE_SCAN,
    CT_COLLECTIVE_EXSCAN,
    CT_COLLECTIVE_N_COLLECTIVES
};

/** Name of a collective as in options, "reduce-scatter"; static storage. */
const char *ct_collective_name(enum ct_collective what);

/** One call of one rank. */
struct ct_collective_call {
    enum ct_collective what;
    uint32_t n_ranks, rank; /**< of the communicator; 1 <= n_ranks <= 2^31 */
    uint32_t root;          /**< bcast, reduce, gather, scatter; else ignored */
    /**
     * bcast, reduce, allreduce, reduce_scatter, scan, exscan: the whole vector; allgather,
     * alltoall, gather, scatter: the block of one rank. Ignored by barriers, and where blocks are
     * given below.
     */
    uint64_t bytes;
    /**
     * Blocks of unequal size, n_ranks each, borrowed; NULL: equal ones. allgatherv, reduce_scatter,
     * gatherv and scatterv: recv_bytes is the block of each rank; for gatherv and scatterv only the
     * root reads all of them, other ranks their own element. alltoallv: bytes that this rank sends
     * to and receives from each rank. send_bytes is NULL except for alltoallv. Both are NULL for
     * collectives without blocks.
     */
    const uint64_t *send_bytes, *recv_bytes;
};

/**
 * A message of the rank. The steps of a round begin together, when all steps of this rank's earlier
 * rounds are complete: a send and a receive are a blocking sendrecv, more are nonblocking and
 * completed together. Receives come first, as libraries post them.
 *
 * The part of the data in the message (for tests, or a model of the time to reduce): the data is
 * divided into of_blocks blocks. The message has n_blocks of them, beginning with first_block, in
 * runs of run_blocks blocks; between two runs as many blocks are left out. After the last block
 * follows block 0.
 * - bcast, reduce, allreduce, scan, exscan: the vector is divided into equal parts.
 * - reduce_scatter, allgather, gather, scatter: block i is that of rank i.
 * - alltoall: block d is the data for the rank that is d ranks after its source.
 */
struct ct_collective_step {
    bool is_send;
    bool is_reduced; /**< the receiver reduces the data into its own, instead of storing it */
    uint32_t peer;   /**< rank in the communicator: the rank itself in "fours" of alltoall only */
    uint32_t round;  /**< from 0, not decreasing; numbers may be left out */
    uint64_t bytes;
    uint32_t first_block, n_blocks, run_blocks, of_blocks;
};

/**
 * Receives a step, which is valid during the call only. A status other than CT_OK ends the
 * expansion.
 */
typedef enum ct_status ct_collective_sink(const struct ct_collective_step *step, void *context);

struct ct_collective_expansion;

/** An algorithm: a row of the table. */
struct ct_collective_algorithm {
    enum ct_collective what;
    const char *name;  /**< "recursive-doubling"; unique for its collective */
    const char *about; /**< one line: steps, bytes, what it does if n_ranks is no power of two */
    /** Needs equal blocks, since ranks forward blocks of others. */
    bool equal_blocks;
    /** Messages without bytes are sent too, if the call has any data or is a barrier. */
    bool sends_empty;
    void (*expand)(struct ct_collective_expansion *expansion);
};

/** The table, grouped by collective. @param n_p [out] rows */
const struct ct_collective_algorithm *ct_collective_algorithms(size_t *n_p);

/** An algorithm, and the conditions for its use. */
struct ct_collective_rule {
    const struct ct_collective_algorithm *algorithm;
    uint64_t from_bytes;        /**< size of the call, see ct_collective_choose() */
    uint64_t from_bytes_a_rank; /**< size per rank, with the number of ranks rounded down to a power
                                   of two */
    uint32_t from_ranks;
    bool power_of_two; /**< only if n_ranks is one */
};

#define CT_COLLECTIVE_RULES_MAX 8

/** Rules that choose algorithms; filled by ct_collective_rules_default(). Nothing to free. */
struct ct_collective_rules {
    struct ct_collective_rule of[CT_COLLECTIVE_N_COLLECTIVES][CT_COLLECTIVE_RULES_MAX];
    size_t n[CT_COLLECTIVE_N_COLLECTIVES];
};

/** Whose choices rules can be. */
enum ct_collective_library {
    CT_COLLECTIVE_OF_MPICH, /**< 4.0 */
    CT_COLLECTIVE_OF_SMPI,  /**< SimGrid's MPI, as bench/simgrid/ starts it */
    CT_COLLECTIVE_LIBRARIES
};

/** The choices of a library, one process a node: see docs/models.md. */
void ct_collective_rules_default(enum ct_collective_library library,
                                 struct ct_collective_rules *rules_p);

/**
 * Replace the rules of one collective.
 * @param text  [in]  algorithms separated by commas, each with its conditions: "ring", or
 *                    "recursive-doubling,ring@64KiB": ring from 64 KiB on. Conditions: @SIZE (with
 *                    unit), @<n>ranks (at least n), @power-of-two. The last algorithm whose
 *                    conditions hold is chosen.
 * @return CT_OK; CT_EINVAL naming the text and what is accepted; rules_p is then unchanged
 */
enum ct_status ct_collective_rules_set(struct ct_collective_rules *rules_p, enum ct_collective what,
                                       const char *text, struct ct_error *err);

/**
 * Replace the rules of several collectives.
 * @param text  [in]  "allreduce=recursive-doubling,ring@64KiB,bcast=binomial": what has no "="
 *                    belongs to the collective before it. Or "mpich", "smpi": all as it chooses
 * @return CT_OK; CT_EINVAL naming the text and what is accepted; rules_p is then unchanged
 */
enum ct_status ct_collective_rules_parse(struct ct_collective_rules *rules_p, const char *text,
                                         struct ct_error *err);

/**
 * The algorithm for a call: the last rule whose conditions hold and whose algorithm can do the
 * call; if there is none, the collective's first row in the table, which can do any call. The size
 * that conditions refer to is that of the vector; for allgather and reduce_scatter the sum of all
 * blocks, for alltoall, gather and scatter one block. alltoallv, gatherv and scatterv count as 0
 * bytes: their sizes are known to some ranks only, and all have to choose the same.
 * @param call  [in] valid
 */
const struct ct_collective_algorithm *ct_collective_choose(const struct ct_collective_rules *rules,
                                                           const struct ct_collective_call *call);

/**
 * Call sink for each step of a call, in the order in which the rank begins them. None for one rank,
 * or without data (except a barrier).
 * @param sink     [in]  called for each step
 * @param context  [in]  for sink
 * @param err      [out] filled for CT_EINVAL only, not for errors of sink
 * @return CT_OK; CT_EINVAL (rank, root, number of ranks, blocks for a collective without blocks,
 *         one of the two of alltoallv missing, more than 2^64 bytes); what sink returned
 */
enum ct_status ct_collective_expand(const struct ct_collective_rules *rules,
                                    const struct ct_collective_call *call, ct_collective_sink *sink,
                                    void *context, struct ct_error *err);
