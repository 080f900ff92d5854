#include "cli/validation_figure.h"

#include "plot/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double edge_frac = 0.03; /* beyond the first point and the last */
enum {
    CURVE_POINTS = 200,
    SERIES = 4,
    ZONES_MAX = 16,
    TITLE_MAX = 32,
    PANEL_PX = 300,
    KEY_ROW_PX = 20
};

struct figure {
    double curve_us[CURVE_POINTS], curve_s[CURVE_POINTS];
    double alone_s[CURVE_POINTS];     /* without the load */
    double *x_us, *y_s, *lo_s, *hi_s; /* of the points, then of the one alone */
    struct ct_plot_zone zones[ZONES_MAX];
    char titles[ZONES_MAX][TITLE_MAX];
    size_t n_zones;
    struct ct_plot_series series[SERIES];
    struct ct_plot_panel panel;
};

static enum ct_status make_curves(const struct ct_validation *found, struct figure *figure,
                                  struct ct_error *err)
{
    double last_s = found->points[found->n_points - 1].delta_L_s;
    for (size_t i = 0; i < CURVE_POINTS; i++) {
        double delta_s = last_s * (double)i / (CURVE_POINTS - 1);
        figure->curve_us[i] = 1e6 * delta_s;
        CT_TRY(
            ct_pass_runtime(&found->model, found->at_s + delta_s, &figure->curve_s[i], NULL, err));
        if (found->runs.has_load)
            CT_TRY(ct_pass_runtime(&found->model, found->schedules.own_s + delta_s,
                                   &figure->alone_s[i], NULL, err));
    }
    return CT_OK;
}

static void make_points(const struct ct_validation *found, struct figure *figure)
{
    for (size_t i = 0; i <= found->n_points; i++) {
        const struct ct_validation_point *p =
            i < found->n_points ? &found->points[i] : &found->alone;
        figure->x_us[i] = 1e6 * p->delta_L_s;
        figure->y_s[i] = p->measured_s;
        figure->lo_s[i] = isnan(p->measured_ci.lo) ? p->measured_s : p->measured_ci.lo;
        figure->hi_s[i] = isnan(p->measured_ci.hi) ? p->measured_s : p->measured_ci.hi;
    }
}

/* Up to the predicted tolerances; what is beyond the figure is left out. */
static void make_zones(const struct ct_validation *found, struct figure *figure)
{
    double from_us = 0;
    for (size_t i = 0; i < found->n_tolerances && figure->n_zones < ZONES_MAX; i++) {
        const struct ct_validation_tolerance *tolerance = &found->tolerances[i];
        double to_us = 1e6 * tolerance->predicted_s;
        if (!(to_us > from_us))
            continue;
        char *title = figure->titles[figure->n_zones];
        snprintf(title, TITLE_MAX, "up to %.3g %% longer", 100 * tolerance->threshold_frac);
        figure->zones[figure->n_zones++] = (struct ct_plot_zone){title, from_us, to_us};
        from_us = to_us;
    }
}

/* The ones without a load come last: where there is none, they are left out. */
static void make_panel(const struct ct_validation *found, struct figure *figure)
{
    size_t n = found->n_points;
    double last_us = figure->x_us[n - 1];
    const struct ct_plot_series series[SERIES] = {
        {.title = "predicted", .x = figure->curve_us, .y = figure->curve_s, .n = CURVE_POINTS},
        {.title = "measured",
         .style = CT_PLOT_INTERVALS,
         .x = figure->x_us,
         .y = figure->y_s,
         .n = n,
         .lo = figure->lo_s,
         .hi = figure->hi_s},
        {.title = "predicted, alone",
         .style = CT_PLOT_DASHED,
         .x = figure->curve_us,
         .y = figure->alone_s,
         .n = CURVE_POINTS},
        {.title = "measured, alone",
         .style = CT_PLOT_INTERVALS,
         .x = figure->x_us + n,
         .y = figure->y_s + n,
         .n = 1,
         .lo = figure->lo_s + n,
         .hi = figure->hi_s + n}};
    for (size_t i = 0; i < SERIES; i++)
        figure->series[i] = series[i];
    figure->panel = (struct ct_plot_panel){.x_label = "added latency (us)",
                                           .y_label = "run time (s)",
                                           .series = figure->series,
                                           .n_series = found->runs.has_load ? SERIES : 2,
                                           .zones = figure->zones,
                                           .n_zones = figure->n_zones,
                                           .x_lo = -edge_frac * last_us,
                                           .x_hi = (1 + edge_frac) * last_us,
                                           .key_below = true};
}

enum ct_status ct_validation_draw(const struct ct_validation *found, const char *title,
                                  const char *path, struct ct_error *err)
{
    size_t room = found->n_points + 1;
    struct figure *figure = calloc(1, sizeof *figure);
    double *values = calloc(4 * room, sizeof *values);
    enum ct_status status = figure && values ? CT_OK : ct_no_memory(err, "figure");
    if (status == CT_OK) {
        figure->x_us = values;
        figure->y_s = values + room;
        figure->lo_s = values + 2 * room;
        figure->hi_s = values + 3 * room;
        make_points(found, figure);
        make_zones(found, figure);
        make_panel(found, figure);
        status = make_curves(found, figure, err);
    }
    if (status == CT_OK) {
        const struct ct_plot_panel *panel = &figure->panel;
        const struct ct_plot plot = {
            .title = title,
            .panels = panel,
            .n_panels = 1,
            .panel_height = PANEL_PX + KEY_ROW_PX * (double)(panel->n_series + panel->n_zones)};
        status = ct_plot_write(&plot, path, err);
    }
    free(values);
    free(figure);
    return status;
}
