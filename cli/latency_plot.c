#include "cli/latency_plot.h"

#include "plot/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS_PER_SEGMENT = 24, ZONES_MAX = 16, ZONE_TITLE_MAX = 32, PANELS = 3 };

/* The curves, in the units of the axes: us, the unit of T, messages, percent. */
struct curves {
    size_t n;
    double *L_us, *T, *lambda, *rho;
};

static bool new_curves(struct curves *curves, size_t n)
{
    double *all = malloc(4 * n * sizeof *all);
    if (all)
        *curves = (struct curves){n, all, all + n, all + 2 * n, all + 3 * n};
    return all != NULL;
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

enum ct_status ct_latency_plot(const char *title, const struct ct_envelope *envelope,
                               const struct ct_latency_zone *zones, size_t n_zones,
                               const char *path, struct ct_error *err)
{
    const struct ct_segment *first = envelope->segments, *last = &first[envelope->n - 1];
    struct curves curves;
    const char *T_label, *L_label = "latency L (us)";
    char titles[ZONES_MAX][ZONE_TITLE_MAX];
    struct ct_plot_zone shown[ZONES_MAX];
    double lo_us = first->lo * 1e-3, hi_us = last->hi * 1e-3;
    if (!new_curves(&curves, envelope->n * POINTS_PER_SEGMENT))
        return ct_fail(err, CT_ENOMEM, "figure: out of memory");
    fill_curves(&curves, envelope, unit_of(ct_line_at(last->line, last->hi), &T_label));
    size_t n_shown = make_zones(zones, n_zones, lo_us, hi_us, titles, shown);
    const struct ct_plot_series series[PANELS] = {
        {.title = "run time T(L)", .x = curves.L_us, .y = curves.T, .n = curves.n},
        {.title = "lambda_L: latencies on the critical path",
         .x = curves.L_us,
         .y = curves.lambda,
         .n = curves.n},
        {.title = "rho_L: their share of the run time",
         .x = curves.L_us,
         .y = curves.rho,
         .n = curves.n}};
    const char *labels[PANELS] = {T_label, "lambda_L (latencies)", "rho_L (% of T)"};
    struct ct_plot_panel panels[PANELS];
    for (size_t i = 0; i < PANELS; i++)
        panels[i] = (struct ct_plot_panel){.x_label = L_label,
                                           .y_label = labels[i],
                                           .series = &series[i],
                                           .n_series = 1,
                                           .x_lo = lo_us,
                                           .x_hi = hi_us};
    panels[0].zones = shown;
    panels[0].n_zones = n_shown;
    enum ct_status status = ct_plot_write(
        &(struct ct_plot){.title = title, .panels = panels, .n_panels = PANELS}, path, err);
    free(curves.L_us);
    return status;
}
