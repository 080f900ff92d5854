/* Generated schedules of a stencil code with reductions (trace/convert/generate.h), by size. */
#pragma once

#include "lp-bridge/goal/goal.h"

/**
 * A square grid of n_side^2 ranks. In every round a rank computes, exchanges halos with four
 * neighbours, waits for all of them and takes part in an allreduce. As many rounds as fit into
 * n_operations, which is at least that of a round.
 */
enum ct_status make_halo_schedule(uint64_t n_operations, uint32_t n_side, struct ct_goal *goal_p,
                                  struct ct_error *err);

/** The same on a grid in three dimensions, with six neighbours. */
enum ct_status make_halo_schedule_3d(uint64_t n_operations, const uint32_t sides[3],
                                     struct ct_goal *goal_p, struct ct_error *err);
