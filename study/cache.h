/**
 * Cache of a study with summaries of its probe runs, in a file beside the runs. It is used only if
 * it was made from the same bytes by the same build.
 *
 * The file is in the campaign's folder, or beside a packed campaign with CT_CACHE_SUFFIX after its
 * name. It is bound to the content of all run files and counters, to their names, and to the build
 * that wrote it (study/cache_format.h). If it cannot be read, or does not match, the summaries are
 * computed and the cache is written again. If it cannot be written, this is no error. The file may
 * be removed at any time.
 */
#ifndef CT_STUDY_CACHE_H
#define CT_STUDY_CACHE_H

#include "study/study.h"

#define CT_CACHE_NAME "summaries.cache"
#define CT_CACHE_SUFFIX "." CT_CACHE_NAME

/**
 * Path of a cache with this name: in the folder of a campaign; beside a packed campaign, as
 * FILE.NAME.
 * @return free(); NULL: out of memory
 */
char *ct_cache_path(const char *path, const char *name);

/** Read a cache. @param n_p [out] number of bytes @return free(); NULL: it cannot be read */
unsigned char *ct_cache_read(const char *name, size_t *n_p);

/**
 * ct_study_load(), and summaries of the probe series that have valid latencies. In a study from a
 * cache, series of latencies have their length but no values (x = NULL).
 * @param placement  [in] as for ct_study_load_placement(); each has a cache of its own, with its
 *                        name in front: "disjoint.summaries.cache"
 * @param use_cache  [in] false: neither read nor write the cache
 * @param list_p     [out] the runs, if they were read: ct_run_list_free(); unchanged on error;
 *                         NULL: not asked for
 * @return as ct_study_load_placement()
 */
enum ct_status ct_study_load_cached(const char *path, const char *placement, bool use_cache,
                                    struct ct_study *study_p, struct ct_run_list *list_p,
                                    struct ct_error *err);

#endif
