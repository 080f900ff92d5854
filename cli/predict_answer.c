#include "cli/predict_answer.h"

#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS_MAX = 12, /* of a list on one screen */
    MODEL_ROWS_MAX = 16,
    APPS_MAX = 12,  /* of a matrix */
    NAMED_MAX = 10, /* pairs of one verdict that are named at the end; below a large matrix fewer */
    NAMED_LEAST = 2,
    CELL_MAX = 64,
    TEXT_MAX = 512
};

/* ---- numbers ---- */

/* Those that the interval allows, and no more than hundredths of a percent. */
static int decimals_of(double frac, struct ct_interval interval)
{
    double width = 100 * (interval.hi - interval.lo);
    if (!(width > 0) || !isfinite(width))
        width = fabs(100 * frac) < 10 ? 1 : 10;
    int decimals = ct_interval_decimals(width);
    return decimals > 2 ? 2 : decimals;
}

static void format_percent(double frac, int decimals, char *text, size_t size)
{
    if (isnan(frac)) {
        snprintf(text, size, "-");
        return;
    }
    snprintf(text, size, "%.*f", decimals, 100 * frac);
    if (text[strspn(text, "-0.")] == '\0')
        snprintf(text, size, "0");
}

void ct_predict_format_slowdown(const struct ct_judged *judged, bool with_interval, bool is_whole,
                                char *text, size_t size)
{
    char value[CELL_MAX / 3], half[CELL_MAX / 3] = "";
    const struct ct_interval interval = judged->interval;
    int decimals = is_whole ? 0 : decimals_of(judged->frac, interval);
    bool in_brackets = !judged->is_measured && !isnan(judged->frac);
    format_percent(judged->frac, decimals, value, sizeof value);
    if (with_interval && !isnan(interval.lo))
        format_percent(fmax(interval.hi - judged->frac, judged->frac - interval.lo), decimals, half,
                       sizeof half);
    snprintf(text, size, "%s%s%s%s%s", in_brackets ? "(" : "", value, *half ? "\302\261" : "", half,
             in_brackets ? ")" : "");
}

/* ---- verdicts, and the model ---- */

void ct_predict_answer_verdicts(const struct ct_predict_answers *answers, struct ct_tables *tables)
{
    static const struct ct_column columns[] = {{"app", NULL, CT_UNIT_NONE},
                                               {"with", NULL, CT_UNIT_NONE},
                                               {"slowdown", NULL, CT_UNIT_FRACTION},
                                               {"slowdown_ci[]", NULL, CT_UNIT_FRACTION},
                                               {"slowdown_ci[]", NULL, CT_UNIT_FRACTION},
                                               {"from", NULL, CT_UNIT_NONE},
                                               {"explained_otherwise", NULL, CT_UNIT_FRACTION},
                                               {"verdict", NULL, CT_UNIT_NONE},
                                               {"shared", NULL, CT_UNIT_NONE}};
    CT_TABLES_BEGIN(tables, "verdicts", NULL, columns);
    for (size_t q = 0; q < answers->questions->n; q++) {
        const struct ct_question *question = &answers->questions->items[q];
        const struct ct_judged *judged = &answers->judged[q];
        ct_predict_cells_question(answers->study, question, tables);
        CT_CELL_NUMBERS(tables, judged->frac, judged->interval.lo, judged->interval.hi);
        ct_tables_cell_text(tables, judged->is_measured   ? "measured"
                                    : isnan(judged->frac) ? ""
                                                          : ct_predict_models[answers->model].key);
        ct_tables_cell_number(tables, judged->explained_frac);
        ct_tables_cell_text(tables, ct_verdict_key(judged->verdict));
        ct_tables_cell_text(tables, ct_shared_key(answers->study->shared));
    }
}

/* Of pairs; where only groups are asked about, of these. */
void ct_predict_answer_model(const struct ct_predict_answers *answers, struct ct_tables *tables)
{
    const struct ct_predict_model *model = &ct_predict_models[answers->model];
    const struct ct_questions *questions = answers->questions;
    size_t n = 0, n_measured = 0, n_off = 0;
    double sum = 0, most = 0;
    char text[TEXT_MAX];
    for (size_t q = 0; q < questions->n; q++) {
        const struct ct_predict_case *made = &answers->cases[answers->model * questions->n + q];
        double measured_frac = questions->items[q].measured.frac;
        double off = fabs(made->prediction.slowdown_frac - measured_frac);
        if (answers->n_pairs > 0 && questions->items[q].n_with > 1)
            continue;
        n++;
        n_measured += isnan(measured_frac) ? 0 : 1;
        n_off += isnan(off) ? 0 : 1;
        sum += isnan(off) ? 0 : off;
        most = fmax(most, off);
    }
    size_t used = (size_t)snprintf(text, sizeof text, "%s (%s): ", model->key, model->words);
    if (n_off > 0)
        snprintf(text + used, sizeof text - used, "off by %.2g points on average, %.2g at most",
                 100 * sum / (double)n_off, 100 * most);
    else
        snprintf(text + used, sizeof text - used, "no co-run shows how far it is off");
    ct_tables_text(tables, (struct ct_column){"model", "model", CT_UNIT_NONE}, text);
    const enum ct_shared shared = answers->study->shared;
    snprintf(text, sizeof text, "%zu of %zu slowdowns%s, %s", n_measured, n,
             n_measured < n ? ", the others are predicted" : "", ct_shared_words(shared));
    ct_tables_text(tables, (struct ct_column){"n_measured", "measured", CT_UNIT_NONE}, text);
}

/* ---- a list ---- */

#define LIST_COLUMNS                                                                               \
    {"app", "app", CT_UNIT_NONE}, {"with", "with", CT_UNIT_NONE},                                  \
        {"measured", "measured [%]", CT_UNIT_NONE}, {"predicted", "predicted [%]", CT_UNIT_NONE},  \
    {                                                                                              \
        "interval", "interval [%]", CT_UNIT_NONE                                                   \
    }

/* A slowdown as a text that ends where those of other rows do. */
static void add_percent(struct ct_tables *tables, double frac, struct ct_interval interval)
{
    char value[CELL_MAX / 2], padded[CELL_MAX];
    format_percent(frac, decimals_of(frac, interval), value, sizeof value);
    snprintf(padded, sizeof padded, "%12s", value);
    ct_tables_cell_text(tables, padded);
}

static void add_interval(struct ct_tables *tables, double frac, struct ct_interval interval)
{
    char lo[CELL_MAX / 4], hi[CELL_MAX / 4], both[CELL_MAX] = "-", padded[CELL_MAX + 16];
    int decimals = decimals_of(frac, interval);
    format_percent(interval.lo, decimals, lo, sizeof lo);
    format_percent(interval.hi, decimals, hi, sizeof hi);
    if (!isnan(interval.lo))
        snprintf(both, sizeof both, "%s to %s", lo, hi);
    snprintf(padded, sizeof padded, "%12s", both);
    ct_tables_cell_text(tables, padded);
}

/* The interval is that of what is judged. */
static void add_list_row(const struct ct_study *study, const struct ct_question *question,
                         const struct ct_prediction *prediction, const struct ct_judged *judged,
                         struct ct_tables *tables)
{
    ct_predict_cells_question(study, question, tables);
    add_percent(tables, question->measured.frac, question->measured.interval);
    add_percent(tables, prediction->slowdown_frac, prediction->interval);
    add_interval(tables, judged->frac, judged->interval);
}

/* Those nearest to the limit first, where not all are shown. */
static enum ct_status add_list(const struct ct_predict_answers *answers, struct ct_tables *tables)
{
    char title[TEXT_MAX];
    static const struct ct_column columns[] = {LIST_COLUMNS, {"verdict", "verdict", CT_UNIT_NONE}};
    size_t n = answers->questions->n;
    bool is_cut = n > ROWS_MAX && !answers->all;
    struct ct_ranked *ranked = malloc((n + 1) * sizeof *ranked);
    if (!ranked)
        return CT_ENOMEM;
    for (size_t q = 0; q < n; q++) {
        double off = fabs(answers->judged[q].frac - answers->limit_frac);
        ranked[q] = (struct ct_ranked){q, isnan(off) ? -INFINITY : -off};
    }
    size_t used = (size_t)snprintf(title, sizeof title, "Slowdown of app beside with, limit %g %%",
                                   100 * answers->limit_frac);
    if (is_cut) {
        ct_stats_rank(ranked, n);
        snprintf(title + used, sizeof title - used,
                 "; the %d of %zu nearest to it, %zu more: --all", ROWS_MAX, n, n - ROWS_MAX);
    }
    CT_TABLES_BEGIN(tables, NULL, title, columns);
    for (size_t i = 0; i < n && !(is_cut && i == ROWS_MAX); i++) {
        size_t q = ranked[i].index;
        add_list_row(answers->study, &answers->questions->items[q],
                     &answers->cases[answers->model * n + q].prediction, &answers->judged[q],
                     tables);
        ct_tables_cell_text(tables, ct_verdict_key(answers->judged[q].verdict));
    }
    free(ranked);
    return CT_OK;
}

/* ---- a matrix ---- */

/* After a slowdown. */
static const char *const marks[CT_N_VERDICTS] = {[CT_VERDICT_YES] = "",
                                                 [CT_VERDICT_PERHAPS] = "?",
                                                 [CT_VERDICT_UNKNOWN] = "",
                                                 [CT_VERDICT_DISTURBED] = "!",
                                                 [CT_VERDICT_NO] = "x"};

struct matrix {
    size_t n;                /* applications */
    char (*cells)[CELL_MAX]; /* [row * n + column] */
    char (*names)[CELL_MAX]; /* [row] */
    char (*heads)[CELL_MAX]; /* [column] */
    size_t width;            /* of a line */
};

/* Slowdowns of a column end below each other. Each attempt is narrower: without intervals, columns
 * by number, whole percents. */
static void fill_matrix(const struct ct_predict_answers *answers, int attempt,
                        struct matrix *matrix)
{
    const bool with_interval = attempt == 0, by_number = attempt >= 2, is_whole = attempt >= 3;
    size_t n = matrix->n, widest_name = 0;
    matrix->width = 0;
    for (size_t i = 0; i < n; i++) {
        const char *name = ct_study_app(answers->study, i);
        if (by_number)
            snprintf(matrix->names[i], CELL_MAX, "%zu %s", i + 1, name);
        else
            snprintf(matrix->names[i], CELL_MAX, "%s", name);
        size_t width = ct_text_columns(matrix->names[i]);
        widest_name = width > widest_name ? width : widest_name;
    }
    for (size_t c = 0; c < n; c++) {
        size_t widest = 0;
        for (size_t r = 0; r < n; r++) {
            char *cell = matrix->cells[r * n + c];
            ct_predict_format_slowdown(&answers->judged[r * n + c], with_interval, is_whole, cell,
                                       CELL_MAX);
            size_t width = ct_text_columns(cell);
            widest = width > widest ? width : widest;
        }
        for (size_t r = 0; r < n; r++) {
            char *cell = matrix->cells[r * n + c], plain[CELL_MAX];
            snprintf(plain, sizeof plain, "%s", cell);
            const char *mark = marks[answers->judged[r * n + c].verdict];
            snprintf(cell, CELL_MAX, "%*s%.40s%s%s", (int)(widest - ct_text_columns(plain)), "",
                     plain, *mark ? " " : "", mark);
        }
        if (by_number)
            snprintf(matrix->heads[c], CELL_MAX, "%*zu", (int)widest, c + 1);
        else
            snprintf(matrix->heads[c], CELL_MAX, "%s", matrix->names[c]);
        size_t head = ct_text_columns(matrix->heads[c]);
        matrix->width += 2 + (widest + 2 > head ? widest + 2 : head);
    }
    matrix->width += widest_name;
}

static bool fit_matrix(const struct ct_predict_answers *answers, struct matrix *matrix)
{
    size_t width = ct_text_width(stdout);
    for (int attempt = 0; attempt < 4; attempt++) {
        fill_matrix(answers, attempt, matrix);
        if (matrix->width <= width)
            return true;
    }
    return false;
}

static enum ct_status add_matrix(const struct ct_predict_answers *answers, struct ct_tables *tables,
                                 bool *fits_p)
{
    size_t n = answers->analysis->n_apps, n_more = answers->questions->n - n * n;
    char title[TEXT_MAX];
    struct matrix matrix = {.n = n, .cells = calloc(n * n + 2 * n, sizeof *matrix.cells)};
    if (!matrix.cells)
        return CT_ENOMEM;
    matrix.names = matrix.cells + n * n;
    matrix.heads = matrix.names + n;
    *fits_p = fit_matrix(answers, &matrix);
    if (*fits_p) {
        size_t used = (size_t)snprintf(title, sizeof title,
                                       "Slowdown [%%] of row beside column, limit %g %%. x: above, "
                                       "?: perhaps, !: disturbed, (): "
                                       "predicted",
                                       100 * answers->limit_frac);
        if (n_more > 0)
            snprintf(title + used, sizeof title - used, "; beside several at once, %zu more: --all",
                     n_more);
        const struct ct_column app = {"app", "", CT_UNIT_NONE};
        ct_tables_begin(tables, NULL, title, &app, 1);
        for (size_t c = 0; c < n; c++)
            ct_tables_column(tables,
                             (struct ct_column){matrix.heads[c], matrix.heads[c], CT_UNIT_NONE});
        for (size_t r = 0; r < n; r++) {
            ct_tables_cell_text(tables, matrix.names[r]);
            for (size_t c = 0; c < n; c++)
                ct_tables_cell_text(tables, matrix.cells[r * n + c]);
        }
    }
    free(matrix.cells);
    return CT_OK;
}

/* ---- in words ---- */

/* Before the names of the pairs, and after their number. Disturbed ones first. */
static const struct {
    enum ct_verdict verdict;
    const char *lead, *why;
} sentences[] = {
    {CT_VERDICT_DISTURBED, "Disturbed, do not decide by these",
     "; shared processors, stolen time or drift explain more than half: measure again"},
    {CT_VERDICT_YES, "May run beside each other", ""},
    {CT_VERDICT_NO, "Must not", "; one is slowed by more"},
    {CT_VERDICT_PERHAPS, "Not certain", "; more runs decide"},
    {CT_VERDICT_UNKNOWN, "Not known", "; neither measured nor predicted"}};
enum { N_SENTENCES = sizeof sentences / sizeof *sentences };

/* What has a verdict: an application and what is beside it. */
struct subject {
    enum ct_verdict verdict;
    size_t app;
    const size_t *with;
    size_t n_with;
};

static void say_subjects(const struct ct_study *study, const struct subject *subjects, size_t n,
                         struct ct_tables *tables)
{
    size_t n_named = study->measured.n_apps < NAMED_MAX ? NAMED_MAX : NAMED_LEAST;
    for (size_t s = 0; s < N_SENTENCES; s++) {
        char text[TEXT_MAX] = "", more[CELL_MAX] = "";
        size_t n_found = 0, used = 0;
        for (size_t i = 0; i < n; i++) {
            if (subjects[i].verdict != sentences[s].verdict || n_found++ >= n_named)
                continue;
            used += (size_t)snprintf(text + used, TEXT_MAX - used, "%s%s", used ? ", " : "",
                                     ct_study_app(study, subjects[i].app));
            for (size_t k = 0; k < subjects[i].n_with && used < TEXT_MAX; k++)
                used += (size_t)snprintf(text + used, TEXT_MAX - used, "+%s",
                                         ct_study_app(study, subjects[i].with[k]));
            if (used >= TEXT_MAX)
                used = TEXT_MAX - 1;
        }
        if (n_found > n_named)
            snprintf(more, sizeof more, " and %zu more", n_found - n_named);
        if (n_found > 0)
            ct_tables_answer(tables, "%s (%zu of %zu%s): %s%s.", sentences[s].lead, n_found, n,
                             sentences[s].why, text, more);
    }
}

/* Of pairs; where only groups are asked about, of these. */
static bool say_verdicts(const struct ct_predict_answers *answers, struct ct_tables *tables)
{
    bool has_pairs = answers->n_pairs > 0;
    size_t n = has_pairs ? answers->n_pairs : answers->questions->n;
    struct subject *subjects = calloc(n + 1, sizeof *subjects);
    for (size_t i = 0; subjects && i < n; i++) {
        const struct ct_pair_verdict *pair = &answers->pairs[i];
        const struct ct_question *question = &answers->questions->items[i];
        subjects[i] = has_pairs ? (struct subject){pair->verdict, pair->app[0], &pair->app[1], 1}
                                : (struct subject){answers->judged[i].verdict, question->app,
                                                   question->with, question->n_with};
    }
    if (subjects)
        say_subjects(answers->study, subjects, n, tables);
    free(subjects);
    return subjects;
}

/* Why they are beside others only. */
static void say_loads(const struct ct_study *study, struct ct_tables *tables)
{
    char names[TEXT_MAX / 2] = "";
    size_t n = 0;
    for (size_t app = 0; app < study->measured.n_apps; app++)
        if (ct_study_only_loads(study, app)) {
            size_t used = strlen(names);
            snprintf(names + used, sizeof names - used, "%s%s", n++ ? ", " : "",
                     ct_study_app(study, app));
        }
    if (n > 0)
        ct_tables_answer(tables, "%s: congestors of a scan, which are not slowed but slow others.",
                         names);
}

/* ---- several models ---- */

static void add_model_row(const struct ct_predict_answers *answers, size_t q, size_t model,
                          struct ct_tables *tables)
{
    const struct ct_question *question = &answers->questions->items[q];
    const struct ct_prediction *made =
        &answers->cases[model * answers->questions->n + q].prediction;
    const struct ct_judged shown = {.frac = made->slowdown_frac, .interval = made->interval};
    ct_tables_cell_text(tables, ct_predict_models[model].key);
    add_list_row(answers->study, question, made, &shown, tables);
    add_percent(tables, made->slowdown_frac - question->measured.frac, made->interval);
}

bool ct_predict_shows_models(const struct ct_predict_answers *answers)
{
    return answers->n_models > 1 &&
           (answers->all || answers->n_models * answers->questions->n <= MODEL_ROWS_MAX);
}

static void add_models(const struct ct_predict_answers *answers, struct ct_tables *tables)
{
    static const struct ct_column columns[] = {
        {"model", "model", CT_UNIT_NONE}, LIST_COLUMNS, {"error", "off by [%]", CT_UNIT_NONE}};
    CT_TABLES_BEGIN(tables, NULL, "Slowdown of app beside with, by each model", columns);
    for (size_t q = 0; q < answers->questions->n; q++)
        for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
            if (answers->is_asked[m] &&
                (answers->all || !ct_predict_model_is(&ct_predict_models[m], CT_MODEL_IS_NULL)))
                add_model_row(answers, q, m, tables);
}

/* ---- pairs ---- */

enum ct_status ct_predict_answer_pairs(const struct ct_predict_answers *answers, bool has_errors,
                                       struct ct_tables *tables)
{
    size_t n_apps = answers->analysis->n_apps, n = answers->questions->n;
    bool fits = false;
    enum ct_status status = CT_OK;
    if (ct_predict_shows_models(answers))
        add_models(answers, tables);
    else if (!has_errors && answers->n_pairs == ct_pairs_count(n_apps) && n > ROWS_MAX &&
             n_apps <= APPS_MAX && !answers->all)
        status = add_matrix(answers, tables, &fits);
    if (status == CT_OK && !has_errors && !fits && !ct_predict_shows_models(answers))
        status = add_list(answers, tables);
    say_loads(answers->study, tables);
    return say_verdicts(answers, tables) ? status : CT_ENOMEM;
}

/* ---- groups ---- */

static void add_placement(const struct ct_study *study, const struct ct_advice *advice,
                          struct ct_tables *tables)
{
    static const struct ct_column columns[] = {{"switch", NULL, CT_UNIT_COUNT},
                                               {"app", NULL, CT_UNIT_NONE},
                                               {"with", NULL, CT_UNIT_NONE},
                                               {"predicted", NULL, CT_UNIT_FRACTION},
                                               {"predicted_ci[]", NULL, CT_UNIT_FRACTION},
                                               {"predicted_ci[]", NULL, CT_UNIT_FRACTION},
                                               {"flag", NULL, CT_UNIT_NONE},
                                               {"measured", NULL, CT_UNIT_FRACTION},
                                               {"cpu_slowdown", NULL, CT_UNIT_FRACTION},
                                               {"cpu_wait", NULL, CT_UNIT_FRACTION},
                                               {"verdict", NULL, CT_UNIT_NONE}};
    static const char *const keys[] = {"cost", "random_cost", "gain"};
    const double costs[] = {advice->grouping.cost, advice->random_cost,
                            advice->random_cost - advice->grouping.cost};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        ct_tables_number(tables, (struct ct_column){keys[i], NULL, CT_UNIT_FRACTION}, costs[i]);
    ct_tables_text(tables, (struct ct_column){"search", NULL, CT_UNIT_NONE},
                   advice->grouping.is_exact       ? "exact"
                   : advice->grouping.is_cut_short ? "not exact, ended early"
                                                   : "not exact");
    CT_TABLES_BEGIN(tables, "placement", NULL, columns);
    for (size_t i = 0; i < advice->n; i++) {
        const struct ct_advice_row *row = &advice->rows[i];
        const struct ct_interval interval = row->prediction.interval;
        ct_tables_cell_number(tables, (double)row->number + 1);
        ct_predict_cells_question(study, &row->question, tables);
        CT_CELL_NUMBERS(tables, row->prediction.slowdown_frac, interval.lo, interval.hi);
        ct_tables_cell_text(tables, ct_prediction_flag_text(row->prediction.flag));
        CT_CELL_NUMBERS(tables, row->question.measured.frac, row->question.processors_frac,
                        ct_question_cpu_wait(&row->question));
        ct_tables_cell_text(tables, ct_verdict_key(row->judged.verdict));
    }
}

/* The later verdict of all in a group. Rows are by group. */
static bool say_groups(const struct ct_study *study, const struct ct_advice *advice,
                       struct ct_tables *tables)
{
    struct subject *subjects = calloc(advice->n + 1, sizeof *subjects);
    size_t n = 0;
    for (size_t i = 0; subjects && i < advice->n; i++) {
        const struct ct_advice_row *row = &advice->rows[i];
        if (i == 0 || row->number != advice->rows[i - 1].number)
            subjects[n++] = (struct subject){row->judged.verdict, row->question.app,
                                             row->question.with, row->question.n_with};
        else if (row->judged.verdict > subjects[n - 1].verdict)
            subjects[n - 1].verdict = row->judged.verdict;
    }
    if (subjects)
        say_subjects(study, subjects, n, tables);
    free(subjects);
    return subjects;
}

enum ct_status ct_predict_answer_groups(const struct ct_predict_answers *answers,
                                        const struct ct_advice *advice,
                                        enum ct_grouping_objective objective,
                                        struct ct_tables *tables)
{
    static const struct ct_column columns[] = {
        {"switch", "group", CT_UNIT_COUNT}, LIST_COLUMNS, {"verdict", "verdict", CT_UNIT_NONE}};
    char title[TEXT_MAX];
    add_placement(answers->study, advice, tables);
    snprintf(title, sizeof title, "Which applications run together %s, limit %g %%",
             ct_shared_words(answers->study->shared), 100 * answers->limit_frac);
    CT_TABLES_BEGIN(tables, NULL, title, columns);
    for (size_t i = 0; i < advice->n; i++) {
        const struct ct_advice_row *row = &advice->rows[i];
        ct_tables_cell_number(tables, (double)row->number + 1);
        add_list_row(answers->study, &row->question, &row->prediction, &row->judged, tables);
        ct_tables_cell_text(tables, ct_verdict_key(row->judged.verdict));
    }
    if (!say_groups(answers->study, advice, tables))
        return CT_ENOMEM;
    ct_tables_answer(tables, "%s of this division: %.3g %%; of random ones: %.3g %% on average%s.",
                     objective == CT_GROUPING_SUM ? "Sum of the slowdowns" : "Largest slowdown",
                     100 * advice->grouping.cost, 100 * advice->random_cost,
                     advice->grouping.is_exact ? "" : "; a better one may exist");
    return CT_OK;
}
