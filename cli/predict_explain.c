/* crosstalk predict --explain: how each model comes to its answer. */
#include "cli/model_options.h"
#include "cli/predict_tables.h"
#include "predict/analysis.h"
#include "study/describe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct ct_column answer_columns[] = {
    {"model", "model", CT_UNIT_NONE},
    {"predicted", "predicted", CT_UNIT_FRACTION},
    {"predicted_ci[]", "from", CT_UNIT_FRACTION},
    {"predicted_ci[]", "to", CT_UNIT_FRACTION},
    {"configuration", "configuration", CT_UNIT_NONE},
    {"utilization", "read at", CT_UNIT_FRACTION},
    {"flag", "flag", CT_UNIT_NONE},
    {"rule", "because it takes", CT_UNIT_NONE},
};

static void fill_answers(const struct ct_predict_answers *answers, struct ct_tables *tables)
{
    const struct ct_study *study = answers->study;
    CT_TABLES_BEGIN(tables, "answers", "What each model answers", answer_columns);
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++) {
        const struct ct_prediction *prediction =
            &answers->cases[m * answers->questions->n].prediction;
        if (!answers->is_asked[m])
            continue;
        ct_tables_cell_text(tables, ct_predict_models[m].key);
        CT_CELL_NUMBERS(tables, prediction->slowdown_frac, prediction->interval.lo,
                        prediction->interval.hi);
        ct_tables_cell_text(tables,
                            prediction->config < study->measured.n_configs
                                ? ct_measured_config(&study->measured, prediction->config)->name
                                : "");
        ct_tables_cell_number(tables, prediction->at);
        ct_tables_cell_text(tables, ct_prediction_flag_text(prediction->flag));
        ct_tables_cell_text(tables, ct_predict_models[m].rule);
    }
}

/* ---- the co-runner ---- */

static const struct ct_column load_columns[] = {
    {"name", "load", CT_UNIT_NONE},
    {"mean_latency_s", "mean latency", CT_UNIT_SECONDS},
    {"deviation_s", "deviation", CT_UNIT_SECONDS},
    {"utilization", CT_QUEUE_WORDS, CT_UNIT_FRACTION},
    {"calibrated_utilization", "by delay", CT_UNIT_FRACTION},
    {"waiting_utilization", "by waiting", CT_UNIT_FRACTION},
    {"mixture_utilization", "by phases", CT_UNIT_FRACTION},
    {"true_utilization", "switch counters", CT_UNIT_FRACTION},
};

static void add_load(struct ct_tables *tables, const char *name, const struct ct_predict_load *load)
{
    bool is_probed = load->profile.latency_s.n > 0;
    ct_tables_cell_text(tables, name);
    CT_CELL_NUMBERS(tables, is_probed ? load->profile.latency_s.mean : NAN,
                    is_probed ? sqrt(load->profile.latency_s.variance) : NAN,
                    load->utilization_frac, load->calibrated.frac, load->waiting.frac,
                    load->mixture.frac, load->true_utilization_frac);
}

static enum ct_status fill_co_runners(const struct ct_predict_answers *answers,
                                      struct ct_tables *tables)
{
    const struct ct_question *question = &answers->questions->items[0];
    const struct ct_predict_analysis *analysis = answers->analysis;
    struct ct_predict_load combined;
    double *mass = malloc((ct_predict_mass_size(analysis) + 1) * sizeof *mass);
    if (!mass)
        return CT_ENOMEM;
    enum ct_status status =
        ct_predict_combine(analysis, question->with, question->n_with, mass, &combined);
    CT_TABLES_BEGIN(tables, "co_runners", "What the load beside it does to the probe",
                    load_columns);
    add_load(tables, "idle network", &analysis->idle);
    for (size_t i = 0; i < question->n_with; i++)
        add_load(tables, ct_study_app(answers->study, question->with[i]),
                 &analysis->apps[question->with[i]]);
    if (status == CT_OK && question->n_with > 1)
        add_load(tables, "all together", &combined);
    free(mass);
    return status;
}

/* ---- the configurations that count most for each model ---- */

static const struct ct_column candidate_columns[] = {
    {"model", "model", CT_UNIT_NONE},
    {"configuration", "configuration", CT_UNIT_NONE},
    {"slowdown", "slowdown of app", CT_UNIT_FRACTION},
    {"curve", "by the curve", CT_UNIT_FRACTION},
    {"mean_latency_s", "mean latency", CT_UNIT_SECONDS},
    {"score", "score", CT_UNIT_NONE},
    {"score_is", "which is", CT_UNIT_NONE},
};

/* The one that was chosen, of several that are as near, comes first. A model with a curve reads it
 * at some place: configurations near to that come first. */
static size_t rank_candidates(const struct ct_predict_answers *answers, const double *scores,
                              const struct ct_prediction *prediction, struct ct_ranked *candidates)
{
    size_t n = 0;
    double at = prediction->at;
    for (size_t c = 0; c < answers->analysis->n_configs; c++) {
        double rank = isnan(at) ? scores[c] : -fabs(scores[c] - at);
        if (!isnan(scores[c]) && (!isnan(at) || scores[c] != 0))
            candidates[n++] = (struct ct_ranked){c, c == prediction->config ? INFINITY : rank};
    }
    ct_stats_rank(candidates, n);
    return n;
}

static void add_candidates(const struct ct_predict_answers *answers, size_t model,
                           const struct ct_ranked *candidates, const double *scores, size_t n,
                           bool has_curve, struct ct_tables *tables)
{
    enum { N_SHOWN = 5 };
    const struct ct_predict_analysis *analysis = answers->analysis;
    size_t app = answers->questions->items[0].app;
    const struct ct_predict_model *row = &ct_predict_models[model];
    for (size_t i = 0; i < n && i < N_SHOWN; i++) {
        size_t c = candidates[i].index;
        bool beyond;
        const struct ct_curve *curve =
            has_curve ? ct_predict_model_curve(row, analysis, app) : NULL;
        ct_tables_cell_text(tables, row->key);
        ct_tables_cell_text(tables, ct_measured_config(&answers->study->measured, c)->name);
        CT_CELL_NUMBERS(tables, analysis->under_config[app * analysis->n_configs + c].frac,
                        curve ? ct_curve_at(curve, scores[c], &beyond) : NAN,
                        analysis->configs[c].profile.latency_s.mean, scores[c]);
        ct_tables_cell_text(tables, row->scores);
    }
}

static enum ct_status fill_candidates(const struct ct_predict_answers *answers,
                                      struct ct_tables *tables)
{
    const struct ct_question *question = &answers->questions->items[0];
    size_t n_configs = answers->analysis->n_configs;
    double *scores = malloc((n_configs + 1) * sizeof *scores);
    struct ct_ranked *candidates = malloc((n_configs + 1) * sizeof *candidates);
    enum ct_status status = scores && candidates ? CT_OK : CT_ENOMEM;
    CT_TABLES_BEGIN(tables, "candidates", "Configurations that count most for each model",
                    candidate_columns);
    for (size_t m = 0; m < CT_N_PREDICT_MODELS && status == CT_OK; m++) {
        struct ct_prediction prediction;
        if (!answers->is_asked[m])
            continue;
        status = ct_predict_group(&ct_predict_models[m], answers->analysis, question->app,
                                  question->with, question->n_with, scores, &prediction);
        if (status == CT_OK) {
            size_t n = rank_candidates(answers, scores, &prediction, candidates);
            add_candidates(answers, m, candidates, scores, n, !isnan(prediction.at), tables);
        }
    }
    free(scores);
    free(candidates);
    return status;
}

/* ---- the schedule ---- */

static const struct ct_column schedule_columns[] = {
    {"app", "app", CT_UNIT_NONE},
    {"schedule", "schedule", CT_UNIT_NONE},
    {"ranks", "ranks", CT_UNIT_COUNT},
    {"operations", "operations", CT_UNIT_COUNT},
    {"runtime_s", "T by the schedule", CT_UNIT_SECONDS},
    {"baseline_s", "measured alone", CT_UNIT_SECONDS},
    {"why", "not available", CT_UNIT_NONE},
};

static void add_schedule(const struct ct_predict_answers *answers, size_t app,
                         struct ct_tables *tables)
{
    const struct ct_schedule *schedule = &answers->schedules->items[app];
    struct ct_samples baseline_s = ct_measured_passes(&answers->study->measured, app, 0);
    struct ct_summary alone = {.mean = NAN};
    ct_stats_summarize(baseline_s.x, baseline_s.n, &alone);
    ct_tables_cell_text(tables, ct_study_app(answers->study, app));
    ct_tables_cell_text(tables, schedule->path ? schedule->path : "");
    CT_CELL_NUMBERS(tables, schedule->why ? NAN : (double)schedule->n_ranks,
                    schedule->why ? NAN : (double)schedule->n_operations,
                    schedule->why ? NAN : schedule->runtime_s, alone.mean);
    ct_tables_cell_text(tables, schedule->why ? schedule->why : "");
}

/* The application's own for lp; packets needs those of all. */
static void fill_schedules(const struct ct_predict_answers *answers, struct ct_tables *tables)
{
    const struct ct_question *question = &answers->questions->items[0];
    CT_TABLES_BEGIN(tables, "schedule", "Schedules: of the application for lp, of all for packets",
                    schedule_columns);
    add_schedule(answers, question->app, tables);
    for (size_t i = 0; i < question->n_with; i++)
        if (question->with[i] != question->app)
            add_schedule(answers, question->with[i], tables);
    if (answers->schedules->model)
        ct_parameters_fill(answers->schedules->model, tables);
}

static bool asks_schedules(const struct ct_predict_answers *answers)
{
    bool asks = false;
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
        asks |= answers->is_asked[m] &&
                ct_predict_model_is(&ct_predict_models[m], CT_MODEL_NEEDS_SCHEDULE);
    return asks;
}

/* Where programs meet at other phases, their slowdowns are others: the mean is over these. */
static void answer_phases(const struct ct_prediction *made, double level, double measured_frac,
                          struct ct_tables *tables)
{
    const struct ct_interval mean = ct_prediction_mean_interval(made, level);
    char predicted[CT_UNITS_TEXT_MAX], measured[CT_UNITS_TEXT_MAX], lo[CT_UNITS_TEXT_MAX],
        hi[CT_UNITS_TEXT_MAX];
    ct_format_share(made->spread_frac, predicted);
    ct_format_share(measured_frac, measured);
    ct_format_share(mean.lo, lo);
    ct_format_share(mean.hi, hi);
    if (!isnan(made->spread_frac))
        ct_tables_answer(tables,
                         "By the phase at which both meet it varies: standard deviation %s%s%s; "
                         "of %zu phases the mean is %s to %s.",
                         predicted, isnan(measured_frac) ? "" : ", of measured runs ",
                         isnan(measured_frac) ? "" : measured, made->n_phases, lo, hi);
    else if (!isnan(measured_frac))
        ct_tables_answer(tables, "Measured runs differ by a standard deviation of %s.", measured);
}

/* The model that is relied on, and what was measured. */
static void explain_in_words(const struct ct_predict_answers *answers, struct ct_tables *tables)
{
    const struct ct_question *question = &answers->questions->items[0];
    const struct ct_prediction *made =
        &answers->cases[answers->model * answers->questions->n].prediction;
    char with[CT_DESCRIPTION_MAX], share[CT_UNITS_TEXT_MAX], lo[CT_UNITS_TEXT_MAX],
        hi[CT_UNITS_TEXT_MAX], measured[CT_UNITS_TEXT_MAX], interval[3 * CT_UNITS_TEXT_MAX] = "";
    ct_question_with(question, answers->study, with, sizeof with);
    ct_format_share(made->slowdown_frac, share);
    ct_format_share(made->interval.lo, lo);
    ct_format_share(made->interval.hi, hi);
    ct_format_share(question->measured.frac, measured);
    if (!isnan(made->interval.lo))
        snprintf(interval, sizeof interval, " (%s to %s)", lo, hi);
    const char *app = ct_study_app(answers->study, question->app),
               *model = ct_predict_models[answers->model].key;
    if (isnan(made->slowdown_frac))
        ct_tables_answer(tables, "%s beside %s: %s predicts nothing.", app, with, model);
    else
        ct_tables_answer(tables, "%s beside %s: %s predicts a slowdown of %s%s.", app, with, model,
                         share, interval);
    ct_tables_answer(tables, "Measured: %s.", isnan(question->measured.frac) ? "never" : measured);
    answer_phases(made, answers->setup.level, question->spread_frac, tables);
}

enum ct_status ct_predict_tables_explanation(const struct ct_predict_answers *answers,
                                             struct ct_tables *tables)
{
    fill_answers(answers, tables);
    enum ct_status status = fill_co_runners(answers, tables);
    ct_tables_detail(tables, true);
    if (status == CT_OK)
        status = fill_candidates(answers, tables);
    if (asks_schedules(answers))
        fill_schedules(answers, tables);
    ct_tables_detail(tables, false);
    explain_in_words(answers, tables);
    return status;
}
