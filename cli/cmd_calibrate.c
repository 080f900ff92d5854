/* crosstalk calibrate: parameters of a simulated network from measurements, with their uncertainty.
 */
#include "calibrate/chains.h"
#include "calibrate/runs/calibration_runs.h"
#include "calibrate/runs/calibration_store.h"
#include "calibrate/runs/posterior_draws.h"
#include "calibrate/runs/posterior_file.h"
#include "cli/calibrate_figures.h"
#include "cli/calibrate_tables.h"
#include "cli/cli.h"
#include "cli/simulate_engine.h"
#include "core/clock.h"
#include "core/file.h"
#include "core/option_rows.h"
#include "core/parallel.h"
#include "core/version.h"
#include "topology/read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_NODES = 2 };

struct settings {
    const char *data, *loads, *parameters, *output, *figures;
    struct ct_fabric_settings fabric;
    int network;
    size_t packet_bytes, buffer_bytes;
    uint64_t messages, window;
    struct {
        int design;
        uint64_t points, refine;
        unsigned order; /* 0: auto */
        int likelihood;
        uint64_t chains, samples, seed;
    } method;
    uint64_t threads;
    int format;
    struct ct_view view;
};

static const char *const design_names[] = {
#define NAME_ITEM(name, text) text,
    CT_DESIGN_MAP(NAME_ITEM) NULL};
static const char *const likelihood_names[] = {CT_LIKELIHOOD_MAP(NAME_ITEM) NULL};
#undef NAME_ITEM

static enum ct_status parse_order(const char *text, void *field, struct ct_error *err)
{
    uint64_t order = 0;
    if (strcmp(text, "auto") != 0 &&
        (ct_parse_u64(text, &order, NULL) != CT_OK || order < 1 || order > CT_SURROGATE_ORDER_MAX))
        return ct_fail(err, CT_EUSAGE, "'%s': auto, or 1 to %d", text, CT_SURROGATE_ORDER_MAX);
    *(unsigned *)field = (unsigned)order;
    return CT_OK;
}

static const struct ct_option data_options[] = {
    {CT_OPTION(STRING, "data", struct settings, data), .argument = "FILE", .required = true,
     .help = "a run of logpb, or a table with the columns kind,size,value, a repetition a row"},
    {CT_OPTION(STRING, "loads", struct settings, loads), .argument = "CAMPAIGN",
     .help = "also the latencies of probes beside steady configurations of compressionb in this "
             "campaign, a folder or packed, which show how ports queue. Needs 'protocols: loggps'; "
             "the network is then that of crosstalk-predict(1) for its model packets"},
    {CT_OPTION(STRING, "parameters", struct settings, parameters), .argument = "FILE",
     .required = true,
     .help = "parameters as for crosstalk-simulate(1), those that are not known with a prior: "
             "'pin: uniform 1us 7us'"},
    {0}};

static const struct ct_option network_options[] = {
    {CT_OPTION(CHOICE, "network", struct settings, network), .argument = "KIND",
     .initial = "packet", .choices = ct_simulate_network_names, .former = ct_engine_former_networks,
     .help = "network between the two nodes, as for crosstalk-simulate(1)"},
    CT_ENGINE_ROW_PACKET(struct settings, packet_bytes),
    CT_ENGINE_ROW_BUFFER(struct settings, buffer_bytes),
    {CT_OPTION(U64, "train", struct settings, messages), .initial = "16",
     CT_RANGE(2, CT_BENCHMARK_MESSAGES_MAX),
     .help = "messages of a simulated measurement of throughput"},
    {CT_OPTION(U64, "window", struct settings, window), .initial = "1",
     CT_RANGE(1, CT_BENCHMARK_MESSAGES_MAX),
     .help = "messages under way at a time in a measurement of throughput; 1: one after the other, "
             "as logpb sends them"},
    {0}};

static const struct ct_option method_options[] = {
    {CT_OPTION(CHOICE, "design", struct settings, method.design), .argument = "KIND",
     .initial = "sobol", .choices = design_names,
     .help = "where simulations are made: Sobol's sequence, a Latin hypercube, or a sparse grid"},
    {CT_OPTION(U64, "points", struct settings, method.points), .initial = "1024",
     CT_RANGE(1, CT_DESIGN_POINTS_MAX),
     .help = "number of simulations; of a sparse grid the largest number"},
    {CT_OPTION(U64, "refine", struct settings, method.refine), .initial = "2",
     .max = CT_CALIBRATION_ROUNDS_MAX - 1,
     .help = "how often to repeat with as many simulations near the values that were found; 0: "
             "once, over all of the priors, as in the paper"},
    {CT_OPTION(CUSTOM, "order", struct settings, method.order), .argument = "auto|N",
     .initial = "auto", .parse = parse_order,
     .help = "order of the polynomials in place of simulations; auto: of each result the one with "
             "the least leave-one-out error"},
    {CT_OPTION(CHOICE, "likelihood", struct settings, method.likelihood), .argument = "KIND",
     .initial = "corrected", .choices = likelihood_names,
     .help = "corrected: means of repetitions, with an error of the simulator that is found with "
             "the parameters; printed: as in the paper, with the variance of one repetition"},
    {CT_OPTION(U64, "chains", struct settings, method.chains), .initial = "4",
     CT_RANGE(1, CT_CHAINS_MAX), .help = "Markov chains"},
    {CT_OPTION(U64, "samples", struct settings, method.samples), .initial = "5000",
     CT_RANGE(10, 10000000), .help = "samples that are kept of each chain"},
    {CT_OPTION(U64, "threads", struct settings, threads), CT_RANGE(1, CT_PARALLEL_MAX),
     .help = "simulations at the same time; without it, one for each processor"},
    CT_ROW_SEED(struct settings, method.seed, "seed of the Latin hypercube and of the chains"),
    {0}};

static const struct ct_option output_options[] = {
    CT_ROW_OUTPUT(struct settings, output, "FILE.h5",
                  "write everything to this file. Simulations are stored in "
                  "FILE.h5" CT_CALIBRATION_STORE_SUFFIX " as they are made, and are not made again",
                  .required = true, .target = CT_FILE_REGULAR),
    {CT_OPTION(STRING, "figures", struct settings, figures), .argument = "DIR",
     .help = "draw sensitivities, predictions with the data, and parameters by pairs in this "
             "folder, as SVG"},
    CT_ROW_FORMAT(struct settings, format, "format of the output"),
    CT_ROWS_VIEW(struct settings, view),
    {0}};

static const struct ct_option_group groups[] = {
    {"Data and parameters", data_options, 0},
    {"Nodes", ct_fabric_options, offsetof(struct settings, fabric)},
    {"Benchmark", network_options, 0},
    {"Method", method_options, 0},
    {"Output", output_options, 0},
    {0}};

static const char *const examples[] = {
    "crosstalk calibrate --data logp.h5 --parameters stack.yaml -o posterior.h5",
    "parameters of the RDMA protocols from a run of logpb",
    ("crosstalk calibrate --data throughput.csv --parameters stack.yaml --window 16 --train 16 "
     "--topology tree:2x1 --design sparse --points 2465 -o posterior.h5"),
    "from a table of throughput with 16 messages under way, between nodes at two switches",
    ("crosstalk calibrate --data logp.h5 --parameters stack.yaml -o posterior.h5 --points 4096 "
     "--figures figures"),
    "with more simulations, beside those that are stored; and figures",
    "crosstalk calibrate --data logp.h5 --loads results --parameters switch.yaml -o posterior.h5",
    "parameters of a switch: also from probes beside compressionb",
    NULL};

static const char *const see_also[] = {"crosstalk-simulate(1)", "logpb(1)", NULL};

static const struct ct_command command = {
    .name = "crosstalk calibrate",
    .summary = "parameters of a simulated network from measurements, with their uncertainty",
    .operands = NULL,
    .description =
        "Finds which values of the parameters of a simulated network agree with measured "
        "throughput and round trips, and how certain they are. What logpb measures between two "
        "nodes is simulated at the points of a design; polynomials are fitted to the results; "
        "Markov chains sample the parameters' posterior with these.\n\n"
        "A file of --parameters has the lines of crosstalk-simulate(1). A rate or a duration that "
        "is not known has a prior: 'uniform FROM TO', 'log-uniform FROM TO' or 'normal MEAN "
        "DEVIATION', each with units. Others are fixed.\n\n"
        "A table of --data has a first line with the columns kind, size and value, then a line for "
        "each repetition: throughput,4096,5.1e9 (bytes per second) or round-trip,4096,3.2e-6 "
        "(seconds). Of a run of logpb the round trips and the trains of the first direction are "
        "taken; logpb --gap back-to-back measures trains of all sizes.\n\n"
        "Sensitivities are Sobol's total indices: the share of the variance over the priors that a "
        "parameter causes, alone or with others. The column 'of prior' has the width of a "
        "parameter's interval as a share of that of its prior: where it is near 100 % the data say "
        "nothing of the parameter.\n\n"
        "The output has everything: priors, points, results of simulations, polynomials, indices, "
        "chains, posterior, predictions. Exit code 1, with the output written, if no values in the "
        "priors agree with the data.",
    .groups = groups,
    .examples = examples,
    .see_also = see_also};

/* What is asked, and what was found. */
struct subject {
    const struct settings *settings;
    struct ct_log log;
    struct ct_unknowns unknowns;
    struct ct_measured measured;
    struct ct_calibration_loads *loads;
    struct ct_fabric fabric;
    struct ct_benchmark_setup benchmark;
    char *network; /* owned */
    struct ct_calibration_request request;
    struct ct_calibration_answer answer;
};

/* ---- the network ---- */

/* What a file says, as far as it counts: its text may be gone, such as that of a pipe. */
static void describe_topology(const struct ct_fabric *fabric, FILE *out)
{
    const struct ct_topology *topology = &fabric->topology;
    for (uint32_t i = 0; i < topology->n_links; i++) {
        const struct ct_link *link = &topology->links[i];
        fprintf(out, "%u %u %.17g %.17g\n", link->end[0], link->end[1], link->rate_bit_per_s,
                link->latency_s);
    }
    for (uint32_t i = 0; i < topology->n_given; i++)
        fprintf(out, "%u %u %u\n", topology->given[i].at, topology->given[i].to,
                topology->given[i].via);
    for (uint32_t i = 0; i < fabric->places.n_used; i++)
        fprintf(out, "%u\n", fabric->places.used[i]);
}

/* All that decides which network it is. */
static enum ct_status describe_network(struct subject *subject, struct ct_error *err)
{
    const struct ct_fabric_settings *fabric = &subject->settings->fabric;
    size_t size;
    FILE *out = open_memstream(&subject->network, &size);
    if (!out)
        return ct_no_memory(err, "network");
    fprintf(out, "%s %s %llu %.17g %.17g\n", fabric->topology ? fabric->topology : "",
            fabric->hosts ? fabric->hosts : "", (unsigned long long)fabric->spines,
            fabric->rate_bit_per_s, fabric->uplink_bit_per_s);
    if (fabric->topology && !ct_topology_is_spec(fabric->topology))
        describe_topology(&subject->fabric, out);
    return fclose(out) == 0 ? CT_OK : ct_no_memory(err, "network");
}

static enum ct_status check_options(const struct settings *settings, struct ct_error *err)
{
    const struct ct_port_queues queues = {.order = CT_PORT_ROUND_ROBIN};
    CT_TRY(ct_fabric_check(&settings->fabric, err));
    CT_TRY(ct_engine_check_network(settings->network, settings->packet_bytes,
                                   settings->buffer_bytes, &queues, err));
    if (!isnan(settings->fabric.wire_s))
        return ct_fail(
            err, CT_EUSAGE,
            "--wire, --switch: latency is the key 'hop' of --parameters; leave them out");
    if (settings->fabric.ranks_per_node != 1)
        return ct_fail(
            err, CT_EUSAGE,
            "--ranks-per-node: the two ranks of the benchmark are on two nodes; leave it "
            "out");
    if (settings->window > settings->messages)
        return ct_fail(err, CT_EUSAGE, "--window: more than the %llu messages of --train",
                       (unsigned long long)settings->messages);
    return CT_OK;
}

static enum ct_status open_network(struct subject *subject, struct ct_error *err)
{
    const struct settings *settings = subject->settings;
    const uint32_t n_ranks = N_NODES;
    CT_TRY(ct_fabric_open(&settings->fabric, &n_ranks, 1, &subject->fabric, err));
    bool has_topology = settings->fabric.topology != NULL;
    if (has_topology && subject->fabric.places.n_used != N_NODES)
        return ct_fail(err, CT_EUSAGE, "--hosts: %u nodes; the benchmark is of two",
                       subject->fabric.places.n_used);
    subject->benchmark = (struct ct_benchmark_setup){
        .kind = (enum ct_simulate_network_kind)settings->network,
        .network = {.topology = has_topology ? &subject->fabric.topology : NULL,
                    .nodes = has_topology ? subject->fabric.places.used : NULL,
                    .n_nodes = N_NODES,
                    .packet_bytes = (double)settings->packet_bytes,
                    .buffer_bytes = (double)settings->buffer_bytes},
        .messages = (uint32_t)settings->messages,
        .window = (uint32_t)settings->window};
    if (settings->loads)
        subject->benchmark.network = ct_calibration_network(N_NODES);
    return describe_network(subject, err);
}

static enum ct_status open_loads(struct subject *subject, struct ct_error *err)
{
    const struct settings *settings = subject->settings;
    if (!settings->loads)
        return CT_OK;
    if (subject->unknowns.fixed.family == CT_STACK_RDMA)
        return ct_fail(err, CT_EUSAGE,
                       "--loads: --parameters %s lacks the line 'protocols: loggps', which such "
                       "simulations need",
                       settings->parameters);
    if (settings->network != CT_NETWORK_PACKET)
        return ct_fail(err, CT_EUSAGE, "--loads: --network packet, not %s",
                       ct_simulate_network_names[settings->network]);
    if (settings->fabric.topology)
        return ct_fail(err, CT_EUSAGE, "--loads: the network is one switch; leave --topology out");
    return ct_calibration_loads_open(settings->loads, &subject->measured, &subject->loads, err);
}

/* ---- the posterior ---- */

static void make_request(struct subject *subject)
{
    const struct settings *settings = subject->settings;
    struct ct_calibration_setup posterior = ct_calibration_default();
    posterior.likelihood = (enum ct_likelihood_kind)settings->method.likelihood;
    posterior.has_discrepancy = posterior.likelihood == CT_LIKELIHOOD_CORRECTED;
    posterior.chains = settings->method.chains;
    posterior.steps = settings->method.samples;
    posterior.seed = settings->method.seed;
    posterior.threads = (unsigned)settings->threads;
    subject->request =
        (struct ct_calibration_request){.unknowns = &subject->unknowns,
                                        .measured = &subject->measured,
                                        .benchmark = &subject->benchmark,
                                        .network = subject->network,
                                        .loads = subject->loads,
                                        .design = (enum ct_design_kind)settings->method.design,
                                        .points = settings->method.points,
                                        .order = settings->method.order,
                                        .refine = (unsigned)settings->method.refine,
                                        .posterior = posterior,
                                        .output = settings->output,
                                        .log = &subject->log};
}

struct facts {
    struct ct_run_info info;
    enum ct_status status;
};

static void add_option(const char *name, const char *value, void *data)
{
    struct facts *facts = data;
    char key[80];
    snprintf(key, sizeof key, "option_%s", name);
    if (facts->status == CT_OK && *value)
        facts->status = ct_run_add_text(&facts->info, key, value);
}

/* The file, which says of itself what it was made of. */
static enum ct_status write_file(const struct subject *subject, struct ct_error *err)
{
    struct facts facts = {.status = CT_OK};
    char utc[CT_UTC_MAX];
    ct_clock_utc(utc);
    const char *const texts[][2] = {
        {"tool", command.name}, {"version", CT_VERSION}, {"finished_utc", utc}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts && facts.status == CT_OK; i++)
        facts.status = ct_run_add_text(&facts.info, texts[i][0], texts[i][1]);
    ct_command_visit(&command, subject->settings, add_option, &facts);
    if (facts.status == CT_OK)
        facts.status =
            ct_run_add_number(&facts.info, CT_POSTERIOR_LEVEL, subject->request.posterior.level);
    enum ct_status status =
        facts.status == CT_OK
            ? ct_posterior_file_write(&subject->request, &subject->answer, &facts.info, err)
            : ct_fail(err, facts.status, "%s: out of memory", subject->settings->output);
    ct_run_info_free(&facts.info);
    return status;
}

static enum ct_status print_tables(const struct subject *subject, const char *doubt,
                                   struct ct_error *err)
{
    const struct settings *settings = subject->settings;
    struct ct_tables *tables = ct_tables_new(command.name, (enum ct_format)settings->format);
    ct_tables_parameters(tables, &command, settings);
    ct_tables_show_parameter(tables, "seed");
    ct_calibrate_fill(&subject->request, &subject->answer, tables);
    if (*doubt)
        ct_tables_note(tables, "%s", doubt);
    ct_calibrate_say(&subject->request, &subject->answer, tables);
    ct_tables_answer(tables,
                     *doubt ? "Do not use the file as it is: see the note above."
                            : "The chains agree: --parameters uses the file that was written.");
    return ct_tables_finish(tables, err);
}

/* What was found is written and printed in any case. */
static enum ct_status tell_progress(struct subject *subject, struct ct_error *err)
{
    const struct ct_calibration calibration =
        ct_calibration_of(&subject->request, &subject->answer);
    struct ct_error excluded = {.text = ""}, unfinished = {.text = ""};
    bool agrees = ct_posterior_check(&calibration, subject->answer.posterior, &excluded) == CT_OK;
    bool converged =
        ct_posterior_converged(&calibration, subject->answer.posterior, &unfinished) == CT_OK;
    CT_TRY(write_file(subject, err));
    CT_TRY(print_tables(subject, agrees ? unfinished.text : excluded.text, err));
    if (subject->settings->figures)
        CT_TRY(ct_calibrate_draw(subject->settings->output, subject->settings->figures, err));
    if (!converged)
        ct_log_warn(&subject->log, "%s", unfinished.text);
    return agrees ? CT_OK
                  : ct_fail(err, excluded.status,
                            "%s (values are natural logarithms of seconds or bytes per second; %s "
                            "is written)",
                            excluded.text, subject->settings->output);
}

static enum ct_status prepare_calibration(struct subject *subject, struct ct_error *err)
{
    const struct settings *settings = subject->settings;
    CT_TRY(check_options(settings, err));
    CT_TRY(ct_unknowns_read(settings->parameters, &subject->unknowns, err));
    CT_TRY(ct_stack_check(&subject->unknowns.fixed, err));
    CT_TRY(ct_measured_open(settings->data, &subject->measured, err));
    CT_TRY(open_loads(subject, err));
    return open_network(subject, err);
}

static enum ct_status answer_calibration(void *values, const struct ct_arguments *args,
                                         struct ct_error *err)
{
    (void)args;
    const struct settings *settings = values;
    struct subject subject = {.settings = settings,
                              .log = ct_log_open(command.name, settings->view.quiet)};
    enum ct_status status = prepare_calibration(&subject, err);
    make_request(&subject);
    if (status == CT_OK)
        status = ct_calibration_find(&subject.request, &subject.answer, err);
    if (status == CT_OK)
        status = tell_progress(&subject, err);
    ct_calibration_answer_free(&subject.answer);
    ct_measured_free(&subject.measured);
    ct_calibration_loads_free(subject.loads);
    ct_fabric_free(&subject.fabric);
    free(subject.network);
    return status;
}

int ct_cmd_calibrate(int argc, char **argv)
{
    struct settings settings = {.fabric = ct_fabric_defaults(),
                                .threads = ct_parallel_processors()};
    return ct_command_main(&command, argc, argv, &settings, answer_calibration);
}
