/**
 * Runs a command with a library of crosstalk loaded into the MPI program that it starts. The
 * dynamic loader adds the library to every process of the command (LD_PRELOAD).
 */
#pragma once

#include "core/mpi_kind.h"
#include "core/status.h"

#include <stddef.h>

/** A library, the places where it is searched for, and the message if it is not found. */
struct ct_preload_library {
    const char *name;             /**< "libcrosstalk-trace.so" */
    const char *variable;         /**< environment: its path, before all others */
    const char *const *relatives; /**< paths from this program's folder; NULL-terminated */
    const char *absent; /**< added to the message that it was not found, " (this crosstalk ...)";
                           may be "" */
};

/** @param path  [out] size bytes @return CT_OK; CT_ENOENT; CT_EIO */
enum ct_status ct_preload_find(const struct ct_preload_library *library, char *path, size_t size,
                               struct ct_error *err);

/**
 * Find the MPI program of a command line, which may start it by `crosstalk lab mpiexec`.
 * @param program_p  [out]
always filled
 */
void ct_preload_program(char *const *argv, struct ct_mpi_program *program_p);

/** Refuse a launcher of another MPI than the program's: under it each rank would be alone, and all
 * of them rank 0. @return CT_OK, also where one of them is unknown; CT_EUSAGE */
enum ct_status ct_preload_check_launcher(const struct ct_mpi_program *program, char *const *argv,
                                         struct ct_error *err);

/** Put a library in front of LD_PRELOAD, of this process and those it starts. @return CT_OK;
 * CT_ENOMEM */
enum ct_status ct_preload_add(const char *path, struct ct_error *err);

/**
 * Run a command and wait for it. SIGINT and SIGQUIT are ignored meanwhile: signals from the
 * terminal reach the command too, which decides when to end. If this process is ended meanwhile,
 * the command gets SIGTERM.
 * @param argv  [in] NULL-terminated; found in PATH
 * @return CT_OK; CT_ENOENT (it cannot be started); CT_EIO; CT_ECHILD (it failed)
 */
enum ct_status ct_preload_run(char *const *argv, struct ct_error *err);
