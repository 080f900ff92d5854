/**
 * A study with its probe runs summarised, as the bytes of a cache.
 *
 * A key binds these bytes to what they were made from and to the program that made them. They are
 * of one machine and of one build: numbers stand as they are in memory. What is read back is
 * checked: no byte of a damaged file makes a study that cannot be worked with.
 */
#ifndef CT_STUDY_CACHE_FORMAT_H
#define CT_STUDY_CACHE_FORMAT_H

#include "study/study.h"

/** What a cache belongs to: 128 bits of a hash each. */
struct ct_cache_key {
    uint64_t build[2];  /**< how runs are summarised, and how the bytes are laid out */
    uint64_t source[2]; /**< the runs */
};

/** Key of this build: version, sources that define summaries, sizes and byte order; no source. */
struct ct_cache_key ct_cache_key_of_build(void);

/**
 * @param study    [in]  summarised by ct_study_summarize()
 * @param bytes_p  [out] owned by the caller, free(); unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_cache_encode(const struct ct_study *study, const struct ct_cache_key *key,
                               unsigned char **bytes_p, size_t *n_p);

/**
 * Values of latencies are not in it: of these series the study has the lengths (x = NULL), and the
 * summaries. Nor is it known when passes began.
 * @param study_p  [out] ct_study_free(); unchanged on error
 * @return CT_OK; CT_ENOENT (of other runs, or by another build); CT_EFORMAT (damaged); CT_ENOMEM
 */
enum ct_status ct_cache_decode(const unsigned char *bytes, size_t n, const struct ct_cache_key *key,
                               struct ct_study *study_p);

/** The same without header and hash: what stands behind the first ct_cache_header_bytes(). */
enum ct_status ct_cache_decode_payload(const unsigned char *bytes, size_t n,
                                       struct ct_study *study_p);
size_t ct_cache_header_bytes(void);

#endif
