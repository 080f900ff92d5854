/** The network that a probe run was made on: its topology, and the nodes that its hosts are. */
#pragma once

#include "results/run.h"
#include "topology/paths.h"

struct ct_run_network {
    struct ct_topology topology;
    struct ct_router *router; /**< refers to topology: the struct must not be moved */
};

/**
 * Build the topology that a run has recorded, with the rates that it has recorded.
 * @param topology_p  [out] ct_topology_free(); unchanged on error
 * @return CT_OK; CT_ENODATA (it has recorded none that can be built again); what
 *         ct_topology_parse() and ct_topology_make() return
 */
enum ct_status ct_run_network_topology(const struct ct_run_info *info,
                                       struct ct_topology *topology_p, struct ct_error *err);

/**
 * Build the topology that a run has recorded, or another one, and its routes.
 * @param text       [in]  topology as crosstalk-topology(1) takes it; NULL: that of the run
 * @param network_p  [out] ct_run_network_close(), also on error
 * @return CT_OK; CT_ENODATA (the run has recorded none that can be built again); what
 *         ct_topology_open() returns; CT_ENOMEM
 */
enum ct_status ct_run_network_open(const struct ct_run_info *info, const char *text,
                                   struct ct_run_network *network_p, struct ct_error *err);
void ct_run_network_close(struct ct_run_network *network);

/**
 * The pairs of a run as nodes of the network: by what the run has recorded of its hosts, else by
 * their names or order (ct_topology_place()).
 * @param pairs_p  [out] n_pairs; free(); unchanged on error
 * @return CT_OK; CT_EINVAL (a host that is no node; ranks of one node); CT_ENOMEM
 */
enum ct_status ct_run_network_pairs(const struct ct_run_network *network, const struct ct_run *run,
                                    struct ct_node_pair **pairs_p, struct ct_error *err);
