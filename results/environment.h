/** Records what may influence a measurement, beside the options of the program. */
#pragma once

#include "results/run.h"

/**
 * Add the environment of the calling process to a run, as facts:
 *
 *     kernel           "Linux 6.1.0-18-amd64 x86_64"
 *     cpu_governor     "performance", of the first processor
 *     affinity         "0-3,8": processors that the process may run on
 *     network_devices  "eth0 ib0 mlx5_0": interfaces that are up, but loopback; RDMA devices
 *     env_NAME         variables of MPI libraries and transports
 *
 * The variables are UCX_*, FI_*, PSM*_*, HFI_*, MPICH_*, MPIR_*, MV2_*, MVP_*, I_MPI_*, OMPI_*,
 * PMIX_MCA_*, PRTE_MCA_*, HCOLL_*, SLINGSHOT_*, IBV_* and RDMAV_*, at most 200 of them, those of
 * ct_environment_is_network() first. What cannot be read is left out. Characters other than
 * printable ASCII become '?', and texts are cut after 1000 characters.
 * @param prefix  [in] in front of every key; "" for a process that measures itself
 * @return CT_OK; CT_ENOMEM (some facts may have been added)
 */
enum ct_status ct_run_add_environment(struct ct_run_info *info, const char *prefix);

/**
 * Key of a fact that ct_run_add_environment() always adds: a run with it has recorded its
 * variables.
 */
#define CT_ENVIRONMENT_KERNEL "kernel"
#define CT_ENVIRONMENT_VARIABLE "env_"

/**
 * Whether a variable chooses network cards, transports or protocols, such as UCX_NET_DEVICES,
 * FI_PROVIDER, OMPI_MCA_btl_tcp_if_include, MPIR_CVAR_CH4_NETMOD: runs that differ in such a
 * variable measured different networks. Variables that only change logging or warnings do not
 * count.
 * @param name  [in] of the variable, without CT_ENVIRONMENT_VARIABLE
 */
bool ct_environment_is_network(const char *name);
