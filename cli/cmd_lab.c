/* crosstalk lab: the emulated network. */
#include "cli/cli.h"
#include "cli/family.h"
#include "cli/lab_delay.h"
#include "cli/lab_rows.h"
#include "cli/lab_switches.h"
#include "cli/lab_traffic.h"
#include "cli/switch_options.h"
#include "core/clock.h"
#include "lab/lab.h"
#include "lab/like.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct lab_values {
    const char *id;
    struct ct_view view;
    int format;
    struct ct_lab_spec spec;
    struct ct_lab_switch_values switches;
    struct {
        int machine; /* index of ct_machines */
        double dilation;
        bool has_machine, has_dilation, has_rate, has_latency, has_jitter;
    } like;
    int queue, jitter_shape;
    double interval_s;
    const char *host;
    struct ct_lab_launch launch;
    int exit_code; /* of what was run */
    int mpi;
};

static const struct ct_option id_options[] = {CT_LAB_ROW_ID(struct lab_values, id),
                                              CT_ROW_QUIET_NO_ANSWER(struct lab_values, view.quiet),
                                              {0}};

static const struct ct_option format_options[] = {
    CT_ROW_FORMAT(struct lab_values, format, "format of the output"),
    CT_ROWS_MORE(struct lab_values, view),
    {0}};

static const struct ct_option up_options[] = {
    {CT_OPTION(U64, "hosts", struct lab_values, spec.n_hosts), CT_RANGE(2, CT_LAB_HOSTS_MAX),
     .help = "number of hosts, h1 to hN; without this option 8, or those of --topology"},
    {CT_OPTION(RATE, "rate", struct lab_values, spec.rate_bit_per_s),
     .given = CT_OFFSET_OF(bool, struct lab_values, like.has_rate), .initial = "50mbit",
     CT_RANGE(1e5, 1e10), .help = "rate of every link, each direction, Ethernet headers counted"},
    {CT_OPTION(CHOICE, "queue", struct lab_values, queue), .argument = "KIND",
     .initial = "round-robin", .choices = ct_lab_queue_names,
     .help = "how a port serves waiting packets: a queue per source served in turn, as a crossbar "
             "does, or one queue"},
    {CT_OPTION(SIZE, "queue-limit", struct lab_values, spec.queue_limit_bytes), .initial = "4MiB",
     CT_RANGE(3000, 1 << 30),
     .help = "room in each queue; beyond it packets are dropped, and TCP stalls for 200 ms"},
    {CT_OPTION(DURATION, "latency", struct lab_values, spec.delay.latency_s),
     .given = CT_OFFSET_OF(bool, struct lab_values, like.has_latency),
     CT_RANGE(CT_LAB_LATENCY_MIN_S, CT_LAB_LATENCY_MAX_S),
     .help = "latency that is added to every packet from the switch to its host; without this "
             "option none"},
    {0}};

static const struct ct_option like_options[] = {
    {CT_OPTION(CHOICE, "like", struct lab_values, like.machine), .argument = "MACHINE",
     .given = CT_OFFSET_OF(bool, struct lab_values, like.has_machine), .choices = ct_machine_names,
     .help =
         "imitate the network of a machine: rate, latencies and overheads are derived from it, "
         "by one factor. For replays and workloads, which compute that much longer, with MPICH"},
    {CT_OPTION(DOUBLE, "dilation", struct lab_values, like.dilation), .argument = "N",
     .given = CT_OFFSET_OF(bool, struct lab_values, like.has_dilation), CT_RANGE(1, 1e9),
     .help = "that factor: by how much everything takes longer than on the machine; without this "
             "option the largest that is possible, with which noise counts least"},
    {0}};

static const struct ct_option jitter_options[] = {
    {CT_OPTION(DURATION, "jitter", struct lab_values, spec.delay.jitter_s),
     .given = CT_OFFSET_OF(bool, struct lab_values, like.has_jitter), .initial = "0s",
     CT_RANGE(0, CT_LAB_LATENCY_MAX_S),
     .help = "by how much that time varies; packets to a host keep their order"},
    {CT_OPTION(CHOICE, "jitter-shape", struct lab_values, jitter_shape), .argument = "SHAPE",
     .initial = "uniform", .choices = ct_lab_jitter_names,
     .help = "uniform: up to the jitter, more or less; normal: the jitter is the standard "
             "deviation, and none is further off than 3 of them"},
    {0}};

static const struct ct_option counters_options[] = {
    {CT_OPTION(DURATION, "interval", struct lab_values, interval_s), .initial = "1s",
     CT_RANGE(1e-3, 1e6), .help = "time between the two readings"},
    {0}};

static const struct ct_option exec_options[] = {
    {CT_OPTION(STRING, "host", struct lab_values, host), .argument = "HOST",
     .help = "where the command runs, such as h3; without this option at the switch"},
    {0}};

static const struct ct_option deadline_options[] = {
    {CT_OPTION(DURATION, "deadline", struct lab_values, launch.deadline_s), .initial = "0s",
     CT_RANGE(0, 1e7), .help = "end the program after this time and exit with 124; 0s: never"},
    {CT_OPTION(DURATION, "grace", struct lab_values, launch.grace_s), .initial = "10s",
     CT_RANGE(0, 1e6), .help = "time between SIGTERM and SIGKILL at the deadline"},
    {0}};

static const struct ct_option mpiexec_options[] = {
    {CT_OPTION(U64, "ranks", struct lab_values, launch.n_ranks), .letter = 'n', CT_RANGE(1, 100000),
     .help = "number of ranks; without this option as many as there are slots"},
    CT_LAB_ROW_RANKS_PER_HOST(struct lab_values, launch.ranks_per_host),
    {CT_OPTION(STRING, "hosts-used", struct lab_values, launch.hosts), .argument = "LIST",
     .help = "hosts to use, such as h1,h2; without this option all"},
    CT_LAB_ROW_MPI(struct lab_values, mpi),
    {CT_OPTION(STRING, "mpiexec", struct lab_values, launch.mpiexec), .argument = "PROGRAM",
     .help = "process manager for programs of its MPI; without this option $CROSSTALK_MPIEXEC, or "
             "the one that belongs to the program's MPI"},
    {0}};

#define GROUPS(name, ...)                                                                          \
    static const struct ct_option_group name[] = {__VA_ARGS__, {"Common", id_options, 0}, {0}}
GROUPS(up_groups, {"Network", up_options, 0},
       {"Several switches", ct_lab_switch_options, offsetof(struct lab_values, switches)},
       {"A machine's network", like_options, 0}, {"Jitter", jitter_options, 0});
GROUPS(latency_groups, {"Jitter", jitter_options, 0});
GROUPS(status_groups, {"Output", format_options, 0});
GROUPS(counters_groups, {"Readings", counters_options, 0}, {"Output", format_options, 0});
GROUPS(exec_groups, {"Command", exec_options, 0}, {"Deadline", deadline_options, 0});
GROUPS(mpiexec_groups, {"Ranks", mpiexec_options, 0}, {"Deadline", deadline_options, 0});
static const struct ct_option_group down_groups[] = {{"Common", id_options, 0}, {0}};

static const char *const see_also[] = {"crosstalk(1)", NULL};

/* ---- up and down ---- */

static enum ct_status take_like(struct lab_values *values, struct ct_error *err)
{
    if (!values->like.has_machine)
        return values->like.has_dilation ? ct_fail(err, CT_EUSAGE, "--dilation: needs --like")
                                         : CT_OK;
    if (values->like.has_rate || values->like.has_latency || values->like.has_jitter ||
        !isnan(values->switches.uplink_bit_per_s))
        return ct_fail(err, CT_EUSAGE,
                       "--like: without --rate, --uplink, --latency and --jitter, which are "
                       "derived from the machine");
    return CT_OK;
}

static enum ct_status make_spec(struct lab_values *values, struct ct_error *err)
{
    enum ct_status status = take_like(values, err);
    if (status == CT_OK)
        status = ct_lab_switches_take(&values->switches, &values->spec, err);
    return status == CT_OK && values->like.has_machine
               ? ct_lab_spec_like(ct_machine_names[values->like.machine], values->like.dilation,
                                  &values->spec, err)
               : status;
}

static enum ct_status run_up(const struct ct_command *command, struct lab_values *values,
                             const struct ct_arguments *args, struct ct_error *err)
{
    (void)args;
    struct ct_lab *lab;
    bool existed;
    values->spec.queue = (enum ct_lab_queue)values->queue;
    values->spec.delay.shape = (enum ct_lab_jitter)values->jitter_shape;
    CT_TRY(make_spec(values, err));
    CT_TRY(ct_lab_up(values->id, &values->spec, &existed, err));
    CT_TRY(ct_lab_open(values->id, &lab, err));
    struct ct_log log = ct_log_open(command->name, values->view.quiet);
    char rate[CT_UNITS_TEXT_MAX], delay[CT_LAB_DELAY_TEXT_MAX], switches[CT_LAB_SWITCHES_TEXT_MAX];
    ct_lab_switches_describe(lab, switches);
    ct_format_rate(values->spec.rate_bit_per_s, rate);
    ct_lab_delay_describe(lab, delay);
    ct_log_info(&log, "lab '%s': %s, %llu hosts (h1 to h%llu), %s per port, %s%s%s", ct_lab_id(lab),
                existed ? "exists already" : "is up", (unsigned long long)values->spec.n_hosts,
                (unsigned long long)values->spec.n_hosts, rate, ct_lab_queue_names[values->queue],
                switches, delay);
    ct_lab_like_note(lab, &log);
    ct_lab_close(lab);
    return CT_OK;
}

static enum ct_status run_latency(const struct ct_command *command, struct lab_values *values,
                                  const struct ct_arguments *args, struct ct_error *err)
{
    struct ct_lab *lab;
    struct ct_lab_delay *delay = &values->spec.delay;
    delay->shape = (enum ct_lab_jitter)values->jitter_shape;
    if (ct_parse_duration(args->operands[0], &delay->latency_s, err) != CT_OK)
        return ct_fail_within(err, CT_EUSAGE, "latency");
    CT_TRY(ct_lab_open(values->id, &lab, err));
    struct ct_log log = ct_log_open(command->name, values->view.quiet);
    char text[CT_LAB_DELAY_TEXT_MAX];
    const struct ct_lab_spec spec = ct_lab_spec_of(lab);
    enum ct_status status =
        spec.like.dilation > 0
            ? ct_fail(err, CT_EINVAL,
                      "lab '%s': its latency is that of %s; build another one for another",
                      ct_lab_id(lab), spec.like.machine)
            : ct_lab_delay_set(lab, delay, err);
    ct_lab_delay_describe(lab, text);
    if (status == CT_OK)
        ct_log_info(&log, "lab '%s'%s", ct_lab_id(lab), text);
    ct_lab_close(lab);
    return status;
}

static enum ct_status run_down(const struct ct_command *command, struct lab_values *values,
                               const struct ct_arguments *args, struct ct_error *err)
{
    (void)args;
    bool existed;
    CT_TRY(ct_lab_down(values->id, &existed, err));
    struct ct_log log = ct_log_open(command->name, values->view.quiet);
    ct_log_info(&log, existed ? "ended" : "there was no lab");
    return CT_OK;
}

/* ---- status and counters ---- */

static const struct ct_column process_columns[] = {{"pid", "process", CT_UNIT_COUNT},
                                                   {"name", "name", CT_UNIT_NONE}};

static void fill_status(struct ct_tables *tables, struct ct_lab *lab,
                        const struct ct_lab_process *list, size_t n)
{
    struct ct_lab_spec spec = ct_lab_spec_of(lab);
    CT_TABLES_TEXT(tables, "id", "name", ct_lab_id(lab));
    CT_TABLES_NUMBER(tables, "rate_bit_per_s", "rate", BIT_PER_S, spec.rate_bit_per_s);
    CT_TABLES_TEXT(tables, "queue", "queue", ct_lab_queue_names[spec.queue]);
    CT_TABLES_NUMBER(tables, "queue_limit_bytes", "queue limit", BYTES,
                     (double)spec.queue_limit_bytes);
    CT_TABLES_NUMBER(tables, "holder", "holder process", COUNT, ct_lab_holder(lab));
    CT_TABLES_TEXT(tables, "privileges", "privileges",
                   ct_lab_unprivileged(lab) ? "own user namespace" : "root");
    ct_lab_switches_fill(tables, lab);
    ct_lab_delay_fill(tables, lab);
    ct_lab_like_fill(tables, lab);
    ct_lab_hosts_fill(tables, lab);
    ct_lab_links_fill(tables, lab);
    CT_TABLES_BEGIN(tables, "processes", "Processes inside", process_columns);
    for (size_t i = 0; i < n; i++) {
        ct_tables_cell_number(tables, list[i].pid);
        ct_tables_cell_text(tables, list[i].name);
    }
    char rate[CT_UNITS_TEXT_MAX];
    ct_format_rate_words(spec.rate_bit_per_s, rate);
    ct_tables_answer(tables, "%llu hosts at %s; %zu process%s inside.",
                     (unsigned long long)spec.n_hosts, rate, n, n == 1 ? "" : "es");
}

static enum ct_status run_status(const struct ct_command *command, struct lab_values *values,
                                 const struct ct_arguments *args, struct ct_error *err)
{
    (void)args;
    struct ct_lab *lab;
    struct ct_lab_process *list = NULL;
    size_t n = 0;
    CT_TRY(ct_lab_open(values->id, &lab, err));
    enum ct_status status = ct_lab_processes(lab, &list, &n, err);
    if (status == CT_OK) {
        struct ct_tables *tables = ct_tables_new(command->name, (enum ct_format)values->format);
        ct_tables_view(tables, &values->view);
        fill_status(tables, lab, list, n);
        status = ct_tables_finish(tables, err);
    }
    free(list);
    ct_lab_close(lab);
    return status;
}

/* What is read at a time. */
struct reading {
    struct ct_lab_counters ports;
    struct ct_lab_late late; /* where there is a delay line */
};

static enum ct_status read_counters(struct ct_lab *lab, struct reading *reading_p,
                                    struct ct_error *err)
{
    CT_TRY(ct_lab_counters_read(lab, &reading_p->ports, err));
    if (ct_lab_delay_by(lab) == CT_LAB_DELAY_LINE)
        CT_TRY(ct_lab_late_read(lab, &reading_p->late, err));
    return CT_OK;
}

static enum ct_status run_counters(const struct ct_command *command, struct lab_values *values,
                                   const struct ct_arguments *args, struct ct_error *err)
{
    (void)args;
    struct ct_lab *lab;
    struct reading before, after;
    CT_TRY(ct_lab_open(values->id, &lab, err));
    enum ct_status status = read_counters(lab, &before, err);
    if (status == CT_OK) {
        ct_clock_sleep(values->interval_s);
        status = read_counters(lab, &after, err);
    }
    if (status == CT_OK) {
        struct ct_tables *tables = ct_tables_new(command->name, (enum ct_format)values->format);
        ct_tables_view(tables, &values->view);
        CT_TABLES_NUMBER(tables, "interval_s", "interval", LONG_SECONDS,
                         after.ports.time_s - before.ports.time_s);
        if (ct_lab_delay_by(lab) == CT_LAB_DELAY_LINE)
            ct_lab_lateness_fill(tables, &before.late, &after.late);
        ct_lab_port_loads_fill(tables, lab, &before.ports, &after.ports);
        ct_lab_link_loads_fill(tables, lab, &before.ports, &after.ports);
        status = ct_tables_finish(tables, err);
    }
    ct_lab_close(lab);
    return status;
}

/* ---- exec and mpiexec ---- */

static enum ct_status run_exec(const struct ct_command *command, struct lab_values *values,
                               const struct ct_arguments *args, struct ct_error *err)
{
    (void)command;
    struct ct_lab *lab;
    CT_TRY(ct_lab_open(values->id, &lab, err));
    args->operands[args->n_operands] = NULL; /* within argv, whose own end it replaces */
    const struct ct_lab_exec exec = {.host = values->host,
                                     .argv = args->operands,
                                     .deadline_s = values->launch.deadline_s,
                                     .grace_s = values->launch.grace_s};
    enum ct_status status = ct_lab_exec(lab, &exec, &values->exit_code, err);
    ct_lab_close(lab);
    return status;
}

static enum ct_status start_ranks(struct ct_lab *lab, const struct ct_lab_launch *launch,
                                  struct ct_log *log, int *exit_code_p, struct ct_error *err)
{
    char **argv;
    struct ct_lab_counters before;
    ct_lab_note_replaced(launch, log);
    CT_TRY(ct_lab_mpiexec(lab, launch, NULL, &argv, err));
    const struct ct_lab_exec exec = {.argv = argv,
                                     .deadline_s = launch->deadline_s,
                                     .grace_s = launch->grace_s,
                                     .mpiexec = true};
    enum ct_status status = ct_lab_counters_read(lab, &before, err);
    if (status == CT_OK)
        status = ct_lab_exec(lab, &exec, exit_code_p, err);
    free(argv);
    return status == CT_OK && *exit_code_p == 0
               ? ct_lab_check_traffic(lab, launch, &before, log, err)
               : status;
}

static enum ct_status run_mpiexec(const struct ct_command *command, struct lab_values *values,
                                  const struct ct_arguments *args, struct ct_error *err)
{
    struct ct_lab *lab;
    struct ct_log log = ct_log_open(command->name, values->view.quiet);
    CT_TRY(ct_lab_open(values->id, &lab, err));
    args->operands[args->n_operands] = NULL;
    values->launch.program = args->operands;
    values->launch.mpi = (enum ct_mpi)values->mpi;
    enum ct_status status = start_ranks(lab, &values->launch, &log, &values->exit_code, err);
    ct_lab_close(lab);
    return status;
}

/* ---- the commands ---- */

struct lab_command {
    enum ct_status (*run)(const struct ct_command *, struct lab_values *,
                          const struct ct_arguments *, struct ct_error *);
    struct ct_command command;
};

#define EXAMPLES (const char *const[])

static const struct lab_command commands[] = {
    {run_up,
     {.name = "crosstalk lab up",
      .summary = "build an emulated switch, or several, with hosts",
      .description =
          "Every host is a network namespace with the interfaces eth0 (10.77.0.1 for h1, and so "
          "on), which is shaped and measured, and mgmt0 (10.78.0.1, ...), which carries launching "
          "and control.\n\n"
          "The lab exists until 'crosstalk lab down', or until its holder process ends. It is "
          "built completely or not at all, and is not visible in the machine's own network. Labs "
          "with different names can exist at the same time. Without root it needs user namespaces, "
          "and commands in it see themselves as root.\n\n"
          "A rate counts whole Ethernet frames without preamble, checksum and gap: of 1514 bytes "
          "on the link, 1448 are a TCP program's.\n\n"
          "With --topology there are several switches, with links between them that are shaped as "
          "those of hosts are, at the rate of --uplink. Where a switch sends a packet depends on "
          "its destination alone, and is what 'crosstalk topology' says for the same text (trees: "
          "D-mod-k), host h1 being its node n0. At the end of such a link there is a queue for "
          "each host whose packets leave there. Up to 64 hosts, 128 switches and 256 links between "
          "switches are possible.\n\n"
          "With --latency, every packet reaches its host that much later; rates stay. If the "
          "kernel has netem, netem delays the packets; otherwise a process of the lab does, the "
          "delay line, which holds packets back after the switch port. It corrects for the time "
          "that it takes to wake up, counts how late packets left (see 'crosstalk lab status' and "
          "'counters'), and has a real-time priority if permitted. The lab ends when the delay "
          "line ends. It takes some microseconds itself: compare with a lab of the smallest "
          "latency, not with one without.",
      .groups = up_groups,
      .examples = EXAMPLES{"crosstalk lab up --hosts 8 --rate 50mbit", "8 hosts, 50 Mbit/s",
                           "crosstalk lab up --id second --queue fifo",
                           "another one beside it, with one queue per port",
                           "crosstalk lab up --topology tree:4x4 --spines 2 --uplink 50mbit",
                           "16 hosts on four leaves, each with an uplink to each of two spines",
                           "crosstalk lab up --latency 500us --jitter 50us",
                           "packets reach their hosts 0.45 to 0.55 ms later", NULL},
      .see_also = see_also}},
    {run_latency,
     {.name = "crosstalk lab latency",
      .summary = "change the latency that a lab adds",
      .operands = "DURATION",
      .description =
          "For labs that were built with --latency. Packets that reach a port from now on leave it "
          "that much later, 200us to 20ms; jitter is as given here, and none without --jitter. "
          "Programs in the lab go on.",
      .groups = latency_groups,
      .examples = EXAMPLES{"crosstalk lab latency 1ms", "from now on 1 ms is added",
                           "crosstalk lab latency 1ms --jitter 100us", "0.9 to 1.1 ms",
                           "crosstalk lab latency 500us --id second", "in the lab 'second'", NULL},
      .see_also = see_also,
      .min_operands = 1}},
    {run_down,
     {.name = "crosstalk lab down",
      .summary = "end a lab and every process in it",
      .description = "If there is no such lab, nothing is done, and the exit code is 0.",
      .groups = down_groups,
      .examples = EXAMPLES{"crosstalk lab down", "end the lab 'default'",
                           "crosstalk lab down --id second", "end the lab 'second'",
                           "CROSSTALK_LAB=second crosstalk lab down", "the same", NULL},
      .see_also = see_also}},
    {run_status,
     {.name = "crosstalk lab status",
      .summary = "settings, addresses, switches and live processes of a lab",
      .description = "Fails if there is no such lab.",
      .groups = status_groups,
      .examples = EXAMPLES{"crosstalk lab status", "of the lab 'default'",
                           "crosstalk lab status --id second", "of the lab 'second'",
                           "crosstalk lab status --format json", "for scripts", NULL},
      .see_also = see_also}},
    {run_counters,
     {.name = "crosstalk lab counters",
      .summary = "load of every switch port and link over an interval",
      .description =
          "Bytes, packets and drops between two readings, bytes that wait at the second one, and "
          "the fraction of the time that the link was busy: bytes * 8 / (rate * interval). Queues "
          "towards a host are at the switch port, those from a host in its network card. With "
          "several "
          "switches, each direction of each link between them has a separate row.\n\n"
          "'crosstalk topology TEXT --utilization FILE.csv' draws the network of a lab with what "
          "'--format csv' prints here.\n\n"
          "In a lab with a latency, also how late packets left its delay line, less the latency: "
          "median, 99th percentile and largest, to 1 us or 3 %.",
      .groups = counters_groups,
      .examples =
          EXAMPLES{"crosstalk lab counters", "load over a second",
                   "crosstalk lab counters --interval 5s", "load over five seconds",
                   "crosstalk lab counters --format csv >load.csv",
                   "for 'crosstalk topology tree:4x4 --utilization load.csv', which draws it",
                   NULL},
      .see_also = see_also}},
    {run_exec,
     {.name = "crosstalk lab exec",
      .summary = "run a command in a lab",
      .operands = "-- COMMAND [ARGUMENT]...",
      .description =
          "The command sees the host's network, its name, and a list of processes of its own. "
          "SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1 and SIGUSR2 are passed on to it. When it "
          "ends, or when crosstalk is killed, everything it has started ends too, in the "
          "background or not.\n\n"
          "The exit code is the command's, or 128 and the number of the signal that ended it; 126 "
          "and 127 mean that it could not be run or found.",
      .groups = exec_groups,
      .examples = EXAMPLES{"crosstalk lab exec --host h1 -- ip -s link show eth0",
                           "what the network card of h1 has counted",
                           "crosstalk lab exec --host h1 -- ping -c 3 10.77.0.2",
                           "from h1 to h2, over the emulated links",
                           "crosstalk lab exec --deadline 60s -- ./measure.sh",
                           "a script at the switch, for a minute at most", NULL},
      .see_also = see_also,
      .min_operands = 1,
      .max_operands = SIZE_MAX,
      .options_end_at_operand = true}},
    {run_mpiexec,
     {.name = "crosstalk lab mpiexec",
      .summary = "run an MPI program on the hosts of a lab",
      .operands = "-- PROGRAM [ARGUMENT]...",
      .description =
          "Starts the program with the process manager of the MPI that it is linked to: Hydra for "
          "MPICH and its relatives, or Open MPI's. Ranks fill a host before the next one starts. "
          "They communicate by TCP on eth0 (MPICH: UCX_TLS=tcp,self UCX_NET_DEVICES=eth0 "
          "MPIR_CVAR_NOLOCAL=1; Open MPI: OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,self "
          "OMPI_MCA_btl_tcp_if_include=eth0; values of the environment do not count, and are "
          "named), and a library is loaded into them that lets ranks sleep while they wait, for at "
          "most "
          "CROSSTALK_LAB_POLL_US microseconds (1000; 0: never; with more, programs that poll for "
          "anything else are as late), and keeps MPICH's MPI_Finalize from hanging.\n\nSignals as "
          "for 'crosstalk lab exec', but they go to the ranks, once, "
          "and not to the process manager, which would kill the ranks at once. A second SIGINT or "
          "SIGTERM does not wait for them.\n\nIf impactb, compressionb, logpb or workload on "
          "several hosts ended with 0, and no port has counted a byte, that is an error: it "
          "measured another way than that of the lab. Other programs get a note.",
      .groups = mpiexec_groups,
      .examples = EXAMPLES{"crosstalk lab mpiexec --ppn 2 --deadline 60s -- impactb --time 10s",
                           "two ranks on every host",
                           "crosstalk lab mpiexec --hosts-used h1,h2 --ppn 4 -- ./your_app",
                           "eight ranks on two hosts",
                           "crosstalk lab mpiexec --mpi openmpi -- ./your_script.sh",
                           "each rank is a script, which starts a program of Open MPI", NULL},
      .see_also = see_also,
      .min_operands = 1,
      .max_operands = SIZE_MAX,
      .options_end_at_operand = true}},
};

static const struct ct_command *get_member(size_t i)
{
    return &commands[i].command;
}

static int run_member(size_t i, int argc, char **argv)
{
    const struct lab_command *row = &commands[i];
    struct lab_values values = {.switches.uplink_bit_per_s = NAN};
    struct ct_arguments args;
    struct ct_error err;
    enum ct_status status =
        ct_command_parse(&row->command, argc, argv, &values, &args, stdout, &err);
    if (status == CT_OK && !args.finished)
        status = row->run(&row->command, &values, &args, &err);
    return status == CT_OK ? values.exit_code : ct_print_failure(row->command.name, &err);
}

static const char *const family_examples[] = {"crosstalk lab up --hosts 8 --rate 50mbit",
                                              "start a switch with 8 hosts",
                                              "crosstalk lab up --topology tree:4x4 --spines 2",
                                              "start a tree of switches with 16 hosts",
                                              "crosstalk lab mpiexec --ppn 2 -- impactb --time 10s",
                                              "two ranks on every host",
                                              "crosstalk lab counters --interval 5s",
                                              "load of every port",
                                              "crosstalk lab down",
                                              "end the lab",
                                              NULL};
static const char *const environment[] = {
    "CROSSTALK_LAB",
    "name of the lab",
    "CROSSTALK_LAB_DIR",
    "folder of the state files (default: /run/crosstalk, or one of the user's)",
    "CROSSTALK_LAB_POLL_US",
    "longest sleep of a waiting rank, microseconds",
    "CROSSTALK_MPIEXEC",
    "process manager for programs of its MPI, and for those that do not tell theirs",
    NULL};

static const struct ct_family family = {
    .name = "crosstalk lab",
    .summary = "an emulated switch on this machine",
    .operands = "[OPTION]... [-- PROGRAM [ARGUMENT]...]",
    .notes = "Every command has --help and a man page, crosstalk-lab-COMMAND(1).",
    .examples = family_examples,
    .environment = environment,
    .see_also = see_also,
    .exit_note = "; exec and mpiexec: those of the program",
    .n_members = sizeof commands / sizeof *commands,
    .member = get_member,
    .run = run_member};

int ct_cmd_lab(int argc, char **argv)
{
    /* For process managers only, see ct_lab_mpiexec(); not shown. */
    if (argc > 1 && !strcmp(argv[1], "rsh")) {
        struct ct_error err;
        ct_lab_rsh(argv + 2, &err);
        return ct_print_failure("crosstalk lab", &err);
    }
    return ct_family_main(&family, argc, argv);
}
