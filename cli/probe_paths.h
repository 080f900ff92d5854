/** Tables of a probe run by path. */
#pragma once

#include "core/table.h"
#include "results/run.h"

/**
 * Latencies by number of switches, and the slowest path with the switches on it; nothing for a run
 * without path classes.
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_probe_paths_fill(struct ct_tables *tables, const struct ct_run *run,
                                   struct ct_error *err);
