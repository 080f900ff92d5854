/**
 * Effects of rows and columns of a square table, of slowed applications and of co-runners:
 *
 *     y_AB = m + r_A + c_B
 *
 * by least squares with a ridge: the sum of squares over the entries that count, and ridge times
 * the sum of r^2 and c^2, is least (Hoerl and Kennard, Technometrics 12, 1970), one effect after
 * the other (Gauss-Seidel). Internal.
 */
#pragma once

#include "core/status.h"

#include <stddef.h>

struct ct_two_way {
    const double *y; /**< [row * n + column]; NaN: does not count */
    size_t n;
    double ridge;        /**< of r and c; INFINITY: they are 0 */
    double middle_ridge; /**< of m */
    double *values;      /**< [ct_two_way_size()]: m, r of each row, c of each column */
};

size_t ct_two_way_size(size_t n);

/** What fits best given the others. */
void ct_two_way_settle_row(const struct ct_two_way *fit, size_t row);
void ct_two_way_settle_column(const struct ct_two_way *fit, size_t column);

/**
 * All at once, and how far off each entry is when it and its reverse do not count: with the hat
 * matrix H and residuals e, (1 - H_BB)^-1 e_B of these two (Cook and Weisberg, Residuals and
 * Influence in Regression, 1982, 3.3).
 * @param fit     [in]  both ridges > 0
 * @param error   [out] [row * n + column]; NaN: does not count
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_two_way_solve(const struct ct_two_way *fit, double *error);

/** All, from the values that are there, until none changes by more, or for steps_max times. */
void ct_two_way_settle(const struct ct_two_way *fit, int steps_max, double settled);

/** m + r + c */
double ct_two_way_at(const struct ct_two_way *fit, size_t row, size_t column);

/** An entry and its reverse do not count, nor those of some rows and columns. @param y [in,out] */
void ct_two_way_leave_out(double *y, size_t n, size_t row, size_t column, const size_t *left_out,
                          size_t n_left_out);
