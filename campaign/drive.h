/** All runs of a campaign, one after the other; resumable. */
#ifndef CT_CAMPAIGN_DRIVE_H
#define CT_CAMPAIGN_DRIVE_H

#include "campaign/folder.h"
#include "core/log.h"

struct ct_drive_result {
    size_t n_runs;
    size_t n_found;   /**< finished before */
    size_t n_made;    /**< finished now */
    size_t n_retried; /**< attempts that failed and were repeated */
    size_t n_failed;  /**< runs without a file after all attempts */
};

/**
 * Make every run that has no finished file in the folder. Runs that fail are tried again, reported
 * with their names, noted in the journal, and skipped. SIGINT and SIGTERM end the current run
 * and return.
 *
 * The process's handlers of these signals stay changed: call it once, last.
 * @param path      [in]  folder, is made if need be
 * @param file      [in]  the campaign file
 * @param spec      [in]  the same, read
 * @param result_p  [out] also on error, as far as it came
 * @return CT_OK (also if runs failed); CT_EINTR (a signal came); CT_EEXIST (see ct_folder_open());
 *         an error of the launcher; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_drive(const char *path, struct ct_text file, const struct ct_campaign_spec *spec,
                        struct ct_log *log, struct ct_drive_result *result_p, struct ct_error *err);

#endif
