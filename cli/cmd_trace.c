/* crosstalk trace: run a program with the tracer in it, and look at traces. */
#include "cli/cli.h"
#include "cli/export_trace.h"
#include "cli/window.h"
#include "core/option_rows.h"
#include "trace/convert/summary.h"
#include "trace/ranks.h"
#include "trace/record.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

struct values {
    const char *output, *plot;
    bool call_sites, dump, check;
    int compute; /* enum compute */
    struct ct_window_settings window;
    uint64_t rank; /* ALL_RANKS unless given */
    int format;
    struct ct_view view;
};

enum { MOST_RANKS = CT_TRACE_RANKS_MAX };
static const uint64_t all_ranks = UINT64_MAX;

enum compute { COMPUTE_WALL, COMPUTE_CPU };
static const char *const compute_names[] = {"wall", "cpu", NULL};

static const struct ct_option options[] = {
    CT_ROW_OUTPUT(struct values, output, "DIR",
                  "folder for the traces, one file a rank; existing traces are not overwritten",
                  .initial = "trace"),
    {CT_OPTION(CHOICE, "compute", struct values, compute), .argument = "CLOCK", .initial = "wall",
     .choices = compute_names,
     .help = "time between two calls: that of the clock (wall), or the processor time of the "
             "thread that makes them (cpu), which excludes sleep and waiting for a processor that "
             "ranks share. Time in calls is always that of the clock"},
    {CT_OPTION(FLAG, "call-sites", struct values, call_sites),
     .help = "record also from which place of the program each call comes, as function, file and "
             "address: crosstalk simulate then shows the time by place, too. Calls from "
             "Fortran take longer"},
    {CT_OPTION(FLAG, "check", struct values, check),
     .help = "run nothing; print a summary of the traces in a folder"},
    {CT_OPTION(FLAG, "dump", struct values, dump),
     .help = "run nothing; print the events in a folder of traces, one a line"},
    {CT_OPTION(U64, "rank", struct values, rank), .argument = "R", .max = MOST_RANKS - 1,
     .help = "with --dump: only of this rank of MPI_COMM_WORLD"},
    CT_ROW_PLOT(struct values, plot, "with --check: draw the ranks' calls and messages over time"),
    CT_ROWS_WINDOW(struct values, window, "with --plot: "),
    CT_ROW_FORMAT(struct values, format, "format of the summary"),
    CT_ROWS_VIEW(struct values, view),
    {0}};
static const struct ct_option_group groups[] = {{"Trace", options, 0}, {0}};

/* With --check and --dump the operand is a folder, not a command. */
static bool starts_nothing(const void *values)
{
    const struct values *given = values;
    return given->check || given->dump;
}

static const struct ct_command command = {
    .name = "crosstalk trace",
    .summary = "record what an MPI program communicates",
    .operands = "-- COMMAND...|DIR",
    .description =
        "Runs a command that starts an MPI program, such as mpirun or srun, with a library loaded "
        "into every rank (LD_PRELOAD) that records each call that communicates: start, end, "
        "partner, tag, bytes, communicator. The program needs no change and no recompilation, but "
        "must be linked to the MPI library dynamically, to the same one that crosstalk was built "
        "with. On several machines DIR must be on a file system that all of them see, and Open "
        "MPI's mpiexec needs the options -x LD_PRELOAD -x CROSSTALK_TRACE_DIR.\n\n"
        "Recorded are point-to-point calls, also by persistent requests, probes, all collectives "
        "of MPI-3.1, also of intercommunicators, and the calls that complete them, with the actual "
        "source of receives from any source; from C and from "
        "Fortran (mpif.h, mpi, mpi_f08), and with large counts (MPI_Send_c and so on); one-sided "
        "communication; of MPI 4, persistent collectives, MPI_Isendrecv, MPI_Isendrecv_replace and "
        "partitioned messages. Files and new processes are recorded by name only, and a warning "
        "names them. Of a program with MPI_THREAD_MULTIPLE the thread of each call is recorded, "
        "and which calls had "
        "ended when it began. A program is traced from MPI_Init or MPI_Init_thread on; one "
        "that only opens sessions is not traced.\n\n"
        "A folder is for one MPI program. If the command starts several, one after the other, the "
        "first is traced, with a message for each of the others.\n\n"
        "At the end a summary of the traces is printed. A program that was aborted or killed "
        "leaves traces that end with its last calls.\n\n"
        "--check and --dump also read the other forms of crosstalk-goal(1): liballprof's traces, "
        "archives of OTF2. A figure that --plot draws has a row for each rank, and for each "
        "further thread of it that calls MPI, in colours for sending, receiving, waiting, "
        "collectives and the time between calls, and an arrow from "
        "the start of a send to the end of the call that received it, unless there are more than "
        "5000; --from and --to choose a window of time. For larger ones crosstalk export --format "
        "perfetto writes what viewers in a browser read.\n\n"
        "The library is searched for beside this program and where it is installed; "
        "CROSSTALK_TRACE_LIBRARY gives another path. It takes the folder from CROSSTALK_TRACE_DIR, "
        "so that a batch script can set LD_PRELOAD and that variable itself; "
        "CROSSTALK_TRACE_COMPUTE=cpu is --compute cpu, CROSSTALK_TRACE_CALL_SITES=1 is "
        "--call-sites.",
    .groups = groups,
    .examples =
        (const char *const[]){"crosstalk trace -o ring -- mpirun -n 4 ./ring",
                              "traces of four ranks in the folder ring",
                              "crosstalk trace --dump --rank 0 ring", "the calls of rank 0",
                              "crosstalk trace --compute cpu -o solver -- mpirun -n 8 ./solver",
                              "on a machine with fewer than 8 processors",
                              "crosstalk trace --check --plot ring.svg --to 1s ring",
                              "who waited for whom in the first second, as a figure", NULL},
    .see_also =
        (const char *const[]){"crosstalk(1)", "crosstalk-export(1)", "crosstalk-goal(1)", NULL},
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .options_end_at_operand = true,
    .starts_nothing = starts_nothing};

/* ---- looking at traces ---- */

static const struct ct_column kind_columns[] = {
    {"kind", "call", CT_UNIT_NONE},
    {"calls", "calls", CT_UNIT_COUNT},
    {"bytes", "bytes", CT_UNIT_BYTES},
    {"time_s", "time", CT_UNIT_LONG_SECONDS},
    {"time_frac", "of all", CT_UNIT_FRACTION},
};

static const struct ct_column unmodelled_columns[] = {
    {"name", "call", CT_UNIT_NONE},
    {"calls", "calls", CT_UNIT_COUNT},
    {"time_s", "time", CT_UNIT_LONG_SECONDS},
};

static double share_of(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static void add_tables(struct ct_tables *tables, const struct ct_trace_summary *summary)
{
    CT_TABLES_BEGIN(tables, "calls", "Calls, all ranks together", kind_columns);
    for (int kind = CT_TRACE_NEW_COMM + 1; kind < CT_TRACE_N_KINDS; kind++) {
        const struct ct_trace_count *count = &summary->kinds[kind];
        if (count->calls == 0 || kind == CT_TRACE_UNMODELLED)
            continue;
        ct_tables_cell_text(tables, ct_trace_kind_text((enum ct_trace_kind)kind));
        CT_CELL_NUMBERS(tables, (double)count->calls, (double)count->sent_bytes,
                        1e-9 * (double)count->time_ns, share_of(count->time_ns, summary->time_ns));
    }
    if (summary->n_unmodelled == 0)
        return;
    CT_TABLES_BEGIN(tables, "unmodelled", "Calls that are not modelled", unmodelled_columns);
    for (size_t i = 0; i < summary->n_unmodelled; i++) {
        ct_tables_cell_text(tables, summary->unmodelled[i].name);
        CT_CELL_NUMBERS(tables, (double)summary->unmodelled[i].calls,
                        1e-9 * (double)summary->unmodelled[i].time_ns);
    }
}

static void warn_unmodelled(const struct ct_trace_summary *summary, uint32_t n_ranks,
                            const char *directory)
{
    struct ct_log log = ct_log_open(command.name, false);
    if (summary->n_cut > 0)
        ct_log_warn(&log,
                    "%s: %u of %u traces end before MPI_Finalize, the first that of rank %u: "
                    "the program was aborted, or its disk was full",
                    directory, summary->n_cut, n_ranks, summary->first_cut);
    for (size_t i = 0; i < summary->n_unmodelled; i++) {
        char text[CT_TRACE_COUNT_TEXT_MAX];
        ct_trace_unmodelled_describe(&summary->unmodelled[i], text);
        ct_log_warn(&log, "%s: %s is not modelled %s", directory, summary->unmodelled[i].name,
                    text);
    }
}

static enum ct_status summarize_traces(struct ct_input input, uint32_t *n_ranks_p,
                                       enum compute *compute_p, struct ct_trace_summary *summary_p,
                                       struct ct_error *err)
{
    struct ct_events events;
    CT_TRY(ct_input_open(input, &events, err));
    *n_ranks_p = events.n_ranks;
    *compute_p = events.by_processor ? COMPUTE_CPU : COMPUTE_WALL;
    enum ct_status status = ct_events_summarize(&events, summary_p, err);
    events.close(events.context);
    return status;
}

/* Calls are all that have a time of their own. */
static void answer_in_words(struct ct_tables *tables, const struct ct_trace_summary *summary,
                            uint32_t n_ranks, const char *path)
{
    char longest[CT_UNITS_TEXT_MAX], in_calls[CT_UNITS_TEXT_MAX];
    uint64_t calls_ns = 0;
    for (int kind = CT_TRACE_NEW_COMM + 1; kind < CT_TRACE_N_KINDS; kind++)
        calls_ns += summary->kinds[kind].time_ns;
    ct_format_words(1e-9 * (double)summary->longest_ns, 3, longest);
    ct_format_share(share_of(calls_ns, summary->time_ns), in_calls);
    ct_tables_answer(tables,
                     "%u rank%s ran for %s, %s of it in MPI. Next: crosstalk tolerance %s "
                     "--serialize-nic --logp "
                     "LOGP.h5, which logpb --output LOGP.h5 makes.",
                     n_ranks, n_ranks == 1 ? "" : "s", longest, in_calls, path);
}

static enum ct_status check_traces(struct ct_input input, const struct values *values,
                                   struct ct_error *err)
{
    struct ct_trace_summary summary;
    uint32_t n_ranks = 0;
    enum compute compute = COMPUTE_WALL;
    CT_TRY(summarize_traces(input, &n_ranks, &compute, &summary, err));
    struct ct_tables *tables = ct_tables_new(command.name, (enum ct_format)values->format);
    ct_tables_view(tables, &values->view);
    ct_tables_provenance(tables, "traces", "%s", input.path);
    CT_TABLES_NUMBER(tables, "ranks", "ranks", COUNT, n_ranks);
    CT_TABLES_NUMBER(tables, "events", "events", COUNT, (double)summary.events);
    CT_TABLES_NUMBER(tables, "time_s", "time", LONG_SECONDS, 1e-9 * (double)summary.longest_ns);
    CT_TABLES_NUMBER(tables, "threads", "threads of a rank", COUNT, summary.n_threads);
    CT_TABLES_NUMBER(tables, "cut_ranks", NULL, COUNT, summary.n_cut);
    CT_TABLES_TEXT(tables, "compute_clock", "time between calls", compute_names[compute]);
    add_tables(tables, &summary);
    answer_in_words(tables, &summary, n_ranks, input.path);
    warn_unmodelled(&summary, n_ranks, input.path);
    ct_trace_summary_free(&summary);
    return ct_tables_finish(tables, err);
}

static enum ct_status plot_traces(struct ct_input input, const struct values *values,
                                  struct ct_error *err)
{
    struct ct_timeline_window window;
    CT_TRY(ct_window_of(&values->window, &window, err));
    return ct_export_drawing(input, &window, values->plot, err);
}

static void print_message(const char *direction, const struct ct_trace_message *message)
{
    printf(" %s %d tag %d %" PRIu64 " B", direction, message->rank, message->tag, message->bytes);
}

static void print_values(const struct ct_trace_event *event)
{
    struct ct_trace_completion completion;
    size_t at = 0;
    if (event->kind != CT_TRACE_WAIT && event->kind != CT_TRACE_TEST) {
        for (size_t i = 0; i < event->n_values; i++)
            printf("%s%" PRIu64, i ? " " : ": ", event->values[i]);
        return;
    }
    while (ct_trace_completion_next(event, &at, &completion)) {
        printf(" request %u", completion.request);
        if (completion.received)
            print_message("from", &completion.from);
        if (completion.cut)
            printf(" cut");
    }
}

static void print_group(const struct ct_trace_event *event)
{
    printf(": %" PRIu64, event->ordinal);
    for (size_t at = 0; at + CT_RANKS_RUN_VALUES <= event->n_values; at += CT_RANKS_RUN_VALUES) {
        struct ct_ranks_run run = ct_ranks_run_of(event->values + at);
        printf(" %" PRIu64, run.first);
        if (run.n > 1)
            printf(" to %" PRIu64, run.first + (run.n - 1) * (uint64_t)run.stride);
        if (run.stride != 1)
            printf(" by %" PRId64, run.stride);
    }
}

/* Times are seconds since the rank's first event. Threads are named where there may be several. */
static void print_event(uint32_t rank, uint64_t origin_ns, bool has_threads,
                        const struct ct_trace_event *event)
{
    unsigned fields = ct_trace_kind_fields(event->kind);
    printf("%u %.9f s %.3f us %s", rank, 1e-9 * (double)(event->start_ns - origin_ns),
           1e-3 * (double)(event->end_ns - event->start_ns), ct_trace_kind_text(event->kind));
    if (fields & CT_TRACE_TO)
        print_message("to", &event->to);
    if (fields & CT_TRACE_FROM)
        print_message("from", &event->from);
    if (fields & CT_TRACE_ROOT)
        printf(" root %u", event->root);
    if (fields & CT_TRACE_BYTES)
        printf(" %" PRIu64 " B", event->bytes);
    if (fields & CT_TRACE_MODE && event->mode != CT_TRACE_STANDARD)
        printf(" %s", ct_trace_mode_text(event->mode));
    if (fields & CT_TRACE_COMM)
        printf(" comm %u", event->comm);
    if (fields & CT_TRACE_REQUEST && event->request != 0)
        printf(" request %u", event->request);
    if (event->starts > 0)
        printf(" start %u of %u", event->start + 1, event->starts);
    if (event->cut)
        printf(" cut");
    if (event->vector)
        printf(" vector");
    if (fields & CT_TRACE_VALUES)
        print_values(event);
    if (fields & CT_TRACE_GROUP)
        print_group(event);
    if (fields & CT_TRACE_TEXT)
        printf(" %.*s", (int)event->n_text, event->text);
    if (has_threads)
        printf(" thread %u after %" PRIu64, event->thread, event->after);
    if (event->site_name)
        printf(" at %s", event->site_name);
    putchar('\n');
}

static enum ct_status dump_rank(const struct ct_events *events, uint32_t rank, struct ct_error *err)
{
    struct ct_trace_event event;
    uint64_t position, origin_ns = 0;
    bool begun = events->clocks != NULL;
    enum ct_status status;
    if (begun)
        origin_ns = events->clocks[rank].start_ns;
    while ((status = events->next(events->context, rank, &event, &position, err)) == CT_OK &&
           event.kind != CT_TRACE_NONE) {
        if (!begun)
            origin_ns = event.start_ns;
        begun = true;
        print_event(rank, origin_ns, events->has_threads, &event);
    }
    return status;
}

static enum ct_status dump_events(struct ct_input input, uint64_t only, struct ct_error *err)
{
    struct ct_events events;
    CT_TRY(ct_input_open(input, &events, err));
    enum ct_status status = CT_OK;
    if (only != all_ranks && only >= events.n_ranks)
        status = ct_fail(err, CT_EUSAGE, "--rank %" PRIu64 ": there are ranks 0 to %u", only,
                         events.n_ranks - 1);
    for (uint32_t rank = 0; rank < events.n_ranks && status == CT_OK; rank++)
        if (only == all_ranks || only == rank)
            status = dump_rank(&events, rank, err);
    events.close(events.context);
    return status;
}

/* ---- making traces ---- */

static enum ct_status trace_command(char **argv, const struct values *values, struct ct_error *err)
{
    const char *output = values->output;
    const struct ct_trace_recording recording = {.argv = argv,
                                                 .directory = output,
                                                 .by_processor = values->compute == COMPUTE_CPU,
                                                 .call_sites = values->call_sites};
    struct ct_error ignored;
    bool ran;
    enum ct_status status = ct_trace_record(&recording, &ran, err);
    if (status == CT_OK)
        return check_traces(ct_input_of(output), values, err);
    if (ran && status != CT_ENODATA)
        check_traces(ct_input_of(output), values, &ignored);
    return status;
}

/* Options that would be ignored. */
static enum ct_status check_options(const struct values *values, size_t n_operands,
                                    struct ct_error *err)
{
    bool looks = starts_nothing(values);
    if (values->compute != COMPUTE_WALL && looks)
        return ct_fail(err, CT_EUSAGE,
                       "--compute: is for making traces, not for those that are there");
    if (values->rank != all_ranks && !values->dump)
        return ct_fail(err, CT_EUSAGE, "--rank %" PRIu64 ": is for --dump", values->rank);
    if (values->plot && !values->check)
        return ct_fail(err, CT_EUSAGE, "--plot: is for --check");
    if (ct_window_is_given(&values->window) && !values->plot)
        return ct_fail(err, CT_EUSAGE, "--from and --to: are for --plot");
    if (looks && (n_operands != 1 || (values->dump && values->check)))
        return ct_fail(err, CT_EUSAGE, "--dump or --check: one of them, and one folder or archive");
    if (values->dump && values->format != CT_FORMAT_TABLE)
        return ct_fail(err, CT_EUSAGE, "--format: --dump prints lines of text only");
    return CT_OK;
}

static enum ct_status make_traces(void *given, const struct ct_arguments *args,
                                  struct ct_error *err)
{
    const struct values *values = given;
    CT_TRY(check_options(values, args->n_operands, err));
    if (!values->dump && !values->check)
        return trace_command(args->operands, values, err);
    struct ct_input input = ct_input_of(args->operands[0]);
    if (values->dump)
        return dump_events(input, values->rank, err);
    CT_TRY(check_traces(input, values, err));
    return values->plot ? plot_traces(input, values, err) : CT_OK;
}

int ct_cmd_trace(int argc, char **argv)
{
    struct values values = {.rank = all_ranks, .window = CT_WINDOW_INITIAL};
    return ct_command_main(&command, argc, argv, &values, make_traces);
}
