#include "cli/scan_answer.h"

#include "study/scan_answers.h"
#include "study/scan_gpcnet.h"
#include "study/scan_words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 2 * CT_SCAN_FACTOR_MAX, APPLICATIONS_MAX = 12, NAME_SHOWN_MAX = 32 };

static void format_cell(const struct ct_scan_row *row, char text[TEXT_MAX])
{
    char mean[CT_SCAN_FACTOR_MAX];
    if (!row) {
        snprintf(text, TEXT_MAX, "-");
        return;
    }
    ct_scan_factor_format(&row->at[CT_SCAN_MEAN], mean);
    snprintf(text, TEXT_MAX, "%.30s (%.3g)", mean, row->at[CT_SCAN_P99].value);
}

/* A line a congestor: enough for a screen. */
static void fill_matrix(const struct ct_scan_sheet *sheet, struct ct_tables *tables)
{
    static const struct ct_column columns[] = {{"congestor", "beside steady", CT_UNIT_NONE},
                                               {"latency", "latency", CT_UNIT_NONE},
                                               {"bandwidth", "bandwidth", CT_UNIT_NONE},
                                               {"allreduce", "allreduce", CT_UNIT_NONE}};
    CT_TABLES_BEGIN(
        tables, NULL,
        "Time of a call beside a load, by that alone: mean, its 95 % interval (99 % quantile)",
        columns);
    for (int k = CT_SCAN_WITH_NONE + 1; k < CT_N_SCAN_CONGESTORS; k++) {
        ct_tables_cell_text(tables, ct_scan_congestor_names[k]);
        for (int i = 0; i < CT_N_SCAN_CANARIES; i++) {
            char text[TEXT_MAX];
            const struct ct_scan_case scan_case = {
                (enum ct_scan_canary)i, {.congestor = (enum ct_scan_congestor)k, .intensity = 1}};
            format_cell(ct_scan_sheet_find(sheet, &scan_case, -1), text);
            ct_tables_cell_text(tables, text);
        }
    }
}

static bool has_canary(const struct ct_scan_sheet *sheet, enum ct_scan_canary canary)
{
    for (size_t i = 0; i < sheet->n_rows; i++)
        if (sheet->rows[i].scan_case.canary == canary)
            return true;
    return false;
}

/* A line a workload. */
static void fill_workloads(const struct ct_scan_sheet *sheet, struct ct_tables *tables)
{
    static const struct ct_column columns[CT_N_SCAN_CONGESTORS] = {
        {"workload", "workload", CT_UNIT_NONE},   {"incast", "incast", CT_UNIT_NONE},
        {"alltoall", "alltoall", CT_UNIT_NONE},   {"broadcast", "broadcast", CT_UNIT_NONE},
        {"bisection", "bisection", CT_UNIT_NONE}, {"allreduce", "allreduce", CT_UNIT_NONE}};
    bool is_begun = false;
    for (int i = CT_N_SCAN_CANARIES; i < CT_N_SCAN_MEASURED; i++) {
        if (!has_canary(sheet, (enum ct_scan_canary)i))
            continue;
        if (!is_begun)
            CT_TABLES_BEGIN(
                tables, NULL,
                "Time of a workload beside a steady congestor, by that alone: mean, its "
                "95 % interval",
                columns);
        is_begun = true;
        ct_tables_cell_text(tables, ct_scan_canary_names[i]);
        for (int k = CT_SCAN_WITH_NONE + 1; k < CT_N_SCAN_CONGESTORS; k++) {
            char text[CT_SCAN_FACTOR_MAX] = "-";
            const struct ct_scan_case scan_case = {
                (enum ct_scan_canary)i, {.congestor = (enum ct_scan_congestor)k, .intensity = 1}};
            const struct ct_scan_row *row = ct_scan_sheet_find(sheet, &scan_case, -1);
            if (row)
                ct_scan_factor_format(&row->at[CT_SCAN_MEAN], text);
            ct_tables_cell_text(tables, text);
        }
    }
}

static void fill_rows(const struct ct_scan_sheet *sheet, struct ct_tables *tables)
{
    static const struct ct_column columns[] = {
        {"cell", "cell", CT_UNIT_NONE},        {"path_class", "switches", CT_UNIT_COUNT},
        {"n_rounds", "rounds", CT_UNIT_COUNT}, {"mean", "mean", CT_UNIT_NONE},
        {"mean_lo", "from", CT_UNIT_NONE},     {"mean_hi", "to", CT_UNIT_NONE},
        {"median", "median", CT_UNIT_NONE},    {"median_lo", "from", CT_UNIT_NONE},
        {"median_hi", "to", CT_UNIT_NONE},     {"p99", "99 %", CT_UNIT_NONE},
        {"p99_lo", "from", CT_UNIT_NONE},      {"p99_hi", "to", CT_UNIT_NONE}};
    ct_tables_detail(tables, true);
    CT_TABLES_BEGIN(tables, "factors", "Every cell, factors", columns);
    for (size_t i = 0; i < sheet->n_rows; i++) {
        const struct ct_scan_row *row = &sheet->rows[i];
        char text[CT_SCAN_TEXT_MAX];
        if (row->scan_case.setting.congestor == CT_SCAN_WITH_NONE)
            continue;
        ct_scan_case_format(&row->scan_case, text);
        ct_tables_cell_text(tables, text);
        CT_CELL_NUMBERS(tables, row->path_class < 0 ? (double)NAN : (double)row->path_class,
                        (double)row->n_rounds);
        for (int s = 0; s < CT_N_SCAN_STATISTICS; s++)
            CT_CELL_NUMBERS(tables, row->at[s].value, row->at[s].interval.lo,
                            row->at[s].interval.hi);
    }
    ct_tables_detail(tables, false);
}

/* As GPCNeT prints it. */
static void fill_gpcnet(const struct ct_scan *scan, const struct ct_scan_sheet *sheet,
                        struct ct_tables *tables)
{
    static const struct ct_column columns[] = {{"network_test", "network test", CT_UNIT_NONE},
                                               {"unit", "unit", CT_UNIT_NONE},
                                               {"average_alone", "average, alone", CT_UNIT_NONE},
                                               {"average", "beside", CT_UNIT_NONE},
                                               {"average_impact", "impact", CT_UNIT_NONE},
                                               {"p99_alone", "99 %, alone", CT_UNIT_NONE},
                                               {"p99", "beside", CT_UNIT_NONE},
                                               {"p99_impact", "impact", CT_UNIT_NONE}};
    struct ct_scan_gpcnet_row rows[CT_N_SCAN_CANARIES];
    size_t n = ct_scan_gpcnet_make(scan, sheet, rows);
    if (n == 0)
        return;
    ct_tables_detail(tables, true);
    CT_TABLES_BEGIN(tables, "gpcnet", "As GPCNeT defines it, its four congestors at once", columns);
    for (size_t i = 0; i < n; i++) {
        ct_tables_cell_text(tables, rows[i].name);
        ct_tables_cell_text(tables, rows[i].unit);
        CT_CELL_NUMBERS(tables, rows[i].average.alone, rows[i].average.beside,
                        rows[i].average.impact.value, rows[i].p99.alone, rows[i].p99.beside,
                        rows[i].p99.impact.value);
    }
    ct_tables_detail(tables, false);
}

static void fill_seal(const struct ct_scan_seal *seal, struct ct_tables *tables)
{
    static const struct ct_column columns[] = {{"prediction", "sealed prediction", CT_UNIT_NONE},
                                               {"value", "value", CT_UNIT_NONE},
                                               {"lo", "from", CT_UNIT_NONE},
                                               {"hi", "to", CT_UNIT_NONE},
                                               {"measured", "measured", CT_UNIT_NONE},
                                               {"n_rounds", "rounds", CT_UNIT_COUNT},
                                               {"n_inside", "in it", CT_UNIT_COUNT}};
    ct_tables_detail(tables, true);
    CT_TABLES_BEGIN(tables, "sealed", "Predictions that were sealed, and later rounds", columns);
    for (size_t i = 0; i < seal->n; i++) {
        const struct ct_scan_prediction *item = &seal->items[i];
        char text[CT_SCAN_SEAL_LINE];
        ct_scan_prediction_format(item, text);
        ct_tables_cell_text(tables, text);
        CT_CELL_NUMBERS(tables, item->value, item->interval.lo, item->interval.hi, item->measured,
                        (double)item->n_rounds, (double)item->n_inside);
    }
    ct_tables_detail(tables, false);
    CT_TABLES_TEXT(tables, "sealed_sha256", NULL, seal->digest);
}

void ct_scan_answer_fill(const struct ct_scan *scan, const struct ct_scan_sheet *sheet,
                         const struct ct_scan_comparison *comparison,
                         const struct ct_scan_seal *seal, struct ct_tables *tables)
{
    const struct ct_scan_factor *score = &sheet->score.factor;
    struct ct_argv words = {0};
    fill_matrix(sheet, tables);
    fill_workloads(sheet, tables);
    fill_rows(sheet, tables);
    fill_gpcnet(scan, sheet, tables);
    if (seal)
        fill_seal(seal, tables);
    CT_TABLES_NUMBER(tables, "score", NULL, NONE, score->value);
    CT_TABLES_NUMBER(tables, "score_lo", NULL, NONE, score->interval.lo);
    CT_TABLES_NUMBER(tables, "score_hi", NULL, NONE, score->interval.hi);
    ct_scan_words(scan, sheet, comparison, &words);
    if (seal)
        ct_scan_seal_words(seal, &words);
    for (size_t i = 0; i < words.n; i++)
        ct_tables_answer(tables, "%s", words.item[i]);
    ct_argv_free(&words);
}

/* An application a line, beside each steady congestor. */
static void fill_applications(const struct ct_scan_sheet *sheet, struct ct_tables *tables)
{
    static const struct ct_column columns[] = {
        {"application", "application", CT_UNIT_NONE}, {"incast", "incast", CT_UNIT_NONE},
        {"alltoall", "alltoall", CT_UNIT_NONE},       {"broadcast", "broadcast", CT_UNIT_NONE},
        {"bisection", "bisection", CT_UNIT_NONE},     {"allreduce", "allreduce", CT_UNIT_NONE}};
    CT_TABLES_BEGIN(tables, NULL, "How much longer applications take, predicted", columns);
    size_t n = 0;
    for (size_t from = 0, end; from < sheet->n_answers && n < APPLICATIONS_MAX; from = end, n++) {
        end = ct_scan_answers_end(sheet, from);
        char name[NAME_SHOWN_MAX];
        snprintf(name, sizeof name, "%.31s", sheet->answers[from].application);
        ct_tables_cell_text(tables, name);
        for (int k = CT_SCAN_WITH_NONE + 1; k < CT_N_SCAN_CONGESTORS; k++) {
            char text[CT_SCAN_ANSWER_MAX] = "-";
            const struct ct_scan_setting setting = {.congestor = (enum ct_scan_congestor)k,
                                                    .intensity = 1};
            const struct ct_scan_answer *answer =
                ct_scan_answer_find(&sheet->answers[from], end - from, &setting);
            if (answer)
                ct_scan_answer_format(answer, text);
            ct_tables_cell_text(tables, text);
        }
    }
}

static bool has_steady(const struct ct_scan_sheet *sheet)
{
    for (size_t i = 0; i < sheet->n_answers; i++)
        if (ct_scan_is_steady(&sheet->answers[i].setting))
            return true;
    return false;
}

const struct ct_option ct_scan_application_rows[] = {
    {CT_OPTION(STRING, "applications", struct ct_scan_applications, path), .argument = "PATH",
     .help = "predict how much longer applications take beside each congestor: a folder of "
             "applications, of which each is a folder of traces or a file APP.goal or APP.bin; or "
             "one of these"},
    {CT_OPTION(U64, "ranks-per-node", struct ct_scan_applications, ranks_per_node), .initial = "1",
     CT_RANGE(1, UINT32_MAX), .help = "ranks of each application on a node, in blocks"},
    {0}};

enum ct_status ct_scan_applications_read(const struct ct_scan_applications *asked,
                                         struct ct_applications *apps_p, struct ct_error *err)
{
    struct ct_applications apps = {0};
    if (asked->path)
        CT_TRY(ct_applications_read("crosstalk", asked->path, &apps, err));
    *apps_p = apps;
    return CT_OK;
}

enum ct_status ct_scan_applications_make(const struct ct_scan_applications *asked,
                                         const struct ct_applications *apps,
                                         const struct ct_scan *scan, struct ct_scan_sheet *sheet,
                                         struct ct_error *err)
{
    struct ct_scan_program *programs = calloc(apps->n + 1, sizeof *programs);
    if (!programs)
        return ct_no_memory(err, "applications");
    for (size_t i = 0; i < apps->n; i++)
        programs[i] = (struct ct_scan_program){.name = apps->items[i].name,
                                               .goal = &apps->items[i].goal,
                                               .why = apps->items[i].why,
                                               .ranks_per_node = (uint32_t)asked->ranks_per_node};
    enum ct_status status = ct_scan_answers_make(scan, sheet, programs, apps->n, err);
    free(programs);
    return status;
}

void ct_scan_applications_fill(const struct ct_scan_sheet *sheet, struct ct_tables *tables)
{
    struct ct_argv words = {0};
    if (has_steady(sheet))
        fill_applications(sheet, tables);
    ct_scan_applications_words(sheet, &words);
    for (size_t i = 0; i < words.n; i++)
        ct_tables_answer(tables, "%s", words.item[i]);
    ct_argv_free(&words);
}
