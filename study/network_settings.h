/** Whether runs that are compared used the network alike. */
#ifndef CT_STUDY_NETWORK_SETTINGS_H
#define CT_STUDY_NETWORK_SETTINGS_H

#include "core/argv.h"
#include "results/run.h"

/**
 * Name what differs among runs though it should not: variables that choose network cards,
 * transports or protocols (ct_environment_is_network()), and the MPI library of the probe runs. A
 * variable that is set in some runs only differs, too.
 *
 * Runs that record no environment, such as those of another tool, are skipped. What the driver
 * of a campaign recorded for programs that write no file is compared with such records only: the
 * ranks themselves may have had more variables.
 * @param notes  [out] a sentence is appended for each difference
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_network_settings_compare(const struct ct_run_list *list, struct ct_argv *notes);

/** Append the keys of facts with such variables of the runs' own ranks, each once. */
void ct_network_settings_list(const struct ct_run_list *list, struct ct_argv *keys);

/** The variable's name in such a key; borrowed. */
const char *ct_network_settings_name(const char *key);

/** The same for two run files. @return CT_OK; CT_ENOMEM; what ct_run_read_info() returns */
enum ct_status ct_network_settings_compare_files(const char *one, const char *other,
                                                 struct ct_argv *notes, struct ct_error *err);

#endif
