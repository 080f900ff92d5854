/**
 * The table of GPCNeT (github.com/netbench/GPCNET): its three canaries alone and beside its four
 * congestors, and their congestion impact, as print_comparison_results() in its utils.c has it: the
 * time beside congestors by that alone; of bandwidth, rate alone by rate beside, which is the same.
 */
#pragma once

#include "study/scan_factors.h"

#define CT_SCAN_GPCNET_NAMES                                                                       \
    "RR Two-sided Lat (8 B)", "RR Two-sided BW+Sync", "Multiple Allreduce (8 B)"
#define CT_SCAN_GPCNET_UNITS "us", "MiB/s/rank", "us"

struct ct_scan_gpcnet_row {
    const char
        *name; /**< one of CT_SCAN_GPCNET_NAMES, in the order of canaries, as GPCNeT has it */
    const char *unit; /**< of CT_SCAN_GPCNET_UNITS */
    /** At the mean (GPCNeT's average), and where 99 % of the calls are as fast. */
    struct ct_scan_gpcnet_value {
        double alone, beside;         /**< in the unit */
        struct ct_scan_factor impact; /**< >= 1 where congestors disturb */
    } average, p99;
};

/**
 * @param rows  [out] the canaries that were measured beside the congestor gpcnet, at full intensity
 * @return how many; 0: none
 */
size_t ct_scan_gpcnet_make(const struct ct_scan *scan, const struct ct_scan_sheet *sheet,
                           struct ct_scan_gpcnet_row rows[CT_N_SCAN_CANARIES]);
