/* The gnuplot script of a figure. Text goes in single quotes, where nothing is expanded. */
#include "core/text.h"
#include "plot/plot.h"

#include <math.h>
#include <stdint.h>
#include <unistd.h>

enum { LABEL_MAX = 26, TITLE_MAX = 80, ZONE_COLOURS = 3, DASHES = 5 };

static const char *const zone_colours[ZONE_COLOURS] = {"#009E73", "#56B4E9", "#E69F00"};
static const int shapes[] = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10};

/* Settings of gnuplot for a style; %d is the shape of the marks, or the dashes. */
static const struct {
    const char *words;
    bool is_marked, has_interval;
} styles[CT_PLOT_STYLES] = {
    [CT_PLOT_LINE] = {"lines lw 2"},
    [CT_PLOT_STEPS] = {"steps lw 2"},
    [CT_PLOT_POINTS] = {"points ps 0.7", .is_marked = true},
    [CT_PLOT_DASHED] = {"lines lw 2 dt 2"},
    [CT_PLOT_DOTS] = {"points pt 7 ps 0.25"},
    [CT_PLOT_INTERVALS] = {"errorbars ps 0.7 lw 1.5", .is_marked = true, .has_interval = true},
    [CT_PLOT_BOXES] = {"boxxyerror fillstyle solid 0.45 border lc rgb '#444444'",
                       .has_interval = true},
};

/* ---- text ---- */

static size_t shown_length(const char *text)
{
    size_t length = 0;
    for (; *text; length++) {
        size_t n = ct_text_utf8(text);
        text += n > 0 ? n : 1;
    }
    return length;
}

/* Up to max characters; a longer text ends with three dots. Names of tics are formats to gnuplot.
 */
static void print_cut_text(FILE *out, const char *text, size_t max, bool is_tic)
{
    bool cut = shown_length(text) > max;
    fputc('\'', out);
    for (size_t i = 0; *text && i < (cut ? max - 1 : max); i++) {
        size_t n = ct_text_utf8(text);
        if (n == 0)
            fputc('?', out);
        else if ((unsigned char)*text < ' ' || *text == 0x7f)
            fputc(' ', out);
        else if (*text == '\'' || (*text == '%' && is_tic))
            fprintf(out, "%c%c", *text, *text);
        else
            fwrite(text, 1, n, out);
        text += n > 0 ? n : 1;
    }
    fputs(cut ? "…'" : "'", out);
}

static void print_text(FILE *out, const char *text)
{
    print_cut_text(out, text, SIZE_MAX, false);
}

static void print_setting(FILE *out, const char *setting, const char *text)
{
    if (!text) {
        fprintf(out, "unset %s\n", setting);
        return;
    }
    fprintf(out, "set %s ", setting);
    print_text(out, text);
    fputc('\n', out);
}

/* ---- axes ---- */

/* The least of 1, 2, 5 times a power of ten that is not below a value > 0; 1 for others. */
static double round_up_step(double value)
{
    static const double steps[] = {1, 2, 5, 10};
    if (!(value > 0) || isinf(value))
        return 1;
    double power = pow(10, floor(log10(value)));
    size_t i = 0;
    while (i + 1 < sizeof steps / sizeof *steps && steps[i] * power < value * (1 - 1e-12))
        i++;
    return steps[i] * power;
}

struct range {
    double lo, hi;
};

static void widen_range(struct range *range, double value, bool is_log)
{
    if (!isfinite(value) || (is_log && value <= 0))
        return;
    range->lo = isnan(range->lo) ? value : fmin(range->lo, value);
    range->hi = isnan(range->hi) ? value : fmax(range->hi, value);
}

/* What an axis has to show: of x, or of y. The intervals of series belong to one of them. */
static struct range data_range(const struct ct_plot_panel *panel, bool is_x, bool is_log)
{
    struct range range = {NAN, NAN};
    for (size_t s = 0; s < panel->n_series; s++) {
        const struct ct_plot_series *series = &panel->series[s];
        bool has_ends = styles[series->style].has_interval && is_x == (panel->rows != NULL);
        for (size_t i = 0; i < series->n; i++) {
            widen_range(&range, is_x ? series->x[i] : series->y[i], is_log);
            widen_range(&range, has_ends && series->lo ? series->lo[i] : NAN, is_log);
            widen_range(&range, has_ends && series->hi ? series->hi[i] : NAN, is_log);
        }
    }
    return isnan(range.lo) ? (struct range){1, 10} : range;
}

static void print_range(FILE *out, const char *axis, struct range range)
{
    fprintf(out, "set %srange [%.12g:%.12g]\n", axis, range.lo, range.hi);
}

/* Steps of 1, 2 or 5 times a power of ten; a range that comes from data ends at such steps. */
static void print_linear_axis(FILE *out, const char *axis, struct range range, bool is_given,
                              double most_tics)
{
    double length = range.hi - range.lo;
    double step = round_up_step(length > 0 ? length / most_tics : fabs(range.lo) / most_tics);
    if (!is_given) {
        range.lo = floor((range.lo - 0.02 * length) / step + 1e-9) * step;
        range.hi = ceil((range.hi + 0.02 * length) / step - 1e-9) * step;
    }
    if (!(range.hi > range.lo))
        range = (struct range){range.lo - step, range.hi + step};
    fprintf(out, "unset logscale %s\nset %stics scale default norotate %.12g\n", axis, axis, step);
    print_range(out, axis, range);
}

static void print_log_axis(FILE *out, const char *axis, struct range range, bool is_given)
{
    static const double digits[] = {1, 2, 5};
    if (!is_given)
        range = (struct range){range.lo / 1.3, range.hi * 1.3};
    size_t n_digits = range.hi / range.lo < 200 ? sizeof digits / sizeof *digits : 1;
    fprintf(out, "set logscale %s\nset %stics scale default norotate (", axis, axis);
    const char *comma = "";
    for (int power = (int)floor(log10(range.lo)); power <= log10(range.hi); power++)
        for (size_t i = 0; i < n_digits; i++) {
            double tic = digits[i] * pow(10, power);
            if (tic < range.lo || tic > range.hi)
                continue;
            fprintf(out, "%s'%.12g' %.12g", comma, tic, tic);
            comma = ", ";
        }
    fputs(")\n", out);
    print_range(out, axis, range);
}

static void print_axis(FILE *out, const struct ct_plot_panel *panel, bool is_x, bool is_grid)
{
    const double most_tics = is_grid ? 3 : is_x ? 6 : 5;
    const char *label = is_x ? panel->x_label : panel->y_label;
    const char *axis = is_x ? "x" : "y";
    bool is_log = is_x ? panel->x_log : panel->y_log;
    struct range range = {is_x ? panel->x_lo : panel->y_lo, is_x ? panel->x_hi : panel->y_hi};
    bool is_given = range.lo != 0 || range.hi != 0;
    if (!is_given)
        range = data_range(panel, is_x, is_log);
    if (is_log && range.lo > 0)
        print_log_axis(out, axis, range, is_given);
    else
        print_linear_axis(out, axis, range, is_given, most_tics);
    fprintf(out, "set format %s '%s'\n", axis, is_grid && !label ? "" : "%g");
}

static size_t find_longest(const char *const *names, size_t n)
{
    size_t length = 0;
    for (size_t i = 0; i < n; i++)
        if (shown_length(names[i]) > length)
            length = shown_length(names[i]);
    return length < LABEL_MAX ? length : LABEL_MAX;
}

static void print_names(FILE *out, const char *axis, const char *const *names, size_t n,
                        const char *how)
{
    fprintf(out, "set %stics scale 0 %s (", axis, how);
    for (size_t i = 0; i < n; i++) {
        fputs(i ? ", " : "", out);
        print_cut_text(out, names[i], LABEL_MAX, true);
        fprintf(out, " %zu", i);
    }
    fputs(")\n", out);
}

static void print_rows(FILE *out, const struct ct_plot_panel *panel)
{
    size_t length = find_longest(panel->rows, panel->n_rows);
    print_names(out, "y", panel->rows, panel->n_rows, "norotate");
    /* gnuplot puts the label before names of this many wide characters, or leaves it out. */
    fprintf(out, "set yrange [%g:-0.5]\nset lmargin %zu\n", (double)panel->n_rows - 0.5,
            panel->y_label ? length + 5 : length - length / 6 + 2);
}

/* Panels beside each other share axes: numbers are where the label is. */
static void print_axes(FILE *out, const struct ct_plot_panel *panel, bool is_grid)
{
    print_setting(out, "xlabel", panel->x_label);
    print_setting(out, "ylabel", panel->y_label);
    if (!is_grid)
        fputs("set lmargin 10\n", out);
    print_axis(out, panel, true, is_grid);
    print_axis(out, panel, false, is_grid);
    if (panel->rows)
        print_rows(out, panel);
}

/* ---- cells ---- */

static void print_cell(FILE *out, const struct ct_plot_cells *cells, size_t row, size_t column)
{
    double value = cells->values[row * cells->n_columns + column];
    int decimals = cells->decimals > 0 ? cells->decimals : 0;
    char colour[8] = "#dddddd", text[32] = "–";
    if (!isnan(value))
        ct_plot_scale_colour((value - cells->lo) / (cells->hi - cells->lo), colour);
    if (!isnan(value)) /* + 0: no "-0" */
        snprintf(text, sizeof text, "%.*f", decimals,
                 round(value * pow(10, decimals)) / pow(10, decimals) + 0.0);
    fprintf(out,
            "set object rectangle center %zu, %zu size 1, 1 fillcolor rgb '%s' fillstyle solid 1 "
            "border lc rgb '#ffffff'\n",
            column, row, colour);
    if (cells->decimals >= 0)
        fprintf(out, "set label '%s' at %zu, %zu center front textcolor rgb '%s'\n", text, column,
                row, ct_plot_is_light(colour) ? "#000000" : "#ffffff");
}

static void print_cells(FILE *out, const struct ct_plot_panel *panel, double width, double font_px)
{
    const struct ct_plot_cells *cells = panel->cells;
    size_t name = find_longest(cells->columns, cells->n_columns);
    size_t margin = find_longest(panel->rows, panel->n_rows) + 6;
    double room = (width / (0.6 * font_px) - (double)margin) / (double)cells->n_columns;
    print_names(out, "x", cells->columns, cells->n_columns,
                (double)name + 1 > room ? "rotate by 40 right" : "norotate");
    fprintf(out, "set xrange [-0.5:%g]\nunset grid\n", (double)cells->n_columns - 0.5);
    for (size_t row = 0; row < panel->n_rows; row++)
        for (size_t column = 0; column < cells->n_columns; column++)
            print_cell(out, cells, row, column);
    fputs("plot NaN notitle\nset grid\n", out);
}

/* ---- series ---- */

static double value_at(const double *values, size_t i)
{
    return values ? values[i] : 0;
}

static void print_data(FILE *out, const struct ct_plot_panel *panel)
{
    for (size_t s = 0; s < panel->n_series; s++) {
        const struct ct_plot_series *series = &panel->series[s];
        bool has_interval = styles[series->style].has_interval;
        fprintf(out, "$series%zu << END_OF_SERIES\n", s);
        for (size_t i = 0; i < series->n; i++) {
            double lo = has_interval ? value_at(series->lo, i) : 0;
            double hi = has_interval ? value_at(series->hi, i) : 0;
            if (isnan(series->x[i] + series->y[i]))
                fputc('\n', out);
            else if (has_interval)
                /* No interval: no longer than the mark. */
                fprintf(out, "%.12g %.12g %.12g %.12g\n", series->x[i], series->y[i],
                        isnan(lo) ? (panel->rows ? series->x[i] : series->y[i]) : lo,
                        isnan(hi) ? (panel->rows ? series->x[i] : series->y[i]) : hi);
            else
                fprintf(out, "%.12g %.12g\n", series->x[i], series->y[i]);
        }
        fputs("END_OF_SERIES\n", out);
    }
}

static void print_zones(FILE *out, const struct ct_plot_panel *panel)
{
    for (size_t z = 0; z < panel->n_zones; z++)
        fprintf(out,
                "set object rectangle from %.12g, graph 0 to %.12g, graph 1 fillcolor rgb '%s' "
                "fillstyle solid 0.25 noborder behind\n",
                panel->zones[z].lo, panel->zones[z].hi,
                zone_colours[panel->zones[z].title ? z % ZONE_COLOURS : ZONE_COLOURS - 1]);
}

static void print_title(FILE *out, const char *title)
{
    fputs(title ? " title " : " notitle", out);
    if (title)
        print_cut_text(out, title, TITLE_MAX, false);
}

static const char *columns_of(enum ct_plot_style style)
{
    if (style == CT_PLOT_BOXES)
        return "1:2:3:4:($2-0.3):($2+0.3)";
    return styles[style].has_interval ? "1:2:3:4" : "1:2";
}

static void print_curves(FILE *out, const struct ct_plot_panel *panel)
{
    fputs("plot ", out);
    for (size_t s = 0; s < panel->n_series; s++) {
        const struct ct_plot_series *series = &panel->series[s];
        const char *axis = panel->rows ? "x" : "y";
        fprintf(out, "%s$series%zu using %s with %s%s %s rgb '%s'", s > 0 ? ", " : "", s,
                columns_of(series->style), series->style == CT_PLOT_INTERVALS ? axis : "",
                styles[series->style].words, series->style == CT_PLOT_BOXES ? "fc" : "lc",
                series->colour ? series->colour : ct_plot_colour(s));
        if (styles[series->style].is_marked)
            fprintf(out, " pt %d", shapes[s % (sizeof shapes / sizeof *shapes)]);
        if (series->style == CT_PLOT_LINE && s > 0)
            fprintf(out, " dt %zu", s % DASHES + 1);
        print_title(out, series->title);
    }
    for (size_t z = 0; z < panel->n_zones; z++) {
        if (!panel->zones[z].title)
            continue;
        fprintf(out, ", keyentry with boxes fillstyle solid 0.25 noborder lc rgb '%s'",
                zone_colours[z % ZONE_COLOURS]);
        print_title(out, panel->zones[z].title);
    }
    fputc('\n', out);
}

/* ---- the whole ---- */

/* An empty key would still have its frame. */
static void print_key(FILE *out, const struct ct_plot_panel *panel)
{
    bool is_needed = false;
    for (size_t s = 0; s < panel->n_series; s++)
        is_needed |= panel->series[s].title != NULL;
    for (size_t z = 0; z < panel->n_zones; z++)
        is_needed |= panel->zones[z].title != NULL;
    if (!is_needed || panel->cells)
        fputs("unset key\n", out);
    else if (panel->key_below)
        fputs("set key outside bottom center horizontal Left reverse nobox samplen 2 width -2 "
              "height 1\n",
              out);
    else
        fputs("set key inside left top vertical Left reverse opaque fillcolor rgb '#ffffff' box lc "
              "rgb '#cccccc' samplen 4 width 0 height 0\n",
              out);
}

struct layout {
    double width, height, font_px;
    size_t n_rows, n_columns;
};

static void print_panel(FILE *out, const struct ct_plot_panel *panel, const struct layout *layout)
{
    if (panel->is_blank) {
        fputs("set multiplot next\n", out);
        return;
    }
    fputs("unset object\nunset label\n", out);
    print_key(out, panel);
    print_axes(out, panel, layout->n_columns > 1);
    if (panel->cells) {
        print_cells(out, panel, layout->width, layout->font_px);
        return;
    }
    print_data(out, panel);
    print_zones(out, panel);
    print_curves(out, panel);
}

/* Margins of panels beside each other are those of the whole figure, with room for labels. */
static void print_layout(FILE *out, const struct layout *layout, const char *title)
{
    const double left = 75, right = 15, bottom = 55, top = title ? 45 : 12, gap = 24; /* px */
    fprintf(out, "set multiplot layout %zu,%zu", layout->n_rows, layout->n_columns);
    if (layout->n_columns > 1)
        fprintf(out, " margins screen %g,%g,%g,%g spacing screen %g,%g", left / layout->width,
                1 - right / layout->width, bottom / layout->height, 1 - top / layout->height,
                gap / layout->width, gap / layout->height);
    if (title)
        print_title(out, title);
    fputc('\n', out);
}

static void print_plot(FILE *out, const struct ct_plot *plot)
{
    const double title_px = 40;
    double panel_height = plot->panel_height > 0 ? plot->panel_height : 300;
    struct layout layout = {.width = plot->width > 0 ? plot->width : 800,
                            .font_px = plot->font_px > 0 ? plot->font_px : 13,
                            .n_columns = plot->n_columns > 0 ? plot->n_columns : 1};
    layout.n_rows = (plot->n_panels + layout.n_columns - 1) / layout.n_columns;
    layout.height = panel_height * (double)layout.n_rows + (plot->title ? title_px : 0);
    fprintf(out,
            "set terminal svg size %.0f,%.0f dynamic noenhanced font 'sans-serif,%g' "
            "background '#ffffff'\nset encoding utf8\nset grid lc rgb '#dddddd'\nset border lc rgb "
            "'#666666'\nset rmargin 3\n",
            layout.width, layout.height, layout.font_px);
    print_setting(out, "title", plot->n_panels == 1 ? plot->title : NULL);
    if (plot->n_panels > 1)
        print_layout(out, &layout, plot->title);
    for (size_t p = 0; p < plot->n_panels; p++)
        print_panel(out, &plot->panels[p], &layout);
    if (plot->n_panels > 1)
        fputs("unset multiplot\n", out);
}

static enum ct_status check_plot(const struct ct_plot *plot, struct ct_error *err)
{
    if (plot->n_panels == 0)
        return ct_fail(err, CT_EINVAL, "figure: no panels");
    for (size_t p = 0; p < plot->n_panels; p++) {
        const struct ct_plot_panel *panel = &plot->panels[p];
        const struct ct_plot_cells *cells = panel->cells;
        if (panel->is_blank && plot->n_columns > 1)
            continue;
        if (panel->is_blank ||
            (cells ? cells->n_columns == 0 || panel->n_rows == 0 : panel->n_series == 0))
            return ct_fail(err, CT_EINVAL, "figure: panel %zu shows nothing", p + 1);
        if (cells && !(cells->lo < cells->hi))
            return ct_fail(err, CT_EINVAL, "figure: colours from %g to %g", cells->lo, cells->hi);
    }
    return CT_OK;
}

enum ct_status ct_plot_script(const struct ct_plot *plot, int fd, struct ct_error *err)
{
    CT_TRY(check_plot(plot, err));
    int own = dup(fd);
    FILE *out = own >= 0 ? fdopen(own, "w") : NULL;
    if (!out) {
        if (own >= 0)
            close(own);
        return ct_fail(err, CT_EIO, "figure: its script cannot be written");
    }
    print_plot(out, plot);
    bool failed = ferror(out);
    if (fclose(out) != 0 || failed)
        return ct_fail(err, CT_EIO, "figure: its script cannot be written");
    return CT_OK;
}
