#include "cli/latency_effect.h"

#include "cli/analysis.h"
#include "cli/graph_model.h"
#include "cli/load_impact.h"
#include "lp-bridge/envelope/effect.h"

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
    {.name = "confidence",
     .type = CT_OPTION_FRACTION,
     .offset = offsetof(struct ct_effect_settings, confidence_frac),
     .argument = "FRACTION",
     .initial = "90%",
     .min = 0.5,
     .max = 0.99,
     .help = "level of the intervals, which come from a block bootstrap over time"},
    {.name = "seed",
     .type = CT_OPTION_SEED,
     .offset = offsetof(struct ct_effect_settings, seed),
     .argument = "N",
     .help = "start of the random numbers of the bootstrap"},
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

static struct ct_bootstrap bootstrap_of(const struct ct_effect_settings *settings)
{
    const struct ct_analysis_settings analysis = {.confidence_frac = settings->confidence_frac,
                                                  .seed = settings->seed};
    return ct_analysis_bootstrap(&analysis);
}

/* ---- one run ---- */

static void add_value(struct ct_report *report, const struct ct_effect *effect,
                      enum ct_effect_value value, const struct ct_column columns[2])
{
    ct_report_number(report, columns[0], effect->value[value]);
    ct_report_number(report, columns[1], effect->interval[value].lo);
    ct_report_number(report, (struct ct_column){columns[1].key, "to", columns[1].unit},
                     effect->interval[value].hi);
}

static void add_quantiles(struct ct_report *report, const struct ct_effect *effect)
{
    static const struct ct_column columns[] = {{"probability", "quantile", CT_UNIT_FRACTION},
                                               {"runtime_s", "T", CT_UNIT_SECONDS},
                                               {"runtime_ci_s[]", "from", CT_UNIT_SECONDS},
                                               {"runtime_ci_s[]", "to", CT_UNIT_SECONDS}};
    ct_report_table(report, "effect_quantiles", "Run time over the latencies that were sampled",
                    columns, sizeof columns / sizeof *columns);
    for (size_t q = 0; q < CT_EFFECT_N_QUANTILES; q++) {
        ct_report_cell_number(report, ct_effect_probabilities[q]);
        ct_report_cell_number(report, effect->value[CT_EFFECT_QUANTILES + q]);
        ct_report_cell_number(report, effect->interval[CT_EFFECT_QUANTILES + q].lo);
        ct_report_cell_number(report, effect->interval[CT_EFFECT_QUANTILES + q].hi);
    }
}

static void report_effect(struct ct_report *report, const struct ct_effect *effect,
                          const char *with, size_t n_samples)
{
    static const struct {
        enum ct_effect_value value;
        struct ct_column columns[2];
    } rows[] = {
        {CT_EFFECT_DELTA_L,
         {{"effect.delta_L_s", "dL, latency added beside it", CT_UNIT_SECONDS},
          {"effect.delta_L_ci_s[]", "from", CT_UNIT_SECONDS}}},
        {CT_EFFECT_RUNTIME,
         {{"effect.runtime_s", "run time T(L + dL)", CT_UNIT_SECONDS},
          {"effect.runtime_ci_s[]", "from", CT_UNIT_SECONDS}}},
        {CT_EFFECT_SLOWDOWN,
         {{"effect.slowdown", "predicted slowdown", CT_UNIT_FRACTION},
          {"effect.slowdown_ci[]", "from", CT_UNIT_FRACTION}}},
        {CT_EFFECT_MEAN_RUNTIME,
         {{"effect.mean_runtime_s", "mean of T over the latencies", CT_UNIT_SECONDS},
          {"effect.mean_runtime_ci_s[]", "from", CT_UNIT_SECONDS}}},
        {CT_EFFECT_MEAN_SLOWDOWN,
         {{"effect.mean_slowdown", "slowdown by that mean", CT_UNIT_FRACTION},
          {"effect.mean_slowdown_ci[]", "from", CT_UNIT_FRACTION}}},
    };
    ct_report_text(report, (struct ct_column){"effect.with", "beside", CT_UNIT_NONE},
                   *with ? with : "(not labelled)");
    ct_report_number(report, (struct ct_column){"effect.samples", "latencies", CT_UNIT_COUNT},
                     (double)n_samples);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        add_value(report, effect, rows[i].value, rows[i].columns);
    add_quantiles(report, effect);
    if (n_samples == 1)
        ct_report_note(report, "one latency beside it: there are no intervals");
}

/* By one envelope that reaches as far as the latencies. */
static enum ct_status find_effect(const struct ct_effect_settings *settings,
                                  const struct ct_effect_subject *subject,
                                  const struct ct_effect_probe *probe, struct ct_effect *effect,
                                  struct ct_error *err)
{
    struct ct_envelope envelope = {0};
    const struct ct_bootstrap setup = bootstrap_of(settings);
    double L_ns = ct_ns_from_s(subject->L_s);
    enum ct_status status = ct_envelope_find(subject->program, 0, ct_effect_end_ns(L_ns, probe),
                                             subject->threads, &envelope, err);
    if (status == CT_OK)
        status = ct_effect_find(&envelope, L_ns, probe, &setup, effect, err);
    ct_envelope_free(&envelope);
    return status == CT_OK ? CT_OK
                           : ct_fail_within(err, "--impact %s --idle %s", settings->impact_path,
                                            settings->idle_path);
}

static enum ct_status report_run(const struct ct_effect_settings *settings,
                                 const struct ct_effect_subject *subject, struct ct_report *report,
                                 struct ct_error *err)
{
    struct ct_values idle = {0}, beside = {0};
    char *idle_app = NULL, *app = NULL;
    struct ct_effect effect;
    enum ct_status status = ct_load_impact(settings->idle_path, &idle, &idle_app, err);
    if (status == CT_OK)
        status = ct_load_impact(settings->impact_path, &beside, &app, err);
    const struct ct_effect_probe probe = {ct_values_series(&idle), ct_values_series(&beside)};
    if (status == CT_OK)
        status = find_effect(settings, subject, &probe, &effect, err);
    if (status == CT_OK) {
        report_effect(report, &effect, app, beside.n);
        if (*idle_app)
            ct_report_note(report, "%s is labelled '%s': was the network idle?",
                           settings->idle_path, idle_app);
    }
    free(app);
    free(idle_app);
    ct_values_free(&idle);
    ct_values_free(&beside);
    return status;
}

/* ---- a campaign ---- */

static enum ct_status find_app(const struct ct_loaded_campaign *campaign, const char *name,
                               const char *path, size_t *app_p, struct ct_error *err)
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
    return ct_fail(err, CT_EUSAGE, "--app: %s has no '%s'; there are: %s", path, name, names);
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

/* "A tolerates 12.3 us more for 5 %, B adds 4.2 us, so A beside B: predicted slowdown 1.7 %". */
static void add_sentence(struct ct_report *report, const struct ct_effect_subject *subject,
                         const char *app, const char *with, const struct ct_effect *effect)
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
                   app, tolerance, 100 * subject->threshold_frac, with,
                   effect->value[CT_EFFECT_DELTA_L] * 1e6, app, with,
                   100 * effect->value[CT_EFFECT_SLOWDOWN]);
}

static void add_row(struct ct_report *report, const struct ct_effect_subject *subject,
                    const char *with, const struct ct_effect *effect, double measured)
{
    double more_s = subject->tolerance_s - subject->L_s;
    double cells[] = {more_s,
                      effect->value[CT_EFFECT_DELTA_L],
                      effect->interval[CT_EFFECT_DELTA_L].lo,
                      effect->interval[CT_EFFECT_DELTA_L].hi,
                      effect->value[CT_EFFECT_SLOWDOWN],
                      effect->interval[CT_EFFECT_SLOWDOWN].lo,
                      effect->interval[CT_EFFECT_SLOWDOWN].hi,
                      effect->value[CT_EFFECT_MEAN_SLOWDOWN],
                      measured};
    ct_report_cell_text(report, with);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        ct_report_cell_number(report, cells[i]);
    ct_report_cell_text(report, effect->value[CT_EFFECT_DELTA_L] <= more_s ? "yes" : "no");
}

static void begin_table(struct ct_report *report)
{
    static const struct ct_column columns[] = {{"with", "beside", CT_UNIT_NONE},
                                               {"tolerated_s", "tolerates", CT_UNIT_SECONDS},
                                               {"delta_L_s", "adds dL", CT_UNIT_SECONDS},
                                               {"delta_L_ci_s[]", "from", CT_UNIT_SECONDS},
                                               {"delta_L_ci_s[]", "to", CT_UNIT_SECONDS},
                                               {"slowdown", "predicted", CT_UNIT_FRACTION},
                                               {"slowdown_ci[]", "from", CT_UNIT_FRACTION},
                                               {"slowdown_ci[]", "to", CT_UNIT_FRACTION},
                                               {"mean_slowdown", "by mean of T", CT_UNIT_FRACTION},
                                               {"measured", "measured", CT_UNIT_FRACTION},
                                               {"within_tolerance", "tolerated", CT_UNIT_NONE}};
    ct_report_table(report, "beside", "Beside the applications of the campaign", columns,
                    sizeof columns / sizeof *columns);
}

/* Applications with an impact run; the others get a note. */
struct besides {
    const struct ct_loaded_campaign *campaign;
    struct ct_effect *effects; /* one for each application */
    bool *is_known;
};

static enum ct_status find_effects(const struct ct_effect_settings *settings,
                                   const struct ct_effect_subject *subject, struct besides *besides,
                                   struct ct_error *err)
{
    const struct ct_predict_input *input = &besides->campaign->input;
    const struct ct_bootstrap setup = bootstrap_of(settings);
    struct ct_envelope envelope = {0};
    double L_ns = ct_ns_from_s(subject->L_s), end_ns = L_ns + 1;
    for (size_t b = 0; b < input->n_apps; b++)
        end_ns = fmax(end_ns,
                      ct_effect_end_ns(L_ns, &(struct ct_effect_probe){input->idle_latency_s,
                                                                       input->app_latency_s[b]}));
    enum ct_status status =
        ct_envelope_find(subject->program, 0, end_ns, subject->threads, &envelope, err);
    if (status != CT_OK)
        ct_fail_within(err, "%s", settings->campaign_path);
    for (size_t b = 0; b < input->n_apps && status == CT_OK; b++) {
        const struct ct_effect_probe probe = {input->idle_latency_s, input->app_latency_s[b]};
        besides->is_known[b] = probe.beside.n > 0;
        if (besides->is_known[b] &&
            ct_effect_find(&envelope, L_ns, &probe, &setup, &besides->effects[b], err) != CT_OK)
            status = ct_fail_within(err, "%s: %s", settings->campaign_path, input->app_names[b]);
    }
    ct_envelope_free(&envelope);
    return status;
}

static void report_besides(const struct ct_effect_settings *settings,
                           const struct ct_effect_subject *subject, const struct besides *besides,
                           size_t app, struct ct_report *report)
{
    const struct ct_predict_input *input = &besides->campaign->input;
    const char *name = settings->app ? settings->app : subject->schedule;
    begin_table(report);
    for (size_t b = 0; b < input->n_apps; b++)
        if (besides->is_known[b])
            add_row(report, subject, input->app_names[b], &besides->effects[b],
                    settings->app ? measured_slowdown(input, app, b) : NAN);
    for (size_t b = 0; b < input->n_apps; b++)
        if (besides->is_known[b])
            add_sentence(report, subject, name, input->app_names[b], &besides->effects[b]);
        else
            ct_report_note(report, "%s: no run of impactb beside it", input->app_names[b]);
    for (size_t i = 0; i < besides->campaign->n_notes; i++)
        ct_report_note(report, "%s", besides->campaign->notes[i]);
}

static enum ct_status check_campaign(const struct ct_effect_settings *settings,
                                     const struct ct_loaded_campaign *campaign, size_t *app_p,
                                     struct ct_error *err)
{
    const struct ct_predict_input *input = &campaign->input;
    size_t n_known = 0;
    for (size_t b = 0; b < input->n_apps; b++)
        n_known += input->app_latency_s[b].n > 0;
    if (input->idle_latency_s.n == 0)
        return ct_fail(err, CT_ENODATA,
                       "%s: no run of impactb on the idle network, which others are compared with",
                       settings->campaign_path);
    if (n_known == 0)
        return ct_fail(err, CT_ENODATA, "%s: no run of impactb beside an application",
                       settings->campaign_path);
    return settings->app ? find_app(campaign, settings->app, settings->campaign_path, app_p, err)
                         : CT_OK;
}

static enum ct_status report_campaign(const struct ct_effect_settings *settings,
                                      const struct ct_effect_subject *subject,
                                      struct ct_report *report, struct ct_error *err)
{
    struct ct_loaded_campaign campaign;
    size_t app = 0;
    enum ct_status status = ct_load_campaign(settings->campaign_path, &campaign, err);
    if (status != CT_OK)
        return status;
    size_t n = campaign.input.n_apps;
    struct besides besides = {&campaign, calloc(n + 1, sizeof *besides.effects),
                              calloc(n + 1, sizeof *besides.is_known)};
    if (!besides.effects || !besides.is_known)
        status = ct_fail(err, CT_ENOMEM, "%s: out of memory", settings->campaign_path);
    if (status == CT_OK)
        status = check_campaign(settings, &campaign, &app, err);
    if (status == CT_OK)
        status = find_effects(settings, subject, &besides, err);
    if (status == CT_OK)
        report_besides(settings, subject, &besides, app, report);
    free(besides.effects);
    free(besides.is_known);
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
