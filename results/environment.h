/** What may influence a measurement and is no option of the program that makes it. */
#ifndef CT_RESULTS_ENVIRONMENT_H
#define CT_RESULTS_ENVIRONMENT_H

#include "results/run.h"

/**
 * Add the environment of the calling process to a run, as facts:
 *
 *     kernel           "Linux 6.1.0-18-amd64 x86_64"
 *     cpu_governor     "performance", of the first processor
 *     affinity         "0-3,8": processors that the process may run on
 *     network_devices  "eth0 ib0 mlx5_0": interfaces that are up, without loopback, then RDMA
 * devices env_NAME         variables of MPI libraries and transports: UCX_*, FI_*, PSM*_*, HFI_*,
 * MPICH_*, MPIR_*, MV2_*, MVP_*, I_MPI_*, OMPI_*, PMIX_MCA_*, PRTE_MCA_*, HCOLL_*, SLINGSHOT_*,
 * IBV_*, RDMAV_*
 *
 * What cannot be found out is left out. Characters other than printable ASCII become '?', texts
 * longer than 1000 characters are cut, and of more than 200 variables the rest is left out, those
 * that ct_environment_is_network() knows last.
 * @param prefix  [in] in front of every key; "" for a process that measures itself
 * @return CT_OK; CT_ENOMEM (some facts may have been added)
 */
enum ct_status ct_run_add_environment(struct ct_run_info *info, const char *prefix);

/** Key of the fact that every process adds: a run with it has recorded its variables. */
#define CT_ENVIRONMENT_KERNEL "kernel"
#define CT_ENVIRONMENT_VARIABLE "env_"

/**
 * Whether a variable chooses network cards, transports or protocols, such as UCX_NET_DEVICES,
 * FI_PROVIDER, OMPI_MCA_btl_tcp_if_include, MPIR_CVAR_CH4_NETMOD: runs that differ in it measured
 * different networks. What only changes messages (logging, warnings) does not count.
 * @param name  [in] of the variable, without CT_ENVIRONMENT_VARIABLE
 */
bool ct_environment_is_network(const char *name);

#endif
