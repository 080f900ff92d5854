/** Whether the idle network was quiet enough for utilization "pk". */
#ifndef CT_CLI_IDLE_NOISE_H
#define CT_CLI_IDLE_NOISE_H

#include "predict/predict.h"

enum { CT_IDLE_NOISE_TEXT_MAX = 300 };

/**
 * A sentence for people, where the mean latency of the idle network is more than twice the median:
 * a few long ones then decide about the variance of the service.
 * @return false: it was quiet, text is unchanged
 */
bool ct_idle_noise(const struct ct_predict_analysis *analysis, char text[CT_IDLE_NOISE_TEXT_MAX]);

#endif
