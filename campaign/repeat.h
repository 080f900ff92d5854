/** Adds repetitions of runs whose result is not precise enough yet. */
#pragma once

#include "campaign/plan.h"

/**
 * Whether the mean of durations is precise enough: half of its 95 % interval (Student's t, n values
 * taken as independent) is at most target_frac times the mean.
 * @param x            [in] n durations, > 0
 * @param target_frac  [in] > 0
 * @return false also if n < 2, or if a value is not finite
 */
bool ct_repeat_is_precise(const double *x, size_t n, double target_frac);

/**
 * Append to a plan the repetitions that repetitions.target has added earlier: those whose files are
 * in the folder.
 * @return CT_OK (without a target nothing is appended); CT_ENOMEM
 */
enum ct_status ct_repeat_add_found(const struct ct_campaign_spec *spec, const char *folder,
                                   uint64_t seed, struct ct_plan *plan, struct ct_error *err);

/**
 * Append one more repetition of each kind of timed run (the same application beside the same
 * background) whose durations, pooled over its repetitions, are not precise enough, or of whose
 * time more than the constant steal_repeated was stolen by hosts of virtual machines. Kinds with
 * repetitions.max repetitions, and those in which the file of a repetition is missing, get none.
 * @return CT_OK; CT_EINVAL (too many runs); CT_ENOMEM
 */
enum ct_status ct_repeat_add_needed(const struct ct_campaign_spec *spec, const char *folder,
                                    uint64_t seed, struct ct_plan *plan, struct ct_error *err);
