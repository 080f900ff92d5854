/**
 * Bytes of the cache: a study with summaries of its probe runs.
 *
 * A key binds the bytes to the runs and to the build. They are valid on one machine and for one
 * build only: numbers are stored as in memory. All values are checked on reading, so that a damaged
 * file never gives an invalid study.
 */
#pragma once

#include "study/study.h"

/** The build and the runs that a cache belongs to: a hash of 128 bits each. */
struct ct_cache_key {
    uint64_t build[2];  /**< sources that define summaries, and layout of the bytes */
    uint64_t source[2]; /**< the runs */
};

/** Key of this build: version, sources that define summaries, sizes and byte order; source is 0. */
struct ct_cache_key ct_cache_key_of_build(void);

/**
 * @param study    [in]  summarised by ct_study_summarize()
 * @param bytes_p  [out] owned by the caller, free(); unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_cache_encode(const struct ct_study *study, const struct ct_cache_key *key,
                               unsigned char **bytes_p, size_t *n_p);

/**
 * Read a study from bytes. It has the lengths and summaries of series of latencies, but not their
 * values (x = NULL), and no start times of passes.
 * @param study_p  [out] ct_study_free(); unchanged on error
 * @return CT_OK; CT_ENOENT (of other runs, or made by another build); CT_EFORMAT (damaged);
 *         CT_ENOMEM
 */
enum ct_status ct_cache_decode(const unsigned char *bytes, size_t n, const struct ct_cache_key *key,
                               struct ct_study *study_p);

/**
 * The same from the bytes after the header, that is after the first ct_cache_header_bytes(); the
 * hash is not checked.
 */
enum ct_status ct_cache_decode_payload(const unsigned char *bytes, size_t n,
                                       struct ct_study *study_p);
size_t ct_cache_header_bytes(void);
