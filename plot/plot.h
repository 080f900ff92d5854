/**
 * Figures as SVG, drawn by gnuplot: panels below each other, each with lines, steps or points and
 * shaded zones, in colours that people with any colour vision tell apart.
 *
 *     struct ct_plot_series series[] = {{"T(L)", CT_PLOT_LINE, x, y, n}};
 *     struct ct_plot_panel panel = {.x_label = "latency L (us)", .y_label = "run time T (ms)",
 *                                   .series = series, .n_series = 1};
 *     ct_plot_write(&(struct ct_plot){"stencil.goal", &panel, 1}, "out.svg", &err);
 */
#ifndef CT_PLOT_PLOT_H
#define CT_PLOT_PLOT_H

#include "core/status.h"

#include <stddef.h>

enum ct_plot_style {
    CT_PLOT_LINE,
    CT_PLOT_STEPS,  /**< y holds from its x to the next one */
    CT_PLOT_POINTS, /**< marks */
    CT_PLOT_DASHED,
    CT_PLOT_STYLES
};

/** Points of one curve; NaN leaves a gap. Borrowed. */
struct ct_plot_series {
    const char *title; /**< in the key; NULL: not there */
    enum ct_plot_style style;
    const double *x, *y; /**< n each */
    size_t n;
};

/** A shaded range of x over the height of the panel. */
struct ct_plot_zone {
    const char *title;
    double lo, hi;
};

struct ct_plot_panel {
    const char *x_label, *y_label; /**< with the unit */
    const struct ct_plot_series *series;
    size_t n_series;
    const struct ct_plot_zone *zones;
    size_t n_zones;
    double x_lo, x_hi; /**< range of x; both 0: that of the data */
    double y_lo, y_hi; /**< range of y; both 0: that of the data */
};

struct ct_plot {
    const char *title;
    const struct ct_plot_panel *panels;
    size_t n_panels;
};

/**
 * Draw, and replace the file only when that worked.
 * @param path  [in] of the SVG file
 * @return CT_OK; CT_EINVAL (no panel, or one without series); CT_EUNSUPPORTED (gnuplot is not
 *         installed); CT_ECHILD with gnuplot's message; CT_ETIMEOUT; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_plot_write(const struct ct_plot *plot, const char *path, struct ct_error *err);

/** The script that gnuplot is given, for tests. @return CT_OK; CT_EINVAL; CT_EIO */
enum ct_status ct_plot_script(const struct ct_plot *plot, int fd, struct ct_error *err);

#endif
