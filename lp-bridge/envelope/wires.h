/**
 * Latencies that depend on the pair of ranks: on whether they share a node, or on the number of
 * switches between them. With h switches on the route between two nodes,
 *
 *     L = (h + 1) l_wire + h d_switch                       [LLAMP, section IV-2, Fig. 11]
 *
 * and messages inside a node have another L and G. T is then a function of l_wire, or of d_switch:
 * lambda_wire = dT/dl_wire counts the wires on the critical path, lambda_switch the switches. Ranks
 * are placed in blocks: rank r is on node r / ranks_per_node.
 *
 * If links have latencies of their own, L between two nodes is that of the path it was measured on,
 * plus the latencies of the links between them, less those of that path. T is then a function of L,
 * of which each pair has as much more or less:
 *
 *     L_ij = L + sum of latencies on the path from i to j - the same on the measured path
 *
 * Likewise, if classes of paths were measured: L and G are those of the class with the fewest
 * switches, and a pair has what its number of switches has beyond them.
 *
 * The control messages of a rendezvous pass as many switches as its data.
 */
#pragma once

#include "lp-bridge/envelope/tolerance.h"
#include "lp-bridge/graph/fold.h"
#include "topology/route.h"

struct ct_wires_setup {
    const struct ct_topology *topology;   /**< borrowed; NULL: L is the same between all nodes */
    uint32_t ranks_per_node;              /**< >= 1 */
    double switch_ns;                     /**< d_switch; not used without a topology */
    double L_node_ns, G_node_ns_per_byte; /**< of messages inside a node */
    bool adds_links;    /**< latencies of the topology's links count, and all have one */
    double L_ns;        /**< with adds_links: the least L that is asked about */
    double measured_ns; /**< with adds_links: latencies on the path that L was measured on */
    struct ct_path_latencies by_switches; /**< n > 1: L and G of classes count, not adds_links */
};

struct ct_wires;

/** Free parameters. */
enum ct_wires_free {
    CT_WIRES_FIXED,
    CT_WIRES_LATENCY, /**< l_wire; without a topology, with adds_links or classes, L */
    CT_WIRES_SWITCH,  /**< d_switch; of a topology only, where the above is l_wire */
    CT_WIRES_GAP,     /**< G between nodes */
    CT_WIRES_SHARE    /**< factor of every latency between nodes, as t[0]: at 1, dT/dt is the time
                           of those on the critical path */
};

/** A plane, and the data that it points to; do not copy or move it. */
struct ct_wires_plane {
    struct ct_plane plane;
    struct ct_pair_costs costs;
    const struct ct_wires *wires;
    const struct ct_path_latencies *by_switches; /**< those of the setup; others may be set */
    struct ct_loggps at;
    enum ct_wires_free free[CT_FREE_MAX];
};

/**
 * Find the number of switches between the ranks of each message.
 * @param wires_p  [out] ct_wires_free(); may be used by several threads
 * @return CT_OK; CT_EINVAL (more ranks than the topology has room for; a latency below 0, of a
 *         path much shorter than the one measured); CT_ENODATA (no route between two nodes);
 * CT_EFORMAT (routes in a circle); CT_ENOMEM
 */
enum ct_status ct_wires_new(const struct ct_wires_setup *setup, const struct ct_graph *graph,
                            struct ct_wires **wires_p, struct ct_error *err);
void ct_wires_free(struct ct_wires *wires);

/** Switches between the ranks of all messages. */
struct ct_wires_hops {
    uint32_t most;     /**< switches */
    double mean;       /**< switches, over messages between nodes; NaN: there are none */
    double least_L_ns; /**< at which no pair has a latency below 0; 0 where l_wire is free */
    uint64_t inside,
        between; /**< edges of the graph that are messages inside a node, and between nodes */
};
struct ct_wires_hops ct_wires_hops(const struct ct_wires *wires);

/**
 * @param at       [in]  all parameters; its L is l_wire, or L as for CT_WIRES_LATENCY
 * @param first    [in]  parameter that is t[0]
 * @param second   [in]  parameter that is t[1]
 * @param plane_p  [out] do not copy or move it afterwards
 */
void ct_wires_plane(const struct ct_wires *wires, const struct ct_loggps *at,
                    enum ct_wires_free first, enum ct_wires_free second,
                    struct ct_wires_plane *plane_p);
