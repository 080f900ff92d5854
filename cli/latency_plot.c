#include "cli/latency_plot.h"

#include "plot/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS_PER_SEGMENT = 24, ZONES_MAX = 16, ZONE_TITLE_MAX = 32, PANELS = 3 };

const struct ct_latency_axis ct_axis_L = {"latency L (us)", "run time T(L)",
                                          "lambda_L (latencies on the path)",
                                          "rho_L, their share of T (%)"};
const struct ct_latency_axis ct_axis_wire = {"latency of a wire (us)", "run time T",
                                             "lambda_wire (wires on the path)",
                                             "rho_wire, their share of T (%)"};
const struct ct_latency_axis ct_axis_switch = {"time in a switch (us)", "run time T",
                                               "lambda_switch (switches on the path)",
                                               "rho_switch, their share of T (%)"};

const struct ct_latency_axis ct_axis_added = {"latency added to every pair (us)", "run time T",
                                              "lambda_L (latencies on the path)",
                                              "share of the added latency (%)"};

/* The curves, in the units of the axes: us, the unit of T, messages, percent. */
struct curves {
    size_t n;
    double *L_us, *T, *lambda, *rho;
    double lo_us, hi_us; /* ends of L */
};

static bool new_curves(struct curves *curves, const struct ct_envelope *envelope)
{
    size_t n = envelope->n * POINTS_PER_SEGMENT;
    double *all = calloc(4 * n, sizeof *all);
    *curves = (struct curves){.n = n,
                              .L_us = all,
                              .lo_us = envelope->segments[0].lo * 1e-3,
                              .hi_us = envelope->segments[envelope->n - 1].hi * 1e-3};
    if (!all)
        return false;
    curves->T = all + n;
    curves->lambda = all + 2 * n;
    curves->rho = all + 3 * n;
    return true;
}

static void fill_curves(struct curves *curves, const struct ct_envelope *envelope, double T_unit_ns)
{
    for (size_t i = 0; i < curves->n; i++) {
        const struct ct_segment *segment = &envelope->segments[i / POINTS_PER_SEGMENT];
        double along = (double)(i % POINTS_PER_SEGMENT) / (POINTS_PER_SEGMENT - 1);
        double L_ns = segment->lo + along * (segment->hi - segment->lo);
        double T_ns = ct_line_at(segment->line, L_ns);
        curves->L_us[i] = L_ns * 1e-3;
        curves->T[i] = T_ns / T_unit_ns;
        curves->lambda[i] = segment->line.slope;
        curves->rho[i] = T_ns > 0 ? 100 * segment->line.slope * L_ns / T_ns : 0;
    }
}

/* The unit in which the largest run time is at least 1. */
static double unit_of(double T_ns, const char **label_p)
{
    static const struct {
        double ns;
        const char *label;
    } units[] = {{1e9, "run time T (s)"}, {1e6, "run time T (ms)"}, {1e3, "run time T (us)"}};
    size_t i = 0;
    while (i + 1 < sizeof units / sizeof *units && T_ns < units[i].ns)
        i++;
    *label_p = units[i].label;
    return units[i].ns;
}

/* From where the zone before ends; what is not in the picture is left out. */
static size_t make_zones(const struct ct_latency_zone *zones, size_t n, double lo_us, double hi_us,
                         char (*titles)[ZONE_TITLE_MAX], struct ct_plot_zone *shown)
{
    size_t n_shown = 0;
    double from = lo_us;
    for (size_t i = 0; i < n && n_shown < ZONES_MAX && from < hi_us; i++) {
        double to = fmin(zones[i].L_ns * 1e-3, hi_us);
        if (!(to > from))
            continue;
        snprintf(titles[n_shown], ZONE_TITLE_MAX, "up to %.3g %% longer",
                 100 * zones[i].threshold_frac);
        shown[n_shown] = (struct ct_plot_zone){titles[n_shown], from, to};
        n_shown++;
        from = to;
    }
    return n_shown;
}

/* From 0 to a little above the highest value. */
static double top_of(const double *values, size_t n)
{
    double highest = 0;
    for (size_t i = 0; i < n; i++)
        highest = fmax(highest, values[i]);
    return highest > 0 ? 1.1 * highest : 1;
}

static enum ct_status draw_curve(const char *title, const struct ct_latency_axis *axis,
                                 const struct curves *curves, const char *T_label,
                                 const struct ct_plot_zone *zones, size_t n_zones, const char *path,
                                 struct ct_error *err)
{
    const struct {
        const char *title, *label;
        const double *y;
        double y_hi; /* 0: the range of the data */
    } rows[PANELS] = {{axis->title, T_label, curves->T, 0},
                      {NULL, axis->lambda, curves->lambda, top_of(curves->lambda, curves->n)},
                      {NULL, axis->rho, curves->rho, top_of(curves->rho, curves->n)}};
    struct ct_plot_series series[PANELS];
    struct ct_plot_panel panels[PANELS];
    for (size_t i = 0; i < PANELS; i++) {
        series[i] = (struct ct_plot_series){
            .title = rows[i].title, .x = curves->L_us, .y = rows[i].y, .n = curves->n};
        panels[i] = (struct ct_plot_panel){.x_label = axis->x,
                                           .y_label = rows[i].label,
                                           .series = &series[i],
                                           .n_series = 1,
                                           .x_lo = curves->lo_us,
                                           .x_hi = curves->hi_us,
                                           .y_hi = rows[i].y_hi};
    }
    panels[0].zones = zones;
    panels[0].n_zones = n_zones;
    const struct ct_plot plot = {.title = title, .panels = panels, .n_panels = PANELS};
    return ct_plot_write(&plot, path, err);
}

enum ct_status ct_latency_plot(const char *title, const struct ct_latency_axis *axis,
                               const struct ct_envelope *envelope,
                               const struct ct_latency_zone *zones, size_t n_zones,
                               const char *path, struct ct_error *err)
{
    const struct ct_segment *last = &envelope->segments[envelope->n - 1];
    struct curves curves;
    const char *T_label;
    char titles[ZONES_MAX][ZONE_TITLE_MAX];
    struct ct_plot_zone shown[ZONES_MAX];
    if (!new_curves(&curves, envelope))
        return ct_no_memory(err, "figure");
    fill_curves(&curves, envelope, unit_of(ct_line_at(last->line, last->hi), &T_label));
    size_t n_shown = make_zones(zones, n_zones, curves.lo_us, curves.hi_us, titles, shown);
    enum ct_status status = draw_curve(title, axis, &curves, T_label, shown, n_shown, path, err);
    free(curves.L_us);
    return status;
}
