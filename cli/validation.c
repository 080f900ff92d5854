#include "cli/validation.h"

#include "campaign/folder_name.h"
#include "campaign/validation_file.h"
#include "plot/plot.h"
#include "results/run.h"
#include "study/constants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- what was measured ---- */

static enum ct_status add_run(struct ct_validation *found, const struct ct_run_entry *entry,
                              struct ct_error *err)
{
    struct ct_run run;
    enum ct_status status = ct_run_read_entry(entry, &run, err);
    if (status != CT_OK)
        return status;
    double sum_s = 0;
    for (size_t i = 0; i < run.n_runtimes; i++)
        sum_s += run.runtimes[i].duration_s;
    if (!(sum_s > 0))
        status = ct_fail(err, CT_ENODATA, "%s: no pass in it", entry->path);
    else
        found->runs[found->n_runs++] = (struct ct_validation_run){
            .delta_L_s = ct_run_added_latency_s(&entry->info),
            .runtime_s = sum_s / (double)run.n_runtimes,
            .cpu_wait_frac = ct_run_number(&entry->info, "cpu_measured_wait_frac")};
    ct_run_free(&run);
    return status;
}

static enum ct_status read_runs(const char *folder, struct ct_validation *found, char **logp_path_p,
                                struct ct_error *err)
{
    struct ct_run_list list;
    enum ct_status status = ct_run_list_read(folder, &list, err);
    if (status != CT_OK)
        return status;
    found->runs = calloc(list.n_entries + 1, sizeof *found->runs);
    found->points = calloc(list.n_entries + 1, sizeof *found->points);
    if (!found->runs || !found->points)
        status = ct_fail(err, CT_ENOMEM, "%s: out of memory", folder);
    for (size_t i = 0; i < list.n_entries && status == CT_OK; i++) {
        const struct ct_run_info *info = &list.entries[i].info;
        if (info->kind == CT_RUN_RUNTIME && !strcmp(info->app, CT_VALIDATION_APP))
            status = add_run(found, &list.entries[i], err);
        if (info->kind == CT_RUN_LOGP && !*logp_path_p)
            *logp_path_p = strdup(list.entries[i].path);
    }
    ct_run_list_free(&list);
    if (status == CT_OK)
        found->n_points =
            ct_validation_points(found->runs, found->n_runs,
                                 ct_study_constant(CT_STUDY_VALIDATION_LEVEL), found->points);
    if (status == CT_OK && (found->n_points < 2 || found->points[0].delta_L_s > 0))
        status = ct_fail(err, CT_ENODATA, "%s: needs run times without added latency and with it",
                         folder);
    if (status == CT_OK && !*logp_path_p)
        status = ct_fail(err, CT_ENODATA, "%s: no run of logpb in it", folder);
    return status;
}

/* ---- what is predicted ---- */

static enum ct_status compile(const struct ct_validation_question *question, const char *ending,
                              const struct ct_parameters *parameters,
                              struct ct_evaluator **evaluator_p, struct ct_error *err)
{
    char path[PATH_MAX];
    struct ct_graph graph;
    enum ct_status status =
        ct_folder_name(question->folder, "traces/" CT_VALIDATION_APP, ending, "", path, err);
    if (status == CT_OK)
        status = ct_graph_load(question->command, path, question->graph, parameters, &graph, err);
    if (status != CT_OK)
        return status;
    struct ct_plane plane = ct_plane_of_latency(ct_parameters_at(parameters, parameters->L_s));
    status = ct_evaluator_compile(&graph, &plane, evaluator_p, err);
    ct_graph_free(&graph);
    return status;
}

static bool has_longer(const char *folder)
{
    char path[PATH_MAX];
    struct stat facts;
    return ct_folder_name(folder, "traces/" CT_VALIDATION_APP, ".longer", "", path, NULL) ==
               CT_OK &&
           stat(path, &facts) == 0;
}

static enum ct_status make_model(const struct ct_validation_question *question,
                                 const char *logp_path, struct ct_validation *found,
                                 struct ct_error *err)
{
    const struct ct_parameters_given given = {
        .L_s = NAN, .o_s = NAN, .G_s_per_byte = NAN, .logp_path = logp_path};
    enum ct_status status = ct_parameters_make(&given, true, &found->parameters, err);
    if (status == CT_OK)
        status = compile(question, "", &found->parameters, &found->schedule, err);
    if (status == CT_OK && has_longer(question->folder))
        status = compile(question, ".longer", &found->parameters, &found->longer, err);
    if (status != CT_OK)
        return status;
    found->model = (struct ct_pass_model){
        .schedule = found->schedule, .longer = found->longer, .threads = question->threads};
    double runtime_s;
    status =
        ct_pass_runtime(&found->model, found->parameters.L_s, &runtime_s, &found->lambda_L, err);
    if (status == CT_OK && !found->longer)
        found->model.offset_s = found->points[0].measured_s - runtime_s;
    return status;
}

static enum ct_status predict(const struct ct_validation_question *question,
                              struct ct_validation *found, struct ct_error *err)
{
    double L_s = found->parameters.L_s, last_s = found->points[found->n_points - 1].delta_L_s;
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < found->n_points && status == CT_OK; i++)
        status = ct_pass_runtime(&found->model, L_s + found->points[i].delta_L_s,
                                 &found->points[i].predicted_s, NULL, err);
    for (size_t i = 0; i < question->thresholds->n && status == CT_OK; i++) {
        double frac = question->thresholds->frac[i];
        status = ct_pass_tolerance(&found->model, L_s, frac, last_s,
                                   &found->tolerance[i].predicted_s, err);
        found->tolerance[i].measured_s =
            ct_validation_tolerance_s(found->points, found->n_points, frac);
    }
    return status;
}

enum ct_status ct_validation_find(const struct ct_validation_question *question,
                                  struct ct_validation *found_p, struct ct_error *err)
{
    char *logp_path = NULL;
    *found_p = (struct ct_validation){.parameters = ct_parameters_none()};
    enum ct_status status = read_runs(question->folder, found_p, &logp_path, err);
    if (status == CT_OK)
        status = make_model(question, logp_path, found_p, err);
    if (status == CT_OK)
        status = predict(question, found_p, err);
    free(logp_path);
    if (status != CT_OK)
        return status;
    found_p->rrmse = ct_validation_rrmse(found_p->points, found_p->n_points);
    found_p->limit_s = ct_validation_limit_s(found_p->points, found_p->n_points,
                                             ct_study_constant(CT_STUDY_VALIDATION_LONGER));
    found_p->slope = ct_validation_slope(found_p->runs, found_p->n_runs, found_p->limit_s,
                                         ct_study_constant(CT_STUDY_VALIDATION_LEVEL));
    found_p->slope_predicted =
        ct_validation_predicted_slope(found_p->points, found_p->n_points, found_p->limit_s);
    return CT_OK;
}

void ct_validation_free(struct ct_validation *found)
{
    free(found->runs);
    free(found->points);
    ct_evaluator_free(found->schedule);
    ct_evaluator_free(found->longer);
    ct_parameters_free(&found->parameters);
    *found = (struct ct_validation){0};
}

/* ---- tables ---- */

static const struct ct_column point_columns[] = {
    {"delta_L_s", "added latency", CT_UNIT_SECONDS},
    {"n_runs", "runs", CT_UNIT_COUNT},
    {"measured_s", "measured", CT_UNIT_LONG_SECONDS},
    {"measured_ci[]", "from", CT_UNIT_LONG_SECONDS},
    {"measured_ci[]", "to", CT_UNIT_LONG_SECONDS},
    {"predicted_s", "predicted", CT_UNIT_LONG_SECONDS},
    {"error_frac", "error", CT_UNIT_FRACTION},
    {"cpu_wait_frac", "waited for processors", CT_UNIT_FRACTION}};
static const struct ct_column tolerance_columns[] = {
    {"threshold", "longer by", CT_UNIT_FRACTION},
    {"measured_s", "measured at added latency", CT_UNIT_SECONDS},
    {"predicted_s", "predicted", CT_UNIT_SECONDS}};

static void fill_points(struct ct_tables *tables, const struct ct_validation *found)
{
    enum { COLUMNS = sizeof point_columns / sizeof *point_columns };
    ct_tables_begin(tables, "points", "Run time of a pass", point_columns, COLUMNS);
    for (size_t i = 0; i < found->n_points; i++) {
        const struct ct_validation_point *p = &found->points[i];
        const double cells[COLUMNS] = {p->delta_L_s,
                                       (double)p->n_runs,
                                       p->measured_s,
                                       p->measured_ci.lo,
                                       p->measured_ci.hi,
                                       p->predicted_s,
                                       p->predicted_s / p->measured_s - 1,
                                       p->cpu_wait_frac};
        for (size_t k = 0; k < COLUMNS; k++)
            ct_tables_cell_number(tables, cells[k]);
    }
}

void ct_validation_fill(struct ct_tables *tables, const struct ct_validation_question *question,
                        const struct ct_validation *found)
{
    const struct {
        struct ct_column column;
        double value;
    } rows[] = {
        {{"rrmse", "relative root mean square error", CT_UNIT_FRACTION}, found->rrmse},
        {{"L_s", "latency L of the baseline", CT_UNIT_SECONDS}, found->parameters.L_s},
        {{"lambda_L", "lambda_L, latencies on the critical path", CT_UNIT_NONE}, found->lambda_L},
        {{"slope_limit_s", "slopes up to an added latency of", CT_UNIT_SECONDS}, found->limit_s},
        {{"slope_measured", "slope, measured", CT_UNIT_NONE}, found->slope.slope},
        {{"slope_ci[]", "from", CT_UNIT_NONE}, found->slope.ci.lo},
        {{"slope_ci[]", "to", CT_UNIT_NONE}, found->slope.ci.hi},
        {{"slope_predicted", "slope, predicted", CT_UNIT_NONE}, found->slope_predicted}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ct_tables_number(tables, rows[i].column, rows[i].value);
    if (!found->longer) {
        ct_tables_number(tables, (struct ct_column){"offset_s", "added to T", CT_UNIT_LONG_SECONDS},
                         found->model.offset_s);
        ct_tables_note(tables, "The whole program is timed, with its start, which a trace does not "
                               "contain: predictions are T plus what the measurement without added "
                               "latency takes longer.");
    }
    fill_points(tables, found);
    ct_tables_begin(tables, "tolerance", "Latency tolerance", tolerance_columns, 3);
    for (size_t i = 0; i < question->thresholds->n; i++) {
        ct_tables_cell_number(tables, question->thresholds->frac[i]);
        ct_tables_cell_number(tables, found->tolerance[i].measured_s);
        ct_tables_cell_number(tables, found->tolerance[i].predicted_s);
    }
}

/* ---- picture ---- */

enum { CURVE_POINTS = 200, TITLE_MAX = 32 };

struct picture {
    double curve_x[CURVE_POINTS], curve_y[CURVE_POINTS];
    double *x, *y, *lo, *hi; /* of the points */
    struct ct_plot_zone zones[CT_THRESHOLDS_MAX];
    char titles[CT_THRESHOLDS_MAX][TITLE_MAX];
    size_t n_zones;
};

static enum ct_status make_curve(const struct ct_validation *found, struct picture *picture,
                                 struct ct_error *err)
{
    double last_s = found->points[found->n_points - 1].delta_L_s;
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < CURVE_POINTS && status == CT_OK; i++) {
        double delta_s = last_s * (double)i / (CURVE_POINTS - 1);
        picture->curve_x[i] = 1e6 * delta_s;
        status = ct_pass_runtime(&found->model, found->parameters.L_s + delta_s,
                                 &picture->curve_y[i], NULL, err);
    }
    return status;
}

static void make_points(const struct ct_validation *found, struct picture *picture)
{
    for (size_t i = 0; i < found->n_points; i++) {
        const struct ct_validation_point *p = &found->points[i];
        picture->x[i] = 1e6 * p->delta_L_s;
        picture->y[i] = p->measured_s;
        picture->lo[i] = isnan(p->measured_ci.lo) ? p->measured_s : p->measured_ci.lo;
        picture->hi[i] = isnan(p->measured_ci.hi) ? p->measured_s : p->measured_ci.hi;
    }
}

/* Up to the predicted tolerances; what is beyond the picture is left out. */
static void make_zones(const struct ct_validation_question *question,
                       const struct ct_validation *found, struct picture *picture)
{
    double from = 0;
    for (size_t i = 0; i < question->thresholds->n; i++) {
        double to = 1e6 * found->tolerance[i].predicted_s;
        if (!(to > from))
            continue;
        char *title = picture->titles[picture->n_zones];
        snprintf(title, TITLE_MAX, "up to %.3g %% longer", 100 * question->thresholds->frac[i]);
        picture->zones[picture->n_zones++] = (struct ct_plot_zone){title, from, to};
        from = to;
    }
}

enum ct_status ct_validation_plot(const struct ct_validation_question *question,
                                  const struct ct_validation *found, const char *path,
                                  struct ct_error *err)
{
    struct picture picture = {.n_zones = 0};
    double *values = calloc(4 * found->n_points, sizeof *values);
    if (!values)
        return ct_fail(err, CT_ENOMEM, "figure: out of memory");
    picture.x = values;
    picture.y = values + found->n_points;
    picture.lo = values + 2 * found->n_points;
    picture.hi = values + 3 * found->n_points;
    make_points(found, &picture);
    make_zones(question, found, &picture);
    const struct ct_plot_series series[] = {
        {.title = "predicted", .x = picture.curve_x, .y = picture.curve_y, .n = CURVE_POINTS},
        {.title = "measured",
         .style = CT_PLOT_INTERVALS,
         .x = picture.x,
         .y = picture.y,
         .n = found->n_points,
         .lo = picture.lo,
         .hi = picture.hi}};
    const struct ct_plot_panel panel = {.x_label = "added latency (us)",
                                        .y_label = "run time (s)",
                                        .series = series,
                                        .n_series = 2,
                                        .zones = picture.zones,
                                        .n_zones = picture.n_zones};
    const struct ct_plot plot = {.title = question->title, .panels = &panel, .n_panels = 1};
    enum ct_status status = make_curve(found, &picture, err);
    if (status == CT_OK)
        status = ct_plot_write(&plot, path, err);
    free(values);
    return status;
}
