/**
 * Runs a command whose MPI program receives its messages later. libcrosstalk-delay.so is loaded
 * into every rank, between the MPI and UCX.
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

/** Environment: path of the library, if it is neither beside this program nor installed. */
#define CT_DELAY_LIBRARY_VARIABLE "CROSSTALK_DELAY_LIBRARY"

/** Environment of the library. */
#define CT_DELAY_LATENCY_VARIABLE "CROSSTALK_DELAY_LATENCY" /**< "50us" */
#define CT_DELAY_MATRIX_VARIABLE "CROSSTALK_DELAY_MATRIX"   /**< a file; instead of a latency */
#define CT_DELAY_QUIET_VARIABLE "CROSSTALK_DELAY_QUIET"     /**< "1": warnings and errors only */
#define CT_DELAY_WITHIN_NODES_VARIABLE                                                             \
    "CROSSTALK_DELAY_WITHIN_NODES" /**< "1": messages within a node are delayed too; MPICH sends   \
                                      these by UCX only if MPIR_CVAR_NOLOCAL is 1 */
#define CT_DELAY_RENDEZVOUS_VARIABLE "UCX_RNDV_THRESH" /**< bytes, UCX's own */

/** A command to run. */
struct ct_delay_run {
    char *const *argv;       /**< NULL-terminated; found in PATH */
    double latency_s;        /**< of all messages; unused with a matrix */
    const char *matrix;      /**< a file; NULL: none */
    size_t rendezvous_bytes; /**< messages of that length and longer are sent by rendezvous */
    bool within_nodes;       /**< messages between ranks of a node are delayed too */
    bool quiet;              /**< the library prints warnings and errors only */
};

/**
 * Check a command, without running it. Refused are programs whose MPI does not use UCX, or uses it
 * in an unknown way, Open MPI that is set to send by something else, a launcher of another MPI,
 * and a matrix that cannot be read.
 * @param known_p  [out] whether the program and its MPI were found; false: the library checks this
 *                       in each rank
 * @return CT_OK; CT_EUNSUPPORTED, CT_EUSAGE (see above), CT_ENOENT, CT_EIO, CT_EFORMAT, CT_EINVAL
 */
enum ct_status ct_delay_check(const struct ct_delay_run *run, bool *known_p, struct ct_error *err);

/**
 * Run the command and wait for it. LD_PRELOAD and the library's variables remain set in this
 * process.
 * @return CT_OK; CT_ENOENT (no library); CT_EIO; CT_ENOMEM; CT_ECHILD (the command failed)
 */
enum ct_status ct_delay_run(const struct ct_delay_run *run, struct ct_error *err);
