/** Figure of a validation: run time over added latency, with predicted tolerances as zones. */
#pragma once

#include "plot/plot.h"
#include "study/latency_validation.h"

/** Curves, points and zones of the figure. */
struct ct_validation_figure;

/**
 * @param found     [in]  borrowed while the figure is made
 * @param figure_p  [out] ct_validation_figure_free(); unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_validation_figure_make(const struct ct_validation *found,
                                         struct ct_validation_figure **figure_p,
                                         struct ct_error *err);

/** The figure's only panel; borrowed. */
const struct ct_plot_panel *ct_validation_figure_panel(const struct ct_validation_figure *figure);

void ct_validation_figure_free(struct ct_validation_figure *figure); /**< NULL is allowed */
