/** A topology as a platform file of SimGrid (version 4.1 of its format, SimGrid 3.32). */
#pragma once

#include "topology/route.h"

#include <stdio.h>

/** There is a route for each pair of nodes: of 1024 nodes and three tiers about 200 MB. */
enum { CT_SIMGRID_NODES_MAX = 2048 };

/** What crosstalk-simgrid takes: rate of a link, bit/s; latency added to messages, seconds. */
#define CT_SIMGRID_RATE_MAX 1e12
#define CT_SIMGRID_ADDED_MAX_S 10.0

/**
 * Write a platform: a host of 1 Gflop/s for each node, a link for each direction, and for each pair
 * of nodes, in both directions, the route of ct_route_find(). Switches are only in the names of
 * links: FROM-TO-I, I the number of the link in the topology.
 *
 * @param topology  [in]  whose links all have a rate and a latency
 * @param prefix    [in]  hosts have the names PREFIX1, PREFIX2, ..; NULL: those of the nodes
 * @return CT_OK; CT_EINVAL (a link without rate or latency, too many nodes); CT_ENODATA (no route);
 *         CT_ENOMEM; the caller checks the stream for errors
 */
enum ct_status ct_topology_simgrid(const struct ct_topology *topology, const char *prefix,
                                   FILE *out, struct ct_error *err);

/** @return CT_OK; CT_EINVAL: a link without rate or latency, which SimGrid needs */
enum ct_status ct_topology_simgrid_check(const struct ct_topology *topology, struct ct_error *err);

/**
 * Name of one direction of a link in such a platform.
 * @param prefix  [in] as above
 * @return free(); NULL: out of memory
 */
char *ct_topology_simgrid_link(const struct ct_topology *topology, const char *prefix,
                               const struct ct_hop *hop);
