/* The range of L over which a basis of the run time form stays optimal. */
#pragma once

#include "lp-bridge/lp/lp.h"

/* A solver's basis and its solution. */
struct ct_basis {
    bool (*is_basic_column)(void *data, int column);
    bool (*is_basic_row)(void *data, int row);
    void *data;
    const double *columns; /* values, n_columns */
    const double *rows;    /* activities, n_rows */
};

/**
 * Each row that is not basic is an equation between two y (or one y and time 0), so that together
 * they are a forest with time 0 at its root: how each y moves with L follows from walking it. The
 * basis is optimal until a slack row, or a y above 0, reaches its bound.
 * @param lo_ns_p  [out] both are L if g is basic, so that nothing is known about other L
 * @return CT_OK; CT_ENOMEM; CT_ECHILD (the rows do not determine every y: not a basis)
 */
enum ct_status ct_basis_range(const struct ct_lp *lp, const struct ct_basis *basis, double L_ns,
                              double *lo_ns_p, double *hi_ns_p, struct ct_error *err);
