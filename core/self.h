/** Finds the running program, and the files that were installed or built with it. */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Path of the running program (/proc/self/exe).
 * @param path  [out] size bytes; a longer path is cut
 * @return CT_OK; CT_EIO
 */
enum ct_status ct_self_path(char *path, size_t size, struct ct_error *err);

/** Its folder, without a slash at the end. @return as ct_self_path() */
enum ct_status ct_self_folder(char *path, size_t size, struct ct_error *err);

/**
 * The first file that can be read.
 * @param folder     [in]  such as that of ct_self_folder()
 * @param relatives  [in]  paths below it, in the order in which they are tried; NULL-terminated
 * @param path       [out] size bytes; if there is none, the last path that was tried
 */
bool ct_self_find(const char *folder, const char *const *relatives, char *path, size_t size);

/**
 * A program that is started by others of crosstalk: where it is installed, or in the build tree,
 * beside programs or beside the folders of tests and of the library.
 * @param path  [out] size bytes; if there is none, the last path that was tried
 */
bool ct_self_find_helper(const char *name, char *path, size_t size);
