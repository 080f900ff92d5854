/* A schedule as a stencil code with reductions makes it, of any size. */
#ifndef CT_TESTS_BENCH_HALO_SCHEDULE_H
#define CT_TESTS_BENCH_HALO_SCHEDULE_H

#include "lp-bridge/goal/goal.h"

/**
 * A square grid of n_side^2 ranks (a power of two). In every round a rank computes, exchanges halos
 * with four neighbours (receives posted first, blocking sends in turn), waits for all of them and
 * takes part in a recursive-doubling allreduce. As many rounds as reach n_operations.
 */
enum ct_status make_halo_schedule(uint64_t n_operations, uint32_t n_side, struct ct_goal *goal_p,
                                  struct ct_error *err);

/** The same on a grid in three dimensions, with six neighbours; a power of two in all. */
enum ct_status make_halo_schedule_3d(uint64_t n_operations, const uint32_t sides[3],
                                     struct ct_goal *goal_p, struct ct_error *err);

#endif
