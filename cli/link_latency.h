/** Latencies of links in a file of a topology, beside an L that was measured on one path. */
#pragma once

#include "core/table.h"
#include "topology/topology.h"

/** How they count; without them L is the same for all pairs. */
struct ct_link_latency {
    bool adds_links;      /**< all links have one: L of a pair depends on its path */
    bool is_measured;     /**< links have latencies, but L was measured by classes of paths */
    bool is_known;        /**< the path that L was measured on, between these nodes */
    uint32_t measured[2]; /**< nodes; not with --wire, which L is made of */
    double measured_ns;
    uint32_t n_unknown; /**< links without a latency, for which the others are not used */
};

/** Borrowed. */
struct ct_link_latency_request {
    bool is_measured; /**< L is that of the number of switches on a path: nothing is added to it */
    const struct ct_topology *topology;
    const uint32_t *nodes; /**< that ranks are on */
    uint32_t n_nodes;
    double wire_s;         /**< of --wire, which links without a latency have; NaN: not given */
    const char *logp_path; /**< run of logpb that L is of; NULL: none */
};

/**
 * @param latency_p  [out] zeros if no link of a file has a latency, or one node only is in use;
 *                         unchanged on error
 * @return CT_OK; what ct_router_new() and ct_route_find() return
 */
enum ct_status ct_link_latency_find(const struct ct_link_latency_request *request,
                                    struct ct_link_latency *latency_p, struct ct_error *err);

/** Note how they count, or why they do not; nothing if there are none. */
void ct_link_latency_note(const struct ct_link_latency *latency, const struct ct_topology *topology,
                          struct ct_tables *tables);

/** Whether a link of a file has a latency. */
bool ct_link_latency_is_given(const struct ct_topology *topology);

/** Note that those of this file do not count, where all links have one latency. */
void ct_link_latency_unused_note(const char *name, struct ct_tables *tables);
