/** Figure of a validation: run time over added latency, with predicted tolerances as zones. */
#pragma once

#include "study/latency_validation.h"

/** Draw the figure. @return as ct_plot_write() */
enum ct_status ct_validation_draw(const struct ct_validation *found, const char *title,
                                  const char *path, struct ct_error *err);
