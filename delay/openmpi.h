/**
 * Open MPI chooses at run time by what it sends: its component pml/ucx, or another one. What a
 * command says about the choice, and how to tell Open MPI.
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

/** How to choose pml/ucx, for messages. */
#define CT_DELAY_OPENMPI_CHOICE                                                                    \
    "--mca pml ucx --mca osc ucx --mca opal_common_ucx_tls any --mca opal_common_ucx_devices any"

/**
 * Check which components for messages (pml) a command allows.
 * @param argv  [in] a launcher and its words, NULL-terminated: "--mca pml VALUE" is looked for
 * @param pml   [in] of the environment (OMPI_MCA_pml); NULL: not set
 * @return CT_OK, also if nothing is said; CT_EUNSUPPORTED: pml/ucx is not among them
 */
enum ct_status ct_delay_openmpi_check_choice(char *const *argv, const char *pml,
                                             struct ct_error *err);

/**
 * Find the component pml/ucx of an installation.
 * @param library  [in]  path of its libmpi
 * @param path     [out] size bytes
 * @return false: it is at no usual place; it may still be elsewhere, or a part of libmpi
 */
bool ct_delay_openmpi_component(const char *library, char *path, size_t size);

/**
 * Set the environment of a launcher so that Open MPI chooses pml/ucx, over any of UCX's transports,
 * where it says nothing else. @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_delay_openmpi_choose(struct ct_error *err);

/**
 * Have Open MPI's mpiexec pass variables of the environment on to ranks on other machines
 * (OMPI_MCA_mca_base_env_list), as it does by itself with its own variables only. It does not take
 * that together with "-x". So nothing is done if that is among its words, or if the list is set,
 * be it empty.
 * @param argv   [in] of mpiexec, NULL-terminated
 * @param names  [in] NULL-terminated; those that are not set are left out
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_delay_openmpi_pass_on(char *const *argv, const char *const *names,
                                        struct ct_error *err);
