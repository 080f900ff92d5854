/** Table of runs, for the page and for show and export. */
#pragma once

#include "core/table.h"
#include "results/run.h"

/**
 * Add the table "runs": attributes of each run and, with with_summaries, its summary, for which
 * every run is read.
 * @return CT_OK; the status of the first run that cannot be read
 */
enum ct_status ct_run_table(struct ct_tables *tables, const struct ct_run_list *list,
                            bool with_summaries, struct ct_error *err);
