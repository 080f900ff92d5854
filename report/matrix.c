/* Slowdown of every application beside every other, measured and predicted, as heat maps. */
#include "report/sections.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS_MAX = 20 }; /* more applications: colours only */

/* Slowdowns in percent: measured, and by each model. */
struct matrices {
    size_t n_apps;
    const char **names; /* [app]; each borrowed */
    double *measured;   /* [app * n_apps + with] */
    double *processors; /* likewise: what waiting for processors explains */
    double *predicted;  /* [(model * n_apps + app) * n_apps + with] */
    double scale;       /* largest of all: all maps have the same colours */
};

static double largest(double most, const double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        most = fmax(most, values[i]); /* fmax() passes over NaN */
    return most;
}

static void free_matrices(struct matrices *matrices)
{
    free(matrices->names);
    free(matrices->measured);
    free(matrices->processors);
    free(matrices->predicted);
}

static enum ct_status new_matrices(const struct ct_page_facts *facts, struct matrices *matrices_p)
{
    size_t n = facts->analysis->n_apps, n_cells = n * n;
    struct matrices matrices = {.n_apps = n,
                                .names = malloc((n + 1) * sizeof(char *)),
                                .measured = malloc((n_cells + 1) * sizeof(double)),
                                .processors = malloc((n_cells + 1) * sizeof(double)),
                                .predicted =
                                    malloc((CT_N_PREDICT_MODELS * n_cells + 1) * sizeof(double))};
    if (!matrices.names || !matrices.measured || !matrices.processors || !matrices.predicted) {
        free_matrices(&matrices);
        return CT_ENOMEM;
    }
    for (size_t app = 0; app < n; app++)
        matrices.names[app] = ct_page_app(facts, app);
    for (size_t i = 0; i < n_cells; i++)
        matrices.measured[i] = 100 * facts->analysis->beside_app[i].frac;
    for (size_t i = 0; i < n_cells; i++) {
        double frac = facts->pairs[i].processors_frac;
        matrices.processors[i] = frac < 0 ? 0 : 100 * frac; /* NaN: grey */
    }
    for (size_t i = 0; i < CT_N_PREDICT_MODELS * n_cells; i++)
        matrices.predicted[i] = 100 * facts->cases[i].prediction.slowdown_frac;
    matrices.scale = largest(largest(5, matrices.measured, n_cells), matrices.predicted,
                             CT_N_PREDICT_MODELS * n_cells);
    *matrices_p = matrices;
    return CT_OK;
}

static enum ct_status write_map(struct ct_html *page, const struct matrices *matrices,
                                const double *values, size_t number, const char *name,
                                struct ct_tables *data, struct ct_error *err)
{
    size_t n = matrices->n_apps;
    char id[64];
    ct_figure_id("matrix", number, id);
    struct ct_plot_cells cells = {.values = values,
                                  .n_columns = n,
                                  .columns = matrices->names,
                                  .scale = CT_PLOT_SEQUENTIAL,
                                  .hi = matrices->scale,
                                  .decimals = n <= NUMBERS_MAX ? 0 : -1};
    struct ct_plot_panel panel = {.x_label = "beside",
                                  .y_label = "slowdown (%) of",
                                  .cells = &cells,
                                  .rows = matrices->names,
                                  .n_rows = n};
    struct ct_plot plot =
        ct_figure_plot(&panel, 1, 110 + 1.5 * CT_FIGURE_ROW * (double)(n > 2 ? n : 2));
    return ct_html_figure(
        page, &(struct ct_html_figure){.id = id, .name = name, .plot = &plot, .data = data}, err);
}

/* ---- data ---- */

enum { N_FIRST = 7, N_COLUMNS = N_FIRST + 4 * CT_N_PREDICT_MODELS };

struct columns {
    struct ct_column items[N_COLUMNS];
    char keys[CT_N_PREDICT_MODELS][4][64];
};

static void make_columns(struct columns *columns)
{
    static const struct ct_column first[N_FIRST] = {
        {"app", "app", CT_UNIT_NONE},
        {"beside", "beside", CT_UNIT_NONE},
        {"measured", "measured", CT_UNIT_FRACTION},
        {"measured_from", "from", CT_UNIT_FRACTION},
        {"measured_to", "to", CT_UNIT_FRACTION},
        {"cpu_slowdown", "by processors", CT_UNIT_FRACTION},
        {"cpu_wait", "share by processors", CT_UNIT_FRACTION},
    };
    static const char *const parts[] = {"", "_from", "_to", "_flag"};
    for (size_t c = 0; c < N_FIRST; c++)
        columns->items[c] = first[c];
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
        for (size_t k = 0; k < 4; k++) {
            snprintf(columns->keys[m][k], sizeof columns->keys[m][k], "%s%s",
                     ct_predict_models[m].key, parts[k]);
            columns->items[N_FIRST + 4 * m + k] =
                (struct ct_column){columns->keys[m][k], columns->keys[m][k], CT_UNIT_FRACTION};
        }
}

static void fill_data(const struct ct_page_facts *facts, const struct columns *columns,
                      struct ct_tables *data)
{
    size_t n = facts->analysis->n_apps;
    ct_tables_begin(data, "pairs", NULL, columns->items, N_COLUMNS);
    for (size_t pair = 0; pair < n * n; pair++) {
        const struct ct_slowdown *measured = &facts->analysis->beside_app[pair];
        ct_tables_cell_text(data, ct_page_app(facts, pair / n));
        ct_tables_cell_text(data, ct_page_app(facts, pair % n));
        ct_tables_cell_number(data, measured->frac);
        ct_tables_cell_number(data, measured->interval.lo);
        ct_tables_cell_number(data, measured->interval.hi);
        ct_tables_cell_number(data, facts->pairs[pair].processors_frac);
        ct_tables_cell_number(data, ct_question_cpu_wait(&facts->pairs[pair]));
        for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++) {
            const struct ct_prediction *prediction = &facts->cases[m * n * n + pair].prediction;
            ct_tables_cell_number(data, prediction->slowdown_frac);
            ct_tables_cell_number(data, prediction->interval.lo);
            ct_tables_cell_number(data, prediction->interval.hi);
            ct_tables_cell_text(data, ct_prediction_flag_text(prediction->flag));
        }
    }
}

/* ---- section ---- */

static bool answers(const struct matrices *matrices, size_t model)
{
    size_t n_cells = matrices->n_apps * matrices->n_apps;
    return largest(-INFINITY, matrices->predicted + model * n_cells, n_cells) > -INFINITY;
}

/* Models that are open for the same reason, in one sentence. */
static void say_what_answers_nothing(struct ct_html *page, const struct ct_page_facts *facts,
                                     const struct matrices *matrices)
{
    size_t n_cells = matrices->n_apps * matrices->n_apps;
    for (int flag = 0; flag < CT_PREDICTION_N_FLAGS; flag++) {
        char names[400] = "";
        size_t n = 0;
        for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++) {
            size_t used = strlen(names);
            if (answers(matrices, m) ||
                facts->cases[m * n_cells].prediction.flag != (enum ct_prediction_flag)flag)
                continue;
            snprintf(names + used, sizeof names - used, "%s%s", n ? ", " : "",
                     ct_predict_models[m].key);
            n++;
        }
        if (n > 0)
            ct_html_missing(page, "The model%s %s answer%s nothing here: %s.", n > 1 ? "s" : "",
                            names, n > 1 ? "" : "s",
                            ct_prediction_flag_meaning((enum ct_prediction_flag)flag));
    }
}

/* Maps [first, end) in the order of the page. */
static enum ct_status write_models(struct ct_html *page, const struct ct_page_order *order,
                                   size_t first, size_t end, const struct matrices *matrices,
                                   struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (size_t i = first; i < end && status == CT_OK; i++) {
        size_t m = order->models[i];
        char name[128];
        snprintf(name, sizeof name, "Predicted by %s", ct_predict_models[m].key);
        if (answers(matrices, m))
            status = write_map(page, matrices,
                               matrices->predicted + m * matrices->n_apps * matrices->n_apps, i + 2,
                               name, NULL, err);
    }
    return status;
}

static enum ct_status write_others(struct ct_html *page, const struct ct_page_order *order,
                                   const struct matrices *matrices, struct ct_error *err)
{
    size_t n_others = 0;
    char summary[64];
    for (size_t i = order->n_first; i < CT_N_PREDICT_MODELS; i++)
        n_others += answers(matrices, order->models[i]);
    if (n_others == 0)
        return CT_OK;
    snprintf(summary, sizeof summary, "Predicted by the other %zu models", n_others);
    ct_html_fold_open(page, summary);
    ct_html_grid_open(page, matrices->n_apps <= 8);
    enum ct_status status =
        write_models(page, order, order->n_first, CT_N_PREDICT_MODELS, matrices, err);
    ct_html_grid_close(page);
    ct_html_fold_close(page);
    return status;
}

static bool is_slowed_by_processors(const struct ct_page_facts *facts)
{
    size_t n = facts->analysis->n_apps * facts->analysis->n_apps, pair = 0;
    while (pair < n && !ct_question_is_slowed_by_processors(&facts->pairs[pair]))
        pair++;
    return pair < n;
}

static enum ct_status write_maps(struct ct_html *page, const struct ct_page_view *view,
                                 const struct matrices *matrices, struct ct_tables *data,
                                 struct ct_error *err)
{
    size_t n_cells = matrices->n_apps * matrices->n_apps;
    enum ct_status status = CT_OK;
    ct_html_grid_open(page, matrices->n_apps <= 8);
    if (largest(-INFINITY, matrices->measured, n_cells) > -INFINITY)
        status = write_map(page, matrices, matrices->measured, 1, "Measured slowdowns", data, err);
    if (status == CT_OK && is_slowed_by_processors(view->facts))
        status = write_map(page, matrices, matrices->processors, CT_N_PREDICT_MODELS + 2,
                           "Part of them that waiting for processors explains", NULL, err);
    if (status == CT_OK)
        status = write_models(page, &view->order, 0, view->order.n_first, matrices, err);
    ct_html_grid_close(page);
    if (status == CT_OK)
        status = write_others(page, &view->order, matrices, err);
    if (status == CT_OK)
        say_what_answers_nothing(page, view->facts, matrices);
    return status;
}

static void say_what_is_missing(struct ct_html *page, const struct ct_page_facts *facts)
{
    size_t n = facts->analysis->n_apps, n_measured = 0;
    for (size_t i = 0; i < n * n; i++)
        n_measured += isnan(facts->analysis->beside_app[i].frac) ? 0 : 1;
    if (n_measured < n * n)
        ct_html_missing(page, "%zu of %zu slowdowns were measured; the others are grey.",
                        n_measured, n * n);
}

enum ct_status ct_section_matrix(struct ct_html *page, const struct ct_page_view *view,
                                 struct ct_error *err)
{
    const struct ct_page_facts *facts = view->facts;
    if (facts->analysis->n_apps == 0) {
        ct_html_missing(page, "No application was measured.");
        return CT_OK;
    }
    struct matrices matrices;
    struct columns columns;
    struct ct_tables *data = ct_figure_data();
    if (!data || new_matrices(facts, &matrices) != CT_OK) {
        ct_tables_free(data);
        return ct_no_memory(err, "slowdowns");
    }
    say_what_is_missing(page, facts);
    ct_html_say(page,
                "Each row is an application, each column what runs beside it; the number says by "
                "how many percent its run takes longer. Rows with dark cells suffer, columns with "
                "dark cells disturb. All maps have the same colours, so that a prediction is good "
                "where it looks like the measurement. The first predictions know nothing of the "
                "network: none says no slowdown, additive the mean of the other co-runs of both. "
                "The next are the three models that do best here.");
    make_columns(&columns);
    fill_data(facts, &columns, data);
    enum ct_status status = write_maps(page, view, &matrices, data, err);
    free_matrices(&matrices);
    ct_tables_free(data);
    return status;
}
