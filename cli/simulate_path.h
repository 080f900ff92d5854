/* The critical path of a simulated run as tables and as a picture. */
#pragma once

#include "core/table.h"
#include "lp-bridge/goal/goal.h"
#include "simulate/run_path.h"

/* Begin a table of time in calls, which goes on with cells of the parts but compute, and one more.
 * @param by_site  [in] with the place in the program behind the call */
void ct_call_table_begin(struct ct_tables *tables, const char *key, const char *title, bool by_site,
                         struct ct_column last);

/*
 * Tables "path": how much of the path is of each part, and "path_calls": of each call.
 * @param goals, names, paths  [in] [n]
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_run_paths_fill(const struct ct_goal *goals, const char *const *names,
                                 const struct ct_run_path *paths, size_t n,
                                 struct ct_tables *tables, struct ct_error *err);

/*
 * Draw the paths as SVG, one below the other: the parts over time, and the ranks that the path is
 * on.
 * @return CT_OK; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_run_paths_draw(const struct ct_goal *goals, const char *const *names,
                                 const struct ct_run_path *paths, size_t n, const char *file,
                                 struct ct_error *err);
