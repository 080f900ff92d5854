/* Utilization of the network by each load, from the probe and from the switch: Casas and
 * Bronevetsky, IPDPS 2014, Fig. 6. */
#include "report/sections.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOADS_MAX = 42 }; /* in a figure */

/* The loads in the order of rows. */
struct loads {
    const struct ct_predict_load **items;
    const char **names, **sorts;
    size_t n;
};

static void free_loads(struct loads *loads)
{
    free(loads->items);
    free(loads->names);
    free(loads->sorts);
}

static void add(struct loads *loads, const struct ct_predict_load *load, const char *name,
                const char *sort)
{
    if (load->profile.latency_s.n == 0 && isnan(load->true_utilization_frac))
        return;
    loads->items[loads->n] = load;
    loads->names[loads->n] = name;
    loads->sorts[loads->n++] = sort;
}

static enum ct_status list_loads(const struct ct_page_facts *facts, struct loads *loads_p)
{
    const struct ct_predict_analysis *analysis = facts->analysis;
    size_t room = 1 + analysis->n_apps + analysis->n_configs;
    struct loads loads = {calloc(room, sizeof *loads.items), calloc(room, sizeof *loads.names),
                          calloc(room, sizeof *loads.sorts), 0};
    if (!loads.items || !loads.names || !loads.sorts) {
        free_loads(&loads);
        return CT_ENOMEM;
    }
    add(&loads, &analysis->idle, "idle network", "idle");
    for (size_t app = 0; app < analysis->n_apps; app++)
        add(&loads, &analysis->apps[app], ct_page_app(facts, app), "application");
    for (size_t c = 0; c < analysis->n_configs; c++)
        add(&loads, &analysis->configs[c], ct_measured_config(facts->measured, c)->name,
            "configuration");
    *loads_p = loads;
    return CT_OK;
}

/* ---- figure ---- */

struct points {
    double x[LOADS_MAX], y[LOADS_MAX], lo[LOADS_MAX], hi[LOADS_MAX];
};

/* One mark a load, each way of knowing a little above or below the other. */
static size_t fill_points(const struct loads *loads, size_t first, size_t n,
                          const struct ct_page_utilization *row, double shift,
                          struct points *points)
{
    size_t n_known = 0;
    for (size_t i = 0; i < n; i++) {
        struct ct_utilization utilization = ct_page_utilization_of(row, loads->items[first + i]);
        if (isnan(utilization.frac))
            continue;
        points->x[n_known] = 100 * utilization.frac;
        points->y[n_known] = (double)i + shift;
        points->lo[n_known] = 100 * utilization.interval.lo;
        points->hi[n_known++] = 100 * utilization.interval.hi;
    }
    return n_known;
}

static enum ct_status write_figure(struct ct_html *page, const struct loads *loads, size_t first,
                                   size_t n, size_t number, struct ct_error *err)
{
    static const char *const colours[CT_N_PAGE_UTILIZATIONS] = {"#000000", "#D55E00", "#0072B2",
                                                                "#009E73"};
    struct points *points = malloc(CT_N_PAGE_UTILIZATIONS * sizeof *points);
    if (!points)
        return ct_no_memory(err, "utilizations");
    struct ct_plot_series series[CT_N_PAGE_UTILIZATIONS];
    size_t n_series = 0;
    for (size_t u = 0; u < CT_N_PAGE_UTILIZATIONS; u++) {
        const struct ct_page_utilization *row = &ct_page_utilizations[u];
        double shift = 0.2 * ((double)u - (CT_N_PAGE_UTILIZATIONS - 1) / 2.0);
        size_t n_known = fill_points(loads, first, n, row, shift, &points[u]);
        if (n_known == 0)
            continue;
        series[n_series++] =
            (struct ct_plot_series){.title = row->name,
                                    .style = row->is_truth ? CT_PLOT_POINTS : CT_PLOT_INTERVALS,
                                    .x = points[u].x,
                                    .y = points[u].y,
                                    .n = n_known,
                                    .lo = points[u].lo,
                                    .hi = points[u].hi,
                                    .colour = colours[u]};
    }
    char id[64];
    ct_figure_id("utilization", number, id);
    struct ct_plot_panel panel = {.x_label = "utilization of the network (%)",
                                  .series = series,
                                  .n_series = n_series,
                                  .rows = loads->names + first,
                                  .n_rows = n,
                                  .x_hi = 100,
                                  .key_below = true};
    struct ct_plot plot = ct_figure_plot(&panel, 1, 130 + 1.3 * CT_FIGURE_ROW * (double)n);
    enum ct_status status = ct_html_figure(
        page,
        &(struct ct_html_figure){.id = id,
                                 .name = "Utilization by each load, from the probe and from the "
                                         "counters of the switch",
                                 .plot = &plot},
        err);
    free(points);
    return status;
}

/* ---- table ---- */

enum { N_FIRST = 4 };

static enum ct_status write_table(struct ct_html *page, const struct loads *loads,
                                  struct ct_error *err)
{
    struct ct_column columns[N_FIRST + 3 * CT_N_PAGE_UTILIZATIONS] = {
        {"sort", "load", CT_UNIT_NONE},
        {"name", "name", CT_UNIT_NONE},
        {"latencies", "probes", CT_UNIT_COUNT},
        {"mean_latency_s", "mean latency", CT_UNIT_SECONDS}};
    char keys[CT_N_PAGE_UTILIZATIONS][2][64];
    size_t n = N_FIRST;
    for (size_t u = 0; u < CT_N_PAGE_UTILIZATIONS; u++) {
        const struct ct_page_utilization *row = &ct_page_utilizations[u];
        columns[n++] = (struct ct_column){row->key, row->name, CT_UNIT_FRACTION};
        if (row->is_truth)
            continue;
        snprintf(keys[u][0], sizeof keys[u][0], "%s_from", row->key);
        snprintf(keys[u][1], sizeof keys[u][1], "%s_to", row->key);
        columns[n++] = (struct ct_column){keys[u][0], "from", CT_UNIT_FRACTION};
        columns[n++] = (struct ct_column){keys[u][1], "to", CT_UNIT_FRACTION};
    }
    struct ct_tables *data = ct_figure_data();
    if (!data)
        return ct_no_memory(err, "utilizations");
    ct_tables_begin(data, "loads", NULL, columns, n);
    for (size_t i = 0; i < loads->n; i++) {
        bool probed = loads->items[i]->profile.latency_s.n > 0;
        ct_tables_cell_text(data, loads->sorts[i]);
        ct_tables_cell_text(data, loads->names[i]);
        ct_tables_cell_number(data, (double)loads->items[i]->profile.latency_s.n);
        ct_tables_cell_number(data, probed ? loads->items[i]->profile.latency_s.mean : NAN);
        for (size_t u = 0; u < CT_N_PAGE_UTILIZATIONS; u++) {
            struct ct_utilization utilization =
                ct_page_utilization_of(&ct_page_utilizations[u], loads->items[i]);
            ct_tables_cell_number(data, utilization.frac);
            if (ct_page_utilizations[u].is_truth)
                continue;
            ct_tables_cell_number(data, utilization.interval.lo);
            ct_tables_cell_number(data, utilization.interval.hi);
        }
    }
    enum ct_status status = ct_html_table(page, "utilizations", data, err);
    ct_tables_free(data);
    return status;
}

/* ---- section ---- */

static void say_what_is_missing(struct ct_html *page, const struct ct_page_facts *facts,
                                const struct loads *loads)
{
    size_t n_true = 0, n_probed = 0;
    for (size_t i = 0; i < loads->n; i++)
        n_true += isnan(loads->items[i]->true_utilization_frac) ? 0 : 1;
    for (size_t c = 0; c < facts->analysis->n_configs; c++)
        n_probed += facts->analysis->configs[c].profile.latency_s.n > 0;
    if (facts->analysis->n_configs == 0)
        ct_html_missing(page, "No configuration of CompressionB was measured.");
    else if (n_probed < facts->analysis->n_configs)
        ct_html_missing(page, "The network was probed beside %zu of %zu configurations.", n_probed,
                        facts->analysis->n_configs);
    if (n_true == 0)
        ct_html_missing(page, "There are no counters of the switch to compare with.");
    if (facts->analysis->delay.n == 0)
        ct_html_missing(page, "The load of no configuration is known, so that no queue model is "
                              "calibrated.");
}

enum ct_status ct_section_utilization(struct ct_html *page, const struct ct_page_view *view,
                                      struct ct_error *err)
{
    struct loads loads;
    if (list_loads(view->facts, &loads) != CT_OK)
        return ct_no_memory(err, "utilizations");
    say_what_is_missing(page, view->facts, &loads);
    ct_html_say(page,
                "How much of the network each load uses. Black: what the switch counted, the mean "
                "over its ports. Coloured: what models conclude from the probe alone, with "
                "intervals. pk, the queue of the paper, takes the probe for all traffic in the "
                "queue, so it is an index that grows with the load. By delay is calibrated, and "
                "should lie on the black marks.");
    enum ct_status status = CT_OK;
    ct_html_grid_open(page, false);
    /* Figures of about the same height. */
    size_t n_figures = (loads.n + LOADS_MAX - 1) / LOADS_MAX;
    for (size_t f = 0; f < n_figures && status == CT_OK; f++) {
        size_t first = f * loads.n / n_figures, end = (f + 1) * loads.n / n_figures;
        status = write_figure(page, &loads, first, end - first, f + 1, err);
    }
    ct_html_grid_close(page);
    if (status == CT_OK)
        status = write_table(page, &loads, err);
    free_loads(&loads);
    return status;
}
