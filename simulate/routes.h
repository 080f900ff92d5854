/**
 * Paths between the nodes of a simulation, each found when it is first needed, so that networks of
 * many thousand nodes need no table of all pairs.
 *
 * Links are directed. In a topology, way 2 l + d is link l from its end d on; on one switch way i
 * leaves node i, and way n_nodes + i enters it.
 */
#pragma once

#include "simulate/network.h"

struct ct_routes;

/** A path between two nodes. On one switch it is computed, and takes no memory. */
struct ct_path {
    uint32_t first; /**< one switch: its first way; else its place among the ways of all paths */
    uint32_t last;  /**< its last way */
    uint32_t n;     /**< ways, >= 2 */
    double latency_ns;
    double lost_frac; /**< of the packets that take it */
};

/**
 * @param setup     [in]  its topology and nodes are borrowed
 * @param routes_p  [out] ct_routes_free(); unchanged on error
 * @return CT_OK; CT_EINVAL (the rate of one link is known, that of another is not; a change out of
 *         range);
 *         CT_EFORMAT (routes in a circle); CT_ENOMEM
 */
enum ct_status ct_routes_new(const struct ct_simulate_network_setup *setup,
                             struct ct_routes **routes_p, struct ct_error *err);
void ct_routes_free(struct ct_routes *routes);

/** Number of ways: of all links of the topology, in both directions. */
uint32_t ct_routes_n_ways(const struct ct_routes *routes);

/** G of a way, > 0. */
double ct_routes_ns_per_byte(const struct ct_routes *routes, uint32_t way);

/**
 * The path between two different nodes.
 * @param path_p  [out] unchanged on error
 * @return CT_OK; CT_ENODATA (no route); CT_EINVAL (nodes joined without a switch); CT_ENOMEM
 */
enum ct_status ct_routes_find(struct ct_routes *routes, uint32_t from, uint32_t to,
                              struct ct_path *path_p, struct ct_error *err);

/** Its latency. @return as ct_routes_find() */
enum ct_status ct_routes_latency_ns(struct ct_routes *routes, uint32_t from, uint32_t to,
                                    double *latency_p, struct ct_error *err);

/** The same link in the other direction. */
uint32_t ct_routes_reverse(const struct ct_routes *routes, uint32_t way);

/** Ways of all paths found so far, in order of each; valid until another is found. NULL: one
 * switch.
 */
const uint32_t *ct_routes_ways(const struct ct_routes *routes);

/** G of the slowest way of a path. */
double ct_routes_slowest_ns_per_byte(const struct ct_routes *routes, const struct ct_path *path);
