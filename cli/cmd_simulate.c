/* crosstalk simulate: programs that share a network, from their schedules. */
#include "cli/cli.h"
#include "cli/graph_input.h"
#include "cli/simulate_calls.h"
#include "cli/simulate_engine.h"
#include "cli/simulate_network.h"
#include "cli/trace_options.h"
#include "core/parallel.h"
#include "simulate/constants.h"
#include "simulate/joint/network_runs.h"

#include <math.h>
#include <stdlib.h>

struct settings {
    const char *with;
    struct ct_fabric_settings fabric;
    int order;
    size_t ahead_bytes, burst_bytes;
    bool has_order, has_ahead, has_burst; /* they were given, and are no defaults */
    struct ct_engine_settings engine;
    struct ct_calls_settings calls;
    struct ct_model_settings model;
    struct ct_trace_settings traces;
    struct ct_answer_settings answer;
};

static const struct ct_option program_options[] = {
    {CT_OPTION(STRING, "with", struct settings, with), .argument = "TRACES|FILE.goal",
     .help = "one program more, as another operand"},
    {0}};

static const struct ct_option network_options[] = {
    CT_ROW_BETWEEN(struct settings, model.g),
    CT_MODEL_ROW_L(struct settings, model.L,
                   "latency of the network; required without --logp and --parameters"),
    {0}};

static const struct ct_option queue_options[] = {
    {CT_OPTION(CHOICE, "queue", struct settings, order),
     .given = CT_OFFSET_OF(bool, struct settings, has_order), .argument = "KIND",
     .initial = "round-robin", .choices = ct_port_order_names,
     .help =
         "order in which a port serves waiting messages: its inputs in turn, all in one queue, or "
         "all messages in turn, also where a node sends, as in simulators whose flows share links"},
    {CT_OPTION(SIZE, "ahead", struct settings, ahead_bytes),
     .given = CT_OFFSET_OF(bool, struct settings, has_ahead), .initial = "0B", .max = 1 << 30,
     .help = "most bytes that a program has under way from a node to another one: a window. "
             "crosstalk predict fits this to the configurations of a campaign and prints it; 0B: "
             "no limit"},
    {CT_OPTION(SIZE, "burst", struct settings, burst_bytes),
     .given = CT_OFFSET_OF(bool, struct settings, has_burst), .initial = "0B", .max = 1 << 30,
     .help = "bytes that an unused link lets pass at once, as a shaper with a token bucket does"},
    {0}};

static const struct ct_option computing_options[] = {
    {CT_OPTION(U64, "threads", struct ct_answer_settings, threads), CT_RANGE(1, CT_PARALLEL_MAX),
     .help = "simulations at the same time; without it, one for each processor. Each is one "
             "thread and takes memory of its own; answers do not depend on it"},
    {0}};

static const struct ct_option_group groups[] = {
    {"Programs", program_options, 0},
    {"Network and placement", ct_fabric_options, offsetof(struct settings, fabric)},
    {"Kind of network", ct_engine_options, offsetof(struct settings, engine)},
    {"Where the time goes", ct_calls_options, offsetof(struct settings, calls)},
    {"Queues", queue_options, 0},
    {"Latency", network_options, 0},
    {"Model (LogGPS)", ct_measured_model_options, offsetof(struct settings, model)},
    {"Traces", ct_trace_options, offsetof(struct settings, traces)},
    {"Computing", computing_options, offsetof(struct settings, answer)},
    {"Output", ct_output_options, offsetof(struct settings, answer)},
    {0}};

static const char *const examples[] = {
    "crosstalk simulate traces/milc traces/fft --logp logp.h5",
    "how much each of two traced programs is slowed when both run on the same nodes",
    "crosstalk simulate traces/milc --logp logp.h5",
    "the time of one program alone, whose messages wait for each other",
    "crosstalk simulate a.goal a.goal b.goal --L 3us --o 1us --G 0.1ns --format json",
    "three schedules, one of them twice, for scripts",
    "crosstalk simulate traces/milc traces/fft --logp logp.h5 --ahead 48kB --burst 1500B",
    "on a network with the queues that crosstalk predict found",
    ("crosstalk simulate traces/milc traces/fft --logp logp.h5 --topology tree:2x4 --rate 50mbit "
     "--uplink 100mbit --hosts 'n[0-1,4-5] n[2-3,6-7]'"),
    "on nodes of their own, under two switches that are joined by a link of twice a node's rate",
    ("crosstalk simulate traces/milc --network packet --topology dragonfly:9,4,2 --parameters "
     "stack.yaml --ranks"),
    "where the time of each rank goes on a dragonfly, with the protocols of MPI",
    ("crosstalk simulate halo:8x8x8,levels=4,noise=10% allreduce:512,noise=10% --network packet "
     "--parameters stack.yaml --plot bars.svg"),
    "two generated programs, each on three networks, as bars",
    "crosstalk simulate traces/milc --network packet --parameters posterior.h5",
    "with the parameters that crosstalk calibrate found, and the interval of the run time",
    ("crosstalk simulate traces/milc --logp logp.h5 --network packet --path --plot "
     "path.svg"),
    "what its run time consists of: the critical path as a table and as a picture",
    NULL};

static const char *const see_also[] = {"crosstalk-calibrate(1)",
                                       "crosstalk-predict(1)",
                                       "crosstalk-tolerance(1)",
                                       "crosstalk-topology(1)",
                                       "crosstalk-trace(1)",
                                       "logpb(1)",
                                       NULL};

static const struct ct_command command = {
    .name = "crosstalk simulate",
    .summary = "run time of programs that share a network, from their schedules",
    .operands = "TRACES|FILE.goal...",
    .description =
        "Runs schedules, or the traces of programs (folders, see crosstalk-trace(1)), together on "
        "the nodes of a simulated network; each repeats as long as the others run. Costs are "
        "those of the LogGPS model, except that messages are packets that wait for each other at "
        "the "
        "ports of their paths, also those of the same program. The result is the mean time of a "
        "pass, alone and "
        "together. With --logp, parameters have intervals. What these contribute to run times "
        "and slowdowns is in the table of uncertainty, by simulations with --draws of what was "
        "measured; crosstalk-tolerance(1) computes it for one program on an idle network.\n\n"
        "No program is measured beside another: traces of each program alone and a run of logpb on "
        "the idle network are enough. Without --topology the network is one switch. With it "
        "they pass every link of their paths, and the result has how busy each link is. G is that "
        "of the slowest link of a node; other links have it in proportion to their rates. --queue, "
        "--ahead and --burst set the properties of queues; crosstalk predict fits these values to "
        "a campaign that has configurations. Packets are as in --packet: larger ones take less "
        "time to simulate.\n\n"
        "The time of each rank is divided: computation, "
        "the software stack of MPI, synchronization (waiting for another rank to send or to "
        "receive), and the network. The program is bound by a part that takes more than half of "
        "the "
        "time. Gains are the shares of the run time alone that are "
        "saved without a network, and without a network and the costs of MPI. The same by call of "
        "MPI, if the schedule is made of traces or generated (crosstalk-goal(1)); else by kind of "
        "operation.\n\n"
        "The critical path is the chain of computation and messages that ends with the last "
        "operation of a pass. It does not wait for a late rank: it passes through what made that "
        "rank late. So its shares tell what must become faster for the run to become faster.\n\n"
        "A file of --parameters has lines 'key: value' with the keys injection-bandwidth, "
        "link-bandwidth, memory-bandwidth (12.47GB/s or 99.76gbit), post-header, post-rdma, pin, "
        "pin-page, hop (durations), page, mailbox-max, eager-max (sizes), mailbox-credits (0: no "
        "limit), progress (async or in-call). With the posterior of crosstalk-calibrate(1) "
        "instead, "
        "values are the most likely ones, and the programs are also simulated with --draws of "
        "the posterior: the table of uncertainty has the intervals of run times and slowdowns that "
        "come from what is not known of the parameters.",
    .groups = groups,
    .examples = examples,
    .see_also = see_also,
    .min_operands = 1,
    .max_operands = CT_SIMULATE_JOBS_MAX};

static const struct ct_column columns[] = {
    {"name", "schedule", CT_UNIT_NONE},
    {"ranks", "ranks", CT_UNIT_COUNT},
    {"operations", "operations", CT_UNIT_COUNT},
    {"alone_s", "alone", CT_UNIT_LONG_SECONDS},
    {"runtime_s", "together", CT_UNIT_LONG_SECONDS},
    {"slowdown", "slowdown", CT_UNIT_FRACTION},
};

/* What is said of each program. */
struct row {
    uint32_t n_ranks;
    uint64_t n_operations;
};

/* Without a network S is all that counts. */
static enum ct_status make_S(const struct settings *settings, struct ct_parameters *model_p,
                             struct ct_error *err)
{
    struct ct_parameters_given given;
    CT_TRY(ct_model_given(&settings->model, &given, err));
    *model_p = ct_parameters_none();
    if (given.has_S)
        model_p->S_bytes = given.S_bytes;
    return CT_OK;
}

/* Parameters, with replicates of what was measured. */
static enum ct_status make_model(const struct settings *settings, struct ct_parameters *model_p,
                                 struct ct_error *err)
{
    if (!ct_engine_needs_model(&settings->engine))
        return make_S(settings, model_p, err);
    CT_TRY(ct_model_demand_G(&settings->model, err));
    CT_TRY(ct_model_parameters(&settings->model, true, model_p, err));
    enum ct_status status = ct_model_replicates(&settings->model, model_p, err);
    if (status != CT_OK)
        ct_parameters_free(model_p);
    return status;
}

/* What is asked, and what was found. */
struct subject {
    const struct settings *settings;
    const char *names[CT_SIMULATE_JOBS_MAX];
    size_t n;
    struct ct_parameters model;
    struct ct_goal goals[CT_SIMULATE_JOBS_MAX]; /* until they are programs */
    struct row rows[CT_SIMULATE_JOBS_MAX];
    struct ct_fabric fabric;
    struct ct_port_queues queues;
    struct ct_engine_answer engine;
    struct ct_calls_watch watch;
    double alone_s[CT_SIMULATE_JOBS_MAX], slowdown_frac[CT_SIMULATE_JOBS_MAX];
};

static enum ct_status name_programs(struct subject *subject, const struct ct_arguments *args,
                                    struct ct_error *err)
{
    for (size_t i = 0; i < args->n_operands; i++) {
        CT_TRY(ct_input_check(ct_input_of(args->operands[i]), err));
        subject->names[subject->n++] = args->operands[i];
    }
    if (subject->settings->with && subject->n == CT_SIMULATE_JOBS_MAX)
        return ct_fail(err, CT_EUSAGE, "--with: more than %d programs", CT_SIMULATE_JOBS_MAX);
    if (subject->settings->with)
        subject->names[subject->n++] = subject->settings->with;
    return CT_OK;
}

static enum ct_status load_programs(struct subject *subject, struct ct_error *err)
{
    for (size_t i = 0; i < subject->n; i++) {
        struct ct_goal *goal = &subject->goals[i];
        CT_TRY(ct_schedule_load(command.name, ct_input_of(subject->names[i]),
                                &subject->settings->traces, goal, err));
        subject->rows[i] = (struct row){goal->n_ranks, goal->n_ops};
    }
    return CT_OK;
}

static enum ct_status open_network(struct subject *subject, struct ct_error *err)
{
    uint32_t n_ranks[CT_SIMULATE_JOBS_MAX];
    for (size_t i = 0; i < subject->n; i++)
        n_ranks[i] = subject->rows[i].n_ranks;
    return ct_fabric_open(&subject->settings->fabric, n_ranks, subject->n, &subject->fabric, err);
}

/* Options that files of parameters have keys for, by their bits. */
static uint32_t options_of(const struct settings *settings)
{
    return (uint32_t)settings->has_order << CT_STACK_KEY_QUEUE |
           (uint32_t)settings->has_ahead << CT_STACK_KEY_AHEAD |
           (uint32_t)settings->has_burst << CT_STACK_KEY_BURST;
}

static struct ct_engine_request request_of(const struct subject *subject)
{
    return (struct ct_engine_request){.settings = &subject->settings->engine,
                                      .options = options_of(subject->settings),
                                      .fabric_settings = &subject->settings->fabric,
                                      .fabric = &subject->fabric,
                                      .model = &subject->model,
                                      .queues = &subject->queues,
                                      .goals = subject->goals,
                                      .n = subject->n,
                                      .threads = (unsigned)subject->settings->answer.threads};
}

static enum ct_status print_answer(const struct subject *subject, struct ct_error *err)
{
    const struct settings *settings = subject->settings;
    const struct ct_engine_request request = request_of(subject);
    struct ct_tables *tables = ct_tables_new(command.name, (enum ct_format)settings->answer.format);
    ct_tables_parameters(tables, &command, settings);
    ct_engine_provenance(&request, &subject->engine, tables);
    if (ct_engine_needs_model(&settings->engine))
        ct_parameters_fill(&subject->model, tables);
    CT_TABLES_BEGIN(
        tables, "programs",
        settings->fabric.topology ? "Programs on one network" : "Programs on one switch", columns);
    for (size_t i = 0; i < subject->n; i++) {
        ct_tables_cell_text(tables, subject->names[i]);
        CT_CELL_NUMBERS(tables, subject->rows[i].n_ranks, (double)subject->rows[i].n_operations,
                        subject->alone_s[i], subject->alone_s[i] * (1 + subject->slowdown_frac[i]),
                        subject->slowdown_frac[i]);
    }
    ct_engine_fill(&request, &subject->engine, subject->names, tables);
    enum ct_status status = ct_calls_fill(&settings->calls, &subject->watch, tables, err);
    if (settings->fabric.topology)
        ct_fabric_fill_notes(&subject->fabric, &settings->fabric, tables);
    if (status == CT_OK)
        status = ct_tables_print(tables, stdout, err);
    ct_tables_free(tables);
    return status;
}

static struct ct_port_queues queues_of(const struct settings *settings)
{
    return (struct ct_port_queues){.order = (enum ct_port_order)settings->order,
                                   .ahead_bytes = (double)settings->ahead_bytes,
                                   .burst_bytes = (double)settings->burst_bytes};
}

static enum ct_status simulate_all(struct subject *subject, struct ct_error *err)
{
    struct ct_engine_request request = request_of(subject);
    const struct ct_calls_settings *calls = &subject->settings->calls;
    enum ct_status status =
        ct_calls_begin(calls, subject->goals, subject->names, subject->n, &subject->watch, err);
    request.observers = subject->watch.observers;
    if (status == CT_OK)
        status = ct_engine_find(&request, &subject->engine, err);
    if (status == CT_OK)
        status = ct_calls_end(calls, &subject->watch, err);
    if (status == CT_OK && calls->breakdown)
        status = ct_calls_draw(calls, &request, &subject->engine, subject->names, err);
    for (size_t i = 0; i < subject->n && status == CT_OK; i++) {
        const struct ct_network_run *run = &subject->engine.runs[i];
        subject->alone_s[i] = run->alone_ns * 1e-9;
        subject->slowdown_frac[i] = run->alone_ns > 0 ? run->together_ns / run->alone_ns - 1 : 0;
    }
    return status;
}

static enum ct_status find_answer(struct subject *subject, struct ct_error *err)
{
    CT_TRY(load_programs(subject, err));
    CT_TRY(open_network(subject, err));
    /* Files of --parameters have the time of a hop. */
    if (!subject->settings->engine.parameters)
        CT_TRY(ct_fabric_find_latency(&subject->settings->fabric, subject->model.paths.n > 1,
                                      subject->settings->model.logp_path, &subject->fabric, err));
    CT_TRY(simulate_all(subject, err));
    return print_answer(subject, err);
}

static enum ct_status prepare_run(struct subject *subject, const struct ct_arguments *args,
                                  struct ct_error *err)
{
    const struct settings *settings = subject->settings;
    enum ct_status status = name_programs(subject, args, err);
    subject->queues = queues_of(settings);
    if (status == CT_OK)
        status = ct_fabric_check(&settings->fabric, err);
    if (status == CT_OK)
        status = ct_engine_check(&settings->engine, &settings->model, &settings->fabric,
                                 &subject->queues, err);
    if (status == CT_OK)
        status = make_model(settings, &subject->model, err);
    return status;
}

static enum ct_status answer_simulate(void *values, const struct ct_arguments *args,
                                      struct ct_error *err)
{
    struct settings *settings = values;
    struct subject subject = {.settings = settings};
    if (settings->calls.plot && settings->calls.path)
        settings->calls.draw_path = settings->calls.plot;
    else if (settings->calls.plot)
        settings->calls.breakdown = settings->calls.plot;
    CT_TRY(prepare_run(&subject, args, err));
    enum ct_status status = find_answer(&subject, err);
    for (size_t i = 0; i < subject.n; i++)
        ct_goal_free(&subject.goals[i]);
    ct_engine_answer_free(&subject.engine);
    ct_calls_free(&subject.watch);
    ct_fabric_free(&subject.fabric);
    ct_parameters_free(&subject.model);
    return status;
}

int ct_cmd_simulate(int argc, char **argv)
{
    struct settings settings = {.fabric = ct_fabric_defaults(), .answer = ct_answer_defaults()};
    return ct_command_main(&command, argc, argv, &settings, answer_simulate);
}
