#include "lp-bridge/envelope/tolerance.h"

#include "lp-bridge/envelope/envelope.h"

void ct_tolerance_limits(const struct ct_tolerance_query *query, double runtime_ns,
                         double *limits_p)
{
    for (size_t i = 0; i < query->n; i++)
        limits_p[i] = (1 + query->longer_frac[i]) * runtime_ns;
}

enum ct_status ct_tolerance_by_envelope(const struct ct_graph *graph,
                                        const struct ct_evaluator *evaluator,
                                        const struct ct_tolerance_query *query, unsigned threads,
                                        struct ct_tolerance *found_p, double *largest_p,
                                        struct ct_error *err)
{
    const struct ct_loggps *at = &query->at;
    struct ct_sensitivity sensitivity;
    CT_TRY(ct_sensitivity_with(evaluator, at->L_ns, query->longer_frac, query->n, threads,
                               &sensitivity, largest_p, err));
    struct ct_tolerance found = {.runtime_ns = sensitivity.runtime_ns,
                                 .lambda_L = sensitivity.line.slope,
                                 .lo_ns = sensitivity.lo,
                                 .hi_ns = sensitivity.hi};
    if (graph)
        CT_TRY(query->planes ? ct_lambda_gap_on(graph, &query->planes->gap, at->G_ns_per_byte,
                                                &found.lambda_G, err)
                             : ct_lambda_gap(graph, at, &found.lambda_G, err));
    *found_p = found;
    return CT_OK;
}
