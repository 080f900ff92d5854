/** Measured values that parameters are calibrated to. */
#pragma once

#include "core/status.h"

/** An output: what is measured at one message size, say. Borrowed. */
struct ct_observed {
    const char *name;     /**< for messages, "throughput at 4 KiB" */
    const double *values; /**< of all repetitions */
    size_t n;
    double scale; /**< of which the discrepancy is a share: 0: |mean|; 1 for logarithms */
};

/** What the likelihood needs of an output. */
struct ct_observed_summary {
    double mean;
    double variance; /**< of a single repetition, unbiased (n - 1) */
    size_t n;
    double scale; /**< of which the discrepancy is a share */
};

/**
 * Check and summarize outputs.
 * @param summaries  [out] n of them; undefined on error
 * @return CT_OK; CT_ENODATA (no output; one repetition only); CT_EEXIST (two outputs have one
 *         name); CT_EINVAL (a value is not finite; all repetitions are equal). The message names
 * the output
 */
enum ct_status ct_observed_summarize(const struct ct_observed *observed, size_t n,
                                     struct ct_observed_summary *summaries, struct ct_error *err);
