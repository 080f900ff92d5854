/* Clp, by its C interface. The only file that knows a solver. */
#include "lp-bridge/lp/basis.h"
#include "lp-bridge/lp/lp.h"

#include <coin/Clp_C_Interface.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { CLP_OPTIMAL = 0, CLP_PRIMAL_INFEASIBLE = 1, CLP_DUAL_INFEASIBLE = 2, CLP_BASIC = 1 };

static Clp_Simplex *load_model(const struct ct_lp *lp)
{
    Clp_Simplex *model = Clp_newModel();
    double *upper = malloc(((size_t)lp->n_rows + 1) * sizeof *upper);
    if (!model || !upper) {
        free(upper);
        if (model)
            Clp_deleteModel(model);
        return NULL;
    }
    for (int row = 0; row < lp->n_rows; row++)
        upper[row] = DBL_MAX;
    Clp_setLogLevel(model, 0);
    Clp_resize(model, 0, lp->n_columns);
    Clp_addRows(model, lp->n_rows, lp->lower, upper, lp->row_start, lp->column, lp->element);
    free(upper);
    return model;
}

static void set_form(Clp_Simplex *model, const struct ct_lp_form *form)
{
    double *lower = Clp_columnLower(model), *upper = Clp_columnUpper(model);
    lower[CT_LP_GAP] = form->G_ns_per_byte;
    if (form->tolerance) {
        upper[CT_LP_RUNTIME] = form->limit_ns;
        Clp_objective(model)[CT_LP_LATENCY] = -1;
    } else {
        lower[CT_LP_LATENCY] = form->L_ns;
        Clp_objective(model)[CT_LP_RUNTIME] = 1;
    }
}

static bool is_basic_column(void *model, int column)
{
    return Clp_getColumnStatus(model, column) == CLP_BASIC;
}

static bool is_basic_row(void *model, int row)
{
    return Clp_getRowStatus(model, row) == CLP_BASIC;
}

static enum ct_status not_solved(Clp_Simplex *model, struct ct_error *err)
{
    return ct_fail(err, CT_ECHILD, "Clp found no optimum (its status is %d); try --solver envelope",
                   Clp_status(model));
}

enum ct_status ct_lp_solve(const struct ct_lp *lp, double L_ns, double G_ns_per_byte,
                           struct ct_lp_solution *solution_p, struct ct_error *err)
{
    Clp_Simplex *model = load_model(lp);
    if (!model)
        return ct_no_memory(err, "linear program");
    set_form(model, &(struct ct_lp_form){.L_ns = L_ns, .G_ns_per_byte = G_ns_per_byte});
    Clp_initialDualSolve(model);
    enum ct_status status = CT_OK;
    if (Clp_status(model) != CLP_OPTIMAL)
        status = not_solved(model, err);
    struct ct_lp_solution solution = {.runtime_ns = Clp_objectiveValue(model)};
    if (status == CT_OK) {
        const double *reduced = Clp_dualColumnSolution(model);
        struct ct_basis basis = {.is_basic_column = is_basic_column,
                                 .is_basic_row = is_basic_row,
                                 .data = model,
                                 .columns = Clp_primalColumnSolution(model),
                                 .rows = Clp_primalRowSolution(model)};
        solution.lambda_L = reduced[CT_LP_LATENCY];
        solution.lambda_G = reduced[CT_LP_GAP];
        status = ct_basis_range(lp, &basis, L_ns, &solution.lo_ns, &solution.hi_ns, err);
    }
    if (status == CT_OK)
        *solution_p = solution;
    Clp_deleteModel(model);
    return status;
}

enum ct_status ct_lp_tolerance(const struct ct_lp *lp, double limit_ns, double G_ns_per_byte,
                               double *L_ns_p, struct ct_error *err)
{
    Clp_Simplex *model = load_model(lp);
    if (!model)
        return ct_no_memory(err, "linear program");
    set_form(model, &(struct ct_lp_form){
                        .tolerance = true, .limit_ns = limit_ns, .G_ns_per_byte = G_ns_per_byte});
    Clp_initialSolve(model);
    enum ct_status status = CT_OK;
    switch (Clp_status(model)) {
    case CLP_OPTIMAL:
        *L_ns_p = Clp_primalColumnSolution(model)[CT_LP_LATENCY];
        break;
    case CLP_DUAL_INFEASIBLE:
        *L_ns_p = INFINITY;
        break;
    case CLP_PRIMAL_INFEASIBLE:
        status =
            ct_fail(err, CT_EINVAL, "limit %g ns: below the run time at any latency", limit_ns);
        break;
    default:
        status = not_solved(model, err);
    }
    Clp_deleteModel(model);
    return status;
}
