/**
 * grid: adaptive, without repetitions.corun: once no configuration is needed any more, applications
 * are measured beside each other one pair at a time, as long as a verdict is open that a run may
 * decide (study/verdict.h: "perhaps" or "unknown", not measured). A pair that is refused for one of
 * its two applications is decided. Which run is next depends only on the runs in the folder, so an
 * interruption of the campaign does not change the choice; once a closing run is there, none is.
 */
#pragma once

#include "campaign/plan.h"
#include "predict/next_co_run.h"

/** Append to a plan the co-runs that were picked earlier: those that have a run in the folder.
 *  @return CT_OK; CT_EINVAL; CT_ENOMEM */
enum ct_status ct_adaptive_add_co_runs_found(const struct ct_campaign_spec *spec,
                                             const char *folder, uint64_t seed,
                                             struct ct_plan *plan, struct ct_error *err);

/**
 * Pick a co-run that is not in the plan, and append it. Each placement has picks of its own, the
 * first one first. Verdicts are those of crosstalk predict: measured, else by the model that is its
 * default for what is in the folder. Where nothing can be predicted, every verdict is open.
 * @param placement_p  [out] of the co-run; unchanged on error
 * @param next_p       [out] with applications of the spec; that none is found: n_open counts those
 *                           of all placements
 * @return CT_OK; CT_EINVAL (too many runs, or runs that cannot be read together); CT_ENOMEM
 */
enum ct_status ct_adaptive_add_co_run(const struct ct_campaign_spec *spec, const char *folder,
                                      uint64_t seed, struct ct_plan *plan, size_t *placement_p,
                                      struct ct_next_co_run *next_p, struct ct_error *err);
