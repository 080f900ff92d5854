/**
 * Placements of the jobs of a campaign, which its runs name (CT_RUN_PLACEMENT). What was measured
 * under one says nothing about another, so each is a study of its own.
 */
#pragma once

#include "core/argv.h"
#include "results/run.h"

/**
 * List the placements of runs. Those of scanb have none, and belong to each.
 * @param names_p  [out] each once, in alphabetical order; "": runs without a placement.
 *                       ct_argv_free(); unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_placements_list(const struct ct_run_list *list, struct ct_argv *names_p,
                                  struct ct_error *err);

/** The same for a folder or packed campaign. @return also as ct_run_list_read() */
enum ct_status ct_placements_read(const char *path, struct ct_argv *names_p, struct ct_error *err);

/**
 * Remove the runs of other placements from a list.
 * @param placement  [in]     NULL: nothing is removed, and all runs must have the same placement
 * @param path       [in]     for messages
 * @param list       [in,out] unchanged on error
 * @return CT_OK; CT_EUSAGE (no run has this placement; NULL: runs have several; the message names
 *         them); CT_ENOMEM
 */
enum ct_status ct_placements_select(const char *placement, const char *path,
                                    struct ct_run_list *list, struct ct_error *err);

/** ct_run_list_read(), then ct_placements_select(). */
enum ct_status ct_placements_read_list(const char *path, const char *placement,
                                       struct ct_run_list *list_p, struct ct_error *err);
