/** Fewer samples of a probe run, for campaigns that are to be small. Pure. */
#ifndef CT_RESULTS_THIN_H
#define CT_RESULTS_THIN_H

#include "results/run.h"

/** Samples of a stretch, and so the least that a run can be thinned to. */
enum { CT_THIN_STRETCH = 64 };

/** Facts about it: how many samples there were, and the rule as a sentence. */
#define CT_THIN_FROM_FACT CT_RUN_PACKED_PREFIX "thinned_from_samples"
#define CT_THIN_RULE_FACT CT_RUN_PACKED_PREFIX "thinned_rule"

/**
 * Keep at most samples_max samples of a run: S = samples_max / CT_THIN_STRETCH stretches (rounded
 * down) of samples_max / S consecutive ones each, in the order of time over all pairs. Of n samples
 * the first stretch has the first ones, the last one the last ones, and the others begin at equal
 * steps between.
 *
 * What is within a stretch is what was measured: distances in time, bursts, the
 * autocorrelation at lags below its length. The stretches cover all of the run, so that mean and
 * distribution are those of as many samples spread over it. Every k-th sample would stretch lags by
 * k; one single stretch would not see the rest of the run.
 *
 * The order of the rows and the times stay. Facts are added; a run with no more samples than
 * samples_max stays as it is.
 * @param samples_max  [in] >= CT_THIN_STRETCH
 * @return CT_OK; CT_EINVAL (samples_max; a run that was thinned before: stretches of stretches are
 *         not what the rule says); CT_ENOMEM
 */
enum ct_status ct_run_thin(struct ct_run *run, size_t samples_max, struct ct_error *err);

#endif
