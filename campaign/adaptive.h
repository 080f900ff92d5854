/**
 * grid: adaptive: configurations of the grid are measured one by one, as many as the predictions
 * need. The next one depends only on the runs in the folder (predict/next_load.h), so an
 * interruption of the campaign does not change the choice.
 */
#pragma once

#include "campaign/plan.h"
#include "predict/next_load.h"

/**
 * Append to a plan the candidates that were picked earlier: the runs of each candidate that has a
 * run in the folder.
 * @return CT_OK (without grid: adaptive nothing is appended); CT_EINVAL; CT_ENOMEM
 */
enum ct_status ct_adaptive_add_found(const struct ct_campaign_spec *spec, const char *folder,
                                     uint64_t seed, struct ct_plan *plan, struct ct_error *err);

/**
 * Pick a candidate that is not in the plan, and append its runs: those of the probe and of each
 * application beside it. Each placement has picks of its own, the first one first.
 *
 * The choice uses the configurations of the plan that were probed; an application has no value at
 * those where its runs are missing. Latencies and durations are pooled over repetitions;
 * utilization is that of the queue model "pk". Of the idle network and of baselines only the
 * repetitions that are made before the picks are used, see ct_plan_closes().
 * @param placement_p  [out] of the candidate; unchanged on error
 * @param next_p  [out] the picked candidate (load: number of the configuration), or that none is
 *                      needed
 * @return CT_OK (without grid: adaptive none is needed); CT_ENODATA (no run of the idle network);
 *         CT_EINVAL (too many runs); CT_ENOMEM
 */
enum ct_status ct_adaptive_add_next(const struct ct_campaign_spec *spec, const char *folder,
                                    uint64_t seed, struct ct_plan *plan, size_t *placement_p,
                                    struct ct_next_load *next_p, struct ct_error *err);
