/** Stacked bars: what the wholes consist of, one bar a row. */
#pragma once

#include "core/status.h"

#include <stddef.h>

enum { CT_STACKED_PARTS_MAX = 8 };

/** What is drawn. Borrowed. */
struct ct_stacked {
    const char *title;       /**< NULL: none */
    const char *x_label;     /**< with the unit */
    const char *const *rows; /**< [n_rows] names, from the top */
    size_t n_rows;
    const char *const *parts;   /**< [n_parts] names, for the key */
    const char *const *colours; /**< [n_parts] "#0072B2" */
    size_t n_parts;             /**< 1 .. CT_STACKED_PARTS_MAX */
    const double *values;       /**< [row * n_parts + part], >= 0 */
    double width_px;            /**< 0: 800 */
};

/** Draw to a file, or into memory. @return as ct_plot_write() and ct_plot_draw() */
enum ct_status ct_stacked_write(const struct ct_stacked *bars, const char *path,
                                struct ct_error *err);
enum ct_status ct_stacked_draw(const struct ct_stacked *bars, char **svg_p, struct ct_error *err);
