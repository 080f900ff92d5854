/** Counters of links, as crosstalk-simgrid writes them, as the load of a campaign's network. */
#pragma once

#include "campaign/network_load.h"
#include "topology/topology.h"

struct ct_simgrid_load {
    double interval_s;
    struct ct_load_flow *flows; /**< [2 n_links] of links of the topology: direction d of link i,
                                   from its end d, at 2 i + d; free() */
};

/**
 * Read counters.
 * @param text      [in]  JSON: "interval_s", and "links" with "link", "bytes" and "busy_fraction"
 * @param name      [in]  its source, for messages
 * @param topology  [in]  of ct_simgrid_topology()
 * @param load_p    [out] what is not listed carried nothing; unchanged on error
 * @return CT_OK; CT_EFORMAT; CT_ENOMEM
 */
enum ct_status ct_simgrid_load_parse(const char *text, size_t size, const char *name,
                                     const struct ct_topology *topology,
                                     struct ct_simgrid_load *load_p, struct ct_error *err);

/**
 * Replace a file of counters by that of the load.
 * @param n_hosts        [in] hosts of the campaign, the first nodes
 * @param topology_name  [in] for the file; NULL: none
 * @return CT_OK; CT_EFORMAT; CT_ENOENT, CT_EIO; CT_ENOMEM
 */
enum ct_status ct_simgrid_load_convert(const char *path, const struct ct_topology *topology,
                                       uint32_t n_hosts, const char *topology_name,
                                       struct ct_error *err);
