/** Hash of files, to find out whether their content has changed: 128 bits of XXH3. */
#pragma once

#include "core/status.h"

#include <stddef.h>
#include <stdint.h>

/**
 * A hash of everything that is added, in this order. It detects accidental changes, but not
 * forgery. Source: xxHash, https://xxhash.com.
 */
struct ct_fingerprint;

/** @return NULL: out of memory; ended by ct_fingerprint_end() */
struct ct_fingerprint *ct_fingerprint_new(void);

/**
 * Add bytes. The hash does not depend on how they are divided between calls: add data of variable
 * length as text.
 */
void ct_fingerprint_add(struct ct_fingerprint *fingerprint, const void *bytes, size_t n);

/** Add a text, including its NUL. */
void ct_fingerprint_add_text(struct ct_fingerprint *fingerprint, const char *text);

/** Add the content of a file and its length. @return CT_OK; CT_ENOENT; CT_EIO; CT_ENOMEM */
enum ct_status ct_fingerprint_add_file(struct ct_fingerprint *fingerprint, const char *path,
                                       struct ct_error *err);

/**
 * Add names and contents of all files in a folder whose names have one of the endings, in the order
 * of their names. A folder that does not exist counts as empty.
 * @param endings  [in]  NULL-terminated
 * @return CT_OK; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_fingerprint_add_folder(struct ct_fingerprint *fingerprint, const char *folder,
                                         const char *const *endings, struct ct_error *err);

/**
 * Get the hash, and free the fingerprint.
 * @param bits  [out] may be NULL
 */
void ct_fingerprint_end(struct ct_fingerprint *fingerprint, uint64_t bits[2]);
