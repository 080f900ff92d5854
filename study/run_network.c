#include "study/run_network.h"

#include "core/argv.h"
#include "topology/places.h"
#include "topology/read.h"

#include <stdlib.h>
#include <string.h>

enum ct_status ct_run_network_topology(const struct ct_run_info *info,
                                       struct ct_topology *topology_p, struct ct_error *err)
{
    struct ct_topology_settings settings = ct_topology_defaults();
    const char *name = ct_run_text(info, CT_RUN_TOPOLOGY);
    const char *content = ct_run_text(info, CT_RUN_TOPOLOGY_TEXT);
    settings.n_nodes = (uint32_t)ct_run_count_hosts(info);
    settings.rate_bit_per_s = ct_run_number(info, CT_RUN_NODE_RATE);
    settings.uplink_bit_per_s = ct_run_number(info, CT_RUN_UPLINK_RATE);
    if (content)
        return ct_topology_parse(content, strlen(content), name ? name : "topology", topology_p,
                                 err);
    if (name && ct_topology_is_spec(name))
        return ct_topology_make(name, &settings, topology_p, err);
    return name ? ct_fail(err, CT_ENODATA,
                          "topology %s cannot be built again, since the run has not recorded its "
                          "file: give --topology",
                          name)
                : ct_fail(err, CT_ENODATA,
                          "the run has no topology: give --topology, or probe with impactb "
                          "--topology");
}

static enum ct_status build_network(const struct ct_run_info *info, const char *text,
                                    struct ct_topology *topology_p, struct ct_error *err)
{
    struct ct_topology_settings settings = ct_topology_defaults();
    settings.n_nodes = (uint32_t)ct_run_count_hosts(info);
    return text ? ct_topology_open(text, &settings, topology_p, err)
                : ct_run_network_topology(info, topology_p, err);
}

enum ct_status ct_run_network_open(const struct ct_run_info *info, const char *text,
                                   struct ct_run_network *network_p, struct ct_error *err)
{
    *network_p = (struct ct_run_network){0};
    CT_TRY(build_network(info, text, &network_p->topology, err));
    return ct_router_new(&network_p->topology, &network_p->router, err);
}

void ct_run_network_close(struct ct_run_network *network)
{
    ct_router_free(network->router);
    ct_topology_free(&network->topology);
    *network = (struct ct_run_network){0};
}

/* ---- hosts ---- */

/* Names of nodes that the run has recorded, if this topology has all of them. */
static bool take_recorded(const struct ct_topology *topology, const struct ct_argv *nodes,
                          size_t n_hosts, uint32_t *vertex)
{
    if (nodes->n != n_hosts)
        return false;
    for (size_t i = 0; i < n_hosts; i++)
        if (!ct_topology_find(topology, nodes->item[i], &vertex[i]) ||
            vertex[i] >= topology->n_nodes)
            return false;
    return true;
}

static bool find_host(const struct ct_argv *hosts, const char *name, size_t *i_p)
{
    for (size_t i = 0; i < hosts->n; i++)
        if (strcmp(hosts->item[i], name) == 0) {
            *i_p = i;
            return true;
        }
    return false;
}

static enum ct_status translate_hosts(const struct ct_run *run, const struct ct_argv *hosts,
                                      const uint32_t *vertex, struct ct_node_pair *pairs,
                                      struct ct_error *err)
{
    for (size_t p = 0; p < run->n_pairs; p++) {
        const struct ct_pair *pair = &run->pairs[p];
        size_t a, b;
        if (!find_host(hosts, pair->host_a, &a) || !find_host(hosts, pair->host_b, &b))
            return ct_fail(err, CT_EINVAL, "pair %zu: %s or %s is not among the hosts of the run",
                           p, pair->host_a, pair->host_b);
        if (a == b)
            return ct_fail(err, CT_EINVAL, "pair %zu: both ranks are on %s, with no link between",
                           p, pair->host_a);
        pairs[p] = (struct ct_node_pair){vertex[a], vertex[b]};
    }
    return CT_OK;
}

enum ct_status ct_run_network_pairs(const struct ct_run_network *network, const struct ct_run *run,
                                    struct ct_node_pair **pairs_p, struct ct_error *err)
{
    const char *recorded = ct_run_text(&run->info, CT_RUN_TOPOLOGY_NODES);
    struct ct_argv hosts = {0}, nodes = {0};
    enum ct_status status = ct_argv_split(&hosts, run->info.hosts, err);
    if (status == CT_OK)
        status = ct_argv_split(&nodes, recorded ? recorded : "", err);
    struct ct_node_pair *pairs = malloc((run->n_pairs + 1) * sizeof *pairs);
    uint32_t *vertex = malloc((hosts.n + 1) * sizeof *vertex);
    if (status == CT_OK && (!pairs || !vertex))
        status = ct_no_memory(err, "network of a run");
    if (status == CT_OK && !take_recorded(&network->topology, &nodes, hosts.n, vertex))
        status = ct_topology_place(&network->topology, (const char *const *)hosts.item, hosts.n,
                                   CT_PLACES_IN_ORDER, vertex, err);
    if (status == CT_OK)
        status = translate_hosts(run, &hosts, vertex, pairs, err);
    free(vertex);
    ct_argv_free(&hosts);
    ct_argv_free(&nodes);
    if (status == CT_OK)
        *pairs_p = pairs;
    else
        free(pairs);
    return status;
}
