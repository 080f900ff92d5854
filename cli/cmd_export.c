/* crosstalk export: rows of runs as CSV or JSON, traces as timelines. Rows are printed as they
 * come, for there may be tens of millions; the table of runs, which is short, goes through
 * core/table.h. */
#include "cli/campaign_rows.h"
#include "cli/cli.h"
#include "cli/export_trace.h"
#include "cli/run_table.h"
#include "cli/warn.h"
#include "cli/window.h"
#include "core/json.h"
#include "core/option_rows.h"
#include "core/picture.h"
#include "core/version.h"
#include "model/loggp/emit.h"
#include "results/checkpoint.h"
#include "results/run_summary.h"
#include "results/thin.h"
#include "study/logp_points.h"
#include "study/placements.h"
#include "study/switch_counters.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Of runs, then of traces. */
static const char *const formats[] = {"csv", "json", "perfetto", "chrome", "otf2", "smpi", NULL};
enum { FORMAT_CSV, FORMAT_JSON, FORMAT_PERFETTO, FORMAT_CHROME, FORMAT_OTF2, FORMAT_SMPI };

static const char *const dataset_names[] = {"samples", "pairs",       "runtimes", "rounds",
                                            "logp",    "repetitions", "paths",    NULL};

struct values {
    int format;
    bool has_format;
    int dataset; /* of dataset_names; DATASET_NOT_GIVEN untouched */
    int emit;    /* enum ct_emit */
    const char *output;
    struct ct_window_settings window;
    const char *placement;
    uint64_t samples_max; /* of a probe run that is packed */
    bool packs, recovers; /* by the names of earlier versions */
    struct ct_view view;
};
enum { DATASET_NOT_GIVEN = CT_N_DATASETS };

static const struct ct_option options[] = {
    {CT_OPTION(CHOICE, "format", struct values, format), .argument = "FORMAT", .initial = "csv",
     .choices = formats, .given = CT_OFFSET_OF(bool, struct values, has_format),
     .help =
         "csv, json: rows of runs. perfetto, chrome: a timeline of traces, in the Trace Event "
         "format of both viewers. otf2: an archive of traces, for the tools that read Score-P's. "
         "smpi: traces that SimGrid's SMPI replays"},
    CT_ROW_OUTPUT(
        struct values, output, "FILE",
        "write here; - is standard output. An existing regular file is replaced once the "
        "new one is complete. FILE.h5: all runs in one file, which every command takes in "
        "place of their folder; of a checkpoint the run file",
        .initial = "-"),
    CT_ROWS_WINDOW(struct values, window, "of traces: "),
    {CT_OPTION(CHOICE, "dataset", struct values, dataset), .argument = "NAME",
     .choices = dataset_names,
     .help =
         "what to export. Without this option samples, runtimes, rounds or logp, by the kind of "
         "the run; of a campaign the table of runs"},
    {CT_OPTION(CHOICE, "emit", struct values, emit), .argument = "SIMULATOR", .initial = "none",
     .choices = ct_emit_names,
     .help = "of a run of logpb: the parameters of the first pair in the form that this simulator "
             "takes; without --format"},
    {CT_OPTION(U64, "thin", struct values, samples_max), CT_RANGE(CT_THIN_STRETCH, 1e15),
     .help = "with -o FILE.h5: keep at most this many samples of each probe run; without it, all"},
    CT_ROW_PLACEMENT(struct values, placement,
                     "with -o FILE.h5: only the runs of one placement of a campaign that has "
                     "several, for commands without this option; without it, all"),
    CT_ROWS_VIEW(struct values, view),
    {CT_OPTION(FLAG, "pack", struct values, packs), .successor = ""},
    {CT_OPTION(FLAG, "recover", struct values, recovers), .successor = ""},
    {0}};
static const struct ct_option_group groups[] = {{"Output", options, 0}, {0}};

static const struct ct_command command = {
    .name = "crosstalk export",
    .summary = "write runs as CSV or JSON, traces as timelines",
    .operands = "FILE.h5|DIR|TRACES|FILE.goal",
    .description =
        "For a run: the rows of one dataset. For a folder or a packed campaign: one row for each "
        "run, with its attributes and a summary of its measurements; with --dataset the rows of "
        "all runs that have this dataset, each after the name of its run.\n\n"
        "With -o FILE.h5 every run is read completely first. If a file cannot be read, nothing is "
        "written, so that no run is lost unnoticed. Runs are named FILE.h5:0000, FILE.h5:0001 and "
        "so on, in the order of their paths. The utilization by the switch counters during a run, "
        "RUN.ports.json beside it, becomes the attribute packed_switch_busy_mean_frac. With --thin "
        "a probe run keeps stretches of 64 to 127 consecutive samples, in the order of time over "
        "all pairs, at equal steps from its first sample to its last. So bursts and correlations "
        "shorter than a stretch do not change, and mean and distribution are those of a smaller "
        "sample of the whole run. The attributes packed_thinned_rule and "
        "packed_thinned_from_samples record this.\n\n"
        "impactb and logpb save their measurements in the folder RUN.h5.checkpoint beside their "
        "output, every --checkpoint (impactb: 60 s, logpb: 1 s), and remove it when the run file "
        "is "
        "complete. If one is killed, the folder remains. This command, crosstalk-show(1) and "
        "crosstalk-predict(1) read it by its own name, by that of the run file, or in a campaign's "
        "folder, and leave it as it is; such runs have the attribute recovered_from_checkpoint.\n\n"
        "Times are seconds, with all digits. Lines of CSV that begin with # have the source of the "
        "rows.\n\n"
        "TRACES is a folder or an archive as in crosstalk-goal(1). --format perfetto makes a file "
        "for https://ui.perfetto.dev or chrome://tracing: a track for each rank, and for each "
        "further thread of it that calls MPI; on it a slice for each call, with partner, tag, "
        "bytes and communicator, and for the time between calls; and "
        "an arrow for each message, from the start of the call that sent it to the end of the one "
        "that received it (a wait or test, if the receive did not block). Nodes' clocks are "
        "aligned by the time of day. A viewer holds the whole file in memory, so --from and --to "
        "choose a window of long runs: calls that touch it, and messages whose both ends do.\n\n"
        "--format otf2 makes an archive of the Open Trace Format 2, as Score-P does, in a new "
        "folder: -o DIR gives DIR/traces.otf2. Values that its records cannot have are in "
        "attributes, so that crosstalk-goal(1) makes the same schedule from it.\n\n"
        "--format smpi takes a schedule, or whatever crosstalk-goal(1) makes one of, and writes "
        "time-independent traces into a new folder: -o DIR gives DIR/rank-0.txt and so on, and the "
        "list DIR/traces.txt for `smpirun -replay`. Collectives are the messages of their default "
        "algorithms. Calculations are in flops, one for each nanosecond, so hosts need a speed of "
        "1 Gflop/s, as those of `crosstalk topology --format simgrid`. Refused are receives of any "
        "tag, messages of a rank to itself or of 2 GiB and more, and a second CPU or NIC.",
    .groups = groups,
    .examples =
        (const char *const[]){
            "crosstalk export impact.h5 --format csv", "all samples of a run",
            "crosstalk export results --format json", "a row per run",
            "crosstalk export results --dataset runtimes", "all run times of a campaign",
            "crosstalk export results -o campaign.h5", "all runs of a campaign in one file",
            "crosstalk export results -o small.h5 --thin 640",
            "the same with ten stretches of each probe run", "crosstalk export idle.h5 -o idle.h5",
            "a run file of idle.h5.checkpoint", "crosstalk export logp.h5 --emit loggopsim",
            "LogGP parameters as options of LogGOPSim",
            "crosstalk export trace --format perfetto -o trace.json",
            "who waited for whom, for a viewer in a browser",
            "crosstalk export halo:4x4x4 --format smpi -o halo", "a program for SimGrid to replay",
            NULL},
    .see_also =
        (const char *const[]){"crosstalk(1)", "crosstalk-show(1)", "crosstalk-trace(1)", NULL},
    .min_operands = 1};

/* ---- texts ---- */

static void print_csv_text(const char *text, FILE *out)
{
    if (!strpbrk(text, ",\"\n\r")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

/* ---- rows ---- */

struct writer {
    FILE *out;
    int format;
    bool names_runs; /* the run's path in front of each row */
    size_t n_rows;
};

static void print_text(const struct writer *writer, const char *text)
{
    if (writer->format == FORMAT_CSV)
        print_csv_text(text, writer->out);
    else
        ct_json_print_text(text, writer->out);
}

static void print_value(const struct writer *writer, const struct ct_field *field, const char *at)
{
    double number;
    uint64_t u64;
    uint32_t u32;
    switch (field->type) {
    case CT_FIELD_F64:
        memcpy(&number, at, sizeof number);
        if (isfinite(number))
            fprintf(writer->out, "%.17g", number);
        else if (writer->format == FORMAT_JSON)
            fputs("null", writer->out);
        break;
    case CT_FIELD_U64:
        memcpy(&u64, at, sizeof u64);
        fprintf(writer->out, "%" PRIu64, u64);
        break;
    case CT_FIELD_U32:
        memcpy(&u32, at, sizeof u32);
        fprintf(writer->out, "%" PRIu32, u32);
        break;
    case CT_FIELD_U8:
        fprintf(writer->out, "%u", (unsigned)(unsigned char)*at);
        break;
    case CT_FIELD_HOST:
        print_text(writer, at);
        break;
    }
}

static void print_row(struct writer *writer, const struct ct_dataset *dataset, const char *path,
                      const char *row)
{
    bool json = writer->format == FORMAT_JSON;
    if (json)
        fputs(writer->n_rows > 0 ? ",\n    {" : "\n    {", writer->out);
    if (writer->names_runs) {
        fputs(json ? "\"run\": " : "", writer->out);
        print_text(writer, path);
        fputs(json ? ", " : ",", writer->out);
    }
    for (size_t f = 0; f < dataset->n_fields; f++) {
        const struct ct_field *field = &dataset->fields[f];
        if (f > 0)
            fputs(json ? ", " : ",", writer->out);
        if (json)
            fprintf(writer->out, "\"%s\": ", field->name);
        print_value(writer, field, row + field->offset);
    }
    fputc(json ? '}' : '\n', writer->out);
    writer->n_rows++;
}

static void begin_rows(const struct writer *writer, const struct ct_dataset *dataset,
                       const char *path)
{
    if (writer->format == FORMAT_JSON) {
        fputs("{\n  \"path\": ", writer->out);
        ct_json_print_text(path, writer->out);
        fprintf(writer->out, ",\n  \"%s\": [", dataset->name);
        return;
    }
    fprintf(writer->out, "# %s v%s\n# path: %s\n", command.name, CT_VERSION, path);
    fputs(writer->names_runs ? "run," : "", writer->out);
    for (size_t f = 0; f < dataset->n_fields; f++)
        fprintf(writer->out, "%s%s", f > 0 ? "," : "", dataset->fields[f].name);
    fputc('\n', writer->out);
}

static void end_rows(const struct writer *writer)
{
    if (writer->format == FORMAT_JSON)
        fputs(writer->n_rows > 0 ? "\n  ]\n}\n" : "]\n}\n", writer->out);
}

static void print_rows(struct writer *writer, const struct ct_dataset *dataset, const char *path,
                       const struct ct_run *run)
{
    const char *rows = ct_dataset_rows(dataset, run);
    size_t n = ct_dataset_count(dataset, run);
    for (size_t i = 0; i < n; i++)
        print_row(writer, dataset, path, rows + i * dataset->row_bytes);
}

/* ---- runs ---- */

static enum ct_status export_run(const struct ct_run *run, const char *path,
                                 const struct values *values, FILE *out, struct ct_error *err)
{
    struct writer writer = {.out = out, .format = values->format};
    const struct ct_dataset *dataset = values->dataset == DATASET_NOT_GIVEN
                                           ? ct_dataset_main(run->info.kind)
                                           : ct_dataset_find(dataset_names[values->dataset]);
    if (dataset->kind != run->info.kind)
        return ct_fail(err, CT_ENODATA, "%s: a run of the kind '%s' has no %s", path,
                       ct_run_kind_text(run->info.kind), dataset->name);
    begin_rows(&writer, dataset, path);
    print_rows(&writer, dataset, path, run);
    end_rows(&writer);
    return CT_OK;
}

static enum ct_status export_rows_of_all(const struct ct_run_list *list, const char *path,
                                         const struct values *values, FILE *out,
                                         struct ct_error *err)
{
    struct writer writer = {.out = out, .format = values->format, .names_runs = true};
    const struct ct_dataset *dataset = ct_dataset_find(dataset_names[values->dataset]);
    begin_rows(&writer, dataset, path);
    for (size_t i = 0; i < list->n_entries; i++) {
        const struct ct_run_entry *entry = &list->entries[i];
        struct ct_run run;
        if (entry->info.kind != dataset->kind)
            continue;
        CT_TRY(ct_run_read_entry(entry, &run, err));
        print_rows(&writer, dataset, entry->path, &run);
        ct_run_free(&run);
    }
    end_rows(&writer);
    return CT_OK;
}

static enum ct_status export_table(const struct ct_run_list *list, const char *path, int format,
                                   FILE *out, struct ct_error *err)
{
    struct ct_tables *tables =
        ct_tables_new(command.name, format == FORMAT_JSON ? CT_FORMAT_JSON : CT_FORMAT_CSV);
    ct_tables_provenance(tables, "path", "%s", path);
    enum ct_status status = ct_run_table(tables, list, true, err);
    if (status == CT_OK)
        status = ct_tables_print(tables, out, err);
    ct_tables_free(tables);
    return status;
}

/* Of the first direction: those of crosstalk tolerance --logp. */
static enum ct_status emit_parameters(const struct ct_found *found, const char *path,
                                      const struct values *values, FILE *out, struct ct_error *err)
{
    const struct ct_run *run = &found->run;
    struct ct_logp_curve curve;
    if (!found->is_run || values->dataset != DATASET_NOT_GIVEN)
        return ct_fail(err, CT_EUSAGE,
                       "--emit: of one run, without --dataset; name a file of logpb, or "
                       "CAMPAIGN.h5:NNNN");
    if (run->info.kind != CT_RUN_LOGP)
        return ct_fail(err, CT_ENODATA, "%s: a run of the kind '%s' has no parameters to emit",
                       path, ct_run_kind_text(run->info.kind));
    enum ct_status status = ct_logp_curve_take(run, &curve, err);
    if (status == CT_OK) {
        const struct ct_emit_source source = {
            .points = curve.points, .n_points = curve.n, .threshold = curve.threshold};
        status = ct_loggp_emit((enum ct_emit)values->emit, &source, out, err);
        ct_logp_curve_free(&curve);
    }
    return status == CT_OK ? CT_OK : ct_fail_within(err, status, "%s", path);
}

struct job {
    const struct ct_found *found;
    const char *path;
    const struct values *values;
};

static enum ct_status write_rows(FILE *out, const void *data, struct ct_error *err)
{
    const struct job *job = data;
    const struct ct_found *found = job->found;
    const struct values *values = job->values;
    if (values->emit != CT_EMIT_NONE)
        return emit_parameters(found, job->path, values, out, err);
    if (found->is_run)
        return export_run(&found->run, job->path, values, out, err);
    return values->dataset == DATASET_NOT_GIVEN
               ? export_table(&found->list, job->path, values->format, out, err)
               : export_rows_of_all(&found->list, job->path, values, out, err);
}

static enum ct_status export_runs(const char *path, const struct values *values,
                                  struct ct_error *err)
{
    struct ct_found found;
    if (ct_window_is_given(&values->window))
        return ct_fail(err, CT_EUSAGE, "--from and --to: are for traces, with --format perfetto");
    if (values->emit != CT_EMIT_NONE && values->has_format)
        return ct_fail(err, CT_EUSAGE,
                       "--format %s: not with --emit %s, which writes the simulator's own form",
                       formats[values->format], ct_emit_names[values->emit]);
    CT_TRY(ct_found_read(path, &found, err));
    const struct job job = {&found, path, values};
    enum ct_status status = ct_picture_make(values->output, write_rows, &job, err);
    ct_warn_of_found(command.name, path, &found);
    ct_found_free(&found);
    return status;
}

/* ---- one file of all runs ---- */

static bool is_h5(const char *path)
{
    size_t length = strlen(path);
    return length > 3 && strcmp(path + length - 3, ".h5") == 0;
}

static enum ct_status pack_folder(const char *path, const struct values *values,
                                  struct ct_error *err)
{
    struct ct_log log = ct_log_open(command.name, values->view.quiet);
    struct ct_run_list list;
    CT_TRY(ct_run_list_read(path, &list, err));
    ct_warn_of_rejected(command.name, &list);
    enum ct_status status = CT_OK;
    if (list.n_rejected > 0)
        status = ct_fail(err, CT_EFORMAT,
                         "%s: files that cannot be read: %zu, named above; move them away first",
                         path, list.n_rejected);
    if (status == CT_OK && values->placement)
        status = ct_placements_select(values->placement, path, &list, err);
    for (size_t i = 0; i < list.n_entries && status == CT_OK; i++)
        status = ct_switch_add_facts(&list.entries[i], err);
    if (status == CT_OK)
        status = ct_run_pack_thinned(&list, values->output, values->samples_max, err);
    if (status == CT_OK)
        ct_log_info(&log, "%s: %zu runs", values->output, list.n_entries);
    ct_run_list_free(&list);
    return status;
}

/* The run file of a checkpoint, which stays. */
static enum ct_status save_checkpoint(const char *path, const struct values *values,
                                      const struct ct_run *run, struct ct_error *err)
{
    struct ct_log log = ct_log_open(command.name, values->view.quiet);
    if (access(values->output, F_OK) == 0)
        return ct_fail(err, CT_EEXIST, "%s is there; name another file with --output",
                       values->output);
    CT_TRY(ct_run_write(values->output, run, err));
    ct_log_info(&log, "%s: %zu rows; the checkpoint of %s is still there", values->output,
                run->n_samples + run->n_logp, path);
    return CT_OK;
}

/* FILE.h5 of FILE.h5.checkpoint, or of itself. */
static void name_run(const char *path, char name[PATH_MAX])
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    if (ct_checkpoint_is(path))
        length -= strlen(CT_CHECKPOINT_SUFFIX);
    snprintf(name, PATH_MAX, "%.*s", (int)length, path);
}

static enum ct_status export_file(const char *path, const struct values *given,
                                  struct ct_error *err)
{
    struct values values = *given;
    char name[PATH_MAX];
    struct ct_found found = {.is_run = false};
    const bool is_to_file = strcmp(values.output, "-") != 0;
    if (values.has_format || values.dataset != DATASET_NOT_GIVEN || values.emit != CT_EMIT_NONE ||
        ct_window_is_given(&values.window))
        return ct_fail(err, CT_EUSAGE,
                       "--format, --dataset, --emit, --from, --to: not with -o FILE.h5, which has "
                       "all of the runs");
    if (values.packs && !is_to_file)
        return ct_fail(err, CT_EUSAGE, "--output FILE.h5 is missing");
    if (!is_to_file) {
        name_run(path, name);
        values.output = name;
    }
    enum ct_status status = ct_file_check_target(values.output, CT_FILE_REGULAR, err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "--output");
    status = ct_found_read(path, &found, err);
    if (status != CT_OK)
        return status;
    if (found.is_checkpoint)
        status = save_checkpoint(path, &values, &found.run, err);
    else if (values.recovers)
        status = ct_fail(err, CT_EUSAGE, "%s: no checkpoint: nothing is to be recovered", path);
    ct_found_free(&found);
    return status == CT_OK && !found.is_checkpoint ? pack_folder(path, &values, err) : status;
}

/* ---- traces ---- */

static enum ct_status export_traces(struct ct_input input, const struct values *values,
                                    struct ct_error *err)
{
    struct ct_timeline_window window;
    if (values->dataset != DATASET_NOT_GIVEN || values->emit != CT_EMIT_NONE)
        return ct_fail(err, CT_EUSAGE, "--dataset and --emit: are for runs, not with --format %s",
                       formats[values->format]);
    if (values->format == FORMAT_OTF2 || values->format == FORMAT_SMPI) {
        const char *name = formats[values->format];
        if (ct_window_is_given(&values->window))
            return ct_fail(err, CT_EUSAGE, "--from and --to: --format %s has all of the traces",
                           name);
        if (strcmp(values->output, "-") == 0)
            return ct_fail(err, CT_EUSAGE, "--format %s: --output is missing: a new folder", name);
        return values->format == FORMAT_OTF2
                   ? ct_export_archive(input, values->output, err)
                   : ct_export_smpi(command.name, input, values->output, err);
    }
    CT_TRY(ct_window_of(&values->window, &window, err));
    return ct_export_trace_events(input, &window, values->output, err);
}

static enum ct_status export_operand(void *given, const struct ct_arguments *args,
                                     struct ct_error *err)
{
    const struct values *values = given;
    const char *path = args->operands[0];
    const bool is_file = values->packs || values->recovers || is_h5(values->output);
    if (!is_file && (values->placement || values->samples_max != SIZE_MAX))
        return ct_fail(err, CT_EUSAGE, "--placement, --thin: need -o FILE.h5");
    if (is_file && values->format < FORMAT_PERFETTO)
        return export_file(path, values, err);
    bool makes_folder = values->format == FORMAT_OTF2 || values->format == FORMAT_SMPI;
    enum ct_status status =
        makes_folder ? CT_OK : ct_file_check_target(values->output, CT_FILE_STREAM, err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "--output");
    return values->format >= FORMAT_PERFETTO ? export_traces(ct_input_of(path), values, err)
                                             : export_runs(path, values, err);
}

int ct_cmd_export(int argc, char **argv)
{
    struct values values = {
        .dataset = DATASET_NOT_GIVEN, .window = CT_WINDOW_INITIAL, .samples_max = SIZE_MAX};
    return ct_command_main(&command, argc, argv, &values, export_operand);
}
