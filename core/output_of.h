/** Runs small programs whose output is needed. */
#pragma once

#include "core/status.h"

/**
 * Run a program to its end, without input and without the libraries of LD_PRELOAD, and store its
 * standard output and error. The calling process must not reap children that it does not know.
 * @param argv     [in]  NULL-terminated; argv[0] is looked up in PATH
 * @param limit_s  [in]  after this time, whole seconds, it is ended by SIGALRM; >= 1
 * @param text_p   [out] NUL-terminated, to be freed by the caller; what is printed beyond 1 MiB is
 *                       left out; unchanged on error
 * @param code_p   [out] its exit code, or 128 + number of the signal that ended it; 127: not found,
 *                       126: cannot be run
 * @return CT_OK (whatever its exit code is); CT_EIO; CT_ENOMEM
 */
enum ct_status ct_output_of(char *const *argv, unsigned limit_s, char **text_p, int *code_p,
                            struct ct_error *err);
