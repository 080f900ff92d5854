/** What differs between two scans beyond their intervals. */
#pragma once

#include "study/scan_factors.h"

/** A row that differs. */
struct ct_scan_change {
    const struct ct_scan_row *row; /**< of the new sheet, which has it */
    enum ct_scan_statistic statistic;
    double ratio; /**< new by old */
    struct ct_interval interval;
};

struct ct_scan_comparison {
    struct ct_scan_change *changes; /**< the largest ratio or inverse of one first; owned */
    size_t n_changes;
    size_t n_compared; /**< rows times statistics that both sheets have with an interval */
    double level;      /**< of each interval */
};

/**
 * Compare factors and baselines of all paths together (class -1) at each statistic: the difference
 * of the logarithms with the interval of Student's t, and one variance for the rounds of both
 * scans, as the same fabric has. The weights of that variance are numbers of rounds: a cell that
 * ended early, because its rounds agreed by chance, counts for little. Each of n comparisons has
 * the level 1 - (1 - scan_quiet) / n (Bonferroni), so that two scans of the same fabric differ in
 * none of them with the probability scan_quiet at least, however many they are and however they
 * vary together.
 * @param comparison_p  [out] free() its changes; borrows from `now`. @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_scan_compare(const struct ct_scan_sheet *now, const struct ct_scan_sheet *before,
                               struct ct_scan_comparison *comparison_p, struct ct_error *err);
