/** Prints the results of logpb. */
#pragma once

#include "bench/logp/logp_run.h"

/**
 * Print parameters, sizes, costs of the methods, checks, directions and pairs. Rank 0.
 * @param all  [in] at least one link
 * @return CT_OK; CT_ENOMEM; CT_EIO
 */
enum ct_status ct_logp_print(const struct ct_bench *bench, const struct ct_logp_setup *setup,
                             const struct ct_logp_gathered *all, struct ct_error *err);
