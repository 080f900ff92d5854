/* crosstalk show: what a run file holds, which runs there are, or the constants of the models. */
#include "cli/cli.h"
#include "cli/constants.h"
#include "cli/measured_pairs.h"
#include "cli/probe_paths.h"
#include "cli/run_table.h"
#include "cli/warn.h"
#include "core/option_rows.h"
#include "results/run_summary.h"
#include "results/scan_cells.h"
#include "study/logp_points.h"
#include "study/shared.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct values {
    bool constants;
    const char *plot_path;
    int format;
    struct ct_view view;
};

static const struct ct_option what_options[] = {
    {CT_OPTION(FLAG, "constants", struct values, constants),
     .help = "show, instead of runs, the constants of the models that no campaign measures: value, "
             "unit, what each was fitted to or why it was chosen, and its error"},
    {0}};
static const struct ct_option options[] = {
    CT_ROW_FORMAT(struct values, format, "format of the output"),
    CT_ROW_PLOT(struct values, plot_path,
                "of a run of logpb: draw L, o and G of all pairs as matrices (needs gnuplot)"),
    CT_ROWS_VIEW(struct values, view),
    {0}};
static const struct ct_option_group groups[] = {
    {"What", what_options, 0}, {"Output", options, 0}, {0}};

static const struct ct_command command = {
    .name = "crosstalk show",
    .summary = "describe a run file, or list the runs of a campaign",
    .operands = "FILE.h5|DIR|--constants",
    .description =
        "For a run: its attributes, its datasets with their numbers of rows, and a summary of its "
        "measurements, over all samples. A run in a packed campaign is named FILE.h5:0000.\n\n"
        "For a run of impactb on a known topology, latencies by the number of switches between the "
        "nodes, and the slowest path by the names of its switches.\n\n"
        "For a run of logpb that measured several pairs, the table of pairs has L, o and G of each "
        "direction, with 95 % intervals from its own repetitions.\n\n"
        "For a folder or a packed campaign: the list of its runs. Warnings name files that cannot "
        "be read. A run that is both in a separate file and in a packed campaign is listed once.",
    .groups = groups,
    .examples =
        (const char *const[]){"crosstalk show impact.h5", "one run", "crosstalk show results",
                              "all runs of a campaign",
                              "crosstalk show --format json campaign.h5:0003",
                              "a run in a packed campaign, for scripts",
                              "crosstalk show logp-all.h5 --plot pairs.svg",
                              "every pair that logpb measured, and a picture",
                              "crosstalk show --constants", "the constants of the models", NULL},
    .see_also = (const char *const[]){"crosstalk(1)", "crosstalk-export(1)", NULL},
    .min_operands = 0,
    .max_operands = 1};

/* ---- attributes ---- */

/* What logpb derived when it wrote the file. Version 0.1.0 did so in another way; the table below
 * is of the rows. */
static bool is_derived_again(const char *key)
{
    static const char *const keys[] = {"L_s",
                                       "L_lo_s",
                                       "L_hi_s",
                                       "o_s",
                                       "g_s",
                                       "G_s_per_byte",
                                       "G_lo_s_per_byte",
                                       "G_hi_s_per_byte",
                                       "L_parameterized_s",
                                       "L_parameterized_lo_s",
                                       "L_parameterized_hi_s"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return false;
}

static void add_attributes(struct ct_tables *tables, const struct ct_run_info *info)
{
    const struct {
        const char *key, *heading, *text;
        bool is_first;
    } texts[] = {{"attributes.kind", "kind", ct_run_kind_text(info->kind), true},
                 {"attributes.app", "app", info->app, true},
                 {"attributes.with", "with", info->with, true},
                 {"attributes.tool", "tool", info->tool, false},
                 {"attributes.version", "version", info->version, false},
                 {"attributes.started_utc", "started", info->started_utc, true},
                 {"attributes.argv", "command", info->argv, false},
                 {"attributes.hosts", "hosts", info->hosts, false},
                 {"attributes.mpi_library", "MPI library", info->mpi_library, false},
                 {"attributes.timer", "timer", info->timer, false},
                 {"attributes.config_pattern", "pattern",
                  info->has_config ? ct_pattern_names[info->config.pattern] : "", true}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ct_tables_detail(tables, !texts[i].is_first || !*texts[i].text);
        CT_TABLES_TEXT(tables, texts[i].key, texts[i].heading, texts[i].text);
    }
    const double none = NAN;
    const struct {
        struct ct_column column;
        double number;
    } numbers[] = {{{"attributes.timer_resolution_s", "timer resolution", CT_UNIT_SECONDS},
                    info->timer_resolution_s},
                   {{"attributes.config_P", "partners (P)", CT_UNIT_COUNT},
                    info->has_config ? (double)info->config.partners : none},
                   {{"attributes.config_M", "messages (M)", CT_UNIT_COUNT},
                    info->has_config ? (double)info->config.messages : none},
                   {{"attributes.config_B_s", "bubble (B)", CT_UNIT_SECONDS},
                    info->has_config ? info->config.bubble_s : none},
                   {{"attributes.config_burst_on_s", "burst on", CT_UNIT_LONG_SECONDS},
                    info->config.burst.given ? info->config.burst.on_s : none},
                   {{"attributes.config_burst_off_s", "burst off", CT_UNIT_LONG_SECONDS},
                    info->config.burst.given ? info->config.burst.off_s : none},
                   {{"attributes.config_message_bytes", "message of the load", CT_UNIT_BYTES},
                    info->config.message_bytes > 0 ? (double)info->config.message_bytes : none},
                   {{"attributes.config_slots", "ranks per node of the load", CT_UNIT_COUNT},
                    info->config.slots > 0 ? (double)info->config.slots : none}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        ct_tables_detail(tables, i == 0 || isnan(numbers[i].number));
        ct_tables_number(tables, numbers[i].column, numbers[i].number);
    }
    ct_tables_detail(tables, false);
    const struct ct_run_list alone = {0};
    if (*info->with || ct_run_text(info, CT_RUN_PLACEMENT_WITH) || ct_run_text(info, CT_RUN_SHARED))
        CT_TABLES_TEXT(tables, "shared", "programs shared",
                       ct_shared_key(ct_shared_of(info, &alone)));
    ct_tables_detail(tables, true);
    /* As text: a double does not hold every seed. */
    char seed[24];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)info->seed);
    CT_TABLES_TEXT(tables, "attributes.seed", "seed", seed);
    for (size_t i = 0; i < info->n_facts; i++) {
        const struct ct_run_fact *fact = &info->facts[i];
        if (info->kind == CT_RUN_LOGP && is_derived_again(fact->key))
            continue;
        char key[1024];
        snprintf(key, sizeof key, "attributes.%s", fact->key);
        struct ct_column column = {key, fact->key, CT_UNIT_NONE};
        if (fact->text && strcmp(fact->key, CT_RUN_TOPOLOGY_TEXT) == 0)
            column.heading = NULL; /* a file of many lines */
        if (fact->text)
            ct_tables_text(tables, column, fact->text);
        else
            ct_tables_number(tables, column, fact->number);
    }
    ct_tables_detail(tables, false);
}

/* ---- rows ---- */

static void add_datasets(struct ct_tables *tables, const struct ct_run *run)
{
    static const struct ct_column columns[] = {{"name", "dataset", CT_UNIT_NONE},
                                               {"rows", "rows", CT_UNIT_COUNT}};
    CT_TABLES_BEGIN(tables, "datasets", "Datasets", columns);
    for (size_t d = 0; d < CT_N_DATASETS; d++)
        if (ct_datasets[d].kind == run->info.kind) {
            ct_tables_cell_text(tables, ct_datasets[d].name);
            ct_tables_cell_number(tables, (double)ct_dataset_count(&ct_datasets[d], run));
        }
}

/* Latencies in microseconds; run times and rounds in seconds. */
static void add_summary(struct ct_tables *tables, enum ct_run_kind kind,
                        const struct ct_run_summary *summary)
{
    const bool is_latency = kind == CT_RUN_IMPACT;
    const enum ct_unit unit = is_latency ? CT_UNIT_SECONDS : CT_UNIT_LONG_SECONDS;
    const struct ct_column columns[] = {{"min_s", "min", unit},
                                        {"mean_s", "mean", unit},
                                        {"p50_s", "p50", unit},
                                        {"p99_s", "p99", unit},
                                        {"max_s", "max", unit}};
    CT_TABLES_BEGIN(tables, is_latency ? "latency" : "duration",
                    is_latency ? "Latency of the probes" : "Duration of the rounds", columns);
    CT_CELL_NUMBERS(tables, summary->min_s, summary->mean_s, summary->p50_s, summary->p99_s,
                    summary->max_s);
}

/* What a kind has besides times. */
static void add_totals(struct ct_tables *tables, const struct ct_run *run)
{
    double late = 0, bytes = 0, time_s = 0;
    for (size_t i = 0; i < run->n_samples; i++)
        late += run->samples[i].late;
    for (size_t i = 0; i < run->n_rounds; i++) {
        bytes += (double)run->rounds[i].bytes;
        time_s += run->rounds[i].duration_s;
    }
    if (run->info.kind == CT_RUN_IMPACT)
        CT_TABLES_NUMBER(tables, "late", "late probes", COUNT, late);
    if (run->info.kind == CT_RUN_COMPRESSION) {
        CT_TABLES_NUMBER(tables, "bytes", "sent", BYTES, bytes);
        CT_TABLES_NUMBER(tables, "bytes_per_s", "rate", BYTES_PER_S,
                         time_s > 0 ? bytes / time_s : NAN);
    }
}

static void add_logp(struct ct_tables *tables, const struct ct_run *run)
{
    static const struct ct_column columns[] = {{"rank_from", "from", CT_UNIT_COUNT},
                                               {"rank_to", "to", CT_UNIT_COUNT},
                                               {"method", "method", CT_UNIT_NONE},
                                               {"bytes", "size", CT_UNIT_BYTES},
                                               {"os_s", "o_s", CT_UNIT_SECONDS},
                                               {"or_s", "o_r", CT_UNIT_SECONDS},
                                               {"or_expected_s", "o_r expected", CT_UNIT_SECONDS},
                                               {"g_s", "g", CT_UNIT_SECONDS},
                                               {"g_ci_s[]", "95 % from", CT_UNIT_SECONDS},
                                               {"g_ci_s[]", "to", CT_UNIT_SECONDS},
                                               {"rtt_s", "round trip", CT_UNIT_SECONDS},
                                               {"repetitions", "repetitions", CT_UNIT_COUNT}};
    CT_TABLES_BEGIN(tables, "sizes", "Message sizes", columns);
    for (size_t i = 0; i < run->n_logp; i++) {
        const struct ct_logp_row *row = &run->logp[i];
        const double times_s[] = {row->os_s,   row->or_s,   row->or_expected_s, row->g_s,
                                  row->g_lo_s, row->g_hi_s, row->rtt_s};
        CT_CELL_NUMBERS(tables, row->rank_from, row->rank_to);
        ct_tables_cell_text(tables, row->method == CT_LOGP_SATURATION ? "saturation" : "fast");
        ct_tables_cell_number(tables, (double)row->bytes);
        for (size_t t = 0; t < sizeof times_s / sizeof *times_s; t++)
            ct_tables_cell_number(tables, times_s[t]);
        ct_tables_cell_number(tables, (double)row->repetitions);
    }
}

/* The set that `crosstalk tolerance --logp` takes and `crosstalk export --emit` writes. */
static enum ct_status derive_parameters(struct ct_tables *tables, const struct ct_run *run,
                                        struct ct_loggp *loggp_p, struct ct_error *err)
{
    struct ct_logp_curve curve;
    CT_TRY(ct_logp_curve_take(run, &curve, err));
    enum ct_status status = ct_logp_curve_derive(&curve, loggp_p, err);
    if (status == CT_OK && !isnan(loggp_p->L_s.ci.lo))
        ct_tables_provenance(tables, "intervals-of-L-and-G",
                             "%g %%, bootstrap of the repetitions, %zu replicates, seed %llu",
                             100 * curve.resampling.level, curve.resampling.replicates,
                             (unsigned long long)curve.resampling.seed);
    ct_logp_curve_free(&curve);
    return status;
}

static void add_parameters(struct ct_tables *tables, const struct ct_loggp *loggp)
{
    static const struct ct_column columns[] = {{"parameter", "parameter", CT_UNIT_NONE},
                                               {"value_s", "value", CT_UNIT_SECONDS},
                                               {"ci_s[]", "from", CT_UNIT_SECONDS},
                                               {"ci_s[]", "to", CT_UNIT_SECONDS}};
    const struct {
        const char *name;
        struct ct_estimate estimate;
    } rows[] = {{"L", loggp->L_s},
                {"o", loggp->o_s},
                {"g", loggp->g_s},
                {"G per byte", loggp->G_s_per_byte}};
    CT_TABLES_BEGIN(tables, "parameters{}", "Parameters of the first direction, with intervals",
                    columns);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ct_tables_cell_text(tables, rows[i].name);
        CT_CELL_NUMBERS(tables, rows[i].estimate.value, rows[i].estimate.ci.lo,
                        rows[i].estimate.ci.hi);
    }
}

enum { INTERVALS_MAX = 300 }; /* pairs: more take longer than a user wants to wait */

/* Where there is more than one, or a picture is asked for. */
static enum ct_status add_pairs(struct ct_tables *tables, const struct ct_run *run,
                                const char *path, const char *plot_path, struct ct_error *err)
{
    struct ct_logp_links links;
    enum ct_status status = ct_logp_links_take(run, INTERVALS_MAX, &links, err);
    if (status == CT_ENODATA && !plot_path)
        return CT_OK;
    if (status != CT_OK)
        return ct_fail_within(err, status, "%s", path);
    if (links.n > 1)
        ct_measured_pairs_fill(&links, tables);
    if (!links.has_intervals)
        ct_tables_note(tables, "No intervals of more than %d pairs.", INTERVALS_MAX);
    if (plot_path)
        status = ct_measured_pairs_plot(path, run->info.hosts, &links, plot_path, err);
    ct_logp_links_free(&links);
    return status;
}

/* ---- the command ---- */

static void answer_times(struct ct_tables *tables, const struct ct_run_info *info,
                         const struct ct_run_summary *summary)
{
    char median[CT_UNITS_TEXT_MAX], lo[CT_UNITS_TEXT_MAX], hi[CT_UNITS_TEXT_MAX];
    bool is_probe = info->kind == CT_RUN_IMPACT;
    ct_format_words(summary->p50_s, 3, median);
    ct_format_words(is_probe ? summary->p99_s : summary->min_s, 3, lo);
    ct_format_words(summary->max_s, 3, hi);
    if (is_probe)
        ct_tables_answer(tables,
                         "Half of the %.0f probes took at most %s, 99 of 100 at most %s: on the "
                         "network %s%s.",
                         summary->n, median, lo,
                         *info->app || info->has_config ? "beside " : "without other programs",
                         *info->app         ? info->app
                         : info->has_config ? "compressionb"
                                            : "");
    else
        ct_tables_answer(tables, "%s took %s in half of the %.0f rounds (%s to %s)%s%s.",
                         *info->app ? info->app : info->tool, median, summary->n, lo, hi,
                         *info->with ? ", beside " : "", info->with);
}

static void answer_logp(struct ct_tables *tables, const struct ct_loggp *loggp)
{
    char L[CT_UNITS_TEXT_MAX], o[CT_UNITS_TEXT_MAX];
    struct ct_error why;
    if (ct_loggps_demand_G(&loggp->G, &why) != CT_OK) {
        ct_tables_note(tables, "Warning: %s.", why.text);
        return;
    }
    ct_format_words(loggp->L_s.value, 2, L);
    ct_format_words(loggp->o_s.value, 2, o);
    ct_tables_answer(tables,
                     "The network takes %s for a message and a program %s to send it; %.3g MB/s.",
                     L, o, 1e-6 / loggp->G_s_per_byte.value);
}

/* How many of which kind. */
static void answer_list(struct ct_tables *tables, const struct ct_run_list *list, const char *path)
{
    enum { KINDS_MAX = 16 };
    size_t n[KINDS_MAX] = {0};
    char text[300] = "";
    for (size_t i = 0; i < list->n_entries; i++)
        if ((size_t)list->entries[i].info.kind < KINDS_MAX)
            n[list->entries[i].info.kind]++;
    for (size_t k = 0; k < KINDS_MAX; k++)
        if (n[k] > 0) {
            size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, "%s%zu %s", used > 0 ? ", " : "", n[k],
                     ct_run_kind_text((enum ct_run_kind)k));
        }
    ct_tables_answer(tables, "%zu run%s: %s. What they mean: crosstalk report %s.", list->n_entries,
                     list->n_entries == 1 ? "" : "s", text, path);
}

static void add_rows(struct ct_tables *tables, const struct ct_run *run,
                     const struct ct_run_summary *summary, const struct ct_loggp *loggp)
{
    add_totals(tables, run);
    ct_tables_detail(tables, true);
    add_datasets(tables, run);
    ct_tables_detail(tables, false);
    if (run->info.kind == CT_RUN_SCAN)
        return;
    if (run->info.kind != CT_RUN_LOGP) {
        add_summary(tables, run->info.kind, summary);
        answer_times(tables, &run->info, summary);
        return;
    }
    add_parameters(tables, loggp);
    add_logp(tables, run);
    answer_logp(tables, loggp);
}

static enum ct_status show_run(const struct ct_run *run, const char *path,
                               const struct values *values, struct ct_error *err)
{
    struct ct_run_summary summary;
    struct ct_loggp loggp;
    struct ct_tables *tables = ct_tables_new(command.name, (enum ct_format)values->format);
    ct_tables_view(tables, &values->view);
    ct_tables_provenance(tables, "file", "%s", path);
    enum ct_status status = ct_run_summarize(run, &summary, err);
    if (status == CT_OK && run->info.kind == CT_RUN_LOGP)
        status = derive_parameters(tables, run, &loggp, err);
    if (status == CT_OK) {
        add_attributes(tables, &run->info);
        add_rows(tables, run, &summary, &loggp);
        if (run->info.kind == CT_RUN_LOGP)
            status = add_pairs(tables, run, path, values->plot_path, err);
        if (run->info.kind == CT_RUN_IMPACT)
            status = ct_probe_paths_fill(tables, run, err);
        if (run->info.kind == CT_RUN_SCAN)
            status = ct_scan_cells_fill(run, tables, err);
    }
    if (status == CT_OK)
        status = ct_tables_print(tables, stdout, err);
    ct_tables_free(tables);
    return status;
}

static enum ct_status show_list(const struct ct_run_list *list, const char *path,
                                const struct values *values, struct ct_error *err)
{
    struct ct_tables *tables = ct_tables_new(command.name, (enum ct_format)values->format);
    ct_tables_view(tables, &values->view);
    ct_tables_provenance(tables, "path", "%s", path);
    ct_run_table(tables, list, false, err);
    answer_list(tables, list, path);
    return ct_tables_finish(tables, err);
}

static enum ct_status show_constants(const struct values *values, struct ct_error *err)
{
    struct ct_tables *tables = ct_tables_new(command.name, (enum ct_format)values->format);
    ct_tables_view(tables, &values->view);
    ct_constants_table(tables);
    ct_tables_answer(tables, "Where each is from and how good it is: docs/constants.md.");
    return ct_tables_finish(tables, err);
}

/* One of both. */
static enum ct_status check_operands(const struct values *values, const struct ct_arguments *args,
                                     struct ct_error *err)
{
    if (values->constants && args->n_operands > 0)
        return ct_fail(err, CT_EUSAGE, "--constants: '%s' beside it; constants are of no run",
                       args->operands[0]);
    if (!values->constants && args->n_operands == 0)
        return ct_fail(err, CT_EUSAGE, "%s is missing; see %s --help", command.operands,
                       command.name);
    return CT_OK;
}

static enum ct_status show_file(void *given, const struct ct_arguments *args, struct ct_error *err)
{
    const struct values *values = given;
    struct ct_found found;
    CT_TRY(check_operands(values, args, err));
    if (values->constants)
        return show_constants(values, err);
    const char *path = args->operands[0];
    CT_TRY(ct_found_read(path, &found, err));
    if (values->plot_path && (!found.is_run || found.run.info.kind != CT_RUN_LOGP)) {
        ct_found_free(&found);
        return ct_fail(err, CT_EUSAGE, "--plot: %s: no run of logpb", path);
    }
    ct_warn_of_found(command.name, path, &found);
    enum ct_status status = found.is_run ? show_run(&found.run, path, values, err)
                                         : show_list(&found.list, path, values, err);
    ct_found_free(&found);
    return status;
}

int ct_cmd_show(int argc, char **argv)
{
    struct values values = {0};
    return ct_command_main(&command, argc, argv, &values, show_file);
}
