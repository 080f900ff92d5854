/**
 * Where the time of every rank of a program goes: the parts of observer.h, added up over a
 * simulation, and what they say of the program.
 */
#pragma once

#include "core/status.h"
#include "simulate/observer.h"

#include <stddef.h>

struct ct_rank_times;

/**
 * @param n_ranks   [in]  [n_programs]
 * @param times_p   [out] ct_rank_times_free()
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_rank_times_new(const uint32_t *n_ranks, size_t n_programs,
                                 struct ct_rank_times **times_p, struct ct_error *err);
void ct_rank_times_free(struct ct_rank_times *times);

/** The observer that adds up. Passes that a rank has not ended do not count. */
struct ct_observer ct_rank_times_observer(struct ct_rank_times *times);

/**
 * Add what another simulation of the same programs took, after both have ended. So simulations in
 * several threads are added up, each with times of its own; in the same order the sums are equal.
 * @param into  [in,out]
 * @param from  [in]     unchanged
 */
void ct_rank_times_add(struct ct_rank_times *into, const struct ct_rank_times *from);

/** Means over the passes of a rank; or, of a program, their sums over its ranks. */
struct ct_time_shares {
    double part_ns[CT_TIME_PARTS];
    double runtime_ns; /**< what the parts add up to */
};

/** A rank that has ended a pass; all 0 if it has not. */
struct ct_time_shares ct_rank_times_of(const struct ct_rank_times *times, size_t program,
                                       uint32_t rank);

/** All ranks of a program. */
struct ct_time_shares ct_rank_times_sum(const struct ct_rank_times *times, size_t program);

/** What limits a program. */
enum ct_bound {
    CT_BOUND_COMPUTE,
    CT_BOUND_STACK,
    CT_BOUND_IMBALANCE,
    CT_BOUND_NETWORK,
    CT_BOUND_NONE
};
/** "compute-bound", "stack-bound", "imbalance-bound", "network-bound", "not bound by one part" */
extern const char *const ct_bound_names[];

/** The part that takes more than the constant bound_least of the time. */
enum ct_bound ct_time_bound(const struct ct_time_shares *shares);
