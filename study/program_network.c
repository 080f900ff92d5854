#include "study/program_network.h"

#include "simulate/routes.h"
#include "study/run_network.h"
#include "topology/builder.h"
#include "topology/places.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Lists of nodes: of the applications, and of what is beside them. */
struct lists {
    struct ct_node_list *of; /* n */
    size_t n;
};

static bool is_baseline(const struct ct_run_info *info, const char *app)
{
    return info->kind == CT_RUN_RUNTIME && !*info->with && !info->has_config &&
           !strcmp(info->app, app);
}

/* The first run with a fact. @return whether there is one */
static bool find_fact(const struct ct_run_list *list, const char *key,
                      const struct ct_run_info **info_p)
{
    for (size_t i = 0; i < list->n_entries; i++)
        if (ct_run_text(&list->entries[i].info, key)) {
            *info_p = &list->entries[i].info;
            return true;
        }
    return false;
}

/* The first run with a topology, one with rates if there is any: probes record none. */
static bool find_topology(const struct ct_run_list *list, const struct ct_run_info **info_p)
{
    for (size_t i = 0; i < list->n_entries; i++) {
        const struct ct_run_info *info = &list->entries[i].info;
        if (ct_run_text(info, CT_RUN_TOPOLOGY) && ct_run_number(info, CT_RUN_NODE_RATE) > 0) {
            *info_p = info;
            return true;
        }
    }
    return find_fact(list, CT_RUN_TOPOLOGY, info_p);
}

static bool has_rates(const struct ct_topology *topology)
{
    for (uint32_t i = 0; i < topology->n_links; i++)
        if (!(topology->links[i].rate_bit_per_s > 0))
            return false;
    return true;
}

static enum ct_status open_topology(const struct ct_run_info *info, struct ct_topology *topology_p,
                                    struct ct_error *why)
{
    CT_TRY(ct_run_network_topology(info, topology_p, why));
    if (!has_rates(topology_p))
        return ct_fail(why, CT_ENODATA, "the rates of its links are not recorded");
    return CT_OK;
}

static bool has_word(const struct ct_argv *words, const char *word)
{
    for (size_t i = 0; i < words->n; i++)
        if (!strcmp(words->item[i], word))
            return true;
    return false;
}

/* Add the hosts that are not there yet. names: NULL for none */
static enum ct_status add_hosts(struct ct_argv *hosts, const char *names, struct ct_error *why)
{
    struct ct_argv words = {0};
    enum ct_status status = ct_argv_split(&words, names ? names : "", why);
    for (size_t i = 0; i < words.n && status == CT_OK; i++)
        if (!has_word(hosts, words.item[i]))
            ct_argv_add(hosts, "%s", words.item[i]);
    ct_argv_free(&words);
    return hosts->failed ? CT_ENOMEM : status;
}

/* One switch with all hosts, which separates the two sides of a placement. */
static enum ct_status build_switch(const struct ct_argv *hosts, struct ct_topology *topology_p,
                                   struct ct_error *why)
{
    static const uint32_t line = 1; /* names are given, not generated */
    struct ct_topology_builder *builder = ct_topology_builder_new("one switch");
    struct ct_link link = {.rate_bit_per_s = NAN, .latency_s = NAN, .line = line};
    enum ct_status status = builder ? CT_OK : CT_ENOMEM;
    for (size_t i = 0; i < hosts->n && status == CT_OK; i++)
        status = ct_topology_add(builder, CT_ROLE_NODE, hosts->item[i], line, NULL, why);
    if (status == CT_OK)
        status = ct_topology_add(builder, CT_ROLE_SWITCH, "the switch", line, &link.end[1], why);
    for (size_t i = 0; i < hosts->n && status == CT_OK; i++) {
        link.end[0] = (uint32_t)i;
        status = ct_topology_connect(builder, &link, why);
    }
    if (status == CT_OK)
        return ct_topology_build(builder, topology_p, why);
    ct_topology_builder_free(builder);
    return status;
}

static enum ct_status open_switch(const struct ct_run_list *list, struct ct_topology *topology_p,
                                  struct ct_error *why)
{
    struct ct_argv hosts = {0};
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < list->n_entries && status == CT_OK; i++) {
        const struct ct_run_info *info = &list->entries[i].info;
        if (info->kind == CT_RUN_RUNTIME)
            status = add_hosts(&hosts, info->hosts, why);
        if (status == CT_OK)
            status = add_hosts(&hosts, ct_run_text(info, CT_RUN_PLACEMENT_WITH), why);
    }
    if (status == CT_OK)
        status = build_switch(&hosts, topology_p, why);
    ct_argv_free(&hosts);
    return status;
}

/* Names with blanks between: hosts of a lab, or nodes of a topology from a file. */
static enum ct_status find_nodes(const struct ct_topology *topology, const char *names,
                                 struct ct_node_list *list, struct ct_error *why)
{
    struct ct_argv hosts = {0};
    enum ct_status status = ct_argv_split(&hosts, names, why);
    list->nodes = malloc((hosts.n + 1) * sizeof *list->nodes);
    if (status == CT_OK && !list->nodes)
        status = CT_ENOMEM;
    if (status == CT_OK && hosts.n == 0)
        status = ct_fail(why, CT_ENODATA, "the hosts of a run are not recorded");
    /* One by one: a name may come twice, for a host of two ranks. */
    for (size_t i = 0; i < hosts.n && status == CT_OK; i++) {
        const char *host = hosts.item[i];
        status =
            ct_topology_place(topology, &host, 1, CT_PLACES_OF_LAB, &list->nodes[list->n++], why);
    }
    ct_argv_free(&hosts);
    return status;
}

static enum ct_status find_app(const struct ct_run_list *list, const char *app,
                               const struct ct_topology *topology, struct ct_node_list *nodes,
                               struct ct_error *why)
{
    for (size_t i = 0; i < list->n_entries; i++)
        if (is_baseline(&list->entries[i].info, app))
            return find_nodes(topology, list->entries[i].info.hosts, nodes, why);
    /* It has no baseline, so that nothing is predicted for it: any node will do. */
    return ct_simulate_places_first(topology, 1, nodes, why);
}

static bool are_same(const struct lists *lists)
{
    const struct ct_node_list *last = &lists->of[lists->n - 1];
    for (size_t i = 0; i + 1 < lists->n; i++)
        if (lists->of[i].n != last->n ||
            memcmp(lists->of[i].nodes, last->nodes, last->n * sizeof *last->nodes) != 0)
            return false;
    return true;
}

static enum ct_status find_lists(const struct ct_run_list *list, const struct ct_study *study,
                                 struct ct_program_network *network, struct lists *lists,
                                 struct ct_error *why)
{
    size_t n_apps = study->measured.n_apps;
    const struct ct_run_info *beside = NULL;
    bool has_beside = find_fact(list, CT_RUN_PLACEMENT_WITH, &beside);
    enum ct_status status = CT_OK;
    for (size_t app = 0; app < n_apps && status == CT_OK; app++)
        status = find_app(list, ct_study_app(study, app), &network->topology, &lists->of[app], why);
    if (status == CT_OK && has_beside)
        status = find_nodes(&network->topology, ct_run_text(beside, CT_RUN_PLACEMENT_WITH),
                            &lists->of[n_apps], why);
    else if (status == CT_OK)
        status = ct_simulate_places_first(&network->topology, 1, &lists->of[n_apps], why);
    network->has_background = status == CT_OK && has_beside && !are_same(lists);
    return status;
}

/* Whether there are routes from the first node to all others, and back. */
static enum ct_status check_routes(const struct ct_program_network *network, struct ct_error *why)
{
    const struct ct_simulate_network_setup setup = {.topology = &network->topology,
                                                    .nodes = network->places.used,
                                                    .n_nodes = network->places.n_used,
                                                    .injection_ns_per_byte = 1,
                                                    .link_ns_per_byte = NAN};
    struct ct_routes *routes;
    struct ct_path path;
    CT_TRY(ct_routes_new(&setup, &routes, why));
    enum ct_status status = CT_OK;
    for (uint32_t i = 1; i < setup.n_nodes && status == CT_OK; i++) {
        status = ct_routes_find(routes, 0, i, &path, why);
        if (status == CT_OK)
            status = ct_routes_find(routes, i, 0, &path, why);
    }
    ct_routes_free(routes);
    return status;
}

static enum ct_status find_places(const struct ct_run_list *list, const struct ct_study *study,
                                  struct ct_program_network *network, struct ct_error *why)
{
    struct lists lists = {.n = study->measured.n_apps + 1};
    lists.of = calloc(lists.n, sizeof *lists.of);
    enum ct_status status = lists.of ? CT_OK : CT_ENOMEM;
    if (status == CT_OK)
        status = find_lists(list, study, network, &lists, why);
    if (status == CT_OK)
        status =
            ct_simulate_places_new(&network->topology, lists.of, lists.n, &network->places, why);
    for (size_t i = 0; lists.of && i < lists.n; i++)
        free(lists.of[i].nodes);
    free(lists.of);
    return status == CT_OK ? check_routes(network, why) : status;
}

enum ct_status ct_program_network_find(const struct ct_run_list *list, const struct ct_study *study,
                                       struct ct_argv *notes, struct ct_program_network *network_p,
                                       struct ct_error *err)
{
    struct ct_program_network network = {.has_background = false};
    const struct ct_run_info *info = NULL, *placed = NULL;
    bool is_known = find_topology(list, &info);
    bool is_placed = find_fact(list, CT_RUN_PLACEMENT_WITH, &placed);
    struct ct_error why;
    enum ct_status status = CT_OK;
    if (is_known)
        status = open_topology(info, &network.topology, &why);
    else if (is_placed)
        status = open_switch(list, &network.topology, &why);
    if ((is_known || is_placed) && status == CT_OK)
        status = find_places(list, study, &network, &why);
    if (status == CT_ENOMEM) {
        ct_program_network_free(&network);
        return ct_no_memory(err, "network");
    }
    if (status != CT_OK) {
        ct_argv_add(notes,
                    "'packets' takes the network%s%s for one switch with all programs on the "
                    "same hosts: %s",
                    is_known ? " " : "", is_known ? ct_run_text(info, CT_RUN_TOPOLOGY) : "",
                    why.text);
        ct_program_network_free(&network);
    }
    *network_p = network;
    return CT_OK;
}

void ct_program_network_free(struct ct_program_network *network)
{
    ct_simulate_places_free(&network->places);
    ct_topology_free(&network->topology);
    network->has_background = false;
}

struct ct_simulate_place ct_program_network_place(const struct ct_program_network *network,
                                                  size_t app, uint32_t ranks_per_node)
{
    struct ct_simulate_place place = ct_simulate_blocks(ranks_per_node);
    if (network->places.n_used > 0) {
        place.nodes = network->places.of[app].nodes;
        place.n_nodes = network->places.of[app].n;
    }
    return place;
}

struct ct_simulate_place ct_program_network_place_beside(const struct ct_program_network *network,
                                                         uint32_t ranks)
{
    const struct ct_node_list *nodes = &network->places.of[network->places.n_programs - 1];
    return (struct ct_simulate_place){.ranks_per_node = (ranks + nodes->n - 1) / nodes->n,
                                      .nodes = nodes->nodes,
                                      .n_nodes = nodes->n};
}
