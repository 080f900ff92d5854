/* crosstalk trace: run a program with the tracer in it, and look at traces. */
#include "cli/cli.h"
#include "core/mpi_kind.h"
#include "core/option_rows.h"
#include "core/parts.h"
#include "lp-bridge/trace/summary.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIBRARY "libcrosstalk-trace.so"
#define LIBRARY_VARIABLE "CROSSTALK_TRACE_LIBRARY"

struct values {
    const char *output;
    bool dump, check;
    uint64_t rank; /* ALL_RANKS unless given */
    int format;
};

enum { MOST_RANKS = CT_TRACE_RANKS_MAX };
static const uint64_t all_ranks = UINT64_MAX;

static const struct ct_option options[] = {
    CT_ROW_OUTPUT(offsetof(struct values, output), "DIR",
                  "folder for the traces, one file a rank; traces that are there already are not "
                  "overwritten",
                  .initial = "trace"),
    {.name = "check",
     .type = CT_OPTION_FLAG,
     .offset = offsetof(struct values, check),
     .help = "run nothing; sum up the traces in a folder"},
    {.name = "dump",
     .type = CT_OPTION_FLAG,
     .offset = offsetof(struct values, dump),
     .help = "run nothing; print the events in a folder of traces, one a line"},
    {.name = "rank",
     .type = CT_OPTION_U64,
     .offset = offsetof(struct values, rank),
     .argument = "R",
     .max = MOST_RANKS - 1,
     .help = "with --dump: only of this rank of MPI_COMM_WORLD"},
    CT_ROW_FORMAT(offsetof(struct values, format), "form of the summary"),
    {0}};
static const struct ct_option_group groups[] = {{"Trace", options, 0}, {0}};

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
        "MPI's "
        "mpiexec needs the options -x LD_PRELOAD -x CROSSTALK_TRACE_DIR.\n\n"
        "Recorded are point-to-point calls, probes, all collectives of MPI-3.1 and what completes "
        "them, with the actual source of receives from any source; from C and from Fortran "
        "(mpif.h, mpi, mpi_f08), and with large counts (MPI_Send_c and so on). One-sided "
        "communication, files, new processes and, of MPI 4, persistent collectives, MPI_Isendrecv, "
        "MPI_Isendrecv_replace and partitioned messages are recorded by name only, and named in a "
        "warning. Calls through intercommunicators are not recorded, with a message. A program is "
        "traced from MPI_Init or MPI_Init_thread on: not if it has sessions only.\n\n"
        "A folder is for one MPI program. If the command starts several, one after the other, the "
        "first is traced, with a message for each of the others.\n\n"
        "Afterwards the traces are summed up. A program that was aborted or killed leaves traces "
        "that end with its last calls.\n\n"
        "The library is looked for beside the program and where it is installed; "
        "CROSSTALK_TRACE_LIBRARY names another place. It takes the folder from "
        "CROSSTALK_TRACE_DIR, so that a batch script can set LD_PRELOAD and that variable itself.",
    .groups = groups,
    .examples = (const char *const[]){"crosstalk trace -o ring -- mpirun -n 4 ./ring",
                                      "traces of four ranks in the folder ring",
                                      "crosstalk trace --dump --rank 0 ring",
                                      "what rank 0 did, call by call", NULL},
    .see_also = (const char *const[]){"crosstalk(1)", NULL},
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .options_end_at_operand = true};

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

static double share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static void add_tables(struct ct_tables *tables, const struct ct_trace_summary *summary)
{
    ct_tables_begin(tables, "calls", "Calls, all ranks together", kind_columns,
                    sizeof kind_columns / sizeof *kind_columns);
    for (int kind = CT_TRACE_NEW_COMM + 1; kind < CT_TRACE_UNMODELLED; kind++) {
        const struct ct_trace_count *count = &summary->kinds[kind];
        if (count->calls == 0)
            continue;
        ct_tables_cell_text(tables, ct_trace_kind_text((enum ct_trace_kind)kind));
        ct_tables_cell_number(tables, (double)count->calls);
        ct_tables_cell_number(tables, (double)count->sent_bytes);
        ct_tables_cell_number(tables, 1e-9 * (double)count->time_ns);
        ct_tables_cell_number(tables, share(count->time_ns, summary->time_ns));
    }
    if (summary->n_unmodelled == 0)
        return;
    ct_tables_begin(tables, "unmodelled", "Calls that are not modelled", unmodelled_columns,
                    sizeof unmodelled_columns / sizeof *unmodelled_columns);
    for (size_t i = 0; i < summary->n_unmodelled; i++) {
        ct_tables_cell_text(tables, summary->unmodelled[i].name);
        ct_tables_cell_number(tables, (double)summary->unmodelled[i].calls);
        ct_tables_cell_number(tables, 1e-9 * (double)summary->unmodelled[i].time_ns);
    }
}

static void warn(const struct ct_trace_summary *summary, uint32_t n_ranks, const char *directory)
{
    struct ct_log log = ct_log_open(command.name, false);
    if (summary->n_cut > 0)
        ct_log_warn(&log,
                    "%s: %u of %u traces end before MPI_Finalize, the first that of rank %u: "
                    "the program was aborted, or its disk was full",
                    directory, summary->n_cut, n_ranks, summary->first_cut);
    for (size_t i = 0; i < summary->n_unmodelled; i++)
        ct_log_warn(&log, "%s: %s is not modelled (calls: %" PRIu64 ")", directory,
                    summary->unmodelled[i].name, summary->unmodelled[i].calls);
}

static int check(const char *directory, int format)
{
    struct ct_error err;
    struct ct_trace_set set;
    struct ct_trace_summary summary;
    if (ct_trace_set_open(directory, &set, &err) != CT_OK)
        return ct_report_failure(command.name, &err);
    uint32_t n_ranks = set.n_ranks;
    enum ct_status status = ct_trace_summarize(&set, &summary, &err);
    ct_trace_set_close(&set);
    if (status != CT_OK)
        return ct_report_failure(command.name, &err);
    struct ct_tables *tables = ct_tables_new(command.name, (enum ct_format)format);
    if (tables) {
        ct_tables_provenance(tables, "traces", "%s", directory);
        ct_tables_number(tables, (struct ct_column){"ranks", "ranks", CT_UNIT_COUNT}, n_ranks);
        ct_tables_number(tables, (struct ct_column){"events", "events", CT_UNIT_COUNT},
                         (double)summary.events);
        ct_tables_number(tables, (struct ct_column){"time_s", "time", CT_UNIT_LONG_SECONDS},
                         1e-9 * (double)summary.longest_ns);
        ct_tables_number(tables, (struct ct_column){"cut_ranks", NULL, CT_UNIT_COUNT},
                         summary.n_cut);
        add_tables(tables, &summary);
    }
    warn(&summary, n_ranks, directory);
    ct_trace_summary_free(&summary);
    return ct_tables_finish(command.name, tables);
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
    }
}

/* Times are seconds since the rank's first event. */
static void print_event(uint32_t rank, uint64_t origin_ns, const struct ct_trace_event *event)
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
    if (fields & CT_TRACE_VALUES)
        print_values(event);
    if (fields & CT_TRACE_TEXT)
        printf(" %.*s", (int)event->n_text, event->text);
    putchar('\n');
}

static enum ct_status dump_rank(struct ct_trace *trace, struct ct_error *err)
{
    const struct ct_trace_header *header = ct_trace_header_of(trace);
    struct ct_trace_event event;
    enum ct_status status;
    while ((status = ct_trace_next(trace, &event, err)) == CT_OK && event.kind != CT_TRACE_NONE)
        print_event(header->rank, header->start_ns, &event);
    return status;
}

static int dump(const char *directory, uint64_t only)
{
    struct ct_error err;
    struct ct_trace_set set;
    if (ct_trace_set_open(directory, &set, &err) != CT_OK)
        return ct_report_failure(command.name, &err);
    enum ct_status status = CT_OK;
    if (only != all_ranks && only >= set.n_ranks)
        status = ct_fail(&err, CT_EUSAGE, "--rank %" PRIu64 ": there are ranks 0 to %u", only,
                         set.n_ranks - 1);
    for (uint32_t rank = 0; rank < set.n_ranks && status == CT_OK; rank++)
        if (only == all_ranks || only == rank)
            status = dump_rank(set.traces[rank], &err);
    ct_trace_set_close(&set);
    return status == CT_OK ? 0 : ct_report_failure(command.name, &err);
}

/* ---- making traces ---- */

static enum ct_status find_library(char *path, size_t size, struct ct_error *err)
{
    static const char *const places[] = {CT_TRACE_LIBRARY_FROM_PROGRAM, LIBRARY,
                                         ("../lp-bridge/trace/" LIBRARY)};
    const char *given = getenv(LIBRARY_VARIABLE);
    char self[PATH_MAX / 2];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = '\0';
    if (given) {
        snprintf(path, size, "%s", given);
        return access(path, R_OK) == 0
                   ? CT_OK
                   : ct_fail(err, CT_ENOENT, LIBRARY_VARIABLE " %s: %s", given, strerror(errno));
    }
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, size, "%s/%s", self, places[i]);
        if (access(path, R_OK) == 0)
            return CT_OK;
    }
    return ct_fail(
        err, CT_ENOENT,
        LIBRARY ": neither beside %s nor installed%s; set " LIBRARY_VARIABLE " to its path", self,
        strcmp(CT_MPI_KIND, "none") != 0
            ? ""
            : " (this crosstalk was built without an MPI, and so without the tracer)");
}

/* The tracer is linked to one MPI: in a program of another it would bring a second one. */
static enum ct_status check_program(const struct ct_mpi_program *program, const char *library,
                                    struct ct_error *err)
{
    struct ct_mpi_program tracer;
    ct_mpi_of_file(library, &tracer);
    if (program->mpi == CT_MPI_UNKNOWN || tracer.mpi == CT_MPI_UNKNOWN ||
        program->mpi == tracer.mpi)
        return CT_OK;
    return ct_fail(err, CT_EUNSUPPORTED,
                   "%s is linked to %s, but %s to %s: set " LIBRARY_VARIABLE
                   " to the library of a crosstalk that is built with -DCROSSTALK_MPI=%s",
                   program->path, ct_mpi_title(program->mpi), library, ct_mpi_title(tracer.mpi),
                   ct_mpi_names[program->mpi]);
}

/* Under another MPI's launcher each rank would be alone, and all of them rank 0. */
static enum ct_status check_launcher(const struct ct_mpi_program *program, char *const *argv,
                                     struct ct_error *err)
{
    if (program->mpi == CT_MPI_UNKNOWN || !ct_mpi_is_launcher(argv[0]))
        return CT_OK;
    enum ct_mpi mpi = ct_mpi_of_launcher(argv[0]);
    if (mpi == CT_MPI_UNKNOWN || mpi == program->mpi)
        return CT_OK;
    struct ct_mpi_choice choice;
    bool found = ct_mpi_choose(argv, CT_MPI_UNKNOWN, NULL, &choice, NULL) == CT_OK;
    return ct_fail(err, CT_EUSAGE, "%s is %s's, but %s is linked to %s; start it with %s", argv[0],
                   ct_mpi_title(mpi), program->path, ct_mpi_title(program->mpi),
                   found ? choice.launcher : "its mpiexec");
}

/* What is started by `crosstalk lab mpiexec`: crosstalk itself is not the program. */
static enum ct_status check_mpi(char *const *argv, const char *library, struct ct_error *err)
{
    const char *slash = strrchr(argv[0], '/');
    bool is_crosstalk = strcmp(slash ? slash + 1 : argv[0], "crosstalk") == 0;
    struct ct_mpi_program program;
    ct_mpi_of_command(argv + is_crosstalk, &program);
    enum ct_status status = check_program(&program, library, err);
    return status == CT_OK ? check_launcher(&program, argv, err) : status;
}

static bool has_traces(const char *directory)
{
    char name[CT_TRACE_NAME_MAX], first[PATH_MAX + CT_TRACE_NAME_MAX];
    ct_trace_file_name(0, name);
    snprintf(first, sizeof first, "%s/%s", directory, name);
    return access(first, F_OK) == 0;
}

/* An absolute path, since ranks may start in other folders; without traces in it. */
static enum ct_status prepare_directory(const char *given, char path[PATH_MAX],
                                        struct ct_error *err)
{
    if (mkdir(given, 0777) != 0 && errno != EEXIST)
        return ct_fail(err, CT_EIO, "cannot make %s: %s", given, strerror(errno));
    if (!realpath(given, path))
        return ct_fail(err, CT_EIO, "%s: %s", given, strerror(errno));
    if (has_traces(path))
        return ct_fail(err, CT_EEXIST,
                       "%s holds traces already; remove them or give another folder with --output",
                       given);
    return CT_OK;
}

static enum ct_status set_environment(const char *library, const char *directory,
                                      struct ct_error *err)
{
    const char *others = getenv("LD_PRELOAD");
    char *preload = NULL;
    if (asprintf(&preload, "%s%s%s", library, others ? ":" : "", others ? others : "") < 0)
        return ct_fail(err, CT_ENOMEM, "out of memory");
    bool set =
        setenv("LD_PRELOAD", preload, 1) == 0 && setenv("CROSSTALK_TRACE_DIR", directory, 1) == 0;
    free(preload);
    return set ? CT_OK : ct_fail(err, CT_ENOMEM, "out of memory");
}

/* Signals from the terminal reach the command too; it decides, and its traces are kept. */
static enum ct_status run(char **argv, struct ct_error *err)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction interrupt, quit;
    int how;
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        return ct_fail(err, CT_EIO, "cannot start %s: %s", argv[0], strerror(errno));
    if (child == 0) {
        execvp(argv[0], argv);
        fprintf(stderr, "%s: cannot start %s: %s\n", command.name, argv[0], strerror(errno));
        _exit(127);
    }
    sigaction(SIGINT, &ignore, &interrupt);
    sigaction(SIGQUIT, &ignore, &quit);
    while (waitpid(child, &how, 0) < 0 && errno == EINTR)
        ;
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGQUIT, &quit, NULL);
    if (WIFSIGNALED(how))
        return ct_fail(err, CT_ECHILD, "%s: ended by signal %d", argv[0], WTERMSIG(how));
    if (WEXITSTATUS(how) != 0)
        return ct_fail(err, CT_ECHILD, "%s: exit code %d", argv[0], WEXITSTATUS(how));
    return CT_OK;
}

static int trace(char **argv, const char *output, int format)
{
    struct ct_error err;
    char library[PATH_MAX], directory[PATH_MAX];
    if (find_library(library, sizeof library, &err) != CT_OK ||
        check_mpi(argv, library, &err) != CT_OK ||
        prepare_directory(output, directory, &err) != CT_OK ||
        set_environment(library, directory, &err) != CT_OK)
        return ct_report_failure(command.name, &err);
    enum ct_status status = run(argv, &err);
    if (status != CT_OK) {
        int code = ct_report_failure(command.name, &err);
        check(output, format);
        return code;
    }
    if (!has_traces(directory)) {
        ct_fail(&err, CT_ENODATA,
                "%s: rank 0 wrote no trace to %s; is its program linked dynamically to the MPI "
                "library that crosstalk was built with, and does it call MPI_Init?",
                argv[0], directory);
        return ct_report_failure(command.name, &err);
    }
    return check(output, format);
}

int ct_cmd_trace(int argc, char **argv)
{
    struct values values = {.rank = all_ranks};
    struct ct_arguments args;
    struct ct_error err;
    if (ct_command_parse(&command, argc, argv, &values, &args, stdout, &err) != CT_OK)
        return ct_report_failure(command.name, &err);
    if (args.finished)
        return 0;
    if (values.rank != all_ranks && !values.dump) {
        ct_fail(&err, CT_EUSAGE, "--rank %" PRIu64 ": is for --dump", values.rank);
        return ct_report_failure(command.name, &err);
    }
    if (!values.dump && !values.check)
        return trace(args.operands, values.output, values.format);
    if (args.n_operands != 1 || (values.dump && values.check)) {
        ct_fail(&err, CT_EUSAGE, "--dump or --check: one of them, and one folder");
        return ct_report_failure(command.name, &err);
    }
    if (values.dump && values.format != CT_FORMAT_TABLE) {
        ct_fail(&err, CT_EUSAGE, "--format: --dump prints lines of text only");
        return ct_report_failure(command.name, &err);
    }
    return values.dump ? dump(args.operands[0], values.rank)
                       : check(args.operands[0], values.format);
}
