/* Latencies of the probe on the idle network and beside each application: Casas and Bronevetsky,
 * IPDPS 2014, Fig. 3. */
#include "report/sections.h"
#include "report/summarize.h"

#include <math.h>
#include <stdlib.h>

enum { POINTS = 200, APPS_PER_FIGURE = 6 };

/* ---- table ---- */

static const struct ct_column columns[] = {
    {"beside", "beside", CT_UNIT_NONE},      {"latencies", "probes", CT_UNIT_COUNT},
    {"min_s", "smallest", CT_UNIT_SECONDS},  {"mean_s", "mean", CT_UNIT_SECONDS},
    {"median_s", "median", CT_UNIT_SECONDS}, {"p90_s", "90 %", CT_UNIT_SECONDS},
    {"p99_s", "99 %", CT_UNIT_SECONDS},      {"max_s", "largest", CT_UNIT_SECONDS},
};

static enum ct_status add_row(struct ct_tables *data, const char *name, struct ct_series latency_s)
{
    double values[4] = {NAN, NAN, NAN, NAN};
    static const double shares[] = {0.5, 0.9, 0.99};
    struct ct_summary summary = {.min = NAN, .max = NAN, .mean = NAN};
    double *sorted = malloc((latency_s.n + 1) * sizeof *sorted);
    if (!sorted)
        return CT_ENOMEM;
    for (size_t i = 0; i < latency_s.n; i++)
        sorted[i] = latency_s.x[i];
    ct_stats_sort(sorted, latency_s.n);
    ct_stats_summarize(sorted, latency_s.n, &summary);
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        ct_stats_quantile(sorted, latency_s.n, shares[i], &values[i]);
    free(sorted);
    ct_tables_cell_text(data, name);
    ct_tables_cell_number(data, (double)latency_s.n);
    ct_tables_cell_number(data, summary.min);
    ct_tables_cell_number(data, summary.mean);
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        ct_tables_cell_number(data, values[i]);
    ct_tables_cell_number(data, summary.max);
    return CT_OK;
}

static enum ct_status write_table(struct ct_html *page, const struct ct_measurements *measured,
                                  struct ct_error *err)
{
    struct ct_tables *data = ct_figure_data();
    if (!data)
        return ct_no_memory(err, "latencies");
    ct_tables_begin(data, "latencies", "Latency of a small message", columns,
                    sizeof columns / sizeof *columns);
    enum ct_status status =
        add_row(data, "idle network", ct_samples_values(&measured->loads[0].latency_s));
    for (size_t app = 0; app < measured->n_apps && status == CT_OK; app++)
        status = add_row(data, ct_measured_app(measured, app)->name,
                         ct_samples_values(&ct_measured_app(measured, app)->latency_s));
    if (status == CT_OK)
        status = ct_html_table(page, "latencies", data, err);
    else
        ct_no_memory(err, "latencies");
    ct_tables_free(data);
    return status;
}

/* ---- figures ---- */

/* Curves of one figure: the idle network first, then some applications. */
struct curves {
    struct ct_plot_series series[1 + APPS_PER_FIGURE];
    double points[2][1 + APPS_PER_FIGURE][POINTS];
    size_t n;
};

static enum ct_status add_curve(struct curves *curves, const char *title, const char *colour,
                                struct ct_series latency_s)
{
    double *x = curves->points[0][curves->n], *share = curves->points[1][curves->n];
    if (latency_s.n == 0)
        return CT_OK;
    size_t n = ct_distribution_points(latency_s.x, latency_s.n, POINTS, x, share);
    for (size_t i = 0; i < n; i++) {
        x[i] *= 1e6;
        share[i] *= 100;
    }
    curves->series[curves->n++] = (struct ct_plot_series){
        .title = title, .style = CT_PLOT_LINE, .x = x, .y = share, .n = n, .colour = colour};
    return n > 0 ? CT_OK : CT_ENOMEM;
}

static const struct ct_column point_columns[] = {{"beside", "beside", CT_UNIT_NONE},
                                                 {"latency_s", "latency", CT_UNIT_SECONDS},
                                                 {"share", "share", CT_UNIT_FRACTION}};

static enum ct_status write_figure(struct ct_html *page, const struct curves *curves, size_t number,
                                   struct ct_error *err)
{
    char id[64];
    ct_figure_id("latency", number, id);
    struct ct_tables *data = ct_figure_data();
    if (!data)
        return ct_no_memory(err, "latencies");
    ct_tables_begin(data, "points", NULL, point_columns, 3);
    for (size_t s = 0; s < curves->n; s++)
        for (size_t i = 0; i < curves->series[s].n; i++) {
            ct_tables_cell_text(data, curves->series[s].title);
            ct_tables_cell_number(data, curves->series[s].x[i] * 1e-6);
            ct_tables_cell_number(data, curves->series[s].y[i] * 1e-2);
        }
    struct ct_plot_panel panel = {.x_label = "latency of a small message (µs)",
                                  .y_label = "probes up to this latency (%)",
                                  .series = curves->series,
                                  .n_series = curves->n,
                                  .x_log = true,
                                  .y_hi = 100,
                                  .key_below = true};
    struct ct_plot plot = ct_figure_plot(&panel, 1, CT_FIGURE_HEIGHT + 50);
    enum ct_status status = ct_html_figure(
        page,
        &(struct ct_html_figure){.id = id,
                                 .name = "Distribution of latencies, idle and beside applications",
                                 .plot = &plot,
                                 .data = data},
        err);
    ct_tables_free(data);
    return status;
}

static size_t count_probed(const struct ct_measurements *measured)
{
    size_t n = 0;
    for (size_t app = 0; app < measured->n_apps; app++)
        n += ct_measured_app(measured, app)->latency_s.n > 0;
    return n;
}

static enum ct_status write_figures(struct ct_html *page, const struct ct_measurements *measured,
                                    struct ct_error *err)
{
    struct curves *curves = malloc(sizeof *curves);
    if (!curves)
        return ct_no_memory(err, "latencies");
    enum ct_status status = CT_OK;
    size_t app = 0, number = 1;
    ct_html_grid_open(page, false);
    do {
        size_t n_apps = 0;
        curves->n = 0;
        status = add_curve(curves, "idle network", "#000000",
                           ct_samples_values(&measured->loads[0].latency_s));
        for (; app < measured->n_apps && n_apps < APPS_PER_FIGURE && status == CT_OK; app++) {
            status = add_curve(curves, ct_measured_app(measured, app)->name, ct_plot_colour(n_apps),
                               ct_samples_values(&ct_measured_app(measured, app)->latency_s));
            n_apps += ct_measured_app(measured, app)->latency_s.n > 0;
        }
        if (status != CT_OK)
            ct_no_memory(err, "latencies");
        else if (curves->n > 0)
            status = write_figure(page, curves, number++, err);
    } while (app < measured->n_apps && status == CT_OK);
    ct_html_grid_close(page);
    free(curves);
    return status;
}

enum ct_status ct_section_latency(struct ct_html *page, const struct ct_page_view *view,
                                  struct ct_error *err)
{
    const struct ct_measurements *measured = view->facts->measured;
    size_t n_probed = count_probed(measured);
    if (measured->loads[0].latency_s.n == 0)
        ct_html_missing(page, "The idle network was not probed.");
    if (n_probed < measured->n_apps)
        ct_html_missing(page, "The network was probed beside %zu of %zu applications.", n_probed,
                        measured->n_apps);
    if (measured->loads[0].latency_s.n == 0 && n_probed == 0)
        return CT_OK;
    ct_html_say(page,
                "A few small messages are sent beside each application, and the latency of each is "
                "recorded. The further a curve is to the right of that of the idle network, the "
                "longer other messages wait. A curve that leaves it only near the top belongs to "
                "an application that delays others for a small part of the time.");
    enum ct_status status = write_figures(page, measured, err);
    return status == CT_OK ? write_table(page, measured, err) : status;
}
