/** Traces of a campaign's applications: the folders traces/APP, each made by one run. */
#pragma once

#include "core/argv.h"

/**
 * Command line that traces a launcher's command.
 * @param output   [in]  folder for the traces
 * @param command  [in]  command of the launcher; NULL-terminated
 * @param argv_p   [out] {0} before; ct_argv_free() is due
 */
void ct_traces_command(const char *output, char *const *command, struct ct_argv *argv_p);

/**
 * Whether a folder holds the traces of all ranks of one program.
 * @return CT_OK; CT_ENOENT (no folder); CT_ENODATA (traces of ranks are missing); CT_EFORMAT
 *         (damaged); CT_ENOMEM
 */
enum ct_status ct_traces_find(const char *directory, struct ct_error *err);

/**
 * The same, and whether every trace is complete.
 * @return also CT_ENODATA (a trace was cut off)
 */
enum ct_status ct_traces_check(const char *directory, struct ct_error *err);

/** Remove a folder and its files, if it exists. */
void ct_traces_remove(const char *directory);

/**
 * Move a folder to its final place; a folder that is there is removed.
 * @return CT_OK; CT_EIO
 */
enum ct_status ct_traces_keep(const char *from, const char *to, struct ct_error *err);
