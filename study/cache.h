/**
 * A campaign with its probe runs summarised, kept beside its runs: what is read back is what was
 * made from the same bytes.
 *
 * The file is in the campaign's folder, or beside a packed campaign with CT_CACHE_SUFFIX after
 * its name. It is bound to the content of all run files and counters (128 bits of a hash), to
 * their names, to the version of the program and to the machine's byte order. Where it cannot be
 * read, or belongs to something else, it is made anew; where it cannot be written, it is not there
 * the next time either. It may be removed at any time.
 */
#ifndef CT_STUDY_CACHE_H
#define CT_STUDY_CACHE_H

#include "study/campaign.h"

#define CT_CACHE_NAME "summaries.cache"
#define CT_CACHE_SUFFIX ".summaries.cache"

/**
 * ct_load_campaign(), with input.probe filled in where latencies can be summarised. Where the
 * campaign comes from a cache, series of latencies have their length and no values (x = NULL).
 * @param use_cache  [in] false: neither read nor write one
 * @return as ct_load_campaign()
 */
enum ct_status ct_load_campaign_summarized(const char *path, bool use_cache,
                                           struct ct_loaded_campaign *campaign_p,
                                           struct ct_error *err);

#endif
