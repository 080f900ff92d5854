/**
 * Routes of a topology, found when they are asked for: by the formula of a generator, or as
 * shortest paths of a topology that a file gave. No table of all pairs is ever made.
 *
 * Shortest paths. Of the links that lie on a shortest path from a switch to node d, the one with
 * number (d / c^t) mod c is taken, c their count, in the order of the file, and t the links from
 * the switch to the nearest node, less one. In trees with as many uplinks on each level that is
 * D-mod-k. Routes that a file gives come first.
 */
#ifndef CT_TOPOLOGY_ROUTE_H
#define CT_TOPOLOGY_ROUTE_H

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
 * @param topology  [in]  borrowed as long as the router is there
 * @param router_p  [out] ct_router_free(); for one thread, as it remembers what it has found
 * @return CT_OK; CT_EFORMAT (routes that the file gives go round in a circle; names the line);
 *         CT_ENOMEM
 */
enum ct_status ct_router_new(const struct ct_topology *topology, struct ct_router **router_p,
                             struct ct_error *err);
void ct_router_free(struct ct_router *router);

/**
 * The way from one node to another.
 * @param route  [in,out] begins as {0}; holds the route, empty for a node to itself
 * @return CT_OK; CT_ENODATA (no way between them); CT_ENOMEM
 */
enum ct_status ct_route_find(struct ct_router *router, uint32_t from, uint32_t to,
                             struct ct_route *route, struct ct_error *err);

/**
 * Switches on that way. @param switches_p  [out] 0 for a node to itself. @return as above
 */
enum ct_status ct_route_switches(struct ct_router *router, uint32_t from, uint32_t to,
                                 uint32_t *switches_p, struct ct_error *err);

#endif
