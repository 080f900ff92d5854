/** Which hosts probe each other so that every link is passed (topology/paths.h). */
#pragma once

#include "topology/places.h"
#include "watch/state.h"

/**
 * @param hosts       [in]  n; those that are not present have no partners
 * @param partners_p  [out] [n n], symmetric; free(); NULL: fewer than two hosts are present
 * @return CT_OK; what ct_topology_place() and ct_paths_make() return; CT_ENOMEM
 */
enum ct_status ct_probe_partners_choose(const struct ct_topology *topology, enum ct_places places,
                                        const struct ct_watch_host *hosts, size_t n,
                                        bool **partners_p, struct ct_error *err);
