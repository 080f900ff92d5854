/** What may influence a measurement and is no option of the program that makes it. */
#ifndef CT_RESULTS_ENVIRONMENT_H
#define CT_RESULTS_ENVIRONMENT_H

#include "results/run.h"

/**
 * Add the environment of the calling process to a run, as facts:
 *
 *     kernel        "Linux 6.1.0-18-amd64 x86_64"
 *     cpu_governor  "performance", of the first processor
 *     affinity      "0-3,8": processors that the process may run on
 *     env_NAME      variables of MPI libraries and transports: UCX_*, MPICH_*, MPIR_*, OMPI_*,
 *                   I_MPI_*, FI_*
 *
 * What cannot be found out is left out. Characters other than printable ASCII become '?', texts
 * longer than 1000 characters are cut, and of more than 200 variables the rest is left out.
 * @param prefix  [in] in front of every key; "" for a process that measures itself
 * @return CT_OK; CT_ENOMEM (some facts may have been added)
 */
enum ct_status ct_run_add_environment(struct ct_run_info *info, const char *prefix);

#endif
