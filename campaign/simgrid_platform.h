/** The network of a campaign in SimGrid. */
#pragma once

#include "campaign/spec.h"
#include "core/argv.h"
#include "topology/topology.h"

/**
 * The topology that a campaign file asks for: launcher.topology, or one switch. Every link has the
 * campaign's latency and rate.
 * @param launcher    [in]  of kind simgrid
 * @param topology_p  [out] ct_topology_free(); unchanged on error
 * @return CT_OK; CT_EINVAL; CT_ENOENT, CT_EIO, CT_EFORMAT (of a file); CT_ENOMEM
 */
enum ct_status ct_simgrid_topology(const struct ct_campaign_launcher *launcher,
                                   struct ct_topology *topology_p, struct ct_error *err);

/** Name of a node's host: as in a topology from a file, else "h1" for the first, as in labs. */
void ct_simgrid_host_name(const struct ct_topology *topology, uint32_t node,
                          char text[CT_HOST_MAX]);

/**
 * Name of a direction of a link in the simulation.
 * @param from_end  [in] the end that it leaves, 0 or 1
 * @return free(); NULL: out of memory
 */
char *ct_simgrid_link_name(const struct ct_topology *topology, uint32_t link, size_t from_end);

/**
 * Add the options of crosstalk-simgrid that make this network, with these names of hosts.
 * @param launcher  [in]  whose topology is a spec, or one switch
 */
void ct_simgrid_add_network(const struct ct_campaign_launcher *launcher,
                            const struct ct_topology *topology, struct ct_argv *argv_p);

/**
 * Write a platform file, with these names of hosts.
 * @return CT_OK; CT_EIO; what ct_topology_simgrid() returns
 */
enum ct_status ct_simgrid_platform_write(const struct ct_topology *topology, const char *path,
                                         struct ct_error *err);
