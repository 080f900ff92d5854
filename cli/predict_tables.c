#include "cli/predict_tables.h"

#include "predict/conformal.h"
#include "study/constants.h"
#include "study/describe.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 512 };

/* ---- the model of simulations ---- */

const char *const ct_predict_packets = "packets";

bool ct_predict_packets_are_asked(const struct ct_predict_answers *answers)
{
    size_t model = 0;
    return ct_predict_model_find(ct_predict_packets, strlen(ct_predict_packets), &model, NULL) ==
               CT_OK &&
           answers->is_asked[model] && answers->schedules->simulation;
}

void ct_predict_cells_question(const struct ct_study *study, const struct ct_question *question,
                               struct ct_tables *tables)
{
    char with[TEXT_MAX];
    ct_question_with(question, study, with, sizeof with);
    ct_tables_cell_text(tables, ct_study_app(study, question->app));
    ct_tables_cell_text(tables, with);
}

/* ---- loads ---- */

static const struct ct_column load_columns[] = {
    {"what", "load", CT_UNIT_NONE},
    {"name", "name", CT_UNIT_NONE},
    {"latencies", "latencies", CT_UNIT_COUNT},
    {"mean_latency_s", "mean latency", CT_UNIT_SECONDS},
    {"utilization", CT_QUEUE_WORDS, CT_UNIT_FRACTION},
    {"utilization_ci[]", "from", CT_UNIT_FRACTION},
    {"utilization_ci[]", "to", CT_UNIT_FRACTION},
    {"calibrated_utilization", "by delay", CT_UNIT_FRACTION},
    {"calibrated_utilization_ci[]", "from", CT_UNIT_FRACTION},
    {"calibrated_utilization_ci[]", "to", CT_UNIT_FRACTION},
    {"waiting_utilization", "by waiting", CT_UNIT_FRACTION},
    {"waiting_utilization_ci[]", "from", CT_UNIT_FRACTION},
    {"waiting_utilization_ci[]", "to", CT_UNIT_FRACTION},
    {"mixture_utilization", "by phases", CT_UNIT_FRACTION},
    {"mixture_utilization_ci[]", "from", CT_UNIT_FRACTION},
    {"mixture_utilization_ci[]", "to", CT_UNIT_FRACTION},
    {"true_utilization", "switch counters", CT_UNIT_FRACTION},
};

static void add_utilization(struct ct_tables *tables, double frac, struct ct_interval interval)
{
    CT_CELL_NUMBERS(tables, frac, interval.lo, interval.hi);
}

static void add_load(struct ct_tables *tables, const char *what, const char *name,
                     const struct ct_predict_load *load)
{
    bool probed = load->profile.latency_s.n > 0;
    ct_tables_cell_text(tables, what);
    ct_tables_cell_text(tables, name);
    CT_CELL_NUMBERS(tables, (double)load->profile.latency_s.n,
                    probed ? load->profile.latency_s.mean : NAN);
    add_utilization(tables, load->utilization_frac, load->utilization_interval);
    add_utilization(tables, load->calibrated.frac, load->calibrated.interval);
    add_utilization(tables, load->waiting.frac, load->waiting.interval);
    add_utilization(tables, load->mixture.frac, load->mixture.interval);
    ct_tables_cell_number(tables, load->true_utilization_frac);
}

void ct_predict_tables_loads(const struct ct_predict_answers *answers, struct ct_tables *tables)
{
    const struct ct_predict_analysis *analysis = answers->analysis;
    const struct ct_study *study = answers->study;
    CT_TABLES_BEGIN(tables, "loads", "What each load does to the probe", load_columns);
    add_load(tables, "idle", "", &analysis->idle);
    for (size_t app = 0; app < analysis->n_apps; app++)
        add_load(tables, "application", ct_study_app(study, app), &analysis->apps[app]);
    for (size_t c = 0; c < analysis->n_configs; c++)
        add_load(tables, "configuration", ct_measured_config(&study->measured, c)->name,
                 &analysis->configs[c]);
}

/* ---- pairs ---- */

const struct ct_column ct_pair_columns[CT_PAIR_COLUMNS] = {
    {"app", "app", CT_UNIT_NONE},
    {"with", "with", CT_UNIT_NONE},
    {"measured", "measured", CT_UNIT_FRACTION},
    {"measured_ci[]", "from", CT_UNIT_FRACTION},
    {"measured_ci[]", "to", CT_UNIT_FRACTION},
    {"cpu_slowdown", "by processors", CT_UNIT_FRACTION},
    {"cpu_wait", NULL, CT_UNIT_FRACTION},
    {"stolen_slowdown", NULL, CT_UNIT_FRACTION},
};

/* The first ones, those of each model, spreads, the flags; without headings: too wide to read. */
static void begin_pairs(const bool *is_asked, struct ct_tables *tables)
{
    static const struct {
        const char *before, *behind;
    } of_model[] = {
        {"predicted.", ""}, {"predicted_ci.", "[]"}, {"predicted_ci.", "[]"}, {"error.", ""}};
    static const char *const last[] = {"measured_spread", "predicted_spread", "predicted_mean_ci[]",
                                       "predicted_mean_ci[]"};
    char key[64];
    ct_tables_begin(tables, "pairs", NULL, NULL, 0);
    for (size_t c = 0; c < CT_PAIR_COLUMNS; c++)
        ct_tables_column(tables,
                         (struct ct_column){ct_pair_columns[c].key, NULL, ct_pair_columns[c].unit});
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
        for (size_t c = 0; is_asked[m] && c < sizeof of_model / sizeof *of_model; c++) {
            snprintf(key, sizeof key, "%s%s%s", of_model[c].before, ct_predict_models[m].key,
                     of_model[c].behind);
            ct_tables_column(tables, (struct ct_column){key, NULL, CT_UNIT_FRACTION});
        }
    for (size_t c = 0; c < sizeof last / sizeof *last; c++)
        ct_tables_column(tables, (struct ct_column){last[c], NULL, CT_UNIT_FRACTION});
    ct_tables_column(tables, (struct ct_column){"flags", NULL, CT_UNIT_NONE});
}

__attribute__((format(printf, 2, 3))) static void append(char *text, const char *format, ...)
{
    size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, TEXT_MAX - used, format, args);
    va_end(args);
}

static void append_word(char *text, const char *word)
{
    size_t used = strlen(text);
    snprintf(text + used, TEXT_MAX - used, "%s%s", used ? "; " : "", word);
}

/* "no interval: queue, mutual"; "no interval" where that is so for all that answer. */
static void append_without_interval(const struct ct_predict_answers *answers, size_t question,
                                    char *text)
{
    size_t n = answers->questions->n, n_few = 0, n_answers = 0;
    char names[TEXT_MAX] = "";
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++) {
        const struct ct_prediction *prediction = &answers->cases[m * n + question].prediction;
        if (!answers->is_asked[m] || isnan(prediction->slowdown_frac))
            continue;
        n_answers++;
        if (prediction->interval_from == CT_INTERVAL_FROM_TOO_FEW)
            append(names, "%s%s", n_few++ ? ", " : ": ", ct_predict_models[m].key);
    }
    if (n_few > 0)
        append(text, "%sno interval%s", *text ? "; " : "", n_few < n_answers ? names : "");
}

void ct_predict_tables_pairs(const struct ct_predict_answers *answers, struct ct_tables *tables)
{
    const struct ct_study *study = answers->study;
    begin_pairs(answers->is_asked, tables);
    for (size_t q = 0; q < answers->questions->n; q++) {
        const struct ct_question *question = &answers->questions->items[q];
        double spread_frac = NAN;
        struct ct_interval mean = {NAN, NAN};
        char text[TEXT_MAX] = "";
        ct_predict_cells_question(study, question, tables);
        add_utilization(tables, question->measured.frac, question->measured.interval);
        CT_CELL_NUMBERS(tables, question->processors_frac, ct_question_cpu_wait(question),
                        question->stolen_frac);
        for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++) {
            const struct ct_prediction *prediction =
                &answers->cases[m * answers->questions->n + q].prediction;
            if (!answers->is_asked[m])
                continue;
            add_utilization(tables, prediction->slowdown_frac, prediction->interval);
            ct_tables_cell_number(tables, prediction->slowdown_frac - question->measured.frac);
            /* One model has phases. */
            if (!isnan(prediction->spread_frac)) {
                spread_frac = prediction->spread_frac;
                mean = ct_prediction_mean_interval(prediction, answers->setup.level);
            }
            if (prediction->flag != CT_PREDICTION_PLAIN)
                append(text, "%s%s: %s", *text ? "; " : "", ct_predict_models[m].key,
                       ct_prediction_flag_text(prediction->flag));
        }
        CT_CELL_NUMBERS(tables, question->spread_frac, spread_frac, mean.lo, mean.hi);
        append_without_interval(answers, q, text);
        if (ct_drifts_of(&answers->study->drifts, ct_study_app(study, question->app)))
            append_word(text, "baseline drifts");
        if (ct_question_is_slowed_by_processors(question))
            append_word(text, "slowed by processors");
        if (ct_question_is_changed_by_stealing(question))
            append_word(text, "stolen time");
        ct_tables_cell_text(tables, text);
    }
}

/* ---- notes ---- */

/* Each flag that occurred is explained once. */
static void note_flags(const struct ct_predict_answers *answers, struct ct_tables *tables)
{
    size_t n = answers->questions->n;
    for (int flag = CT_PREDICTION_PLAIN + 1; flag < CT_PREDICTION_N_FLAGS; flag++) {
        size_t n_flagged = 0;
        for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
            for (size_t q = 0; q < n && answers->is_asked[m]; q++)
                n_flagged +=
                    answers->cases[m * n + q].prediction.flag == (enum ct_prediction_flag)flag;
        if (n_flagged > 0)
            ct_tables_note(tables, "%s (%zu prediction%s): %s",
                           ct_prediction_flag_text((enum ct_prediction_flag)flag), n_flagged,
                           n_flagged == 1 ? "" : "s",
                           ct_prediction_flag_meaning((enum ct_prediction_flag)flag));
    }
}

static void note_intervals(const struct ct_predict_answers *answers, struct ct_tables *tables)
{
    size_t n_few = 0, n_examples = 0, most = 0, n = answers->questions->n;
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
        for (size_t q = 0; q < n && answers->is_asked[m]; q++) {
            const struct ct_prediction *prediction = &answers->cases[m * n + q].prediction;
            n_examples += prediction->interval_from == CT_INTERVAL_FROM_EXAMPLES;
            if (prediction->interval_from != CT_INTERVAL_FROM_TOO_FEW)
                continue;
            n_few++;
            most = prediction->n_errors > most ? prediction->n_errors : most;
        }
    if (n_few > 0)
        ct_tables_note(tables,
                       "no interval (%zu prediction%s): at most %zu errors of the model are known, "
                       "and an interval of %g %% needs %zu, from measured co-runs or from "
                       "configurations, of all applications together (mutual, probe and "
                       "multiplicative: from co-runs); measure "
                       "more of these, "
                       "or lower --confidence",
                       n_few, n_few == 1 ? "" : "s", most, 100 * answers->setup.level,
                       ct_conformal_least(answers->setup.level));
    if (n_examples > 0)
        ct_tables_note(tables,
                       "interval by examples (%zu prediction%s): nothing that was measured here "
                       "tells how far packets is off; its errors in the campaigns of examples/ "
                       "stand for that",
                       n_examples, n_examples == 1 ? "" : "s");
}

/* Of applications that are timed in a co-run that is shown. */
static void note_drifts(const struct ct_predict_answers *answers, struct ct_tables *tables)
{
    const struct ct_drifts *drifts = &answers->study->drifts;
    for (size_t i = 0; i < drifts->n; i++) {
        bool shown = false;
        for (size_t q = 0; q < answers->questions->n && !shown; q++)
            shown = !strcmp(ct_study_app(answers->study, answers->questions->items[q].app),
                            drifts->items[i].app);
        char text[400];
        ct_drift_describe(&drifts->items[i], text, sizeof text);
        if (shown)
            ct_tables_note(tables, "%s", text);
    }
}

/* What makes the numbers of a network model wrong without it being wrong. */
static void note_processors(const struct ct_predict_answers *answers, struct ct_tables *tables)
{
    size_t n_slowed = 0, n_known = 0;
    for (size_t q = 0; q < answers->questions->n; q++) {
        const struct ct_question *question = &answers->questions->items[q];
        n_known += isnan(question->processors_frac) ? 0 : 1;
        n_slowed += ct_question_is_slowed_by_processors(question);
    }
    if (n_slowed > 0)
        ct_tables_note(
            tables,
            "slowed by processors (%zu of %zu co-runs): ranks waited longer for processors than "
            "alone, by more than %g %% of the time alone ('cpu_slowdown' in CSV and JSON). "
            "That explains as much of 'measured' at most, and less where messages were late, too. "
            "Models of the network do not know of it; give ranks cores of their own",
            n_slowed, n_known, 100 * ct_study_constant(CT_STUDY_PROCESSORS_NOTED));
}

/* Neither the application's nor its co-runner's doing. */
static void note_stealing(const struct ct_predict_answers *answers, struct ct_tables *tables)
{
    size_t n_changed = 0, n_known = 0, n_measured = 0;
    for (size_t q = 0; q < answers->questions->n; q++) {
        const struct ct_question *question = &answers->questions->items[q];
        n_measured += isnan(question->measured.frac) ? 0 : 1;
        n_known += isnan(question->stolen_frac) ? 0 : 1;
        n_changed += ct_question_is_changed_by_stealing(question);
    }
    if (n_changed > 0)
        ct_tables_note(tables,
                       "stolen time (%zu of %zu co-runs): the host of these virtual machines took "
                       "processors away, which changes 'measured' by more than %g %% of the time "
                       "alone; measure again when the host has less to do",
                       n_changed, n_known, 100 * ct_study_constant(CT_STUDY_PROCESSORS_NOTED));
    if (n_known < n_measured)
        ct_tables_note(tables, "stolen time: not recorded in %zu of %zu measured co-runs",
                       n_measured - n_known, n_measured);
}

static void note_missing(const struct ct_study *study, struct ct_tables *tables)
{
    const struct ct_measurements *measured = &study->measured;
    size_t n_apps = measured->n_apps, n_configs = measured->n_configs;
    if (measured->loads[0].latency_s.n == 0)
        ct_tables_note(tables, "missing: probe run on the idle network; only the model packets can "
                               "predict slowdowns. Where a scan has it, give that: --scan SHEET");
    for (size_t app = 0; app < n_apps; app++) {
        const char *name = ct_measured_app(measured, app)->name;
        size_t n_under = 0;
        if (ct_study_only_loads(study, app))
            continue;
        for (size_t c = 0; c < n_configs; c++)
            n_under += ct_measured_passes(measured, app, ct_load_of_config(n_apps, c)).n > 0;
        if (ct_measured_passes(measured, app, 0).n == 0)
            ct_tables_note(tables, "missing: baseline of %s; no slowdown of it is known", name);
        if (ct_measured_app(measured, app)->latency_s.n == 0)
            ct_tables_note(tables,
                           "missing: probe run beside %s; only the model packets can predict "
                           "slowdowns of its "
                           "co-runners",
                           name);
        if (n_under < n_configs)
            ct_tables_note(tables, "missing: %s was timed beside %zu of %zu configurations", name,
                           n_under, n_configs);
    }
    for (size_t c = 0; c < n_configs; c++)
        if (ct_measured_config(measured, c)->latency_s.n == 0)
            ct_tables_note(tables, "missing: probe run beside %s; no model uses it",
                           ct_measured_config(measured, c)->name);
}

void ct_predict_tables_notes(const struct ct_predict_answers *answers, struct ct_tables *tables)
{
    char noise[CT_DESCRIPTION_MAX];
    if (ct_describe_idle_noise(answers->analysis, noise))
        ct_tables_note(tables, "%s", noise);
    if (ct_describe_reach(answers->study, answers->analysis, noise))
        ct_tables_note(tables, "%s", noise);
    note_flags(answers, tables);
    note_intervals(answers, tables);
    note_drifts(answers, tables);
    note_processors(answers, tables);
    note_stealing(answers, tables);
    note_missing(answers->study, tables);
    for (size_t i = 0; i < answers->study->notes.n; i++)
        ct_tables_note(tables, "%s", answers->study->notes.item[i]);
}
