#include "cli/place_nodes.h"

#include "cli/topology_options.h"
#include "core/host_file.h"
#include "delay/latency.h"
#include "lp-bridge/place/network.h"
#include "simulate/constants.h"
#include "topology/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct ct_option ct_place_node_options[] = {
    {CT_OPTION(STRING, "matrix", struct ct_place_settings, matrix), .argument = "FILE",
     .help = "latency of each pair of nodes, in addition to L: a row for each sender and a column "
             "for each receiver, as crosstalk-delay(1) has it for ranks; at most 256 nodes"},
    {CT_OPTION(STRING, "hosts", struct ct_place_settings, hosts), .argument = "FILE",
     .help = "names of the nodes that there are, a line each: with --topology, those of its nodes "
             "that may be used, or, if it has none of these names, its first nodes; else as many "
             "as there are nodes"},
    {CT_OPTION(STRING, "compare", struct ct_place_settings, compare), .argument = "HOSTFILE",
     .help = "a mapping to compare with, and to start from: the host of each rank, a line each, as "
             "--format hostfile writes it"},
    {CT_OPTION(FLAG, "shared-links", struct ct_place_settings, shared_links),
     .help = "messages wait for each other on the links of --topology: judge mappings by a "
             "simulation of the program on it"},
    {CT_OPTION(SIZE, "packet", struct ct_place_settings, packet_bytes), .initial = "4KiB",
     CT_RANGE(1, 1 << 30),
     .help = "largest packet, with --shared-links. Larger ones take less time to simulate; a short "
             "message then waits behind them at ports"},
    CT_ROW_SPINES(struct ct_place_settings, spines),
    CT_ROW_RATE(struct ct_place_settings, rate_bit_per_s),
    CT_ROW_UPLINK(struct ct_place_settings, uplink_bit_per_s),
    {0}};

enum ct_status ct_place_nodes_check(const struct ct_place_settings *settings, struct ct_error *err)
{
    const char *const ways[] = {settings->machine.pairs_path, settings->machine.wires.topology,
                                settings->matrix};
    size_t n = 0;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        n += ways[i] != NULL;
    if (n != 1)
        return ct_fail(err, CT_EUSAGE,
                       "--pairs, --topology, --matrix: give one of them: how far nodes are from "
                       "each other, such as --topology tree:2x8 --wire 274ns --switch 108ns --G "
                       "12GB/s, or --pairs FILE.h5 of logpb --pairs");
    if (settings->shared_links && !settings->machine.wires.topology)
        return ct_fail(err, CT_EUSAGE, "--shared-links: needs --topology, to know the links");
    bool has_packets =
        settings->packet_bytes != (size_t)ct_simulate_constant(CT_SIMULATE_NETWORK_PACKET);
    if (!settings->shared_links && has_packets)
        return ct_fail(err, CT_EUSAGE, "--packet: needs --shared-links, to simulate packets");
    bool of_topology = settings->spines > 0 || !isnan(settings->rate_bit_per_s) ||
                       !isnan(settings->uplink_bit_per_s);
    if (of_topology && !settings->machine.wires.topology)
        return ct_fail(err, CT_EUSAGE, "--spines, --rate, --uplink: need --topology");
    bool has_rate = !isnan(settings->rate_bit_per_s) || !isnan(settings->uplink_bit_per_s);
    if (has_rate && !settings->shared_links)
        return ct_fail(err, CT_EUSAGE,
                       "--rate, --uplink: need --shared-links; else only latencies of links count");
    enum ct_status status =
        of_topology
            ? ct_topology_options_check("--spines, --rate, --uplink",
                                        settings->machine.wires.topology, settings->spines > 0, err)
            : CT_OK;
    if (settings->machine.pairs_path || status != CT_OK)
        return status;
    return ct_wire_check(&settings->machine.wires, &settings->machine.model, CT_WIRE_OR_CLASSES,
                         err);
}

/* ---- before the graph ---- */

static enum ct_status open_pairs(const struct ct_place_settings *settings,
                                 struct ct_place_nodes *nodes, struct ct_argv *names,
                                 struct ct_error *err)
{
    struct ct_pair_parameters parameters = {.hosts = NULL};
    CT_TRY(ct_pair_settings_read(&settings->machine, &parameters, &nodes->model, err));
    nodes->from = settings->machine.pairs_path;
    nodes->o_differs = true;
    nodes->pairs = parameters.pairs;
    parameters.pairs = (struct ct_pairs){0};
    enum ct_status status = ct_argv_split(names, parameters.hosts, err);
    ct_pair_parameters_free(&parameters);
    return status;
}

enum ct_status ct_place_nodes_open(const struct ct_place_settings *settings,
                                   struct ct_place_nodes *nodes_p, struct ct_error *err)
{
    struct ct_argv names = {0};
    *nodes_p = (struct ct_place_nodes){.model = ct_parameters_none()};
    if (!settings->machine.pairs_path) {
        struct ct_model_settings model = settings->machine.model;
        /* The matrix is all of the latency if nothing else is given. */
        bool adds_to_L = ct_wire_adds_to_L(&settings->machine.wires, &model);
        bool needs_L = settings->matrix && (model.L || model.logp_path || model.posterior_path);
        nodes_p->from = settings->matrix ? settings->matrix : settings->machine.wires.topology;
        enum ct_status status =
            ct_model_parameters(&model, needs_L || adds_to_L, &nodes_p->model, err);
        return status == CT_OK && adds_to_L
                   ? ct_wire_demand_classes(&nodes_p->model.paths, model.logp_path, err)
                   : status;
    }
    enum ct_status status = open_pairs(settings, nodes_p, &names, err);
    uint32_t n = nodes_p->pairs.n_places;
    /* The hosts of a run count as names of its nodes if there are as many; of one host, nodes are
     * cores. */
    if (status == CT_OK && (names.n == n || names.n == 1)) {
        nodes_p->names = calloc(n, sizeof *nodes_p->names);
        nodes_p->named = true;
        for (uint32_t i = 0; i < n && nodes_p->names; i++)
            if (!(nodes_p->names[i] = strdup(names.item[names.n == 1 ? 0 : i])))
                status = ct_no_memory(err, "nodes");
        if (!nodes_p->names)
            status = ct_no_memory(err, "nodes");
    }
    ct_argv_free(&names);
    return status;
}

/* ---- names ---- */

static enum ct_status take_names(struct ct_place_nodes *nodes, char *const *names,
                                 struct ct_error *err)
{
    uint32_t n = nodes->pairs.n_places;
    if (!nodes->names)
        nodes->names = calloc(n + (size_t)1, sizeof *nodes->names);
    if (!nodes->names)
        return ct_no_memory(err, "nodes");
    for (uint32_t i = 0; i < n; i++) {
        char *name = names ? strdup(names[i]) : NULL;
        if (!names && asprintf(&name, "node%u", i) < 0)
            name = NULL;
        if (!name)
            return ct_no_memory(err, "nodes");
        free(nodes->names[i]);
        nodes->names[i] = name;
    }
    nodes->named = names != NULL;
    return CT_OK;
}

/* ---- a topology ---- */

/* Names with and without a domain may be those of one node. */
static enum ct_status check_nodes(const struct ct_topology *topology, const struct ct_argv *hosts,
                                  const char *path, const uint32_t *found, struct ct_error *err)
{
    bool *seen = calloc(topology->n_nodes, sizeof *seen);
    enum ct_status status = seen ? CT_OK : ct_no_memory(err, "nodes");
    for (size_t i = 0; i < hosts->n && status == CT_OK; i++) {
        if (seen[found[i]])
            status = ct_fail(err, CT_EINVAL, "%s: '%s' is node %s, which is there twice", path,
                             hosts->item[i], ct_topology_name(topology, found[i]));
        seen[found[i]] = true;
    }
    free(seen);
    return status;
}

/* The nodes of these names; if the topology has none of them, its first ones. */
static enum ct_status find_hosts(const struct ct_topology *topology, const struct ct_argv *hosts,
                                 const char *path, uint32_t *found, struct ct_error *err)
{
    size_t n_found = 0, missing = 0;
    for (size_t i = 0; i < hosts->n; i++) {
        bool is_node = ct_topology_find_host(topology, hosts->item[i], &found[i]);
        n_found += is_node;
        missing = is_node ? missing : i;
    }
    if (n_found == hosts->n)
        return check_nodes(topology, hosts, path, found, err);
    if (n_found > 0)
        return ct_fail(err, CT_EINVAL, "%s: '%s' is not a node of %s, others are", path,
                       hosts->item[missing], topology->name);
    if (hosts->n > topology->n_nodes)
        return ct_fail(err, CT_EINVAL, "%s: %zu names, but %s has %u nodes", path, hosts->n,
                       topology->name, topology->n_nodes);
    for (size_t i = 0; i < hosts->n; i++)
        found[i] = (uint32_t)i;
    return CT_OK;
}

/* The nodes that ranks may be on; all of the topology if found is NULL. */
static enum ct_status keep_nodes(const uint32_t *found, struct ct_place_nodes *nodes,
                                 struct ct_error *err)
{
    uint32_t n = nodes->pairs.n_places;
    nodes->used = malloc((n + (size_t)1) * sizeof *nodes->used);
    if (!nodes->used)
        return ct_no_memory(err, "nodes");
    for (uint32_t i = 0; i < n; i++)
        nodes->used[i] = found ? found[i] : i;
    return CT_OK;
}

static enum ct_status find_in_topology(const struct ct_place_settings *settings, uint32_t n_ranks,
                                       struct ct_place_nodes *nodes, struct ct_argv *hosts,
                                       struct ct_error *err)
{
    const struct ct_wire_settings *wires = &settings->machine.wires;
    struct ct_topology_settings given = ct_topology_defaults();
    struct ct_topology topology;
    uint32_t *found = NULL;
    given.n_nodes = (uint32_t)((n_ranks + wires->ranks_per_node - 1) / wires->ranks_per_node);
    given.spines = (uint32_t)settings->spines;
    given.rate_bit_per_s = settings->rate_bit_per_s;
    given.uplink_bit_per_s = settings->uplink_bit_per_s;
    CT_TRY(ct_topology_open(wires->topology, &given, &topology, err));
    enum ct_status status = CT_OK;
    if (hosts->n > 0) {
        found = calloc(hosts->n, sizeof *found);
        /* Resource managers write a line for each core of a host. */
        status = found && ct_host_unite(hosts) ? CT_OK : ct_no_memory(err, "nodes");
        if (status == CT_OK)
            status = find_hosts(&topology, hosts, settings->hosts, found, err);
    }
    const struct ct_wires_setup setup = {
        .topology = &topology,
        .ranks_per_node = (uint32_t)wires->ranks_per_node,
        .switch_ns = isnan(wires->switch_s) ? 0 : ct_ns_from_s(wires->switch_s),
        .L_node_ns = isnan(wires->L_node_s) ? 0 : ct_ns_from_s(wires->L_node_s),
        .G_node_ns_per_byte =
            isnan(wires->G_node_s_per_byte) ? 0 : ct_ns_from_s(wires->G_node_s_per_byte),
        .by_switches = nodes->model.paths};
    const struct ct_loggps at = ct_parameters_at(
        &nodes->model, nodes->model.paths.n > 1 ? nodes->model.L_s : wires->wire_s);
    if (status == CT_OK)
        status = ct_place_network(&setup, &at, found, (uint32_t)hosts->n, &nodes->pairs, err);
    if (status == CT_OK && settings->shared_links)
        status = keep_nodes(found, nodes, err);
    nodes->has_latencies = ct_link_latency_is_given(&topology);
    for (uint32_t v = 0; v < topology.n_nodes && status == CT_OK && !found; v++)
        ct_argv_add(hosts, "%s", ct_topology_name(&topology, v));
    if (hosts->failed)
        status = ct_no_memory(err, "nodes");
    free(found);
    if (settings->shared_links)
        nodes->topology = topology;
    else
        ct_topology_free(&topology);
    return status;
}

/* ---- a matrix ---- */

static enum ct_status take_matrix(const struct ct_place_settings *settings,
                                  struct ct_place_nodes *nodes, struct ct_error *err)
{
    const struct ct_wire_settings *wires = &settings->machine.wires;
    struct ct_delay_latency latency = {0};
    CT_TRY(ct_delay_matrix_read(settings->matrix, &latency, err));
    uint32_t n = (uint32_t)latency.n_ranks;
    double L_s = isnan(nodes->model.L_s) ? 0 : nodes->model.L_s;
    const struct ct_loggps at = ct_parameters_at(&nodes->model, L_s);
    struct ct_pairs pairs = {.n_places = n,
                             .ranks_per_place = (uint32_t)wires->ranks_per_node,
                             .class_of = calloc((size_t)n * n, sizeof *pairs.class_of),
                             .classes = calloc((size_t)n * n, sizeof *pairs.classes),
                             .n_classes = n * n,
                             .o_self_ns = at.o_ns};
    for (uint32_t i = 0; i < n * n && pairs.class_of && pairs.classes; i++) {
        pairs.class_of[i] = i;
        pairs.classes[i] = at;
        pairs.classes[i].L_ns += (double)ct_delay_latency_ns(&latency, i / n, i % n);
        if (i / n == i % n && wires->ranks_per_node > 1)
            pairs.classes[i] = (struct ct_loggps){at.o_ns, ct_ns_from_s(wires->L_node_s),
                                                  ct_ns_from_s(wires->G_node_s_per_byte)};
    }
    enum ct_status status = CT_OK;
    if (!pairs.class_of || !pairs.classes)
        status = ct_no_memory(err, "nodes");
    nodes->pairs = pairs;
    free(latency.matrix_ns);
    return status;
}

/* ---- all of it ---- */

enum ct_status ct_place_nodes_find(const struct ct_place_settings *settings, uint32_t n_ranks,
                                   struct ct_place_nodes *nodes, struct ct_error *err)
{
    struct ct_argv hosts = {0};
    enum ct_status status =
        settings->hosts ? ct_host_file_read(settings->hosts, &hosts, err) : CT_OK;
    if (status == CT_OK && settings->machine.wires.topology)
        status = find_in_topology(settings, n_ranks, nodes, &hosts, err);
    else if (status == CT_OK && settings->matrix)
        status = take_matrix(settings, nodes, err);
    if (status == CT_OK && settings->hosts && hosts.n != nodes->pairs.n_places)
        status = ct_fail(err, CT_EINVAL, "%s: %zu names, but %s has %u nodes", settings->hosts,
                         hosts.n, nodes->from, nodes->pairs.n_places);
    if (status == CT_OK && (hosts.n > 0 || !nodes->named))
        status = take_names(nodes, hosts.n > 0 ? hosts.item : NULL, err);
    ct_argv_free(&hosts);
    return status;
}

/* What the nodes of a host are called: as the host, or with or without a domain, if the nodes that
   this may be have one name. NULL: there are none. */
static const char *name_of_nodes(const struct ct_place_nodes *nodes, const char *host)
{
    const char *name = NULL;
    bool is_one = true;
    for (uint32_t node = 0; node < nodes->pairs.n_places; node++) {
        const char *of_node = nodes->names[node];
        if (strcmp(of_node, host) == 0)
            return of_node;
        if (!ct_host_is_same(of_node, host))
            continue;
        is_one = is_one && (!name || strcmp(name, of_node) == 0);
        name = of_node;
    }
    return is_one ? name : NULL;
}

/* The first node of this host that has room; n_places: there is none. */
static uint32_t node_with_room(const struct ct_place_nodes *nodes, const char *host,
                               const uint32_t *used)
{
    const char *name = name_of_nodes(nodes, host);
    uint32_t node = name ? 0 : nodes->pairs.n_places;
    while (node < nodes->pairs.n_places &&
           (strcmp(nodes->names[node], name) != 0 || used[node] == nodes->pairs.ranks_per_place))
        node++;
    return node;
}

static enum ct_status find_mapping(const struct ct_place_nodes *nodes, const struct ct_argv *hosts,
                                   const char *path, uint32_t *mapping, uint32_t *used,
                                   struct ct_error *err)
{
    for (size_t r = 0; r < hosts->n; r++) {
        mapping[r] = node_with_room(nodes, hosts->item[r], used);
        if (mapping[r] == nodes->pairs.n_places)
            return ct_fail(err, CT_EINVAL, "%s: no node '%s' with room for rank %zu", path,
                           hosts->item[r], r);
        used[mapping[r]]++;
    }
    return CT_OK;
}

enum ct_status ct_place_nodes_compare(const struct ct_place_settings *settings, uint32_t n_ranks,
                                      const struct ct_place_nodes *nodes, uint32_t **mapping_p,
                                      struct ct_error *err)
{
    struct ct_argv hosts = {0};
    uint32_t *mapping = NULL, *used = NULL;
    if (!settings->compare)
        return CT_OK;
    enum ct_status status = ct_host_file_read(settings->compare, &hosts, err);
    if (status == CT_OK && hosts.n != n_ranks)
        status = ct_fail(err, CT_EINVAL, "%s: %zu hosts for %u ranks", settings->compare, hosts.n,
                         n_ranks);
    if (status == CT_OK) {
        mapping = calloc(n_ranks + (size_t)1, sizeof *mapping);
        used = calloc(nodes->pairs.n_places, sizeof *used);
        status = mapping && used
                     ? find_mapping(nodes, &hosts, settings->compare, mapping, used, err)
                     : ct_no_memory(err, "nodes");
    }
    free(used);
    ct_argv_free(&hosts);
    if (status == CT_OK)
        *mapping_p = mapping;
    else
        free(mapping);
    return status;
}

void ct_place_nodes_free(struct ct_place_nodes *nodes)
{
    for (uint32_t i = 0; nodes->names && i < nodes->pairs.n_places; i++)
        free(nodes->names[i]);
    free(nodes->names);
    nodes->names = NULL;
    ct_pairs_free(&nodes->pairs);
    ct_topology_free(&nodes->topology);
    free(nodes->used);
    ct_parameters_free(&nodes->model);
}
