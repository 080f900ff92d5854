/** Traces of a campaign's applications: the folders traces/APP, each made by one run. */
#ifndef CT_CAMPAIGN_TRACES_H
#define CT_CAMPAIGN_TRACES_H

#include "core/argv.h"

/**
 * Command line under which a launcher's command is traced.
 * @param output   [in]  folder for the traces
 * @param command  [in]  what the launcher starts; NULL-terminated
 * @param argv_p   [out] {0} before; ct_argv_free() is due
 */
void ct_traces_command(const char *output, char *const *command, struct ct_argv *argv_p);

/**
 * Whether a folder holds the traces of all ranks of one program.
 * @return CT_OK; CT_ENOENT (no folder); CT_ENODATA, CT_EFORMAT (what is wrong); CT_ENOMEM
 */
enum ct_status ct_traces_find(const char *directory, struct ct_error *err);

/** The same, and that each ended as programs do. @return also CT_ENODATA (one that was cut off) */
enum ct_status ct_traces_check(const char *directory, struct ct_error *err);

/** Remove a folder of files and what is in it, if it is there. */
void ct_traces_remove(const char *directory);

/** Move a folder to where it stays: what is there already goes. @return CT_OK; CT_EIO */
enum ct_status ct_traces_keep(const char *from, const char *to, struct ct_error *err);

#endif
