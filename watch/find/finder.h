/**
 * From samples to alarms: healthy behaviour by class of path, sequential tests, and the links that
 * explain what changed. No clock and no I/O: time is that of the samples.
 */
#pragma once

#include "core/status.h"
#include "watch/sample.h"
#include "watch/state.h"

struct ct_watch_rules {
    double false_alarms_per_day; /**< > 0; the tests spend this over all their hypotheses */
    double learn_s;              /**< how long the network is observed before anything is said */
};

struct ct_watch_finder;

/**
 * @param topology   [in]  borrowed; NULL: alarms name pairs of hosts only
 * @param finder_p   [out] ct_watch_finder_free()
 * @return CT_OK; CT_EINVAL (a rule); CT_ENOMEM
 */
enum ct_status ct_watch_finder_new(const struct ct_topology *topology,
                                   const struct ct_watch_rules *rules,
                                   struct ct_watch_finder **finder_p, struct ct_error *err);
void ct_watch_finder_free(struct ct_watch_finder *finder);

/** Hosts may become more; their numbers stay. */
enum ct_status ct_watch_finder_hosts(struct ct_watch_finder *finder,
                                     const struct ct_watch_host *hosts, size_t n_hosts,
                                     struct ct_error *err);

/** Samples of one host come in the order of time; those of different hosts within 5 s. */
enum ct_status ct_watch_finder_take(struct ct_watch_finder *finder,
                                    const struct ct_watch_sample *samples, size_t n,
                                    struct ct_error *err);

/** What follows from the samples so far. Borrowed until the next call. */
const struct ct_watch_state *ct_watch_finder_state(struct ct_watch_finder *finder);
