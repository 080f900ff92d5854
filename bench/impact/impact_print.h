/** Prints the results of impactb. */
#pragma once

#include "bench/impact/impact_run.h"

/**
 * Print the summary of all ranks' samples on rank 0: provenance, latencies with intervals, the
 * pairs and the slowest among them. Latencies are gathered for this only; the run file is written
 * without gathering. Collective.
 * @return CT_OK; CT_ENOMEM; CT_EIO; the same on all ranks
 */
enum ct_status ct_impact_print(struct ct_bench *bench, const struct ct_impact_setup *setup,
                               const struct ct_impact_result *result, struct ct_error *err);
