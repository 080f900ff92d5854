/* crosstalk topology: what a network of switches is like, where messages go, and a picture of it.
 */
#include "cli/cli.h"
#include "cli/topology_options.h"
#include "core/file.h"
#include "core/foreign.h"
#include "core/option_rows.h"
#include "core/picture.h"
#include "topology/draw.h"
#include "topology/loads.h"
#include "topology/measure.h"
#include "topology/parts.h"
#include "topology/read.h"
#include "topology/simgrid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS_MAX = 1100000 }; /* counted in half a second; all of 1024 nodes */

enum form { FORM_AUTO, FORM_TABLE, FORM_CSV, FORM_JSON, FORM_DOT, FORM_SVG, FORM_SIMGRID };
static const char *const form_names[] = {"auto", "table", "csv",     "json",
                                         "dot",  "svg",   "simgrid", NULL};

struct settings {
    uint64_t spines;
    double rate_bit_per_s, uplink_bit_per_s, wire_s;
    const char *route, *utilization_path, *output_path, *plot_path;
    bool links;
    struct ct_view view;
    int form;
};

static const struct ct_option generator_options[] = {
    CT_ROW_SPINES(struct settings, spines),
    CT_ROW_RATE(struct settings, rate_bit_per_s),
    CT_ROW_UPLINK(struct settings, uplink_bit_per_s),
    {CT_OPTION(DURATION, "wire", struct settings, wire_s),
     .help = "latency of each link; of a file, of links whose latency it does not have"},
    {0}};

static const struct ct_option question_options[] = {
    {CT_OPTION(STRING, "route", struct settings, route), .argument = "FROM,TO",
     .help = "print the route from one node to another instead"},
    {CT_OPTION(FLAG, "links", struct settings, links),
     .help = "also list every switch and every link"},
    {CT_OPTION(STRING, "utilization", struct settings, utilization_path), .argument = "FILE.csv",
     .help = "colours of the links in a picture: a table with the columns from, to and utilization "
             "(a fraction), a row for each direction that is known"},
    {0}};

static const struct ct_option output_options[] = {
    {CT_OPTION(CHOICE, "format", struct settings, form), .argument = "FORMAT", .initial = "auto",
     .choices = form_names,
     .help =
         "format of the output; dot is for Graphviz, simgrid a platform file of SimGrid; auto: by "
         "the ending of --output, else table"},
    CT_ROW_PLOT(struct settings, plot_path, "draw the network"),
    CT_ROW_OUTPUT(struct settings, output_path, "FILE",
                  "write to this file instead of standard output", .target = CT_FILE_STREAM),
    CT_ROWS_VIEW(struct settings, view),
    {0}};

static const struct ct_option_group groups[] = {{"Question", question_options, 0},
                                                {"Network", generator_options, 0},
                                                {"Output", output_options, 0},
                                                {0}};

static const char *const examples[] = {
    "crosstalk topology fat-tree:16x3",
    "nodes, switches, links, hops and bisection of a fat tree of three tiers",
    "crosstalk topology tree:4x4 --spines 2 --rate 50mbit --uplink 50mbit --plot tree.svg",
    "a picture of four leaf switches with four nodes each, on two spines",
    "crosstalk topology dragonfly:8,4,8 --route n0,n200",
    "which links a message passes",
    "scontrol show topology > slurm.txt; crosstalk topology slurm.txt",
    "the tree of Slurm's configuration",
    "ibnetdiscover > ib.txt; crosstalk topology ib.txt --links --format csv",
    "every link of an InfiniBand network",
    "crosstalk topology ib.txt --utilization busy.csv --plot busy.svg",
    "the network with the utilization of its links in colour",
    "crosstalk topology fat-tree:8 --rate 40gbit --wire 500ns --format simgrid -o net.xml",
    "the network for SimGrid",
    NULL};

static const char *const see_also[] = {"crosstalk-tolerance(1)", "crosstalk-utilization(1)", NULL};

static const struct ct_command command = {
    .name = "crosstalk topology",
    .summary = "hops, routes and a picture of a network of switches",
    .operands = "SPEC|FILE",
    .description =
        "Describes a network: how many switches messages between its nodes pass, how many links "
        "join its halves, which route a message takes. SPEC is one of switch:N, "
        "tree:LEAVESxHOSTS[,SPINES], fat-tree:RADIX[xTIERS], xgft:M1,M2,../W1,W2,.. (children and "
        "parents on each level), dragonfly:G,A,P[,H] (groups, switches a group, nodes a switch, "
        "links of a switch to other groups) and torus:XxYx..[,P]. FILE is Slurm's topology.conf "
        "or topology.yaml, the output of `scontrol show topology` or `ibnetdiscover`, or YAML with "
        "the lists "
        "switches, links and routes.\n\n"
        "Routes are static, by destination: D-mod-k in trees, minimal in dragonflies (at most one "
        "link between groups), dimension by dimension in tori, shortest paths in files, with "
        "destinations distributed over paths of the same length. The forwarding tables of the "
        "switches of a real machine can differ.\n\n"
        "The bisection is the minimum cut between the first half of the nodes and the second, in "
        "their order.\n\n"
        "--format simgrid writes hosts of 1 Gflop/s, a link for each direction, named FROM-TO-I "
        "with I the number of the link from 0, and the routes between all nodes. Every link needs "
        "a rate (--rate, --uplink) and a latency (--wire).\n\n"
        "Options give a file what it does not have: topology.conf has neither rates nor latencies, "
        "ibnetdiscover no latencies. topology.conf says nothing of the number of links between "
        "two switches, either: it counts as one, and --uplink is the rate of all of them together.",
    .groups = groups,
    .examples = examples,
    .see_also = see_also,
    .min_operands = 1};

/* What is asked about, and what was found. */
struct subject {
    const struct settings *settings;
    struct ct_topology topology;
    struct ct_router *router;
    double *utilization; /* NULL: none given */
    enum form form;
};

/* ---- tables ---- */

static struct ct_tables *new_tables(const struct subject *subject)
{
    static const enum ct_format formats[] = {
        [FORM_TABLE] = CT_FORMAT_TABLE, [FORM_CSV] = CT_FORMAT_CSV, [FORM_JSON] = CT_FORMAT_JSON};
    const struct ct_topology *topology = &subject->topology;
    struct ct_tables *tables = ct_tables_new(command.name, formats[subject->form]);
    ct_tables_view(tables, &subject->settings->view);
    ct_tables_provenance(tables, "topology", "%s", topology->name);
    ct_tables_answer(tables, "%s: %u nodes, %u switches and %u links.", topology->name,
                     topology->n_nodes, ct_topology_vertices(topology) - topology->n_nodes,
                     topology->n_links);
    ct_tables_provenance(tables, "routing", "%s%s",
                         topology->routing ? topology->routing->name : "shortest paths",
                         topology->n_given > 0 ? ", routes of the file first" : "");
    return tables;
}

/* Switches between nodes of a topology, or of a part of one. */
static enum ct_status count_hops(const struct ct_topology *topology, struct ct_hop_counts *counts_p,
                                 struct ct_error *err)
{
    struct ct_router *router;
    CT_TRY(ct_router_new(topology, &router, err));
    enum ct_status status = ct_topology_count_hops(router, topology, PAIRS_MAX, counts_p, err);
    ct_router_free(router);
    return status;
}

static enum ct_status fill_hops(const struct subject *subject, struct ct_tables *tables,
                                struct ct_error *err)
{
    static const struct ct_column columns[] = {{"switches", "switches", CT_UNIT_COUNT},
                                               {"pairs", "pairs of nodes", CT_UNIT_COUNT},
                                               {"share", "share", CT_UNIT_FRACTION}};
    struct ct_hop_counts counts;
    double sum = 0;
    CT_TRY(count_hops(&subject->topology, &counts, err));
    for (uint32_t h = 0; h < counts.n; h++)
        sum += (double)counts.pairs[h];
    CT_TABLES_NUMBER(tables, "mean_switches", "switches between two nodes, mean", NONE,
                     counts.mean);
    CT_TABLES_BEGIN(tables, "hops", "Switches between two nodes", columns);
    for (uint32_t h = 0; h < counts.n; h++)
        if (counts.pairs[h] > 0) {
            CT_CELL_NUMBERS(tables, h, (double)counts.pairs[h], (double)counts.pairs[h] / sum);
        }
    if (counts.targets < subject->topology.n_nodes)
        ct_tables_note(tables, "Hops are those of the ways to %u of the %u nodes, evenly spaced.",
                       counts.targets, subject->topology.n_nodes);
    if (counts.apart > 0)
        ct_tables_note(tables, "%llu of these pairs of nodes have no route: no switches join them.",
                       (unsigned long long)counts.apart);
    free(counts.pairs);
    return CT_OK;
}

static uint32_t most_ports(const struct ct_topology *topology)
{
    uint32_t most = 0;
    for (uint32_t v = topology->n_nodes; v < ct_topology_vertices(topology); v++)
        most = ct_topology_degree(topology, v) > most ? ct_topology_degree(topology, v) : most;
    return most;
}

static void fill_sizes(const struct ct_topology *topology, struct ct_tables *tables)
{
    const struct ct_value rows[] = {
        {{"n_nodes", "nodes", CT_UNIT_COUNT}, topology->n_nodes},
        {{"n_switches", "switches", CT_UNIT_COUNT}, topology->n_switches},
        {{"n_links", "links", CT_UNIT_COUNT}, topology->n_links},
        {{"max_ports", "most links of a switch", CT_UNIT_COUNT}, most_ports(topology)}};
    CT_TABLES_NUMBERS(tables, rows);
}

/* A network without parts. */
static enum ct_status fill_whole(const struct subject *subject, struct ct_tables *tables,
                                 struct ct_error *err)
{
    const struct ct_topology *topology = &subject->topology;
    struct ct_bisection bisection = {0, NAN};
    if (topology->n_nodes > 1)
        CT_TRY(ct_topology_bisect(topology, &bisection, err));
    CT_TABLES_NUMBER(tables, "bisection_links", "bisection, links", COUNT, (double)bisection.links);
    CT_TABLES_NUMBER(tables, "bisection_bit_per_s", CT_IF_KNOWN "bisection, each direction",
                     BIT_PER_S, bisection.bit_per_s);
    return topology->n_nodes > 1 ? fill_hops(subject, tables, err) : CT_OK;
}

static enum ct_status fill_part(const struct ct_topology *part, struct ct_tables *tables,
                                struct ct_error *err)
{
    struct ct_bisection bisection = {0, NAN};
    struct ct_hop_counts counts = {.mean = NAN};
    enum ct_status status = CT_OK;
    if (part->n_nodes > 1)
        status = ct_topology_bisect(part, &bisection, err);
    if (status == CT_OK && part->n_nodes > 1)
        status = count_hops(part, &counts, err);
    free(counts.pairs);
    const double cells[] = {part->n_nodes,    part->n_switches,        part->n_links,
                            most_ports(part), (double)bisection.links, bisection.bit_per_s,
                            counts.mean};
    ct_tables_cell_text(tables, ct_topology_name(part, 0));
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        ct_tables_cell_number(tables, cells[i]);
    return status;
}

static enum ct_status fill_parts(const struct ct_topology_parts *parts, struct ct_tables *tables,
                                 struct ct_error *err)
{
    static const struct ct_column columns[] = {
        {"first_node", "first node", CT_UNIT_NONE},
        {"n_nodes", "nodes", CT_UNIT_COUNT},
        {"n_switches", "switches", CT_UNIT_COUNT},
        {"n_links", "links", CT_UNIT_COUNT},
        {"max_ports", "most links", CT_UNIT_COUNT},
        {"bisection_links", "bisection", CT_UNIT_COUNT},
        {"bisection_bit_per_s", "bisection", CT_UNIT_BIT_PER_S},
        {"mean_switches", "switches between, mean", CT_UNIT_NONE}};
    enum ct_status status = CT_OK;
    CT_TABLES_NUMBER(tables, "n_parts", "parts", COUNT, parts->n);
    CT_TABLES_BEGIN(tables, "parts", "Parts, which no link joins", columns);
    for (uint32_t i = 0; i < parts->n && status == CT_OK; i++)
        status = fill_part(&parts->part[i], tables, err);
    ct_tables_note(tables,
                   "No link joins the %u parts: routes are inside a part only. If a switch "
                   "joins them, add it to the file.",
                   parts->n);
    return status;
}

static enum ct_status fill_summary(const struct subject *subject, struct ct_tables *tables,
                                   struct ct_error *err)
{
    struct ct_topology_parts parts;
    CT_TRY(ct_topology_split(&subject->topology, &parts, err));
    fill_sizes(&subject->topology, tables);
    enum ct_status status =
        parts.n > 0 ? fill_parts(&parts, tables, err) : fill_whole(subject, tables, err);
    if (parts.spare_switches > 0)
        ct_tables_note(tables, "No node is joined to %u of the switches.", parts.spare_switches);
    ct_topology_parts_free(&parts);
    return status;
}

static const struct ct_column link_columns[] = {{"from", "from", CT_UNIT_NONE},
                                                {"to", "to", CT_UNIT_NONE},
                                                {"rate_bit_per_s", "rate", CT_UNIT_BIT_PER_S},
                                                {"latency_s", "latency", CT_UNIT_SECONDS}};

static void add_link(const struct ct_topology *topology, const uint32_t ends[2],
                     const struct ct_link *link, struct ct_tables *tables)
{
    ct_tables_cell_text(tables, ct_topology_name(topology, ends[0]));
    ct_tables_cell_text(tables, ct_topology_name(topology, ends[1]));
    CT_CELL_NUMBERS(tables, link->rate_bit_per_s, link->latency_s);
}

static void fill_lists(const struct ct_topology *topology, struct ct_tables *tables)
{
    static const struct ct_column switches[] = {{"name", "switch", CT_UNIT_NONE},
                                                {"links", "links", CT_UNIT_COUNT},
                                                {"nodes", "nodes", CT_UNIT_COUNT}};
    CT_TABLES_BEGIN(tables, "switches", "Switches", switches);
    for (uint32_t v = topology->n_nodes; v < ct_topology_vertices(topology); v++) {
        uint32_t nodes = 0;
        for (uint32_t p = topology->first_port[v]; p < topology->first_port[v + 1]; p++)
            nodes += topology->ports[p].peer < topology->n_nodes;
        ct_tables_cell_text(tables, ct_topology_name(topology, v));
        CT_CELL_NUMBERS(tables, ct_topology_degree(topology, v), nodes);
    }
    CT_TABLES_BEGIN(tables, "links", "Links", link_columns);
    for (uint32_t i = 0; i < topology->n_links; i++) {
        const struct ct_link *link = &topology->links[i];
        add_link(topology, link->end, link, tables);
    }
}

/* ---- the way between two nodes ---- */

static enum ct_status find_node(const struct ct_topology *topology, const char *name,
                                uint32_t *node_p, struct ct_error *err)
{
    uint32_t v;
    if (ct_topology_find_host(topology, name, node_p))
        return CT_OK;
    if (ct_topology_find(topology, name, &v))
        return ct_fail(err, CT_EINVAL, "--route: '%s' is a switch; give two nodes", name);
    return ct_fail(err, CT_EINVAL, "--route: '%s' is not in %s", name, topology->name);
}

static enum ct_status find_ends(const struct subject *subject, uint32_t ends[2],
                                struct ct_error *err)
{
    const char *text = subject->settings->route, *comma = strchr(text, ',');
    if (!comma || comma == text || !comma[1])
        return ct_fail(err, CT_EUSAGE, "--route: '%s': give two nodes, FROM,TO", text);
    char *from = strndup(text, (size_t)(comma - text));
    if (!from)
        return ct_no_memory(err, "route");
    enum ct_status status = find_node(&subject->topology, from, &ends[0], err);
    if (status == CT_OK)
        status = find_node(&subject->topology, comma + 1, &ends[1], err);
    free(from);
    return status;
}

static enum ct_status fill_route(const struct subject *subject, struct ct_tables *tables,
                                 struct ct_error *err)
{
    const struct ct_topology *topology = &subject->topology;
    struct ct_route route = {0};
    uint32_t ends[2];
    enum ct_status status = find_ends(subject, ends, err);
    if (status == CT_OK)
        status = ct_route_find(subject->router, ends[0], ends[1], &route, err);
    if (status != CT_OK) {
        free(route.hops);
        return status;
    }
    CT_TABLES_NUMBER(tables, "n_links", "links", COUNT, (double)route.n);
    CT_TABLES_NUMBER(tables, "n_switches", "switches", COUNT,
                     route.n > 0 ? (double)(route.n - 1) : 0);
    CT_TABLES_BEGIN(tables, "route", "Links on the way", link_columns);
    for (size_t i = 0; i < route.n; i++) {
        const struct ct_hop *hop = &route.hops[i];
        const uint32_t at[] = {hop->from, hop->to};
        add_link(topology, at, &topology->links[hop->link], tables);
    }
    free(route.hops);
    return CT_OK;
}

/* ---- output ---- */

static enum ct_status write_tables(const struct subject *subject, FILE *out, struct ct_error *err)
{
    struct ct_tables *tables = new_tables(subject);
    enum ct_status status = subject->settings->route ? fill_route(subject, tables, err)
                                                     : fill_summary(subject, tables, err);
    if (status == CT_OK && subject->settings->links)
        fill_lists(&subject->topology, tables);
    if (status == CT_OK) {
        ct_topology_fill_notes(&subject->topology, tables);
        status = ct_tables_print(tables, out, err);
    }
    ct_tables_free(tables);
    return status;
}

static enum ct_status write_answer(FILE *out, const void *data, struct ct_error *err)
{
    const struct subject *subject = data;
    const struct ct_picture picture = {&subject->topology, subject->utilization};
    if (subject->form == FORM_DOT)
        return ct_topology_dot(&picture, out, err);
    if (subject->form == FORM_SVG)
        return ct_topology_svg(&picture, out, err);
    if (subject->form == FORM_SIMGRID)
        return ct_topology_simgrid(&subject->topology, NULL, out, err);
    return write_tables(subject, out, err);
}

static enum ct_status write_picture(FILE *out, const void *data, struct ct_error *err)
{
    const struct subject *subject = data;
    const struct ct_picture picture = {&subject->topology, subject->utilization};
    return ct_topology_svg(&picture, out, err);
}

static enum ct_status print_answer(const struct subject *subject, struct ct_error *err)
{
    const char *path = subject->settings->output_path, *plot_path = subject->settings->plot_path;
    if (plot_path)
        CT_TRY(ct_picture_make(plot_path, write_picture, subject, err));
    if (path && subject->form == FORM_SVG)
        fprintf(stderr,
                "%s: warning: --output %s: give --plot FILE.svg in its place; pictures by "
                "--output go in 0.4\n",
                command.name, path);
    if (path)
        return ct_file_make(path, write_answer, subject, err);
    enum ct_status status = write_answer(stdout, subject, err);
    if (status == CT_OK && (fflush(stdout) != 0 || ferror(stdout)))
        status = ct_fail(err, CT_EIO, "standard output: cannot be written");
    return status;
}

static enum form form_of(const struct settings *settings)
{
    const char *dot = settings->output_path ? strrchr(settings->output_path, '.') : NULL;
    if (settings->form != FORM_AUTO)
        return (enum form)settings->form;
    for (int form = FORM_CSV; dot && form_names[form]; form++)
        if (!strcmp(dot + 1, form_names[form]))
            return (enum form)form;
    return FORM_TABLE;
}

static enum ct_status load_utilization(struct subject *subject, struct ct_error *err)
{
    const char *path = subject->settings->utilization_path;
    struct ct_text text;
    if (!path)
        return CT_OK;
    if (subject->form != FORM_DOT && subject->form != FORM_SVG && !subject->settings->plot_path)
        return ct_fail(err, CT_EUSAGE,
                       "--utilization: only a picture has colours: give --plot "
                       "FILE.svg or --format dot");
    CT_TRY(ct_file_read(path, &text, err));
    enum ct_status status =
        ct_topology_loads(&subject->topology, text.text, path, &subject->utilization, err);
    if (status == CT_EFORMAT)
        ct_foreign_explain(path, text.text, text.size, CT_READS_TABLE, err);
    free(text.text);
    return status;
}

static enum ct_status check_settings(const struct settings *settings, const char *text,
                                     enum form form, struct ct_error *err)
{
    bool sets = settings->spines > 0 || !isnan(settings->rate_bit_per_s) ||
                !isnan(settings->uplink_bit_per_s) || !isnan(settings->wire_s);
    if (settings->route && form >= FORM_DOT)
        return ct_fail(err, CT_EUSAGE, "--route: a table, not --format %s", form_names[form]);
    return sets ? ct_topology_options_check("--spines, --rate, --uplink, --wire", text,
                                            settings->spines > 0, err)
                : CT_OK;
}

static enum ct_status answer_topology(void *values, const struct ct_arguments *args,
                                      struct ct_error *err)
{
    const struct settings *settings = values;
    const char *text = args->operands[0];
    struct subject subject = {.settings = settings, .form = form_of(settings)};
    const struct ct_topology_settings given = {.spines = (uint32_t)settings->spines,
                                               .rate_bit_per_s = settings->rate_bit_per_s,
                                               .uplink_bit_per_s = settings->uplink_bit_per_s,
                                               .wire_s = settings->wire_s};
    CT_TRY(check_settings(settings, text, subject.form, err));
    CT_TRY(ct_topology_open(text, &given, &subject.topology, err));
    enum ct_status status = ct_router_new(&subject.topology, &subject.router, err);
    if (status == CT_OK)
        status = load_utilization(&subject, err);
    if (status == CT_OK)
        status = print_answer(&subject, err);
    free(subject.utilization);
    ct_router_free(subject.router);
    ct_topology_free(&subject.topology);
    return status;
}

int ct_cmd_topology(int argc, char **argv)
{
    struct settings settings = {.rate_bit_per_s = NAN, .uplink_bit_per_s = NAN, .wire_s = NAN};
    return ct_command_main(&command, argc, argv, &settings, answer_topology);
}
