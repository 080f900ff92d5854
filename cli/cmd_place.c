/* crosstalk place: on which nodes the ranks of a program should run. */
#include "cli/cli.h"
#include "cli/link_latency.h"
#include "cli/place_draws.h"
#include "cli/topology_options.h"
#include "core/file.h"
#include "core/option_rows.h"
#include "lp-bridge/place/compare.h"
#include "lp-bridge/place/files.h"
#include "simulate/constants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Forms of the answer: those of tables, then those of files. */
static const char *const form_names[] = {"table",    "csv",   "json", "rankfile",
                                         "hostfile", "order", NULL};
enum { FIRST_FILE_FORM = 3 };

struct settings {
    struct ct_place_settings nodes;
    struct ct_graph_settings graph;
    struct ct_answer_settings answer;
    uint64_t seed, evaluations;
    const char *output_path;
    int form;
    struct ct_view view;
};

static const struct ct_option search_options[] = {
    CT_MODEL_ROW_L(struct settings, nodes.machine.model.L,
                   "latency of the network, with --matrix: in addition to it"),
    CT_ROW_SEED(struct settings, seed, "seed of the search and of random mappings"),
    {CT_OPTION(U64, "evaluations", struct settings, evaluations), CT_RANGE(1, 1e9),
     .help = "mappings whose run time the search computes, about; without it 1000 to 20000, fewer "
             "for a large schedule"},
    {0}};

static const struct ct_option output_options[] = {
    CT_ROW_OUTPUT(struct settings, output_path, "FILE",
                  "write the mapping to FILE, in the form of --format, or that of its ending: "
                  ".rankfile, .hostfile or .order",
                  .target = CT_FILE_STREAM),
    {CT_OPTION(CHOICE, "format", struct settings, form), .argument = "FORMAT", .initial = "table",
     .choices = form_names,
     .help = "table, csv, json: of the answer. rankfile (Open MPI), hostfile (the host of each "
             "rank: MPICH, Open MPI, Slurm), order (MPICH_RANK_ORDER): of the mapping"},
    CT_ROWS_VIEW(struct settings, view),
    {0}};

static const struct ct_option_group groups[] = {
    {"Search", search_options, 0},
    CT_MACHINE_GROUPS(struct settings, nodes.machine),
    {"Nodes", ct_place_node_options, offsetof(struct settings, nodes)},
    CT_GRAPH_GROUPS(struct settings, graph, answer),
    {"Output", output_options, 0},
    {0}};

static const char *const examples[] = {
    "crosstalk place traces --pairs logp-all.h5 -o mapping.hostfile",
    "by the o, L and G that logpb --pairs all measured; then mpiexec -f mapping.hostfile",
    ("crosstalk place stencil.goal --o 5us --G 0.018ns --topology dragonfly:8,4,8 --wire 274ns "
     "--switch 108ns"),
    "how much a good mapping is worth on a network",
    ("crosstalk place traces --logp logp.h5 --topology tree:4x8 --rate 25gbit --uplink 25gbit "
     "--wire 400ns --switch 200ns --shared-links"),
    "where eight nodes share each link between switches",
    ("crosstalk place traces --logp logp.h5 --topology topology.conf --wire 274ns --switch 108ns "
     "--hosts allocated --ranks-per-node 2 --L-node 400ns --G-node 0.1ns --format rankfile "
     "-o mapping"),
    "two ranks on each node of a job; then mpirun --rankfile mapping",
    "crosstalk place stencil.goal --o 5us --G 0.018ns --matrix pairs.txt --format order",
    "with a latency for each pair of nodes; print the order of ranks",
    "crosstalk place traces --pairs logp-all.h5 --compare hosts -o mapping.hostfile",
    "also from the mapping in the file hosts, and how it compares",
    NULL};

static const char *const see_also[] = {"crosstalk-tolerance(1)",
                                       "crosstalk-topology(1)",
                                       "crosstalk-simulate(1)",
                                       "crosstalk-delay(1)",
                                       "crosstalk-goal(1)",
                                       "logpb(1)",
                                       NULL};

static const struct ct_command command = {
    .name = "crosstalk place",
    .summary = "on which nodes the ranks of a program should run",
    .operands = "TRACES|FILE.goal",
    .description =
        "Looks for a mapping of ranks to nodes with which the run time T of a schedule, or of the "
        "traces of a program, is small under the LogGPS model. Before, ranks are on nodes in "
        "blocks. The costs of messages are those of --pairs (measured), --topology, or "
        "--matrix.\n\n"
        "Ranks are exchanged, or moved to nodes with room, while T falls: first those whose "
        "exchange shortens the critical path most. Each mapping is judged by its T. The search "
        "starts from blocks, round robin, a mapping by the volume of communication (of Scotch, if "
        "crosstalk was built with it), the best of 100 random mappings, and from its best mapping "
        "with ranks exchanged at random. So the result is never worse than any of these. The same "
        "seed gives the same mapping. T of all mappings is computed if there are at most 8 ranks "
        "and 50000 mappings.\n\n"
        "T has no contention: messages on the same link do not wait for each other. With "
        "--shared-links they do: the search goes on from the best of these mappings, and each "
        "mapping is judged by a simulation of the program, alone, with packets of --packet on the "
        "topology, as crosstalk-simulate(1) does it. The result is then the mapping with the "
        "shortest "
        "simulated run.\n\n"
        "With --parameters or --logp T before and after, and by how much it is shorter, have "
        "intervals: what draws of L, o and G contribute, for the one mapping that was found with "
        "the most likely values.\n\n"
        "A hostfile has the host of each rank: mpiexec -f FILE (MPICH), mpirun --hostfile FILE "
        "--map-by seq (Open MPI), SLURM_HOSTFILE=FILE srun --distribution=arbitrary (Slurm). A "
        "rankfile has a core, too: mpirun --rankfile FILE (Open MPI). An order is for "
        "MPICH_RANK_ORDER with MPICH_RANK_REORDER_METHOD=3.",
    .groups = groups,
    .examples = examples,
    .see_also = see_also,
    .min_operands = 1};

struct subject {
    const struct settings *settings;
    struct ct_input input;
    struct ct_place_nodes nodes;
    struct ct_goal goal; /* with shared links; else empty */
    struct ct_graph graph;
    struct ct_placer *placer;
    uint32_t *given; /* NULL: no mapping was given */
    struct ct_place_result found;
    struct ct_place_spread spread;
};

/* ---- the file ---- */

/* CT_PLACE_FORMS: none. */
static enum ct_place_form form_of_ending(const char *path)
{
    const char *dot = strrchr(path, '.');
    enum ct_place_form form = CT_PLACE_RANKFILE;
    while (form < CT_PLACE_FORMS && !(dot && !strcmp(dot + 1, ct_place_form_names[form])))
        form++;
    return form;
}

static enum ct_place_form form_of(const struct settings *settings)
{
    if (settings->form >= FIRST_FILE_FORM)
        return (enum ct_place_form)(settings->form - FIRST_FILE_FORM);
    return settings->output_path ? form_of_ending(settings->output_path) : CT_PLACE_FORMS;
}

static struct ct_placement placement_of(const struct subject *subject)
{
    return (struct ct_placement){.room = ct_placer_room(subject->placer),
                                 .mapping = subject->found.mapping,
                                 .hosts = (const char *const *)subject->nodes.names};
}

static enum ct_status write_to(FILE *out, const void *data, struct ct_error *err)
{
    const struct subject *subject = data;
    struct ct_placement placement = placement_of(subject);
    return ct_place_write(&placement, form_of(subject->settings), out, err);
}

static enum ct_status write_mapping(const struct subject *subject, struct ct_error *err)
{
    const struct settings *settings = subject->settings;
    if (!subject->nodes.named && form_of(settings) != CT_PLACE_ORDER)
        return ct_fail(err, CT_EUSAGE, "%s: names of the %u nodes are not known: give --hosts",
                       ct_place_form_names[form_of(settings)], subject->nodes.pairs.n_places);
    if (settings->output_path)
        return ct_file_make(settings->output_path, write_to, subject, err);
    enum ct_status status = write_to(stdout, subject, err);
    if (status == CT_OK && (fflush(stdout) != 0 || ferror(stdout)))
        status = ct_fail(err, CT_EIO, "standard output: cannot write");
    return status;
}

/* ---- what is not known of parameters ---- */

static struct ct_place_draws draws_of(const struct subject *subject)
{
    return (struct ct_place_draws){.settings = &subject->settings->nodes,
                                   .nodes = &subject->nodes,
                                   .graph = &subject->graph,
                                   .room = ct_placer_room(subject->placer),
                                   .mapping = subject->found.mapping,
                                   .threads = (unsigned)subject->settings->answer.threads};
}

/* Replicates are of parameters that are the same for all pairs. */
static enum ct_status find_spread(struct subject *subject, struct ct_error *err)
{
    const struct ct_place_draws draws = draws_of(subject);
    if (draws.settings->machine.pairs_path)
        return CT_OK;
    CT_TRY(ct_model_replicates(&draws.settings->machine.model, &subject->nodes.model, err));
    return ct_place_draws_find(&draws, &subject->spread, err);
}

/* ---- tables ---- */

/* With shared links. */
static void fill_simulated(const struct ct_place_simulated *simulated, struct ct_tables *tables)
{
    double gain = simulated->block_ns > 0 ? 1 - simulated->after_ns / simulated->block_ns : 0;
    const struct ct_value rows[] = {
        {{"simulated.before_s", "with shared links before, in blocks", CT_UNIT_SECONDS},
         simulated->block_ns * 1e-9},
        {{"simulated.after_s", "with shared links and the mapping", CT_UNIT_SECONDS},
         simulated->after_ns * 1e-9},
        {{"simulated.gain", "shorter by", CT_UNIT_FRACTION}, gain},
        {{"simulated.search_s", "with shared links and the mapping of the least T",
          CT_UNIT_SECONDS},
         simulated->search_ns * 1e-9},
        {{"simulated.evaluations", "mappings simulated", CT_UNIT_COUNT},
         (double)simulated->evaluations}};
    CT_TABLES_NUMBERS(tables, rows);
}

static void answer_in_words(const struct ct_place_result *found, bool shared, bool is_written,
                            struct ct_tables *tables)
{
    enum { SHORTER_LEAST = 1000 }; /* a thousandth */
    double before_ns = shared ? found->simulated.block_ns : found->block_ns,
           after_ns = shared ? found->simulated.after_ns : found->after_ns;
    double gain = before_ns > 0 ? 1 - after_ns / before_ns : 0;
    double most = found->block_ns > 0 ? 1 - found->bound_ns / found->block_ns : 0;
    char before[CT_UNITS_TEXT_MAX], after[CT_UNITS_TEXT_MAX], shorter[CT_UNITS_TEXT_MAX],
        limit[CT_UNITS_TEXT_MAX];
    ct_format_words(before_ns * 1e-9, 4, before);
    ct_format_words(after_ns * 1e-9, 4, after);
    ct_format_share(gain, shorter);
    ct_format_share(most, limit);
    if (gain * SHORTER_LEAST < 1)
        ct_tables_answer(tables,
                         "No mapping was found that is better than ranks in blocks (%s); none is "
                         "more than %s shorter by latencies.",
                         before, limit);
    else
        ct_tables_answer(tables, "This mapping takes %s, ranks in blocks %s: %s shorter.%s", after,
                         before, shorter,
                         is_written ? "" : " -o FILE --format rankfile writes it.");
}

static void fill_times(const struct subject *subject, struct ct_tables *tables)
{
    const struct ct_place_result *found = &subject->found;
    double gain = found->block_ns > 0 ? 1 - found->after_ns / found->block_ns : 0;
    bool exhausted = !isnan(found->exhaustive_ns);
    const struct ct_place_spread *spread = &subject->spread;
    const struct {
        struct ct_column column;
        double value;
        const char *ci_key; /* NULL: no interval */
        struct ct_interval interval;
    } rows[] = {{{"before_s", "run time T before, in blocks", CT_UNIT_SECONDS},
                 found->block_ns * 1e-9,
                 "before_ci_s[]",
                 spread->before_s},
                {{"after_s", "T with the mapping that was found", CT_UNIT_SECONDS},
                 found->after_ns * 1e-9,
                 "after_ci_s[]",
                 spread->after_s},
                {{"gain", "shorter by", CT_UNIT_FRACTION}, gain, "gain_ci[]", spread->gain_frac},
                {{"bound_s", "no mapping is below", CT_UNIT_SECONDS},
                 found->bound_ns * 1e-9,
                 NULL,
                 {NAN, NAN}},
                {{"search_s", exhausted ? "T that the search found" : NULL, CT_UNIT_SECONDS},
                 found->search_ns * 1e-9,
                 NULL,
                 {NAN, NAN}},
                {{"evaluations", "mappings evaluated by the search", CT_UNIT_COUNT},
                 (double)found->evaluations,
                 NULL,
                 {NAN, NAN}}};
    bool shared = subject->settings->nodes.shared_links;
    ct_tables_detail(tables, shared);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct ct_column from = {rows[i].ci_key, "from", rows[i].column.unit};
        const struct ct_column to = {rows[i].ci_key, "to", rows[i].column.unit};
        ct_tables_number(tables, rows[i].column, rows[i].value);
        if (!rows[i].ci_key || spread->n == 0)
            continue;
        ct_tables_number(tables, from, rows[i].interval.lo);
        ct_tables_number(tables, to, rows[i].interval.hi);
    }
    ct_tables_detail(tables, false);
    if (shared)
        fill_simulated(&found->simulated, tables);
    answer_in_words(found, shared, subject->settings->output_path, tables);
}

static void fill_baselines(const struct subject *subject, struct ct_tables *tables)
{
    static const struct ct_column columns[] = {{"name", "mapping", CT_UNIT_NONE},
                                               {"runtime_s", "T", CT_UNIT_SECONDS},
                                               {"above", "above that found", CT_UNIT_FRACTION},
                                               {"simulated_s", "shared links", CT_UNIT_SECONDS}};
    const struct ct_place_result *found = &subject->found;
    const struct ct_place_simulated *simulated = &found->simulated;
    const bool shared = subject->settings->nodes.shared_links;
    const struct {
        const char *key, *json_key, *simulated_key;
        double ns, simulated_ns;
    } rows[] = {{"block", "baselines.block", "simulated.baselines.block", found->block_ns,
                 simulated->block_ns},
                {"round_robin", "baselines.round_robin", "simulated.baselines.round_robin",
                 found->round_robin_ns, simulated->round_robin_ns},
                {"random_mean", "baselines.random_mean", NULL, found->random_mean_ns, NAN},
                {"random_best", "baselines.random_best", NULL, found->random_least_ns, NAN},
                {"volume", "baselines.volume", "simulated.baselines.volume", found->volume_ns,
                 simulated->volume_ns},
                {"given", "baselines.given", "simulated.baselines.given", found->given_ns,
                 simulated->given_ns},
                {"exhaustive", "baselines.exhaustive", NULL, found->exhaustive_ns, NAN}};
    if (subject->settings->form == CT_FORMAT_JSON) {
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            CT_TABLES_NUMBER(tables, rows[i].json_key, NULL, SECONDS, rows[i].ns * 1e-9);
            if (shared && rows[i].simulated_key)
                CT_TABLES_NUMBER(tables, rows[i].simulated_key, NULL, SECONDS,
                                 rows[i].simulated_ns * 1e-9);
        }
        return;
    }
    ct_tables_begin(tables, "baselines", "Other mappings", columns,
                    sizeof columns / sizeof *columns - !shared);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (isnan(rows[i].ns))
            continue;
        ct_tables_cell_text(tables, rows[i].key);
        CT_CELL_NUMBERS(tables, rows[i].ns * 1e-9,
                        found->after_ns > 0 ? rows[i].ns / found->after_ns - 1 : 0);
        if (shared)
            ct_tables_cell_number(tables, rows[i].simulated_ns * 1e-9);
    }
    ct_tables_detail(tables, true);
    ct_tables_note(tables, found->by_scotch
                               ? "volume: by Scotch, bytes between ranks on latencies."
                               : "volume: ranks exchanged while all messages together become "
                                 "cheaper (built without Scotch, or too many nodes for it).");
    ct_tables_detail(tables, false);
    if (shared) {
        ct_topology_fill_notes(&subject->nodes.topology, tables);
        ct_topology_fill_rates_note(&subject->nodes.topology, tables);
    }
}

/* More would take the rows of other tables off the screen. */
enum { MAPPING_ROWS = 4 };

static enum ct_status fill_mapping(const struct subject *subject, struct ct_tables *tables,
                                   struct ct_error *err)
{
    static const struct ct_column columns[] = {{"rank", "rank", CT_UNIT_COUNT},
                                               {"node", "node", CT_UNIT_COUNT},
                                               {"host", "host", CT_UNIT_NONE}};
    const struct ct_placement placement = placement_of(subject);
    uint32_t n = placement.room.n_ranks;
    uint32_t *order = malloc((n + (size_t)1) * sizeof *order);
    enum ct_status status =
        order ? ct_place_order(&placement, order, err) : ct_no_memory(err, "tables");
    for (uint32_t i = 0; i < n && status == CT_OK; i++)
        CT_TABLES_NUMBER(tables, "order[]", NULL, COUNT, order[i]);
    free(order);
    ct_tables_detail(tables, n > MAPPING_ROWS && !subject->settings->view.quiet);
    CT_TABLES_BEGIN(tables, "mapping", "Mapping", columns);
    for (uint32_t r = 0; r < n; r++) {
        CT_CELL_NUMBERS(tables, r, placement.mapping[r]);
        ct_tables_cell_text(tables, placement.hosts[placement.mapping[r]]);
    }
    ct_tables_detail(tables, false);
    return status;
}

static enum ct_status print_answer(const struct subject *subject, struct ct_error *err)
{
    const struct settings *settings = subject->settings;
    struct ct_tables *tables = ct_graph_tables(&command, settings, (enum ct_format)settings->form,
                                               subject->input.path, &subject->graph);
    ct_tables_show_parameter(tables, "seed");
    ct_tables_provenance(tables, "nodes", "%u of %s", subject->nodes.pairs.n_places,
                         subject->nodes.from);
    if (subject->nodes.has_latencies)
        ct_link_latency_unused_note(subject->nodes.from, tables);
    const struct ct_place_draws draws = draws_of(subject);
    fill_times(subject, tables);
    ct_place_draws_fill(&draws, &subject->spread, tables);
    fill_baselines(subject, tables);
    enum ct_status status = fill_mapping(subject, tables, err);
    if (status == CT_OK)
        status = ct_tables_print(tables, stdout, err);
    ct_tables_free(tables);
    return status;
}

/* ---- the answer ---- */

/* Packets on all nodes of a mapping. */
static struct ct_simulate_network_setup network_of(const struct subject *subject)
{
    const struct ct_place_settings *settings = &subject->settings->nodes;
    const struct ct_place_nodes *nodes = &subject->nodes;
    const double buffer_bytes = ct_simulate_constant(CT_SIMULATE_NETWORK_BUFFER);
    return (struct ct_simulate_network_setup){
        .topology = &nodes->topology,
        .nodes = nodes->used,
        .n_nodes = nodes->pairs.n_places,
        .n_jobs = 1,
        .injection_ns_per_byte = ct_ns_from_s(nodes->model.G_s_per_byte),
        .link_ns_per_byte = NAN,
        .latency_ns = nodes->model.paths.n > 1 ? ct_ns_from_s(nodes->model.L_s) : NAN,
        .by_switches = nodes->model.paths,
        .wire_ns = ct_ns_from_s(settings->machine.wires.wire_s),
        .switch_ns = ct_ns_from_s(settings->machine.wires.switch_s),
        .packet_bytes = (double)settings->packet_bytes,
        .buffer_bytes = fmax(buffer_bytes, (double)settings->packet_bytes)};
}

/* LogGPS, with the costs of the model and those of messages inside a node. */
static struct ct_stack stack_of(const struct subject *subject)
{
    const struct ct_place_nodes *nodes = &subject->nodes;
    const struct ct_loggps at = ct_parameters_at(
        &nodes->model, nodes->model.paths.n > 1 ? nodes->model.L_s
                                                : subject->settings->nodes.machine.wires.wire_s);
    struct ct_stack stack =
        ct_stack_loggps(&at, nodes->model.S_bytes, ct_parameters_overheads(&nodes->model));
    stack.local_ns = nodes->pairs.classes[0].L_ns;
    stack.local_ns_per_byte = nodes->pairs.classes[0].G_ns_per_byte;
    return stack;
}

/* The graph; with shared links the schedule is kept as well. */
static enum ct_status load_program(struct subject *subject, struct ct_error *err)
{
    const struct settings *settings = subject->settings;
    struct ct_parameters *model = &subject->nodes.model;
    struct ct_graph_settings of_graph = settings->graph;
    of_graph.peers = subject->nodes.o_differs;
    if (!settings->nodes.shared_links)
        return ct_graph_load(command.name, subject->input, &of_graph, model, &subject->graph, err);
    const struct ct_graph_options options = {.eager_max_bytes = model->S_bytes,
                                             .overheads = ct_parameters_overheads(model),
                                             .peers = of_graph.peers};
    enum ct_status status =
        ct_schedule_load(command.name, subject->input, &of_graph.traces, &subject->goal, err);
    if (status == CT_OK)
        status = ct_graph_build(&subject->goal, &options, &subject->graph, err);
    return status == CT_OK ? CT_OK : ct_fail_within(err, status, "%s", subject->input.path);
}

static enum ct_status compute_mappings(struct subject *subject, struct ct_error *err)
{
    const struct settings *settings = subject->settings;
    struct ct_place_nodes *nodes = &subject->nodes;
    const struct ct_place_search search = {.evaluations = (size_t)settings->evaluations,
                                           .seed = settings->seed};
    enum ct_status status = ct_place_nodes_open(&settings->nodes, nodes, err);
    if (status == CT_OK)
        status = load_program(subject, err);
    if (status == CT_OK)
        status = ct_place_nodes_find(&settings->nodes, subject->graph.n_ranks, nodes, err);
    if (status == CT_OK &&
        (status = ct_placer_new(&subject->graph, &nodes->pairs, (unsigned)settings->answer.threads,
                                &subject->placer, err)) != CT_OK)
        ct_fail_within(err, status, "%s", nodes->from);
    if (status == CT_OK)
        status = ct_place_nodes_compare(&settings->nodes, subject->graph.n_ranks, nodes,
                                        &subject->given, err);
    if (status != CT_OK)
        return status;
    const bool shared = settings->nodes.shared_links;
    const struct ct_stack stack = shared ? stack_of(subject) : (struct ct_stack){.n = 0};
    const struct ct_place_contention contention = {.goal = &subject->goal,
                                                   .stack = &stack,
                                                   .network = network_of(subject),
                                                   .room = ct_placer_room(subject->placer),
                                                   .threads = (unsigned)settings->answer.threads,
                                                   .evaluations = (size_t)settings->evaluations,
                                                   .seed = settings->seed};
    CT_TRY(ct_place_compare(subject->placer, &search, subject->given, shared ? &contention : NULL,
                            &subject->found, err));
    return find_spread(subject, err);
}

static enum ct_status answer_place(void *values, const struct ct_arguments *args,
                                   struct ct_error *err)
{
    const struct settings *settings = values;
    struct subject subject = {.settings = settings, .input = ct_input_of(args->operands[0])};
    CT_TRY(ct_input_check(subject.input, err));
    if (settings->output_path && form_of(settings) == CT_PLACE_FORMS)
        return ct_fail(err, CT_EUSAGE,
                       "--output: '%s': give --format rankfile, hostfile or order, or one of these "
                       "endings",
                       settings->output_path);
    if (settings->nodes.shared_links &&
        (settings->graph.serialize || settings->graph.serialize_nic))
        return ct_fail(err, CT_EUSAGE,
                       "--serialize, --serialize-nic: not with --shared-links, where the messages "
                       "of a node queue at its port; leave them out");
    CT_TRY(ct_place_nodes_check(&settings->nodes, err));
    struct settings as_table = *settings;
    if (settings->form >= FIRST_FILE_FORM)
        as_table.form = CT_FORMAT_TABLE;
    enum ct_status status = compute_mappings(&subject, err);
    if (status == CT_OK && form_of(settings) < CT_PLACE_FORMS)
        status = write_mapping(&subject, err);
    if (status == CT_OK && as_table.evaluations == 0)
        as_table.evaluations = ct_place_effort(subject.placer);
    subject.settings = &as_table;
    if (status == CT_OK && (settings->output_path || settings->form < FIRST_FILE_FORM))
        status = print_answer(&subject, err);
    ct_place_result_free(&subject.found);
    free(subject.given);
    ct_placer_free(subject.placer);
    ct_graph_free(&subject.graph);
    ct_goal_free(&subject.goal);
    ct_place_nodes_free(&subject.nodes);
    return status;
}

int ct_cmd_place(int argc, char **argv)
{
    struct settings settings = {.nodes = {.machine.wires = ct_wire_defaults(),
                                          .rate_bit_per_s = NAN,
                                          .uplink_bit_per_s = NAN},
                                .answer = ct_answer_defaults()};
    return ct_command_main(&command, argc, argv, &settings, answer_place);
}
