/* crosstalk-simgrid: several MPI programs in one simulation. */
#include "bench/simgrid/simgrid_ranks.h"
#include "core/argv.h"
#include "core/array.h"
#include "core/option.h"
#include "topology/read.h"
#include "topology/simgrid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum model { MODEL_SMPI, MODEL_IB, MODEL_PLAIN };
static const char *const model_names[] = {"smpi", "ib", "plain", NULL};
static const char *const model_settings[] = {[MODEL_SMPI] = "--cfg=network/model:SMPI",
                                             [MODEL_IB] = "--cfg=network/model:IB",
                                             [MODEL_PLAIN] = "--cfg=network/model:CM02"};

/* Computing takes no simulated time but what programs sleep, and so do calls of clocks. Polling
   takes a little, so that a loop of it ends. Messages of less than 64 KiB are eager: they leave at
   once, whether a receive is posted or not. Algorithms of collectives are those of MPICH. Of exit
   codes smpi_kernel would warn once for each rank, behind what the program says. */
static const char *const settings[] = {"--log=xbt_cfg.thresh:warning",
                                       "--log=smpi_kernel.thresh:error",
                                       "--log=smpi_config.thresh:warning",
                                       "--log=smpi_coll.thresh:warning",
                                       "--cfg=smpi/privatization:no",
                                       "--cfg=surf/precision:1e-9",
                                       "--cfg=smpi/simulate-computation:no",
                                       "--cfg=smpi/wtime:0",
                                       "--cfg=smpi/iprobe:0",
                                       "--cfg=smpi/test:1e-7",
                                       "--cfg=smpi/grow-injected-times:no",
                                       "--cfg=smpi/async-small-thresh:65536",
                                       "--cfg=smpi/send-is-detached-thresh:65536",
                                       "--cfg=smpi/coll-selector:mpich"};

/* Of MPI_Send(), MPI_Isend() and receives. */
static const char *const overheads[] = {"os", "ois", "or"};

struct values {
    const char *platform, *topology, *prefix, *settings, *counters;
    struct ct_topology_settings generated;
    uint64_t spines;
    int model; /* enum model */
    double overhead_s, added_latency_s;
    struct ct_simgrid_part part;
};

static const struct ct_option options[] = {
    {CT_OPTION(STRING, "platform", struct values, platform), .argument = "FILE.xml", .initial = "",
     .help = "network, a platform file of SimGrid; before the first program"},
    {CT_OPTION(STRING, "topology", struct values, topology), .argument = "SPEC|FILE", .initial = "",
     .help = "or a network as crosstalk-topology(1) takes it, with its routes; before the first "
             "program"},
    {CT_OPTION(RATE, "rate", struct values, generated.rate_bit_per_s),
     CT_RANGE(1, CT_SIMGRID_RATE_MAX),
     .help = "of the topology: rate of each direction of a node's link"},
    {CT_OPTION(RATE, "uplink", struct values, generated.uplink_bit_per_s),
     CT_RANGE(1, CT_SIMGRID_RATE_MAX),
     .help = "rate of each direction of a link between switches; without it that of --rate"},
    {CT_OPTION(DURATION, "wire", struct values, generated.wire_s), CT_RANGE(0, 1),
     .help = "latency of each link"},
    {CT_OPTION(U64, "spines", struct values, spines), CT_RANGE(1, 100000),
     .help = "switches that all leaves of a tree are joined to; without it as in the text, or 1"},
    {CT_OPTION(STRING, "prefix", struct values, prefix), .argument = "TEXT", .initial = "",
     .help = "hosts are TEXT1, TEXT2 and so on; without it they have the names of the topology's "
             "nodes"},
    {CT_OPTION(CHOICE, "model", struct values, model), .argument = "NAME", .initial = "smpi",
     .choices = model_names,
     .help =
         "model of the network: smpi changes latency and rate by factors of message size, ib is "
         "for contention on InfiniBand, plain takes both as they are; before the first program"},
    {CT_OPTION(STRING, "set", struct values, settings), .argument = "WORDS", .initial = "",
     .help =
         "further settings of SimGrid, such as 'smpi/os:0:1e-6:0 contexts/stack-size:512'; before "
         "the first program"},
    {CT_OPTION(DURATION, "overhead", struct values, overhead_s), .initial = "500ns", CT_RANGE(0, 1),
     .help =
         "time that a rank takes to send a message, and to receive one; before the first program. "
         "With 0 a train of small messages takes no time at all, which logpb does not end"},
    {CT_OPTION(DURATION, "add-latency", struct values, added_latency_s), .initial = "0s",
     CT_RANGE(0, CT_SIMGRID_ADDED_MAX_S),
     .help = "each message between hosts is so much later, on every path and with every model; "
             "before the first program"},
    {CT_OPTION(STRING, "counters", struct values, counters), .argument = "FILE.json",
     .help =
         "write how many messages and bytes each link carried, and how busy it was, while impactb "
         "probes, or else from the start of the first program without --background to the end of "
         "the last; before the first program"},
    {0}};

static const struct ct_option part_options[] = {
    {CT_OPTION(STRING, "hosts", struct values, part.hosts), .argument = "A,B,...", .required = true,
     .help = "hosts of the program"},
    {CT_OPTION(U64, "slots", struct values, part.slots), .initial = "1", CT_RANGE(1, 10000),
     .help = "ranks on each host"},
    {CT_OPTION(DURATION, "start", struct values, part.start_s), .initial = "0s", CT_RANGE(0, 1e6),
     .help = "simulated time after which it starts, counted from when all programs can"},
    {CT_OPTION(FLAG, "background", struct values, part.is_background),
     .help = "ask it to end, as by a signal, when the programs without this option have ended"},
    {CT_OPTION(STRING, "trace", struct values, part.trace), .argument = "DIR", .initial = "",
     .help = "trace its ranks, as crosstalk trace does, to this folder; times are simulated"},
    {0}};

static const struct ct_option_group groups[] = {{.title = "Simulation", .options = options},
                                                {.title = "Program", .options = part_options},
                                                {0}};

static const char *const examples[] = {
    "crosstalk-simgrid --platform net.xml --hosts h1,h2,h3,h4 impactb --time 1s --output idle.h5",
    "the probe alone",
    ("crosstalk-simgrid --platform net.xml --hosts h1,h2,h3,h4 --start 10ms workload fft --loop "
     "--time 1s --output fft.h5 : --hosts h1,h2,h3,h4 --background workload milc --loop --time 1h"),
    "passes of fft while milc runs", NULL};

static const struct ct_command command = {
    .name = "crosstalk-simgrid",
    .summary = "run MPI programs together inside the simulator SimGrid",
    .operands = "PROGRAM [ARGUMENT]... [: [OPTION]... PROGRAM [ARGUMENT]...]...",
    .description =
        "Runs measuring programs that were built for SimGrid in one simulation, on one network, "
        "each with a communicator of its own. The word ':' begins another program with its "
        "options. Clocks are those of the simulation.\n\n"
        "Programs are those that the build preset simgrid makes; a name without '/' is looked up "
        "beside crosstalk-simgrid. Others, made by smpicc, find the ranks of all programs in "
        "MPI_COMM_WORLD, and all of their ranks share one set of global variables.",
    .groups = groups,
    .examples = examples,
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .options_end_at_operand = true};

/* One program: its words, from the one before its first option (which parsing skips) on. */
static enum ct_status parse_part(int argc, char **argv, struct values *values, bool *finished_p,
                                 struct ct_error *err)
{
    struct ct_arguments args = {0};
    enum ct_status status = ct_command_parse(&command, argc, argv, values, &args, stdout, err);
    *finished_p = args.finished;
    values->part.argv = args.operands;
    return status;
}

/* Every part begins behind a word that is skipped: the name of this program, or ':', where the
   words of the part before end. */
static enum ct_status parse_options(int argc, char **argv, struct values *values,
                                    struct ct_simgrid_run *run, bool *finished_p,
                                    struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (int from = 0, to; status == CT_OK && !*finished_p && from < argc; from = to) {
        struct values own = {.generated = ct_topology_defaults()};
        for (to = from + 1; to < argc && strcmp(argv[to], ":") != 0; to++)
            continue;
        char *colon = argv[to];
        argv[to] = NULL;
        status = parse_part(to - from, argv + from, &own, finished_p, err);
        argv[to] = colon;
        if (status != CT_OK || *finished_p)
            break;
        if (from == 0)
            *values = own;
        if (!CT_ARRAY_RESIZE(run->parts, run->n_parts + 1))
            return ct_no_memory(err, "command line");
        run->parts[run->n_parts++] = own.part;
    }
    /* The words of a part end before the next colon. */
    for (int i = 1; i < argc; i++)
        if (argv[i] && !strcmp(argv[i], ":"))
            argv[i] = NULL;
    return status;
}

/* Whether there are factors by size is known of the models of --model only. */
static enum ct_status check_setting(const char *word, const struct ct_simgrid_run *run,
                                    struct ct_error *err)
{
    bool is_answered = run->counters || run->added_latency_s > 0;
    if (!is_answered || strncmp(word, "network/model:", strlen("network/model:")) != 0)
        return CT_OK;
    return ct_fail(err, CT_EUSAGE,
                   "--set: %s: not with --counters or --add-latency, which know the models of "
                   "--model",
                   word);
}

/* Factors cannot be both set and answered: who answers takes them over. */
static bool take_factors(const char *word, const char *key, bool is_answered, const char **factors)
{
    if (!is_answered || strncmp(word, key, strlen(key)) != 0)
        return false;
    *factors = word + strlen(key);
    return true;
}

static bool take_setting(const char *word, struct ct_simgrid_run *run)
{
    bool by_size = run->factors_by_size;
    return take_factors(word, "smpi/bw-factor:", by_size && run->counters, &run->rate_factors) ||
           take_factors(word, "smpi/lat-factor:", by_size && run->added_latency_s > 0,
                        &run->latency_factors);
}

/* @param own  [out] the words of --set, to which the run refers */
static enum ct_status add_settings(const struct values *values, struct ct_simgrid_run *run,
                                   struct ct_argv *own, struct ct_error *err)
{
    struct ct_argv *words = &run->settings;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        ct_argv_add(words, "%s", settings[i]);
    ct_argv_add(words, "%s", model_settings[values->model]);
    for (size_t i = 0; i < sizeof overheads / sizeof *overheads; i++)
        ct_argv_add(words, "--cfg=smpi/%s:0:%.9g:0", overheads[i], values->overhead_s);
    enum ct_status status = ct_argv_split(own, values->settings, err);
    for (size_t i = 0; i < own->n && status == CT_OK; i++) {
        status = check_setting(own->item[i], run, err);
        if (!take_setting(own->item[i], run))
            ct_argv_add(words, "--cfg=%s", own->item[i]);
    }
    return status == CT_OK && words->failed ? ct_no_memory(err, "settings") : status;
}

/* @param topology_p  [out] ct_topology_free(); empty with a platform file */
static enum ct_status open_network(const struct values *values, struct ct_simgrid_run *run,
                                   struct ct_topology *topology_p, struct ct_error *err)
{
    bool has_platform = *values->platform != '\0';
    if (has_platform == (*values->topology != '\0'))
        return ct_fail(err, CT_EUSAGE, "--platform or --topology: one of them must be given");
    if (has_platform) {
        run->platform = values->platform;
        return CT_OK;
    }
    struct ct_topology_settings generated = values->generated;
    generated.spines = (uint32_t)values->spines;
    enum ct_status status = ct_topology_open(values->topology, &generated, topology_p, err);
    if (status == CT_OK)
        status = ct_topology_simgrid_check(topology_p, err);
    run->topology = topology_p;
    run->prefix = *values->prefix ? values->prefix : NULL;
    return status;
}

/* @param topology_p  [out] ct_topology_free(); the run refers to it */
static enum ct_status simulate_run(const struct values *values, struct ct_simgrid_run *run,
                                   struct ct_topology *topology_p, struct ct_error *err)
{
    struct ct_argv own = {0};
    run->counters = values->counters;
    run->added_latency_s = values->added_latency_s;
    run->factors_by_size = values->model != MODEL_PLAIN;
    enum ct_status status = open_network(values, run, topology_p, err);
    if (status == CT_OK)
        status = add_settings(values, run, &own, err);
    if (status == CT_OK)
        status = ct_simgrid_load(run, err);
    if (status == CT_OK)
        status = ct_simgrid_simulate(run, err);
    ct_argv_free(&own);
    return status;
}

int main(int argc, char **argv)
{
    struct values values = {0};
    struct ct_simgrid_run run = {0};
    struct ct_topology topology = {0};
    struct ct_error err;
    bool finished = false;
    enum ct_status status = parse_options(argc, argv, &values, &run, &finished, &err);
    if (status == CT_OK && !finished)
        status = simulate_run(&values, &run, &topology, &err);
    if (status != CT_OK) /* a log would read the clock, which belongs to ranks */
        fprintf(stderr, "%s: %s\n", command.name, err.text);
    ct_simgrid_unload(&run);
    ct_topology_free(&topology);
    free(run.parts);
    return ct_exit_code(status);
}
