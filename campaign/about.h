/** A campaign's name, network and warnings, from its campaign file and its journal. */
#pragma once

#include "core/argv.h"

/** Texts are owned; NULL: not known, as for a packed campaign. */
struct ct_campaign_about {
    char *name;
    char *network; /**< a sentence */
    char *file;    /**< the campaign file as it was given */
    struct ct_argv
        warnings; /**< runs that were tried again or are missing, and warnings of drivers */
};

/**
 * Read DIR/campaign.yaml and DIR/journal.jsonl. A file that is missing or cannot be read is
 * ignored.
 * @param about_p  [out] ct_campaign_about_free(); unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_campaign_about_read(const char *directory, struct ct_campaign_about *about_p,
                                      struct ct_error *err);
void ct_campaign_about_free(struct ct_campaign_about *about);
