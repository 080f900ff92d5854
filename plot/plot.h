/**
 * Figures as SVG, drawn by gnuplot: panels below or beside each other, each with lines, steps,
 * points, bars or coloured cells, and shaded zones, in colours that people with any colour vision
 * can distinguish.
 *
 *     struct ct_plot_series series[] = {{"T(L)", CT_PLOT_LINE, x, y, n}};
 *     struct ct_plot_panel panel = {.x_label = "latency L (us)", .y_label = "run time T (ms)",
 *                                   .series = series, .n_series = 1};
 *     struct ct_plot plot = {.title = "stencil.goal", .panels = &panel, .n_panels = 1};
 *     ct_plot_write(&plot, "out.svg", &err);      a file, or
 *     ct_plot_draw(&plot, &svg, &err);            memory
 *
 * Texts are shown literally; bytes that are no UTF-8 become '?', and control characters blanks.
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum ct_plot_style {
    CT_PLOT_LINE,
    CT_PLOT_STEPS,  /**< y holds from its x to the next one */
    CT_PLOT_POINTS, /**< marks, with a different shape for each series */
    CT_PLOT_DASHED,
    CT_PLOT_DOTS,      /**< small marks, for many points */
    CT_PLOT_INTERVALS, /**< marks with a bar from lo to hi: of y, or of x in a panel with rows */
    CT_PLOT_BOXES,     /**< boxes from lo to hi; in a panel with rows only */
    CT_PLOT_STYLES
};

/** Points of one curve; NaN leaves a gap. Borrowed. */
struct ct_plot_series {
    const char *title; /**< in the key; NULL: not there */
    enum ct_plot_style style;
    const double *x, *y; /**< n each; in a panel with rows y is the row, 0 at the top */
    size_t n;
    const double *lo, *hi; /**< n each, for CT_PLOT_INTERVALS and CT_PLOT_BOXES */
    const char *colour;    /**< "#0072B2"; NULL: ct_plot_colour() of its index */
};

/** A shaded range of x over the height of the panel. */
struct ct_plot_zone {
    const char *title; /**< in the key; NULL: not there */
    double lo, hi;
};

/** A table of numbers as coloured cells with the numbers in them. Borrowed. */
struct ct_plot_cells {
    const double *values; /**< [row * n_columns + column]; NaN: grey, with a dash */
    size_t n_columns;
    const char *const *columns; /**< names; those of rows are the panel's */
    double lo, hi; /**< values at the ends of the colours; those beyond look like the ends */
    int decimals;  /**< of the numbers; below 0: cells without numbers */
};

struct ct_plot_panel {
    const char *x_label, *y_label; /**< with the unit */
    const struct ct_plot_series *series;
    size_t n_series;
    const struct ct_plot_zone *zones;
    size_t n_zones;
    double x_lo, x_hi; /**< range of x; both 0: that of the data */
    double y_lo, y_hi; /**< range of y; both 0: that of the data */
    bool x_log, y_log;
    const char *const *rows; /**< names instead of a y axis, from the top; NULL: there is an axis */
    size_t n_rows;
    const struct ct_plot_cells *cells; /**< instead of series; NULL: none */
    bool key_below;                    /**< the key is below the panel, not inside */
    bool is_blank;                     /**< nothing is here; only beside other panels */
};

struct ct_plot {
    const char *title; /**< NULL: none */
    const struct ct_plot_panel *panels;
    size_t n_panels;
    size_t n_columns; /**< panels beside each other, row by row, whose labels and numbers of axes
                         are those at the edges; 0: 1 */
    double width,
        panel_height; /**< px, in which the font is as large as on the page; 0: 800, 300 */
    double font_px;   /**< 0: 13 */
};

/**
 * Draw, and replace the file only when that worked.
 * @param path  [in] of the SVG file
 * @return CT_OK; CT_EINVAL (no panel, or one that shows nothing); CT_EUNSUPPORTED (gnuplot is not
 *         installed); CT_ECHILD with gnuplot's message; CT_ETIMEOUT; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_plot_write(const struct ct_plot *plot, const char *path, struct ct_error *err);

/** Draw into memory. @param svg_p [out] owned (malloc); unchanged on error. @return as above */
enum ct_status ct_plot_draw(const struct ct_plot *plot, char **svg_p, struct ct_error *err);

/** The script that gnuplot is given, for tests. @return CT_OK; CT_EINVAL; CT_EIO */
enum ct_status ct_plot_script(const struct ct_plot *plot, int fd, struct ct_error *err);

/** Colours of Okabe and Ito, "#0072B2" and so on, again from the first after the last. */
const char *ct_plot_colour(size_t i);

/** Colour of a share 0..1, light to dark, from little to much, as "#rrggbb". */
void ct_plot_scale_colour(double share, char colour[8]);

/** Whether black is more legible than white on "#rrggbb". */
bool ct_plot_is_light(const char *colour);
