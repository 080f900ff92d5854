#include "cli/wire_options.h"

#include "topology/read.h"
#include "topology/spec.h"

#include <math.h>
#include <stdlib.h>

const struct ct_option ct_wire_options[] = {
    {CT_OPTION(STRING, "topology", struct ct_wire_settings, topology), .argument = "SPEC|FILE",
     .help =
         "the network between nodes, such as fat-tree:16x3, dragonfly:8,4,8, switch, or a file; "
         "see crosstalk-topology(1). L of two ranks is then (h + 1) wires and h switches, h the "
         "switches between their nodes, or that of --logp, a run of logpb --pairs classes, for h"},
    {CT_OPTION(DURATION, "wire", struct ct_wire_settings, wire_s), .max = CT_MODEL_MAX_S,
     .help = "latency of each link of the topology"},
    {CT_OPTION(DURATION, "switch", struct ct_wire_settings, switch_s), .max = CT_MODEL_MAX_S,
     .help = "time in each switch of the topology"},
    {CT_OPTION(U64, "ranks-per-node", struct ct_wire_settings, ranks_per_node), .initial = "1",
     CT_RANGE(1, 100000),
     .help = "ranks on each node, in blocks: rank r is on node r / N (crosstalk place: before the "
             "search)"},
    {CT_OPTION(DURATION, "L-node", struct ct_wire_settings, L_node_s), .max = CT_MODEL_MAX_S,
     .help = "latency of messages inside a node, such as logpb measures there; required with "
             "several ranks on a node"},
    {CT_OPTION(GAP, "G-node", struct ct_wire_settings, G_node_s_per_byte),
     .argument = "DURATION|BANDWIDTH", .max = CT_MODEL_MAX_S,
     .help = "gap per byte of messages inside a node; required as --L-node"},
    {0}};

const struct ct_option ct_pair_options[] = {
    {CT_OPTION(STRING, "pairs", struct ct_machine_settings, pairs_path), .argument = "FILE.h5",
     .help = "run of logpb --pairs all or --pairs classes: every pair of nodes has the o, L and G "
             "that were measured between them, or in its class of paths; tolerances are then those "
             "of a latency that is added to every pair"},
    {0}};

struct ct_wire_settings ct_wire_defaults(void)
{
    return (struct ct_wire_settings){
        .wire_s = NAN, .switch_s = NAN, .L_node_s = NAN, .G_node_s_per_byte = NAN};
}

/* What is not a file has no latencies of links, so a run must have those of classes. */
bool ct_wire_adds_to_L(const struct ct_wire_settings *settings,
                       const struct ct_model_settings *model)
{
    return settings->topology && isnan(settings->wire_s) && isnan(settings->switch_s) &&
           (!ct_topology_is_spec(settings->topology) || (model->logp_path && !model->L));
}

enum ct_status ct_wire_demand_classes(const struct ct_path_latencies *by_switches,
                                      const char *logp_path, struct ct_error *err)
{
    return by_switches->n > 1
               ? CT_OK
               : ct_fail(err, CT_EUSAGE,
                         "--topology: %s has one L for all paths: give --wire and --switch, or a "
                         "run of logpb --pairs classes, which has L by the switches on a path",
                         logp_path);
}

enum ct_status ct_wire_check(const struct ct_wire_settings *settings,
                             const struct ct_model_settings *model, enum ct_wire_need need,
                             struct ct_error *err)
{
    bool has_L = model->L || model->logp_path || model->posterior_path;
    bool has_wire = !isnan(settings->wire_s) || !isnan(settings->switch_s);
    bool adds_to_L = need >= CT_WIRE_OR_CLASSES && ct_wire_adds_to_L(settings, model) &&
                     (need == CT_WIRE_OR_LINKS || (model->logp_path && !model->L));
    bool has_topology = settings->topology != NULL, several = settings->ranks_per_node > 1;
    if (!has_topology && has_wire)
        return ct_fail(err, CT_EUSAGE, "--wire, --switch: of which --topology?");
    if (has_topology && model->L && !adds_to_L)
        return ct_fail(err, CT_EUSAGE,
                       "--L: with --topology the latency is that of --wire and --switch");
    if (adds_to_L && !has_L)
        return ct_fail(err, CT_EUSAGE,
                       "--topology: --wire is missing, or, for a file with latencies of links, --L "
                       "or --logp");
    if (has_topology && !adds_to_L && need != CT_WIRE_ANY &&
        (isnan(settings->wire_s) || isnan(settings->switch_s)))
        return ct_fail(err, CT_EUSAGE,
                       "--topology: %s missing: the time on a link and in a switch, such as "
                       "--wire 274ns --switch 108ns%s",
                       !isnan(settings->wire_s)     ? "--switch is"
                       : !isnan(settings->switch_s) ? "--wire is"
                                                    : "--wire and --switch are",
                       need >= CT_WIRE_OR_CLASSES
                           ? "; or give --logp, a run of logpb --pairs classes on this network"
                           : "");
    if (several && (isnan(settings->L_node_s) || isnan(settings->G_node_s_per_byte)))
        return ct_fail(err, CT_EUSAGE, "--ranks-per-node %llu: %s is missing",
                       (unsigned long long)settings->ranks_per_node,
                       isnan(settings->L_node_s) ? "--L-node" : "--G-node");
    if (!several && (!isnan(settings->L_node_s) || !isnan(settings->G_node_s_per_byte)))
        return ct_fail(err, CT_EUSAGE,
                       "--L-node, --G-node: with one rank on a node no message "
                       "stays inside; give --ranks-per-node");
    return CT_OK;
}

static uint32_t count_nodes(const struct ct_wire_settings *settings, const struct ct_graph *graph)
{
    return (uint32_t)((graph->n_ranks + settings->ranks_per_node - 1) / settings->ranks_per_node);
}

static enum ct_status open_topology(const struct ct_wire_settings *settings,
                                    const struct ct_graph *graph, struct ct_topology *topology_p,
                                    struct ct_error *err)
{
    struct ct_topology_settings given = ct_topology_defaults();
    given.n_nodes = count_nodes(settings, graph);
    return ct_topology_open(settings->topology, &given, topology_p, err);
}

static double or_zero(double value)
{
    return isnan(value) ? 0 : value;
}

/* Ranks are on the first nodes. */
static enum ct_status find_latency(const struct ct_wire_settings *settings,
                                   const struct ct_graph *graph, const struct ct_wire_base *base,
                                   struct ct_network *network, struct ct_error *err)
{
    const struct ct_topology *topology = &network->topology;
    uint32_t n = count_nodes(settings, graph);
    if (n > topology->n_nodes)
        n = topology->n_nodes; /* ct_wires_new() refuses it */
    uint32_t *nodes = malloc((n + (size_t)1) * sizeof *nodes), n_unknown = 0;
    if (!nodes)
        return ct_no_memory(err, "wires");
    for (uint32_t i = 0; i < n; i++)
        nodes[i] = i;
    for (uint32_t i = 0; i < topology->n_links; i++)
        n_unknown += isnan(topology->links[i].latency_s) ? 1 : 0;
    const struct ct_link_latency_request request = {.topology = topology,
                                                    .nodes = nodes,
                                                    .n_nodes = n,
                                                    .is_measured = base->model->paths.n > 1,
                                                    .wire_s = NAN,
                                                    .logp_path = base->given->logp_path};
    enum ct_status status = CT_OK;
    if (n_unknown > 0 && !request.is_measured)
        status = ct_fail(err, CT_EUSAGE,
                         "--topology: --wire is missing: %u of %u links of %s have no latency",
                         n_unknown, topology->n_links, topology->name);
    if (status == CT_OK)
        status = ct_link_latency_find(&request, &network->latency, err);
    free(nodes);
    return status;
}

enum ct_status ct_network_open(const struct ct_wire_settings *settings,
                               const struct ct_graph *graph, const struct ct_wire_base *base,
                               struct ct_network *network_p, struct ct_error *err)
{
    const bool adds_to_L = base && ct_wire_adds_to_L(settings, base->given);
    const bool has_classes = adds_to_L && base->model->paths.n > 1;
    struct ct_network network = {.adds_to_L = adds_to_L};
    enum ct_status status = CT_OK;
    if (adds_to_L && ct_topology_is_spec(settings->topology))
        status = ct_wire_demand_classes(&base->model->paths, base->given->logp_path, err);
    if (status == CT_OK && settings->topology)
        status = open_topology(settings, graph, &network.topology, err);
    if (status == CT_OK && adds_to_L &&
        (status = find_latency(settings, graph, base, &network, err)) != CT_OK)
        ct_topology_free(&network.topology);
    struct ct_wires_setup setup = {.topology = settings->topology ? &network_p->topology : NULL,
                                   .ranks_per_node = (uint32_t)settings->ranks_per_node,
                                   .switch_ns = ct_ns_from_s(or_zero(settings->switch_s)),
                                   .L_node_ns = ct_ns_from_s(or_zero(settings->L_node_s)),
                                   .G_node_ns_per_byte =
                                       ct_ns_from_s(or_zero(settings->G_node_s_per_byte)),
                                   .adds_links = adds_to_L && !has_classes,
                                   .L_ns = adds_to_L ? ct_ns_from_s(base->model->L_s) : 0,
                                   .measured_ns = network.latency.measured_ns};
    if (status != CT_OK)
        return status;
    if (has_classes)
        setup.by_switches = base->model->paths;
    /* The wires refer to the topology where it stays. */
    *network_p = network;
    if (settings->topology || settings->ranks_per_node > 1)
        status = ct_wires_new(&setup, graph, &network_p->wires, err);
    if (status != CT_OK)
        ct_network_free(network_p);
    return status;
}

void ct_network_free(struct ct_network *network)
{
    ct_wires_free(network->wires);
    ct_topology_free(&network->topology);
    network->wires = NULL;
}

struct ct_loggps ct_network_at(const struct ct_network *network,
                               const struct ct_wire_settings *settings,
                               const struct ct_parameters *model)
{
    bool of_wire = network->topology.n_nodes > 0 && !network->adds_to_L;
    return ct_parameters_at(model, of_wire ? or_zero(settings->wire_s) : model->L_s);
}

void ct_network_provenance(const struct ct_network *network, struct ct_tables *tables)
{
    if (!network->wires)
        return;
    struct ct_wires_hops hops = ct_wires_hops(network->wires);
    double all = (double)(hops.inside + hops.between);
    if (network->adds_to_L)
        ct_link_latency_note(&network->latency, &network->topology, tables);
    else if (ct_link_latency_is_given(&network->topology))
        ct_link_latency_unused_note(network->topology.name, tables);
    if (network->topology.n_nodes > 0)
        ct_tables_provenance(tables, "nodes",
                             "%u, of which messages pass up to %u switches, %.3g "
                             "on average",
                             network->topology.n_nodes, hops.most, hops.mean);
    ct_tables_provenance(tables, "messages_inside_nodes", "%.3g %%",
                         all > 0 ? 100 * (double)hops.inside / all : 0);
}
