/**
 * What sealed predictions were made from: the commit and the content of the program, and that of
 * every input. Beside the seal, FILE.sealed.json.opened has a line for each time that it was
 * compared with measurements: a judge is opened once.
 */
#pragma once

#include "core/argv.h"
#include "core/status.h"

#include <stddef.h>

enum { CT_SEAL_HASH_MAX = 33 };

struct ct_seal_file {
    char *path; /**< below the campaign's folder, or as it was given; owned */
    char hash[CT_SEAL_HASH_MAX];
};

struct ct_seal_source {
    char *commit;                   /**< owned; "": not recorded */
    char program[CT_SEAL_HASH_MAX]; /**< hash of the command; "": not recorded */
    struct ct_seal_file *files;     /**< [n], owned */
    size_t n;
};

/**
 * @param commit    [in]  of the sources of this program, "": not known
 * @param campaign  [in]  folder or packed file. Of a folder every file counts but logs, the journal
 *                        and seals
 * @param others    [in]  [n_others] further files and folders; NULL entries: none
 * @param source_p  [out] ct_seal_source_free(); unchanged on error
 * @return CT_OK; CT_EIO; CT_ENOENT; CT_ENOMEM
 */
enum ct_status ct_seal_source_read(const char *commit, const char *campaign,
                                   const char *const *others, size_t n_others,
                                   struct ct_seal_source *source_p, struct ct_error *err);
void ct_seal_source_free(struct ct_seal_source *source);

/** What differs, a sentence each; without a program: not recorded. @return CT_OK; CT_ENOMEM */
enum ct_status ct_seal_source_compare(const struct ct_seal_source *sealed,
                                      const struct ct_seal_source *now, struct ct_argv *notes);

/**
 * Add a line about this opening of a seal.
 * @param earlier  [out] lines of earlier ones are appended
 * @return CT_OK; CT_EIO (it cannot be written); CT_ENOMEM
 */
enum ct_status ct_seal_open(const char *seal_path, const struct ct_seal_source *now,
                            struct ct_argv *earlier, struct ct_error *err);
