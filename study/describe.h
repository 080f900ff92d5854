/** What tables and the page say of an analysis in the same words. */
#ifndef CT_STUDY_DESCRIBE_H
#define CT_STUDY_DESCRIBE_H

#include "study/simulation.h"
#include "study/study.h"

enum { CT_DESCRIPTION_MAX = 300 };

/**
 * Whether the idle network was quiet enough for utilization "pk": a sentence, where its mean
 * latency is more than twice the median; a few long ones then decide about the variance of the
 * service.
 * @return false: it was quiet, text is unchanged
 */
bool ct_describe_idle_noise(const struct ct_predict_analysis *analysis,
                            char text[CT_DESCRIPTION_MAX]);

/** What calibrates utilizations, and how well it does. */
void ct_describe_calibration(const struct ct_study *study,
                             const struct ct_predict_analysis *analysis,
                             char text[CT_DESCRIPTION_MAX]);

/**
 * What queues the model simulated found in a campaign, and how well it knows them.
 * @param simulation  [in] NULL: none
 * @return false: nothing was simulated, text is unchanged
 */
bool ct_describe_queues(const struct ct_simulation *simulation, char text[CT_DESCRIPTION_MAX]);

#endif
