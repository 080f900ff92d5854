/** Checks whether runs that are compared used the network in the same way. */
#pragma once

#include "core/argv.h"
#include "results/run.h"

/**
 * List settings that differ between runs: variables that choose network cards, transports or
 * protocols (ct_environment_is_network()), the MPI library of the probe runs, and the topology
 * (CT_RUN_TOPOLOGY) of runs that have recorded one. A variable that is set in some of the runs only
 * counts as different.
 *
 * Runs without a recorded environment, such as those of another tool, are ignored. Environments
 * that the driver has recorded, for programs that write no run file, are compared with each other
 * only, since the ranks may have had more variables.
 * @param notes  [out] a sentence is appended for each difference
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_network_settings_compare(const struct ct_run_list *list, struct ct_argv *notes);

/** Note that the models assume one switch, if a run is from a network of several.
 * @param notes  [out] a sentence is appended; failed: out of memory */
void ct_network_settings_note_switches(const struct ct_run_list *list, struct ct_argv *notes);

/** Append the keys of the facts with such variables that ranks have recorded, each once. */
void ct_network_settings_list(const struct ct_run_list *list, struct ct_argv *keys);

/** Name of the variable in such a key; borrowed. */
const char *ct_network_settings_name(const char *key);

/** The same for two run files. @return CT_OK; CT_ENOMEM; what ct_run_read_info() returns */
enum ct_status ct_network_settings_compare_files(const char *one, const char *other,
                                                 struct ct_argv *notes, struct ct_error *err);
