#include "results/scan_cells.h"

#include "core/stats.h"
#include "results/scan_setting.h"

#include <math.h>
#include <stdlib.h>

static const struct ct_column columns[] = {
    {"canary", "canary", CT_UNIT_NONE},
    {"congestor", "beside", CT_UNIT_NONE},
    {"n", "times", CT_UNIT_COUNT},
    {"median_s", "median", CT_UNIT_SECONDS},
    {"p99_s", "99 %", CT_UNIT_SECONDS},
    {"congestor_bytes_per_s", "congestors received", CT_UNIT_BYTES_PER_S}};

static size_t sort_cell(const struct ct_run *run, size_t cell, double *sorted_s)
{
    size_t n = 0;
    for (size_t i = 0; i < run->n_scan_samples; i++)
        if (run->scan_samples[i].cell == cell)
            sorted_s[n++] = run->scan_samples[i].value_s;
    ct_stats_sort(sorted_s, n);
    return n;
}

static void add_names(const struct ct_scan_cell_row *cell, struct ct_tables *tables)
{
    char text[CT_SCAN_TEXT_MAX] = "unknown";
    const struct ct_scan_setting setting = {.congestor = (enum ct_scan_congestor)cell->congestor,
                                            .burst_s = cell->burst_s,
                                            .pause_s = cell->pause_s,
                                            .intensity = cell->intensity,
                                            .partners = cell->partners,
                                            .messages = cell->messages};
    if (cell->congestor < CT_N_SCAN_LOADS)
        ct_scan_setting_format(&setting, text);
    ct_tables_cell_text(
        tables, cell->canary < CT_N_SCAN_MEASURED ? ct_scan_canary_names[cell->canary] : "unknown");
    ct_tables_cell_text(tables, text);
}

enum ct_status ct_scan_cells_fill(const struct ct_run *run, struct ct_tables *tables,
                                  struct ct_error *err)
{
    double *sorted_s = malloc((run->n_scan_samples + 1) * sizeof *sorted_s);
    if (!sorted_s)
        return ct_no_memory(err, "cells");
    CT_TABLES_BEGIN(tables, "cells", "Cells", columns);
    for (size_t c = 0; c < run->n_scan_cells; c++) {
        const struct ct_scan_cell_row *cell = &run->scan_cells[c];
        double median_s = NAN, p99_s = NAN;
        size_t n = sort_cell(run, c, sorted_s);
        if (n > 0) {
            ct_stats_quantile(sorted_s, n, 0.5, &median_s);
            ct_stats_quantile(sorted_s, n, 0.99, &p99_s);
        }
        add_names(cell, tables);
        CT_CELL_NUMBERS(tables, (double)n, median_s, p99_s,
                        cell->congestor_s > 0 ? (double)cell->congestor_bytes / cell->congestor_s
                                              : NAN);
    }
    free(sorted_s);
    return CT_OK;
}
