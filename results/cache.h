/**
 * What commands need not compute again, in files of the user's folder for that: crosstalk below
 * $XDG_CACHE_HOME, or ~/.cache if that is unset or relative (XDG Base Directory Specification).
 *
 * A file is named for what it was made from and by which build, and says both; it is replaced as a
 * whole. All files take at most CT_CACHE_BYTES_MAX: what was written first goes first. Where there
 * is no such folder, or nothing can be read or written there, everything is computed, and this is
 * no error. The folder may be removed at any time.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { CT_CACHE_BYTES_MAX = 500 * 1000 * 1000 };

/**
 * Path of a cache.
 * @param key   [in] hash of what it is made from
 * @param build [in] hash of what makes it
 * @param kind  [in] end of its name
 * @return free(); NULL: there is no folder for it, or out of memory
 */
char *ct_cache_path(uint64_t key, uint64_t build, const char *kind);

/** Read a file. @param n_p [out] number of bytes @return free(); NULL: it cannot be read */
unsigned char *ct_cache_read(const char *path, size_t *n_p);

/** Write a cache, if that can be, and remove the oldest ones where all are too large. */
void ct_cache_write(const char *path, const void *bytes, size_t n);
