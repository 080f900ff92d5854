/** Sentences about an analysis that tables and the page share. */
#pragma once

#include "study/schedules.h"
#include "study/study.h"

enum { CT_DESCRIPTION_MAX = 400 };

/**
 * Warn if the idle network was too noisy for utilization "pk": its mean latency is more than the
 * constant noisy_idle_ratio times the median, so that a few long latencies determine the variance
 * of the service.
 * @return false: it was not noisy; text is unchanged
 */
bool ct_describe_idle_noise(const struct ct_predict_analysis *analysis,
                            char text[CT_DESCRIPTION_MAX]);

/**
 * Say that other programs ran on the machine: on the idle network, ranks of the probe waited for
 * processors for more than the constant idle_wait_noted of their time; or that its host took
 * processors away, for more than processors_noted of the time of all timed passes.
 * @return false: neither, or not recorded; text is unchanged
 */
bool ct_describe_busy(const struct ct_study *study, char text[CT_DESCRIPTION_MAX]);

/**
 * Name the applications beside which the probe reads more (predict/probe_lines.h) than beside every
 * configuration: what runs beside them is extrapolated.
 * @return false: there is none, or no configuration was probed; text is unchanged
 */
bool ct_describe_reach(const struct ct_study *study, const struct ct_predict_analysis *analysis,
                       char text[CT_DESCRIPTION_MAX]);

/** Describe the calibration of utilizations, and its errors. */
void ct_describe_calibration(const struct ct_study *study,
                             const struct ct_predict_analysis *analysis,
                             char text[CT_DESCRIPTION_MAX]);

/**
 * Describe the queues that were fitted for the model "packets", and their uncertainty.
 * @return false: nothing was simulated; text is unchanged
 */
bool ct_describe_queues(const struct ct_schedules *schedules, char text[CT_DESCRIPTION_MAX]);

/**
 * Where the order in which their ports serve is known from: "recorded" (or given), "distinguished"
 * by the runs, "not distinguished", "not fitted"; static storage. NULL: nothing was simulated.
 */
const char *ct_describe_order(const struct ct_schedules *schedules);
