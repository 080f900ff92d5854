/** Reads a campaign file: its bytes, and its values. */
#pragma once

#include "campaign/spec.h"
#include "core/file.h"

/**
 * A file with 'scan' and without configurations gets those of the scan, as lines at its end, so
 * that what is kept of it needs the scan no more.
 * @param folder  [in]  of the campaign: if its runs have no placement, none is chosen for a file
 * that names none; NULL, or a folder without runs: a new campaign
 * @param file_p  [out] its bytes, and these lines; text to be freed by the caller; unchanged on
 * error
 * @param spec_p  [out] ct_campaign_spec_free(); unchanged on error
 * @return as ct_file_read(), ct_campaign_spec_parse() and ct_scan_loads_read()
 */
enum ct_status ct_campaign_spec_read(const char *path, const char *folder, struct ct_text *file_p,
                                     struct ct_campaign_spec *spec_p, struct ct_error *err);
