#include "study/describe.h"

#include "predict/probe_lines.h"
#include "study/constants.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool ct_describe_idle_noise(const struct ct_predict_analysis *analysis,
                            char text[CT_DESCRIPTION_MAX])
{
    double ratio = analysis->idle.profile.latency_s.mean / analysis->idle_latency_s;
    if (!(ratio > ct_study_constant(CT_STUDY_NOISY_IDLE)))
        return false;
    snprintf(text, CT_DESCRIPTION_MAX,
             "the mean latency of the idle network is %.1f times its median: a few long latencies "
             "lower the " CT_QUEUE_WORDS
             ", and with it the predictions of the model queue; use utilization by waiting, or "
             "probe the idle network again",
             ratio);
    return true;
}

/* Of all passes. */
static double stolen_share(const struct ct_measurements *measured)
{
    double stolen_s = 0, time_s = 0;
    for (size_t load = 0; load < ct_measured_n_loads(measured); load++)
        for (size_t app = 0; measured->loads[load].passes_s && app < measured->n_apps; app++) {
            stolen_s += measured->loads[load].passes_s[app].stolen_s;
            time_s += measured->loads[load].passes_s[app].steal_watched_s;
        }
    return stolen_s / time_s;
}

bool ct_describe_busy(const struct ct_study *study, char text[CT_DESCRIPTION_MAX])
{
    double waited = study->idle_wait_frac, stolen = stolen_share(&study->measured);
    if (waited > ct_study_constant(CT_STUDY_IDLE_WAIT_NOTED))
        snprintf(text, CT_DESCRIPTION_MAX,
                 "Other programs kept the processors busy: on the idle network ranks waited for "
                 "them %.0f %% of the time. Do not decide by these slowdowns; measure again on a "
                 "machine at rest.",
                 100 * waited);
    else if (stolen > ct_study_constant(CT_STUDY_PROCESSORS_NOTED))
        snprintf(text, CT_DESCRIPTION_MAX,
                 "The host of this virtual machine took its processors away for %.0f %% of the "
                 "time. Do not decide by these slowdowns; measure again when it is at rest.",
                 100 * stolen);
    else
        return false;
    return true;
}

bool ct_describe_reach(const struct ct_study *study, const struct ct_predict_analysis *analysis,
                       char text[CT_DESCRIPTION_MAX])
{
    double highest = NAN, furthest = 0;
    char names[CT_DESCRIPTION_MAX / 3] = "";
    size_t n_beyond = 0;
    for (size_t c = 0; c < analysis->n_configs; c++) {
        const size_t load = ct_load_of_config(analysis->n_apps, c);
        highest = fmax(highest, ct_probe_reading(analysis->lines, &load, 1));
    }
    for (size_t app = 0; app < analysis->n_apps; app++) {
        const size_t load = ct_load_of_app(app), used = strlen(names);
        double reading = ct_probe_reading(analysis->lines, &load, 1);
        if (!(reading > highest))
            continue;
        snprintf(names + used, sizeof names - used, "%s%s", n_beyond++ ? ", " : "",
                 ct_study_app(study, app));
        furthest = fmax(furthest, reading / highest);
    }
    if (n_beyond == 0)
        return false;
    char times[60] = "";
    if (isfinite(furthest) && furthest < 1e6)
        snprintf(times, sizeof times, ", up to %.2g times as much", furthest);
    snprintf(text, CT_DESCRIPTION_MAX,
             "extrapolated beside %s: the probe reads more there than beside every "
             "configuration%s; add configurations with more messages or shorter pauses",
             names, times);
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

/* With fewer replicates the order of ports is said to be open. */
static const double order_least_frac = 0.9;

static const struct ct_queues_fit *fit_of(const struct ct_schedules *schedules)
{
    return schedules->simulation ? ct_simulation_queues(schedules->simulation) : NULL;
}

static bool is_order_open(const struct ct_queues_fit *fit)
{
    return fit->n_cells > 0 && fit->order_frac < order_least_frac;
}

const char *ct_describe_order(const struct ct_schedules *schedules)
{
    const struct ct_queues_fit *fit = fit_of(schedules);
    if (!fit || schedules->queues.has_order)
        return fit ? "recorded" : NULL;
    if (fit->n_cells == 0)
        return "not fitted";
    return is_order_open(fit) ? "not distinguished" : "distinguished";
}

bool ct_describe_queues(const struct ct_schedules *schedules, char text[CT_DESCRIPTION_MAX])
{
    const struct ct_queues_fit *fit = fit_of(schedules);
    if (!fit)
        return false;
    const struct ct_port_queues *queues = &fit->queues;
    if (fit->n_cells == 0)
        snprintf(text, CT_DESCRIPTION_MAX,
                 "not fitted: too few applications slowed beside steady configurations; %s, "
                 "%.0f B of window",
                 ct_port_order_names[queues->order], queues->ahead_bytes);
    else
        snprintf(text, CT_DESCRIPTION_MAX,
                 "%s (%.0f %% of replicates), %.0f B [%.0f, %.0f] of window, burst of "
                 "%.0f B (%.0f %%); fitted to %zu slowdowns beside configurations, run times off "
                 "by %.0f %%",
                 ct_port_order_names[queues->order], fit->order_frac * 100, queues->ahead_bytes,
                 fit->ahead_bytes.lo, fit->ahead_bytes.hi, queues->burst_bytes,
                 fit->burst_frac * 100, fit->n_cells, (exp(fit->off_mean) - 1) * 100);
    size_t used = strlen(text);
    if (!schedules->queues.has_order && is_order_open(fit))
        snprintf(text + used, CT_DESCRIPTION_MAX - used,
                 "; these runs cannot tell %s from %s: fewer than %.0f %% of replicates agree",
                 ct_port_order_names[CT_PORT_FIFO], ct_port_order_names[CT_PORT_ROUND_ROBIN],
                 order_least_frac * 100);
    return true;
}
