#include "study/program_network.h"

#include "core/units.h"
#include "study/parameters.h"
#include "topology/spec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fact of a run: hosts of the programs beside the measured one, where these are a list of their
 * own. */
static const char beside_hosts[] = "placement_with_hosts";

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

/* The first run with a fact. */
static const struct ct_run_info *find_fact(const struct ct_run_list *list, const char *key)
{
    for (size_t i = 0; i < list->n_entries; i++)
        if (ct_run_text(&list->entries[i].info, key))
            return &list->entries[i].info;
    return NULL;
}

static enum ct_status open_topology(const struct ct_run_info *info, struct ct_topology *topology_p,
                                    struct ct_error *why)
{
    struct ct_topology_settings settings = ct_topology_defaults();
    settings.rate_bit_per_s = ct_run_number(info, CT_RUN_NODE_RATE);
    settings.uplink_bit_per_s = ct_run_number(info, CT_RUN_UPLINK_RATE);
    if (!(settings.rate_bit_per_s > 0) || !(settings.uplink_bit_per_s > 0))
        return ct_fail(why, CT_ENODATA, "the rates of its links are not recorded");
    return ct_topology_make(ct_run_text(info, CT_RUN_TOPOLOGY), &settings, topology_p, why);
}

/* Host h1 of a lab is the first node, and so on; other names are in the topology. */
static bool find_node(const struct ct_topology *topology, const char *name, size_t length,
                      uint32_t *node_p)
{
    char text[CT_HOST_MAX];
    uint64_t number;
    if (length >= sizeof text)
        return false;
    memcpy(text, name, length);
    text[length] = '\0';
    if (ct_topology_find(topology, text, node_p))
        return *node_p < topology->n_nodes;
    if (text[0] != 'h' || ct_parse_u64(text + 1, &number, NULL) != CT_OK || number < 1 ||
        number > topology->n_nodes)
        return false;
    *node_p = (uint32_t)number - 1;
    return true;
}

/* Names with blanks between. */
static enum ct_status find_nodes(const struct ct_topology *topology, const char *names,
                                 struct ct_node_list *list, struct ct_error *why)
{
    list->nodes = malloc((strlen(names) + 1) * sizeof *list->nodes);
    if (!list->nodes)
        return CT_ENOMEM;
    for (const char *at = names + strspn(names, " "); *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        if (!find_node(topology, at, length, &list->nodes[list->n++]))
            return ct_fail(why, CT_ENODATA, "host '%.*s' is not in it", (int)length, at);
        at += length;
    }
    return list->n > 0 ? CT_OK : ct_fail(why, CT_ENODATA, "the hosts of a run are not recorded");
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

static enum ct_status find_lists(const struct ct_run_list *list, const struct ct_study *study,
                                 struct ct_program_network *network, struct lists *lists,
                                 struct ct_error *why)
{
    size_t n_apps = study->measured.n_apps;
    const struct ct_run_info *beside = find_fact(list, beside_hosts);
    enum ct_status status = CT_OK;
    for (size_t app = 0; app < n_apps && status == CT_OK; app++)
        status = find_app(list, ct_study_app(study, app), &network->topology, &lists->of[app], why);
    network->has_background = beside != NULL;
    if (status == CT_OK && beside)
        status = find_nodes(&network->topology, ct_run_text(beside, beside_hosts),
                            &lists->of[n_apps], why);
    else if (status == CT_OK)
        status = ct_simulate_places_first(&network->topology, 1, &lists->of[n_apps], why);
    return status;
}

static enum ct_status find_paths(const struct ct_run_list *list, const struct ct_study *study,
                                 double model_G_s, struct ct_program_network *network,
                                 struct ct_error *why)
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
    const struct ct_simulate_paths_setup setup = {.topology = &network->topology,
                                                  .nodes = network->places.used,
                                                  .n_nodes = network->places.n_used,
                                                  .ns_per_byte = ct_ns_from_s(model_G_s),
                                                  .wire_ns = NAN,
                                                  .switch_ns = NAN};
    return status == CT_OK ? ct_simulate_paths_of_topology(&setup, &network->paths, why) : status;
}

enum ct_status ct_program_network_find(const struct ct_run_list *list, const struct ct_study *study,
                                       double model_G_s, struct ct_argv *notes,
                                       struct ct_program_network *network_p, struct ct_error *err)
{
    struct ct_program_network network = {.has_background = false};
    const struct ct_run_info *info = find_fact(list, CT_RUN_TOPOLOGY);
    struct ct_error why;
    enum ct_status status = info ? open_topology(info, &network.topology, &why) : CT_OK;
    if (info && status == CT_OK)
        status = find_paths(list, study, model_G_s, &network, &why);
    if (status == CT_ENOMEM) {
        ct_program_network_free(&network);
        return ct_fail(err, CT_ENOMEM, "network: out of memory");
    }
    if (status != CT_OK) {
        ct_argv_add(notes, "'simulated' takes the topology '%s' for one switch: %s",
                    ct_run_text(info, CT_RUN_TOPOLOGY), why.text);
        ct_program_network_free(&network);
    }
    *network_p = network;
    return CT_OK;
}

void ct_program_network_free(struct ct_program_network *network)
{
    ct_simulate_paths_free(&network->paths);
    ct_simulate_places_free(&network->places);
    ct_topology_free(&network->topology);
    network->has_background = false;
}

struct ct_simulate_place ct_program_network_place(const struct ct_program_network *network,
                                                  size_t app, uint32_t ranks_per_node)
{
    struct ct_simulate_place place = ct_simulate_blocks(ranks_per_node);
    if (network->paths.n_nodes > 0) {
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
