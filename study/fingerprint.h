/** Whether files are what they were, by their content. */
#ifndef CT_STUDY_FINGERPRINT_H
#define CT_STUDY_FINGERPRINT_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * 128 bits that follow from bytes, in the order in which they are added. Good against accidents and
 * not against forgery; of one machine, since words are taken as they are in memory.
 */
struct ct_fingerprint {
    uint64_t lane[4];
    uint64_t size;
};

struct ct_fingerprint ct_fingerprint_begin(void);

/** Add a piece; two pieces differ from their union. */
void ct_fingerprint_add(struct ct_fingerprint *fingerprint, const void *bytes, size_t n);

/** Add the content of a file. @return CT_OK; CT_ENOENT; CT_EIO; CT_ENOMEM */
enum ct_status ct_fingerprint_add_file(struct ct_fingerprint *fingerprint, const char *path,
                                       struct ct_error *err);

/**
 * Add names and contents of all files in a folder whose names end in one of these, in the order of
 * their names. A folder that is not there has none.
 * @param endings  [in]  last one NULL
 * @param n_p      [in,out] raised by the number of files
 * @return CT_OK; CT_EIO; CT_ENOMEM
 */
enum ct_status ct_fingerprint_add_folder(struct ct_fingerprint *fingerprint, const char *folder,
                                         const char *const *endings, size_t *n_p,
                                         struct ct_error *err);

void ct_fingerprint_end(const struct ct_fingerprint *fingerprint, uint64_t bits[2]);

#endif
