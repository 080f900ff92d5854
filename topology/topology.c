#include "topology/topology.h"

#include <stdlib.h>
#include <string.h>

bool ct_topology_find(const struct ct_topology *topology, const char *name, uint32_t *v_p)
{
    size_t lo = 0, hi = ct_topology_vertices(topology);
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        int order = strcmp(ct_topology_name(topology, topology->by_name[middle]), name);
        if (order == 0) {
            *v_p = topology->by_name[middle];
            return true;
        }
        if (order < 0)
            lo = middle + 1;
        else
            hi = middle;
    }
    return false;
}

void ct_topology_free(struct ct_topology *topology)
{
    free(topology->name);
    free(topology->links);
    free(topology->ports);
    free(topology->first_port);
    free(topology->names);
    free(topology->name_at);
    free(topology->by_name);
    free(topology->line);
    free(topology->given);
    *topology = (struct ct_topology){0};
}
