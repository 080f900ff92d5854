/** Runs programs of a campaign whose output is needed. */
#pragma once

#include "campaign/folder.h"
#include "core/argv.h"

/**
 * Run a program to its end and take what it printed on standard output. Standard error has
 * warnings of the system's, too.
 * @param argv      [in]  see ct_process_start(); freed by this function
 * @param folder    [in]  of the campaign; both stay in logs/launcher.out and launcher.log
 * @param limit_s   [in]  time after which it is killed, seconds
 * @param answer_p  [out] text to be freed by the caller; unchanged on error
 * @return CT_OK; CT_ECHILD (exit code other than 0; the message has the last lines of either);
 *         CT_ETIMEOUT; CT_EINTR (a signal came); CT_ENOENT (no such program); CT_EIO; CT_ENOMEM
 */
enum ct_status ct_ask(struct ct_argv *argv, const char *folder, double limit_s,
                      struct ct_text *answer_p, struct ct_error *err);
