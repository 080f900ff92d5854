/**
 * Runs a command with the tracer loaded into the MPI program that it starts.
 *
 * The tracer is the library libcrosstalk-trace.so. The dynamic loader adds it to every process of
 * the command (LD_PRELOAD); it takes the folder of the traces from CROSSTALK_TRACE_DIR.
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>

/** Environment: path of the tracer, if it is neither beside this program nor installed. */
#define CT_TRACE_LIBRARY_VARIABLE "CROSSTALK_TRACE_LIBRARY"

/** A command to record. */
struct ct_trace_recording {
    char *const *argv;     /**< NULL-terminated; found in PATH */
    const char *directory; /**< for the traces; made if it does not exist */
    bool by_processor;     /**< the time between calls is the thread's processor time */
    bool call_sites;       /**< record from which places of the program calls come */
};

/**
 * Run a command and wait for it. SIGINT and SIGQUIT are ignored meanwhile: those from the terminal
 * reach the command too. LD_PRELOAD, CROSSTALK_TRACE_DIR, CROSSTALK_TRACE_COMPUTE and
 * CROSSTALK_TRACE_CALL_SITES stay set in this process.
 *
 * Refused before anything is started: a program whose MPI is not the tracer's, a launcher of
 * another MPI than the program's, a folder with traces in it.
 * @param ran_p  [out] whether the command was started: then there may be traces even on error
 * @return CT_OK (there are traces); CT_ENOENT (no tracer), CT_EUNSUPPORTED, CT_EUSAGE, CT_EEXIST
 *         (see above), CT_EIO; after the run CT_ECHILD (the command failed), CT_ENODATA (rank 0
 *         wrote no trace)
 */
enum ct_status ct_trace_record(const struct ct_trace_recording *recording, bool *ran_p,
                               struct ct_error *err);
