/** The cells of a round of a scan as a table. */
#pragma once

#include "core/table.h"
#include "results/run.h"

/**
 * A row a cell: canary, congestor, number of times, their median and 99 %, what congestors
 * received.
 * @param run  [in] its scan_cells and scan_samples; rows may have any values
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_scan_cells_fill(const struct ct_run *run, struct ct_tables *tables,
                                  struct ct_error *err);
