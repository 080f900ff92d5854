#include "plot/uncertainty.h"

#include "plot/plot.h"
#include "plot/stacked.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char grey[] = "#999999";

/* ---- sensitivities ---- */

/* Sum over all outputs. */
static double weight_of(const struct ct_sensitivities *s, size_t parameter)
{
    double sum = 0;
    for (size_t k = 0; k < s->n_outputs; k++) {
        double total = s->total[k * s->n_parameters + parameter];
        sum += total > 0 ? total : 0;
    }
    return sum;
}

/* Whether a parameter has a part of its own: so many others matter more. */
static bool has_part(const struct ct_sensitivities *s, size_t parameter, size_t n_own)
{
    size_t before = 0;
    for (size_t d = 0; d < s->n_parameters; d++) {
        double other = weight_of(s, d), own = weight_of(s, parameter);
        before += other > own || (other == own && d < parameter);
    }
    return before < n_own;
}

enum ct_status ct_sensitivities_draw(const struct ct_sensitivities *sensitivities, char **svg_p,
                                     struct ct_error *err)
{
    bool has_rest = sensitivities->n_parameters > CT_STACKED_PARTS_MAX;
    size_t n_parts = has_rest ? CT_STACKED_PARTS_MAX : sensitivities->n_parameters, n = 0;
    size_t n_own = has_rest ? n_parts - 1 : n_parts;
    const char *names[CT_STACKED_PARTS_MAX] = {NULL}, *colours[CT_STACKED_PARTS_MAX] = {NULL};
    double *values = calloc(sensitivities->n_outputs * n_parts + 1, sizeof *values);
    if (!values)
        return ct_no_memory(err, "figure");
    if (has_rest)
        names[n_own] = "others";
    for (size_t d = 0; d < sensitivities->n_parameters; d++) {
        size_t part = has_part(sensitivities, d, n_own) ? n++ : n_own;
        for (size_t k = 0; k < sensitivities->n_outputs; k++) {
            double total = sensitivities->total[k * sensitivities->n_parameters + d];
            values[k * n_parts + part] += total > 0 ? total : 0;
        }
        if (part < n_own)
            names[part] = sensitivities->parameters[d];
    }
    for (size_t part = 0; part < n_parts; part++)
        colours[part] = part + 1 < CT_STACKED_PARTS_MAX ? ct_plot_colour(part) : grey;
    const struct ct_stacked bars = {.title = sensitivities->title,
                                    .x_label = "total sensitivity index",
                                    .rows = sensitivities->outputs,
                                    .n_rows = sensitivities->n_outputs,
                                    .parts = names,
                                    .colours = colours,
                                    .n_parts = n_parts,
                                    .values = values};
    enum ct_status status = ct_stacked_draw(&bars, svg_p, err);
    free(values);
    return status;
}

/* ---- predictions ---- */

enum { TEXT_MAX = 80, BESIDE = 3 }; /* one further run, posterior, measurements */

/* Least distance of two sizes, as a difference or, on a logarithmic axis, of logarithms. */
static double least_distance(const struct ct_predictions *p)
{
    double least = INFINITY;
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j < i; j++) {
            double distance = fabs(p->x_log ? log(p->x[i] / p->x[j]) : p->x[i] - p->x[j]);
            least = distance > 0 ? fmin(least, distance) : least;
        }
    return isinf(least) ? 1 : least;
}

/* Marks of a size stand beside each other. @param place -1, 0, 1 */
static void shift_points(const struct ct_predictions *p, const double *x, size_t n, int place,
                         double *shifted)
{
    double by = 0.28 * place * least_distance(p);
    for (size_t i = 0; i < n; i++)
        shifted[i] = p->x_log ? x[i] * exp(by) : x[i] + by;
}

static struct ct_plot_series interval_series(const struct ct_predictions *p, const double *x,
                                             const struct ct_predicted *predicted,
                                             const char *title, size_t colour)
{
    return (struct ct_plot_series){.title = title,
                                   .style = CT_PLOT_INTERVALS,
                                   .x = x,
                                   .y = predicted->value,
                                   .n = p->n,
                                   .lo = predicted->lo,
                                   .hi = predicted->hi,
                                   .colour = ct_plot_colour(colour)};
}

/* A linear axis of values that are not negative begins at 0. */
static struct ct_plot_panel prediction_panel(const struct ct_predictions *p,
                                             const struct ct_plot_series *series, size_t n_series)
{
    struct ct_plot_panel panel = {.x_label = p->x_label,
                                  .y_label = p->y_label,
                                  .series = series,
                                  .n_series = n_series,
                                  .x_log = p->x_log,
                                  .y_log = p->y_log,
                                  .key_below = true};
    double lo = INFINITY, hi = 0;
    for (size_t s = 0; s < n_series; s++)
        for (size_t i = 0; i < series[s].n; i++) {
            lo = fmin(lo, series[s].lo ? series[s].lo[i] : series[s].y[i]);
            hi = fmax(hi, series[s].hi ? series[s].hi[i] : series[s].y[i]);
        }
    panel.y_hi = !p->y_log && lo >= 0 ? 1.05 * hi : 0;
    return panel;
}

/* @param x [BESIDE] abscissae, beside each other; the last are those of the measurements */
static enum ct_status draw_panels(const struct ct_predictions *p, double *const *x, char **svg_p,
                                  struct ct_error *err)
{
    enum { PANELS = 2 };
    char prior[TEXT_MAX], posterior[TEXT_MAX], run[TEXT_MAX];
    double percent = 100 * p->level;
    snprintf(prior, sizeof prior, "prior, %g %%", percent);
    snprintf(posterior, sizeof posterior, "posterior, by parameters, %g %%", percent);
    snprintf(run, sizeof run, "one more run, %g %%", percent);
    const struct ct_plot_series measured = {.title = "measured",
                                            .style = CT_PLOT_DOTS,
                                            .x = x[2],
                                            .y = p->measured_y,
                                            .n = p->n_measured,
                                            .colour = "#000000"};
    const struct ct_plot_series before[] = {interval_series(p, p->x, &p->prior, prior, 4),
                                            measured};
    struct ct_plot_series after[BESIDE];
    size_t n_after = 0;
    if (p->run.lo)
        after[n_after++] = interval_series(p, x[0], &p->run, run, 5);
    after[n_after++] = interval_series(p, x[1], &p->posterior, posterior, 0);
    after[n_after++] = measured;
    const struct ct_plot_panel panels[PANELS] = {
        prediction_panel(p, before, sizeof before / sizeof *before),
        prediction_panel(p, after, n_after)};
    const struct ct_plot plot = {
        .title = p->title, .panels = panels, .n_panels = PANELS, .panel_height = 340};
    return ct_plot_draw(&plot, svg_p, err);
}

enum ct_status ct_predictions_draw(const struct ct_predictions *predictions, char **svg_p,
                                   struct ct_error *err)
{
    double *all = malloc((2 * predictions->n + predictions->n_measured + 1) * sizeof *all);
    if (!all)
        return ct_no_memory(err, "figure");
    double *const x[BESIDE] = {all, all + predictions->n, all + 2 * predictions->n};
    shift_points(predictions, predictions->x, predictions->n, -1, x[0]);
    shift_points(predictions, predictions->x, predictions->n, 0, x[1]);
    shift_points(predictions, predictions->measured_x, predictions->n_measured, 1, x[2]);
    enum ct_status status = draw_panels(predictions, x, svg_p, err);
    free(all);
    return status;
}

/* ---- marginals and pairs ---- */

enum { SHOWN_MAX = 400, PAIR_SERIES = 3 };

/* What the panels are drawn from. */
struct corner {
    const struct ct_pairs *pairs;
    size_t n_shown;
    double *shown;                     /* [parameter * n_shown + draw] */
    double *edges, *density, *middles; /* [parameter * CT_PAIRS_BINS + bin]; edges one more each */
    struct ct_plot_series *series;     /* PAIR_SERIES a panel */
    struct ct_plot_panel *panels;      /* n * n */
    double *marks;                     /* [panel * 4] where lines of the most likely values end */
};

static double bin_width(const struct ct_pairs *pairs, size_t d)
{
    return (pairs->hi[d] - pairs->lo[d]) / CT_PAIRS_BINS;
}

/* Histogram of a parameter, as a density over its range. The steps end at 0. */
static void fill_density(struct corner *corner, size_t d)
{
    const struct ct_pairs *pairs = corner->pairs;
    double width = bin_width(pairs, d), *density = corner->density + d * (CT_PAIRS_BINS + 1);
    double each = 1 / ((double)pairs->n_draws * width);
    for (size_t i = 0; i < pairs->n_draws; i++) {
        double at = (pairs->draws[i * pairs->n + d] - pairs->lo[d]) / width;
        if (at >= 0 && at <= CT_PAIRS_BINS)
            density[at < CT_PAIRS_BINS ? (size_t)at : CT_PAIRS_BINS - 1] += each;
    }
    for (size_t b = 0; b <= CT_PAIRS_BINS; b++) {
        corner->edges[d * (CT_PAIRS_BINS + 1) + b] = pairs->lo[d] + (double)b * width;
        if (b < CT_PAIRS_BINS)
            corner->middles[d * CT_PAIRS_BINS + b] = pairs->lo[d] + ((double)b + 0.5) * width;
    }
    density[CT_PAIRS_BINS] = density[CT_PAIRS_BINS - 1]; /* a step holds up to the next edge */
}

static double find_highest(const struct corner *corner, size_t d)
{
    double most = 0;
    for (size_t b = 0; b < CT_PAIRS_BINS; b++) {
        most = fmax(most, corner->density[d * (CT_PAIRS_BINS + 1) + b]);
        if (corner->pairs->prior)
            most = fmax(most, corner->pairs->prior[d * CT_PAIRS_BINS + b]);
    }
    return most;
}

static void fill_marginal(struct corner *corner, size_t d, struct ct_plot_series *series,
                          double *marks, struct ct_plot_panel *panel)
{
    const struct ct_pairs *pairs = corner->pairs;
    double top = 1.1 * find_highest(corner, d);
    size_t n = 0;
    series[n++] = (struct ct_plot_series){.style = CT_PLOT_STEPS,
                                          .x = corner->edges + d * (CT_PAIRS_BINS + 1),
                                          .y = corner->density + d * (CT_PAIRS_BINS + 1),
                                          .n = CT_PAIRS_BINS + 1,
                                          .colour = ct_plot_colour(0)};
    if (pairs->prior)
        series[n++] = (struct ct_plot_series){.style = CT_PLOT_DASHED,
                                              .x = corner->middles + d * CT_PAIRS_BINS,
                                              .y = pairs->prior + d * CT_PAIRS_BINS,
                                              .n = CT_PAIRS_BINS,
                                              .colour = ct_plot_colour(4)};
    if (pairs->most_likely) {
        marks[0] = marks[1] = pairs->most_likely[d];
        marks[2] = 0;
        marks[3] = top;
        series[n++] = (struct ct_plot_series){.style = CT_PLOT_DASHED,
                                              .x = marks,
                                              .y = marks + 2,
                                              .n = 2,
                                              .colour = ct_plot_colour(1)};
    }
    panel->n_series = n;
    panel->y_hi = top;
}

static void fill_pair(const struct corner *corner, size_t row, size_t column,
                      struct ct_plot_series *series, struct ct_plot_panel *panel)
{
    const struct ct_pairs *pairs = corner->pairs;
    series[0] = (struct ct_plot_series){.style = CT_PLOT_DOTS,
                                        .x = corner->shown + column * corner->n_shown,
                                        .y = corner->shown + row * corner->n_shown,
                                        .n = corner->n_shown,
                                        .colour = ct_plot_colour(0)};
    panel->n_series = 1;
    if (pairs->most_likely)
        series[panel->n_series++] = (struct ct_plot_series){.style = CT_PLOT_POINTS,
                                                            .x = pairs->most_likely + column,
                                                            .y = pairs->most_likely + row,
                                                            .n = 1,
                                                            .colour = ct_plot_colour(1)};
    panel->y_lo = pairs->lo[row];
    panel->y_hi = pairs->hi[row];
}

static void fill_panels(struct corner *corner)
{
    const struct ct_pairs *pairs = corner->pairs;
    size_t n = pairs->n;
    for (size_t d = 0; d < n; d++) {
        fill_density(corner, d);
        for (size_t i = 0; i < corner->n_shown; i++)
            corner->shown[d * corner->n_shown + i] =
                pairs->draws[i * pairs->n_draws / corner->n_shown * n + d];
    }
    for (size_t row = 0; row < n; row++)
        for (size_t column = 0; column < n; column++) {
            size_t at = row * n + column;
            struct ct_plot_series *series = corner->series + at * PAIR_SERIES;
            struct ct_plot_panel *panel = &corner->panels[at];
            *panel =
                (struct ct_plot_panel){.x_label = row + 1 == n ? pairs->names[column] : NULL,
                                       .y_label = column == 0 && row > 0 ? pairs->names[row] : NULL,
                                       .series = series,
                                       .x_lo = pairs->lo[column],
                                       .x_hi = pairs->hi[column]};
            if (column == row)
                fill_marginal(corner, row, series, corner->marks + 4 * row, panel);
            else if (column < row)
                fill_pair(corner, row, column, series, panel);
            panel->is_blank = column > row;
        }
}

static enum ct_status check_pairs(const struct ct_pairs *pairs, struct ct_error *err)
{
    if (pairs->n == 0 || pairs->n > CT_PAIRS_MAX || pairs->n_draws == 0)
        return ct_fail(err, CT_EINVAL, "figure: %zu parameters, %zu draws: 1 to %d, at least one",
                       pairs->n, pairs->n_draws, CT_PAIRS_MAX);
    for (size_t d = 0; d < pairs->n; d++)
        if (!(pairs->lo[d] < pairs->hi[d]))
            return ct_fail(err, CT_EINVAL, "figure: %.80s from %g to %g", pairs->names[d],
                           pairs->lo[d], pairs->hi[d]);
    return CT_OK;
}

/* Labels stand beside each other below the cells. */
static double cell_width(const struct ct_pairs *pairs)
{
    const double least_px = 150, letter_px = 7.5, gap_px = 12;
    double width = least_px;
    for (size_t d = 0; d < pairs->n; d++)
        width = fmax(width, (double)strlen(pairs->names[d]) * letter_px + gap_px);
    return width;
}

enum ct_status ct_pairs_draw(const struct ct_pairs *pairs, char **svg_p, struct ct_error *err)
{
    enum { EDGE_PX = 110, PANEL_MIN_PX = 300 };
    CT_TRY(check_pairs(pairs, err));
    size_t n = pairs->n, n_shown = pairs->n_draws < SHOWN_MAX ? pairs->n_draws : SHOWN_MAX;
    struct corner corner = {.pairs = pairs,
                            .n_shown = n_shown,
                            .shown = calloc(n * n_shown, sizeof(double)),
                            .edges = calloc(n * (CT_PAIRS_BINS + 1), sizeof(double)),
                            .density = calloc(n * (CT_PAIRS_BINS + 1), sizeof(double)),
                            .middles = calloc(n * CT_PAIRS_BINS, sizeof(double)),
                            .series = calloc(n * n * PAIR_SERIES, sizeof(struct ct_plot_series)),
                            .panels = calloc(n * n, sizeof(struct ct_plot_panel)),
                            .marks = calloc(4 * n, sizeof(double))};
    enum ct_status status = CT_OK;
    if (corner.shown && corner.edges && corner.density && corner.middles && corner.series &&
        corner.panels && corner.marks) {
        fill_panels(&corner);
        double width = (double)n * cell_width(pairs) + EDGE_PX;
        const struct ct_plot plot = {.title = pairs->title,
                                     .panels = corner.panels,
                                     .n_panels = n * n,
                                     .n_columns = n,
                                     .width = n == 1 ? PANEL_MIN_PX : width,
                                     .panel_height = n == 1 ? PANEL_MIN_PX : width / (double)n};
        status = ct_plot_draw(&plot, svg_p, err);
    } else {
        status = ct_no_memory(err, "figure");
    }
    free(corner.shown);
    free(corner.edges);
    free(corner.density);
    free(corner.middles);
    free(corner.series);
    free(corner.panels);
    free(corner.marks);
    return status;
}
