/** What the files of a campaign beside its runs say about it: its name, its network, what went
 * wrong.
 */
#ifndef CT_CAMPAIGN_ABOUT_H
#define CT_CAMPAIGN_ABOUT_H

#include "core/argv.h"

/** Texts are owned; NULL where the folder does not say it, as in a packed campaign. */
struct ct_campaign_about {
    char *name;
    char *network; /**< a sentence */
    char *file;    /**< the campaign file as it was given */
    struct ct_argv
        warnings; /**< runs that were tried again or are missing, and what drivers said */
};

/**
 * Read DIR/campaign.yaml and DIR/journal.jsonl. What is missing or not understood is left out.
 * @param about_p  [out] ct_campaign_about_free(); unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_campaign_about_read(const char *directory, struct ct_campaign_about *about_p,
                                      struct ct_error *err);
void ct_campaign_about_free(struct ct_campaign_about *about);

#endif
