/* crosstalk scan: MPI calls alone and beside loads, on the nodes of an allocation. */
#include "campaign/constants.h"
#include "campaign/scan_drive.h"
#include "campaign/scan_survey.h"
#include "cli/cli.h"
#include "cli/scan_answer.h"
#include "cli/scan_launcher.h"
#include "core/file.h"
#include "core/option_rows.h"
#include "report/scan_page.h"
#include "study/scan_kit.h"
#include "study/scan_sheet_file.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scan_values {
    struct ct_scan_setup setup;
    struct ct_scan_place place;
    bool yes;
    const char *against, *kit; /* NULL: none */
    struct ct_scan_applications applications;
    int format;
    struct ct_view view;
};

static const struct ct_option scan_options[] = {
    CT_ROW_OUTPUT(struct scan_values, setup.dir, "DIR",
                  "folder of the scan; made if it does not exist. One that is there is continued",
                  .required = true),
    {CT_OPTION(FLAG, "yes", struct scan_values, yes),
     .help = "start the congestors. Without this option the nodes are surveyed with messages of 8 "
             "bytes, and the plan is shown"},
    {CT_OPTION(DURATION, "time", struct scan_values, setup.time_s), .initial = "15min",
     CT_RANGE(1, 1e6), .help = "end when this time is up, the survey counted"},
    {CT_OPTION(FRACTION, "half-width", struct scan_values, setup.half_width_frac), .initial = "5%",
     CT_RANGE(1e-3, 1),
     .help = "end before that when each interval is as narrow: half of it, relative to the factor"},
    {CT_OPTION(STRING, "against", struct scan_values, against), .argument = "OTHER.json",
     .help = "compare with the sheet.json of another scan: what differs beyond the intervals"},
    {CT_OPTION(STRING, "kit", struct scan_values, kit), .argument = "FILE.json",
     .help =
         "measure a workload, too, seal predictions after two rounds, judge them by the others, "
         "and write the sheet "
         "without any name to this file, for others; docs/kit.md lists what is in it"},
    CT_ROW_SEED(struct scan_values, setup.seed,
                "seed of the order of cells and of which nodes measure; of a new scan"),
    {0}};

static const struct ct_option cell_options[] = {
    {CT_OPTION(STRING, "cells", struct scan_values, setup.cells), .argument = "LIST", .initial = "",
     .help =
         "measure only these, separated by blanks: CANARY:CONGESTOR[:BURST/PAUSE][:INTENSITY] as "
         "scanb takes them, such as latency:incast, latency:compression:P=1,M=10,B=100us or "
         "fft:incast, a workload; their "
         "baselines are measured, too. Without "
         "this option as many as the time allows"},
    {CT_OPTION(DURATION, "cell-time", struct scan_values, setup.cell_s), .initial = "1s",
     CT_RANGE(1e-3, 1e4), .help = "how long a canary measures in a cell"},
    {CT_OPTION(SIZE, "message-size", struct scan_values, setup.message_bytes), .initial = "128KiB",
     CT_RANGE(64, 1 << 26),
     .help = "size of a message of the bandwidth canary and of congestors; smaller on slow links"},
    {CT_OPTION(U64, "slots", struct scan_values, setup.slots), .initial = "1", CT_RANGE(1, 10000),
     .help = "ranks on each node"},
    {CT_OPTION(STRING, "topology", struct scan_values, setup.topology), .argument = "FILE|SPEC",
     .initial = "",
     .help =
         "switches of the nodes, as crosstalk topology takes them. Without this option those of "
         "the lab, the simulation or Slurm, else groups of nodes by their latencies"},
    {0}};

static const struct ct_option form_options[] = {
    CT_ROW_FORMAT(struct scan_values, format, "format of the output"),
    CT_ROWS_VIEW(struct scan_values, view),
    {0}};

static const struct ct_option_group groups[] = {
    {"Scan", scan_options, 0},
    {"Cells", cell_options, 0},
    {"Applications beside the loads", ct_scan_application_rows,
     offsetof(struct scan_values, applications)},
    {"Where", ct_scan_place_rows, offsetof(struct scan_values, place)},
    {"Form", form_options, 0},
    {0}};

static const char *const examples[] = {
    "salloc --exclusive --nodes=8 crosstalk scan -o sheet",
    "survey of eight nodes, and the plan: nothing loads the network",
    "salloc --exclusive --nodes=8 crosstalk scan -o sheet --yes",
    "fifteen minutes of canaries and congestors; the same command continues",
    "crosstalk scan -o sheet --hostfile hosts.txt --time 5min --cells 'latency:incast' --yes",
    "by mpiexec: latency beside an incast only",
    "crosstalk scan -o sheet --hostfile hosts.txt --yes --against before/sheet.json",
    "what has changed since another scan: a regression test of the fabric",
    "crosstalk scan -o sheet --hostfile hosts.txt --yes --applications traces",
    "and how much longer each application in the folder traces takes beside each congestor",
    "crosstalk scan -o sheet --hostfile hosts.txt --yes --kit kit.json",
    "with sealed predictions; kit.json is what you may send",
    NULL};

static const char *const see_also[] = {"scanb(1)", "crosstalk(1)", "crosstalk-report(1)",
                                       "crosstalk-lab(1)", NULL};

static const struct ct_command command = {
    .name = "crosstalk scan",
    .summary = "how a fabric behaves under load, in fifteen minutes",
    .description =
        "Measures calls of MPI (canaries: latency, bandwidth, allreduce) alone and beside loads "
        "(congestors: incast, alltoall, broadcast, bisection, allreduce; steady and in bursts), on "
        "four nodes or more. Some nodes measure, the others load the network, mixed over the "
        "switches and drawn anew in each round; cells are in random order, with baselines between "
        "them.\n\n"
        "Congestors take as much of the network as they can get, from every job on these switches: "
        "they start with --yes only. Run them in a reservation.\n\n"
        "Rounds are made until each interval is as narrow as --half-width, or --time is up, which "
        "is said at the end; then the sheet, which is also DIR/sheet.html and DIR/sheet.json; "
        "with --applications it has predicted slowdowns of applications, too, which "
        "crosstalk-report(1) adds to a scan that has ended. "
        "SIGINT and "
        "SIGTERM end everything within 2 s. What was measured "
        "stays, "
        "and the same command continues.",
    .groups = groups,
    .examples = examples,
    .see_also = see_also};

/* ---- plan ---- */

static size_t count_switches(const struct ct_scan *scan)
{
    size_t n = 0;
    for (size_t i = 0; i < scan->n_nodes; i++) {
        bool is_first = scan->nodes[i].switch_name != NULL;
        for (size_t k = 0; k < i && is_first; k++)
            is_first = !scan->nodes[k].switch_name ||
                       strcmp(scan->nodes[k].switch_name, scan->nodes[i].switch_name) != 0;
        n += is_first;
    }
    return n;
}

static void answer_nodes(const struct ct_scan_drive *drive, struct ct_tables *tables)
{
    const struct ct_scan *scan = &drive->scan;
    size_t n_switches = count_switches(scan), n_canaries = ct_scan_plan_canaries(scan->n_nodes);
    CT_TABLES_NUMBER(tables, "n_nodes", "nodes", COUNT, (double)scan->n_nodes);
    CT_TABLES_NUMBER(tables, "n_canaries", "nodes that measure", COUNT, (double)n_canaries);
    CT_TABLES_NUMBER(tables, "n_switches", "switches or groups", COUNT,
                     n_switches > 0 ? (double)n_switches : NAN);
    CT_TABLES_TEXT(tables, "switches_of", "known by", scan->asked.switches_of);
}

/* The idle part shows what else is on the network. */
static enum ct_status answer_idle(const struct ct_scan_drive *drive, struct ct_tables *tables,
                                  struct ct_error *err)
{
    struct ct_scan_idle idle;
    enum ct_status status = ct_scan_survey_idle(&drive->scan, &idle, err);
    if (status != CT_OK)
        return status;
    CT_TABLES_NUMBER(tables, "idle_median_s", "idle latency, median", SECONDS, idle.median_s);
    CT_TABLES_NUMBER(tables, "idle_p99_s", "idle latency, 99 %", SECONDS, idle.p99_s);
    double ratio = idle.p99_s / idle.median_s;
    if (!(ratio > ct_campaign_constant(CT_CAMPAIGN_SCAN_IDLE_TAIL)))
        return CT_OK;
    if (idle.wait_frac > ct_campaign_constant(CT_CAMPAIGN_SCAN_IDLE_WAITS))
        ct_tables_note(tables,
                       "The idle network is not quiet: 1 %% of small messages take more than %.3g "
                       "times the median; ranks waited for processors %.2g %% of the time, which "
                       "alone may explain it.",
                       ratio, 100 * idle.wait_frac);
    else
        ct_tables_note(
            tables,
            "The idle network is not quiet: 1 %% of small messages take more than %.3g "
            "times the median. Other jobs seem to be on these switches: they disturb the "
            "scan, and its congestors would disturb them.",
            ratio);
    return CT_OK;
}

static void answer_plan(const struct ct_scan_drive *drive, struct ct_tables *tables)
{
    const struct ct_scan *scan = &drive->scan;
    size_t n_cells = ct_scan_plan_count(scan->cases, scan->n_cases);
    double round_s = ct_scan_plan_round_s(&drive->pace, n_cells);
    double left_s = fmax(0, drive->setup.time_s - drive->used_s),
           n_rounds = floor(left_s / round_s);
    double loaded_s = n_rounds * (double)scan->n_cases * (drive->pace.cell_s + drive->pace.extra_s);
    size_t n_loading = scan->n_nodes - ct_scan_plan_canaries(scan->n_nodes);
    char round[CT_UNITS_TEXT_MAX], left[CT_UNITS_TEXT_MAX], loaded[CT_UNITS_TEXT_MAX];
    ct_format_elapsed(round_s, round);
    ct_format_elapsed(left_s, left);
    ct_format_elapsed(loaded_s, loaded);
    CT_TABLES_NUMBER(tables, "n_cells", "cells beside congestors", COUNT, (double)scan->n_cases);
    if (n_rounds < 1) {
        ct_tables_answer(tables, "The time is used: a larger --time makes more rounds.");
        return;
    }
    if (drive->launcher.row->is_simulated) {
        ct_tables_answer(
            tables,
            "%zu cell%s beside congestors, %zu baselines, in a simulation: the first round tells "
            "how long one takes, and more are made until %s is used.",
            scan->n_cases, scan->n_cases == 1 ? "" : "s", n_cells - scan->n_cases, left);
        return;
    }
    CT_TABLES_NUMBER(tables, "round_s", "a round, about", LONG_SECONDS, round_s);
    CT_TABLES_NUMBER(tables, "n_rounds", "rounds, about", COUNT, n_rounds);
    ct_tables_answer(
        tables,
        "%zu cell%s beside congestors, %zu baselines: a round of about %s, so about %.0f "
        "of them in %s.",
        scan->n_cases, scan->n_cases == 1 ? "" : "s", n_cells - scan->n_cases, round, n_rounds,
        left);
    ct_tables_answer(
        tables,
        "For about %s of it %zu of the %zu nodes send as much as they can, up to the whole "
        "rate of their links: only where nobody else uses these switches.",
        loaded, n_loading, scan->n_nodes);
}

static enum ct_status print_plan(const struct scan_values *values,
                                 const struct ct_scan_drive *drive, struct ct_error *err)
{
    struct ct_tables *tables = ct_tables_new(command.name, (enum ct_format)values->format);
    if (!tables)
        return ct_no_memory(err, "tables");
    ct_tables_parameters(tables, &command, values);
    answer_nodes(drive, tables);
    enum ct_status status = answer_idle(drive, tables, err);
    answer_plan(drive, tables);
    if (!values->yes)
        ct_tables_answer(tables, "%s the congestors: the same command with --yes.",
                         drive->n_rounds > 1 ? "Continue with"
                                             : "Nothing has loaded the network yet. Start");
    if (status == CT_OK)
        status = ct_tables_print(tables, stdout, err);
    fflush(stdout);
    ct_tables_free(tables);
    return status;
}

/* ---- end ---- */

/* What a sheet is made of. */
struct made {
    const struct ct_scan *scan;
    struct ct_scan_sheet sheet;
    struct ct_scan_comparison comparison;
    struct ct_scan_seal seal; /* without a text: nothing is sealed */
    bool is_compared;
};

static enum ct_status print_answer(const struct scan_values *values, const struct made *made,
                                   struct ct_error *err)
{
    struct ct_tables *tables = ct_tables_new(command.name, (enum ct_format)values->format);
    if (!tables)
        return ct_no_memory(err, "tables");
    ct_tables_view(tables, &values->view);
    ct_scan_answer_fill(made->scan, &made->sheet, made->is_compared ? &made->comparison : NULL,
                        made->seal.text ? &made->seal : NULL, tables);
    if (made->sheet.n_answers > 0)
        ct_scan_applications_fill(&made->sheet, tables);
    ct_tables_answer(tables, "As a page: %s/sheet.html.", values->setup.dir);
    if (values->kit)
        ct_tables_answer(tables,
                         "%s has no name of a node, a user or a path: read it, then send "
                         "it. The key of its pseudonyms, %s/kit.salt, stays here.",
                         values->kit, values->setup.dir);
    enum ct_status status = ct_tables_print(tables, stdout, err);
    ct_tables_free(tables);
    return status;
}

static enum ct_status name_output(const struct scan_values *values, const char *name,
                                  char path[PATH_MAX], struct ct_error *err)
{
    if ((size_t)snprintf(path, PATH_MAX, "%s/%s", values->setup.dir, name) >= PATH_MAX)
        return ct_fail(err, CT_EIO, "path is too long: %s", values->setup.dir);
    return CT_OK;
}

static enum ct_status save_sheet(const struct scan_values *values, const struct made *made,
                                 struct ct_error *err)
{
    char path[PATH_MAX], *html = NULL;
    enum ct_status status = name_output(values, CT_SCAN_SHEET_FILE, path, err);
    if (status == CT_OK)
        status = ct_scan_sheet_write(path, made->scan, &made->sheet, err);
    if (status == CT_OK)
        status = ct_scan_page_make(made->scan, &made->sheet,
                                   made->is_compared ? &made->comparison : NULL,
                                   made->seal.text ? &made->seal : NULL, &html, err);
    if (status == CT_OK)
        status = name_output(values, "sheet.html", path, err);
    if (status == CT_OK)
        status = ct_file_save(path, html, strlen(html), err);
    free(html);
    if (status == CT_OK && values->kit)
        status = ct_scan_kit_write(values->setup.dir, values->kit, made->scan, &made->sheet,
                                   &made->seal, err);
    return status;
}

/* What was measured is saved where applications have no answer, too.
 * @param before  [in] NULL: nothing is compared */
static enum ct_status end_with_sheet(const struct scan_values *values, const struct ct_scan *scan,
                                     const struct ct_scan_sheet *before,
                                     const struct ct_applications *apps, struct ct_error *err)
{
    struct made made = {.scan = scan, .is_compared = before != NULL};
    enum ct_status status = ct_scan_sheet_make(scan, &made.sheet, err);
    if (status != CT_OK)
        return status;
    if (before)
        status = ct_scan_compare(&made.sheet, before, &made.comparison, err);
    if (status == CT_OK)
        status = ct_scan_seal_judge(values->setup.dir, scan, &made.seal, err);
    if (status == CT_OK && values->applications.path) {
        status = ct_scan_applications_make(&values->applications, apps, scan, &made.sheet, err);
        if (status != CT_OK)
            (void)save_sheet(values, &made, NULL);
    }
    if (status == CT_OK)
        status = save_sheet(values, &made, err);
    if (status == CT_OK)
        status = print_answer(values, &made, err);
    free(made.comparison.changes);
    ct_scan_sheet_free(&made.sheet);
    ct_scan_seal_free(&made.seal);
    return status;
}

/* Rounds, at most so many in the folder. */
static enum ct_status continue_scan(const struct scan_values *values, struct ct_scan_drive *drive,
                                    size_t n_most, struct ct_scan_end *end_p, struct ct_error *err)
{
    enum ct_status status = ct_scan_continue(drive, n_most, end_p, err);
    if (status == CT_EINTR)
        return ct_fail(err, status,
                       "interrupted after %zu rounds; what they measured is in %s, and the same "
                       "command continues",
                       end_p->n_rounds, values->setup.dir);
    return status;
}

/* Predictions are made of the first rounds, or of those that are there. Once sealed, they stay.
 * @param n_made_p  [out] rounds of this call */
static enum ct_status seal_predictions(const struct scan_values *values,
                                       struct ct_scan_drive *drive, size_t *n_made_p,
                                       struct ct_error *err)
{
    const char *dir = values->setup.dir;
    struct ct_scan_seal seal = {0};
    struct ct_scan_end end = {0};
    enum ct_status status = ct_scan_seal_judge(dir, &drive->scan, &seal, err);
    if (status == CT_OK && !seal.text) {
        status = continue_scan(values, drive, CT_SCAN_SEAL_ROUNDS + 1, &end, err); /* and survey */
        if (status == CT_OK)
            status = ct_scan_seal_make(dir, &drive->scan, err);
        if (status == CT_OK)
            status = ct_scan_seal_judge(dir, &drive->scan, &seal, err);
    }
    if (status == CT_OK && values->format == CT_FORMAT_TABLE)
        printf("%zu predictions are sealed: %s/%s, SHA-256\n%s\n", seal.n, dir, CT_SCAN_SEAL_FILE,
               seal.digest);
    fflush(stdout);
    ct_scan_seal_free(&seal);
    *n_made_p = end.n_made;
    return status;
}

static enum ct_status make_rounds(const struct scan_values *values, struct ct_scan_drive *drive,
                                  struct ct_error *err)
{
    struct ct_scan_end end;
    size_t n_made = 0;
    enum ct_status status = values->kit ? seal_predictions(values, drive, &n_made, err) : CT_OK;
    if (status == CT_OK)
        status = continue_scan(values, drive, SIZE_MAX, &end, err);
    if (status != CT_OK)
        return status;
    if (values->format == CT_FORMAT_TABLE)
        printf("%zu round%s, %zu of them now: %s.\n", end.n_rounds, end.n_rounds == 1 ? "" : "s",
               n_made + end.n_made, end.reason);
    if (values->format == CT_FORMAT_TABLE && end.n_rounds < CT_SCAN_ROUNDS_MIN) /* and survey */
        printf("Intervals are made of two rounds beside congestors: the same command with more "
               "--time continues.\n");
    return CT_OK;
}

/* What cannot be read or written is said before anything is measured.
 * @param before  [out] with --against; ct_scan_sheet_free(), also on error */
static enum ct_status read_inputs(const struct scan_values *values, struct ct_scan_sheet *before,
                                  struct ct_applications *apps, struct ct_error *err)
{
    enum ct_status status =
        values->against ? ct_scan_sheet_read(values->against, before, err) : CT_OK;
    if (status != CT_OK)
        return ct_fail_within(err, status, "--against");
    if (values->kit)
        status = ct_file_check_target(values->kit, CT_FILE_REGULAR, err);
    if (status != CT_OK)
        return ct_fail_within(err, status, "--kit");
    return ct_scan_applications_read(&values->applications, apps, err);
}

static enum ct_status run_scan(void *settings, const struct ct_arguments *args,
                               struct ct_error *err)
{
    const struct scan_values *values = settings;
    struct ct_log log = ct_log_open(command.name, values->view.quiet);
    struct ct_scan_launcher launcher;
    struct ct_scan_drive drive;
    (void)args;
    struct ct_scan_sheet before = {0};
    struct ct_applications apps = {0};
    enum ct_status status = read_inputs(values, &before, &apps, err);
    if (status == CT_OK)
        status = ct_scan_launcher_make(&values->place, &launcher, err);
    if (status != CT_OK) {
        ct_scan_sheet_free(&before);
        ct_applications_free(&apps);
        return status;
    }
    struct ct_scan_setup setup = values->setup;
    setup.has_workloads = values->kit != NULL; /* whose slowdown is sealed */
    status = ct_scan_begin(&setup, &launcher.spec, &log, &drive, err);
    if (status == CT_OK) {
        if (!values->yes || values->format == CT_FORMAT_TABLE) /* one document */
            status = print_plan(values, &drive, err);
        if (status == CT_OK && values->yes)
            status = make_rounds(values, &drive, err);
        if (status == CT_OK && values->yes)
            status =
                end_with_sheet(values, &drive.scan, values->against ? &before : NULL, &apps, err);
        ct_scan_close(&drive);
    }
    ct_scan_launcher_free(&launcher);
    ct_scan_sheet_free(&before);
    ct_applications_free(&apps);
    return status;
}

int ct_cmd_scan(int argc, char **argv)
{
    struct scan_values values = {.place.uplink_bit_per_s = NAN};
    return ct_command_main(&command, argc, argv, &values, run_scan);
}
