/** Reads a campaign file: its bytes, and its values. */
#pragma once

#include "campaign/spec.h"
#include "core/file.h"

/**
 * @param folder  [in]  of the campaign: if its runs have no placement, none is chosen for a file
 * that names none; NULL, or a folder without runs: a new campaign
 * @param file_p  [out] its bytes; text to be freed by the caller; unchanged on error
 * @param spec_p  [out] ct_campaign_spec_free(); unchanged on error
 * @return as ct_file_read() and ct_campaign_spec_parse(); CT_EINVAL (a folder)
 */
enum ct_status ct_campaign_spec_read(const char *path, const char *folder, struct ct_text *file_p,
                                     struct ct_campaign_spec *spec_p, struct ct_error *err);
