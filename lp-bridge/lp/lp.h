/**
 * The linear program of an execution graph [LLAMP, section II-C], for Clp and for files for other
 * solvers.
 *
 * Columns: l (latency, ns), g (gap per byte, ns), t (run time, ns), and one y for each vertex at
 * which several predecessors meet; the others are folded into the constants. All are >= 0. A row
 * for each edge of the folded graph:
 *
 *     y(v) - y(u) - n_L l - n_G g >= constant,      t - y(u) - n_L l - n_G g >= constant.
 *
 * With wires (envelope/wires.h) l is the latency of a wire, or the time in a switch, and n_L
 * counts these; messages inside a node are in the constants.
 *
 * Run time form: min t with l >= L, g >= G; lambda_L and lambda_G are the reduced costs of l and g.
 * Tolerance form: max l with t <= limit, g >= G.
 */
#pragma once

#include "lp-bridge/graph/fold.h"

#include <stdio.h>

enum { CT_LP_LATENCY, CT_LP_GAP, CT_LP_RUNTIME, CT_LP_FIRST_JOIN };

/** Rows in compressed form: sum of elements times columns >= lower. Indices as Clp takes them. */
struct ct_lp {
    int n_columns, n_rows;
    int *row_start; /**< n_rows + 1 */
    int *column;    /**< row_start[n_rows] */
    double *
        element; /**< row_start[n_rows]; 1 for the vertex that waits, -1 for the one it waits for */
    double *lower; /**< n_rows */
};

/** Which of the two forms, and its bounds. */
struct ct_lp_form {
    double L_ns;          /**< run time form: lower bound of l */
    double G_ns_per_byte; /**< lower bound of g */
    bool tolerance;       /**< max l with t <= limit_ns instead of min t */
    double limit_ns;
};

/**
 * @param o_ns  [in]  overhead, a constant of the program
 * @param lp_p  [out] ct_lp_free(); unchanged on error
 * @return CT_OK; CT_ENOMEM; CT_EINVAL (more than 2^31 elements)
 */
enum ct_status ct_lp_build(const struct ct_graph *graph, double o_ns, struct ct_lp *lp_p,
                           struct ct_error *err);

/** The same on a plane: t[0] is l, t[1] is g. */
enum ct_status ct_lp_build_on(const struct ct_graph *graph, const struct ct_plane *plane,
                              struct ct_lp *lp_p, struct ct_error *err);
void ct_lp_free(struct ct_lp *lp);

/** Write as free-format MPS; the objective of the tolerance form is min -l. @return CT_OK; CT_EIO;
 * CT_ENOMEM */
enum ct_status ct_lp_write_mps(const struct ct_lp *lp, const struct ct_lp_form *form, FILE *out,
                               struct ct_error *err);
/** Write in the LP format of CPLEX. @return CT_OK; CT_EIO */
enum ct_status ct_lp_write_lp(const struct ct_lp *lp, const struct ct_lp_form *form, FILE *out,
                              struct ct_error *err);

struct ct_lp_solution {
    double runtime_ns;
    double lambda_L, lambda_G;
    double lo_ns, hi_ns; /**< L for which the basis stays optimal; hi_ns may be INFINITY. This may
                            be less than the interval in which lambda_L does not change, since
                            several bases can have the same T. */
};

/**
 * Run time form, by Clp.
 * @return CT_OK; CT_ENOMEM; CT_ECHILD (Clp found no optimum)
 */
enum ct_status ct_lp_solve(const struct ct_lp *lp, double L_ns, double G_ns_per_byte,
                           struct ct_lp_solution *solution_p, struct ct_error *err);

/**
 * Tolerance form, by Clp.
 * @param L_ns_p  [out] the largest latency; INFINITY if T never exceeds the limit
 * @return CT_OK; CT_EINVAL (T exceeds the limit at every latency); CT_ENOMEM; CT_ECHILD
 */
enum ct_status ct_lp_tolerance(const struct ct_lp *lp, double limit_ns, double G_ns_per_byte,
                               double *L_ns_p, struct ct_error *err);
