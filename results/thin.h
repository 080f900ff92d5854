/** Reduces the samples of a probe run, for small packed campaigns. Pure. */
#pragma once

#include "results/run.h"

/** Least number of samples in a stretch, and so of a thinned run. */
enum { CT_THIN_STRETCH = 64 };

/** Facts of a thinned run: the number of samples before, and the rule as a sentence. */
#define CT_THIN_FROM_FACT CT_RUN_PACKED_PREFIX "thinned_from_samples"
#define CT_THIN_RULE_FACT CT_RUN_PACKED_PREFIX "thinned_rule"

/**
 * Keep at most samples_max samples of a run: S = samples_max / CT_THIN_STRETCH stretches (rounded
 * down) of samples_max / S consecutive ones each, in the order of time over all pairs. The first
 * stretch begins with the first sample, the last stretch ends with the last sample, and the others
 * begin at equal distances in between.
 *
 * Within a stretch all samples are kept, so distances in time, bursts and the autocorrelation at
 * lags below its length are as measured. The stretches are spread over the whole run, so mean and
 * distribution are those of the run. Every k-th sample would multiply lags by k; a single stretch
 * would lack the rest of the run.
 *
 * The order of rows and their times do not change. Facts are added. A run with at most samples_max
 * samples is not changed.
 * @param samples_max  [in] >= CT_THIN_STRETCH
 * @return CT_OK; CT_EINVAL (samples_max; the run was thinned before: the rule does not describe a
 *         second thinning); CT_ENOMEM
 */
enum ct_status ct_run_thin(struct ct_run *run, size_t samples_max, struct ct_error *err);
