/* The gnuplot script of a figure. Text goes in single quotes, where nothing is expanded. */
#include "plot/plot.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

enum { WIDTH = 800, PANEL_HEIGHT = 300, TITLE_HEIGHT = 40, ZONE_COLOURS = 3 };

/* Okabe and Ito's colours. */
static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                      "#E69F00", "#56B4E9", "#000000"};
static const char *const zone_colours[ZONE_COLOURS] = {"#009E73", "#56B4E9", "#E69F00"};

static const char *const style_words[CT_PLOT_STYLES] = {
    [CT_PLOT_LINE] = "lines lw 2",
    [CT_PLOT_STEPS] = "steps lw 2",
    [CT_PLOT_POINTS] = "points pt 7 ps 0.6",
    [CT_PLOT_DASHED] = "lines lw 2 dt 2",
};

static void print_text(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text; text++)
        if (*text == '\'')
            fputs("''", out);
        else
            fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
    fputc('\'', out);
}

static void print_range(FILE *out, const char *axis, double lo, double hi)
{
    if (lo == 0 && hi == 0)
        fprintf(out, "set %srange [*:*]\n", axis);
    else
        fprintf(out, "set %srange [%.12g:%.12g]\n", axis, lo, hi);
}

static void print_data(FILE *out, const struct ct_plot_panel *panel)
{
    for (size_t s = 0; s < panel->n_series; s++) {
        fprintf(out, "$series%zu << END_OF_SERIES\n", s);
        for (size_t i = 0; i < panel->series[s].n; i++)
            if (isnan(panel->series[s].x[i]) || isnan(panel->series[s].y[i]))
                fprintf(out, "\n");
            else
                fprintf(out, "%.12g %.12g\n", panel->series[s].x[i], panel->series[s].y[i]);
        fprintf(out, "END_OF_SERIES\n");
    }
}

static void print_zones(FILE *out, const struct ct_plot_panel *panel)
{
    fprintf(out, "unset object\n");
    for (size_t z = 0; z < panel->n_zones; z++)
        fprintf(out,
                "set object %zu rectangle from %.12g, graph 0 to %.12g, graph 1 fillcolor rgb '%s' "
                "fillstyle solid 0.25 noborder behind\n",
                z + 1, panel->zones[z].lo, panel->zones[z].hi, zone_colours[z % ZONE_COLOURS]);
}

static void print_curves(FILE *out, const struct ct_plot_panel *panel)
{
    fprintf(out, "plot ");
    for (size_t s = 0; s < panel->n_series; s++) {
        const struct ct_plot_series *series = &panel->series[s];
        fprintf(out, "%s$series%zu using 1:2 with %s lc rgb '%s' ", s > 0 ? ", " : "", s,
                style_words[series->style], colours[s % (sizeof colours / sizeof *colours)]);
        if (series->title) {
            fprintf(out, "title ");
            print_text(out, series->title);
        } else
            fprintf(out, "notitle");
    }
    for (size_t z = 0; z < panel->n_zones; z++) {
        fprintf(out, ", keyentry with boxes fillstyle solid 0.25 noborder lc rgb '%s' title ",
                zone_colours[z % ZONE_COLOURS]);
        print_text(out, panel->zones[z].title);
    }
    fprintf(out, "\n");
}

static void print_panel(FILE *out, const struct ct_plot_panel *panel)
{
    print_data(out, panel);
    fprintf(out, "set xlabel ");
    print_text(out, panel->x_label);
    fprintf(out, "\nset ylabel ");
    print_text(out, panel->y_label);
    fprintf(out, "\n");
    print_range(out, "x", panel->x_lo, panel->x_hi);
    print_range(out, "y", panel->y_lo, panel->y_hi);
    print_zones(out, panel);
    print_curves(out, panel);
}

static enum ct_status check(const struct ct_plot *plot, struct ct_error *err)
{
    if (plot->n_panels == 0)
        return ct_fail(err, CT_EINVAL, "figure: no panels");
    for (size_t p = 0; p < plot->n_panels; p++)
        if (plot->panels[p].n_series == 0)
            return ct_fail(err, CT_EINVAL, "figure: panel %zu shows nothing", p + 1);
    return CT_OK;
}

enum ct_status ct_plot_script(const struct ct_plot *plot, int fd, struct ct_error *err)
{
    enum ct_status status = check(plot, err);
    if (status != CT_OK)
        return status;
    int own = dup(fd);
    FILE *out = own >= 0 ? fdopen(own, "w") : NULL;
    if (!out) {
        if (own >= 0)
            close(own);
        return ct_fail(err, CT_EIO, "figure: its script cannot be written");
    }
    fprintf(
        out,
        "set terminal svg size %d,%zu dynamic noenhanced font 'sans-serif,13' "
        "background '#ffffff'\n"
        "set encoding utf8\nset grid lc rgb '#cccccc'\nset lmargin 12\nset rmargin 3\n"
        "set key inside left top vertical Left reverse opaque fillcolor rgb '#ffffff' box lc rgb "
        "'#cccccc'\nset offsets graph 0, graph 0, graph 0.05, graph 0.05\n"
        "set multiplot layout %zu,1 title ",
        WIDTH, TITLE_HEIGHT + PANEL_HEIGHT * plot->n_panels, plot->n_panels);
    print_text(out, plot->title);
    fprintf(out, "\n");
    for (size_t p = 0; p < plot->n_panels; p++)
        print_panel(out, &plot->panels[p]);
    fprintf(out, "unset multiplot\n");
    bool failed = ferror(out);
    if (fclose(out) != 0 || failed)
        return ct_fail(err, CT_EIO, "figure: its script cannot be written");
    return CT_OK;
}
