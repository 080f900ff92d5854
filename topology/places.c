#include "topology/places.h"

#include <ctype.h>
#include <stdlib.h>

/* "h5" is node 4. */
static bool find_lab_host(const char *host, uint32_t *v_p)
{
    char *end;
    if (host[0] != 'h' || !isdigit((unsigned char)host[1]))
        return false;
    unsigned long number = strtoul(host + 1, &end, 10);
    *v_p = (uint32_t)(number - 1);
    return *end == '\0' && number >= 1 && number <= CT_TOPOLOGY_NODES_MAX;
}

static bool find_host(const struct ct_topology *topology, const char *host, size_t i,
                      enum ct_places places, uint32_t *v_p)
{
    *v_p = (uint32_t)i;
    if (topology->line)
        return ct_topology_find_host(topology, host, v_p);
    return places == CT_PLACES_IN_ORDER || find_lab_host(host, v_p);
}

/* na.x and na.y are not both node na. */
static enum ct_status check_differ(const struct ct_topology *topology, const char *const *hosts,
                                   size_t n, const uint32_t *vertex, struct ct_error *err)
{
    size_t *host_1 = calloc(topology->n_nodes, sizeof *host_1); /* 1 + host of a node */
    enum ct_status status = host_1 ? CT_OK : ct_no_memory(err, "places of hosts");
    for (size_t i = 0; i < n && status == CT_OK; i++) {
        size_t *other = &host_1[vertex[i]];
        if (*other > 0)
            status = ct_fail(err, CT_EINVAL, "%s: %s and %s, hosts of this run, are one node, %s",
                             topology->name, hosts[*other - 1], hosts[i],
                             ct_topology_name(topology, vertex[i]));
        *other = i + 1;
    }
    free(host_1);
    return status;
}

enum ct_status ct_topology_place(const struct ct_topology *topology, const char *const *hosts,
                                 size_t n, enum ct_places places, uint32_t *vertex,
                                 struct ct_error *err)
{
    if (topology->n_nodes < n)
        return ct_fail(err, CT_EINVAL, "%s: %u nodes; the run is on %zu", topology->name,
                       topology->n_nodes, n);
    for (size_t i = 0; i < n; i++)
        if (!find_host(topology, hosts[i], i, places, &vertex[i]) || vertex[i] >= topology->n_nodes)
            return ct_fail(err, CT_EINVAL, "%s: no node is called %s, as a host of this run",
                           topology->name, hosts[i]);
    return check_differ(topology, hosts, n, vertex, err);
}
