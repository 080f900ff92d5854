/** L and G by the number of switches on a path, from runs that measured classes of paths. */
#pragma once

#include "results/run.h"
#include "topology/route.h"

/** Switches between the ranks of a row, by the paths of its run; 0: one node, or not known. */
uint32_t ct_logp_row_switches(const struct ct_run *run, const struct ct_logp_row *row);

/**
 * L and G of each number of switches, medians over the links of a run of logpb that were measured,
 * less those of the first link with the fewest switches. Where a number of switches has no G, all
 * have one.
 * @param paths_p  [out] n = 0: fewer than two numbers of switches have an L
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_path_latencies_take(const struct ct_run *run, struct ct_path_latencies *paths_p,
                                      struct ct_error *err);
