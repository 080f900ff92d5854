/**
 * The ranks of a communicator, in its order. Events have them as runs of ranks with equal
 * distances, three values each: the first rank, how many there are, and the distance from one to
 * the next, mapped to unsigned as format.h maps signed numbers. So MPI_COMM_WORLD is one run, and
 * so are the rows and columns of a grid. Each run is as long as it can be (of one rank: distance
 * 1), so equal groups have equal runs.
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CT_RANKS_RUN_VALUES = 3, CT_RANKS_NEXT = 2 /**< the value of distance 1 */ };

/** Most values of the runs of n ranks. */
#define CT_RANKS_VALUES_MAX(n) (CT_RANKS_RUN_VALUES * (n))

struct ct_ranks_run {
    uint64_t first, n;
    int64_t stride;
};

/** @param values  [in] CT_RANKS_RUN_VALUES */
struct ct_ranks_run ct_ranks_run_of(const uint64_t *values);

/**
 * Ranks as runs.
 * @param ranks   [in]  n, in the order of the communicator
 * @param values  [out] room for CT_RANKS_VALUES_MAX(n); not the ranks
 * @return values written
 */
size_t ct_ranks_put(const uint64_t *ranks, size_t n, uint64_t *values);

/** Ranks whose place among the members, and the other way round, is found at once. */
struct ct_ranks {
    uint32_t n;                /**< members, >= 1 */
    uint32_t first;            /**< of one run */
    int64_t stride;            /**< likewise */
    uint32_t *ranks;           /**< [n] of several runs; NULL: there is one */
    uint32_t *members_by_rank; /**< [n] members in the order of their ranks, or NULL likewise */
};

/**
 * @param values   [in]  runs, n_values; any numbers
 * @param n_ranks  [in]  of the world
 * @param group_p  [out] ct_ranks_free(); unchanged on error
 * @return CT_OK; CT_EFORMAT (no rank, ranks that there are not or twice, a run that is none);
 * CT_ENOMEM
 */
enum ct_status ct_ranks_make(const uint64_t *values, size_t n_values, uint32_t n_ranks,
                             struct ct_ranks *group_p, struct ct_error *err);
void ct_ranks_free(struct ct_ranks *group); /**< {0} is allowed */

/** Rank of a member, below group->n. */
static inline uint32_t ct_ranks_rank(const struct ct_ranks *group, uint32_t member)
{
    return group->ranks ? group->ranks[member]
                        : (uint32_t)((int64_t)group->first + (int64_t)member * group->stride);
}

/** Place of a rank among the members; false: it is none. */
bool ct_ranks_find(const struct ct_ranks *group, uint32_t rank, uint32_t *member_p);
bool ct_ranks_is_same(const struct ct_ranks *a, const struct ct_ranks *b);
