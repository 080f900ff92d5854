/** Where the nodes of a scan are: switches and paths, by a topology or by their latencies. Pure. */
#pragma once

#include "study/scan.h"
#include "topology/places.h"

/**
 * Set switch_name and path_class of the nodes, whose names are known.
 * @param places  [in] see ct_topology_place()
 * @return CT_OK; CT_EINVAL (a node that the topology has not); CT_ENODATA (no way between two);
 *         CT_ENOMEM
 */
enum ct_status ct_scan_network_take(const struct ct_topology *topology, enum ct_places places,
                                    struct ct_scan *scan, struct ct_error *err);

/**
 * The same by latencies: where these have two classes, nodes that are near each other are a group
 * ("group 1"), path_class is 1 within groups and 2 between them. Groups must be such that all
 * nearer pairs are within one, and all others between two.
 * @param latency_s  [in] [n_nodes * n_nodes] of each pair, both ways; NaN: not measured
 * @return whether there are such groups; else nothing is set
 */
bool ct_scan_network_group(const double *latency_s, struct ct_scan *scan);
