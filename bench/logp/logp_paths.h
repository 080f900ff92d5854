/** What is between the ranks of a run: nothing but a node, or so many switches. No MPI. */
#pragma once

#include "bench/impact/impact_network.h"

/**
 * Classes of paths: of every two nodes, by their first ranks, the switches between them, or 1 where
 * there is no topology; and of the first two ranks of each node class 0. Of a single node all ranks
 * with each other, class 0.
 * @param network  [in]  of this layout; a topology may not be known
 * @param paths_p  [out] n_p rows, by class 0 first, then by ranks; free(); unchanged on error
 * @return CT_OK; CT_EINVAL (less than two ranks); what ct_route_switches() returns; CT_ENOMEM
 */
enum ct_status ct_logp_paths_make(const struct ct_layout *layout,
                                  const struct ct_impact_network *network,
                                  struct ct_path_row **paths_p, size_t *n_p, struct ct_error *err);
