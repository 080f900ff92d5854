#include "core/array.h"
#include "core/stats.h"
#include "watch/find/constants.h"
#include "watch/find/finder_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALARMS_MAX = 1024 };

static const int64_t flap_s = 300; /* losses within it are one story */

const char *const ct_watch_kind_names[] = {"rate", "delay", "loss", "flap", "host", "route", NULL};

static const char *name_of(const struct ct_topology *topology, uint32_t direction, bool far)
{
    return ct_topology_name(topology, ct_finder_end(topology, direction, far));
}

static void reset_tests(struct ct_watch_finder *finder)
{
    for (int kind = 0; kind < CT_SEEN_N_KINDS; kind++) {
        for (size_t i = 0; i < 2 * (size_t)finder->topology->n_links; i++)
            finder->streams[kind][i].detector = (struct ct_detector){0};
        finder->questions[kind].asked_again = 0;
    }
    for (size_t i = 0; i < finder->flows.n; i++)
        finder->flows.streams[i].detector = (struct ct_detector){0};
    finder->flows.question.asked_again = 0;
}

/* The test that losses are not half of the least share that they may have been, or that as many
 * messages are fast as a load leaves. */
static struct ct_detector_bets ending_of(enum ct_seen_kind kind, double lost_frac, double null)
{
    struct ct_detector_bets bets = {.n = 1};
    bets.null = kind == CT_SEEN_LOSS ? lost_frac / 2 : (1 + null) / 2;
    bets.on[0] = kind == CT_SEEN_LOSS ? bets.null / 10 : null;
    return bets;
}

static bool has_passed(struct ct_watch_finder *finder, const struct ct_finder_lasting *lasting,
                       const struct ct_seen *seen)
{
    const struct ct_watch_alarm *alarm = &finder->alarms[lasting->alarm];
    if (alarm->host != CT_FINDER_NONE)
        return seen->from == lasting->node || seen->to == lasting->node;
    return ct_recent_passes(&finder->recent, seen, alarm->suspects,
                            alarm->n_suspects > 0 ? alarm->n_suspects : 1);
}

/* A loss at the link whose losses have just ended: it is down again. */
static struct ct_watch_alarm *find_flapping(struct ct_watch_finder *finder,
                                            const struct ct_watch_alarm *alarm)
{
    for (size_t i = finder->n_alarms; i-- > 0 && alarm->kind == CT_WATCH_LOSS;) {
        struct ct_watch_alarm *known = &finder->alarms[i];
        if ((known->kind == CT_WATCH_LOSS || known->kind == CT_WATCH_FLAP) &&
            ct_finder_is_near(finder, known->ended_unix_ns, flap_s) &&
            known->suspects[0] / 2 == alarm->suspects[0] / 2)
            return known;
    }
    return NULL;
}

static bool is_narrower(uint32_t n_suspects, const struct ct_watch_alarm *alarm)
{
    return n_suspects > 0 && n_suspects <= CT_WATCH_SUSPECTS_MAX &&
           (alarm->n_suspects == 0 || n_suspects < alarm->n_suspects);
}

static uint64_t add_alarm(uint64_t explained_by, uint64_t alarm)
{
    return explained_by == 0 || explained_by == alarm ? alarm : CT_RECENT_BY_SEVERAL;
}

static void mark_explained(struct ct_watch_finder *finder, const struct ct_finder_lasting *lasting)
{
    uint64_t first = ct_recent_first(&finder->recent);
    for (uint64_t i = first; i < finder->recent.n; i++) {
        struct ct_seen *seen = &finder->recent.seen[i % CT_RECENT_MAX];
        if (has_passed(finder, lasting, seen))
            seen->explained_by = add_alarm(seen->explained_by, lasting->what.alarm);
    }
}

static enum ct_status begin_alarm(struct ct_watch_finder *finder, struct ct_watch_alarm alarm,
                                  struct ct_finder_lasting lasting, struct ct_error *err)
{
    if (finder->n_alarms == ALARMS_MAX && finder->n_lasting < ALARMS_MAX / 2) {
        size_t n = 0; /* those that ended first are forgotten */
        bool dropped = false;
        for (size_t i = 0; i < finder->n_alarms; i++) {
            bool drop = !dropped && finder->alarms[i].ended_unix_ns != 0;
            for (size_t k = 0; drop && k < finder->n_lasting; k++)
                finder->lasting[k].alarm -= finder->lasting[k].alarm > i;
            dropped |= drop;
            if (!drop)
                finder->alarms[n++] = finder->alarms[i];
        }
        finder->n_alarms = n;
    }
    if (!CT_ARRAY_RESERVE(finder->alarms, finder->alarms_room, finder->n_alarms + 1) ||
        !CT_ARRAY_RESERVE(finder->lasting, finder->lasting_room, finder->n_lasting + 1))
        return ct_no_memory(err, "alarms");
    lasting.lost_unix_ns = finder->now_unix_ns;
    struct ct_watch_alarm *flapping = find_flapping(finder, &alarm);
    if (flapping) {
        if (is_narrower(alarm.n_suspects, flapping)) {
            alarm.id = flapping->id;
            alarm.since_unix_ns = flapping->since_unix_ns;
            alarm.narrowed_unix_ns = finder->now_unix_ns;
            *flapping = alarm;
        }
        flapping->kind = CT_WATCH_FLAP;
        flapping->raised_unix_ns = finder->now_unix_ns;
        flapping->ended_unix_ns = 0;
        lasting.alarm = (size_t)(flapping - finder->alarms);
    } else {
        alarm.id = finder->next_id++;
        alarm.raised_unix_ns = finder->now_unix_ns;
        lasting.alarm = finder->n_alarms;
        finder->alarms[finder->n_alarms++] = alarm;
    }
    lasting.what.alarm = finder->alarms[lasting.alarm].id;
    finder->lasting[finder->n_lasting++] = lasting;
    mark_explained(finder, &lasting);
    reset_tests(finder);
    return CT_OK;
}

/* How much later than the floor those that passed the first suspect (to one node) were: the lower
 * decile, which a load does not move. @return how many there were */
static size_t measure_delay(struct ct_watch_finder *finder, enum ct_seen_kind kind, uint32_t to,
                            struct ct_watch_alarm *alarm)
{
    uint64_t first = ct_recent_first(&finder->recent);
    double *beyond_s = NULL;
    size_t n = 0, room = 0;
    for (uint64_t i = first; i < finder->recent.n; i++) {
        const struct ct_seen *seen = &finder->recent.seen[i % CT_RECENT_MAX];
        if (seen->kind == kind && seen->unix_ns >= alarm->since_unix_ns && !isnan(seen->beyond_s) &&
            (to == CT_FINDER_NONE || seen->to == to) &&
            ct_recent_passes(&finder->recent, seen, alarm->suspects, 1) &&
            CT_ARRAY_RESERVE(beyond_s, room, n + 1))
            beyond_s[n++] = (double)seen->beyond_s;
    }
    struct ct_interval interval = {NAN, NAN};
    ct_stats_sort(beyond_s, n);
    ct_stats_quantile(beyond_s, n, 0.1, &alarm->size);
    ct_stats_quantile_interval(beyond_s, n, 0.1, 0.9, &interval);
    alarm->low = interval.lo;
    alarm->high = interval.hi;
    free(beyond_s);
    return n;
}

/* What is later by `more_s` with each large message has lost this share of its rate. */
static double rate_lost(double rate_bit_per_s, double bytes, double more_s)
{
    double lost = more_s * rate_bit_per_s / (8 * bytes);
    return lost / (1 + lost);
}

/* The largest message of a kind whose time is known, there and back together or one way. */
static double bytes_of(const struct ct_watch_finder *finder, enum ct_seen_kind kind)
{
    double bytes = 0;
    for (uint32_t i = 0; i < finder->healthy.n; i++) {
        const struct ct_healthy_class *class = &finder->healthy.classes[i];
        if (class->is_round != finder->knows_one_way &&
            (class->bytes >= CT_WATCH_LARGE_BYTES) == (kind == CT_SEEN_LARGE))
            bytes = fmax(bytes, class->bytes);
    }
    return bytes;
}

static void measure_rate(struct ct_watch_finder *finder, struct ct_watch_alarm *alarm)
{
    double rate = finder->topology->links[alarm->suspects[0] / 2].rate_bit_per_s,
           bytes = bytes_of(finder, CT_SEEN_LARGE);
    measure_delay(finder, CT_SEEN_LARGE, CT_FINDER_NONE, alarm);
    alarm->size = rate_lost(rate, bytes, alarm->size);
    alarm->low = rate_lost(rate, bytes, alarm->low);
    alarm->high = rate_lost(rate, bytes, alarm->high);
}

/* Wilson's interval of a share. */
static struct ct_interval find_share(double bad, double n)
{
    double z = 1.645, p = bad / n, centre = p + z * z / (2 * n),
           half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    return (struct ct_interval){(centre - half) / (1 + z * z / n),
                                (centre + half) / (1 + z * z / n)};
}

static void measure_share(struct ct_watch_alarm *alarm, double bad, double n)
{
    const struct ct_interval share = find_share(bad, n);
    alarm->size = bad / n;
    alarm->low = share.lo;
    alarm->high = share.hi;
}

static bool small_are_slow(struct ct_watch_finder *finder, const struct ct_watch_alarm *alarm)
{
    uint64_t first = ct_recent_first(&finder->recent), n = 0, slow = 0;
    for (uint64_t i = first; i < finder->recent.n; i++) {
        const struct ct_seen *seen = &finder->recent.seen[i % CT_RECENT_MAX];
        if (seen->kind == CT_SEEN_SMALL && seen->unix_ns >= alarm->since_unix_ns &&
            ct_recent_passes(&finder->recent, seen, alarm->suspects, 1)) {
            n++;
            slow += seen->is_bad;
        }
    }
    const struct ct_finder_question *question = &finder->questions[CT_SEEN_SMALL];
    return n >= 20 && (double)slow > (1 + question->bets.null) / 2 * (double)n;
}

/* A lower rate makes messages later by their bytes, a delay makes all later by the same. Where
 * small messages, too, notice a lower rate, this tells them apart. */
static bool grows_with_bytes(struct ct_watch_finder *finder, const struct ct_watch_alarm *alarm)
{
    enum { LEAST = 5 };
    struct ct_watch_alarm small = *alarm, large = *alarm;
    return measure_delay(finder, CT_SEEN_SMALL, CT_FINDER_NONE, &small) >= LEAST &&
           measure_delay(finder, CT_SEEN_LARGE, CT_FINDER_NONE, &large) >= LEAST &&
           large.size * bytes_of(finder, CT_SEEN_SMALL) >
               ct_watch_constants[CT_WATCH_BYTES_SHARE].value * small.size *
                   bytes_of(finder, CT_SEEN_LARGE);
}

/* Whether all suspects are links of the node. */
static bool are_of_node(const struct ct_watch_finder *finder, const uint32_t *suspects, uint32_t n,
                        uint32_t node)
{
    bool own = node != CT_FINDER_NONE;
    for (uint32_t i = 0; own && i < n && i < CT_WATCH_SUSPECTS_MAX; i++)
        own = ct_finder_end(finder->topology, suspects[i], true) == node ||
              ct_finder_end(finder->topology, suspects[i], false) == node;
    return own;
}

/* The host whose own links all suspects are, if it is late itself. */
static uint32_t find_late_host(const struct ct_watch_finder *finder,
                               const struct ct_explained *explained)
{
    for (size_t host = 0; host < finder->n_hosts; host++) {
        const struct ct_finder_member *member = &finder->members[host];
        bool own = are_of_node(finder, explained->suspects, explained->n, member->node),
             late = false;
        for (int i = 0; own && i < CT_N_LATENESS; i++)
            late |= ct_detector_log_evidence(&member->streams[i].detector,
                                             &finder->host_questions[i].bets) >
                    finder->log_threshold / 2;
        if (late)
            return (uint32_t)host;
    }
    return CT_FINDER_NONE;
}

static void write_reason(const struct ct_watch_finder *finder, const struct ct_explained *explained,
                         struct ct_watch_alarm *alarm)
{
    static const char *const what[] = {
        [CT_WATCH_RATE] = "large messages are slower than they ever were",
        [CT_WATCH_DELAY] = "no message is as fast as on healthy paths",
        [CT_WATCH_LOSS] = "messages are lost",
        [CT_WATCH_FLAP] = "messages are lost again and again",
        [CT_WATCH_HOST] = "it sends and answers late",
        [CT_WATCH_ROUTE] = "messages to one host alone are slower: do they take another way?"};
    const struct ct_topology *topology = finder->topology;
    if (alarm->kind == CT_WATCH_HOST)
        snprintf(alarm->reason, sizeof alarm->reason, "%.64s: %s", finder->hosts[alarm->host].name,
                 what[alarm->kind]);
    else
        snprintf(alarm->reason, sizeof alarm->reason,
                 "%.64s to %.64s: %s (%llu of %llu that passed)",
                 name_of(topology, explained->suspects[0], false),
                 name_of(topology, explained->suspects[0], true), what[alarm->kind],
                 (unsigned long long)explained->bad, (unsigned long long)explained->passed);
}

static enum ct_watch_kind kind_of(struct ct_watch_finder *finder, enum ct_seen_kind kind,
                                  const struct ct_explained *explained,
                                  const struct ct_watch_alarm *alarm)
{
    if (alarm->host != CT_FINDER_NONE)
        return CT_WATCH_HOST;
    if (kind == CT_SEEN_LOSS)
        return CT_WATCH_LOSS;
    if (explained->is_route)
        return CT_WATCH_ROUTE;
    bool is_rate = (kind == CT_SEEN_LARGE && !small_are_slow(finder, alarm)) ||
                   grows_with_bytes(finder, alarm);
    return is_rate ? CT_WATCH_RATE : CT_WATCH_DELAY;
}

/* Its place, size and reason. */
static void locate_alarm(struct ct_watch_finder *finder, enum ct_seen_kind kind,
                         const struct ct_explained *explained, struct ct_watch_alarm *alarm)
{
    memcpy(alarm->suspects, explained->suspects, sizeof alarm->suspects);
    if (alarm->kind == CT_WATCH_LOSS || alarm->kind == CT_WATCH_FLAP)
        measure_share(alarm, (double)explained->bad, (double)explained->passed);
    else if (alarm->kind == CT_WATCH_RATE)
        measure_rate(finder, alarm);
    else
        measure_delay(finder, kind, explained->is_route ? explained->route_to : CT_FINDER_NONE,
                      alarm);
    write_reason(finder, explained, alarm);
    if (alarm->kind != CT_WATCH_HOST && explained->n <= CT_WATCH_SUSPECTS_MAX)
        alarm->n_suspects = explained->n;
}

enum ct_status ct_finder_raise(struct ct_watch_finder *finder, const struct ct_seen *seen,
                               struct ct_finder_question *question,
                               const struct ct_detector *detector, uint32_t direction,
                               struct ct_error *err)
{
    struct ct_explained explained;
    double evidence = ct_detector_log_evidence(detector, &question->bets);
    struct ct_watch_alarm alarm = {.since_unix_ns = ct_detector_since(detector, &question->bets),
                                   .host = CT_FINDER_NONE,
                                   .log_evidence = evidence,
                                   .size = NAN,
                                   .low = NAN,
                                   .high = NAN};
    bool is_flow = question == &finder->flows.question;
    const struct ct_explain what = {.kind = seen->kind,
                                    .since_unix_ns = alarm.since_unix_ns,
                                    .least_frac =
                                        seen->kind == CT_SEEN_LOSS ? 0 : question->bets.on[1],
                                    .from = is_flow ? seen->from : 0,
                                    .to = is_flow ? seen->to : 0};
    enum ct_seen_kind kind = what.kind;
    enum ct_status status = ct_recent_explain(&finder->recent, &what, &explained, err);
    bool patient = evidence < 2 * finder->log_threshold;
    if ((status == CT_ENODATA || (status == CT_OK && explained.n > CT_WATCH_SUSPECTS_MAX)) &&
        patient) {
        question->asked_again = evidence + 1; /* more will be known */
        return CT_OK;
    }
    if (status == CT_ENODATA) {
        explained = (struct ct_explained){.n = CT_WATCH_SUSPECTS_MAX + 1, .passed = 1, .bad = 1};
        explained.suspects[0] = direction;
    } else if (status != CT_OK)
        return status;
    memcpy(alarm.suspects, explained.suspects, sizeof alarm.suspects);
    alarm.host = find_late_host(finder, &explained);
    alarm.kind = kind_of(finder, kind, &explained, &alarm);
    locate_alarm(finder, kind, &explained, &alarm);
    const struct ct_finder_lasting lasting = {
        .what = what,
        .node = alarm.host == CT_FINDER_NONE ? CT_FINDER_NONE : finder->members[alarm.host].node,
        .bets = ending_of(kind, find_share((double)explained.bad, (double)explained.passed).lo,
                          question->bets.null)};
    return begin_alarm(finder, alarm, lasting, err);
}

enum ct_status ct_finder_raise_host(struct ct_watch_finder *finder, uint32_t host,
                                    enum ct_lateness lateness, struct ct_error *err)
{
    const struct ct_finder_question *question = &finder->host_questions[lateness];
    const struct ct_detector *detector = &finder->members[host].streams[lateness].detector;
    struct ct_watch_alarm alarm = {.since_unix_ns = ct_detector_since(detector, &question->bets),
                                   .host = host,
                                   .kind = CT_WATCH_HOST,
                                   .log_evidence =
                                       ct_detector_log_evidence(detector, &question->bets),
                                   .size = NAN,
                                   .low = NAN,
                                   .high = NAN};
    const struct ct_finder_lasting lasting = {
        .by_lateness = true,
        .lateness = lateness,
        .node = finder->members[host].node,
        .bets = ending_of(CT_SEEN_SMALL, NAN, question->bets.null)};
    write_reason(finder, NULL, &alarm);
    for (size_t i = 0; i < finder->n_lasting; i++) { /* its links were suspected first */
        struct ct_watch_alarm *known = &finder->alarms[finder->lasting[i].alarm];
        if (known->n_suspects > 0 &&
            are_of_node(finder, known->suspects, known->n_suspects, lasting.node)) {
            alarm.id = known->id;
            alarm.raised_unix_ns = known->raised_unix_ns;
            *known = alarm;
            finder->lasting[i].node = lasting.node;
            return CT_OK;
        }
    }
    return begin_alarm(finder, alarm, lasting, err);
}

static void end_alarm(struct ct_watch_finder *finder, size_t i)
{
    struct ct_watch_alarm *alarm = &finder->alarms[finder->lasting[i].alarm];
    alarm->ended_unix_ns = finder->now_unix_ns;
    for (int k = 0; k < CT_N_LATENESS && alarm->host != CT_FINDER_NONE; k++)
        finder->members[alarm->host].streams[k].detector = (struct ct_detector){0};
    finder->lasting[i] = finder->lasting[--finder->n_lasting];
}

static bool end_is_due(struct ct_finder_lasting *lasting, bool is_bad, int64_t unix_ns)
{
    ct_detector_take(&lasting->ending, &lasting->bets, is_bad, unix_ns);
    return ct_detector_log_evidence(&lasting->ending, &lasting->bets) >
           log(1e6); /* once in a million that passed, at most, an end is none */
}

static void count_losses(struct ct_watch_finder *finder, struct ct_finder_lasting *lasting,
                         bool is_lost)
{
    lasting->passed++;
    lasting->lost += is_lost;
    if (is_lost)
        lasting->lost_unix_ns = finder->now_unix_ns;
    if (lasting->lost > 0 && lasting->passed >= 100)
        measure_share(&finder->alarms[lasting->alarm], (double)lasting->lost,
                      (double)lasting->passed);
}

/* By what was seen since, where fewer explain it then. Only a bad one is a reason to ask: good ones
 * that follow its end would make a link with many messages look better than one with few. */
static void narrow_alarm(struct ct_watch_finder *finder, struct ct_finder_lasting *lasting)
{
    struct ct_watch_alarm *alarm = &finder->alarms[lasting->alarm];
    struct ct_explained explained;
    struct ct_error err; /* its place stays as it is */
    lasting->bad++;
    if (alarm->host != CT_FINDER_NONE || alarm->kind == CT_WATCH_ROUTE || alarm->n_suspects == 1 ||
        (lasting->bad & (lasting->bad - 1)) != 0 || lasting->bad < 4 ||
        ct_recent_explain(&finder->recent, &lasting->what, &explained, &err) != CT_OK ||
        explained.is_route || !is_narrower(explained.n, alarm))
        return;
    locate_alarm(finder, lasting->what.kind, &explained, alarm);
    alarm->narrowed_unix_ns = finder->now_unix_ns;
    if (lasting->what.kind == CT_SEEN_LOSS)
        lasting->bets = ending_of(CT_SEEN_LOSS, alarm->low, NAN);
    lasting->ending = (struct ct_detector){0};
    lasting->passed = lasting->lost = 0;
    mark_explained(finder, lasting);
    reset_tests(finder);
}

uint64_t ct_finder_explains(struct ct_watch_finder *finder, const struct ct_seen *seen)
{
    uint64_t explained_by = 0;
    for (size_t i = 0; i < finder->n_lasting;) {
        struct ct_finder_lasting *lasting = &finder->lasting[i];
        bool passed = has_passed(finder, lasting, seen),
             is_asked = passed && !lasting->by_lateness && seen->kind == lasting->what.kind;
        if (passed)
            explained_by = add_alarm(explained_by, lasting->what.alarm);
        if (is_asked && seen->kind == CT_SEEN_LOSS && lasting->node == CT_FINDER_NONE)
            count_losses(finder, lasting, seen->is_bad);
        if (is_asked && seen->is_bad)
            narrow_alarm(finder, lasting);
        if (is_asked && end_is_due(lasting, seen->is_bad, seen->unix_ns) &&
            !(finder->alarms[lasting->alarm].kind == CT_WATCH_FLAP &&
              lasting->lost_unix_ns > finder->now_unix_ns - flap_s * CT_FINDER_SECOND_NS))
            end_alarm(finder, i);
        else
            i++;
    }
    return explained_by;
}

bool ct_finder_explains_late(struct ct_watch_finder *finder, uint32_t host,
                             enum ct_lateness lateness, bool is_late)
{
    for (size_t i = 0; i < finder->n_lasting; i++) {
        struct ct_finder_lasting *lasting = &finder->lasting[i];
        if (finder->alarms[lasting->alarm].host != host)
            continue;
        if (lasting->by_lateness && lasting->lateness == lateness &&
            end_is_due(lasting, is_late, finder->now_unix_ns))
            end_alarm(finder, i);
        return true;
    }
    return false;
}
