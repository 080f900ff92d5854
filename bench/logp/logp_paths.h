/** What is between the ranks of a run: nothing but a node, or so many switches. Pure. */
#ifndef CT_BENCH_LOGP_LOGP_PATHS_H
#define CT_BENCH_LOGP_LOGP_PATHS_H

#include "bench/common/layout.h"
#include "topology/topology.h"

/**
 * Classes of paths: of every two nodes, by their first ranks, the switches between them, or 1 where
 * there is no topology; and of the first two ranks of each node class 0. Of a single node all ranks
 * with each other, class 0.
 * @param topology  [in]  NULL: not known. If it has names of the hosts, these count; of a generated
 *                        one the nodes in their order
 * @param paths_p   [out] n_p rows, by class 0 first, then by ranks; free(); unchanged on error
 * @return CT_OK; CT_EINVAL (fewer nodes in the topology, a host that a file does not name, less
 *         than two ranks); what ct_route_switches() returns; CT_ENOMEM
 */
enum ct_status ct_logp_paths_make(const struct ct_layout *layout,
                                  const struct ct_topology *topology, struct ct_path_row **paths_p,
                                  size_t *n_p, struct ct_error *err);

#endif
