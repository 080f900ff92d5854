#include "cli/validation_options.h"

#include "campaign/spec.h"
#include "cli/lab_rows.h"
#include "core/option_rows.h"
#include "study/pass_traces.h"
#include "topology/spec.h"

#include <math.h>
#include <string.h>

#define LAB_LATENCIES "0us,100us,200us,300us,500us,700us,1ms,1500us,2ms,3ms"

enum launcher { LAUNCHER_LAB, LAUNCHER_SIMGRID };
static const char *const launcher_names[] = {"lab", "simgrid", NULL};

enum timing { TIMING_AUTO, TIMING_SELF, TIMING_DRIVER };
static const char *const timing_names[] = {"auto", "self", "driver", NULL};

static enum ct_status parse_load(const char *text, void *field, struct ct_error *err)
{
    return ct_config_parse(text, field, err);
}

const struct ct_option ct_validation_measurement_options[] = {
    CT_ROW_OUTPUT(struct ct_validation_options, folder, "DIR",
                  "folder of the runs, the traces and the figure; made if it does not exist",
                  .required = true, .target = CT_FILE_FOLDER),
    {CT_OPTION(STRING, "latencies", struct ct_validation_options, setup.latencies),
     .argument = "LIST",
     .help = "latencies that are added to that of the baseline, each in separate runs; 0us is "
             "always included. Without this option " LAB_LATENCIES "; in a simulation 0us to 30us"},
    {CT_OPTION(DURATION, "base", struct ct_validation_options, setup.base_s),
     CT_RANGE(1e-9, CT_LAB_LATENCY_MAX_S),
     .help = "latency of the baseline. A lab adds it: adding latency takes time itself, so the "
             "baseline has it too; without this option 200us. In a simulation that of each link; "
             "500ns"},
    {CT_OPTION(U64, "repetitions", struct ct_validation_options, setup.repetitions),
     CT_RANGE(1, 1000),
     .help = "runs at each latency, in random order; without this option 3, or 1 in a simulation, "
             "where only what a program draws by its seed differs"},
    {CT_OPTION(DURATION, "time", struct ct_validation_options, setup.runtime_s),
     CT_RANGE(1e-3, 1e6),
     .help = "duration of the passes of a run; without this option 5s, in a simulation 50ms"},
    {CT_OPTION(DURATION, "logp-time", struct ct_validation_options, setup.logp_s),
     CT_RANGE(1e-3, 1e6),
     .help = "longest duration of the run of logpb; without this option 40s, in a simulation 1s"},
    {CT_OPTION(CHOICE, "passes", struct ct_validation_options, timing), .argument = "WHO",
     .initial = "auto", .choices = timing_names,
     .help = "who times the program. self: it has the options --loop, --time, --output and so on "
             "of workload; driver: from its start to its exit; auto: self for workload"},
    {CT_OPTION(STRING, "longer", struct ct_validation_options, setup.longer), .argument = "COMMAND",
     .help = "the program with longer passes, for the second trace; without this option the "
             "number after --iterations is multiplied"},
    {CT_OPTION(U64, "longer-by", struct ct_validation_options, setup.longer_by), .argument = "K",
     CT_RANGE(1, CT_PASSES_LONGER_MAX),
     .help = "the second trace is of 1 + K times as many iterations: the larger K, the less do "
             "differences between runs matter; without this option 4, or 1 with --longer"},
    {CT_OPTION(CUSTOM, "load", struct ct_validation_options, load), .argument = "CONFIGURATION",
     .parse = parse_load,
     .help = "run compressionb beside the program at every latency, as 'P2 M4 B5ms' or 2:4:5ms: "
             "partners, messages, pause. What the load adds to the latency of a probe is in the "
             "prediction"},
    {CT_OPTION(DURATION, "probe-time", struct ct_validation_options, setup.probe_s),
     CT_RANGE(1e-3, 1e6),
     .help = "with --load: duration of the probe, on the idle network and beside the load at each "
             "latency; without this option 20s, in a simulation 50ms"},
    {CT_OPTION(U64, "seed", struct ct_validation_options, setup.seed), .initial = "1",
     CT_RANGE(1, 9e15), .help = "seed of the order of the runs and of all programs"},
    {0}};

const struct ct_option ct_validation_network_options[] = {
    {CT_OPTION(CHOICE, "launcher", struct ct_validation_options, launcher), .argument = "KIND",
     .initial = "lab", .choices = launcher_names,
     .help =
         "where the program runs. simgrid: inside the simulator SimGrid, for workload and other "
         "programs that the build preset simgrid makes; times are simulated"},
    {CT_OPTION(U64, "hosts", struct ct_validation_options, setup.hosts), CT_RANGE(2, 1e6),
     .help = "number of hosts; without this option 8, or those of --topology. In a simulation "
             "whose topology is a file it must be given"},
    CT_LAB_ROW_RANKS_PER_HOST(struct ct_validation_options, setup.ranks_per_host),
    {CT_OPTION(RATE, "rate", struct ct_validation_options, setup.rate_bit_per_s),
     CT_RANGE(1e5, 1e13),
     .help = "rate of every link, each direction; in a lab with Ethernet headers. Without this "
             "option 50mbit, in a simulation 40gbit"},
    {0}};

const struct ct_option ct_validation_lab_options[] = {
    {CT_OPTION(DURATION, "lateness", struct ct_validation_options, setup.lateness_s),
     CT_RANGE(1e-6, 10),
     .help = "a run fails, and is made again, if 1 % of its packets were later than that; without "
             "this option 100us"},
    CT_LAB_ROW_ID(struct ct_validation_options, setup.lab),
    CT_LAB_ROW_MPI(struct ct_validation_options, mpi),
    {0}};

const struct ct_option ct_validation_simulation_options[] = {
    {CT_OPTION(CHOICE, "model", struct ct_validation_options, simulation.model), .argument = "NAME",
     .choices = ct_campaign_simgrid_models,
     .help = "model of the network: smpi, the default, changes latency and rate by factors of "
             "message size, ib is for contention on InfiniBand, plain takes both as they are"},
    {CT_OPTION(DURATION, "overhead", struct ct_validation_options, simulation.overhead_s),
     CT_RANGE(0, 1),
     .help = "time that a rank takes to send a message, and to receive one; without this option "
             "500ns. logpb sends trains of about 100 round trips / overhead messages"},
    {CT_OPTION(STRING, "set", struct ct_validation_options, simulation.settings),
     .argument = "WORDS", .help = "further settings of SimGrid, such as 'contexts/stack-size:512'"},
    {CT_OPTION(STRING, "simgrid", struct ct_validation_options, simulation.folder),
     .argument = "DIR",
     .help = "folder of crosstalk-simgrid; without this option where it is installed, or that of "
             "the build preset simgrid"},
    {0}};

/* ---- what is not given ---- */

/* A second trace takes as long as so many passes: short beside the runs at ten latencies. */
static const uint64_t longer_by = 4;

/* What is not given. A simulated network is as fast as those of clusters. */
struct defaults {
    const char *latencies;
    double rate_bit_per_s, base_s, runtime_s, logp_s, probe_s;
    uint64_t repetitions;
};

static const struct defaults defaults[] = {
    [LAUNCHER_LAB] = {LAB_LATENCIES, 50e6, 200e-6, 5, 40, 20, 3},
    [LAUNCHER_SIMGRID] = {"0us,1us,2us,3us,5us,7us,10us,15us,20us,30us", 40e9, 500e-9, 50e-3, 1,
                          50e-3, 1}};

static const uint64_t hosts_default = 8;
static const double lateness_default_s = 100e-6, overhead_default_s = 500e-9;

static void take_default(double *value, double otherwise)
{
    if (isnan(*value))
        *value = otherwise;
}

static void take_defaults(const struct defaults *from, struct ct_validation_setup *setup)
{
    take_default(&setup->rate_bit_per_s, from->rate_bit_per_s);
    take_default(&setup->base_s, from->base_s);
    take_default(&setup->runtime_s, from->runtime_s);
    take_default(&setup->logp_s, from->logp_s);
    take_default(&setup->probe_s, from->probe_s);
    if (!setup->latencies)
        setup->latencies = from->latencies;
    if (setup->repetitions == 0)
        setup->repetitions = from->repetitions;
}

static bool is_whole(const struct ct_validation_options *options)
{
    const char *program = options->setup.program[0];
    const char *slash = strrchr(program, '/');
    bool times_itself = !strcmp(slash ? slash + 1 : program, "workload");
    return options->timing == TIMING_DRIVER || (options->timing == TIMING_AUTO && !times_itself);
}

/* Values of options are read in the campaign file: there they have the names of its keys. */
enum ct_status ct_validation_options_name(struct ct_error *err)
{
    static const struct {
        const char *key, *option;
    } names[] = {{CT_VALIDATION_SOURCE ": latencies: ", "--latencies: "},
                 {CT_VALIDATION_SOURCE ": configurations[1].", "--load: "},
                 {CT_VALIDATION_SOURCE ": launcher: latency ", "--base "},
                 {CT_VALIDATION_SOURCE ": launcher.hosts: ", "--hosts: "},
                 {CT_VALIDATION_SOURCE ": launcher.rate: ", "--rate: "},
                 {CT_VALIDATION_SOURCE ": launcher.topology: ", "--topology: "},
                 {CT_VALIDATION_SOURCE ": launcher.uplink: ", "--uplink: "},
                 {CT_VALIDATION_SOURCE ": launcher.spines: ", "--spines: "},
                 {CT_VALIDATION_SOURCE ": launcher.options: ", "--set: "},
                 {"launcher.topology: ", "--topology: "}, /* when the launcher reads it */
                 {"launcher.hosts: ", "--hosts: "},
                 {CT_VALIDATION_SOURCE ": applications[1].longer: ", "--longer: "}};
    char rest[sizeof err->text];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i].key);
        if (strncmp(err->text, names[i].key, length) != 0)
            continue;
        memcpy(rest, err->text + length, sizeof rest - length);
        return ct_fail(err, err->status, "%s%s", names[i].option, rest);
    }
    return err->status;
}

/* Hosts and switches of the lab. */
static enum ct_status take_lab(struct ct_validation_options *options, struct ct_error *err)
{
    struct ct_validation_setup *setup = &options->setup;
    const struct ct_validation_simulation *simulation = &options->simulation;
    struct ct_lab_spec *lab = &options->lab;
    const char *option = simulation->model >= 0           ? "model"
                         : !isnan(simulation->overhead_s) ? "overhead"
                         : simulation->settings           ? "set"
                         : simulation->folder             ? "simgrid"
                                                          : NULL;
    if (option)
        return ct_fail(err, CT_EUSAGE, "--%s: goes with --launcher simgrid", option);
    lab->n_hosts = setup->hosts;
    lab->rate_bit_per_s = setup->rate_bit_per_s;
    enum ct_status status = ct_lab_switches_take(&options->switches, lab, err);
    setup->hosts = lab->n_hosts;
    setup->topology = lab->topology;
    setup->uplink_bit_per_s = *lab->topology ? lab->uplink_bit_per_s : NAN;
    take_default(&setup->lateness_s, lateness_default_s);
    if (status == CT_OK && setup->logp_s < 1)
        status = ct_fail(err, CT_EUSAGE, "--logp-time: in a lab 1s or more");
    return status;
}

/* What only labs have, or what a file of a topology says itself. */
static enum ct_status check_simulation(const struct ct_validation_options *options,
                                       struct ct_error *err)
{
    const struct ct_validation_setup *setup = &options->setup;
    const struct ct_lab_switch_values *switches = &options->switches;
    const char *of_labs = !isnan(setup->lateness_s)        ? "lateness"
                          : setup->lab                     ? "id"
                          : options->mpi != CT_MPI_UNKNOWN ? "mpi"
                                                           : NULL;
    const char *of_files = !isnan(setup->rate_bit_per_s)        ? "rate"
                           : !isnan(setup->base_s)              ? "base"
                           : !isnan(switches->uplink_bit_per_s) ? "uplink"
                           : switches->spines > 0               ? "spines"
                                                                : NULL;
    if (of_labs)
        return ct_fail(err, CT_EUSAGE, "--%s: is for labs, not for --launcher simgrid", of_labs);
    if (setup->is_whole)
        return ct_fail(err, CT_EUSAGE,
                       "--passes: %s would be timed by the driver, which is outside of the "
                       "simulation; --passes self if it has the options of workload",
                       setup->program[0]);
    if (switches->topology && !ct_topology_is_spec(switches->topology) && of_files)
        return ct_fail(err, CT_EUSAGE, "--%s: %s says that itself", of_files, switches->topology);
    return CT_OK;
}

/* Those of a simulation are checked with the rest of the campaign file. */
static void take_simulation(struct ct_validation_options *options)
{
    struct ct_validation_setup *setup = &options->setup;
    struct ct_validation_simulation *simulation = &options->simulation;
    const struct ct_lab_switch_values *switches = &options->switches;
    setup->topology = switches->topology ? switches->topology : "";
    setup->spines = switches->spines;
    setup->uplink_bit_per_s = switches->uplink_bit_per_s;
    if (!*setup->topology && setup->hosts == 0)
        setup->hosts = hosts_default;
    if (simulation->model < 0)
        simulation->model = 0;
    take_default(&simulation->overhead_s, overhead_default_s);
    setup->simulation = simulation;
}

static enum ct_status take_network(struct ct_validation_options *options, struct ct_error *err)
{
    struct ct_validation_setup *setup = &options->setup;
    bool is_simulated = options->launcher == LAUNCHER_SIMGRID;
    enum ct_status status = is_simulated ? check_simulation(options, err) : CT_OK;
    take_defaults(&defaults[options->launcher], setup);
    if (is_simulated)
        take_simulation(options);
    else
        status = take_lab(options, err);
    if (status == CT_OK && *setup->topology && setup->ranks_per_host > 1)
        status = ct_fail(err, CT_EUSAGE,
                         "--ppn %llu: with --topology one rank a host, since messages inside a "
                         "host have no class of paths",
                         (unsigned long long)setup->ranks_per_host);
    return status;
}

enum ct_status ct_validation_options_take(struct ct_validation_options *options,
                                          struct ct_error *err)
{
    struct ct_validation_setup *setup = &options->setup;
    setup->is_whole = is_whole(options);
    setup->mpi = (enum ct_mpi)options->mpi;
    if (setup->longer_by == 0)
        setup->longer_by = setup->longer ? 1 : longer_by;
    setup->load = options->load.messages > 0 ? &options->load : NULL;
    return take_network(options, err);
}

struct ct_validation_options ct_validation_options_defaults(void)
{
    return (struct ct_validation_options){.setup = {.base_s = NAN,
                                                    .rate_bit_per_s = NAN,
                                                    .runtime_s = NAN,
                                                    .logp_s = NAN,
                                                    .probe_s = NAN,
                                                    .lateness_s = NAN},
                                          .simulation = {.model = -1, .overhead_s = NAN},
                                          .switches.uplink_bit_per_s = NAN,
                                          .lab = CT_LAB_SPEC_DEFAULT};
}
