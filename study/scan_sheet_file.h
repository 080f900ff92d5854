/** DIR/sheet.json: the factors of a scan, for `crosstalk scan --against` and other programs. */
#pragma once

#include "core/json.h"
#include "study/scan_factors.h"

#define CT_SCAN_SHEET_FILE "sheet.json"

/** The document, for more members. @return ct_json_free(); NULL: out of memory */
struct ct_json *ct_scan_sheet_document(const struct ct_scan *scan,
                                       const struct ct_scan_sheet *sheet);

/** Write it under a temporary name, then rename it. Names of nodes and switches are in it. @return
 * CT_OK; CT_EIO; CT_ENOMEM */
enum ct_status ct_scan_sheet_write(const char *path, const struct ct_scan *scan,
                                   const struct ct_scan_sheet *sheet, struct ct_error *err);

/**
 * Rows and score of such a document; no paths, since its nodes are of another scan.
 * @param source   [in]  name for messages
 * @param sheet_p  [out] ct_scan_sheet_free(); unchanged on error
 * @return CT_OK; CT_EFORMAT; CT_ENOMEM
 */
enum ct_status ct_scan_sheet_parse(const char *text, size_t size, const char *source,
                                   struct ct_scan_sheet *sheet_p, struct ct_error *err);

/** The same of a file. @return as before, and CT_ENOENT, CT_EIO */
enum ct_status ct_scan_sheet_read(const char *path, struct ct_scan_sheet *sheet_p,
                                  struct ct_error *err);
