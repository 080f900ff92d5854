/**
 * grid: adaptive: configurations of the grid are measured one by one, as many as the predictions
 * need. Which one is next follows from the runs in the folder alone (predict/next_load.h), so a
 * campaign that was interrupted continues as it would have without that.
 */
#ifndef CT_CAMPAIGN_ADAPTIVE_H
#define CT_CAMPAIGN_ADAPTIVE_H

#include "campaign/plan.h"
#include "predict/next_load.h"

/**
 * Append to a plan what was picked earlier: the runs of each candidate that has one in the folder.
 * @return CT_OK (without grid: adaptive nothing is appended); CT_EINVAL; CT_ENOMEM
 */
enum ct_status ct_adaptive_add_found(const struct ct_campaign_spec *spec, const char *folder,
                                     uint64_t seed, struct ct_plan *plan, struct ct_error *err);

/**
 * Pick a candidate that is not in the plan, and append its runs: those of the probe and of each
 * application beside it.
 *
 * Points are the configurations of the plan that the probe was beside; applications whose runs are
 * missing have none there. Latencies and durations are pooled over repetitions; utilization is that
 * of the queue model "pk". Of the idle network and of baselines only the repetitions count that are
 * made before the picks, see ct_plan_closes().
 * @param next_p  [out] what was picked (load: number of the configuration), or that it is done
 * @return CT_OK (without grid: adaptive it is done); CT_ENODATA (no run of the idle network);
 *         CT_EINVAL (too many runs); CT_ENOMEM
 */
enum ct_status ct_adaptive_add_next(const struct ct_campaign_spec *spec, const char *folder,
                                    uint64_t seed, struct ct_plan *plan,
                                    struct ct_next_load *next_p, struct ct_error *err);

#endif
