/** DIR/scan.json: what a scan was asked for, and the nodes and paths that it has found. */
#pragma once

#include "study/scan.h"

#define CT_SCAN_FILE "scan.json"

/**
 * @param scan_p  [out] without rounds and cells; ct_scan_free(); unchanged on error
 * @return CT_OK; CT_ENOENT; CT_EFORMAT, CT_EINVAL (with the path and what is wrong); CT_EIO;
 *         CT_ENOMEM
 */
enum ct_status ct_scan_file_read(const char *dir, struct ct_scan *scan_p, struct ct_error *err);

/**
 * The same from text.
 * @param source  [in] name for messages
 */
enum ct_status ct_scan_file_parse(const char *text, size_t size, const char *source,
                                  struct ct_scan *scan_p, struct ct_error *err);

/**
 * Write it under a temporary name, then rename it.
 * @param scan  [in] nodes, path_class, asked, cases, is_complete and reason_ended
 * @return CT_OK; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_scan_file_write(const char *dir, const struct ct_scan *scan,
                                  struct ct_error *err);
