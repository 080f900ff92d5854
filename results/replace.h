/**
 * A file that appears under its name complete or not at all: written under a temporary name in the
 * same folder, flushed to disk, renamed.
 */
#ifndef CT_RESULTS_REPLACE_H
#define CT_RESULTS_REPLACE_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/** Longest part of a temporary name after the final one, with its NUL. */
enum { CT_REPLACE_SUFFIX_MAX = 32 };

struct ct_replace {
    const char *path; /**< final name; borrowed */
    char *temporary;  /**< PATH.tmp.PID */
    int fd;           /**< of the temporary file */
    int failure;      /**< errno of the first write that failed; 0: none has */
};

/**
 * Create the temporary file, empty.
 * @param replace_p  [out] ended by ct_replace_commit() or ct_replace_discard(); unchanged on error
 * @return CT_OK; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_replace_open(const char *path, struct ct_replace *replace_p,
                               struct ct_error *err);

/**
 * Reserve room on the disk for this many bytes, so that a full disk is found before the writing
 * starts. Nothing is reserved where the file system cannot.
 * @param reserved_p  [out] whether the room is reserved; may be NULL
 * @return CT_OK; CT_EIO (no room)
 */
enum ct_status ct_replace_reserve(const struct ct_replace *replace, size_t bytes, bool *reserved_p,
                                  struct ct_error *err);

/**
 * The same on any file system, by writing zeros after the end of the file up to this length, and
 * flushing them. The file stays that long.
 * @return CT_OK; CT_EIO (no room)
 */
enum ct_status ct_replace_fill(struct ct_replace *replace, size_t bytes, struct ct_error *err);

/**
 * Write or cut the temporary file. Only the first failure counts: it is kept in the struct, what
 * follows is not written any more, and ct_replace_commit() reports it.
 */
void ct_replace_write(struct ct_replace *replace, const void *bytes, size_t n, off_t offset);
void ct_replace_truncate(struct ct_replace *replace, off_t length);

/** Report a write that failed. @return CT_OK where none has; CT_EIO */
enum ct_status ct_replace_check(const struct ct_replace *replace, struct ct_error *err);

/**
 * Flush, rename to the final name, flush the folder. On error the temporary file is removed.
 * @return CT_OK; CT_EIO
 */
enum ct_status ct_replace_commit(struct ct_replace *replace, struct ct_error *err);

/** Remove the temporary file. */
void ct_replace_discard(struct ct_replace *replace);

#endif
