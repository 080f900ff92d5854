#include "bench/scan/scan_print.h"

#include "core/stats.h"

#include <math.h>
#include <stdlib.h>

static const struct ct_column columns[] = {
    {"canary", "canary", CT_UNIT_NONE},
    {"congestor", "beside", CT_UNIT_NONE},
    {"n", "times", CT_UNIT_COUNT},
    {"median_s", "median", CT_UNIT_SECONDS},
    {"p99_s", "99 %", CT_UNIT_SECONDS},
    {"congestor_bytes_per_s", "congestors received", CT_UNIT_BYTES_PER_S}};

/* Samples are ordered by cell. @param sorted_s  [out] room for all samples */
static size_t sort_cell(const struct ct_scan_result *result, size_t cell, size_t *next_p,
                        double *sorted_s)
{
    size_t n = 0;
    while (*next_p < result->n_samples && result->samples[*next_p].cell == cell)
        sorted_s[n++] = result->samples[(*next_p)++].value_s;
    ct_stats_sort(sorted_s, n);
    return n;
}

static void fill_cells(const struct ct_scan_result *result, double *sorted_s,
                       struct ct_tables *tables)
{
    size_t next = 0;
    CT_TABLES_BEGIN(tables, "cells", "Cells", columns);
    for (size_t c = 0; c < result->n_cells; c++) {
        const struct ct_scan_cell_row *cell = &result->cells[c];
        const struct ct_scan_setting setting = {(enum ct_scan_congestor)cell->congestor,
                                                cell->burst_s, cell->pause_s, cell->intensity};
        char text[CT_SCAN_TEXT_MAX];
        double median_s = NAN, p99_s = NAN;
        size_t n = sort_cell(result, c, &next, sorted_s);
        if (n > 0) {
            ct_stats_quantile(sorted_s, n, 0.5, &median_s);
            ct_stats_quantile(sorted_s, n, 0.99, &p99_s);
        }
        ct_scan_setting_format(&setting, text);
        ct_tables_cell_text(tables, ct_scan_canary_names[cell->canary]);
        ct_tables_cell_text(tables, text);
        CT_CELL_NUMBERS(tables, (double)n, median_s, p99_s,
                        cell->congestor_s > 0 ? (double)cell->congestor_bytes / cell->congestor_s
                                              : NAN);
    }
}

enum ct_status ct_scan_print(const struct ct_scan_side *side, const struct ct_scan_setup *setup,
                             const struct ct_scan_result *result, struct ct_error *err)
{
    const struct ct_bench *bench = side->bench;
    struct ct_tables *tables =
        ct_tables_new(bench->command->name, (enum ct_format)bench->options->format);
    double *sorted_s = calloc(result->n_samples + 1, sizeof *sorted_s);
    enum ct_status status = CT_OK;
    if (tables && sorted_s) {
        ct_bench_add_provenance(bench, tables);
        ct_tables_answer(tables, "%zu of %zu cells measured, with %d canary nodes of %d.%s",
                         result->n_cells, setup->n_cases, side->n_canary_nodes,
                         bench->layout.n_nodes,
                         result->is_interrupted ? " A signal ended the round." : "");
        fill_cells(result, sorted_s, tables);
        status = ct_tables_print(tables, stdout, err);
    } else {
        status = ct_no_memory(err, "tables");
    }
    free(sorted_s);
    ct_tables_free(tables);
    return status;
}
