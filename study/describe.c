#include "study/describe.h"

#include "study/constants.h"

#include <stdio.h>

bool ct_describe_idle_noise(const struct ct_predict_analysis *analysis,
                            char text[CT_DESCRIPTION_MAX])
{
    double ratio = analysis->idle.profile.latency_s.mean / analysis->idle_latency_s;
    if (!(ratio > ct_study_constant(CT_STUDY_NOISY_IDLE)))
        return false;
    snprintf(text, CT_DESCRIPTION_MAX,
             "the mean latency of the idle network is %.1f times its median: a few long latencies "
             "lower utilization " CT_QUEUE_MODEL
             ", and with it the predictions of the model queue; use utilization by waiting, or "
             "probe the idle network again",
             ratio);
    return true;
}

void ct_describe_calibration(const struct ct_study *study,
                             const struct ct_predict_analysis *analysis,
                             char text[CT_DESCRIPTION_MAX])
{
    if (analysis->delay.n == 0)
        snprintf(text, CT_DESCRIPTION_MAX, "none: no configuration's load is known");
    else
        snprintf(text, CT_DESCRIPTION_MAX,
                 "%zu configurations, load by %s; delay: K = %.4g us, off by %.1f points rms; "
                 "waiting: m = %.3g, off by %.1f points rms",
                 analysis->delay.n,
                 study->is_recorded ? "what compressionb sent" : "the switch's counters",
                 analysis->delay.parameter * 1e6, analysis->delay.rms_frac * 100,
                 analysis->waiting.parameter, analysis->waiting.rms_frac * 100);
}
