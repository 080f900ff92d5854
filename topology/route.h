/**
 * Routes of a topology, computed when they are needed: by the formula of a generator, or as
 * shortest paths in a topology from a file. There is no table of all pairs.
 *
 * Shortest paths: if c links of a switch lie on shortest paths to node d, the one with number (d /
 * c^t) mod c is taken, in the order of the file. t + 1 is the number of links from the switch to
 * the nearest node. In trees with the same number of uplinks on each level this is D-mod-k. Routes
 * in a file have priority.
 */
#pragma once

#include "topology/topology.h"

struct ct_router;

/** One step of a route. */
struct ct_hop {
    uint32_t from, to; /**< vertices */
    uint32_t link;
};

struct ct_route {
    struct ct_hop *hops; /**< n; free() */
    size_t n, room;
};

/**
 * @param topology  [in]  borrowed until ct_router_free()
 * @param router_p  [out] ct_router_free(); for one thread, since it stores distances
 * @return CT_OK; CT_EFORMAT (routes of the file form a circle; names the line); CT_ENOMEM
 */
enum ct_status ct_router_new(const struct ct_topology *topology, struct ct_router **router_p,
                             struct ct_error *err);
void ct_router_free(struct ct_router *router);

/**
 * Find the route from one node to another.
 * @param route  [in,out] {0} at first, then the route; empty from a node to itself
 * @return CT_OK; CT_ENODATA (no route); CT_ENOMEM
 */
enum ct_status ct_route_find(struct ct_router *router, uint32_t from, uint32_t to,
                             struct ct_route *route, struct ct_error *err);

/**
 * Count the switches on the route.
 * @param switches_p  [out] 0 from a node to itself
 * @return as ct_route_find()
 */
enum ct_status ct_route_switches(struct ct_router *router, uint32_t from, uint32_t to,
                                 uint32_t *switches_p, struct ct_error *err);

/** Latencies of the links of a route together, ns; NaN: one of them is not known. */
double ct_route_links_ns(const struct ct_topology *topology, const struct ct_route *route);

/**
 * What the links of a route take beyond those of the path that L was measured on, so that the
 * latency from its first to its last node is L + beyond.
 * @param route        [in]  at least one hop
 * @param L_ns         [in]  of the path that was measured
 * @param measured_ns  [in]  latencies of the links of that path
 * @param beyond_p     [out] ns, below 0 on a path that is shorter; unchanged on error
 * @return CT_OK; CT_EINVAL (L + beyond is below 0)
 */
enum ct_status ct_route_beyond(const struct ct_topology *topology, const struct ct_route *route,
                               double L_ns, double measured_ns, double *beyond_p,
                               struct ct_error *err);

/**
 * What paths cost by the switches on them, beyond L and G of the path that these were measured on.
 * Between two measured numbers of switches, and above the largest one, it is on the straight line
 * through the two nearest; below the least one it is that one's.
 */
enum { CT_PATH_LATENCIES_MAX = 16 };
struct ct_path_latencies {
    uint32_t n;                                       /**< below 2: all paths have L and G */
    uint32_t switches[CT_PATH_LATENCIES_MAX];         /**< [n], ascending, >= 1 */
    double beyond_ns[CT_PATH_LATENCIES_MAX];          /**< [n]: of L */
    double beyond_ns_per_byte[CT_PATH_LATENCIES_MAX]; /**< [n]: of G */
};

/** @param switches  [in] >= 1 */
double ct_path_latency_beyond_ns(const struct ct_path_latencies *latencies, uint32_t switches);
double ct_path_gap_beyond_ns(const struct ct_path_latencies *latencies, uint32_t switches);
