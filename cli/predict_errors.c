/* Tables of crosstalk predict on how good predictions are. */
#include "cli/predict_tables.h"
#include "predict/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text has those by which a model can be judged. What intervals hold that were made from the
 * same co-runs follows from the number of these: it is in files only. */
static const struct ct_column error_columns[] = {
    {"model", "model", CT_UNIT_NONE},
    {"pairs", NULL, CT_UNIT_COUNT},
    {"mean_abs", "mean", CT_UNIT_FRACTION},
    {"median", NULL, CT_UNIT_FRACTION},
    {"q1", NULL, CT_UNIT_FRACTION},
    {"q3", NULL, CT_UNIT_FRACTION},
    {"max", "most", CT_UNIT_FRACTION},
    {"time_mean_abs", NULL, CT_UNIT_FRACTION},
    {"time_max", NULL, CT_UNIT_FRACTION},
    {"log_mean_abs", "ln", CT_UNIT_NONE},
    {"log_max", NULL, CT_UNIT_NONE},
    {"decisions", NULL, CT_UNIT_COUNT},
    {"wrongly_allowed", "wrong yes", CT_UNIT_COUNT},
    {"wrongly_refused", "wrong no", CT_UNIT_COUNT},
    {"coverage", NULL, CT_UNIT_FRACTION},
    {"mean_width", NULL, CT_UNIT_FRACTION},
    {"interval_from", NULL, CT_UNIT_NONE},
    {"interval_errors", NULL, CT_UNIT_COUNT},
    {"left_out_mean_abs", "left out", CT_UNIT_FRACTION},
    {"left_out_max", NULL, CT_UNIT_FRACTION},
    {"left_out_coverage", "inside", CT_UNIT_FRACTION},
    {"left_out_mean_width", NULL, CT_UNIT_FRACTION},
    {"left_out_width_to_none", "width", CT_UNIT_NONE},
};

static void add_errors(struct ct_tables *tables, const struct ct_predict_errors *errors)
{
    CT_CELL_NUMBERS(tables, (double)errors->n, errors->mean_abs, errors->median, errors->q1,
                    errors->q3, errors->max);
}

/* What a table of errors is about. */
enum subject {
    PAIRS,
    GROUPS,
    PAIRS_BY_NETWORK, /* without those that processors slow */
};

static bool is_about(enum subject subject, const struct ct_question *question)
{
    if (subject == GROUPS)
        return question->n_with > 1;
    return question->n_with <= 1 &&
           (subject == PAIRS || !ct_question_is_slowed_by_processors(question));
}

/* Measured slowdowns of those that a table is about, one per question; the others are NaN. */
static double *list_measured(const struct ct_predict_answers *answers, enum subject subject,
                             size_t *n_p)
{
    double *measured = malloc((answers->questions->n + 1) * sizeof *measured);
    *n_p = 0;
    for (size_t q = 0; q < answers->questions->n && measured; q++) {
        const struct ct_question *question = &answers->questions->items[q];
        bool counts = is_about(subject, question);
        measured[q] = counts ? question->measured.frac : NAN;
        *n_p += counts;
    }
    return measured;
}

/* none_width: of the intervals of the model that predicts nothing; NaN: not known */
static void add_model(struct ct_tables *tables, const char *key,
                      const struct ct_predict_judgement *judgement,
                      const struct ct_predict_decisions *decisions, double none_width)
{
    const struct ct_predict_evaluation *asked = &judgement->asked;
    bool has_source = asked->interval_from != CT_INTERVAL_FROM_NOTHING;
    ct_tables_cell_text(tables, key);
    add_errors(tables, &asked->slowdown);
    const bool is_decided = decisions->n > 0;
    CT_CELL_NUMBERS(tables, asked->time.mean_abs, asked->time.max, asked->log.mean_abs,
                    asked->log.max, (double)decisions->n,
                    is_decided ? (double)decisions->n_allowed : NAN,
                    is_decided ? (double)decisions->n_refused : NAN, asked->coverage_frac,
                    asked->mean_width_frac);
    ct_tables_cell_text(tables, ct_interval_source_text(asked->interval_from));
    CT_CELL_NUMBERS(tables, has_source ? (double)asked->n_errors : NAN,
                    judgement->left_out.slowdown.mean_abs, judgement->left_out.slowdown.max,
                    judgement->left_out.coverage_frac, judgement->left_out.mean_width_frac,
                    judgement->left_out.mean_width_frac / none_width);
}

/* Of the models that use the network. */
static void say_nearest(size_t model, const struct ct_predict_errors *errors, bool groups,
                        struct ct_tables *tables)
{
    if (errors->n > 0)
        ct_tables_answer(tables,
                         "Nearest to what was measured%s: %s, off by %.2g points on average, %.2g "
                         "at most, in %zu co-run%s.",
                         groups ? " beside several at once" : "", ct_predict_models[model].key,
                         100 * errors->mean_abs, 100 * errors->max, errors->n,
                         errors->n == 1 ? "" : "s");
}

static enum ct_status fill_errors(const struct ct_predict_answers *answers, const double *measured,
                                  bool groups, const char *key, const char *title, bool is_said,
                                  struct ct_tables *tables)
{
    size_t n = answers->questions->n, first = 0, end = n, model = 0;
    struct ct_predict_errors nearest = {.n = 0};
    enum ct_status status = CT_OK;
    /* Pairs come first: those who are asked about otherwise ask for one kind only. */
    while (first < n && groups != (answers->questions->items[first].n_with > 1))
        first++;
    while (end > first && groups != (answers->questions->items[end - 1].n_with > 1))
        end--;
    CT_TABLES_BEGIN(tables, key, title, error_columns);
    double none_width = NAN; /* of the first row, which is always asked */
    for (size_t m = 0; m < CT_N_PREDICT_MODELS && status == CT_OK; m++) {
        const struct ct_predict_case *cases = answers->cases + m * n + first;
        struct ct_predict_judgement judgement;
        if (!answers->is_asked[m])
            continue;
        status = ct_predict_judge(answers->analysis, answers->setup.level, cases, measured + first,
                                  end - first, &judgement);
        if (status != CT_OK)
            break;
        if (m == 0)
            none_width = judgement.left_out.mean_width_frac;
        const struct ct_predict_decisions decisions =
            ct_predict_decide(cases, measured + first, end - first, answers->limit_frac);
        add_model(tables, ct_predict_models[m].key, &judgement, &decisions, none_width);
        const struct ct_predict_errors *errors = &judgement.asked.slowdown;
        if (errors->n > 0 && !ct_predict_model_is(&ct_predict_models[m], CT_MODEL_IS_NULL) &&
            (nearest.n == 0 || errors->mean_abs < nearest.mean_abs)) {
            nearest = *errors;
            model = m;
        }
    }
    if (is_said)
        say_nearest(model, &nearest, groups, tables);
    return status;
}

static enum ct_status fill_subject(const struct ct_predict_answers *answers, enum subject subject,
                                   bool is_always, bool is_said, const char *key, const char *title,
                                   struct ct_tables *tables, size_t *n_p)
{
    double *measured = list_measured(answers, subject, n_p);
    enum ct_status status = measured ? CT_OK : CT_ENOMEM;
    if (measured && (*n_p > 0 || is_always))
        status = fill_errors(answers, measured, subject == GROUPS, key, title, is_said, tables);
    free(measured);
    return status;
}

static size_t count_slowed_by_processors(const struct ct_predict_answers *answers)
{
    size_t n = 0;
    for (size_t q = 0; q < answers->questions->n; q++) {
        const struct ct_question *question = &answers->questions->items[q];
        n += is_about(PAIRS, question) && !is_about(PAIRS_BY_NETWORK, question);
    }
    return n;
}

/* Groups have a table of their own beside that of pairs; where only they are asked about, they have
 * the one. */
enum ct_status ct_predict_tables_errors(const struct ct_predict_answers *answers, bool is_shown,
                                        struct ct_tables *tables)
{
    static const struct {
        const char *key, *title;
    } kinds[] = {
        {"errors{}",
         "Error of the models: |predicted - measured|, in points of slowdown; ln: |ln((1 + "
         "measured) / (1 + predicted))|; wrong yes, no: decisions at the limit; left out: "
         "without any co-run of an application of the pair, what its intervals hold, and "
         "their width to that of none"},
        {"group_errors{}", "The same beside several applications at once"}};
    static const char without[] = "The same without the pairs that are slowed by processors";
    size_t n_pairs, n_groups, n;
    ct_tables_detail(tables, !is_shown);
    enum ct_status status = fill_subject(answers, PAIRS, false, is_shown, kinds[0].key,
                                         kinds[0].title, tables, &n_pairs);
    ct_tables_detail(tables, !is_shown || n_pairs > 0);
    if (status == CT_OK && count_slowed_by_processors(answers) > 0)
        status = fill_subject(answers, PAIRS_BY_NETWORK, false, false, "network_errors{}", without,
                              tables, &n);
    size_t kind = n_pairs > 0;
    if (status == CT_OK)
        status = fill_subject(answers, GROUPS, n_pairs == 0, is_shown && n_pairs == 0,
                              kinds[kind].key, kinds[kind].title, tables, &n_groups);
    return status;
}

/* ---- worst pairs ---- */

static const struct ct_column worst_columns[] = {
    {"model", "model", CT_UNIT_NONE},
    {"app", "app", CT_UNIT_NONE},
    {"with", "with", CT_UNIT_NONE},
    {"measured", "measured", CT_UNIT_FRACTION},
    {"predicted", "predicted", CT_UNIT_FRACTION},
    {"predicted_ci[]", "from", CT_UNIT_FRACTION},
    {"predicted_ci[]", "to", CT_UNIT_FRACTION},
    {"error", "off by", CT_UNIT_FRACTION},
};

static void fill_worst_of(const struct ct_predict_answers *answers, size_t model,
                          struct ct_ranked *ranked, struct ct_tables *tables)
{
    enum { N_WORST = 3 };
    size_t n = 0, n_questions = answers->questions->n;
    const struct ct_predict_case *cases = answers->cases + model * n_questions;
    for (size_t q = 0; q < n_questions; q++) {
        double off =
            fabs(cases[q].prediction.slowdown_frac - answers->questions->items[q].measured.frac);
        if (!isnan(off))
            ranked[n++] = (struct ct_ranked){q, off};
    }
    ct_stats_rank(ranked, n);
    for (size_t i = 0; i < n && i < N_WORST; i++) {
        const struct ct_question *question = &answers->questions->items[ranked[i].index];
        const struct ct_prediction *prediction = &cases[ranked[i].index].prediction;
        ct_tables_cell_text(tables, ct_predict_models[model].key);
        ct_predict_cells_question(answers->study, question, tables);
        CT_CELL_NUMBERS(tables, question->measured.frac, prediction->slowdown_frac,
                        prediction->interval.lo, prediction->interval.hi,
                        prediction->slowdown_frac - question->measured.frac);
    }
}

static enum ct_status fill_worst(const struct ct_predict_answers *answers, struct ct_tables *tables)
{
    struct ct_ranked *ranked = malloc((answers->questions->n + 1) * sizeof *ranked);
    if (!ranked)
        return CT_ENOMEM;
    CT_TABLES_BEGIN(tables, "worst", "Co-runs with the largest errors of each model",
                    worst_columns);
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
        if (answers->is_asked[m])
            fill_worst_of(answers, m, ranked, tables);
    free(ranked);
    return CT_OK;
}

/* ---- models against each other ---- */

static const struct ct_column comparison_columns[] = {
    {"model", "model", CT_UNIT_NONE},
    {"against", "against", CT_UNIT_NONE},
    {"pairs", "pairs", CT_UNIT_COUNT},
    {"applications", "applications", CT_UNIT_COUNT},
    {"difference", "difference", CT_UNIT_FRACTION},
    {"difference_ci[]", "from", CT_UNIT_FRACTION},
    {"difference_ci[]", "to", CT_UNIT_FRACTION},
    {"nearer", "nearer", CT_UNIT_NONE},
};

/* |predicted - measured| of each pair, [model][app * n_apps + with]; NaN: not known. */
static void list_off(const struct ct_predict_answers *answers, double *off)
{
    size_t n_apps = answers->analysis->n_apps, n = answers->questions->n;
    for (size_t i = 0; i < CT_N_PREDICT_MODELS * n_apps * n_apps; i++)
        off[i] = NAN;
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
        for (size_t q = 0; q < n && answers->is_asked[m]; q++) {
            const struct ct_question *question = &answers->questions->items[q];
            if (question->n_with == 1)
                off[(m * n_apps + question->app) * n_apps + question->with[0]] = fabs(
                    answers->cases[m * n + q].prediction.slowdown_frac - question->measured.frac);
        }
}

static void add_comparison(size_t model, size_t against,
                           const struct ct_predict_comparison *comparison, struct ct_tables *tables)
{
    const char *one = ct_predict_models[model].key, *other = ct_predict_models[against].key;
    ct_tables_cell_text(tables, one);
    ct_tables_cell_text(tables, other);
    CT_CELL_NUMBERS(tables, (double)comparison->n, (double)comparison->n_apps,
                    comparison->difference_frac, comparison->interval.lo, comparison->interval.hi);
    ct_tables_cell_text(tables, comparison->interval.hi < 0   ? one
                                : comparison->interval.lo > 0 ? other
                                                              : "");
}

/* Every model with every one above it in the table of errors, so that each pair is there once. */
static enum ct_status fill_comparisons(const struct ct_predict_answers *answers,
                                       struct ct_tables *tables)
{
    size_t n_apps = answers->analysis->n_apps, n_cells = n_apps * n_apps;
    double *off = malloc((CT_N_PREDICT_MODELS * n_cells + 1) * sizeof *off);
    enum ct_status status = off ? CT_OK : CT_ENOMEM;
    if (off)
        list_off(answers, off);
    CT_TABLES_BEGIN(tables, "comparisons",
                    "Models compared on the same pairs: mean error of the one less that of the "
                    "other, in points; interval over applications drawn anew",
                    comparison_columns);
    for (size_t m = 0; m < CT_N_PREDICT_MODELS && status == CT_OK; m++)
        for (size_t against = 0; against < m && status == CT_OK; against++) {
            struct ct_predict_comparison comparison;
            if (!answers->is_asked[m] || !answers->is_asked[against])
                continue;
            status = ct_predict_compare(off + m * n_cells, off + against * n_cells, n_apps,
                                        &answers->setup, &comparison);
            if (status == CT_OK && comparison.n > 0)
                add_comparison(m, against, &comparison, tables);
        }
    free(off);
    return status;
}

/* ---- utilization against counters ---- */

static const struct ct_column utilization_columns[] = {
    {"utilization", "utilization", CT_UNIT_NONE},
    {"of", "of", CT_UNIT_NONE},
    {"loads", "loads", CT_UNIT_COUNT},
    CT_COLUMNS_ERRORS,
    {"worst", "worst", CT_UNIT_NONE},
};

static const char *const utilization_names[CT_N_UTILIZATIONS] = {
    [CT_UTILIZATION_PK] = CT_QUEUE_MODEL,
    [CT_UTILIZATION_CALIBRATED] = "by delay",
    [CT_UTILIZATION_WAITING] = "by waiting",
    [CT_UTILIZATION_MIXTURE] = "by phases"};

static enum ct_status compare_utilizations(enum ct_utilization_kind kind, const char *of,
                                           const struct ct_predict_load *loads,
                                           const struct ct_measured_load *measured, size_t n,
                                           struct ct_tables *tables)
{
    double *room = malloc((2 * n + 1) * sizeof *room);
    if (!room)
        return CT_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        room[i] = ct_predict_utilization(&loads[i], kind);
        room[n + i] = loads[i].true_utilization_frac;
    }
    struct ct_predict_errors errors;
    enum ct_status status = ct_predict_errors_of(room, room + n, n, &errors);
    free(room);
    if (status != CT_OK)
        return status;
    ct_tables_cell_text(tables, utilization_names[kind]);
    ct_tables_cell_text(tables, of);
    add_errors(tables, &errors);
    ct_tables_cell_text(tables, errors.n > 0 ? measured[errors.worst].name : "");
    return CT_OK;
}

static enum ct_status fill_utilizations(const struct ct_predict_answers *answers,
                                        struct ct_tables *tables)
{
    const struct ct_predict_analysis *analysis = answers->analysis;
    const struct ct_measurements *measured = &answers->study->measured;
    CT_TABLES_BEGIN(tables, "utilization_errors", "Utilization against the switch's counters",
                    utilization_columns);
    for (int kind = 0; kind < CT_N_UTILIZATIONS; kind++) {
        CT_TRY(compare_utilizations((enum ct_utilization_kind)kind, "applications", analysis->apps,
                                    ct_measured_app(measured, 0), analysis->n_apps, tables));
        CT_TRY(compare_utilizations((enum ct_utilization_kind)kind, "configurations",
                                    analysis->configs, ct_measured_config(measured, 0),
                                    analysis->n_configs, tables));
    }
    return CT_OK;
}

/* ---- repeatability ---- */

static const struct ct_column repeat_columns[] = {
    {"comparisons", "comparisons", CT_UNIT_COUNT},
    CT_COLUMNS_ERRORS,
    {"app", "worst: app", CT_UNIT_NONE},
    {"with", "with", CT_UNIT_NONE},
};

static enum ct_status fill_repeatability(const struct ct_predict_answers *answers,
                                         struct ct_tables *tables)
{
    const struct ct_study *study = answers->study;
    struct ct_predict_errors errors;
    CT_TRY(ct_predict_repeatability(&study->measured, &errors));
    CT_TABLES_BEGIN(tables, "repeatability",
                    "Repeatability: how far two runs of the same co-run are apart, in points of "
                    "slowdown",
                    repeat_columns);
    add_errors(tables, &errors);
    ct_tables_cell_text(
        tables, errors.n > 0 ? ct_study_app(study, errors.worst / study->measured.n_apps) : "");
    ct_tables_cell_text(
        tables, errors.n > 0 ? ct_study_app(study, errors.worst % study->measured.n_apps) : "");
    return CT_OK;
}

enum ct_status ct_predict_tables_evaluation(const struct ct_predict_answers *answers,
                                            struct ct_tables *tables)
{
    CT_TRY(fill_worst(answers, tables));
    CT_TRY(fill_comparisons(answers, tables));
    CT_TRY(fill_utilizations(answers, tables));
    return fill_repeatability(answers, tables);
}
