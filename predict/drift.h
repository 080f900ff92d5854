/** Finds applications that became slower or faster, alone, in the course of a campaign. Pure. */
#pragma once

#include "core/stats.h"

#include <stdbool.h>

/** Smaller changes are ignored: repeated runs of a program differ by about this at best. */
#define CT_DRIFT_LEAST_FRAC 0.01

/** The two repetitions whose means differ most, of those that disagree. */
struct ct_drift {
    bool found;
    size_t before, after;     /**< indices of the repetitions, before < after */
    double before_s, after_s; /**< their mean durations */
    double change_frac;       /**< after_s / before_s - 1 */
};

/**
 * Compare the repetitions of an application's baseline. Two of them disagree if the confidence
 * intervals of their means (Student's t over the passes) have no point in common and the means
 * differ by more than CT_DRIFT_LEAST_FRAC. For n repetitions each interval has the level
 * 1 - (1 - level) / n. Without a drift, all intervals then contain their means with a probability
 * of at least level, and no drift is found (Bonferroni; passes are taken to be independent).
 * @param runs     [in]  n series of durations of passes, seconds, in the order of time; borrowed.
 *                       Series of fewer than 2 passes have no interval and are skipped
 * @param level    [in]  0 < level < 1
 * @param drift_p  [out] found = false if no two repetitions disagree; unchanged on error
 * @return CT_OK; CT_EINVAL (a duration is not finite, or the level); CT_ENOMEM
 */
enum ct_status ct_drift_find(const struct ct_series *runs, size_t n, double level,
                             struct ct_drift *drift_p);
