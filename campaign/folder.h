/**
 * The folder of a campaign: DIR/campaign.yaml (a copy of the file), DIR/runs/ID.h5 (finished runs),
 * DIR/runs/ID.ports.json (load of the network meanwhile), DIR/runs/ID.sent.h5 (what compressionb
 * sent meanwhile), DIR/logs/ID.*.log (what the programs printed), DIR/journal.jsonl
 * (campaign/journal.h).
 */
#ifndef CT_CAMPAIGN_FOLDER_H
#define CT_CAMPAIGN_FOLDER_H

#include "campaign/folder_name.h"
#include "campaign/journal.h"
#include "core/file.h"

#include <stdio.h>

#define CT_FOLDER_SENT_ENDING ".sent.h5"
/** Of the folder with the traces of an application's longer form, after its name. */
#define CT_FOLDER_LONGER_ENDING ".longer"

/** An open folder; only one process at a time has it open. */
struct ct_folder {
    const char *path; /**< borrowed */
    int lock;
    FILE *journal;
    uint64_t seed;                /**< of this campaign, recorded when it was begun */
    char cut_off[CT_PLAN_ID_MAX]; /**< the run that a driver before was making when it was killed */
};

/**
 * Make the folder of a campaign, or open it to go on.
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
 * Whether a run has its file in runs/, readable and of the right sort.
 * @return CT_OK; CT_ENOENT (none is there); else what is wrong with the one that is
 */
enum ct_status ct_folder_find_run(const char *folder, const struct ct_campaign_spec *spec,
                                  const struct ct_plan_run *run, struct ct_error *err);

/** Whether a driver works in it at this moment. */
bool ct_folder_in_use(const char *folder);

/**
 * Make sure that a run has room for its file, and the journal for its outcome.
 * @return CT_OK; CT_EIO (the file system is full, or the quota is used up)
 */
enum ct_status ct_folder_reserve(struct ct_folder *folder, struct ct_error *err);

/**
 * Check that a file is what a run is to bring: its kind, application, co-runner and configuration,
 * and at least one sample or pass.
 * @return CT_OK; CT_EFORMAT, CT_ENODATA with what is wrong; CT_ENOENT
 */
enum ct_status ct_folder_check_run(const char *file, const struct ct_campaign_spec *spec,
                                   const struct ct_plan_run *run, struct ct_error *err);

/** Append to the journal, and flush. After ct_folder_reserve() there is room for two lines. */
enum ct_status ct_folder_note(struct ct_folder *folder, const struct ct_attempt *attempt,
                              struct ct_error *err);

#endif
