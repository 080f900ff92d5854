/** Programs that are started for what they print. */
#ifndef CT_CAMPAIGN_ASK_H
#define CT_CAMPAIGN_ASK_H

#include "campaign/folder.h"
#include "core/argv.h"

/**
 * Run a program to its end and take what it printed, on standard output and error.
 * @param argv      [in]  see ct_process_start(); freed, so that a caller need not look after it
 * @param folder    [in]  of the campaign; the output also stays in logs/launcher.log
 * @param limit_s   [in]  time after which it is killed, seconds
 * @param answer_p  [out] text to be freed by the caller; unchanged on error
 * @return CT_OK; CT_ECHILD (exit code other than 0; the message has its last words); CT_ETIMEOUT;
 *         CT_EINTR (a signal came); CT_ENOENT (no such program); CT_EIO; CT_ENOMEM
 */
enum ct_status ct_ask(struct ct_argv *argv, const char *folder, double limit_s,
                      struct ct_text *answer_p, struct ct_error *err);

#endif
