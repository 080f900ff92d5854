/** Tables of the critical path: its operations, and the parts of each rank's time on it. */
#pragma once

#include "core/table.h"
#include "lp-bridge/envelope/path.h"

enum ct_status ct_critical_path_fill(struct ct_tables *tables, const struct ct_graph *graph,
                                     const struct ct_loggps *at, struct ct_error *err);
