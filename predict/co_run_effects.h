/**
 * How much more sensitive an application is than a model says, and how much more it disturbs
 * others: effects of rows and columns on what measured co-runs leave over,
 *
 *     y_AB = m + r_A + c_B,   y = log(o + measured) - log(o + predicted)
 *
 * by least squares, with r and c shrunk to 0: lambda (m^2 + sum r^2 + sum c^2) is added to the
 * squares. How far is the campaign's own: for each lambda of a few every co-run is predicted from
 * the others, without its reverse, and a lambda counts in proportion to the likelihood of these
 * errors, (sum of squares)^(-n/2). One of them is infinite, so that co-runs that have no such
 * effects change nothing.
 */
#pragma once

#include "core/status.h"

#include <stddef.h>

struct ct_co_run_effects;

/**
 * @param left_over  [in]  [app * n_apps + with] y; NaN: not measured, or not predicted; copied
 * @param effects_p  [out] ct_co_run_effects_free(); unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_co_run_effects_new(const double *left_over, size_t n_apps,
                                     struct ct_co_run_effects **effects_p);
void ct_co_run_effects_free(struct ct_co_run_effects *effects);

/**
 * m + r_A + c_B without the co-run in question, its reverse, and those of some applications: these
 * do not count for the lambdas either. With more than co_runs_exact co-runs the other applications'
 * effects, and how the lambdas count, stay those of all co-runs.
 * @param left_out  [in]  n_left_out different applications
 * @param value_p   [out] 0 where no co-run is left; unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_co_run_effects_at(const struct ct_co_run_effects *effects, size_t app,
                                    size_t with, const size_t *left_out, size_t n_left_out,
                                    double *value_p);
