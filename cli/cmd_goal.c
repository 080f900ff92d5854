/* crosstalk goal: make a schedule of traces, convert it between its forms, say what is in it. */
#include "cli/cli.h"
#include "cli/trace_options.h"
#include "core/file.h"
#include "core/option_rows.h"
#include "lp-bridge/envelope/of_graph.h"
#include "lp-bridge/goal/goal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct values {
    const char *output;
    bool stats;
    int format;
    struct ct_view view;
    struct ct_trace_settings traces;
};

static const struct ct_option options[] = {
    {CT_OPTION(STRING, "output", struct values, output), .letter = 'o', .target = CT_FILE_STREAM,
     .argument = "FILE",
     .help =
         "write the schedule: LogGOPSim's binary form if the name ends in .bin, else text; - is "
         "standard output. An existing regular file is replaced once the new one is complete"},
    {CT_OPTION(FLAG, "stats", struct values, stats),
     .help = "print numbers of operations, messages and bytes, and the longest chain of dependent "
             "messages; the default without --output"},
    CT_ROW_FORMAT(struct values, format, "format of the statistics"),
    CT_ROWS_VIEW(struct values, view),
    {0}};
static const struct ct_option_group groups[] = {
    {"Output", options, 0}, {"Traces", ct_trace_options, offsetof(struct values, traces)}, {0}};

static const struct ct_command command = {
    .name = "crosstalk goal",
    .summary = "make GOAL schedules of traces, convert and describe them",
    .operands = "TRACES|FILE.otf2|PROGRAM|FILE.goal|FILE.bin|-",
    .description =
        "TRACES is a folder with the traces of a program, one file a rank, as crosstalk-trace(1) "
        "writes them, or in liballprof's text form (pmpi-trace-rank-0.txt and so on). The time "
        "between two calls becomes a calculation (processor time, if they were recorded with "
        "--compute cpu); nonblocking messages are concurrent to the program from their start until "
        "it waits for them; collectives become the messages of the algorithms that the options "
        "name. Messages without counterpart, and collectives that ranks call in different order, "
        "are errors that name rank and event.\n\n"
        "FILE.otf2 is the anchor file of traces in the Open Trace Format 2, as Score-P writes "
        "them (traces.otf2), or a folder with one such file: its MPI records are used. "
        "docs/traces.md lists the assumptions about "
        "facts that these lack; a warning names those that were made.\n\n"
        "PROGRAM is a program that is generated, PATTERN:RANKS[,KEY=VALUE]...: halo:XxYxZ (borders "
        "on "
        "a periodic grid, then an allreduce; levels=N of a multigrid), allreduce:N, particles:N (a "
        "ring of domains), alltoall:N (in groups). docs/traces.md lists the keys, with their "
        "defaults. All commands that take traces take such a text, too.\n\n"
        "Otherwise the operand is a schedule in GOAL's text form or in LogGOPSim's binary form, "
        "distinguished by the first bytes; - is text from standard input. Errors in a text are "
        "named with line and column.\n\n"
        "With --stats the whole schedule is checked too: sends and receives that do not match, "
        "messages larger than their receive, and operations that wait for each other in a cycle "
        "are errors.",
    .groups = groups,
    .examples =
        (const char *const[]){"crosstalk goal stencil.goal", "its contents",
                              "crosstalk goal stencil.goal -o stencil.bin", "for LogGOPSim",
                              "crosstalk goal stencil.bin -o -", "as text",
                              "crosstalk goal trace -o app.goal",
                              "the schedule of a traced program",
                              "crosstalk goal trace -o ring.goal --collectives allreduce=ring",
                              "the same with a ring for all allreduces",
                              "crosstalk goal trace -o step.goal --pass-from 40 --pass-to 60",
                              "what lies between two of its collectives",
                              "crosstalk goal trace -o fast.goal --compute-scale 0.5",
                              "the same on processors of twice the speed",
                              "crosstalk goal halo:22x22x22,levels=5,rounds=3,imbalance=10%",
                              "a multigrid on 10,648 ranks, generated", NULL},
    .see_also = (const char *const[]){"crosstalk-trace(1)", "crosstalk-tolerance(1)", NULL},
    .min_operands = 1};

/* ---- statistics ---- */

/* Of traces: whether the time between calls is processor time. */
static bool is_by_processor(struct ct_input input)
{
    struct ct_events events;
    if (ct_input_open(input, &events, NULL) != CT_OK)
        return false;
    bool by_processor = events.by_processor;
    events.close(events.context);
    return by_processor;
}

static enum ct_status print_stats(const struct ct_goal *goal, struct ct_input input,
                                  const struct values *values, struct ct_error *err)
{
    double n_of_kind[CT_GOAL_N_KINDS] = {0}, amount_of_kind[CT_GOAL_N_KINDS] = {0}, chain;
    for (uint64_t op = 0; op < goal->n_ops; op++) {
        n_of_kind[goal->ops[op].kind]++;
        amount_of_kind[goal->ops[op].kind] += (double)goal->ops[op].amount;
    }
    enum ct_status status = ct_longest_chain(goal, &chain, err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "%s", input.path);
    struct ct_tables *tables = ct_tables_new(command.name, (enum ct_format)values->format);
    const struct ct_value rows[] = {
        {{"ranks", "ranks", CT_UNIT_COUNT}, goal->n_ranks},
        {{"operations", "operations", CT_UNIT_COUNT}, (double)goal->n_ops},
        {{"dependencies", "dependencies", CT_UNIT_COUNT}, (double)goal->n_deps},
        {{"messages", "messages", CT_UNIT_COUNT}, n_of_kind[CT_GOAL_SEND]},
        {{"message_bytes", "bytes in messages", CT_UNIT_BYTES}, amount_of_kind[CT_GOAL_SEND]},
        {{"compute_s", "compute, all ranks", CT_UNIT_LONG_SECONDS},
         1e-9 * amount_of_kind[CT_GOAL_CALC]},
        {{"longest_chain", "longest chain of messages", CT_UNIT_COUNT}, chain},
    };
    char compute[CT_UNITS_TEXT_MAX];
    ct_format_words(1e-9 * amount_of_kind[CT_GOAL_CALC] / (goal->n_ranks > 0 ? goal->n_ranks : 1),
                    3, compute);
    ct_tables_view(tables, &values->view);
    ct_tables_answer(
        tables,
        "%u ranks compute %s each and send %.0f messages, of %.0f B on average; "
        "up to %.0f follow from each other.",
        goal->n_ranks, compute, n_of_kind[CT_GOAL_SEND],
        n_of_kind[CT_GOAL_SEND] > 0 ? amount_of_kind[CT_GOAL_SEND] / n_of_kind[CT_GOAL_SEND] : 0,
        chain);
    ct_tables_provenance(tables, "schedule", "%s", input.path);
    CT_TABLES_NUMBERS(tables, rows);
    if (ct_input_has_calls(input) && input.kind != CT_INPUT_GENERATED)
        CT_TABLES_TEXT(tables, "compute_clock", "compute by clock",
                       is_by_processor(input) ? "cpu" : "wall");
    return ct_tables_finish(tables, err);
}

/* ---- conversion ---- */

static enum ct_status write_text(FILE *out, const void *goal, struct ct_error *err)
{
    return ct_goal_write_text(goal, out, err);
}

static enum ct_status write_binary(FILE *out, const void *goal, struct ct_error *err)
{
    return ct_goal_write_binary(goal, out, err);
}

static ct_file_writer *writer_for(const char *path)
{
    const char *ending = strrchr(path, '.');
    return ending && strcmp(ending, ".bin") == 0 ? write_binary : write_text;
}

static enum ct_status convert_input(const struct ct_goal *goal, const char *output,
                                    struct ct_error *err)
{
    if (!output)
        return CT_OK;
    return ct_file_make(output, writer_for(output), goal, err);
}

static enum ct_status make_schedule(void *given, const struct ct_arguments *args,
                                    struct ct_error *err)
{
    struct values *values = given;
    struct ct_goal goal;
    if (values->stats && values->output && strcmp(values->output, "-") == 0)
        return ct_fail(err, CT_EUSAGE,
                       "--stats: standard output has the schedule: give --output a file");
    struct ct_input input = ct_input_of(args->operands[0]);
    values->traces.marks_waits = values->output != NULL;
    CT_TRY(ct_schedule_load(command.name, input, &values->traces, &goal, err));
    struct ct_log log = ct_log_open(command.name, false);
    if (values->output && is_by_processor(input))
        ct_log_info(&log, "%s: compute is processor time (crosstalk trace --compute cpu)",
                    input.path);
    enum ct_status status = convert_input(&goal, values->output, err);
    if (status == CT_OK && (values->stats || !values->output))
        status = print_stats(&goal, input, values, err);
    ct_goal_free(&goal);
    return status;
}

int ct_cmd_goal(int argc, char **argv)
{
    struct values values = {0};
    return ct_command_main(&command, argc, argv, &values, make_schedule);
}
