/**
 * The folder of a campaign: DIR/campaign.yaml (a copy of the file), DIR/runs/ID.h5 (finished runs),
 * DIR/runs/ID.ports.json (load of the network during the run), DIR/runs/ID.sent.h5 (what
 * compressionb sent during the run), DIR/logs/ID.*.log (output of the programs), DIR/journal.jsonl
 * (campaign/journal.h).
 */
#pragma once

#include "campaign/folder_name.h"
#include "campaign/journal.h"
#include "core/argv.h"
#include "core/file.h"

#include <stdio.h>

#define CT_FOLDER_SENT_ENDING ".sent.h5"

/** An open folder; only one process at a time has it open. */
struct ct_folder {
    const char *path; /**< borrowed */
    int lock;
    int lock_failure; /**< errno: the file system has no locks; 0: it is locked */
    FILE *journal;
    uint64_t seed;          /**< of the campaign, recorded when it was begun */
    struct ct_argv cut_off; /**< runs that an earlier driver was making when it was killed */
};

/**
 * Make the folder of a campaign, or open it to continue.
 * @param path      [in]  borrowed while the folder is open
 * @param file      [in]  the campaign file as it is now
 * @param spec      [in]  the same, read
 * @param folder_p  [out] ct_folder_close() is due; unchanged on error
 * @return CT_OK; CT_EEXIST (another driver has it open; begun with another campaign file, the
 *         message shows the first difference); CT_EIO; CT_ENOMEM
 */
enum ct_status ct_folder_open(const char *path, struct ct_text file,
                              const struct ct_campaign_spec *spec, struct ct_folder *folder_p,
                              struct ct_error *err);
void ct_folder_close(struct ct_folder *folder);

/**
 * Whether a run has a file in runs/ that ct_folder_check_run() accepts.
 * @return CT_OK; CT_ENOENT (there is no file); as ct_folder_check_run()
 */
enum ct_status ct_folder_find_run(const char *folder, const struct ct_campaign_spec *spec,
                                  const struct ct_plan_run *run, struct ct_error *err);

/**
 * Let only one process at a time work in a folder.
 * @param lock_p   [out] close(); unchanged on error
 * @param cause_p  [out] errno: the file system has no locks; 0: it is locked
 * @return CT_OK; CT_EEXIST (another process works in it); CT_EIO
 */
enum ct_status ct_folder_lock(const char *path, int *lock_p, int *cause_p, struct ct_error *err);

/** Whether a driver has the folder open now. */
bool ct_folder_in_use(const char *folder);

/**
 * Check that there is room on the disk for the file of a run, and for the lines of attempts in the
 * journal.
 * @param n_open  [in] attempts that are under way, whose outcome has no line yet
 * @return CT_OK; CT_EIO (the file system is full, or the quota is used up)
 */
enum ct_status ct_folder_reserve(struct ct_folder *folder, size_t n_open, struct ct_error *err);

/**
 * Check that a file is the result of a run: its kind, application, co-runner and configuration, and
 * at least one sample or pass.
 * @return CT_OK; CT_EFORMAT (another kind or application, damaged); CT_ENODATA (no rows); CT_ENOENT
 */
enum ct_status ct_folder_check_run(const char *file, const struct ct_campaign_spec *spec,
                                   const struct ct_plan_run *run, struct ct_error *err);

/**
 * Append to the journal, and flush. After ct_folder_reserve() there is room for two lines, and one
 * for each attempt under way.
 * @return as ct_journal_note()
 */
enum ct_status ct_folder_note(struct ct_folder *folder, const struct ct_attempt *attempt,
                              struct ct_error *err);
