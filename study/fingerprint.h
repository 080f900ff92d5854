/** Whether files are what they were, by their content: 128 bits of XXH3. */
#ifndef CT_STUDY_FINGERPRINT_H
#define CT_STUDY_FINGERPRINT_H

#include "core/status.h"

#include <stddef.h>
#include <stdint.h>

/**
 * A hash of all that is added, in the order in which it is added. Good against accidents and not
 * against forgery. Source: xxHash, https://xxhash.com.
 */
struct ct_fingerprint;

/** @return NULL: out of memory; ended by ct_fingerprint_end() */
struct ct_fingerprint *ct_fingerprint_new(void);

/** Add a piece. Two pieces are as their union: what may end anywhere is added as text. */
void ct_fingerprint_add(struct ct_fingerprint *fingerprint, const void *bytes, size_t n);

/** Add a text and its end. */
void ct_fingerprint_add_text(struct ct_fingerprint *fingerprint, const char *text);

/** Add the content of a file and its length. @return CT_OK; CT_ENOENT; CT_EIO; CT_ENOMEM */
enum ct_status ct_fingerprint_add_file(struct ct_fingerprint *fingerprint, const char *path,
                                       struct ct_error *err);

/**
 * Add names and contents of all files in a folder whose names end in one of these, in the order of
 * their names. A folder that is not there has none.
 * @param endings  [in]  last one NULL
 * @return CT_OK; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_fingerprint_add_folder(struct ct_fingerprint *fingerprint, const char *folder,
                                         const char *const *endings, struct ct_error *err);

/** Free it. @param bits  [out] NULL: not wanted any more */
void ct_fingerprint_end(struct ct_fingerprint *fingerprint, uint64_t bits[2]);

#endif
