/* In place of clp.c where the library is not: the linear program can be written, not solved. */
#include "lp-bridge/lp/lp.h"

static enum ct_status refuse_solver(struct ct_error *err)
{
    return ct_fail(err, CT_EUNSUPPORTED,
                   "--solver clp: crosstalk was built without Clp: install coinor-libclp-dev and "
                   "configure with -DCROSSTALK_CLP=ON, or use --solver envelope, which is exact");
}

enum ct_status ct_lp_solve(const struct ct_lp *lp, double L_ns, double G_ns_per_byte,
                           struct ct_lp_solution *solution_p, struct ct_error *err)
{
    (void)lp;
    (void)L_ns;
    (void)G_ns_per_byte;
    (void)solution_p;
    return refuse_solver(err);
}

enum ct_status ct_lp_tolerance(const struct ct_lp *lp, double limit_ns, double G_ns_per_byte,
                               double *L_ns_p, struct ct_error *err)
{
    (void)lp;
    (void)limit_ns;
    (void)G_ns_per_byte;
    (void)L_ns_p;
    return refuse_solver(err);
}
