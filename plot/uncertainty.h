/**
 * Figures of a calibration: what outputs depend on, what is predicted of them before and after, and
 * what is known of the parameters. Plain arrays, all borrowed; NULL titles are left out.
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

/** Total sensitivity indices, a stacked bar for each output. */
struct ct_sensitivities {
    const char *title;
    const char *const *outputs; /**< [n_outputs] names, from the top */
    size_t n_outputs;
    const char *const *parameters; /**< [n_parameters] names; of more than 8 the least important
                                      ones are added up */
    size_t n_parameters;
    const double *total; /**< [output * n_parameters + parameter]; NaN counts as 0 */
};

/** Draw into memory; the picture and what is returned are those of ct_plot_draw() (plot.h). */
enum ct_status ct_sensitivities_draw(const struct ct_sensitivities *sensitivities, char **svg_p,
                                     struct ct_error *err);

/** Values and intervals of outputs. */
struct ct_predicted {
    const double *value, *lo, *hi; /**< [n] */
};

/** Outputs by size (or another number): predicted with the prior, with the posterior, and measured.
 */
struct ct_predictions {
    const char *title, *x_label, *y_label; /**< labels with the unit */
    bool x_log, y_log;
    double level;    /**< of the intervals, for the key: 0.95 */
    const double *x; /**< [n] */
    size_t n;
    struct ct_predicted prior, posterior;  /**< posterior: by the uncertainty of parameters alone */
    struct ct_predicted run;               /**< of one further run; lo NULL: not drawn */
    const double *measured_x, *measured_y; /**< [n_measured] all repetitions */
    size_t n_measured;
};

/** Two panels: prior, and posterior, both with the measurements. @return as above */
enum ct_status ct_predictions_draw(const struct ct_predictions *predictions, char **svg_p,
                                   struct ct_error *err);

enum { CT_PAIRS_BINS = 30, CT_PAIRS_MAX = 12 };

/** Draws of a posterior. */
struct ct_pairs {
    const char *title;
    const char *const *names; /**< [n] of parameters, with units */
    size_t n;                 /**< 1 .. CT_PAIRS_MAX */
    const double *draws;      /**< [draw * n + parameter] */
    size_t n_draws;           /**< some hundreds of them are shown in each pair, evenly spaced */
    const double *lo, *hi;    /**< [n] range that is shown, usually that of the prior; lo < hi */
    const double *prior; /**< [parameter * CT_PAIRS_BINS + bin] density of the prior in the middle
                            of each of so many equal parts of the range; NULL: not drawn */
    const double *most_likely; /**< [n]; NULL: not drawn */
};

/** Density of each parameter on the diagonal, pairs below it. @return as above; CT_EINVAL (n, a
 * range) */
enum ct_status ct_pairs_draw(const struct ct_pairs *pairs, char **svg_p, struct ct_error *err);
