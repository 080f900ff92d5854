/**
 * The network of a run, as its topology says: which nodes the hosts are, what is between them, and
 * the pairs that pass every link. On rank 0; no MPI.
 */
#pragma once

#include "bench/common/layout.h"
#include "bench/impact/impact_rounds.h"
#include "core/file.h"

struct ct_impact_network {
    bool known; /**< false: no topology; nothing else counts */
    struct ct_topology topology;
    struct ct_router *router;
    uint32_t *vertex;    /**< of each node of the layout */
    struct ct_text text; /**< of the file that it was read from; empty for a generator */
    char *note; /**< for the user: what was found and is not used; NULL: nothing; also if !known */
};

/**
 * Find the topology: that of the option, else of the lab that the process is in
 * (CT_LAB_TOPOLOGY_VARIABLE), else, in a job of Slurm, its topology.yaml or topology.conf. One
 * that was found and not given is left out if it lacks a host of the run or a way between hosts,
 * that of Slurm also if it cannot be read; network_p->note then says so.
 * @param given      [in]  text of the option: a topology as crosstalk-topology(1) takes it; NULL:
 *                         none
 * @param network_p  [out] not to be moved, since its router refers to it; ct_impact_network_free();
 *                        empty on error
 * @return CT_OK; what ct_topology_open() returns, and for a given one ct_topology_place();
 * CT_ENOMEM
 */
enum ct_status ct_impact_network_find(const char *given, const struct ct_layout *layout,
                                      struct ct_impact_network *network_p, struct ct_error *err);
void ct_impact_network_free(struct ct_impact_network *network);

/**
 * Set the path class of pairs of ranks on different nodes: switches on the way there or back,
 * whichever are more.
 * @return CT_OK; what ct_route_switches() returns
 */
enum ct_status ct_impact_network_classify(const struct ct_impact_network *network,
                                          const struct ct_layout *layout, struct ct_pair *pairs,
                                          size_t n_pairs, struct ct_error *err);

/**
 * Add what `crosstalk utilization --links` needs: CT_RUN_TOPOLOGY, CT_RUN_TOPOLOGY_NODES, and the
 * file that the topology was read from as CT_RUN_TOPOLOGY_TEXT, unless it has more than
 * CT_RUN_TOPOLOGY_TEXT_MAX bytes. Of an unknown network, the note alone.
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_impact_network_describe(const struct ct_impact_network *network,
                                          const struct ct_layout *layout, struct ct_run_info *info,
                                          struct ct_error *err);
