/** Summaries of a campaign's runs in a cache of the user (results/cache.h). */
#pragma once

#include "study/study.h"

/**
 * ct_study_load(), and summaries of the probe series that have valid latencies, from a cache if one
 * was made from the same bytes of all run files and counters, and the same names. In a study from a
 * cache, series of latencies have their length but no values (x = NULL).
 * @param placement  [in] as for ct_study_load(); each has a cache of its own
 * @param scan       [in] folder of a scan whose loads belong to the study (study/scan_runs.h);
 *                        NULL: none
 * @param use_cache  [in] false: neither read nor write the cache
 * @param list_p     [out] the runs, if they were read: ct_run_list_free(); unchanged on error;
 *                         NULL: not asked for
 * @return as ct_study_load(), and ct_scan_runs_list()
 */
enum ct_status ct_study_load_cached(const char *path, const char *placement, const char *scan,
                                    bool use_cache, struct ct_study *study_p,
                                    struct ct_run_list *list_p, struct ct_error *err);
