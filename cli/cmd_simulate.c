/* crosstalk simulate: programs that share a switch, from their schedules. */
#include "cli/analysis.h"
#include "cli/cli.h"
#include "cli/graph_input.h"
#include "cli/trace_options.h"
#include "simulate/constants.h"
#include "simulate/links.h"
#include "study/simulation.h"

#include <stdlib.h>

struct settings {
    uint64_t ranks_per_node;
    int order;
    size_t ahead_bytes, burst_bytes;
    struct ct_model_settings model;
    struct ct_trace_settings traces;
    struct ct_answer_settings answer;
};

static const struct ct_option placement_options[] = {
    {.name = "ranks-per-node",
     .type = CT_OPTION_U64,
     .offset = offsetof(struct settings, ranks_per_node),
     .argument = "N",
     .initial = "1",
     .min = 1,
     .max = UINT32_MAX,
     .help = "ranks of each program on a node, in blocks; all programs begin with the first node"},
    {0}};

static const struct ct_option network_options[] = {
    CT_MODEL_ROW_L(offsetof(struct settings, model.L),
                   "latency of the network; required without --logp"),
    {0}};

static const struct ct_option queue_options[] = {
    {.name = "queue",
     .type = CT_OPTION_CHOICE,
     .offset = offsetof(struct settings, order),
     .argument = "KIND",
     .initial = "round-robin",
     .choices = ct_links_order_names,
     .help =
         "order in which a port serves waiting messages: its inputs in turn, or all in one queue"},
    {.name = "ahead",
     .type = CT_OPTION_SIZE,
     .offset = offsetof(struct settings, ahead_bytes),
     .argument = "SIZE",
     .initial = "1500B",
     .max = 1 << 30,
     .help = "most bytes of another program in the same queue ahead of a message. crosstalk "
             "predict fits this to the configurations of a campaign and prints it"},
    {.name = "burst",
     .type = CT_OPTION_SIZE,
     .offset = offsetof(struct settings, burst_bytes),
     .argument = "SIZE",
     .initial = "0B",
     .max = 1 << 30,
     .help = "bytes that an unused link lets pass at once, as a shaper with a token bucket does"},
    {0}};

static const struct ct_option_group groups[] = {
    {"Placement", placement_options, 0},
    {"Queues", queue_options, 0},
    {"Latency", network_options, 0},
    {"Model (LogGPS)", ct_model_options, offsetof(struct settings, model)},
    {"Traces", ct_trace_options, offsetof(struct settings, traces)},
    {"Output", ct_output_options, offsetof(struct settings, answer)},
    {0}};

static const char *const examples[] = {
    "crosstalk simulate traces/milc traces/fft --logp logp.h5",
    "how much each of two traced programs is slowed when both run on the same nodes",
    "crosstalk simulate traces/milc --logp logp.h5",
    "the time of one program alone, whose messages share the links",
    "crosstalk simulate a.goal a.goal b.goal --L 3us --o 1us --G 0.1ns --format json",
    "three schedules, one of them twice, for scripts",
    "crosstalk simulate traces/milc traces/fft --logp logp.h5 --ahead 48kB --burst 1500B",
    "on a network with the queues that crosstalk predict found",
    NULL};

static const char *const see_also[] = {"crosstalk-predict(1)", "crosstalk-tolerance(1)",
                                       "crosstalk-trace(1)", "logpb(1)", NULL};

static const struct ct_command command = {
    .name = "crosstalk simulate",
    .summary = "run time of programs that share a switch, from their schedules",
    .operands = "TRACES|FILE.goal...",
    .description =
        "Runs schedules, or the traces of programs (folders, see crosstalk-trace(1)), together on "
        "the nodes of one simulated switch; each repeats as long as the others run. Costs are "
        "those of the LogGPS model, except that messages share the links out of their nodes and "
        "into their destinations fairly, also those of the same program. The result is the mean "
        "time of a pass, alone and together. With --logp, L and G have intervals; "
        "crosstalk-tolerance(1) computes that of the run time of one program.\n\n"
        "No program is measured beside another: traces of each program alone and a run of logpb on "
        "the idle network are enough. The network is one switch; --queue, --ahead and --burst set "
        "the properties of its queues. By default only one packet of another message is ahead of a "
        "message; crosstalk predict fits these values to a campaign that has configurations.",
    .groups = groups,
    .examples = examples,
    .see_also = see_also,
    .min_operands = 1,
    .max_operands = CT_LINKS_JOBS_MAX};

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

/* Parameters, with replicates of what was measured. */
static enum ct_status make_model(const struct settings *settings, struct ct_parameters *model_p,
                                 struct ct_error *err)
{
    enum ct_status status = ct_model_parameters(&settings->model, true, model_p, err);
    if (status != CT_OK || !settings->model.logp_path || !ct_parameters_is_measured(model_p))
        return status;
    status = ct_parameters_resample(settings->model.logp_path, model_p, err);
    if (status != CT_OK)
        ct_parameters_free(model_p);
    return status;
}

static enum ct_status load(const struct settings *settings, const struct ct_parameters *model,
                           const struct ct_arguments *args, size_t i,
                           struct ct_simulation *simulation, struct row *row, struct ct_error *err)
{
    struct ct_goal goal;
    struct ct_simulate_program *program;
    enum ct_status status =
        ct_schedule_load(command.name, args->operands[i], &settings->traces, &goal, err);
    if (status != CT_OK)
        return status;
    *row = (struct row){goal.n_ranks, goal.n_ops};
    status = ct_simulation_program(&goal, model, (uint32_t)settings->ranks_per_node, &program, err);
    ct_goal_free(&goal);
    if (status != CT_OK)
        return ct_fail_within(err, status, "%s", args->operands[i]);
    ct_simulation_set(simulation, i, program);
    return CT_OK;
}

static enum ct_status print(const struct settings *settings, const struct ct_parameters *model,
                            const struct ct_arguments *args, const struct row *rows,
                            const double *alone_s, const double *slowdown_frac,
                            struct ct_error *err)
{
    struct ct_tables *tables = ct_tables_new(command.name, (enum ct_format)settings->answer.format);
    if (!tables)
        return ct_fail(err, CT_ENOMEM, "answer: out of memory");
    ct_analysis_provenance(&command, settings, tables);
    ct_parameters_fill(model, tables);
    ct_tables_begin(tables, "programs", "Programs on one switch", columns,
                    sizeof columns / sizeof *columns);
    for (size_t i = 0; i < args->n_operands; i++) {
        ct_tables_cell_text(tables, args->operands[i]);
        ct_tables_cell_number(tables, rows[i].n_ranks);
        ct_tables_cell_number(tables, (double)rows[i].n_operations);
        ct_tables_cell_number(tables, alone_s[i]);
        ct_tables_cell_number(tables, alone_s[i] * (1 + slowdown_frac[i]));
        ct_tables_cell_number(tables, slowdown_frac[i]);
    }
    enum ct_status status = ct_tables_print(tables, stdout, err);
    ct_tables_free(tables);
    return status;
}

static void set_queues(const struct settings *settings, struct ct_simulation *simulation)
{
    struct ct_links_queues queues = ct_simulate_plain_queues();
    queues.order = (enum ct_links_order)settings->order;
    queues.ahead_bytes = (double)settings->ahead_bytes;
    queues.burst_bytes = (double)settings->burst_bytes;
    ct_simulation_set_queues(simulation, &queues);
}

static enum ct_status answer(const struct settings *settings, const struct ct_arguments *args,
                             struct ct_error *err)
{
    struct ct_parameters model;
    struct ct_simulation *simulation = NULL;
    struct row rows[CT_LINKS_JOBS_MAX];
    double alone_s[CT_LINKS_JOBS_MAX], slowdown_frac[CT_LINKS_JOBS_MAX];
    enum ct_status status = make_model(settings, &model, err);
    if (status != CT_OK)
        return status;
    status = ct_simulation_new(args->n_operands, NULL, 0, &model,
                               (uint64_t)ct_simulate_constant(CT_SIMULATE_WORK_MAX_ALONE),
                               &simulation, err);
    if (status == CT_OK)
        set_queues(settings, simulation);
    for (size_t i = 0; i < args->n_operands && status == CT_OK; i++)
        status = load(settings, &model, args, i, simulation, &rows[i], err);
    if (status == CT_OK)
        status = ct_simulation_all(simulation, alone_s, slowdown_frac, err);
    if (status == CT_OK)
        status = print(settings, &model, args, rows, alone_s, slowdown_frac, err);
    ct_simulation_free(simulation);
    ct_parameters_free(&model);
    return status;
}

int ct_cmd_simulate(int argc, char **argv)
{
    struct settings settings = {0};
    struct ct_arguments args;
    struct ct_error err;
    enum ct_status status = ct_command_parse(&command, argc, argv, &settings, &args, stdout, &err);
    if (status == CT_OK && !args.finished)
        status = answer(&settings, &args, &err);
    return status == CT_OK ? 0 : ct_print_failure(command.name, &err);
}
