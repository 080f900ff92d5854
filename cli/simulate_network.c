#include "cli/simulate_network.h"

#include "cli/topology_options.h"
#include "study/parameters.h"
#include "topology/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double bits_ns_per_s = 8e9;

const struct ct_option ct_fabric_options[] = {
    {CT_OPTION(U64, "ranks-per-node", struct ct_fabric_settings, ranks_per_node), .initial = "1",
     CT_RANGE(1, UINT32_MAX),
     .help = "ranks of each program on a node, in blocks, which share the node's link; all "
             "programs begin with the first node, unless --hosts says otherwise"},
    {CT_OPTION(STRING, "topology", struct ct_fabric_settings, topology), .argument = "SPEC|FILE",
     .help = "the network between nodes, such as tree:4x4 or a file; see crosstalk-topology(1). "
             "Without it one switch"},
    {CT_OPTION(STRING, "hosts", struct ct_fabric_settings, hosts), .argument = "LISTS",
     .help = "nodes of the programs, a list each, with blanks between: 'n[0-3] n[4-7]'; one list "
             "is for all. Rank r is on node r / N of its list, N as above"},
    CT_ROW_SPINES(struct ct_fabric_settings, spines),
    CT_ROW_RATE(struct ct_fabric_settings, rate_bit_per_s),
    CT_ROW_UPLINK(struct ct_fabric_settings, uplink_bit_per_s),
    {CT_OPTION(DURATION, "wire", struct ct_fabric_settings, wire_s), .max = CT_MODEL_MAX_S,
     .help = "latency of each link: between two nodes L is then (h + 1) wires and h switches, h "
             "the switches between them, and --L that of messages inside a node"},
    {CT_OPTION(DURATION, "switch", struct ct_fabric_settings, switch_s), .max = CT_MODEL_MAX_S,
     .help = "time in each switch; together with --wire"},
    {0}};

struct ct_fabric_settings ct_fabric_defaults(void)
{
    return (struct ct_fabric_settings){
        .rate_bit_per_s = NAN, .uplink_bit_per_s = NAN, .wire_s = NAN, .switch_s = NAN};
}

enum ct_status ct_fabric_check(const struct ct_fabric_settings *settings, struct ct_error *err)
{
    bool generates = settings->spines > 0 || !isnan(settings->rate_bit_per_s) ||
                     !isnan(settings->uplink_bit_per_s);
    bool has_wire = !isnan(settings->wire_s), has_switch = !isnan(settings->switch_s);
    if (!settings->topology && (settings->hosts || generates || has_wire || has_switch))
        return ct_fail(err, CT_EUSAGE,
                       "--hosts, --spines, --rate, --uplink, --wire, --switch: of which "
                       "--topology?");
    CT_TRY(generates ? ct_topology_options_check("--spines, --rate, --uplink", settings->topology,
                                                 settings->spines > 0, err)
                     : CT_OK);
    bool is_generated = settings->topology && ct_topology_is_spec(settings->topology);
    if (is_generated && !isnan(settings->uplink_bit_per_s) && isnan(settings->rate_bit_per_s))
        return ct_fail(err, CT_EUSAGE,
                       "--uplink: --rate is missing: links count in proportion to their rates");
    if (has_wire != has_switch)
        return ct_fail(err, CT_EUSAGE, "--%s: --%s is missing", has_wire ? "wire" : "switch",
                       has_wire ? "switch" : "wire");
    return CT_OK;
}

/* ---- nodes ---- */

/* Nodes that a program of so many ranks is on. */
static uint32_t count_nodes(const struct ct_fabric_settings *settings, uint32_t n_ranks)
{
    return (uint32_t)((n_ranks + settings->ranks_per_node - 1) / settings->ranks_per_node);
}

/* One list for each program, or one for all. */
static enum ct_status parse_hosts(const struct ct_fabric_settings *settings,
                                  const struct ct_topology *topology, struct ct_node_list *lists,
                                  size_t n_programs, struct ct_error *err)
{
    const char *blanks = " \t\n", *first = settings->hosts + strspn(settings->hosts, blanks);
    size_t n = 0;
    for (const char *at = first; *at; at += strcspn(at, blanks), at += strspn(at, blanks))
        n++;
    if (n != 1 && n != n_programs)
        return ct_fail(err, CT_EUSAGE,
                       "--hosts: %zu lists for %zu programs; give one list each, "
                       "with blanks between, or one for all",
                       n, n_programs);
    const char *at = first;
    for (size_t i = 0; i < n_programs; i++) {
        size_t length = strcspn(at, blanks);
        enum ct_status status = ct_simulate_places_named(topology, at, length, &lists[i], err);
        if (status != CT_OK)
            return ct_fail_within(err, status, "--hosts");
        if (n > 1)
            at += length + strspn(at + length, blanks);
    }
    return CT_OK;
}

static enum ct_status find_places(const struct ct_fabric_settings *settings,
                                  const struct ct_topology *topology, const uint32_t *n_ranks,
                                  size_t n_programs, struct ct_simulate_places *places_p,
                                  struct ct_error *err)
{
    struct ct_node_list *lists = calloc(n_programs + 1, sizeof *lists);
    enum ct_status status = lists ? CT_OK : ct_no_memory(err, "places");
    if (status == CT_OK && settings->hosts)
        status = parse_hosts(settings, topology, lists, n_programs, err);
    for (size_t i = 0; i < n_programs && !settings->hosts && status == CT_OK; i++)
        status =
            ct_simulate_places_first(topology, count_nodes(settings, n_ranks[i]), &lists[i], err);
    if (status == CT_OK)
        status = ct_simulate_places_new(topology, lists, n_programs, places_p, err);
    for (size_t i = 0; lists && i < n_programs; i++)
        free(lists[i].nodes);
    free(lists);
    return status;
}

enum ct_status ct_fabric_open(const struct ct_fabric_settings *settings, const uint32_t *n_ranks,
                              size_t n_programs, struct ct_fabric *fabric_p, struct ct_error *err)
{
    struct ct_topology_settings given = ct_topology_defaults();
    struct ct_fabric fabric = {.topology = {0}};
    if (!settings->topology) {
        *fabric_p = fabric;
        return CT_OK;
    }
    for (size_t i = 0; i < n_programs; i++)
        if (count_nodes(settings, n_ranks[i]) > given.n_nodes)
            given.n_nodes = count_nodes(settings, n_ranks[i]);
    given.spines = (uint32_t)settings->spines;
    given.rate_bit_per_s = settings->rate_bit_per_s;
    given.uplink_bit_per_s = settings->uplink_bit_per_s;
    given.wire_s = settings->wire_s;
    enum ct_status status = ct_topology_open(settings->topology, &given, &fabric.topology, err);
    if (status == CT_OK)
        status = find_places(settings, &fabric.topology, n_ranks, n_programs, &fabric.places, err);
    if (status == CT_OK)
        *fabric_p = fabric;
    else
        ct_fabric_free(&fabric);
    return status;
}

enum ct_status ct_fabric_find_latency(const struct ct_fabric_settings *settings, bool is_measured,
                                      const char *logp_path, struct ct_fabric *fabric,
                                      struct ct_error *err)
{
    const struct ct_link_latency_request request = {.is_measured =
                                                        is_measured && isnan(settings->wire_s),
                                                    .topology = &fabric->topology,
                                                    .nodes = fabric->places.used,
                                                    .n_nodes = fabric->places.n_used,
                                                    .wire_s = settings->wire_s,
                                                    .logp_path = logp_path};
    return ct_link_latency_find(&request, &fabric->latency, err);
}

void ct_fabric_free(struct ct_fabric *fabric)
{
    ct_simulate_places_free(&fabric->places);
    ct_topology_free(&fabric->topology);
}

struct ct_simulate_place ct_fabric_place(const struct ct_fabric *fabric,
                                         const struct ct_fabric_settings *settings, size_t program)
{
    struct ct_simulate_place place = ct_simulate_blocks((uint32_t)settings->ranks_per_node);
    if (fabric->topology.n_nodes > 0) {
        place.nodes = fabric->places.of[program].nodes;
        place.n_nodes = fabric->places.of[program].n;
    }
    return place;
}

void ct_fabric_links_begin(const char *title, struct ct_tables *tables)
{
    static const struct ct_column columns[] = {{"from", "from", CT_UNIT_NONE},
                                               {"to", "to", CT_UNIT_NONE},
                                               {"rate_bit_per_s", "rate", CT_UNIT_BIT_PER_S},
                                               {"busy_frac", "busy", CT_UNIT_FRACTION}};
    CT_TABLES_BEGIN(tables, "links", title, columns);
}

void ct_fabric_links_row(const struct ct_fabric *fabric, uint32_t way, double ns_per_byte,
                         double busy_frac, struct ct_tables *tables)
{
    const struct ct_topology *topology = &fabric->topology;
    const struct ct_link *link = &topology->links[way / 2];
    uint32_t end = way % 2;
    ct_tables_cell_text(tables, ct_topology_name(topology, link->end[end]));
    ct_tables_cell_text(tables, ct_topology_name(topology, link->end[!end]));
    CT_CELL_NUMBERS(tables, bits_ns_per_s / ns_per_byte, busy_frac);
}

void ct_fabric_fill_notes(const struct ct_fabric *fabric, const struct ct_fabric_settings *settings,
                          struct ct_tables *tables)
{
    ct_topology_fill_notes(&fabric->topology, tables);
    ct_topology_fill_rates_note(&fabric->topology, tables);
    if (isnan(settings->wire_s))
        ct_link_latency_note(&fabric->latency, &fabric->topology, tables);
}
