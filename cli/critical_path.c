#include "cli/critical_path.h"

#include <stdlib.h>

static const char *const kind_names[CT_VERTEX_KINDS] = {
    [CT_VERTEX_CALC] = "calc",      [CT_VERTEX_SEND] = "send",     [CT_VERTEX_RECV] = "recv",
    [CT_VERTEX_LEAVING] = "leaves", [CT_VERTEX_STEP] = "data",     [CT_VERTEX_STEP + 1] = "taken",
    [CT_VERTEX_STEP + 2] = "end",   [CT_VERTEX_STEP + 3] = "taken"};

static void fill_shares(struct ct_tables *tables, const struct ct_path *path, uint32_t n_ranks,
                        double (*parts)[CT_PATH_PARTS])
{
    static const struct ct_column columns[] = {
        {"rank", "rank", CT_UNIT_COUNT},          {"time_s", "time", CT_UNIT_SECONDS},
        {"compute", "compute", CT_UNIT_FRACTION}, {"overhead", "overhead", CT_UNIT_FRACTION},
        {"latency", "latency", CT_UNIT_FRACTION}, {"bandwidth", "bandwidth", CT_UNIT_FRACTION}};
    ct_path_share(path, n_ranks, parts);
    CT_TABLES_BEGIN(tables, "critical_path_ranks", "Critical path: share of T, by rank", columns);
    for (uint32_t rank = 0; rank < n_ranks; rank++) {
        double sum_ns = 0;
        for (size_t part = 0; part < CT_PATH_PARTS; part++)
            sum_ns += parts[rank][part];
        if (sum_ns == 0)
            continue;
        CT_CELL_NUMBERS(tables, rank, sum_ns * 1e-9);
        for (size_t part = 0; part < CT_PATH_PARTS; part++)
            ct_tables_cell_number(tables, parts[rank][part] / path->runtime_ns);
    }
}

static void fill_steps(struct ct_tables *tables, const struct ct_path *path)
{
    static const struct ct_column columns[] = {{"rank", "rank", CT_UNIT_COUNT},
                                               {"operation", "operation", CT_UNIT_COUNT},
                                               {"kind", "kind", CT_UNIT_NONE},
                                               {"bytes", "size", CT_UNIT_BYTES},
                                               {"time_s", "at", CT_UNIT_SECONDS},
                                               {"compute_s", "compute", CT_UNIT_SECONDS},
                                               {"overhead_s", "overhead", CT_UNIT_SECONDS},
                                               {"latency_s", "latency", CT_UNIT_SECONDS},
                                               {"bandwidth_s", "bandwidth", CT_UNIT_SECONDS}};
    CT_TABLES_BEGIN(tables, "critical_path",
                    "Critical path: operations (numbered within a rank, from 1)", columns);
    for (size_t i = 0; i < path->n; i++) {
        const struct ct_path_step *step = &path->steps[i];
        CT_CELL_NUMBERS(tables, step->rank, step->operation + 1.0);
        ct_tables_cell_text(tables, kind_names[step->kind]);
        CT_CELL_NUMBERS(tables, step->kind == CT_VERTEX_CALC ? 0 : (double)step->amount,
                        step->time_ns * 1e-9);
        for (size_t part = 0; part < CT_PATH_PARTS; part++)
            ct_tables_cell_number(tables, step->part_ns[part] * 1e-9);
    }
}

enum ct_status ct_critical_path_fill(struct ct_tables *tables, const struct ct_graph *graph,
                                     const struct ct_loggps *at, struct ct_error *err)
{
    struct ct_path path;
    CT_TRY(ct_path_find(graph, at, &path, err));
    double(*parts)[CT_PATH_PARTS] = malloc((graph->n_ranks + (size_t)1) * sizeof *parts);
    if (parts) {
        fill_shares(tables, &path, graph->n_ranks, parts);
        fill_steps(tables, &path);
    }
    enum ct_status status = parts ? CT_OK : ct_no_memory(err, "critical path");
    free(parts);
    ct_path_free(&path);
    return status;
}
