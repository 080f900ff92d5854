#include "topology/topology.h"

#include <stdlib.h>
#include <string.h>

enum { LABEL_MAX = 256 };

/* How many of by_name are before a name. */
static size_t count_before(const struct ct_topology *topology, const char *name)
{
    size_t lo = 0, hi = ct_topology_vertices(topology);
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (strcmp(ct_topology_name(topology, topology->by_name[middle]), name) < 0)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

bool ct_topology_find(const struct ct_topology *topology, const char *name, uint32_t *v_p)
{
    size_t i = count_before(topology, name);
    if (i == ct_topology_vertices(topology) ||
        strcmp(ct_topology_name(topology, topology->by_name[i]), name) != 0)
        return false;
    *v_p = topology->by_name[i];
    return true;
}

static bool find_node(const struct ct_topology *topology, const char *name, uint32_t *node_p)
{
    uint32_t v;
    if (!ct_topology_find(topology, name, &v) || v >= topology->n_nodes)
        return false;
    *node_p = v;
    return true;
}

/* The node whose name is a host's and a domain; more than one: it is not known which. */
static bool find_with_domain(const struct ct_topology *topology, const char *host, uint32_t *node_p)
{
    char label[LABEL_MAX];
    size_t length = strlen(host), n = 0;
    if (length + 2 > sizeof label)
        return false;
    memcpy(label, host, length);
    memcpy(label + length, ".", 2);
    uint32_t node = 0;
    for (size_t i = count_before(topology, label); i < ct_topology_vertices(topology); i++) {
        uint32_t v = topology->by_name[i];
        if (strncmp(ct_topology_name(topology, v), label, length + 1) != 0)
            break;
        if (v < topology->n_nodes) {
            node = v;
            n++;
        }
    }
    if (n == 1)
        *node_p = node;
    return n == 1;
}

bool ct_topology_find_host(const struct ct_topology *topology, const char *host, uint32_t *node_p)
{
    size_t length = strcspn(host, ".");
    if (find_node(topology, host, node_p))
        return true;
    /* 10.0.0.1 is no host 10 with a domain. */
    if (length == 0 || length >= LABEL_MAX || host[strspn(host, "0123456789.")] == '\0')
        return false;
    if (host[length] == '\0')
        return find_with_domain(topology, host, node_p);
    char label[LABEL_MAX];
    memcpy(label, host, length);
    label[length] = '\0';
    return find_node(topology, label, node_p);
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
    free(topology->notes);
    *topology = (struct ct_topology){0};
}
