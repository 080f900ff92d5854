/* Slowdown of each application over the utilization that a load causes: Casas and Bronevetsky,
 * IPDPS 2014, Fig. 7. */
#include "predict/curve.h"
#include "report/sections.h"

#include <math.h>
#include <stdlib.h>

enum { CURVE_POINTS = 101, KINDS_MAX = CT_N_PAGE_UTILIZATIONS };

/* A logarithmic axis has no zero, which the end of an interval may reach. */
#define LEAST_TIME 0.5

/* What an application did at one point of the axis. */
struct marks {
    double *x, *y, *lo, *hi;
    size_t n;
};

static bool new_marks(struct marks *marks, size_t room)
{
    double *all = malloc((4 * room + 1) * sizeof *all);
    *marks = (struct marks){all, all + room, all + 2 * room, all + 3 * room, 0};
    return all != NULL;
}

static void add_mark(struct marks *marks, double utilization_frac,
                     const struct ct_slowdown *slowdown)
{
    if (isnan(utilization_frac) || isnan(slowdown->frac))
        return;
    marks->x[marks->n] = 100 * utilization_frac;
    marks->y[marks->n] = 1 + slowdown->frac;
    marks->lo[marks->n] = fmax(LEAST_TIME, 1 + slowdown->interval.lo);
    marks->hi[marks->n++] = 1 + slowdown->interval.hi;
}

/* One panel: measured points, the fit through those under configurations, and its data. */
struct panel {
    struct marks configs, apps;
    double curve[2][CURVE_POINTS];
    struct ct_plot_series series[3];
    char x_label[80];
};

static void fill_marks(const struct ct_predict_analysis *analysis, size_t app,
                       enum ct_utilization_kind kind, struct panel *panel)
{
    for (size_t c = 0; c < analysis->n_configs; c++)
        add_mark(&panel->configs, ct_predict_utilization(&analysis->configs[c], kind),
                 &analysis->under_config[app * analysis->n_configs + c]);
    for (size_t with = 0; with < analysis->n_apps; with++)
        add_mark(&panel->apps, ct_predict_utilization(&analysis->apps[with], kind),
                 &analysis->beside_app[app * analysis->n_apps + with]);
}

/* Up to the last point; beyond it the models repeat its value. */
static size_t fill_curve(const struct ct_curve *curve, const struct marks *marks,
                         double (*points)[CURVE_POINTS])
{
    double end = 0;
    for (size_t i = 0; i < marks->n; i++)
        end = fmax(end, marks->x[i]);
    for (size_t i = 0; curve && i < CURVE_POINTS; i++) {
        bool beyond;
        points[0][i] = end * (double)i / (CURVE_POINTS - 1);
        points[1][i] = 1 + ct_curve_at(curve, points[0][i] / 100, &beyond);
    }
    return curve && end > 0 ? CURVE_POINTS : 0;
}

static struct ct_plot_series marks_series(const struct marks *marks, const char *colour)
{
    return (struct ct_plot_series){.style = CT_PLOT_INTERVALS,
                                   .x = marks->x,
                                   .y = marks->y,
                                   .lo = marks->lo,
                                   .hi = marks->hi,
                                   .n = marks->n,
                                   .colour = colour};
}

/* Series without points are left out. */
static struct ct_plot_panel make_panel(const struct ct_predict_analysis *analysis, size_t app,
                                       const struct ct_page_utilization *row, struct panel *panel)
{
    fill_marks(analysis, app, row->kind, panel);
    size_t n_curve = fill_curve(analysis->curves[row->kind * analysis->n_apps + app],
                                &panel->configs, panel->curve);
    const struct ct_plot_series all[] = {marks_series(&panel->configs, "#0072B2"),
                                         marks_series(&panel->apps, "#D55E00"),
                                         {.style = CT_PLOT_DASHED,
                                          .x = panel->curve[0],
                                          .y = panel->curve[1],
                                          .n = n_curve,
                                          .colour = "#0072B2"}};
    size_t n_series = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].n > 0)
            panel->series[n_series++] = all[i];
    snprintf(panel->x_label, sizeof panel->x_label, "utilization, %s (%%)", row->name);
    return (struct ct_plot_panel){.x_label = panel->x_label,
                                  .y_label = "run time (times that alone)",
                                  .y_log = true,
                                  .series = panel->series,
                                  .n_series = n_series,
                                  .x_hi = 100};
}

/* ---- data ---- */

enum { N_FIRST = 5, N_COLUMNS = N_FIRST + CT_N_PAGE_UTILIZATIONS };

static void make_columns(struct ct_column *columns)
{
    static const struct ct_column first[N_FIRST] = {
        {"app", "app", CT_UNIT_NONE},
        {"beside", "beside", CT_UNIT_NONE},
        {"slowdown", "slowdown", CT_UNIT_FRACTION},
        {"slowdown_from", "from", CT_UNIT_FRACTION},
        {"slowdown_to", "to", CT_UNIT_FRACTION},
    };
    for (size_t c = 0; c < N_FIRST; c++)
        columns[c] = first[c];
    for (size_t u = 0; u < CT_N_PAGE_UTILIZATIONS; u++)
        columns[N_FIRST + u] = (struct ct_column){ct_page_utilizations[u].key,
                                                  ct_page_utilizations[u].name, CT_UNIT_FRACTION};
}

static void add_data(struct ct_tables *data, const char *app, const char *beside,
                     const struct ct_slowdown *slowdown, const struct ct_predict_load *load)
{
    if (isnan(slowdown->frac))
        return;
    ct_tables_cell_text(data, app);
    ct_tables_cell_text(data, beside);
    ct_tables_cell_number(data, slowdown->frac);
    ct_tables_cell_number(data, slowdown->interval.lo);
    ct_tables_cell_number(data, slowdown->interval.hi);
    for (size_t u = 0; u < CT_N_PAGE_UTILIZATIONS; u++)
        ct_tables_cell_number(data, ct_page_utilization_of(&ct_page_utilizations[u], load).frac);
}

static void fill_data(const struct ct_page_facts *facts, size_t app,
                      const struct ct_column *columns, struct ct_tables *data)
{
    const struct ct_predict_analysis *analysis = facts->analysis;
    const char *name = ct_page_app(facts, app);
    ct_tables_begin(data, "slowdowns", NULL, columns, N_COLUMNS);
    for (size_t c = 0; c < analysis->n_configs; c++)
        add_data(data, name, ct_measured_config(facts->measured, c)->name,
                 &analysis->under_config[app * analysis->n_configs + c], &analysis->configs[c]);
    for (size_t with = 0; with < analysis->n_apps; with++)
        add_data(data, name, ct_page_app(facts, with),
                 &analysis->beside_app[app * analysis->n_apps + with], &analysis->apps[with]);
}

/* ---- section ---- */

static enum ct_status draw(struct ct_html *page, const struct ct_page_facts *facts, size_t app,
                           struct panel *panels, struct ct_error *err)
{
    struct ct_plot_panel shown[KINDS_MAX];
    size_t n_shown = 0;
    for (size_t u = 0; u < CT_N_PAGE_UTILIZATIONS; u++) {
        const struct ct_page_utilization *row = &ct_page_utilizations[u];
        if (row->is_truth)
            continue;
        shown[n_shown] = make_panel(facts->analysis, app, row, &panels[u]);
        n_shown += shown[n_shown].n_series > 0;
    }
    if (n_shown == 0)
        return CT_OK;
    char id[64], *name = NULL;
    ct_figure_id("degradation", app + 1, id);
    struct ct_column columns[N_COLUMNS];
    struct ct_tables *data = ct_figure_data();
    enum ct_status status = CT_ENOMEM;
    if (!data || asprintf(&name, "Slowdown of %s", ct_page_app(facts, app)) < 0) {
        name = NULL;
        ct_no_memory(err, "slowdowns");
    } else {
        struct ct_plot plot = ct_figure_plot(shown, n_shown, CT_FIGURE_HEIGHT - 80);
        make_columns(columns);
        fill_data(facts, app, columns, data);
        status = ct_html_figure(
            page, &(struct ct_html_figure){.id = id, .name = name, .plot = &plot, .data = data},
            err);
    }
    free(name);
    ct_tables_free(data);
    return status;
}

static enum ct_status write_figure(struct ct_html *page, const struct ct_page_facts *facts,
                                   size_t app, struct ct_error *err)
{
    const struct ct_predict_analysis *analysis = facts->analysis;
    struct panel *panels = calloc(KINDS_MAX, sizeof *panels);
    enum ct_status status = panels ? CT_OK : CT_ENOMEM;
    for (size_t u = 0; u < KINDS_MAX && status == CT_OK; u++)
        if (!new_marks(&panels[u].configs, analysis->n_configs) ||
            !new_marks(&panels[u].apps, analysis->n_apps))
            status = CT_ENOMEM;
    if (status == CT_OK)
        status = draw(page, facts, app, panels, err);
    else
        ct_no_memory(err, "slowdowns");
    for (size_t u = 0; panels && u < KINDS_MAX; u++) {
        free(panels[u].configs.x);
        free(panels[u].apps.x);
    }
    free(panels);
    return status;
}

static void say_what_is_missing(struct ct_html *page, const struct ct_page_facts *facts)
{
    const struct ct_predict_analysis *analysis = facts->analysis;
    if (analysis->n_configs == 0) {
        ct_html_missing(page, "No application was timed under a configuration of CompressionB.");
        return;
    }
    for (size_t app = 0; app < analysis->n_apps; app++) {
        const char *name = ct_page_app(facts, app);
        size_t n_timed = 0;
        for (size_t c = 0; c < analysis->n_configs; c++)
            n_timed += isnan(analysis->under_config[app * analysis->n_configs + c].frac) ? 0 : 1;
        if (ct_measured_passes(facts->measured, app, 0).n == 0)
            ct_html_missing(page, "%s was not timed alone, so that no slowdown of it is known.",
                            name);
        else if (n_timed < analysis->n_configs)
            ct_html_missing(page, "%s was timed under %zu of %zu configurations.", name, n_timed,
                            analysis->n_configs);
    }
}

enum ct_status ct_section_degradation(struct ct_html *page, const struct ct_page_view *view,
                                      struct ct_error *err)
{
    enum ct_status status = CT_OK;
    say_what_is_missing(page, view->facts);
    ct_html_say(
        page,
        "Run time of an application, in multiples of that alone, over the utilization of the "
        "network by a load beside it. Blue: beside configurations of tunable load, with the rising "
        "curve that fits best. Orange: beside other applications; the nearer to the curve, the "
        "better a mean utilization predicts the slowdown.");
    ct_html_grid_open(page, false);
    for (size_t app = 0; app < view->facts->analysis->n_apps && status == CT_OK; app++)
        status = write_figure(page, view->facts, app, err);
    ct_html_grid_close(page);
    return status;
}
