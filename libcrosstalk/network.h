/** A topology, and nodes of it that programs are on. */
#pragma once

#include "libcrosstalk/facade.h"
#include "topology/topology.h"

struct crosstalk_topology {
    struct ct_topology of;
    struct crosstalk_link *links;
};

/** @return CT_OK; CT_EINVAL: a latency, or 0 ranks on a node */
enum ct_status ct_facade_network_check(const struct crosstalk_network *network,
                                       struct ct_error *err);
