/**
 * Divides n jobs among switches so that the predicted cost is least. Pure: the caller gives the
 * cost of a group of jobs.
 *
 * With few jobs the answer is exact (dynamic programming over sets of jobs). With more jobs it is
 * the best of several local searches, which move and exchange jobs until the cost falls no further
 * or as many changes were tried as are to be (constant grouping_priced_jobs). That answer is not
 * proven to be the best.
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

/** Number of jobs up to which the answer is exact. */
enum { CT_GROUPING_EXACT_MAX = 14 };

/** How the cost of a grouping follows from the costs of its groups. */
enum ct_grouping_objective {
    CT_GROUPING_SUM, /**< their sum */
    CT_GROUPING_MAX  /**< the largest of them */
};

struct ct_grouping_problem {
    size_t n;          /**< jobs, >= 1 */
    size_t n_switches; /**< >= 1 */
    size_t per_switch; /**< jobs that a switch holds, >= 1 */
    enum ct_grouping_objective objective;
    /**
     * Cost of jobs that share a switch.
     * @param jobs    [in]  n >= 1 numbers of jobs, rising
     * @param cost_p  [out] finite
     * @return CT_OK; any other status ends the search with it
     */
    enum ct_status (*cost)(const size_t *jobs, size_t n, void *data, double *cost_p);
    void *data;
    uint64_t seed; /**< of random groupings */
};

struct ct_grouping {
    size_t *switch_of; /**< [job]: 0..n_switches - 1, numbered by their first jobs; owned */
    double cost;
    bool is_exact;
    bool is_cut_short; /**< the search had its fill of changes before it ended by itself */
};

/**
 * @param grouping_p  [out] ct_grouping_free(); unchanged on error
 * @return CT_OK; CT_EINVAL (no job, or more than the switches hold); CT_ENOMEM; what cost returns
 */
enum ct_status ct_grouping_best(const struct ct_grouping_problem *problem,
                                struct ct_grouping *grouping_p);
void ct_grouping_free(struct ct_grouping *grouping);

/**
 * Mean cost of random groupings: jobs in random order, given to the switches in turn.
 * @param n_trials  [in]  >= 1
 * @param mean_p    [out] unchanged on error
 * @return as above
 */
enum ct_status ct_grouping_random(const struct ct_grouping_problem *problem, size_t n_trials,
                                  double *mean_p);
