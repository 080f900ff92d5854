/**
 * The network of a simulation from a topology. SimGrid asks for a route when a message begins, and
 * gets that of topology/route.h: a platform file has all of them, 245 MB for 1024 hosts. In C++,
 * since SimGrid's interface is.
 */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

struct ct_topology;

/**
 * Make the network, with the hosts, names and links of topology/simgrid.h. Called by what the
 * simulator loads in place of a platform file, once in a process. Ends the process where a route
 * is asked for and memory is out, or there is none.
 * @param topology  [in] as ct_topology_simgrid_check() accepts it; borrowed until the process ends
 * @param prefix    [in] hosts have the names PREFIX1, PREFIX2, ..; NULL: those of the nodes
 */
void ct_simgrid_network_make(const struct ct_topology *topology, const char *prefix);

#ifdef __cplusplus
}
#endif
