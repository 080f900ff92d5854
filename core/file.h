/**
 * Files that are read whole, and files that are replaced whole: written under a temporary name in
 * the same folder, flushed to disk, renamed. So a file is complete as soon as it has its name.
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/* ---- reading ---- */

/** A text in memory, with a NUL after its end. */
struct ct_text {
    char *text; /**< owned */
    size_t size;
};

/**
 * Read a whole file, or a pipe or device up to its end.
 * @param text_p  [out] free() its text; unchanged on error
 * @return CT_OK; CT_ENOENT; CT_EIO; CT_EFORMAT (larger than 16 MiB); CT_ENOMEM
 */
enum ct_status ct_file_read(const char *path, struct ct_text *text_p, struct ct_error *err);

/**
 * Read the beginning of a file, such as one of /proc.
 * @param text  [out] `size` bytes, NUL-terminated; "" if the file cannot be read
 * @return whether something was read
 */
bool ct_file_head(const char *path, char *text, size_t size);

/* ---- writing ---- */

/** What is to be written under a name. */
enum ct_file_target {
    CT_FILE_NONE,    /**< nothing */
    CT_FILE_STREAM,  /**< a file by ct_file_make(): also a device or a pipe */
    CT_FILE_PICTURE, /**< FILE.svg, or FILE.png where rsvg-convert is; also a device or a pipe */
    CT_FILE_REGULAR, /**< a file by ct_file_create() */
    CT_FILE_FOLDER   /**< a folder, which may be there */
};

/**
 * Whether a name can be written to, for those who work long before they write. Nothing is created,
 * and what is written may still fail.
 * @param path  [in] "-": standard output, which is not looked at
 * @return CT_OK; CT_EIO with the reason; CT_ENOMEM
 */
enum ct_status ct_file_check_target(const char *path, enum ct_file_target target,
                                    struct ct_error *err);

/**
 * Write a file from memory. An existing file is replaced once the bytes are on the disk. A path
 * that is a device, a pipe or a link is written in place, since renaming a file onto it would
 * replace it; "-" is standard output.
 * @return CT_OK; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_file_save(const char *path, const void *bytes, size_t n, struct ct_error *err);

/** Writes the content of a file. It need not check the stream for errors, since the caller does. */
typedef enum ct_status ct_file_writer(FILE *out, const void *data, struct ct_error *err);

/**
 * The same for content that a function writes to a stream.
 * @param write  [in] called once; its error message gets the prefix "PATH: "
 * @return CT_OK; CT_EIO; CT_ENOMEM; what write() returns
 */
enum ct_status ct_file_make(const char *path, ct_file_writer *write, const void *data,
                            struct ct_error *err);

/* ---- writing piece by piece ---- */

/** A file that is being written. */
struct ct_file {
    const char *path; /**< final name; borrowed */
    char *target;     /**< what the file takes the place of: where a link leads */
    char *temporary;  /**< TARGET.tmp.PID */
    int fd;           /**< of the temporary file */
    int failure;      /**< errno of the first write that failed; 0: none has */
};

/**
 * Create the temporary file, empty. A link is followed: what it leads to is replaced.
 * @param draft_p  [out] ended by ct_file_commit() or ct_file_discard(); unchanged on error
 * @return CT_OK; CT_EIO (also for folders, devices and pipes); CT_ENOMEM
 */
enum ct_status ct_file_create(const char *path, struct ct_file *draft_p, struct ct_error *err);

/**
 * Reserve room on the disk for this many bytes, so that a full disk is found before the writing
 * starts. File systems without this function reserve nothing.
 * @param reserved_p  [out] whether the room is reserved; may be NULL
 * @return CT_OK; CT_EIO (no room)
 */
enum ct_status ct_file_reserve(const struct ct_file *draft, size_t bytes, bool *reserved_p,
                               struct ct_error *err);

/**
 * The same on any file system: write zeros from the end of the file up to this length, and flush
 * them. The file keeps this length.
 * @return CT_OK; CT_EIO (no room)
 */
enum ct_status ct_file_fill(struct ct_file *draft, size_t bytes, struct ct_error *err);

/**
 * Write at an offset of the temporary file, or set its length. The first failure is stored in the
 * struct; later calls then do nothing, and ct_file_commit() reports it.
 */
void ct_file_write(struct ct_file *draft, const void *bytes, size_t n, off_t offset);
void ct_file_truncate(struct ct_file *draft, off_t length);

/**
 * Report a write that failed.
 * @return CT_OK if none has; CT_EIO
 */
enum ct_status ct_file_check(const struct ct_file *draft, struct ct_error *err);

/**
 * Flush, rename to the final name, flush the folder. On error the temporary file is removed.
 * @return CT_OK; CT_EIO
 */
enum ct_status ct_file_commit(struct ct_file *draft, struct ct_error *err);

/** Remove the temporary file. */
void ct_file_discard(struct ct_file *draft);

/** Flush a file that grows piece by piece. @return 0; -1: errno has why */
int ct_file_flush(int fd);

/* ---- folders ---- */

/** Remove a folder with all that is in it, as far as that can be. Links are removed, not followed.
 */
void ct_file_remove_folder(const char *path);

/**
 * A file without a name, for what does not fit into memory: it is gone when it is closed.
 * @param folder  [in]  where it takes space
 * @return a descriptor to read and write; -1: errno has why
 */
int ct_file_open_unnamed(const char *folder);
