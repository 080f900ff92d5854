/** lp-bridge/envelope/tolerance.h by linear programming, with Clp. */
#pragma once

#include "lp-bridge/envelope/tolerance.h"

/**
 * @param found_p    [out] its range is that of the solver's basis, see struct ct_lp_solution
 * @param largest_p  [out] n largest latencies, ns; INFINITY: no latency makes T so much longer
 * @return CT_OK; CT_EINVAL (a fraction below 0; more than 2^31 elements); CT_ENOMEM; CT_ECHILD (Clp
 *         found no optimum); CT_EUNSUPPORTED (built without Clp)
 */
enum ct_status ct_tolerance_by_lp(const struct ct_graph *graph,
                                  const struct ct_tolerance_query *query,
                                  struct ct_tolerance *found_p, double *largest_p,
                                  struct ct_error *err);
