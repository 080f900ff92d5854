/** A run: the rounds of a plan over MPI, and the results of all ranks. */
#pragma once

#include "bench/common/bench.h"
#include "bench/logp/logp_plan.h"
#include "bench/logp/logp_procedure.h"

/** Results of a rank: one for each meeting in which it was "from". */
struct ct_logp_results {
    struct ct_logp_result *results; /**< n; room for as many as the plan has meetings */
    size_t n;
};

/** Limits for a run that hangs or is killed. */
struct ct_logp_limits {
    double deadline_s;   /**< after this time without a message the process ends */
    double checkpoint_s; /**< between two checkpoints; 0: none */
};

/**
 * Measure all meetings. Ranks without one in a round sleep. Collective.
 * @param setup       [in]  its time_s is for the whole run, of which each round has an equal part
 * of what is left; its ranks are set for each meeting
 * @param limits      [in]
 * @param results_p   [out] of this rank, also on error; ct_logp_results_free()
 * @return the same on all ranks: CT_OK, also after a signal; CT_EINVAL; CT_ENOMEM; errors of
 *         ct_checkpoint_begin()
 */
enum ct_status ct_logp_run(struct ct_bench *bench, const struct ct_logp_setup *setup,
                           const struct ct_logp_plan *plan, const struct ct_logp_limits *limits,
                           struct ct_logp_results *results_p, struct ct_error *err);
void ct_logp_results_free(struct ct_logp_results *results);

/** The links of all ranks, in the order of rank_from, on rank 0. */
struct ct_logp_gathered {
    struct ct_logp_link *links; /**< n_links */
    size_t n_links;
    struct ct_loggp_point *points; /**< of the links, one after the other */
    size_t n_points;
};

/** Points of a link. Borrowed. */
const struct ct_loggp_point *ct_logp_points_of(const struct ct_logp_gathered *all, size_t link);

/** Collective. @return the same on all ranks: CT_OK; CT_ENOMEM. ct_logp_gathered_free() */
enum ct_status ct_logp_gather(const struct ct_bench *bench, const struct ct_logp_results *results,
                              struct ct_logp_gathered *all_p, struct ct_error *err);
void ct_logp_gathered_free(struct ct_logp_gathered *all);
