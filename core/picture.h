/** Pictures that are drawn as SVG, written as FILE.svg, or as FILE.png by rsvg-convert. */
#pragma once

#include "core/file.h"

/**
 * @param path  [in] that ct_file_check_target() takes as CT_FILE_PICTURE
 * @param svg   [in] NUL-terminated
 * @return CT_OK; CT_EIO (it cannot be written, or rsvg-convert fails); CT_ENOMEM
 */
enum ct_status ct_picture_save(const char *path, const char *svg, struct ct_error *err);

/** The same of what a function writes. @return also what it returns */
enum ct_status ct_picture_make(const char *path, ct_file_writer *write, const void *data,
                               struct ct_error *err);
