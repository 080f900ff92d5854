#include "cli/simulate_path.h"

#include "cli/simulate_engine.h"
#include "core/picture.h"
#include "core/svg.h"
#include "simulate/call_times.h"

#include <math.h>
#include <stdlib.h>

static const double s_per_ns = 1e-9;

/* ---- tables ---- */

static void fill_parts(const struct ct_goal *goals, const char *const *names,
                       const struct ct_run_path *paths, size_t n, unsigned char *passed,
                       struct ct_tables *tables)
{
    static const struct ct_column columns[] = {{"name", "schedule", CT_UNIT_NONE},
                                               CT_PART_COLUMNS,
                                               {"runtime_s", "length", CT_UNIT_LONG_SECONDS},
                                               {"ranks", "ranks on it", CT_UNIT_COUNT},
                                               {"steps", "pieces", CT_UNIT_COUNT}};
    CT_TABLES_BEGIN(tables, "path", "Critical path of the first pass", columns);
    for (size_t i = 0; i < n; i++) {
        struct ct_time_shares shares = {.runtime_ns = paths[i].end_ns - paths[i].begin_ns};
        uint32_t n_passed = 0;
        for (uint32_t rank = 0; rank < goals[i].n_ranks; rank++)
            passed[rank] = 0;
        for (size_t k = 0; k < paths[i].n; k++) {
            const struct ct_run_path_step *step = &paths[i].steps[k];
            shares.part_ns[step->part] += step->end_ns - step->begin_ns;
            n_passed += !passed[step->to];
            passed[step->to] = 1;
        }
        ct_tables_cell_text(tables, names[i]);
        ct_parts_fill(&shares, 1, tables);
        CT_CELL_NUMBERS(tables, shares.runtime_ns * s_per_ns, n_passed, (double)paths[i].n);
    }
}

/* Time of a call on a path. */
struct call {
    uint32_t row;
    double sum_ns;
    struct ct_time_sum parts;
};

static int by_time(const void *a, const void *b)
{
    const struct call *x = a, *y = b;
    if (x->sum_ns < y->sum_ns || x->sum_ns > y->sum_ns)
        return x->sum_ns < y->sum_ns ? 1 : -1;
    return x->row < y->row ? -1 : 1;
}

static void fill_calls_of(const struct ct_goal *goal, const char *name,
                          const struct ct_run_path *path, bool by_site, struct ct_tables *tables)
{
    struct call calls[CT_GOAL_CALLS_MAX];
    uint32_t row_of[CT_GOAL_CALLS_MAX], n_rows = goal->calls ? goal->calls->n_calls : 0;
    double runtime_ns = path->end_ns - path->begin_ns;
    for (uint32_t row = 0; row < CT_GOAL_CALLS_MAX; row++)
        calls[row] = (struct call){.row = row_of[row] = row};
    for (uint32_t row = 0; row < n_rows && !by_site; row++)
        row_of[row] = ct_call_row_anywhere(goal, row);
    for (size_t k = 0; k < path->n; k++) {
        const struct ct_run_path_step *step = &path->steps[k];
        if (step->part == CT_TIME_COMPUTE)
            continue;
        struct call *call = &calls[row_of[step->row]];
        call->sum_ns += step->end_ns - step->begin_ns;
        call->parts.part_ns[step->part] += step->end_ns - step->begin_ns;
    }
    qsort(calls, CT_GOAL_CALLS_MAX, sizeof *calls, by_time);
    for (size_t i = 0; i < CT_GOAL_CALLS_MAX && calls[i].sum_ns > 0; i++) {
        const double *part_ns = calls[i].parts.part_ns;
        ct_tables_cell_text(tables, name);
        ct_tables_cell_text(tables, ct_call_row_name(goal, calls[i].row));
        const char *site = ct_call_row_site(goal, calls[i].row);
        if (by_site)
            ct_tables_cell_text(tables, site ? site : "not known");
        CT_CELL_NUMBERS(tables, s_per_ns * part_ns[CT_TIME_STACK], s_per_ns * part_ns[CT_TIME_SYNC],
                        s_per_ns * part_ns[CT_TIME_NETWORK],
                        runtime_ns > 0 ? calls[i].sum_ns / runtime_ns : 0);
    }
}

void ct_call_table_begin(struct ct_tables *tables, const char *key, const char *title, bool by_site,
                         struct ct_column last)
{
    static const struct ct_column call[] = {{"name", "schedule", CT_UNIT_NONE},
                                            {"call", "call", CT_UNIT_NONE}},
                                  site = {"site", "from", CT_UNIT_NONE},
                                  parts[] = {{"stack_s", "stack", CT_UNIT_SECONDS},
                                             {"sync_s", "synchronization", CT_UNIT_SECONDS},
                                             {"network_s", "network", CT_UNIT_SECONDS}};
    CT_TABLES_BEGIN(tables, key, title, call);
    if (by_site)
        ct_tables_column(tables, site);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        ct_tables_column(tables, parts[i]);
    ct_tables_column(tables, last);
}

enum ct_status ct_run_paths_fill(const struct ct_goal *goals, const char *const *names,
                                 const struct ct_run_path *paths, size_t n,
                                 struct ct_tables *tables, struct ct_error *err)
{
    static const struct ct_column share = {"path_frac", "of path", CT_UNIT_FRACTION};
    uint32_t most = 1;
    for (size_t i = 0; i < n; i++)
        most = goals[i].n_ranks > most ? goals[i].n_ranks : most;
    unsigned char *passed = malloc(most);
    if (!passed)
        return ct_no_memory(err, "critical path");
    fill_parts(goals, names, paths, n, passed, tables);
    free(passed);
    ct_call_table_begin(tables, "path_calls", "Critical path, time in calls", false, share);
    for (size_t i = 0; i < n; i++)
        fill_calls_of(&goals[i], names[i], &paths[i], false, tables);
    if (!ct_call_rows_have_sites(goals, n))
        return CT_OK;
    ct_call_table_begin(tables, "path_sites",
                        "Critical path, time in calls by place in the program", true, share);
    for (size_t i = 0; i < n; i++)
        fill_calls_of(&goals[i], names[i], &paths[i], true, tables);
    return CT_OK;
}

/* ---- the picture ---- */

/* Points, as SVG counts them. */
enum {
    LEFT = 80,
    RIGHT = 20,
    WIDTH = 900, /* of the time axis */
    HEAD = 56,
    STRIP = 48, /* shares of the parts over time */
    GAP = 12,
    ROW_MAX = 20,
    ROWS_MAX = 300,
    BOTTOM = 52,
    LABEL = 11
};

/* What is in a point of the time axis. */
struct column {
    double part_ns[CT_TIME_PARTS];
    double narrow_ns[CT_TIME_PARTS]; /* of pieces that are narrower than it */
    uint32_t low, high;              /* ranks of these; none: low > high */
};

struct panel {
    const struct ct_run_path *path;
    uint32_t n_ranks;
    const char *name;
    double top, ns_per_point;
    struct column columns[WIDTH];
    FILE *out;
};

static double rows_height(uint32_t n_ranks)
{
    return fmin((double)ROW_MAX * n_ranks, ROWS_MAX);
}

static double panel_height(uint32_t n_ranks)
{
    return HEAD + STRIP + GAP + rows_height(n_ranks) + BOTTOM;
}

static double x_of(const struct panel *panel, double at_ns)
{
    return LEFT + (at_ns - panel->path->begin_ns) / panel->ns_per_point;
}

static double y_of(const struct panel *panel, uint32_t rank)
{
    return panel->top + HEAD + STRIP + GAP +
           (rank + 0.5) * rows_height(panel->n_ranks) / panel->n_ranks;
}

static void add_narrow(struct column *column, const struct ct_run_path_step *step)
{
    uint32_t low = step->from < step->to ? step->from : step->to;
    uint32_t high = step->from < step->to ? step->to : step->from;
    column->narrow_ns[step->part] += step->end_ns - step->begin_ns;
    column->low = low < column->low ? low : column->low;
    column->high = high > column->high ? high : column->high;
}

static void fill_columns(struct panel *panel)
{
    for (size_t i = 0; i < WIDTH; i++)
        panel->columns[i] = (struct column){.low = UINT32_MAX};
    for (size_t k = 0; k < panel->path->n; k++) {
        const struct ct_run_path_step *step = &panel->path->steps[k];
        double begin = x_of(panel, step->begin_ns) - LEFT, end = x_of(panel, step->end_ns) - LEFT;
        size_t first = (size_t)fmin(begin, WIDTH - 1);
        for (size_t i = first; i < WIDTH && (double)i < end; i++)
            panel->columns[i].part_ns[step->part] +=
                (fmin(end, (double)(i + 1)) - fmax(begin, (double)i)) * panel->ns_per_point;
        if (end - begin < 1)
            add_narrow(&panel->columns[first], step);
    }
}

/* Equal neighbours, which are most of the strip, become one rectangle. */
static bool is_plain(const struct column *column, int part)
{
    for (int other = 0; other < CT_TIME_PARTS; other++)
        if (other != part && column->part_ns[other] > 0)
            return false;
    return column->part_ns[part] > 0;
}

static void draw_strip(const struct panel *panel)
{
    for (size_t i = 0; i < WIDTH; i++) {
        const struct column *column = &panel->columns[i];
        double sum_ns = 0, y = panel->top + HEAD;
        for (int part = 0; part < CT_TIME_PARTS; part++)
            sum_ns += column->part_ns[part];
        size_t first = i;
        for (int part = 0; part < CT_TIME_PARTS; part++) {
            if (!(column->part_ns[part] > 0))
                continue;
            while (is_plain(column, part) && i + 1 < WIDTH &&
                   is_plain(&panel->columns[i + 1], part))
                i++;
            double height = STRIP * column->part_ns[part] / sum_ns;
            ct_svg_box(panel->out, (double)(LEFT + first), y, (double)(i + 1 - first), height,
                       ct_time_part_colours[part], "");
            y += height;
        }
    }
}

static void draw_column(const struct panel *panel, size_t i)
{
    const struct column *column = &panel->columns[i];
    const double least = 3;
    int most = 0;
    if (column->low > column->high)
        return;
    for (int part = 1; part < CT_TIME_PARTS; part++)
        if (column->narrow_ns[part] > column->narrow_ns[most])
            most = part;
    double y = y_of(panel, column->low), height = y_of(panel, column->high) - y;
    double more = fmax(least - height, 0);
    ct_svg_box(panel->out, (double)(LEFT + i), y - more / 2, 1, height + more,
               ct_time_part_colours[most], "");
}

static void draw_rows(const struct panel *panel)
{
    for (size_t i = 0; i < WIDTH; i++)
        draw_column(panel, i);
    for (size_t k = 0; k < panel->path->n; k++) {
        const struct ct_run_path_step *step = &panel->path->steps[k];
        double begin = x_of(panel, step->begin_ns), end = x_of(panel, step->end_ns);
        char stroke[64];
        snprintf(stroke, sizeof stroke, " stroke=\"%s\" stroke-width=\"4\"",
                 ct_time_part_colours[step->part]);
        if (end - begin >= 1)
            ct_svg_line(panel->out, begin, y_of(panel, step->from), end, y_of(panel, step->to),
                        stroke);
    }
    double row = rows_height(panel->n_ranks) / panel->n_ranks;
    uint32_t every = (uint32_t)ceil((LABEL + 1) / row);
    for (uint32_t rank = 0; rank < panel->n_ranks; rank += every)
        ct_svg_text(panel->out, LEFT - 6, y_of(panel, rank) + 4, " text-anchor=\"end\"", "rank %u",
                    rank);
}

/* The name, and what share of the path is of which colour. */
static void draw_head(const struct panel *panel)
{
    double sum_ns[CT_TIME_PARTS] = {0}, runtime_ns = panel->path->end_ns - panel->path->begin_ns;
    for (size_t k = 0; k < panel->path->n; k++)
        sum_ns[panel->path->steps[k].part] +=
            panel->path->steps[k].end_ns - panel->path->steps[k].begin_ns;
    ct_svg_text(panel->out, LEFT, panel->top + 20, " font-size=\"14\"", "Critical path of %s",
                panel->name);
    for (int part = 0; part < CT_TIME_PARTS; part++) {
        int x = LEFT + 170 * part;
        ct_svg_box(panel->out, x, panel->top + 32, 12, 12, ct_time_part_colours[part], "");
        ct_svg_text(panel->out, x + 17, panel->top + 42, "", "%s %.1f %%",
                    ct_time_part_titles[part],
                    runtime_ns > 0 ? 100 * sum_ns[part] / runtime_ns : 0);
    }
}

static void draw_panel(struct panel *panel)
{
    double span_ns = panel->path->end_ns - panel->path->begin_ns;
    double rows = panel->top + HEAD + STRIP + GAP;
    panel->ns_per_point = fmax(span_ns, 1) / WIDTH;
    fill_columns(panel);
    draw_head(panel);
    fputs("<g shape-rendering=\"crispEdges\">\n", panel->out);
    draw_strip(panel);
    fputs("</g>\n", panel->out);
    draw_rows(panel);
    ct_svg_time_axis(panel->out, LEFT, rows, WIDTH, rows_height(panel->n_ranks), 0,
                     fmax(span_ns, 1));
}

struct picture {
    const struct ct_goal *goals;
    const char *const *names;
    const struct ct_run_path *paths;
    size_t n;
};

static enum ct_status write_picture(FILE *out, const void *data, struct ct_error *err)
{
    const struct picture *picture = data;
    double height = 0;
    struct panel *panel = malloc(sizeof *panel);
    if (!panel)
        return ct_no_memory(err, "figure");
    for (size_t i = 0; i < picture->n; i++)
        height += panel_height(picture->goals[i].n_ranks);
    ct_svg_begin(out, LEFT + WIDTH + RIGHT, height, LABEL);
    ct_svg_title(out, "Critical path");
    double top = 0;
    for (size_t i = 0; i < picture->n; i++) {
        *panel = (struct panel){.path = &picture->paths[i],
                                .n_ranks = picture->goals[i].n_ranks,
                                .name = picture->names[i],
                                .top = top,
                                .out = out};
        draw_panel(panel);
        top += panel_height(panel->n_ranks);
    }
    fputs("</svg>\n", out);
    free(panel);
    return CT_OK;
}

enum ct_status ct_run_paths_draw(const struct ct_goal *goals, const char *const *names,
                                 const struct ct_run_path *paths, size_t n, const char *file,
                                 struct ct_error *err)
{
    const struct picture picture = {goals, names, paths, n};
    return ct_picture_make(file, write_picture, &picture, err);
}
