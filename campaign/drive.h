/** All runs of a campaign, one after the other, or several simulations at once; resumable. */
#pragma once

#include "campaign/folder.h"
#include "core/log.h"

struct ct_drive_options {
    bool leaves_out_co_runs; /**< end before the runs of several applications, so that these can be
                                predicted first */
    uint64_t jobs;           /**< runs at once, as ct_jobs_number() takes it */
};

struct ct_drive_result {
    size_t n_runs;
    size_t n_found;   /**< had a finished file before */
    size_t n_made;    /**< finished in this call */
    size_t n_retried; /**< attempts that failed and were repeated */
    size_t n_failed;  /**< runs without a file after all attempts */
};

/**
 * Make every run that has no finished file in the folder. Runs that fail are tried again, reported
 * with their names, noted in the journal, and skipped. SIGINT and SIGTERM end the runs under
 * way and return.
 *
 * The handlers of these signals are not restored: call it once, last.
 * @param path      [in]  folder, made if it does not exist
 * @param file      [in]  the campaign file
 * @param spec      [in]  the same, read
 * @param result_p  [out] counts up to the end or the error
 * @return CT_OK (also if runs failed); CT_EINTR (a signal came); CT_EINVAL (ct_jobs_number());
 *         CT_EEXIST (see ct_folder_open(); a run that sealed predictions in the folder are based on
 * has changed); an error of the launcher; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_drive(const char *path, struct ct_text file, const struct ct_campaign_spec *spec,
                        const struct ct_drive_options *options, struct ct_log *log,
                        struct ct_drive_result *result_p, struct ct_error *err);
