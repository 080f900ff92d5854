/**
 * The folder of a campaign: DIR/campaign.yaml (a copy of the file), DIR/runs/ID.h5 (finished runs),
 * DIR/runs/ID.ports.json (load of the network meanwhile), DIR/runs/ID.sent.h5 (what compressionb
 * sent meanwhile), DIR/logs/ID.*.log (what the programs printed), DIR/journal.jsonl (what was
 * tried, one JSON object a line).
 */
#ifndef CT_CAMPAIGN_FOLDER_H
#define CT_CAMPAIGN_FOLDER_H

#include "campaign/plan.h"
#include "core/file.h"

#include <limits.h>
#include <stdio.h>

#define CT_FOLDER_SENT_ENDING ".sent.h5"

/** An open folder; only one process at a time has it open. */
struct ct_folder {
    const char *path; /**< borrowed */
    int lock;
    FILE *journal;
    uint64_t seed;                /**< of this campaign, recorded when it was begun */
    char cut_off[CT_PLAN_ID_MAX]; /**< the run that a driver before was making when it was killed */
};

enum ct_outcome {
    CT_OUTCOME_BEGUN, /**< and nothing more is known; see ct_folder_in_use() */
    CT_OUTCOME_DONE,
    CT_OUTCOME_FAILED,
    CT_OUTCOME_INTERRUPTED,
    CT_OUTCOME_SPOILT /**< its file was there, but not any more what was written */
};
const char *ct_outcome_text(enum ct_outcome outcome);
/** Why an attempt has no outcome that no driver is working at. */
extern const char ct_outcome_cut_off[];

/** One attempt at a run, as the journal has it. */
struct ct_attempt {
    char id[CT_PLAN_ID_MAX];
    uint64_t number; /**< 1, 2, ... since the driver was started */
    char started_utc[32];
    double duration_s;
    enum ct_outcome outcome;
    char reason[600]; /**< "" for one that is begun or done */
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

/** "PATH/runs/ID.h5" and the like. @return CT_OK; CT_EINVAL (too long) */
enum ct_status ct_folder_name(const char *folder, const char *below, const char *id,
                              const char *ending, char name[PATH_MAX], struct ct_error *err);

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

/**
 * Append a warning about the whole campaign to its journal, for those who read the results later.
 * @param path  [in] of the folder; nothing happens where it has no journal
 * @return CT_OK; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_folder_warn(const char *path, const char *text, struct ct_error *err);

/** What a folder tells without opening it. */
struct ct_history {
    uint64_t seed;
    struct ct_attempt *attempts; /**< in the order of the journal */
    size_t n_attempts;
    char **warnings; /**< each once; owned */
    size_t n_warnings;
};
/**
 * Read the journal. Lines that are no JSON (cut by a crash) are passed over; an attempt that was
 * begun and has an outcome is one attempt.
 * @param history_p  [out] ct_history_free() is due
 * @return CT_OK; CT_ENOENT (no journal); CT_EFORMAT (no seed in it); CT_ENOMEM; CT_EIO
 */
enum ct_status ct_history_read(const char *folder, struct ct_history *history_p,
                               struct ct_error *err);

/**
 * The same of a text.
 * @param text  [in,out] NUL-terminated; cut into its lines
 * @param name  [in]     where it is from, for messages
 * @return CT_OK; CT_EFORMAT (no seed in it); CT_ENOMEM
 */
enum ct_status ct_history_parse(char *text, const char *name, struct ct_history *history_p,
                                struct ct_error *err);
void ct_history_free(struct ct_history *history);

#endif
