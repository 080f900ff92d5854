#include "cli/idle_noise.h"

#include <stdio.h>

/* Campaigns of a quiet emulated switch: 1.4 and 1.5; one with a stall of 56 ms in it: 5.8. */
static const double NOISY_RATIO = 2;

bool ct_idle_noise(const struct ct_predict_analysis *analysis, char text[CT_IDLE_NOISE_TEXT_MAX])
{
    double ratio = analysis->idle.profile.latency_s.mean / analysis->idle_latency_s;
    if (!(ratio > NOISY_RATIO))
        return false;
    snprintf(text, CT_IDLE_NOISE_TEXT_MAX,
             "the mean latency of the idle network is %.1f times its median: a few long ones pull "
             "utilization " CT_QUEUE_MODEL
             ", and what the model queue makes of it, down; go by waiting, or "
             "probe the idle network again",
             ratio);
    return true;
}
