#include "lp-bridge/lp/tolerance.h"

#include "lp-bridge/lp/lp.h"

#include <stdlib.h>

enum ct_status ct_tolerance_by_lp(const struct ct_graph *graph,
                                  const struct ct_tolerance_query *query,
                                  struct ct_tolerance *found_p, double *largest_p,
                                  struct ct_error *err)
{
    const struct ct_loggps *at = &query->at;
    struct ct_lp lp;
    struct ct_lp_solution solution;
    CT_TRY(query->planes ? ct_lp_build_on(graph, &query->planes->parameter, &lp, err)
                         : ct_lp_build(graph, at->o_ns, &lp, err));
    double *limits = malloc((query->n + 1) * sizeof *limits);
    enum ct_status status = CT_OK;
    if (!limits)
        status = ct_no_memory(err, "tolerance");
    if (status == CT_OK)
        status = ct_lp_solve(&lp, at->L_ns, at->G_ns_per_byte, &solution, err);
    if (status == CT_OK)
        ct_tolerance_limits(query, solution.runtime_ns, limits);
    for (size_t i = 0; i < query->n && status == CT_OK; i++)
        status = ct_lp_tolerance(&lp, limits[i], at->G_ns_per_byte, &largest_p[i], err);
    if (status == CT_OK)
        *found_p = (struct ct_tolerance){.runtime_ns = solution.runtime_ns,
                                         .lambda_L = solution.lambda_L,
                                         .lambda_G = solution.lambda_G,
                                         .lo_ns = solution.lo_ns,
                                         .hi_ns = solution.hi_ns};
    free(limits);
    ct_lp_free(&lp);
    return status;
}
