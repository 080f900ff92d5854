/* How far predictions are off, by model and by pair: Casas and Bronevetsky, IPDPS 2014, Figs. 8
 * and 9. */
#include "predict/compare.h"
#include "report/sections.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS_MAX = 40 };

/* Predicted minus measured of the pairs that were measured, in points. */
struct errors {
    size_t n_pairs;
    size_t *pairs;  /* [row]: app * n_apps + with; worst first */
    double *values; /* [row * CT_N_PREDICT_MODELS + model] */
    char **names;   /* [row] */
};

static void free_errors(struct errors *errors)
{
    for (size_t i = 0; errors->names && i < errors->n_pairs; i++)
        free(errors->names[i]);
    free(errors->names);
    free(errors->pairs);
    free(errors->values);
}

static double error_of(const struct ct_page_facts *facts, size_t model, size_t pair)
{
    size_t n = facts->analysis->n_apps;
    return 100 * (facts->cases[model * n * n + pair].prediction.slowdown_frac -
                  facts->analysis->beside_app[pair].frac);
}

/* Mean error over the models that answer. */
static struct ct_ranked rank(const struct ct_page_facts *facts, size_t pair)
{
    double sum = 0;
    size_t n_known = 0;
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++) {
        double error = error_of(facts, m, pair);
        sum += isnan(error) ? 0 : fabs(error);
        n_known += isnan(error) ? 0 : 1;
    }
    return (struct ct_ranked){pair, n_known > 0 ? sum / (double)n_known : 0};
}

static enum ct_status fill_errors(const struct ct_page_facts *facts, const struct ct_ranked *ranked,
                                  struct errors *errors)
{
    size_t n = facts->analysis->n_apps;
    for (size_t i = 0; i < errors->n_pairs; i++) {
        size_t pair = errors->pairs[i] = ranked[i].index;
        for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
            errors->values[i * CT_N_PREDICT_MODELS + m] = error_of(facts, m, pair);
        if (asprintf(&errors->names[i], "%s beside %s", ct_page_app(facts, pair / n),
                     ct_page_app(facts, pair % n)) < 0) {
            errors->names[i] = NULL;
            return CT_ENOMEM;
        }
    }
    return CT_OK;
}

static enum ct_status new_errors(const struct ct_page_facts *facts, struct errors *errors_p)
{
    size_t n_cells = facts->analysis->n_apps * facts->analysis->n_apps;
    struct errors errors = {0};
    struct ct_ranked *ranked = calloc(n_cells + 1, sizeof *ranked);
    if (!ranked)
        return CT_ENOMEM;
    for (size_t pair = 0; pair < n_cells; pair++)
        if (!isnan(facts->analysis->beside_app[pair].frac))
            ranked[errors.n_pairs++] = rank(facts, pair);
    ct_stats_rank(ranked, errors.n_pairs);
    errors.pairs = calloc(errors.n_pairs + 1, sizeof *errors.pairs);
    errors.values = calloc(errors.n_pairs * CT_N_PREDICT_MODELS + 1, sizeof *errors.values);
    errors.names = calloc(errors.n_pairs + 1, sizeof *errors.names);
    enum ct_status status = errors.pairs && errors.values && errors.names
                                ? fill_errors(facts, ranked, &errors)
                                : CT_ENOMEM;
    free(ranked);
    if (status != CT_OK)
        free_errors(&errors);
    else
        *errors_p = errors;
    return status;
}

/* Models of the page that are shown together: the first ones, or all. */
struct shown {
    const struct ct_page_order *order;
    size_t n;         /* models of the order */
    const char *id;   /* end of identifiers */
    const char *what; /* end of names */
};

/* ---- by pair ---- */

/* Errors of the models that answer any of the first n pairs, row by row; free(). */
static double *answered_columns(const struct errors *errors, const struct shown *shown, size_t n,
                                const char **models, size_t *n_models_p)
{
    size_t columns[CT_N_PREDICT_MODELS], n_columns = 0;
    for (size_t k = 0; k < shown->n; k++) {
        size_t i = 0, m = shown->order->models[k];
        while (i < n && isnan(errors->values[i * CT_N_PREDICT_MODELS + m]))
            i++;
        if (i == n)
            continue;
        models[n_columns] = ct_predict_models[m].key;
        columns[n_columns++] = m;
    }
    double *values = malloc((n * n_columns + 1) * sizeof *values);
    for (size_t i = 0; i < n * n_columns && values; i++)
        values[i] = errors->values[i / n_columns * CT_N_PREDICT_MODELS + columns[i % n_columns]];
    *n_models_p = n_columns;
    return values;
}

/* Names of pairs in front of the columns, and room for three digits and a sign in each. */
static const double names_px = 230, column_px = 36;

static enum ct_status write_pairs(struct ct_html *page, const struct errors *errors,
                                  const struct shown *shown, struct ct_error *err)
{
    const char *models[CT_N_PREDICT_MODELS];
    size_t n = errors->n_pairs < PAIRS_MAX ? errors->n_pairs : PAIRS_MAX, n_models;
    double largest = 5, *values = answered_columns(errors, shown, n, models, &n_models);
    if (!values)
        return ct_no_memory(err, "errors by pair");
    for (size_t i = 0; i < n * n_models; i++)
        largest = fmax(largest, fabs(values[i]));
    struct ct_plot_cells cells = {.values = values,
                                  .n_columns = n_models,
                                  .columns = models,
                                  .scale = CT_PLOT_DIVERGING,
                                  .lo = -largest,
                                  .hi = largest};
    struct ct_plot_panel panel = {.x_label = "model",
                                  .y_label = "predicted - measured (points of slowdown)",
                                  .cells = &cells,
                                  .rows = (const char *const *)errors->names,
                                  .n_rows = n};
    struct ct_plot plot = ct_figure_plot(&panel, 1, 190 + CT_FIGURE_ROW * (double)n);
    plot.width = fmax(plot.width, names_px + column_px * (double)n_models);
    char about[200], id[64], name[64];
    snprintf(id, sizeof id, "figure-errors-pairs%s", shown->id);
    snprintf(name, sizeof name, "Errors by pair and model%s", shown->what);
    snprintf(about, sizeof about,
             "Orange: predicted too much. Blue: too little. White: right. The worst pairs come "
             "first%s.",
             n < errors->n_pairs ? "; others are in the data of the first figure above" : "");
    enum ct_status status = ct_html_figure(
        page, &(struct ct_html_figure){.id = id, .name = name, .about = about, .plot = &plot}, err);
    free(values);
    return status;
}

/* ---- by model ---- */

/* Of each model as a row of ct_predict_models. */
struct judged {
    struct ct_predict_judgement of[CT_N_PREDICT_MODELS];
    struct ct_predict_errors repeated; /* of the measurement itself */
};

/* What the boxes are drawn from; one row a model that answers a measured pair. */
struct boxes {
    const char *names[CT_N_PREDICT_MODELS];
    double row[CT_N_PREDICT_MODELS], q1[CT_N_PREDICT_MODELS], median[CT_N_PREDICT_MODELS],
        q3[CT_N_PREDICT_MODELS], mean[CT_N_PREDICT_MODELS], max[CT_N_PREDICT_MODELS];
    size_t n;
};

static void add_box(struct boxes *boxes, const char *name, const struct ct_predict_errors *errors)
{
    if (errors->n == 0)
        return;
    size_t i = boxes->n++;
    boxes->names[i] = name;
    boxes->row[i] = (double)i;
    boxes->q1[i] = 100 * errors->q1;
    boxes->median[i] = 100 * errors->median;
    boxes->q3[i] = 100 * errors->q3;
    boxes->mean[i] = 100 * errors->mean_abs;
    boxes->max[i] = 100 * errors->max;
}

static enum ct_status draw_boxes(struct ct_html *page, const struct boxes *boxes,
                                 const struct shown *shown, struct ct_error *err)
{
    const struct ct_plot_series series[] = {{.title = "middle half",
                                             .style = CT_PLOT_BOXES,
                                             .x = boxes->median,
                                             .y = boxes->row,
                                             .n = boxes->n,
                                             .lo = boxes->q1,
                                             .hi = boxes->q3,
                                             .colour = "#56B4E9"},
                                            {.title = "median",
                                             .style = CT_PLOT_POINTS,
                                             .x = boxes->median,
                                             .y = boxes->row,
                                             .n = boxes->n,
                                             .colour = "#000000"},
                                            {.title = "mean",
                                             .style = CT_PLOT_POINTS,
                                             .x = boxes->mean,
                                             .y = boxes->row,
                                             .n = boxes->n,
                                             .colour = "#D55E00"},
                                            {.title = "largest",
                                             .style = CT_PLOT_POINTS,
                                             .x = boxes->max,
                                             .y = boxes->row,
                                             .n = boxes->n,
                                             .colour = "#0072B2"}};
    double end = 0;
    for (size_t i = 0; i < boxes->n; i++)
        end = fmax(end, boxes->max[i]);
    struct ct_plot_panel panel = {.x_label = "error |predicted - measured| (points of slowdown)",
                                  .series = series,
                                  .n_series = sizeof series / sizeof *series,
                                  .rows = boxes->names,
                                  .n_rows = boxes->n,
                                  .x_hi = 1.05 * fmax(end, 1),
                                  .key_below = true};
    struct ct_plot plot = ct_figure_plot(&panel, 1, 120 + 1.3 * CT_FIGURE_ROW * (double)boxes->n);
    char id[64], name[64];
    snprintf(id, sizeof id, "figure-errors-models%s", shown->id);
    snprintf(name, sizeof name, "Errors by model%s", shown->what);
    return ct_html_figure(
        page,
        &(struct ct_html_figure){.id = id,
                                 .name = name,
                                 .about = "A point is a percent of the time alone: 12 predicted "
                                          "and 10 measured is an error of 2 points.",
                                 .plot = &plot},
        err);
}

static enum ct_status write_boxes(struct ct_html *page, const struct judged *judged,
                                  const struct shown *shown, struct ct_error *err)
{
    struct boxes boxes = {.n = 0};
    for (size_t k = 0; k < shown->n; k++) {
        size_t m = shown->order->models[k];
        add_box(&boxes, ct_predict_models[m].key, &judged->of[m].asked.slowdown);
    }
    return boxes.n > 0 ? draw_boxes(page, &boxes, shown, err) : CT_OK;
}

static const struct ct_column columns[] = {
    {"model", "model", CT_UNIT_NONE},
    {"pairs", "pairs", CT_UNIT_COUNT},
    {"mean_abs", "mean", CT_UNIT_FRACTION},
    {"median", "median", CT_UNIT_FRACTION},
    {"q1", "1st quartile", CT_UNIT_FRACTION},
    {"q3", "3rd quartile", CT_UNIT_FRACTION},
    {"max", "largest", CT_UNIT_FRACTION},
    {"worst", "where", CT_UNIT_NONE},
    {"mean_time", "mean, of time", CT_UNIT_FRACTION},
    {"covered", "inside interval", CT_UNIT_FRACTION},
    {"width", "mean width", CT_UNIT_FRACTION},
    {"interval_from", "interval from", CT_UNIT_NONE},
    {"left_out_mean_abs", "both left out: mean", CT_UNIT_FRACTION},
    {"left_out_covered", "inside interval", CT_UNIT_FRACTION},
    {"left_out_width", "mean width", CT_UNIT_FRACTION},
};

/* The measurement itself makes no prediction: judgement is NULL. */
static void add_row(struct ct_tables *data, const struct ct_page_facts *facts, const char *name,
                    const struct ct_predict_errors *errors,
                    const struct ct_predict_judgement *judgement)
{
    static const struct ct_predict_evaluation none = {.slowdown = {.mean_abs = NAN},
                                                      .time = {.mean_abs = NAN},
                                                      .coverage_frac = NAN,
                                                      .mean_width_frac = NAN};
    const struct ct_predict_evaluation *asked = judgement ? &judgement->asked : &none;
    const struct ct_predict_evaluation *left_out = judgement ? &judgement->left_out : &none;
    size_t n = facts->analysis->n_apps;
    char worst[256] = "";
    if (errors->n > 0)
        snprintf(worst, sizeof worst, "%s beside %s", ct_page_app(facts, errors->worst / n),
                 ct_page_app(facts, errors->worst % n));
    ct_tables_cell_text(data, name);
    ct_tables_cell_number(data, (double)errors->n);
    ct_tables_cell_number(data, errors->mean_abs);
    ct_tables_cell_number(data, errors->median);
    ct_tables_cell_number(data, errors->q1);
    ct_tables_cell_number(data, errors->q3);
    ct_tables_cell_number(data, errors->max);
    ct_tables_cell_text(data, worst);
    ct_tables_cell_number(data, asked->time.mean_abs);
    ct_tables_cell_number(data, asked->coverage_frac);
    ct_tables_cell_number(data, asked->mean_width_frac);
    ct_tables_cell_text(data, ct_interval_source_text(asked->interval_from));
    ct_tables_cell_number(data, left_out->slowdown.mean_abs);
    ct_tables_cell_number(data, left_out->coverage_frac);
    ct_tables_cell_number(data, left_out->mean_width_frac);
}

/* Measured slowdown of each pair; free(). */
static double *list_measured(const struct ct_page_facts *facts)
{
    size_t n = facts->analysis->n_apps * facts->analysis->n_apps;
    double *measured = malloc((n + 1) * sizeof *measured);
    for (size_t i = 0; i < n && measured; i++)
        measured[i] = facts->analysis->beside_app[i].frac;
    return measured;
}

static enum ct_status judge_all(const struct ct_page_facts *facts, struct judged *judged)
{
    size_t n = facts->analysis->n_apps * facts->analysis->n_apps;
    double *measured = list_measured(facts);
    enum ct_status status = measured ? CT_OK : CT_ENOMEM;
    for (size_t m = 0; m < CT_N_PREDICT_MODELS && status == CT_OK; m++)
        status = ct_predict_judge(facts->analysis, facts->bootstrap.level, facts->cases + m * n,
                                  measured, n, &judged->of[m]);
    free(measured);
    return status == CT_OK ? ct_predict_repeatability(facts->measured, &judged->repeated) : status;
}

/* The models, and as the last row how well the measurement itself repeats. */
static enum ct_status write_table(struct ct_html *page, const struct ct_page_facts *facts,
                                  const struct judged *judged, const struct shown *shown,
                                  struct ct_error *err)
{
    char id[64];
    struct ct_tables *data = ct_figure_data();
    if (!data)
        return ct_no_memory(err, "errors of the models");
    snprintf(id, sizeof id, "errors-table%s", shown->id);
    ct_tables_begin(data, "errors",
                    "Errors of the models: |predicted - measured|, points of slowdown; of time: "
                    "|predicted / measured - 1|; both left out: without any co-run of an "
                    "application of the pair",
                    columns, sizeof columns / sizeof *columns);
    for (size_t k = 0; k < shown->n; k++) {
        const struct ct_predict_judgement *one = &judged->of[shown->order->models[k]];
        if (one->asked.slowdown.n > 0) /* else it answers nothing that was measured */
            add_row(data, facts, ct_predict_models[shown->order->models[k]].key,
                    &one->asked.slowdown, one);
    }
    if (judged->repeated.n > 0)
        add_row(data, facts, "run to run", &judged->repeated, NULL);
    enum ct_status status = ct_html_table(page, id, data, err);
    ct_tables_free(data);
    return status;
}

/* ---- models against each other ---- */

static const struct ct_column comparison_columns[] = {
    {"model", "model", CT_UNIT_NONE},   {"against", "against", CT_UNIT_NONE},
    {"pairs", "pairs", CT_UNIT_COUNT},  {"difference", "difference", CT_UNIT_FRACTION},
    {"from", "from", CT_UNIT_FRACTION}, {"to", "to", CT_UNIT_FRACTION},
};

static enum ct_status add_comparison(const struct ct_page_facts *facts, const double *off,
                                     size_t model, size_t against, struct ct_tables *data)
{
    size_t n = facts->analysis->n_apps;
    struct ct_predict_comparison comparison;
    enum ct_status status = ct_predict_compare(off + model * n * n, off + against * n * n, n,
                                               &facts->bootstrap, &comparison);
    if (status != CT_OK || comparison.n == 0)
        return status;
    ct_tables_cell_text(data, ct_predict_models[model].key);
    ct_tables_cell_text(data, ct_predict_models[against].key);
    ct_tables_cell_number(data, (double)comparison.n);
    ct_tables_cell_number(data, comparison.difference_frac);
    ct_tables_cell_number(data, comparison.interval.lo);
    ct_tables_cell_number(data, comparison.interval.hi);
    return CT_OK;
}

/* Each of the first models against each one before it. */
static enum ct_status write_comparisons(struct ct_html *page, const struct ct_page_facts *facts,
                                        const struct shown *shown, struct ct_error *err)
{
    size_t n_cells = facts->analysis->n_apps * facts->analysis->n_apps;
    double *off = malloc((CT_N_PREDICT_MODELS * n_cells + 1) * sizeof *off);
    struct ct_tables *data = ct_figure_data();
    enum ct_status status = off && data ? CT_OK : CT_ENOMEM;
    for (size_t i = 0; i < CT_N_PREDICT_MODELS * n_cells && status == CT_OK; i++)
        off[i] = fabs(error_of(facts, i / n_cells, i % n_cells)) / 100;
    if (status == CT_OK)
        ct_tables_begin(data, "comparisons",
                        "Models compared on the same pairs: mean error of the one less that of the "
                        "other, points; the interval draws applications anew",
                        comparison_columns, sizeof comparison_columns / sizeof *comparison_columns);
    const size_t *models = shown->order->models;
    for (size_t i = 0; i < shown->n && status == CT_OK; i++)
        for (size_t j = 0; j < i && status == CT_OK; j++)
            status = add_comparison(facts, off, models[i], models[j], data);
    if (status != CT_OK)
        ct_no_memory(err, "models compared");
    else
        status = ct_html_table(page, "comparisons", data, err);
    ct_tables_free(data);
    free(off);
    return status;
}

/* ---- several at once ---- */

enum { N_GROUP_FIRST = 3 };

/* Models that answer for one of the groups. */
static size_t list_models(const struct ct_page_facts *facts, const struct shown *shown,
                          size_t *models)
{
    size_t n = 0;
    for (size_t k = 0; k < shown->n; k++) {
        size_t n_answers = 0, m = shown->order->models[k];
        for (size_t g = 0; g < facts->n_groups; g++) {
            const struct ct_predict_case *one = &facts->group_cases[m * facts->n_groups + g];
            n_answers += isnan(one->prediction.slowdown_frac) ? 0 : 1;
        }
        if (n_answers > 0)
            models[n++] = m;
    }
    return n;
}

static enum ct_status write_groups(struct ct_html *page, const struct ct_page_facts *facts,
                                   const struct shown *shown, struct ct_error *err)
{
    char id[64];
    struct ct_column table[N_GROUP_FIRST + CT_N_PREDICT_MODELS] = {
        {"app", "app", CT_UNIT_NONE},
        {"beside", "beside", CT_UNIT_NONE},
        {"measured", "measured", CT_UNIT_FRACTION}};
    size_t models[CT_N_PREDICT_MODELS], n = list_models(facts, shown, models);
    for (size_t i = 0; i < n; i++)
        table[N_GROUP_FIRST + i] = (struct ct_column){
            ct_predict_models[models[i]].key, ct_predict_models[models[i]].key, CT_UNIT_FRACTION};
    struct ct_tables *data = ct_figure_data();
    if (!data)
        return ct_no_memory(err, "several at once");
    ct_tables_begin(data, "groups", "Slowdown beside several at once, measured and predicted",
                    table, N_GROUP_FIRST + n);
    for (size_t g = 0; g < facts->n_groups; g++) {
        const struct ct_page_group *group = &facts->groups[g];
        ct_tables_cell_text(data, group->app);
        ct_tables_cell_text(data, group->with);
        ct_tables_cell_number(data, group->measured_frac);
        for (size_t i = 0; i < n; i++)
            ct_tables_cell_number(
                data, facts->group_cases[models[i] * facts->n_groups + g].prediction.slowdown_frac);
    }
    snprintf(id, sizeof id, "groups%s", shown->id);
    enum ct_status status = ct_html_table(page, id, data, err);
    ct_tables_free(data);
    return status;
}

/* ---- section ---- */

static enum ct_status write_shown(struct ct_html *page, const struct ct_page_facts *facts,
                                  const struct errors *errors, const struct judged *judged,
                                  const struct shown *shown, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    if (errors->n_pairs > 0) {
        status = write_boxes(page, judged, shown, err);
        if (status == CT_OK)
            status = write_pairs(page, errors, shown, err);
        if (status == CT_OK)
            status = write_table(page, facts, judged, shown, err);
    }
    if (status == CT_OK && facts->n_groups > 0)
        status = write_groups(page, facts, shown, err);
    return status;
}

/* Of the models that are folded those that answer. */
static size_t count_others(const struct ct_page_view *view, const struct judged *judged)
{
    size_t n = 0;
    for (size_t i = view->order.n_first; i < CT_N_PREDICT_MODELS; i++)
        n += judged->of[view->order.models[i]].asked.slowdown.n > 0;
    return n;
}

static enum ct_status write_all(struct ct_html *page, const struct ct_page_view *view,
                                const struct errors *errors, const struct judged *judged,
                                struct ct_error *err)
{
    const struct shown first = {&view->order, view->order.n_first, "", ""};
    const struct shown all = {&view->order, CT_N_PREDICT_MODELS, "-all", ", all models"};
    enum ct_status status = write_shown(page, view->facts, errors, judged, &first, err);
    if (status == CT_OK && errors->n_pairs > 0)
        status = write_comparisons(page, view->facts, &first, err);
    if (status != CT_OK || count_others(view, judged) == 0)
        return status;
    ct_html_fold_open(page, "The same for all models");
    status = write_shown(page, view->facts, errors, judged, &all, err);
    ct_html_fold_close(page);
    return status;
}

static void introduce(struct ct_html *page, const struct ct_page_facts *facts, size_t n_pairs)
{
    if (n_pairs == 0) {
        ct_html_missing(page, "No pair of applications was run beside each other, so that there is "
                              "nothing to compare predictions with.");
        return;
    }
    ct_html_say(page,
                "Each model predicts from measurements of each application alone; here it is "
                "compared with %zu measured co-runs. A good model has its box near zero, and is "
                "nearer to it than the null models, which know nothing of the network: none says "
                "no slowdown, additive the mean of the other co-runs of both. The three models "
                "that do best come next. No model can be better than the measurement itself: where "
                "co-runs were repeated, the last row of the table says how much they differ.",
                n_pairs);
    ct_html_say(page,
                "An interval of %g %% is right where it holds so many of the measured slowdowns, "
                "and useful where it is narrow besides. It is made from the errors of the model "
                "for other co-runs or, where these are too few, beside configurations.",
                100 * facts->bootstrap.level);
}

enum ct_status ct_section_errors(struct ct_html *page, const struct ct_page_view *view,
                                 struct ct_error *err)
{
    struct errors errors;
    struct judged *judged = malloc(sizeof *judged);
    if (!judged || new_errors(view->facts, &errors) != CT_OK) {
        free(judged);
        return ct_no_memory(err, "errors of the models");
    }
    enum ct_status status = judge_all(view->facts, judged);
    if (status != CT_OK) {
        ct_no_memory(err, "errors of the models");
    } else {
        introduce(page, view->facts, errors.n_pairs);
        ct_page_say_processors(page, view);
        status = write_all(page, view, &errors, judged, err);
    }
    free_errors(&errors);
    free(judged);
    return status;
}
