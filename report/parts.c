/* Where the time of each application goes, alone, on networks of several kinds: Kenny et al., ISC
 * 2018, Fig. 8. */
#include "report/sections.h"

#include <math.h>
#include <stdlib.h>

enum { APPS_MAX = 8, BARS_OF_APP = CT_NETWORK_KINDS + 1 }; /* in a figure */

/* ---- figure ---- */

struct bars {
    double values[APPS_MAX * BARS_OF_APP * CT_TIME_PARTS];
    char names[APPS_MAX * BARS_OF_APP][80];
    const char *rows[APPS_MAX * BARS_OF_APP];
    size_t n;
};

/* The time that others are shares of: on the first network that is known. */
static double whole_of(const struct ct_app_times *times)
{
    for (int kind = 0; kind < CT_NETWORK_KINDS; kind++)
        if (times->on[kind].is_known)
            return times->on[kind].runtime_s;
    return NAN;
}

static void add_bar(const double *part_s, double whole_s, const char *name, const char *of,
                    struct bars *bars)
{
    for (int part = 0; part < CT_TIME_PARTS; part++)
        bars->values[bars->n * CT_TIME_PARTS + (size_t)part] = 100 * part_s[part] / whole_s;
    snprintf(bars->names[bars->n], sizeof *bars->names, "%s %s", name, of);
    bars->rows[bars->n] = bars->names[bars->n];
    bars->n++;
}

/* The network of a path as the figure and the table name it. */
static const char path_name[] = "critical path";

static bool has_path(const struct ct_app_times *times)
{
    double sum_s = 0;
    for (int part = 0; part < CT_TIME_PARTS; part++)
        sum_s += times->path_s[part];
    return sum_s > 0;
}

static void add_bars(const struct ct_app_times *times, const char *name, struct bars *bars)
{
    double whole_s = whole_of(times);
    for (int kind = 0; kind < CT_NETWORK_KINDS && whole_s > 0; kind++)
        if (times->on[kind].is_known)
            add_bar(times->on[kind].part_s, whole_s, name, ct_simulate_network_names[kind], bars);
    if (has_path(times))
        add_bar(times->path_s, whole_s, name, path_name, bars);
}

static enum ct_status draw(struct ct_html *page, const struct bars *bars, size_t number,
                           struct ct_error *err)
{
    char id[64];
    const struct ct_stacked stacked = {.x_label = "share of the run time on the first network (%)",
                                       .rows = bars->rows,
                                       .n_rows = bars->n,
                                       .parts = ct_time_part_titles,
                                       .colours = ct_time_part_colours,
                                       .n_parts = CT_TIME_PARTS,
                                       .values = bars->values,
                                       .width_px = CT_FIGURE_WIDTH};
    ct_figure_id("parts", number, id);
    return ct_html_figure(
        page,
        &(struct ct_html_figure){.id = id,
                                 .name = "Where the time goes, mean of the ranks",
                                 .about = "Each application alone, simulated from its schedule.",
                                 .stacked = &stacked},
        err);
}

static enum ct_status draw_all(struct ct_html *page, const struct ct_page_facts *facts,
                               struct ct_error *err)
{
    struct bars *bars = calloc(1, sizeof *bars);
    size_t n_apps = facts->measured->n_apps, number = 1;
    enum ct_status status = CT_OK;
    if (!bars)
        return ct_no_memory(err, "figure");
    ct_html_grid_open(page, false);
    for (size_t app = 0; app < n_apps && status == CT_OK; app++) {
        add_bars(&facts->times[app], ct_page_app(facts, app), bars);
        bool is_full = bars->n > (APPS_MAX - 1) * BARS_OF_APP;
        if (bars->n == 0 || (!is_full && app + 1 < n_apps))
            continue;
        status = draw(page, bars, number++, err);
        bars->n = 0;
    }
    ct_html_grid_close(page);
    free(bars);
    return status;
}

/* ---- words and table ---- */

static bool is_judged(const struct ct_app_times *times)
{
    return times->verdict && times->on[CT_NETWORK_PACKET].runtime_s > 0;
}

/* What a run time is shorter without something. */
static double gain(double with_s, double without_s)
{
    return 1 - without_s / with_s;
}

static void say_verdicts(struct ct_html *page, const struct ct_page_facts *facts)
{
    for (size_t app = 0; app < facts->measured->n_apps; app++) {
        const struct ct_app_times *times = &facts->times[app];
        const struct ct_app_time *time = &times->on[CT_NETWORK_PACKET];
        if (!is_judged(times)) {
            ct_html_missing(page, "%s: %s.", ct_page_app(facts, app),
                            times->why ? times->why : "not known");
            continue;
        }
        ct_html_say(page,
                    "%s is %s: the network takes %.1f %% of its time, the software of MPI %.1f %%, "
                    "waiting for other ranks %.1f %%. Without a network it would be %.1f %% "
                    "faster.",
                    ct_page_app(facts, app), times->verdict,
                    100 * time->part_s[CT_TIME_NETWORK] / time->mean_s,
                    100 * time->part_s[CT_TIME_STACK] / time->mean_s,
                    100 * time->part_s[CT_TIME_SYNC] / time->mean_s,
                    100 * gain(time->runtime_s, times->no_network_s));
    }
}

static void fill_rows(const struct ct_page_facts *facts, size_t app, struct ct_tables *tables)
{
    const struct ct_app_times *times = &facts->times[app];
    for (int kind = 0; kind < CT_NETWORK_KINDS; kind++) {
        const struct ct_app_time *time = &times->on[kind];
        if (!time->is_known)
            continue;
        ct_tables_cell_text(tables, ct_page_app(facts, app));
        ct_tables_cell_text(tables, ct_simulate_network_names[kind]);
        ct_tables_cell_number(tables, time->runtime_s);
        for (int part = 0; part < CT_TIME_PARTS; part++)
            ct_tables_cell_number(tables,
                                  time->mean_s > 0 ? time->part_s[part] / time->mean_s : NAN);
    }
    if (!has_path(times))
        return;
    double path_s = times->on[CT_NETWORK_PACKET].runtime_s;
    ct_tables_cell_text(tables, ct_page_app(facts, app));
    ct_tables_cell_text(tables, path_name);
    ct_tables_cell_number(tables, path_s);
    for (int part = 0; part < CT_TIME_PARTS; part++)
        ct_tables_cell_number(tables, times->path_s[part] / path_s);
}

static enum ct_status write_table(struct ct_html *page, const struct ct_page_facts *facts,
                                  struct ct_error *err)
{
    static const struct ct_column columns[] = {{"app", "application", CT_UNIT_NONE},
                                               {"network", "network", CT_UNIT_NONE},
                                               {"runtime_s", "run time", CT_UNIT_LONG_SECONDS},
                                               {"compute_frac", "compute", CT_UNIT_FRACTION},
                                               {"stack_frac", "stack", CT_UNIT_FRACTION},
                                               {"sync_frac", "synchronization", CT_UNIT_FRACTION},
                                               {"network_frac", "network", CT_UNIT_FRACTION}};
    struct ct_tables *tables = ct_figure_data();
    if (!tables)
        return ct_no_memory(err, "where the time goes");
    ct_tables_begin(tables, "parts", NULL, columns, sizeof columns / sizeof *columns);
    for (size_t app = 0; app < facts->measured->n_apps; app++)
        fill_rows(facts, app, tables);
    ct_html_fold_open(page, "The numbers");
    enum ct_status status = ct_html_table(page, "parts-table", tables, err);
    ct_html_fold_close(page);
    ct_tables_free(tables);
    return status;
}

enum ct_status ct_section_parts(struct ct_html *page, const struct ct_page_view *view,
                                struct ct_error *err)
{
    const struct ct_page_facts *facts = view->facts;
    size_t n_known = 0;
    for (size_t app = 0; facts->times && app < facts->measured->n_apps; app++)
        n_known += isnan(whole_of(&facts->times[app])) ? 0 : 1;
    if (n_known == 0) {
        ct_html_missing(page, "This needs a schedule or a trace of an application, and LogGP "
                              "parameters of the idle network.");
        return CT_OK;
    }
    ct_html_say(
        page, "Each application was simulated alone, from its schedule, on networks of several "
              "kinds: packets that queue at ports, links that messages share, alpha + beta N "
              "without contention between nodes, and none, on which also the software of MPI "
              "costs nothing. Synchronization is the wait for the program of another rank. The "
              "verdicts are those on packets. The critical path, on packets, is the chain of "
              "computation and messages that ends last: it does not wait for a late rank, and what "
              "it consists of must become faster for the run to become faster.");
    say_verdicts(page, facts);
    enum ct_status status = draw_all(page, facts, err);
    return status == CT_OK ? write_table(page, facts, err) : status;
}
