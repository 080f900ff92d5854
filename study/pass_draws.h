/** What parameters contribute to predicted run times of a pass: these for replicates of a model. */
#pragma once

#include "core/draws.h"
#include "study/pass_schedules.h"

/** What is predicted; borrowed. */
struct ct_pass_draws {
    const struct ct_pass_schedules *schedules; /**< with replicates */
    double baseline_s;       /**< without a longer one: P at the replicate's own latencies */
    const double *added_L_s; /**< [n]: to the replicate's own, which never fall below 0 */
    size_t n;
    unsigned threads;
};

/**
 * @param n_draws_p    [out] replicates used, see ct_replicates_affordable(); 0: none, and spreads
 * are NaN
 * @param runtimes_s_p [out] [n]
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_pass_draws(const struct ct_pass_draws *draws, size_t *n_draws_p,
                             struct ct_draws_summary *runtimes_s_p, struct ct_error *err);
