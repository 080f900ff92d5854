#include "simulate/places.h"

#include "topology/hostlist.h"

#include <stdlib.h>

/* Number the nodes that some list has. */
static enum ct_status number_nodes(const struct ct_topology *topology,
                                   const struct ct_node_list *lists,
                                   struct ct_simulate_places *places, uint32_t *number,
                                   struct ct_error *err)
{
    for (size_t i = 0; i < places->n_programs; i++)
        for (uint32_t k = 0; k < lists[i].n; k++) {
            if (lists[i].nodes[k] >= topology->n_nodes)
                return ct_fail(err, CT_EINVAL, "node %u: %s has %u", lists[i].nodes[k],
                               topology->name, topology->n_nodes);
            number[lists[i].nodes[k]] = 1;
        }
    for (uint32_t node = 0; node < topology->n_nodes; node++)
        if (number[node] > 0) {
            number[node] = places->n_used;
            places->used[places->n_used++] = node;
        }
    return CT_OK;
}

static enum ct_status take_lists(const struct ct_node_list *lists, const uint32_t *number,
                                 struct ct_simulate_places *places, struct ct_error *err)
{
    for (size_t i = 0; i < places->n_programs; i++) {
        struct ct_node_list *of = &places->of[i];
        of->n = lists[i].n;
        of->nodes = malloc((of->n + (size_t)1) * sizeof *of->nodes);
        if (!of->nodes)
            return ct_no_memory(err, "places");
        for (uint32_t k = 0; k < of->n; k++)
            of->nodes[k] = number[lists[i].nodes[k]];
    }
    return CT_OK;
}

enum ct_status ct_simulate_places_new(const struct ct_topology *topology,
                                      const struct ct_node_list *lists, size_t n_programs,
                                      struct ct_simulate_places *places_p, struct ct_error *err)
{
    struct ct_simulate_places places = {
        .used = malloc((topology->n_nodes + (size_t)1) * sizeof(uint32_t)),
        .of = calloc(n_programs + 1, sizeof *places.of),
        .n_programs = n_programs};
    uint32_t *number = calloc(topology->n_nodes + (size_t)1, sizeof *number);
    enum ct_status status =
        places.used && places.of && number ? CT_OK : ct_no_memory(err, "places");
    if (status == CT_OK)
        status = number_nodes(topology, lists, &places, number, err);
    if (status == CT_OK)
        status = take_lists(lists, number, &places, err);
    free(number);
    if (status == CT_OK)
        *places_p = places;
    else
        ct_simulate_places_free(&places);
    return status;
}

void ct_simulate_places_free(struct ct_simulate_places *places)
{
    for (size_t i = 0; places->of && i < places->n_programs; i++)
        free(places->of[i].nodes);
    free(places->of);
    free(places->used);
    *places = (struct ct_simulate_places){0};
}

enum ct_status ct_simulate_places_first(const struct ct_topology *topology, uint32_t n,
                                        struct ct_node_list *list_p, struct ct_error *err)
{
    if (n > topology->n_nodes)
        return ct_fail(err, CT_EINVAL, "%u nodes: %s has %u", n, topology->name, topology->n_nodes);
    struct ct_node_list list = {malloc((n + (size_t)1) * sizeof *list.nodes), n};
    if (!list.nodes)
        return ct_no_memory(err, "places");
    for (uint32_t i = 0; i < n; i++)
        list.nodes[i] = i;
    *list_p = list;
    return CT_OK;
}

enum ct_status ct_simulate_places_named(const struct ct_topology *topology, const char *names,
                                        size_t length, struct ct_node_list *list_p,
                                        struct ct_error *err)
{
    struct ct_hostlist hosts = {0};
    struct ct_node_list list = {0};
    enum ct_status status = ct_hostlist_expand(names, length, &hosts, err);
    if (status == CT_OK) {
        list.n = (uint32_t)hosts.n;
        list.nodes = malloc((hosts.n + 1) * sizeof *list.nodes);
        if (!list.nodes)
            status = ct_no_memory(err, "places");
    }
    for (size_t i = 0; i < hosts.n && status == CT_OK; i++)
        if (!ct_topology_find_host(topology, hosts.names[i], &list.nodes[i]))
            status = ct_fail(err, CT_EINVAL, "'%.100s' is no node of %s", hosts.names[i],
                             topology->name);
    ct_hostlist_free(&hosts);
    if (status == CT_OK)
        *list_p = list;
    else
        free(list.nodes);
    return status;
}
