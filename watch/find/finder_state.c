#include "core/array.h"
#include "core/stats.h"
#include "watch/find/finder_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_of_last_minute(const struct ct_watch_finder *finder, const struct ct_seen *seen)
{
    return seen->kind == CT_SEEN_SMALL &&
           seen->unix_ns > finder->now_unix_ns - 60 * CT_FINDER_SECOND_NS;
}

enum ct_status ct_watch_finder_waits(struct ct_watch_finder *finder,
                                     const struct ct_watch_wait **waits_p, size_t *n_p,
                                     struct ct_error *err)
{
    size_t n = 0;
    if (!CT_ARRAY_RESIZE(finder->waits, CT_RECENT_MAX))
        return ct_no_memory(err, "loads");
    for (uint64_t k = ct_recent_first(&finder->recent); k < finder->recent.n; k++) {
        const struct ct_seen *seen = &finder->recent.seen[k % CT_RECENT_MAX];
        if (is_of_last_minute(finder, seen) && seen->explained_by == 0 && !seen->is_round)
            finder->waits[n++] = (struct ct_watch_wait){
                seen->from, seen->to,
                (double)seen->time_s > finder->healthy.classes[seen->class].waited_s};
    }
    *waits_p = finder->waits;
    *n_p = n;
    return CT_OK;
}

/* Small messages of the last minute, by links. */
static enum ct_status show_classes(struct ct_watch_finder *finder, struct ct_error *err)
{
    const unsigned hour =
        (unsigned)(finder->now_unix_ns / CT_FINDER_SECOND_NS % CT_FINDER_DAY_S / 3600);
    uint64_t first = ct_recent_first(&finder->recent);
    double *times_s = NULL;
    size_t n_classes = 0;
    if (!CT_ARRAY_RESIZE(finder->classes, finder->healthy.n + 1) ||
        !CT_ARRAY_RESIZE(times_s, CT_RECENT_MAX)) {
        free(times_s);
        return ct_no_memory(err, "classes of paths");
    }
    for (uint32_t i = 0; i < finder->healthy.n; i++) {
        const struct ct_healthy_class *class = &finder->healthy.classes[i];
        struct ct_watch_class *shown = &finder->classes[n_classes];
        if (class->bytes >= CT_WATCH_LARGE_BYTES || isnan(class->floor_s))
            continue;
        size_t n = 0;
        for (uint64_t k = first; k < finder->recent.n; k++) {
            const struct ct_seen *seen = &finder->recent.seen[k % CT_RECENT_MAX];
            if (seen->class == i && is_of_last_minute(finder, seen))
                times_s[n++] = (double)seen->time_s;
        }
        ct_stats_sort(times_s, n);
        *shown = (struct ct_watch_class){
            .bytes = class->bytes,
            .is_round = class->is_round,
            .switches = (class->is_round ? class->links / 2 : class->links) - 1,
            .n = n,
            .median_s = NAN,
            .p90_s = NAN,
            .p99_s = NAN,
            .healthy_s = ct_reservoir_quantile(&class->by_hour[hour], 0.5),
            .healthy_p99_s = ct_reservoir_quantile(&class->by_hour[hour], 0.99)};
        ct_stats_quantile(times_s, n, 0.5, &shown->median_s);
        ct_stats_quantile(times_s, n, 0.9, &shown->p90_s);
        ct_stats_quantile(times_s, n, 0.99, &shown->p99_s);
        n_classes++;
    }
    free(times_s);
    finder->state.classes = finder->classes;
    finder->state.n_classes = n_classes;
    return CT_OK;
}

static void show_unknown(struct ct_watch_finder *finder)
{
    size_t n = 0, strangers = 0;
    const char *stranger = "";
    for (size_t host = 0; host < finder->n_hosts; host++)
        if (finder->members[host].node == CT_FINDER_NONE && strangers++ == 0)
            stranger = finder->hosts[host].name;
    if (finder->phase != CT_FINDER_WATCHING)
        snprintf(finder->unknown_text[n++], sizeof finder->unknown_text[0],
                 "what is healthy: that is learned for %g s, and nothing is found before",
                 finder->rules.learn_s);
    if (strangers > 0)
        snprintf(finder->unknown_text[n++], sizeof finder->unknown_text[0],
                 "where %zu host%s: the topology has no %.60s (crosstalk-prober --name)", strangers,
                 strangers > 1 ? "s are" : " is", stranger);
    if (finder->n_unlisted > 0)
        snprintf(finder->unknown_text[n++], sizeof finder->unknown_text[0],
                 "%llu probes of hosts that were not listed yet",
                 (unsigned long long)finder->n_unlisted);
    for (size_t i = 0; i < n; i++)
        finder->unknown[i] = finder->unknown_text[i];
    finder->state.unknown = finder->unknown;
    finder->state.n_unknown = n;
}

const struct ct_watch_state *ct_watch_finder_state(struct ct_watch_finder *finder)
{
    struct ct_error err;
    finder->state.unix_ns = finder->now_unix_ns;
    finder->state.topology = finder->topology;
    finder->state.hosts = finder->hosts;
    finder->state.n_hosts = finder->n_hosts;
    finder->state.false_alarms_per_day = finder->rules.false_alarms_per_day;
    finder->state.n_alarms = 0;
    if (show_classes(finder, &err) != CT_OK)
        finder->state.n_classes = 0;
    finder->state.has_learned = finder->phase == CT_FINDER_WATCHING && finder->state.n_classes > 0;
    if (CT_ARRAY_RESIZE(finder->shown, finder->n_alarms + 1))
        for (size_t i = finder->n_alarms; i-- > 0;) {
            const struct ct_watch_alarm *alarm = &finder->alarms[i];
            if (alarm->ended_unix_ns == 0 ||
                ct_finder_is_near(finder, alarm->ended_unix_ns, CT_FINDER_DAY_S))
                finder->shown[finder->state.n_alarms++] = *alarm;
        }
    finder->state.alarms = finder->shown;
    show_unknown(finder);
    return &finder->state;
}
