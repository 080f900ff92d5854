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

static enum ct_status read_runs(const struct ct_validation_question *question,
                                struct ct_validation *found, struct ct_error *err)
{
    struct ct_validation_runs *runs = &found->runs;
    const char *folder = question->folder;
    double level = ct_study_constant(CT_STUDY_VALIDATION_LEVEL);
    const struct ct_bootstrap setup = {
        .replicates = ct_study_count(CT_STUDY_REPLICATES), .level = level, .seed = question->seed};
    enum ct_status status = ct_validation_runs_read(folder, CT_VALIDATION_APP, &setup, runs, err);
    if (status != CT_OK)
        return status;
    found->points = calloc(runs->n_runs + 1, sizeof *found->points);
    if (!found->points)
        return ct_fail(err, CT_ENOMEM, "%s: out of memory", folder);
    if (runs->has_load)
        ct_validation_points(runs->alone, runs->n_alone, level, &found->alone);
    found->n_points = ct_validation_points(runs->runs, runs->n_runs, level, found->points);
    if (found->n_points < 2 || found->points[0].delta_L_s > 0)
        return ct_fail(err, CT_ENODATA, "%s: needs run times without added latency and with it",
                       folder);
    if (!runs->logp_path)
        return ct_fail(err, CT_ENODATA, "%s: no run of logpb in it", folder);
    return CT_OK;
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

/* The measurement without added latency; with a load, the one alone. */
static const struct ct_validation_point *baseline(const struct ct_validation *found)
{
    return found->runs.has_load ? &found->alone : &found->points[0];
}

static enum ct_status make_model(const struct ct_validation_question *question,
                                 struct ct_validation *found, struct ct_error *err)
{
    const struct ct_parameters_given given = {
        .L_s = NAN, .o_s = NAN, .G_s_per_byte = NAN, .logp_path = found->runs.logp_path};
    enum ct_status status = ct_parameters_make(&given, true, &found->parameters, err);
    if (status == CT_OK)
        status = compile(question, "", &found->parameters, &found->schedule, err);
    if (status == CT_OK && has_longer(question->folder))
        status = compile(question, ".longer", &found->parameters, &found->longer, err);
    if (status != CT_OK)
        return status;
    found->model = (struct ct_pass_model){
        .schedule = found->schedule, .longer = found->longer, .threads = question->threads};
    double L_s = found->parameters.L_s, runtime_s;
    status = ct_pass_runtime(&found->model, L_s, &runtime_s, &found->lambda_L, err);
    if (status == CT_OK && !found->longer) {
        found->model.offset_s = baseline(found)->measured_s - runtime_s;
        runtime_s = baseline(found)->measured_s;
    }
    found->alone.predicted_s = runtime_s;
    found->L_s = L_s;
    if (found->runs.has_load)
        found->L_s = fmax(L_s + found->runs.probes[0].added_s, 0);
    return status;
}

/* At the latency that the probe had beside the load. */
static enum ct_status predict_by_probe(struct ct_validation *found, size_t point,
                                       struct ct_error *err)
{
    const struct ct_validation_runs *runs = &found->runs;
    found->by_probe[point] = (struct ct_validation_by_probe){NAN, NAN};
    for (size_t i = 0; i < runs->n_probes; i++) {
        if (runs->probes[i].delta_L_s != found->points[point].delta_L_s)
            continue;
        struct ct_validation_by_probe *at = &found->by_probe[point];
        at->L_s = fmax(found->parameters.L_s + runs->probes[i].added_s, 0);
        return ct_pass_runtime(&found->model, at->L_s, &at->predicted_s, NULL, err);
    }
    return CT_OK;
}

static enum ct_status predict(const struct ct_validation_question *question,
                              struct ct_validation *found, struct ct_error *err)
{
    double L_s = found->L_s, last_s = found->points[found->n_points - 1].delta_L_s;
    found->by_probe = calloc(found->n_points, sizeof *found->by_probe);
    enum ct_status status =
        found->by_probe ? CT_OK : ct_fail(err, CT_ENOMEM, "%s: out of memory", question->folder);
    for (size_t i = 0; i < found->n_points && status == CT_OK; i++) {
        status = ct_pass_runtime(&found->model, L_s + found->points[i].delta_L_s,
                                 &found->points[i].predicted_s, NULL, err);
        if (status == CT_OK)
            status = predict_by_probe(found, i, err);
    }
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
    *found_p = (struct ct_validation){.parameters = ct_parameters_none()};
    enum ct_status status = read_runs(question, found_p, err);
    if (status == CT_OK)
        status = make_model(question, found_p, err);
    if (status == CT_OK)
        status = predict(question, found_p, err);
    if (status != CT_OK)
        return status;
    found_p->rrmse = ct_validation_rrmse(found_p->points, found_p->n_points);
    found_p->limit_s = ct_validation_limit_s(found_p->points, found_p->n_points,
                                             ct_study_constant(CT_STUDY_VALIDATION_LONGER));
    found_p->slope = ct_validation_slope(found_p->runs.runs, found_p->runs.n_runs, found_p->limit_s,
                                         ct_study_constant(CT_STUDY_VALIDATION_LEVEL));
    found_p->slope_predicted =
        ct_validation_predicted_slope(found_p->points, found_p->n_points, found_p->limit_s);
    return CT_OK;
}

void ct_validation_free(struct ct_validation *found)
{
    ct_validation_runs_free(&found->runs);
    free(found->points);
    free(found->by_probe);
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
    {"cpu_wait_frac", "waited for processors", CT_UNIT_FRACTION},
    {"probe_L_s", "latency of the probe", CT_UNIT_SECONDS}, /* and the next one with a load only */
    {"predicted_by_probe_s", "predicted with it", CT_UNIT_LONG_SECONDS}};
enum { LOAD_COLUMNS = 2 };
static const struct ct_column tolerance_columns[] = {
    {"threshold", "longer by", CT_UNIT_FRACTION},
    {"measured_s", "measured at added latency", CT_UNIT_SECONDS},
    {"predicted_s", "predicted", CT_UNIT_SECONDS}};

static void fill_points(struct ct_tables *tables, const struct ct_validation *found)
{
    enum { COLUMNS = sizeof point_columns / sizeof *point_columns };
    size_t n_columns = found->runs.has_load ? COLUMNS : COLUMNS - LOAD_COLUMNS;
    ct_tables_begin(tables, "points",
                    found->runs.has_load ? "Run time of a pass beside the load"
                                         : "Run time of a pass",
                    point_columns, n_columns);
    for (size_t i = 0; i < found->n_points; i++) {
        const struct ct_validation_point *p = &found->points[i];
        const double cells[COLUMNS] = {p->delta_L_s,
                                       (double)p->n_runs,
                                       p->measured_s,
                                       p->measured_ci.lo,
                                       p->measured_ci.hi,
                                       p->predicted_s,
                                       p->predicted_s / p->measured_s - 1,
                                       p->cpu_wait_frac,
                                       found->by_probe[i].L_s,
                                       found->by_probe[i].predicted_s};
        for (size_t k = 0; k < n_columns; k++)
            ct_tables_cell_number(tables, cells[k]);
    }
}

struct number {
    struct ct_column column;
    double value;
};

/* What it does without added latency. */
static void fill_load(struct ct_tables *tables, const struct ct_validation *found)
{
    const struct ct_validation_probe *probe = &found->runs.probes[0];
    const struct ct_validation_point *alone = &found->alone, *beside = &found->points[0];
    const struct number rows[] = {
        {{"load_adds_s", "the load adds to the latency of the probe", CT_UNIT_SECONDS},
         probe->added_s},
        {{"load_adds_ci_s[]", "from", CT_UNIT_SECONDS}, probe->added_ci.lo},
        {{"load_adds_ci_s[]", "to", CT_UNIT_SECONDS}, probe->added_ci.hi},
        {{"L_beside_s", "latency L_B beside the load", CT_UNIT_SECONDS}, found->L_s},
        {{"alone_measured_s", "run time of a pass alone, measured", CT_UNIT_LONG_SECONDS},
         alone->measured_s},
        {{"alone_predicted_s", "predicted", CT_UNIT_LONG_SECONDS}, alone->predicted_s},
        {{"slowdown_measured", "slowdown by the load, measured", CT_UNIT_FRACTION},
         beside->measured_s / alone->measured_s - 1},
        {{"slowdown_predicted", "predicted", CT_UNIT_FRACTION},
         beside->predicted_s / alone->predicted_s - 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ct_tables_number(tables, rows[i].column, rows[i].value);
    ct_tables_note(tables, "Predictions beside the load are T(L_B + added latency), with L_B from "
                           "the probe without added latency. 'Predicted with it' is T at the "
                           "latency that the probe had at that point: the load itself may become "
                           "lighter when its messages take longer.");
}

void ct_validation_fill(struct ct_tables *tables, const struct ct_validation_question *question,
                        const struct ct_validation *found)
{
    const struct number rows[] = {
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
    if (found->runs.has_load)
        fill_load(tables, found);
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
    double alone_y[CURVE_POINTS]; /* without the load */
    double *x, *y, *lo, *hi;      /* of the points, then of the one alone */
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
        status =
            ct_pass_runtime(&found->model, found->L_s + delta_s, &picture->curve_y[i], NULL, err);
        if (status == CT_OK && found->runs.has_load)
            status = ct_pass_runtime(&found->model, found->parameters.L_s + delta_s,
                                     &picture->alone_y[i], NULL, err);
    }
    return status;
}

static void make_points(const struct ct_validation *found, struct picture *picture)
{
    for (size_t i = 0; i <= found->n_points; i++) {
        const struct ct_validation_point *p =
            i < found->n_points ? &found->points[i] : &found->alone;
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
    size_t n = found->n_points, room = n + 1;
    double *values = calloc(4 * room, sizeof *values);
    if (!values)
        return ct_fail(err, CT_ENOMEM, "figure: out of memory");
    picture.x = values;
    picture.y = values + room;
    picture.lo = values + 2 * room;
    picture.hi = values + 3 * room;
    make_points(found, &picture);
    make_zones(question, found, &picture);
    const struct ct_plot_series series[] = {
        {.title = "predicted", .x = picture.curve_x, .y = picture.curve_y, .n = CURVE_POINTS},
        {.title = "measured",
         .style = CT_PLOT_INTERVALS,
         .x = picture.x,
         .y = picture.y,
         .n = n,
         .lo = picture.lo,
         .hi = picture.hi},
        {.title = "predicted, alone",
         .style = CT_PLOT_DASHED,
         .x = picture.curve_x,
         .y = picture.alone_y,
         .n = CURVE_POINTS},
        {.title = "measured, alone",
         .style = CT_PLOT_INTERVALS,
         .x = picture.x + n,
         .y = picture.y + n,
         .n = 1,
         .lo = picture.lo + n,
         .hi = picture.hi + n}};
    const struct ct_plot_panel panel = {.x_label = "added latency (us)",
                                        .y_label = "run time (s)",
                                        .series = series,
                                        .n_series = found->runs.has_load ? 4 : 2,
                                        .zones = picture.zones,
                                        .n_zones = picture.n_zones};
    const struct ct_plot plot = {.title = question->title, .panels = &panel, .n_panels = 1};
    enum ct_status status = make_curve(found, &picture, err);
    if (status == CT_OK)
        status = ct_plot_write(&plot, path, err);
    free(values);
    return status;
}
