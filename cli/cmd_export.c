/* crosstalk export: rows of runs as CSV or JSON. Rows are printed as they come, for there may be
 * tens of millions; the table of runs, which is short, goes through core/table.h. */
#include "cli/cli.h"
#include "cli/warn.h"
#include "core/version.h"
#include "report/run_table.h"
#include "study/logp_emit.h"
#include "study/run_summary.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const formats[] = {"csv", "json", NULL};
enum { FORMAT_CSV, FORMAT_JSON };

static const char *const dataset_names[] = {"samples", "pairs",       "runtimes", "rounds",
                                            "logp",    "repetitions", NULL};

struct values {
    int format;
    int dataset; /* of dataset_names; DATASET_NOT_GIVEN untouched */
    int emit;    /* enum ct_emit */
};
enum { DATASET_NOT_GIVEN = CT_N_DATASETS };

static const struct ct_option options[] = {
    {.name = "format",
     .type = CT_OPTION_CHOICE,
     .offset = offsetof(struct values, format),
     .argument = "FORMAT",
     .initial = "csv",
     .choices = formats,
     .help = "form of the rows"},
    {.name = "dataset",
     .type = CT_OPTION_CHOICE,
     .offset = offsetof(struct values, dataset),
     .argument = "NAME",
     .choices = dataset_names,
     .help =
         "what to export: samples, runtimes, rounds or logp where it is not given, by the kind of "
         "the run; of a campaign then the table of runs"},
    {.name = "emit",
     .type = CT_OPTION_CHOICE,
     .offset = offsetof(struct values, emit),
     .argument = "SIMULATOR",
     .initial = "none",
     .choices = ct_emit_names,
     .help = "of a run of logpb: the parameters of the first pair in the form that this simulator "
             "takes"},
    {0}};
static const struct ct_option_group groups[] = {{"Output", options, 0}, {0}};

static const struct ct_command command = {
    .name = "crosstalk export",
    .summary = "write the data of a run or a campaign as CSV or JSON",
    .operands = "FILE.h5|DIR",
    .description =
        "Of a run: the rows of one dataset. Of a folder or a packed campaign: a row per run with "
        "what it is and a summary of what it measured; with --dataset the rows of all runs that "
        "have "
        "this dataset, and the run's name in front of each.\n\nTimes are seconds, with all digits. "
        "Lines of CSV that begin with # say where the rows come from.",
    .groups = groups,
    .examples =
        (const char *const[]){"crosstalk export impact.h5 --format csv", "all samples of a run",
                              "crosstalk export results --format json", "a row per run",
                              "crosstalk export results --dataset runtimes",
                              "all run times of a campaign",
                              "crosstalk export logp.h5 --emit loggopsim",
                              "LogGP parameters as options of LogGOPSim", NULL},
    .see_also =
        (const char *const[]){"crosstalk(1)", "crosstalk-show(1)", "crosstalk-pack(1)", NULL},
    .min_operands = 1,
    .max_operands = 1};

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

static void print_json_text(const char *text, FILE *out)
{
    cJSON *item = cJSON_CreateString(text);
    char *printed = cJSON_PrintUnformatted(item);
    fputs(printed ? printed : "null", out);
    cJSON_free(printed);
    cJSON_Delete(item);
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
        print_json_text(text, writer->out);
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
        print_json_text(path, writer->out);
        fprintf(writer->out, ",\n  \"%s\": [", dataset->name);
        return;
    }
    fprintf(writer->out, "# %s v%s\n# path: %s\n", command.name, CT_VERSION, path);
    fputs(writer->names_runs ? "run," : "", writer->out);
    for (size_t f = 0; f < dataset->n_fields; f++)
        fprintf(writer->out, "%s%s", f > 0 ? "," : "", dataset->fields[f].name);
    fputc('\n', writer->out);
}

static enum ct_status end_rows(const struct writer *writer, struct ct_error *err)
{
    if (writer->format == FORMAT_JSON)
        fputs(writer->n_rows > 0 ? "\n  ]\n}\n" : "]\n}\n", writer->out);
    if (fflush(writer->out) != 0 || ferror(writer->out))
        return ct_fail(err, CT_EIO, "standard output: cannot be written");
    return CT_OK;
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
                                 const struct values *values, struct ct_error *err)
{
    struct writer writer = {.out = stdout, .format = values->format};
    const struct ct_dataset *dataset = values->dataset == DATASET_NOT_GIVEN
                                           ? ct_dataset_main(run->info.kind)
                                           : ct_dataset_find(dataset_names[values->dataset]);
    if (dataset->kind != run->info.kind)
        return ct_fail(err, CT_ENODATA, "%s: a run of the kind '%s' has no %s", path,
                       ct_run_kind_text(run->info.kind), dataset->name);
    begin_rows(&writer, dataset, path);
    print_rows(&writer, dataset, path, run);
    return end_rows(&writer, err);
}

static enum ct_status export_rows_of_all(const struct ct_run_list *list, const char *path,
                                         const struct values *values, struct ct_error *err)
{
    struct writer writer = {.out = stdout, .format = values->format, .names_runs = true};
    const struct ct_dataset *dataset = ct_dataset_find(dataset_names[values->dataset]);
    begin_rows(&writer, dataset, path);
    for (size_t i = 0; i < list->n_entries; i++) {
        const struct ct_run_entry *entry = &list->entries[i];
        struct ct_run run;
        if (entry->info.kind != dataset->kind)
            continue;
        enum ct_status status = ct_run_read_entry(entry, &run, err);
        if (status != CT_OK)
            return status;
        print_rows(&writer, dataset, entry->path, &run);
        ct_run_free(&run);
    }
    return end_rows(&writer, err);
}

static enum ct_status export_table(const struct ct_run_list *list, const char *path, int format,
                                   struct ct_error *err)
{
    struct ct_tables *tables =
        ct_tables_new(command.name, format == FORMAT_JSON ? CT_FORMAT_JSON : CT_FORMAT_CSV);
    if (!tables)
        return ct_fail(err, CT_ENOMEM, "table: out of memory");
    ct_tables_provenance(tables, "path", "%s", path);
    enum ct_status status = ct_run_table(tables, list, true, err);
    if (status == CT_OK)
        status = ct_tables_print(tables, stdout, err);
    ct_tables_free(tables);
    return status;
}

static enum ct_status emit(const struct ct_found *found, const char *path,
                           const struct values *values, struct ct_error *err)
{
    if (!found->is_run || values->dataset != DATASET_NOT_GIVEN)
        return ct_fail(err, CT_EUSAGE,
                       "--emit: of one run, without --dataset; name a file of logpb, or "
                       "CAMPAIGN.h5:NNNN");
    return ct_logp_emit(&found->run, path, (enum ct_emit)values->emit, stdout, err);
}

int ct_cmd_export(int argc, char **argv)
{
    struct values values = {.dataset = DATASET_NOT_GIVEN};
    struct ct_arguments args;
    struct ct_error err;
    struct ct_found found;
    if (ct_command_parse(&command, argc, argv, &values, &args, stdout, &err) != CT_OK)
        return ct_print_failure(command.name, &err);
    if (args.finished)
        return 0;
    const char *path = args.operands[0];
    enum ct_status status = ct_found_read(path, &found, &err);
    if (status != CT_OK)
        return ct_print_failure(command.name, &err);
    if (values.emit != CT_EMIT_NONE)
        status = emit(&found, path, &values, &err);
    else if (found.is_run)
        status = export_run(&found.run, path, &values, &err);
    else if (values.dataset == DATASET_NOT_GIVEN)
        status = export_table(&found.list, path, values.format, &err);
    else
        status = export_rows_of_all(&found.list, path, &values, &err);
    ct_warn_of_rejected(command.name, &found.list);
    ct_found_free(&found);
    return status == CT_OK ? 0 : ct_print_failure(command.name, &err);
}
