/** Overheads of a message, o_s and o_r, as functions of its size. Pure. */
#pragma once

#include "core/status.h"

#include <stddef.h>
#include <stdint.h>

struct ct_overhead {
    uint64_t bytes;
    double send_s, recv_s;
};

/** Overheads by size: straight lines between the sizes, constant beyond the first and the last. */
struct ct_overheads {
    struct ct_overhead *sizes; /**< [n], ascending */
    size_t n;                  /**< 0: there are no overheads */
};

/** What a message of a size costs the network: the time in which its bytes are on a link, and its
 * latency beyond L, as a part of L. */
struct ct_gap_size {
    uint64_t bytes;
    double wire_s, late_frac; /**< >= 0 */
};

/** Gaps by size: straight lines between the sizes. Beyond the last one each byte takes G. */
struct ct_gaps {
    struct ct_gap_size *sizes; /**< [n], ascending */
    size_t n;                  /**< 0: every byte takes G, and every size L */
};

/** @param gaps  [in] n >= 1 */
struct ct_gap_size ct_gaps_at(const struct ct_gaps *gaps, double G_s_per_byte, uint64_t bytes);

/**
 * Check sizes and overheads.
 * @return CT_OK; CT_EINVAL (sizes that do not ascend, an overhead below 0 or not finite)
 */
enum ct_status ct_overheads_check(const struct ct_overheads *overheads, struct ct_error *err);

/**
 * Overheads of a message, interpolated.
 * @param overheads  [in] n >= 1
 */
struct ct_overhead ct_overheads_at(const struct ct_overheads *overheads, uint64_t bytes);
