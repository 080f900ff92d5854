#include "cli/calibrate_figures.h"

#include "calibrate/runs/posterior_view.h"
#include "core/file.h"
#include "plot/uncertainty.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Behind those of quantities, which are predictions with the data, before and after. */
enum {
    SENSITIVITIES = CT_BENCHMARK_QUANTITIES, /* of every output */
    PARAMETERS,                              /* densities, and pairs */
    N_FIGURES,
    NAME_MAX_BYTES = 80
};

static const struct {
    const char *name;
    const char *x_label, *y_label; /* of quantities */
    double scale;
} figures[] = {
    [CT_BENCHMARK_THROUGHPUT] = {"throughput", "size of messages [B]", "throughput [MB/s]", 1e-6},
    [CT_BENCHMARK_ROUND_TRIP] = {"round-trip", "size of messages [B]", "round trip [ms]", 1e3},
    [CT_BENCHMARK_LATENCY] = {"latency", "number of the load", "latency [us]", 1e6},
    [SENSITIVITIES] = {"sensitivities", NULL, NULL, 0},
    [PARAMETERS] = {"parameters", NULL, NULL, 0}};

/* A size of 0 has no place on a logarithmic axis. */
static bool is_shown(const struct ct_posterior_view *view, size_t output, int quantity)
{
    return (int)ct_posterior_view_quantity(view, output) == quantity && view->bytes[output] > 0;
}

static bool has_data(const struct ct_posterior_view *view, int figure)
{
    if (figure == PARAMETERS)
        return view->draws.unknowns.n <= CT_PAIRS_MAX;
    for (size_t i = 0; i < view->n_outputs; i++)
        if (figure == SENSITIVITIES || is_shown(view, i, figure))
            return true;
    return false;
}

/* ---- sensitivities ---- */

static enum ct_status draw_sensitivities(const struct ct_posterior_view *view, char **svg_p,
                                         struct ct_error *err)
{
    size_t n = view->n_outputs, m = view->draws.unknowns.n;
    const char **outputs = malloc((n + 1) * sizeof *outputs), *parameters[CT_STACK_KEYS];
    if (!outputs)
        return ct_no_memory(err, "figures");
    for (size_t i = 0; i < n; i++)
        outputs[i] = view->names->names[i];
    for (size_t p = 0; p < m; p++)
        parameters[p] = view->draws.unknowns.parameters[p].name;
    const struct ct_sensitivities sensitivities = {.title = "Total sensitivity indices",
                                                   .outputs = outputs,
                                                   .n_outputs = n,
                                                   .parameters = parameters,
                                                   .n_parameters = m,
                                                   .total = view->total};
    enum ct_status status = ct_sensitivities_draw(&sensitivities, svg_p, err);
    free(outputs);
    return status;
}

/* ---- predictions ---- */

/* Columns of numbers of a figure, in the unit that it shows. */
enum { X, PRIOR, MOST_LIKELY, PRIOR_LO, PRIOR_HI, LO, HI, RUN_LO, RUN_HI, N_COLUMNS };

struct curves {
    double *column[N_COLUMNS], *measured_x, *measured_y;
    size_t n, n_measured;
};

static void free_curves(struct curves *curves)
{
    for (size_t i = 0; i < N_COLUMNS; i++)
        free(curves->column[i]);
    free(curves->measured_x);
    free(curves->measured_y);
}

static bool make_curves(const struct ct_posterior_view *view, struct curves *curves)
{
    bool has_room = true;
    *curves = (struct curves){.measured_x = malloc((view->n_data + 1) * sizeof(double)),
                              .measured_y = malloc((view->n_data + 1) * sizeof(double))};
    for (size_t i = 0; i < N_COLUMNS; i++)
        has_room = (curves->column[i] = malloc((view->n_outputs + 1) * sizeof(double))) && has_room;
    return has_room && curves->measured_x && curves->measured_y;
}

static void add_output(const struct ct_posterior_view *view, size_t i, double scale,
                       struct curves *curves)
{
    const double values[N_COLUMNS] = {
        [PRIOR] = view->prior_mean[i],   [MOST_LIKELY] = view->most_likely[i],
        [PRIOR_LO] = view->prior[2 * i], [PRIOR_HI] = view->prior[2 * i + 1],
        [LO] = view->interval[2 * i],    [HI] = view->interval[2 * i + 1],
        [RUN_LO] = view->run[2 * i],     [RUN_HI] = view->run[2 * i + 1]};
    for (size_t k = PRIOR; k < N_COLUMNS; k++)
        curves->column[k][curves->n] = values[k] * scale;
    curves->column[X][curves->n++] = view->bytes[i];
}

static void fill_curves(const struct ct_posterior_view *view, int quantity, struct curves *curves)
{
    const double scale = figures[quantity].scale;
    for (size_t i = 0; i < view->n_outputs; i++)
        if (is_shown(view, i, quantity))
            add_output(view, i, scale, curves);
    for (size_t r = 0; r < view->n_data; r++) {
        size_t output = (size_t)view->data[2 * r];
        if (!is_shown(view, output, quantity))
            continue;
        curves->measured_x[curves->n_measured] = view->bytes[output];
        curves->measured_y[curves->n_measured++] = view->data[2 * r + 1] * scale;
    }
}

static enum ct_status draw_predictions(const struct ct_posterior_view *view, int quantity,
                                       char **svg_p, struct ct_error *err)
{
    struct curves curves;
    enum ct_status status = make_curves(view, &curves) ? CT_OK : ct_no_memory(err, "figures");
    if (status == CT_OK)
        fill_curves(view, quantity, &curves);
    double **column = curves.column;
    const struct ct_predictions predictions = {
        .x_label = figures[quantity].x_label,
        .y_label = figures[quantity].y_label,
        .x_log = quantity != CT_BENCHMARK_LATENCY,
        .y_log = true,
        .level = view->draws.level,
        .x = column[X],
        .n = curves.n,
        .prior = {column[PRIOR], column[PRIOR_LO], column[PRIOR_HI]},
        .posterior = {column[MOST_LIKELY], column[LO], column[HI]},
        .run = {column[MOST_LIKELY], column[RUN_LO], column[RUN_HI]},
        .measured_x = curves.measured_x,
        .measured_y = curves.measured_y,
        .n_measured = curves.n_measured};
    if (status == CT_OK)
        status = ct_predictions_draw(&predictions, svg_p, err);
    free_curves(&curves);
    return status;
}

/* ---- parameters ---- */

/* What is drawn of each parameter, in the unit that is shown. */
struct axes {
    char names[CT_STACK_KEYS][NAME_MAX_BYTES];
    const char *name_of[CT_STACK_KEYS];
    double scale[CT_STACK_KEYS], lo[CT_STACK_KEYS], hi[CT_STACK_KEYS], most_likely[CT_STACK_KEYS];
    double prior[CT_STACK_KEYS * CT_PAIRS_BINS];
};

/* Seconds per byte are small: G has a unit of its own. */
static void choose_unit(const struct ct_unknowns *unknowns, size_t i, const char **unit_p,
                        double *scale_p)
{
    static const struct {
        const char *unit, *shown;
        double scale;
    } units[] = {{"s", "us", 1e6}, {"B/s", "GB/s", 1e-9}, {"B", "kB", 1e-3}};
    const char *unit = unknowns->parameters[i].unit;
    *unit_p = unit;
    *scale_p = 1;
    for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        if (strcmp(unit, units[k].unit) == 0) {
            *unit_p = units[k].shown;
            *scale_p = units[k].scale;
        }
    if (unknowns->keys[i] == CT_STACK_KEY_G) {
        *unit_p = "ns/B";
        *scale_p = 1e9;
    }
}

static void make_axis(const struct ct_posterior_draws *draws, size_t i, struct axes *axes)
{
    const struct ct_parameter *parameter = &draws->unknowns.parameters[i];
    const char *unit;
    double scale, lo = ct_prior_value(&parameter->prior, -1),
                  hi = ct_prior_value(&parameter->prior, 1);
    choose_unit(&draws->unknowns, i, &unit, &scale);
    snprintf(axes->names[i], NAME_MAX_BYTES, "%s [%s]", parameter->name, unit);
    axes->name_of[i] = axes->names[i];
    axes->scale[i] = scale;
    axes->lo[i] = lo * scale;
    axes->hi[i] = hi * scale;
    axes->most_likely[i] = draws->most_likely[i] * scale;
    for (size_t bin = 0; bin < CT_PAIRS_BINS; bin++) {
        double value = lo + ((double)bin + 0.5) / CT_PAIRS_BINS * (hi - lo);
        axes->prior[i * CT_PAIRS_BINS + bin] = ct_prior_density(&parameter->prior, value) / scale;
    }
}

static enum ct_status draw_parameters(const struct ct_posterior_view *view, char **svg_p,
                                      struct ct_error *err)
{
    size_t m = view->draws.unknowns.n, n_draws = view->draws.n;
    double *draws = malloc((n_draws * m + 1) * sizeof *draws);
    struct axes *axes = calloc(1, sizeof *axes);
    enum ct_status status = draws && axes ? CT_OK : ct_no_memory(err, "figures");
    for (size_t i = 0; i < m && status == CT_OK; i++)
        make_axis(&view->draws, i, axes);
    for (size_t i = 0; i < n_draws * m && status == CT_OK; i++)
        draws[i] = view->draws.draws[i] * axes->scale[i % m];
    if (status == CT_OK) {
        const struct ct_pairs pairs = {.names = axes->name_of,
                                       .n = m,
                                       .draws = draws,
                                       .n_draws = n_draws,
                                       .lo = axes->lo,
                                       .hi = axes->hi,
                                       .prior = axes->prior,
                                       .most_likely = axes->most_likely};
        status = ct_pairs_draw(&pairs, svg_p, err);
    }
    free(axes);
    free(draws);
    return status;
}

static enum ct_status draw_figure(const struct ct_posterior_view *view, int figure, char **svg_p,
                                  struct ct_error *err)
{
    if (figure == SENSITIVITIES)
        return draw_sensitivities(view, svg_p, err);
    return figure == PARAMETERS ? draw_parameters(view, svg_p, err)
                                : draw_predictions(view, figure, svg_p, err);
}

/* ---- files ---- */

static enum ct_status write_figure(const struct ct_posterior_view *view, int figure,
                                   const char *folder, struct ct_error *err)
{
    char *path, *svg;
    if (!has_data(view, figure))
        return CT_OK;
    CT_TRY(draw_figure(view, figure, &svg, err));
    if (asprintf(&path, "%s/%s.svg", folder, figures[figure].name) < 0) {
        free(svg);
        return ct_no_memory(err, "--figures");
    }
    enum ct_status status = ct_file_save(path, svg, strlen(svg), err);
    free(path);
    free(svg);
    return status;
}

enum ct_status ct_calibrate_draw(const char *path, const char *folder, struct ct_error *err)
{
    struct ct_posterior_view view;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return ct_fail(err, CT_EIO, "--figures: %s: %s", folder, strerror(errno));
    CT_TRY(ct_posterior_view_read(path, &view, err));
    enum ct_status status = CT_OK;
    for (int figure = 0; figure < N_FIGURES && status == CT_OK; figure++)
        status = write_figure(&view, figure, folder, err);
    ct_posterior_view_free(&view);
    return status;
}
