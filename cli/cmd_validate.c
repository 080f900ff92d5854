/* crosstalk validate: run time over latency, measured and predicted. */
#include "campaign/drive.h"
#include "campaign/folder_name.h"
#include "campaign/validation_file.h"
#include "cli/cli.h"
#include "cli/graph_input.h"
#include "cli/lab_rows.h"
#include "cli/switch_options.h"
#include "cli/thresholds.h"
#include "cli/validation.h"
#include "cli/warn.h"
#include "lab/delay.h"
#include "report/validation_figure.h"
#include "study/pass_traces.h"
#include "topology/spec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LAB_LATENCIES "0us,100us,200us,300us,500us,700us,1ms,1500us,2ms,3ms"

enum launcher { LAUNCHER_LAB, LAUNCHER_SIMGRID };
static const char *const launcher_names[] = {"lab", "simgrid", NULL};

enum timing { TIMING_AUTO, TIMING_SELF, TIMING_DRIVER };
static const char *const timing_names[] = {"auto", "self", "driver", NULL};

struct settings {
    const char *folder;
    struct ct_validation_setup setup;
    struct ct_lab_switch_values switches;
    struct ct_lab_spec lab; /* setup has its topology */
    int launcher, timing, mpi;
    struct ct_validation_simulation simulation;
    struct ct_config load; /* no messages: none */
    struct ct_thresholds thresholds;
    const char *posterior; /* NULL: none */
    struct ct_graph_settings graph;
    struct ct_answer_settings answer;
};

#define FIELD(member) offsetof(struct settings, member)

static enum ct_status parse_load(const char *text, void *field, struct ct_error *err)
{
    return ct_config_parse(text, field, err);
}

static const struct ct_option measurement_options[] = {
    CT_ROW_OUTPUT(FIELD(folder), "DIR",
                  "folder of the runs, the traces and the figure; made if it does not exist",
                  .required = true),
    {.name = "latencies",
     .type = CT_OPTION_STRING,
     .offset = FIELD(setup.latencies),
     .argument = "LIST",
     .help = "latencies that are added to that of the baseline, each in separate runs; 0us is "
             "always included. Without this option " LAB_LATENCIES "; in a simulation 0us to 30us"},
    {.name = "base",
     .type = CT_OPTION_DURATION,
     .offset = FIELD(setup.base_s),
     .argument = "DURATION",
     .min = 1e-9,
     .max = CT_LAB_LATENCY_MAX_S,
     .help = "latency of the baseline. A lab adds it: adding latency takes time itself, so the "
             "baseline has it too; without this option 200us. In a simulation that of each link; "
             "500ns"},
    {.name = "repetitions",
     .type = CT_OPTION_U64,
     .offset = FIELD(setup.repetitions),
     .argument = "N",
     .min = 1,
     .max = 1000,
     .help = "runs at each latency, in random order; without this option 3, or 1 in a simulation, "
             "where only what a program draws by its seed differs"},
    {.name = "time",
     .type = CT_OPTION_DURATION,
     .offset = FIELD(setup.runtime_s),
     .argument = "DURATION",
     .min = 1e-3,
     .max = 1e6,
     .help = "duration of the passes of a run; without this option 5s, in a simulation 50ms"},
    {.name = "logp-time",
     .type = CT_OPTION_DURATION,
     .offset = FIELD(setup.logp_s),
     .argument = "DURATION",
     .min = 1e-3,
     .max = 1e6,
     .help = "longest duration of the run of logpb; without this option 40s, in a simulation 1s"},
    {.name = "passes",
     .type = CT_OPTION_CHOICE,
     .offset = FIELD(timing),
     .argument = "WHO",
     .initial = "auto",
     .choices = timing_names,
     .help = "who times the program. self: it has the options --loop, --time, --output and so on "
             "of workload; driver: from its start to its exit; auto: self for workload"},
    {.name = "longer",
     .type = CT_OPTION_STRING,
     .offset = FIELD(setup.longer),
     .argument = "COMMAND",
     .help = "the program with longer passes, for the second trace; without this option the "
             "number after --iterations is multiplied"},
    {.name = "longer-by",
     .type = CT_OPTION_U64,
     .offset = FIELD(setup.longer_by),
     .argument = "K",
     .min = 1,
     .max = CT_PASSES_LONGER_MAX,
     .help = "the second trace is of 1 + K times as many iterations: the larger K, the less do "
             "differences between runs matter; without this option 4, or 1 with --longer"},
    {.name = "load",
     .type = CT_OPTION_CUSTOM,
     .offset = FIELD(load),
     .argument = "CONFIGURATION",
     .parse = parse_load,
     .help = "run compressionb beside the program at every latency, as 'P2 M4 B5ms' or 2:4:5ms: "
             "partners, messages, pause. What the load adds to the latency of a probe is in the "
             "prediction"},
    {.name = "probe-time",
     .type = CT_OPTION_DURATION,
     .offset = FIELD(setup.probe_s),
     .argument = "DURATION",
     .min = 1e-3,
     .max = 1e6,
     .help = "with --load: duration of the probe, on the idle network and beside the load at each "
             "latency; without this option 20s, in a simulation 50ms"},
    {.name = "seed",
     .type = CT_OPTION_U64,
     .offset = FIELD(setup.seed),
     .argument = "N",
     .initial = "1",
     .min = 1,
     .max = 9e15,
     .help = "seed of the order of the runs and of all programs"},
    {0}};

static const struct ct_option network_options[] = {
    {.name = "launcher",
     .type = CT_OPTION_CHOICE,
     .offset = FIELD(launcher),
     .argument = "KIND",
     .initial = "lab",
     .choices = launcher_names,
     .help =
         "where the program runs. simgrid: inside the simulator SimGrid, for workload and other "
         "programs that the build preset simgrid makes; times are simulated"},
    {.name = "hosts",
     .type = CT_OPTION_U64,
     .offset = FIELD(setup.hosts),
     .argument = "N",
     .min = 2,
     .max = 1e6,
     .help = "number of hosts; without this option 8, or those of --topology. In a simulation "
             "whose topology is a file it must be given"},
    CT_LAB_ROW_RANKS_PER_HOST(FIELD(setup.ranks_per_host)),
    {.name = "rate",
     .type = CT_OPTION_RATE,
     .offset = FIELD(setup.rate_bit_per_s),
     .argument = "RATE",
     .min = 1e5,
     .max = 1e13,
     .help = "rate of every link, each direction; in a lab with Ethernet headers. Without this "
             "option 50mbit, in a simulation 40gbit"},
    {0}};

static const struct ct_option lab_options[] = {
    {.name = "lateness",
     .type = CT_OPTION_DURATION,
     .offset = FIELD(setup.lateness_s),
     .argument = "DURATION",
     .min = 1e-6,
     .max = 10,
     .help = "a run fails, and is made again, if 1 % of its packets were later than that; without "
             "this option 100us"},
    CT_LAB_ROW_ID(FIELD(setup.lab)),
    CT_LAB_ROW_MPI(FIELD(mpi)),
    {0}};

static const struct ct_option simulation_options[] = {
    {.name = "model",
     .type = CT_OPTION_CHOICE,
     .offset = FIELD(simulation.model),
     .argument = "NAME",
     .choices = ct_campaign_simgrid_models,
     .help = "model of the network: smpi, the default, changes latency and rate by factors of "
             "message size, ib is for contention on InfiniBand, plain takes both as they are"},
    {.name = "overhead",
     .type = CT_OPTION_DURATION,
     .offset = FIELD(simulation.overhead_s),
     .argument = "DURATION",
     .min = 0,
     .max = 1,
     .help = "time that a rank takes to send a message, and to receive one; without this option "
             "500ns. logpb sends trains of about 100 round trips / overhead messages"},
    {.name = "set",
     .type = CT_OPTION_STRING,
     .offset = FIELD(simulation.settings),
     .argument = "WORDS",
     .help = "further settings of SimGrid, such as 'contexts/stack-size:512'"},
    {.name = "simgrid",
     .type = CT_OPTION_STRING,
     .offset = FIELD(simulation.folder),
     .argument = "DIR",
     .help = "folder of crosstalk-simgrid; without this option where it is installed, or that of "
             "the build preset simgrid"},
    {0}};

static const struct ct_option question_options[] = {
    CT_MODEL_ROW_PARAMETERS(FIELD(posterior), "; by default all are those of the run of logpb"),
    {.name = "threshold",
     .type = CT_OPTION_CUSTOM,
     .offset = FIELD(thresholds),
     .argument = "FRACTION,...",
     .initial = "1%,2%,5%",
     .parse = ct_thresholds_parse,
     .help = "how much longer the program may run: tolerances"},
    {0}};

static const struct ct_option_group groups[] = {
    {"Measurement", measurement_options, 0},
    {"Network", network_options, 0},
    {"Several switches", ct_lab_switch_options, FIELD(switches)},
    {"Lab", lab_options, 0},
    {"Simulation", simulation_options, 0},
    {"Question", question_options, 0},
    {"Schedule", ct_graph_options, FIELD(graph)},
    {"Traces", ct_trace_options, FIELD(graph.traces)},
    {"Computing", ct_threads_options, FIELD(answer)},
    {"Output", ct_output_options, FIELD(answer)},
    {0}};

static const char *const examples[] = {
    "crosstalk validate -o val -- workload lulesh --iterations 20",
    "ten latencies, three runs of 5 s at each",
    ("crosstalk validate -o val --latencies 0us,500us,1ms,2ms,4ms --repetitions 5 --format json -- "
     "workload milc --iterations 20"),
    "other latencies, for scripts",
    ("crosstalk validate -o beside --load 'P2 M4 B5ms' --latencies 0us,1ms,2ms,4ms -- workload "
     "lulesh --iterations 20"),
    "added latency and contention together",
    "crosstalk validate -o val --passes driver -- ./app input",
    "any MPI program, timed from its start to its exit",
    "crosstalk validate -o tree --topology tree:2x4 --spines 2 -- workload lulesh --iterations 20",
    "on two levels of switches",
    ("crosstalk validate --launcher simgrid -o sim --topology fat-tree:4 -- workload milc "
     "--iterations 20 --compute-time 100us"),
    "inside a simulator, on 16 hosts",
    NULL};

static const char *const see_also[] = {"crosstalk-lab-latency(1)", "crosstalk-tolerance(1)",
                                       "crosstalk-campaign(1)", "logpb(1)", NULL};

static const struct ct_command command = {
    .name = "crosstalk validate",
    .summary = "run time of a program over latency, measured and predicted",
    .operands = "-- PROGRAM [ARGUMENT]...",
    .description =
        "Runs an MPI program in a lab or in a simulation that adds latency, at each of several "
        "latencies, repeatedly, in random order. Measures LogP parameters at the least latency and "
        "traces the program "
        "there. Then it predicts the run time at each latency, T(L + dL), from the traces, and "
        "compares: relative root mean square error; slope, up to run times 25 % longer, measured, "
        "with 95 % interval, and predicted, beside lambda_L; added latency at which the program "
        "takes 1, 2 and 5 % longer. DIR/validation.svg shows run time over latency, with predicted "
        "tolerances as zones.\n\n"
        "T of a trace includes the start and the warm-up of the program, a timed pass does not. So "
        "a program that times its passes is traced twice, the second time with 1 + K times as "
        "many iterations, and the difference of both T, divided by K, is the prediction of a pass. "
        "For a program that is timed as a whole, the increase of the run time is predicted.\n\n"
        "With --load the program runs beside compressionb at each latency, and alone at the least "
        "one. A probe, impactb, runs on the idle network and beside the load. With what the load "
        "adds to its mean latency, L_B, the prediction is T(L_B + dL).\n\n"
        "With --topology there are several switches, and messages cost the L, o and G of the "
        "class "
        "of their path, which is the number of switches between two hosts: logpb --pairs classes "
        "measures a pair of each class. The added latency is the same on all paths.\n\n"
        "In a simulation (--launcher simgrid) each message between hosts is later by the added "
        "latency, whatever the model of the network is. A simulation runs on each processor.\n\n"
        "DIR is the folder of a campaign, DIR/campaign.yaml its file: the same command continues "
        "after an interruption, and makes no run twice.",
    .groups = groups,
    .examples = examples,
    .see_also = see_also,
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .options_end_at_operand = true};

/* ---- measuring ---- */

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

static void take(double *value, double otherwise)
{
    if (isnan(*value))
        *value = otherwise;
}

static void take_defaults(const struct defaults *from, struct ct_validation_setup *setup)
{
    take(&setup->rate_bit_per_s, from->rate_bit_per_s);
    take(&setup->base_s, from->base_s);
    take(&setup->runtime_s, from->runtime_s);
    take(&setup->logp_s, from->logp_s);
    take(&setup->probe_s, from->probe_s);
    if (!setup->latencies)
        setup->latencies = from->latencies;
    if (setup->repetitions == 0)
        setup->repetitions = from->repetitions;
}

static bool is_whole(const struct settings *settings, const char *program)
{
    const char *slash = strrchr(program, '/');
    bool times_itself = !strcmp(slash ? slash + 1 : program, "workload");
    return settings->timing == TIMING_DRIVER || (settings->timing == TIMING_AUTO && !times_itself);
}

static enum ct_status drive(const struct settings *settings, struct ct_text file,
                            const struct ct_campaign_spec *spec, struct ct_log *log,
                            struct ct_error *err)
{
    struct ct_drive_result result;
    const struct ct_drive_options options = {0};
    enum ct_status status = ct_drive(settings->folder, file, spec, &options, log, &result, err);
    if (status == CT_EINTR)
        return ct_fail(err, status, "interrupted: %zu of %zu runs done; the same command goes on",
                       result.n_found + result.n_made, result.n_runs);
    if (status == CT_OK && result.n_failed > 0)
        status = ct_fail(err, CT_ECHILD,
                         "%zu of %zu runs failed; see crosstalk campaign status %s; the same "
                         "command tries them again",
                         result.n_failed, result.n_runs, settings->folder);
    return status;
}

/* Values of options are read in the campaign file: there they have the names of its keys. */
static enum ct_status name_option(struct ct_error *err)
{
    static const struct {
        const char *key, *option;
    } names[] = {{"validation: latencies: ", "--latencies: "},
                 {"validation: configurations[1].", "--load: "},
                 {"validation: launcher: latency ", "--base "},
                 {"validation: launcher.hosts: ", "--hosts: "},
                 {"validation: launcher.rate: ", "--rate: "},
                 {"validation: launcher.topology: ", "--topology: "},
                 {"validation: launcher.uplink: ", "--uplink: "},
                 {"validation: launcher.spines: ", "--spines: "},
                 {"validation: launcher.options: ", "--set: "},
                 {"launcher.topology: ", "--topology: "}, /* when the launcher reads it */
                 {"launcher.hosts: ", "--hosts: "},
                 {"validation: applications[1].longer: ", "--longer: "}};
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
static enum ct_status take_lab(struct settings *settings, struct ct_error *err)
{
    struct ct_validation_setup *setup = &settings->setup;
    const struct ct_validation_simulation *simulation = &settings->simulation;
    struct ct_lab_spec *lab = &settings->lab;
    const char *option = simulation->model >= 0           ? "model"
                         : !isnan(simulation->overhead_s) ? "overhead"
                         : simulation->settings           ? "set"
                         : simulation->folder             ? "simgrid"
                                                          : NULL;
    if (option)
        return ct_fail(err, CT_EUSAGE, "--%s: goes with --launcher simgrid", option);
    lab->n_hosts = setup->hosts;
    lab->rate_bit_per_s = setup->rate_bit_per_s;
    enum ct_status status = ct_lab_switches_take(&settings->switches, lab, err);
    setup->hosts = lab->n_hosts;
    setup->topology = lab->topology;
    setup->uplink_bit_per_s = *lab->topology ? lab->uplink_bit_per_s : NAN;
    take(&setup->lateness_s, lateness_default_s);
    if (status == CT_OK && setup->logp_s < 1)
        status = ct_fail(err, CT_EUSAGE, "--logp-time: in a lab 1s or more");
    return status;
}

/* What only labs have, or what a file of a topology says itself. */
static enum ct_status check_simulation(const struct settings *settings, struct ct_error *err)
{
    const struct ct_validation_setup *setup = &settings->setup;
    const struct ct_lab_switch_values *switches = &settings->switches;
    const char *of_labs = !isnan(setup->lateness_s)         ? "lateness"
                          : setup->lab                      ? "id"
                          : settings->mpi != CT_MPI_UNKNOWN ? "mpi"
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
static void take_simulation(struct settings *settings)
{
    struct ct_validation_setup *setup = &settings->setup;
    struct ct_validation_simulation *simulation = &settings->simulation;
    const struct ct_lab_switch_values *switches = &settings->switches;
    setup->topology = switches->topology ? switches->topology : "";
    setup->spines = switches->spines;
    setup->uplink_bit_per_s = switches->uplink_bit_per_s;
    if (!*setup->topology && setup->hosts == 0)
        setup->hosts = hosts_default;
    if (simulation->model < 0)
        simulation->model = 0;
    take(&simulation->overhead_s, overhead_default_s);
    setup->simulation = simulation;
}

static enum ct_status take_network(struct settings *settings, struct ct_error *err)
{
    struct ct_validation_setup *setup = &settings->setup;
    bool is_simulated = settings->launcher == LAUNCHER_SIMGRID;
    enum ct_status status = is_simulated ? check_simulation(settings, err) : CT_OK;
    take_defaults(&defaults[settings->launcher], setup);
    if (is_simulated)
        take_simulation(settings);
    else
        status = take_lab(settings, err);
    if (status == CT_OK && *setup->topology && setup->ranks_per_host > 1)
        status = ct_fail(err, CT_EUSAGE,
                         "--ppn %llu: with --topology one rank a host, since messages inside a "
                         "host have no class of paths",
                         (unsigned long long)setup->ranks_per_host);
    return status;
}

static enum ct_status measure(struct settings *settings, struct ct_log *log, struct ct_error *err)
{
    struct ct_text file;
    struct ct_campaign_spec spec;
    settings->setup.is_whole = is_whole(settings, settings->setup.program[0]);
    settings->setup.mpi = (enum ct_mpi)settings->mpi;
    if (settings->setup.longer_by == 0)
        settings->setup.longer_by = settings->setup.longer ? 1 : longer_by;
    settings->setup.load = settings->load.messages > 0 ? &settings->load : NULL;
    enum ct_status status = take_network(settings, err);
    if (status == CT_OK)
        status = ct_validation_file(&settings->setup, &file, err);
    if (status != CT_OK)
        return status;
    status = ct_campaign_spec_parse(file.text, file.size, "validation", &spec, err);
    if (status == CT_OK) {
        if (spec.n_latencies == 0)
            status = ct_fail(err, CT_EUSAGE,
                             "--latencies %s: give one at least that is not 0, such as 0us,1ms",
                             settings->setup.latencies);
        else
            status = drive(settings, file, &spec, log, err);
        ct_campaign_spec_free(&spec);
    }
    if (status != CT_OK)
        status = name_option(err);
    free(file.text);
    return status;
}

/* ---- answering ---- */

enum { PANEL_PX = 300, KEY_ROW_PX = 20 };

static enum ct_status draw(const struct ct_validation *found, const char *folder, const char *title,
                           struct ct_tables *tables, struct ct_error *err)
{
    char path[PATH_MAX];
    struct ct_validation_figure *figure = NULL;
    enum ct_status status = ct_folder_name(folder, "validation.svg", "", "", path, err);
    if (status == CT_OK)
        status = ct_validation_figure_make(found, &figure, err);
    if (status == CT_OK) {
        const struct ct_plot_panel *panel = ct_validation_figure_panel(figure);
        const struct ct_plot plot = {
            .title = title,
            .panels = panel,
            .n_panels = 1,
            .panel_height = PANEL_PX + KEY_ROW_PX * (double)(panel->n_series + panel->n_zones)};
        status = ct_plot_write(&plot, path, err);
        ct_validation_figure_free(figure);
    }
    if (status != CT_EUNSUPPORTED)
        return status;
    ct_tables_note(tables, "No picture: %s", err->text);
    return CT_OK;
}

static enum ct_status find(const struct settings *settings, struct ct_validation *found_p,
                           struct ct_error *err)
{
    struct ct_validation_question question = {.folder = settings->folder,
                                              .app = CT_VALIDATION_APP,
                                              .threshold_frac = settings->thresholds.frac,
                                              .n_thresholds = settings->thresholds.n,
                                              .serialize = settings->graph.serialize,
                                              .serialize_nic = settings->graph.serialize_nic,
                                              .posterior_path = settings->posterior,
                                              .threads = (unsigned)settings->answer.threads,
                                              .seed = settings->setup.seed};
    *found_p = (struct ct_validation){.n_points = 0};
    enum ct_status status =
        ct_trace_convert_options(&settings->graph.traces, &question.convert, err);
    if (status == CT_OK)
        status = ct_validation_find(&question, found_p, err);
    ct_warn_all(command.name, &found_p->notes);
    return status;
}

static enum ct_status fill(const struct settings *settings, const struct ct_validation *found,
                           const char *title, struct ct_tables *tables, struct ct_error *err)
{
    ct_tables_provenance(tables, "program", "%s", title);
    ct_tables_provenance(tables, "folder", "%s", settings->folder);
    if (settings->setup.simulation)
        ct_tables_provenance(tables, "simulated by", "SimGrid, model %s",
                             ct_campaign_simgrid_models[settings->simulation.model]);
    if (*settings->setup.topology)
        ct_tables_provenance(tables, "topology", "%s", settings->setup.topology);
    if (found->runs.has_load) {
        char load[CT_CONFIG_TEXT_MAX];
        ct_config_describe(&found->runs.load, load);
        ct_tables_provenance(tables, "load", "%s", load);
    }
    ct_validation_fill(tables, found);
    if (!found->schedules.by_class)
        ct_parameters_fill(&found->schedules.parameters, tables);
    return draw(found, settings->folder, title, tables, err);
}

static enum ct_status answer(const struct settings *settings, struct ct_error *err)
{
    char title[120];
    size_t used = 0;
    for (size_t i = 0; settings->setup.program[i] && used < sizeof title; i++)
        used += (size_t)snprintf(title + used, sizeof title - used, "%s%s", i ? " " : "",
                                 settings->setup.program[i]);
    struct ct_validation found;
    struct ct_tables *tables = NULL;
    enum ct_status status = find(settings, &found, err);
    if (status == CT_OK) {
        tables = ct_tables_new(command.name, (enum ct_format)settings->answer.format);
        status = tables ? fill(settings, &found, title, tables, err)
                        : ct_fail(err, CT_ENOMEM, "tables: out of memory");
    }
    if (status == CT_OK)
        status = ct_tables_print(tables, stdout, err);
    ct_tables_free(tables);
    ct_validation_free(&found);
    return status;
}

int ct_cmd_validate(int argc, char **argv)
{
    struct settings settings = {.answer = ct_answer_defaults(),
                                .setup = {.base_s = NAN,
                                          .rate_bit_per_s = NAN,
                                          .runtime_s = NAN,
                                          .logp_s = NAN,
                                          .probe_s = NAN,
                                          .lateness_s = NAN},
                                .simulation = {.model = -1, .overhead_s = NAN},
                                .switches.uplink_bit_per_s = NAN,
                                .lab = CT_LAB_SPEC_DEFAULT};
    struct ct_arguments args;
    struct ct_error err;
    enum ct_status status = ct_command_parse(&command, argc, argv, &settings, &args, stdout, &err);
    if (status == CT_OK && !args.finished) {
        struct ct_log log = ct_log_open(command.name, settings.answer.quiet);
        settings.setup.program = args.operands;
        args.operands[args.n_operands] = NULL;
        status = measure(&settings, &log, &err);
        if (status == CT_OK)
            status = answer(&settings, &err);
    }
    return status == CT_OK ? 0 : ct_print_failure(command.name, &err);
}
