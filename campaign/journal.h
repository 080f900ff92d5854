/**
 * The journal of a campaign, DIR/journal.jsonl: the attempts and their outcomes, one JSON object a
 * line.
 */
#pragma once

#include "campaign/plan.h"

#include <stdio.h>

/**
 * Key of the first line: what a campaign file does not say is chosen, where versions before 0.3 had
 * one default. A folder whose journal has no such key goes on as it was begun.
 */
#define CT_JOURNAL_CHOICES "choices"

enum ct_outcome {
    CT_OUTCOME_BEGUN, /**< no outcome yet: under way if ct_folder_in_use(), else the driver was
                         killed */
    CT_OUTCOME_DONE,
    CT_OUTCOME_FAILED,
    CT_OUTCOME_INTERRUPTED,
    CT_OUTCOME_SPOILT /**< the run was done, but its file has changed since */
};
const char *ct_outcome_text(enum ct_outcome outcome);
/** Reason of an attempt without outcome, if no driver has the folder open. */
extern const char ct_outcome_cut_off[];

/** An attempt at a run. */
struct ct_attempt {
    char id[CT_PLAN_ID_MAX];
    uint64_t number; /**< 1, 2, ... since the driver was started */
    char started_utc[32];
    double duration_s;
    enum ct_outcome outcome;
    char reason[600]; /**< "" if begun or done */
};

/**
 * Append an attempt, and flush.
 * @param journal  [in] opened for appending
 * @param folder   [in] of the campaign, for messages
 * @return CT_OK; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_journal_note(FILE *journal, const char *folder, const struct ct_attempt *attempt,
                               struct ct_error *err);

/**
 * Append a warning about the whole campaign to its journal, so that commands that read the results
 * can print it.
 * @param folder  [in] of the campaign; if it has no journal, nothing is written
 * @return CT_OK; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_journal_warn(const char *folder, const char *text, struct ct_error *err);

/**
 * Append a placement with the names of its hosts, so that the journal has where programs ran.
 * Readers of the journal skip such lines: run files have the same as facts.
 * @param hosts       [in] of the measured program
 * @param with_hosts  [in] of programs in the background
 * @return as ct_journal_note()
 */
enum ct_status ct_journal_placement(FILE *journal, const char *folder, const char *placement,
                                    const char *hosts, const char *with_hosts,
                                    struct ct_error *err);

/** The content of a journal, read without opening the folder. */
struct ct_history {
    uint64_t seed;
    bool has_choices; /**< of what its file does not say: begun since CT_JOURNAL_CHOICES */
    struct ct_attempt *attempts; /**< in the order in which they were begun */
    size_t n_attempts;
    char **warnings; /**< each once; owned */
    size_t n_warnings;
};
/**
 * Read the journal, whose lines have the order in which attempts began and ended; with several at
 * once others come between the two. Lines that are no JSON (cut by a crash) are ignored. The line
 * of the beginning of an attempt and that of its outcome, of one run and number, give one attempt.
 * @param history_p  [out] ct_history_free() is due
 * @return CT_OK; CT_ENOENT (no journal); CT_EFORMAT (no seed in it); CT_ENOMEM; CT_EIO
 */
enum ct_status ct_history_read(const char *folder, struct ct_history *history_p,
                               struct ct_error *err);

/**
 * The same from a text.
 * @param text  [in,out] NUL-terminated; cut into its lines
 * @param name  [in]     its source, for messages
 * @return CT_OK; CT_EFORMAT (no seed in it); CT_ENOMEM
 */
enum ct_status ct_history_parse(char *text, const char *name, struct ct_history *history_p,
                                struct ct_error *err);
void ct_history_free(struct ct_history *history);
