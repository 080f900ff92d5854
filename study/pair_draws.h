/**
 * What a run of logpb leaves open about pairs of nodes: o, L and G of every class in replicates of
 * the run's repetitions (model/loggp/resample.h). Links are drawn independently of each other.
 */
#pragma once

#include "study/pair_parameters.h"
#include "study/tolerance_intervals.h"

/** Measured links that are drawn at most: 200 replicates of each take about 50 ms. */
enum { CT_PAIR_DRAWS_LINKS_MAX = 100 };

/** Replicates of the classes. */
struct ct_pair_draws {
    struct ct_loggps *classes; /**< [n * n_classes], replicate after replicate; owned */
    double *o_self_ns;         /**< [n]; owned */
    uint32_t n_classes;
    size_t n; /**< 0: the run has no repetitions, or too many links */
    double level;
    uint64_t seed;
    bool has_too_many_links;
};

/**
 * Draw replicates. What is given does not vary. An L below 0 becomes 0; a value that cannot be
 * derived from what was drawn is the one that was measured.
 * @param given       [in]  what the parameters were made with
 * @param parameters  [in]  of the same run
 * @param draws_p     [out] ct_pair_draws_free(); unchanged on error
 * @return CT_OK; CT_ENOMEM; what ct_run_read() returns
 */
enum ct_status ct_pair_draws_read(const struct ct_pair_given *given,
                                  const struct ct_pair_parameters *parameters,
                                  struct ct_pair_draws *draws_p, struct ct_error *err);
void ct_pair_draws_free(struct ct_pair_draws *draws);

/** What replicates are of; borrowed. */
struct ct_pair_replicates {
    const struct ct_graph *graph; /**< with peers */
    const struct ct_pair_parameters *parameters;
    const struct ct_pair_draws *draws;
};

/** T as a function of a latency that is added to every pair, in each replicate. */
struct ct_replicates ct_replicates_of_pairs(const struct ct_pair_replicates *of);
