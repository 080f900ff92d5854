#include "bench/scan/scan_print.h"

#include "results/scan_cells.h"

enum ct_status ct_scan_print(const struct ct_scan_side *side, const struct ct_scan_setup *setup,
                             const struct ct_scan_result *result, struct ct_error *err)
{
    const struct ct_bench *bench = side->bench;
    const struct ct_run run = {.scan_cells = result->cells,
                               .n_scan_cells = result->n_cells,
                               .scan_samples = result->samples,
                               .n_scan_samples = result->n_samples};
    struct ct_tables *tables =
        ct_tables_new(bench->command->name, (enum ct_format)bench->options->format);
    if (!tables)
        return ct_no_memory(err, "tables");
    ct_bench_add_provenance(bench, tables);
    ct_tables_answer(tables, "%zu of %zu cells measured, with %d canary nodes of %d.%s",
                     result->n_cells, setup->n_cases, side->n_canary_nodes, bench->layout.n_nodes,
                     result->is_interrupted ? " A signal ended the round." : "");
    enum ct_status status = ct_scan_cells_fill(&run, tables, err);
    if (status == CT_OK)
        status = ct_tables_print(tables, stdout, err);
    ct_tables_free(tables);
    return status;
}
