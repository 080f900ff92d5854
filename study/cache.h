/**
 * A study with its probe runs summarised, kept beside its runs: what is read back is what was made
 * from the same bytes by the same program.
 *
 * The file is in the campaign's folder, or beside a packed campaign with CT_CACHE_SUFFIX after its
 * name. It is bound to the content of all run files and counters, to their names, and to the build
 * that wrote it (study/cache_format.h). Where it cannot be read, or belongs to something else, it
 * is made anew; where it cannot be written, it is not there the next time either. It may be removed
 * at any time.
 */
#ifndef CT_STUDY_CACHE_H
#define CT_STUDY_CACHE_H

#include "study/study.h"

#define CT_CACHE_NAME "summaries.cache"
#define CT_CACHE_SUFFIX "." CT_CACHE_NAME

/**
 * Path of a cache with this name: in a campaign's folder, or beside a packed campaign behind its
 * name and a point.
 * @return free(); NULL: out of memory
 */
char *ct_cache_path(const char *path, const char *name);

/** The bytes of a cache. @param n_p [out] their number @return free(); NULL: it cannot be read */
unsigned char *ct_cache_read(const char *name, size_t *n_p);

/**
 * ct_study_load(), with the probes summarised where latencies can be. Where the study comes from a
 * cache, series of latencies have their length and no values (x = NULL).
 * @param use_cache  [in] false: neither read nor write one
 * @return as ct_study_load()
 */
enum ct_status ct_study_load_cached(const char *path, bool use_cache, struct ct_study *study_p,
                                    struct ct_error *err);

#endif
