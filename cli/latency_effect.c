#include "cli/latency_effect.h"

#include "cli/analysis.h"
#include "core/option_rows.h"
#include "lp-bridge/envelope/effect.h"
#include "study/load_impact.h"
#include "study/network_settings.h"
#include "study/parameters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct ct_option ct_effect_options[] = {
    {.name = "impact",
     .type = CT_OPTION_STRING,
     .offset = offsetof(struct ct_effect_settings, impact_path),
     .argument = "FILE.h5",
     .help = "run of impactb beside another application: predict the run time beside it from the "
             "latency that it adds"},
    {.name = "idle",
     .type = CT_OPTION_STRING,
     .offset = offsetof(struct ct_effect_settings, idle_path),
     .argument = "IDLE.h5",
     .help = "run of impactb on the idle network, which --impact is compared with"},
    {.name = "campaign",
     .type = CT_OPTION_STRING,
     .offset = offsetof(struct ct_effect_settings, campaign_path),
     .argument = "DIR",
     .help = "campaign (folder or packed) whose applications to put beside the program, each by "
             "its impact on the probe"},
    {.name = "app",
     .type = CT_OPTION_STRING,
     .offset = offsetof(struct ct_effect_settings, app),
     .argument = "NAME",
     .help = "what the program is called in the campaign: measured slowdowns are shown too"},
    CT_ROW_CONFIDENCE(offsetof(struct ct_effect_settings, confidence_frac),
                      "level of the intervals, which come from a block bootstrap over time"),
    CT_ROW_SEED(offsetof(struct ct_effect_settings, seed),
                "start of the random numbers of the bootstrap"),
    {0}};

enum ct_status ct_effect_check(const struct ct_effect_settings *settings, struct ct_error *err)
{
    if (settings->impact_path && settings->campaign_path)
        return ct_fail(err, CT_EUSAGE, "--impact and --campaign: give one of them");
    if (settings->impact_path && !settings->idle_path)
        return ct_fail(err, CT_EUSAGE, "--impact: needs --idle IDLE.h5, what to compare it with");
    if (settings->idle_path && !settings->impact_path)
        return ct_fail(err, CT_EUSAGE, "--idle: goes with --impact FILE.h5");
    if (settings->app && !settings->campaign_path)
        return ct_fail(err, CT_EUSAGE, "--app: goes with --campaign DIR");
    return CT_OK;
}

/* An application beside the program, and what it does. */
struct beside {
    const char *with;           /* borrowed */
    struct ct_series latency_s; /* borrowed */
    double measured_frac;       /* NaN: not measured */
    struct ct_effect effect;
};

/* By one envelope that reaches as far as the latencies of all. */
static enum ct_status find_effects(const struct ct_effect_settings *settings,
                                   const struct ct_effect_subject *subject, struct ct_series idle_s,
                                   struct beside *besides, size_t n, struct ct_error *err)
{
    const struct ct_analysis_settings analysis = {.confidence_frac = settings->confidence_frac,
                                                  .seed = settings->seed};
    const struct ct_bootstrap setup = ct_analysis_bootstrap(&analysis);
    struct ct_envelope envelope = {0};
    double L_ns = ct_ns_from_s(subject->L_s), end_ns = 0;
    for (size_t b = 0; b < n; b++) {
        const struct ct_effect_probe probe = {idle_s, besides[b].latency_s};
        end_ns = fmax(end_ns, ct_effect_end_ns(L_ns, &probe));
    }
    enum ct_status status =
        ct_envelope_find(subject->program, 0, end_ns, subject->threads, &envelope, err);
    for (size_t b = 0; b < n && status == CT_OK; b++) {
        const struct ct_effect_probe probe = {idle_s, besides[b].latency_s};
        status = ct_effect_find(&envelope, L_ns, &probe, &setup, &besides[b].effect, err);
    }
    ct_envelope_free(&envelope);
    return status;
}

/* ---- what is said of it ---- */

static void begin_table(struct ct_report *report)
{
    static const struct ct_column columns[] = {{"with", "beside", CT_UNIT_NONE},
                                               {"samples", NULL, CT_UNIT_COUNT},
                                               {"tolerated_s", "tolerates", CT_UNIT_SECONDS},
                                               {"delta_L_s", "adds dL", CT_UNIT_SECONDS},
                                               {"delta_L_ci_s[]", "from", CT_UNIT_SECONDS},
                                               {"delta_L_ci_s[]", "to", CT_UNIT_SECONDS},
                                               {"runtime_s", "T(L + dL)", CT_UNIT_SECONDS},
                                               {"slowdown", "predicted", CT_UNIT_FRACTION},
                                               {"slowdown_ci[]", "from", CT_UNIT_FRACTION},
                                               {"slowdown_ci[]", "to", CT_UNIT_FRACTION},
                                               {"mean_runtime_s", NULL, CT_UNIT_SECONDS},
                                               {"mean_slowdown", "by mean of T", CT_UNIT_FRACTION},
                                               {"mean_slowdown_ci[]", NULL, CT_UNIT_FRACTION},
                                               {"mean_slowdown_ci[]", NULL, CT_UNIT_FRACTION},
                                               {"measured", "measured", CT_UNIT_FRACTION},
                                               {"within_tolerance", "tolerated", CT_UNIT_NONE}};
    ct_report_table(report, "beside", "Beside other applications, by the latency that they add",
                    columns, sizeof columns / sizeof *columns);
}

static void add_row(struct ct_report *report, const struct ct_effect_subject *subject,
                    const struct beside *beside)
{
    const struct ct_effect *effect = &beside->effect;
    double more_s = subject->tolerance_s - subject->L_s;
    const double cells[] = {(double)beside->latency_s.n,
                            more_s,
                            effect->value[CT_EFFECT_DELTA_L],
                            effect->interval[CT_EFFECT_DELTA_L].lo,
                            effect->interval[CT_EFFECT_DELTA_L].hi,
                            effect->value[CT_EFFECT_RUNTIME],
                            effect->value[CT_EFFECT_SLOWDOWN],
                            effect->interval[CT_EFFECT_SLOWDOWN].lo,
                            effect->interval[CT_EFFECT_SLOWDOWN].hi,
                            effect->value[CT_EFFECT_MEAN_RUNTIME],
                            effect->value[CT_EFFECT_MEAN_SLOWDOWN],
                            effect->interval[CT_EFFECT_MEAN_SLOWDOWN].lo,
                            effect->interval[CT_EFFECT_MEAN_SLOWDOWN].hi,
                            beside->measured_frac};
    ct_report_cell_text(report, beside->with);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        ct_report_cell_number(report, cells[i]);
    ct_report_cell_text(report, effect->value[CT_EFFECT_DELTA_L] <= more_s ? "yes" : "no");
}

/* "A tolerates 12.3 us more for 5 %, B adds 4.2 us, so A beside B: predicted slowdown 1.7 %". */
static void add_sentence(struct ct_report *report, const struct ct_effect_subject *subject,
                         const char *app, const struct beside *beside)
{
    char tolerance[64];
    double more_us = (subject->tolerance_s - subject->L_s) * 1e6;
    if (isinf(more_us))
        snprintf(tolerance, sizeof tolerance, "any latency");
    else
        snprintf(tolerance, sizeof tolerance, "%.4g us more", more_us);
    ct_report_note(report,
                   "%s tolerates %s for %.3g %%, %s adds %.4g us, so %s beside %s: predicted "
                   "slowdown %.3g %%",
                   app, tolerance, 100 * subject->threshold_frac, beside->with,
                   beside->effect.value[CT_EFFECT_DELTA_L] * 1e6, app, beside->with,
                   100 * beside->effect.value[CT_EFFECT_SLOWDOWN]);
    if (beside->latency_s.n == 1)
        ct_report_note(report, "%s: one latency beside it, hence no intervals", beside->with);
}

static void report_besides(struct ct_report *report, const struct ct_effect_subject *subject,
                           const char *app, const struct beside *besides, size_t n)
{
    begin_table(report);
    for (size_t b = 0; b < n; b++)
        add_row(report, subject, &besides[b]);
    for (size_t b = 0; b < n; b++)
        add_sentence(report, subject, app, &besides[b]);
}

/* ---- one run ---- */

static void add_quantiles(struct ct_report *report, const struct ct_effect *effect)
{
    static const struct ct_column columns[] = {{"probability", "quantile", CT_UNIT_FRACTION},
                                               {"runtime_s", "T", CT_UNIT_SECONDS},
                                               {"runtime_ci_s[]", "from", CT_UNIT_SECONDS},
                                               {"runtime_ci_s[]", "to", CT_UNIT_SECONDS}};
    ct_report_table(report, "runtime_quantiles", "Run time over the latencies that were sampled",
                    columns, sizeof columns / sizeof *columns);
    for (size_t q = 0; q < CT_EFFECT_N_QUANTILES; q++) {
        ct_report_cell_number(report, ct_effect_probabilities[q]);
        ct_report_cell_number(report, effect->value[CT_EFFECT_QUANTILES + q]);
        ct_report_cell_number(report, effect->interval[CT_EFFECT_QUANTILES + q].lo);
        ct_report_cell_number(report, effect->interval[CT_EFFECT_QUANTILES + q].hi);
    }
}

static enum ct_status report_run(const struct ct_effect_settings *settings,
                                 const struct ct_effect_subject *subject, struct ct_report *report,
                                 struct ct_error *err)
{
    struct ct_values idle = {0}, loaded = {0};
    char *idle_app = NULL, *app = NULL;
    struct beside beside = {.measured_frac = NAN};
    enum ct_status status = ct_load_impact(settings->idle_path, &idle, &idle_app, err);
    if (status == CT_OK)
        status = ct_load_impact(settings->impact_path, &loaded, &app, err);
    if (status == CT_OK) {
        beside.with = *app ? app : settings->impact_path;
        beside.latency_s = ct_values_series(&loaded);
        status = find_effects(settings, subject, ct_values_series(&idle), &beside, 1, err);
        if (status != CT_OK)
            ct_fail_within(err, status, "--impact %s --idle %s", settings->impact_path,
                           settings->idle_path);
    }
    if (status == CT_OK) {
        report_besides(report, subject, subject->schedule, &beside, 1);
        add_quantiles(report, &beside.effect);
        if (*idle_app)
            ct_report_note(report, "%s is labelled '%s': was the network idle?",
                           settings->idle_path, idle_app);
        status =
            ct_network_settings_note_files(settings->idle_path, settings->impact_path, report, err);
    }
    free(app);
    free(idle_app);
    ct_values_free(&idle);
    ct_values_free(&loaded);
    return status;
}

/* ---- a campaign ---- */

static enum ct_status find_app(const struct ct_loaded_campaign *campaign, const char *name,
                               size_t *app_p, struct ct_error *err)
{
    char names[400] = "";
    for (size_t i = 0; i < campaign->input.n_apps; i++) {
        size_t used = strlen(names);
        if (!strcmp(campaign->app_names[i], name)) {
            *app_p = i;
            return CT_OK;
        }
        snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "",
                 campaign->app_names[i]);
    }
    return ct_fail(err, CT_EUSAGE, "--app: there is no '%s'; there are: %s", name, names);
}

static double measured_slowdown(const struct ct_predict_input *input, size_t app, size_t with)
{
    struct ct_series alone = input->baseline_s[app];
    struct ct_series beside = input->beside_app_s[app * input->n_apps + with];
    struct ct_summary a, b;
    if (ct_stats_summarize(alone.x, alone.n, &a) != CT_OK ||
        ct_stats_summarize(beside.x, beside.n, &b) != CT_OK || !(a.mean > 0))
        return NAN;
    return b.mean / a.mean - 1;
}

/* Applications with an impact run; the others get a note. */
static size_t list_besides(const struct ct_effect_settings *settings,
                           const struct ct_predict_input *input, size_t app, struct beside *besides,
                           struct ct_report *report)
{
    size_t n = 0;
    for (size_t b = 0; b < input->n_apps; b++)
        if (input->app_latency_s[b].n > 0)
            besides[n++] = (struct beside){
                .with = input->app_names[b],
                .latency_s = input->app_latency_s[b],
                .measured_frac = settings->app ? measured_slowdown(input, app, b) : NAN};
        else
            ct_report_note(report, "%s: no run of impactb beside it", input->app_names[b]);
    return n;
}

static enum ct_status report_loaded(const struct ct_effect_settings *settings,
                                    const struct ct_effect_subject *subject,
                                    const struct ct_loaded_campaign *campaign,
                                    struct beside *besides, struct ct_report *report,
                                    struct ct_error *err)
{
    const struct ct_predict_input *input = &campaign->input;
    size_t app = 0;
    if (input->idle_latency_s.n == 0)
        return ct_fail(err, CT_ENODATA,
                       "no run of impactb on the idle network, which others are compared with");
    enum ct_status status = settings->app ? find_app(campaign, settings->app, &app, err) : CT_OK;
    if (status != CT_OK)
        return status;
    size_t n = list_besides(settings, input, app, besides, report);
    if (n == 0)
        return ct_fail(err, CT_ENODATA, "no run of impactb beside an application");
    status = find_effects(settings, subject, input->idle_latency_s, besides, n, err);
    if (status != CT_OK)
        return status;
    report_besides(report, subject, settings->app ? settings->app : subject->schedule, besides, n);
    for (size_t i = 0; i < campaign->n_notes; i++)
        ct_report_note(report, "%s", campaign->notes[i]);
    return CT_OK;
}

static enum ct_status report_campaign(const struct ct_effect_settings *settings,
                                      const struct ct_effect_subject *subject,
                                      struct ct_report *report, struct ct_error *err)
{
    struct ct_loaded_campaign campaign;
    enum ct_status status = ct_load_campaign(settings->campaign_path, &campaign, err);
    if (status != CT_OK)
        return status;
    struct beside *besides = calloc(campaign.input.n_apps + 1, sizeof *besides);
    status = besides ? report_loaded(settings, subject, &campaign, besides, report, err)
                     : ct_fail(err, CT_ENOMEM, "out of memory");
    if (status != CT_OK)
        ct_fail_within(err, status, "--campaign %s", settings->campaign_path);
    free(besides);
    ct_loaded_campaign_free(&campaign);
    return status;
}

enum ct_status ct_effect_report(const struct ct_effect_settings *settings,
                                const struct ct_effect_subject *subject, struct ct_report *report,
                                struct ct_error *err)
{
    if (settings->impact_path)
        return report_run(settings, subject, report, err);
    if (settings->campaign_path)
        return report_campaign(settings, subject, report, err);
    return CT_OK;
}
