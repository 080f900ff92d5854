/**
 * From samples to alarms: healthy behaviour by class of path, sequential tests, and the links that
 * explain what changed. No clock and no I/O: time is that of the samples.
 *
 * 1. For half of the time of learning, what messages take by class of path (healthy.h).
 * 2. For the other half, how many are slow beside the load that there is: the largest share of any
 *    direction, in windows, and the loss of all. From these follow the nulls of the tests: a load
 * may leave a part (watch_share_left) of the least share of fast messages that was seen.
 * 3. Then each direction has a test of slow small messages, of slow large ones and of lost ones,
 * and each host one of late sending and late answering (detector.h).
 * 4. Where a test decides, the newest observations say which directions explain it (recent.h). As
 *    long as the alarm lasts what passes these is no news, but where they are several, more bad
 *    messages may leave fewer. It ends when a test says so that bad messages are half as many, or
 *    fast ones twice.
 *
 * A link that is full without a fault looks slow, too: this is why the nulls follow the load, and
 * what passes a link that is busier than ever while learning may raise a false alarm.
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
 * @param topology   [in]  borrowed; hosts are its nodes, by name
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

/** What the topology calls a host; "": the topology does not have it. Borrowed. */
const char *ct_watch_finder_node(const struct ct_watch_finder *finder, size_t host);

/** Samples of one host come in the order of time; those of different hosts within 5 s. */
enum ct_status ct_watch_finder_take(struct ct_watch_finder *finder,
                                    const struct ct_watch_sample *samples, size_t n,
                                    struct ct_error *err);

/**
 * Small messages of the last minute whose healthy times are known, without those that alarms
 * explain.
 * @param waits_p  [out] [n_p] borrowed until the next call; none where clocks are not known, since
 *                       round trips do not tell what enters a host from what leaves it
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_watch_finder_waits(struct ct_watch_finder *finder,
                                     const struct ct_watch_wait **waits_p, size_t *n_p,
                                     struct ct_error *err);

/** What follows from the samples so far. Borrowed until the next call. */
const struct ct_watch_state *ct_watch_finder_state(struct ct_watch_finder *finder);
