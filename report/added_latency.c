/* Run time of each application over added latency, measured and predicted: Shen et al., "LLAMP"
 * (2024), Fig. 1 and 9. */
#include "report/sections.h"
#include "report/validation_figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct ct_column columns[] = {
    {"delta_L_s", "added latency", CT_UNIT_SECONDS},
    {"n_runs", "runs", CT_UNIT_COUNT},
    {"measured_s", "measured", CT_UNIT_LONG_SECONDS},
    {"measured_ci[]", "from", CT_UNIT_LONG_SECONDS},
    {"measured_ci[]", "to", CT_UNIT_LONG_SECONDS},
    {"predicted_s", "predicted", CT_UNIT_LONG_SECONDS},
    {"cpu_wait_frac", "waited for processors", CT_UNIT_FRACTION}};

static void fill_points(const struct ct_validation *found, struct ct_tables *data)
{
    for (size_t i = 0; i < found->n_points; i++) {
        const struct ct_validation_point *p = &found->points[i];
        const double cells[] = {p->delta_L_s,      (double)p->n_runs, p->measured_s,
                                p->measured_ci.lo, p->measured_ci.hi, p->predicted_s,
                                p->cpu_wait_frac};
        for (size_t k = 0; k < sizeof cells / sizeof *cells; k++)
            ct_tables_cell_number(data, cells[k]);
    }
}

/* How far the prediction is off, and what the program tolerates. */
static void say_results(struct ct_html *page, const char *app, const struct ct_validation *found)
{
    const struct ct_validation_slope *slope = &found->slope;
    ct_html_say(page,
                "%s: the relative root mean square error of the predictions is %.1f %%. A pass "
                "takes %.1f s longer for each second of latency (%.1f to %.1f), predicted are "
                "%.1f; lambda_L is %.0f.",
                app, 100 * found->rrmse, slope->slope, slope->ci.lo, slope->ci.hi,
                found->slope_predicted, found->lambda_L);
    for (size_t i = 0; i < found->n_tolerances; i++) {
        const struct ct_validation_tolerance *tolerance = &found->tolerances[i];
        if (isnan(tolerance->measured_s) || isnan(tolerance->predicted_s))
            continue;
        const struct ct_interval *ci = &tolerance->measured_ci;
        char from_to[64] = "";
        if (!isnan(ci->lo) && !isnan(ci->hi))
            snprintf(from_to, sizeof from_to, " (%.0f to %.0f)", 1e6 * ci->lo, 1e6 * ci->hi);
        ct_html_say(page, "%s takes %.3g %% longer with %.0f us more%s; predicted are %.0f us.",
                    app, 100 * tolerance->threshold_frac, 1e6 * tolerance->measured_s, from_to,
                    1e6 * tolerance->predicted_s);
    }
}

static enum ct_status draw(struct ct_html *page, const struct ct_page_validation *validation,
                           size_t number, struct ct_error *err)
{
    struct ct_validation_figure *figure;
    struct ct_tables *data = ct_figure_data();
    char id[64], *name = NULL;
    if (!data || asprintf(&name, "Run time of %s over added latency", validation->app) < 0) {
        ct_tables_free(data);
        return ct_no_memory(err, "run times over latency");
    }
    enum ct_status status = ct_validation_figure_make(&validation->found, &figure, err);
    if (status == CT_OK) {
        const struct ct_plot_panel *panel = ct_validation_figure_panel(figure);
        size_t key_rows = panel->n_series + panel->n_zones;
        struct ct_plot plot =
            ct_figure_plot(panel, 1, CT_FIGURE_HEIGHT + (double)(CT_FIGURE_ROW * key_rows));
        ct_tables_begin(data, "points", NULL, columns, sizeof columns / sizeof *columns);
        fill_points(&validation->found, data);
        ct_figure_id("added-latency", number, id);
        status = ct_html_figure(
            page, &(struct ct_html_figure){.id = id, .name = name, .plot = &plot, .data = data},
            err);
        ct_validation_figure_free(figure);
    }
    free(name);
    ct_tables_free(data);
    return status;
}

enum ct_status ct_section_added_latency(struct ct_html *page, const struct ct_page_view *view,
                                        struct ct_error *err)
{
    const struct ct_page_facts *facts = view->facts;
    enum ct_status status = CT_OK;
    ct_html_say(page,
                "Run times of a pass at several latencies that were added to that of the network, "
                "and T(L + dL) from traces and LogP parameters without added latency, with one "
                "message at a time on each NIC. Zones end where the prediction is 1, 2 and 5 %% "
                "longer. Beside a load, L includes what the load adds to the latency of a probe.");
    for (size_t i = 0; i < facts->n_validations; i++) {
        const struct ct_page_validation *validation = &facts->validations[i];
        if (validation->why)
            ct_html_missing(page, "%s: %s.", validation->app, validation->why);
        else
            say_results(page, validation->app, &validation->found);
    }
    ct_html_grid_open(page, false);
    for (size_t i = 0; i < facts->n_validations && status == CT_OK; i++)
        if (!facts->validations[i].why)
            status = draw(page, &facts->validations[i], i + 1, err);
    ct_html_grid_close(page);
    return status;
}
