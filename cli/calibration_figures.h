/** Pictures of a posterior: [D], Fig. 5, 6 and 7. */
#pragma once

#include "calibrate/runs/posterior_view.h"

/** In the order in which they are shown: those of quantities have the numbers of these. */
enum ct_calibration_figure {
    CT_FIGURE_OF_QUANTITIES, /**< predictions with the data, before and after */
    CT_FIGURE_SENSITIVITIES = CT_BENCHMARK_QUANTITIES, /**< of every output */
    CT_FIGURE_PARAMETERS,                              /**< densities, and pairs */
    CT_CALIBRATION_FIGURES
};

/** Name of its file, without ".svg". */
const char *ct_calibration_figure_name(int figure);

/** Whether there is something to draw. */
bool ct_calibration_figure_is_there(const struct ct_posterior_view *view, int figure);

/**
 * @param svg_p  [out] free(); unchanged on error
 * @return what the functions of plot/uncertainty.h return; CT_ENOMEM
 */
enum ct_status ct_calibration_figure_draw(const struct ct_posterior_view *view, int figure,
                                          char **svg_p, struct ct_error *err);
