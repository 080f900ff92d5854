#include "cli/latency_effect.h"

#include "cli/analysis.h"
#include "core/option_rows.h"

#include <math.h>
#include <stdio.h>

const struct ct_option ct_effect_options[] = {
    {CT_OPTION(STRING, "impact", struct ct_effect_settings, impact_path), .argument = "FILE.h5",
     .help = "run of impactb beside another application: predict the run time beside it from the "
             "latency that it adds"},
    {CT_OPTION(STRING, "idle", struct ct_effect_settings, idle_path), .argument = "IDLE.h5",
     .help = "run of impactb on the idle network, for comparison with --impact"},
    {CT_OPTION(STRING, "campaign", struct ct_effect_settings, campaign_path), .argument = "DIR",
     .help = "campaign (folder or packed): predict the run time beside each of its applications, "
             "from their impact on the probe"},
    {CT_OPTION(STRING, "app", struct ct_effect_settings, app), .argument = "NAME",
     .help = "name of the program in the campaign: measured slowdowns are shown too"},
    CT_ROW_CONFIDENCE(struct ct_effect_settings, confidence_frac,
                      "level of the intervals, which come from a block bootstrap over time"),
    {CT_OPTION(SEED, "seed", struct ct_effect_settings, seed),
     .given = CT_OFFSET_OF(bool, struct ct_effect_settings, has_seed),
     .help = "start of the random numbers of the bootstrap, and of passes that are drawn anew; "
             "without it these have 1"},
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

/* ---- what is said of it ---- */

static void begin_table(struct ct_tables *tables)
{
    static const struct ct_column columns[] = {{"with", "beside", CT_UNIT_NONE},
                                               {"samples", NULL, CT_UNIT_COUNT},
                                               {"tolerated_s", NULL, CT_UNIT_SECONDS},
                                               {"delta_L_s", "adds", CT_UNIT_SECONDS},
                                               {"delta_L_ci_s[]", "from", CT_UNIT_SECONDS},
                                               {"delta_L_ci_s[]", "to", CT_UNIT_SECONDS},
                                               {"runtime_s", NULL, CT_UNIT_SECONDS},
                                               {"slowdown", "predicted", CT_UNIT_FRACTION},
                                               {"slowdown_ci[]", "from", CT_UNIT_FRACTION},
                                               {"slowdown_ci[]", "to", CT_UNIT_FRACTION},
                                               {"mean_runtime_s", NULL, CT_UNIT_SECONDS},
                                               {"mean_slowdown", "by mean of T", CT_UNIT_FRACTION},
                                               {"mean_slowdown_ci[]", NULL, CT_UNIT_FRACTION},
                                               {"mean_slowdown_ci[]", NULL, CT_UNIT_FRACTION},
                                               {"measured", "measured", CT_UNIT_FRACTION},
                                               {"within_tolerance", "tolerated", CT_UNIT_NONE}};
    CT_TABLES_BEGIN(tables, "beside", "Beside other applications, by the latency that they add",
                    columns);
}

static void add_row(struct ct_tables *tables, double more_s, const struct ct_beside *beside)
{
    const struct ct_effect *effect = &beside->effect;
    const double cells[] = {(double)beside->n_latencies,
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
    ct_tables_cell_text(tables, beside->with);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        ct_tables_cell_number(tables, cells[i]);
    ct_tables_cell_text(tables, effect->value[CT_EFFECT_DELTA_L] <= more_s ? "yes" : "no");
}

/* "A tolerates 12.3 us more for 5 %, B adds 4.2 us, so A beside B: predicted slowdown 1.7 %". */
static void add_sentence(struct ct_tables *tables, double more_s, double threshold_frac,
                         const char *app, const struct ct_beside *beside)
{
    char tolerance[64];
    double more_us = more_s * 1e6;
    if (isinf(more_us))
        snprintf(tolerance, sizeof tolerance, "any latency");
    else
        snprintf(tolerance, sizeof tolerance, "%.4g us more", more_us);
    ct_tables_note(tables,
                   "%s tolerates %s for %.3g %%, %s adds %.4g us, so %s beside %s: predicted "
                   "slowdown %.3g %%",
                   app, tolerance, 100 * threshold_frac, beside->with,
                   beside->effect.value[CT_EFFECT_DELTA_L] * 1e6, app, beside->with,
                   100 * beside->effect.value[CT_EFFECT_SLOWDOWN]);
    if (beside->n_latencies == 1)
        ct_tables_note(tables, "%s: one latency beside it, hence no intervals", beside->with);
}

static void fill_besides(struct ct_tables *tables, const struct ct_besides *besides,
                         const struct ct_effect_tolerance *tolerance, double L_s, const char *app)
{
    double more_s = tolerance->tolerance_s - L_s;
    for (size_t i = 0; i < besides->missing.n; i++)
        ct_tables_note(tables, "%s", besides->missing.item[i]);
    begin_table(tables);
    for (size_t b = 0; b < besides->n; b++)
        add_row(tables, more_s, &besides->items[b]);
    ct_tables_detail(tables, besides->n > 1);
    for (size_t b = 0; b < besides->n; b++)
        add_sentence(tables, more_s, tolerance->threshold_frac, app, &besides->items[b]);
    ct_tables_detail(tables, false);
}

static void add_quantiles(struct ct_tables *tables, const struct ct_effect *effect)
{
    static const struct ct_column columns[] = {{"probability", "quantile", CT_UNIT_FRACTION},
                                               {"runtime_s", "T", CT_UNIT_SECONDS},
                                               {"runtime_ci_s[]", "from", CT_UNIT_SECONDS},
                                               {"runtime_ci_s[]", "to", CT_UNIT_SECONDS}};
    CT_TABLES_BEGIN(tables, "runtime_quantiles", "Run time over the latencies that were sampled",
                    columns);
    for (size_t q = 0; q < CT_EFFECT_N_QUANTILES; q++) {
        CT_CELL_NUMBERS(tables, ct_effect_probabilities[q], effect->value[CT_EFFECT_QUANTILES + q],
                        effect->interval[CT_EFFECT_QUANTILES + q].lo,
                        effect->interval[CT_EFFECT_QUANTILES + q].hi);
    }
}

enum ct_status ct_effect_table(const struct ct_effect_settings *settings,
                               struct ct_effect_subject subject,
                               const struct ct_effect_tolerance *tolerance,
                               struct ct_tables *tables, struct ct_error *err)
{
    const struct ct_analysis_settings analysis = {.confidence_frac = settings->confidence_frac,
                                                  .seed = settings->seed};
    struct ct_besides besides;
    if (!settings->impact_path && !settings->campaign_path)
        return CT_OK;
    ct_tables_show_parameter(tables, "seed");
    subject.setup = ct_analysis_bootstrap(&analysis);
    CT_TRY(settings->impact_path ? ct_besides_of_run(&subject, settings->impact_path,
                                                     settings->idle_path, &besides, err)
                                 : ct_besides_of_campaign(&subject, settings->campaign_path,
                                                          settings->app, &besides, err));
    fill_besides(tables, &besides, tolerance, subject.L_s,
                 settings->app ? settings->app : tolerance->schedule);
    if (settings->impact_path)
        add_quantiles(tables, &besides.items[0].effect);
    for (size_t i = 0; i < besides.notes.n; i++)
        ct_tables_note(tables, "%s", besides.notes.item[i]);
    ct_besides_free(&besides);
    return CT_OK;
}
