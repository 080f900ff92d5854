/**
 * The file of `crosstalk scan --kit`: the sheet of a scan, with sealed predictions and what was
 * measured since; JSON. It has what ct_scan_kit_fields lists, and no name: nodes and switches have
 * pseudonyms, codes of their names by the key in DIR/kit.salt, which stays there (mode 0600).
 * `crosstalk scan --against` reads it as a sheet.
 */
#pragma once

#include "study/scan_seal.h"

/** What such a file says. */
struct ct_scan_kit {
    struct ct_scan scan; /**< what its page needs: nodes, what was asked, how many rounds; of
                            the cells one, which has the bytes of a window */
    struct ct_scan_sheet sheet;
    struct ct_scan_seal seal;
};

/**
 * @param dir   [in] of the scan, for its salt, which is made where there is none
 * @param path  [in] to write to
 * @param seal  [in] judged
 * @return CT_OK; CT_EFORMAT (a member is not of its form); CT_EIO; CT_ENOMEM
 */
enum ct_status ct_scan_kit_write(const char *dir, const char *path, const struct ct_scan *scan,
                                 const struct ct_scan_sheet *sheet, const struct ct_scan_seal *seal,
                                 struct ct_error *err);

/**
 * @param source  [in]  name for messages
 * @param kit_p   [out] ct_scan_kit_free(); unchanged on error
 * @return CT_OK; CT_EFORMAT (no such file, cut short, or with members that no kit has); CT_ENOMEM
 */
enum ct_status ct_scan_kit_parse(const char *text, size_t size, const char *source,
                                 struct ct_scan_kit *kit_p, struct ct_error *err);
/** The same of a file. @return as before, and CT_ENOENT, CT_EIO */
enum ct_status ct_scan_kit_read(const char *path, struct ct_scan_kit *kit_p, struct ct_error *err);
void ct_scan_kit_free(struct ct_scan_kit *kit);
