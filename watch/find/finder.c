#include "watch/find/finder.h"

#include "core/array.h"
#include "core/stats.h"
#include "topology/places.h"
#include "watch/find/constants.h"
#include "watch/find/detector.h"
#include "watch/find/healthy.h"
#include "watch/find/recent.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE_BYTES = 4096, ALARMS_MAX = 1024, UNKNOWN_MAX = 4 };

static const uint32_t none = UINT32_MAX;
static const int64_t second_ns = 1000000000, day_s = 86400,
                     flap_s = 300; /* losses within it are one story */

const char *const ct_watch_kind_names[] = {"rate", "delay", "loss", "flap", "host", "route", NULL};

/* Yes and no of a direction or a host. */
struct stream {
    struct ct_detector detector;
    uint32_t n, bad; /* of the window of learning */
};

enum lateness { HOLD, LATE, N_LATENESS };

struct member {
    uint32_t node; /* none: not in the topology */
    struct stream streams[N_LATENESS];
};

/* What a test asks, of all directions or all hosts. */
struct question {
    struct ct_detector_bets bets;
    double worst_frac; /* of a window of learning */
    uint64_t n_windows;
    uint64_t n, bad;    /* in learning */
    double asked_again; /* evidence at which suspects were looked for in vain */
};

struct lasting {
    size_t alarm; /* index */
    enum ct_seen_kind kind;
    enum lateness lateness; /* HOST */
    bool by_lateness;
    uint32_t node;         /* HOST; else none */
    int64_t lost_unix_ns;  /* last loss */
    uint64_t passed, lost; /* since it was raised: what raised it has more losses than usual */
    struct ct_detector ending;
    struct ct_detector_bets bets;
};

enum phase { FLOORS, SHARES, WATCHING };

/* One struct: each observation goes through all of it. */
struct ct_watch_finder {
    const struct ct_topology *topology;
    struct ct_watch_rules rules;
    enum phase phase;
    int64_t begun_unix_ns, now_unix_ns;
    uint64_t n_tested; /* in the second half of learning */
    double log_threshold;
    uint64_t n_unlisted; /* samples left out */
    bool knows_one_way;  /* what healthy paths take there and back, of most classes */

    struct ct_recent recent;
    struct ct_healthy healthy;
    struct ct_reservoir lateness[N_LATENESS];
    double late_s[N_LATENESS];
    struct stream *streams[CT_SEEN_N_KINDS]; /* [2 n_links] */
    struct question questions[CT_SEEN_N_KINDS], host_questions[N_LATENESS];
    struct {
        struct ct_map numbers; /* of a switch and the node that it sends to */
        struct stream *streams;
        size_t n, room;
        struct question question;
    } flows; /* small messages one way: a wrong route is lost among all that pass its links */

    struct member *members; /* [n_hosts] */
    struct ct_watch_host *hosts;
    size_t n_hosts;
    struct ct_watch_alarm *alarms; /* oldest first */
    size_t n_alarms, alarms_room;
    struct lasting *lasting;
    size_t n_lasting, lasting_room;
    uint64_t next_id;

    struct ct_watch_state state;
    struct ct_watch_alarm *shown; /* newest first */
    struct ct_watch_class *classes;
    double *load;
    char unknown_text[UNKNOWN_MAX][160];
    const char *unknown[UNKNOWN_MAX];
};

enum ct_status ct_watch_finder_new(const struct ct_topology *topology,
                                   const struct ct_watch_rules *rules,
                                   struct ct_watch_finder **finder_p, struct ct_error *err)
{
    if (!(rules->false_alarms_per_day > 0 && isfinite(rules->false_alarms_per_day)))
        return ct_fail(err, CT_EINVAL, "%g false alarms a day: give a number above 0",
                       rules->false_alarms_per_day);
    if (!(rules->learn_s >= 2 && isfinite(rules->learn_s)))
        return ct_fail(err, CT_EINVAL, "%g s to learn: give 2 s or more", rules->learn_s);
    struct ct_watch_finder *finder = calloc(1, sizeof *finder);
    if (!finder)
        return ct_no_memory(err, "a watch");
    *finder = (struct ct_watch_finder){
        .topology = topology, .rules = *rules, .next_id = 1, .late_s = {NAN, NAN}};
    enum ct_status status = ct_recent_new(topology, &finder->recent, err);
    size_t n_directions = 2 * (size_t)topology->n_links;
    for (int kind = 0; kind < CT_SEEN_N_KINDS && status == CT_OK; kind++) {
        finder->streams[kind] = calloc(n_directions + 1, sizeof *finder->streams[kind]);
        if (!finder->streams[kind])
            status = ct_no_memory(err, "a watch");
    }
    if (status == CT_OK && !CT_ARRAY_RESIZE(finder->load, n_directions + 1))
        status = ct_no_memory(err, "a watch");
    for (size_t i = 0; status == CT_OK && i < n_directions; i++)
        finder->load[i] = NAN;
    if (status == CT_OK)
        *finder_p = finder;
    else
        ct_watch_finder_free(finder);
    return status;
}

void ct_watch_finder_free(struct ct_watch_finder *finder)
{
    if (!finder)
        return;
    ct_recent_free(&finder->recent);
    ct_healthy_free(&finder->healthy);
    for (int i = 0; i < N_LATENESS; i++)
        free(finder->lateness[i].kept);
    for (int kind = 0; kind < CT_SEEN_N_KINDS; kind++)
        free(finder->streams[kind]);
    ct_map_free(&finder->flows.numbers);
    free(finder->flows.streams);
    free(finder->members);
    free(finder->hosts);
    free(finder->alarms);
    free(finder->lasting);
    free(finder->shown);
    free(finder->classes);
    free(finder->load);
    free(finder);
}

/* By its name; in a topology from a generator as in labs, or in the order in which hosts came. */
static void find_node(const struct ct_topology *topology, const char *name, size_t i,
                      uint32_t *node_p)
{
    if (ct_topology_find_host(topology, name, node_p) || topology->line)
        return;
    if (ct_topology_place(topology, &name, 1, CT_PLACES_OF_LAB, node_p, NULL) != CT_OK &&
        i < topology->n_nodes)
        *node_p = (uint32_t)i;
}

enum ct_status ct_watch_finder_hosts(struct ct_watch_finder *finder,
                                     const struct ct_watch_host *hosts, size_t n_hosts,
                                     struct ct_error *err)
{
    if (n_hosts < finder->n_hosts)
        return ct_fail(err, CT_EINVAL, "%zu hosts, where %zu were known", n_hosts, finder->n_hosts);
    if (!CT_ARRAY_RESIZE(finder->hosts, n_hosts) || !CT_ARRAY_RESIZE(finder->members, n_hosts))
        return ct_no_memory(err, "hosts");
    memcpy(finder->hosts, hosts, n_hosts * sizeof *hosts);
    for (size_t i = finder->n_hosts; i < n_hosts; i++) {
        finder->members[i] = (struct member){.node = none};
        find_node(finder->topology, hosts[i].name, i, &finder->members[i].node);
    }
    finder->n_hosts = n_hosts;
    return CT_OK;
}

/* ---- alarms ---- */

static uint32_t end_of(const struct ct_topology *topology, uint32_t direction, bool far)
{
    return topology->links[direction / 2].end[(direction % 2 == 0) == far];
}

static const char *name_of(const struct ct_topology *topology, uint32_t direction, bool far)
{
    return ct_topology_name(topology, end_of(topology, direction, far));
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

static bool has_passed(struct ct_watch_finder *finder, const struct lasting *lasting,
                       const struct ct_seen *seen)
{
    const struct ct_watch_alarm *alarm = &finder->alarms[lasting->alarm];
    if (lasting->node != none)
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
            known->ended_unix_ns > finder->now_unix_ns - flap_s * second_ns &&
            known->suspects[0] / 2 == alarm->suspects[0] / 2)
            return known;
    }
    return NULL;
}

static void mark_explained(struct ct_watch_finder *finder, const struct lasting *lasting)
{
    uint64_t first = finder->recent.n > CT_RECENT_MAX ? finder->recent.n - CT_RECENT_MAX : 0;
    for (uint64_t i = first; i < finder->recent.n; i++) {
        struct ct_seen *seen = &finder->recent.seen[i % CT_RECENT_MAX];
        seen->is_explained |= has_passed(finder, lasting, seen);
    }
}

static enum ct_status begin_alarm(struct ct_watch_finder *finder, struct ct_watch_alarm alarm,
                                  struct lasting lasting, struct ct_error *err)
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
        flapping->kind = CT_WATCH_FLAP;
        flapping->ended_unix_ns = 0;
        lasting.alarm = (size_t)(flapping - finder->alarms);
    } else {
        alarm.id = finder->next_id++;
        alarm.raised_unix_ns = finder->now_unix_ns;
        lasting.alarm = finder->n_alarms;
        finder->alarms[finder->n_alarms++] = alarm;
    }
    finder->lasting[finder->n_lasting++] = lasting;
    mark_explained(finder, &lasting);
    reset_tests(finder);
    return CT_OK;
}

/* How much later than the floor those that passed the first suspect (to one node) were: the lower
 * decile, which a load does not move. */
static void measure_delay(struct ct_watch_finder *finder, enum ct_seen_kind kind, uint32_t to,
                          struct ct_watch_alarm *alarm)
{
    uint64_t first = finder->recent.n > CT_RECENT_MAX ? finder->recent.n - CT_RECENT_MAX : 0;
    double *beyond_s = NULL;
    size_t n = 0, room = 0;
    for (uint64_t i = first; i < finder->recent.n; i++) {
        const struct ct_seen *seen = &finder->recent.seen[i % CT_RECENT_MAX];
        if (seen->kind == kind && seen->unix_ns >= alarm->since_unix_ns && !isnan(seen->beyond_s) &&
            (to == none || seen->to == to) &&
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
}

/* What is later by `more_s` with each large message has lost this share of its rate. */
static double rate_lost(double rate_bit_per_s, double bytes, double more_s)
{
    double lost = more_s * rate_bit_per_s / (8 * bytes);
    return lost / (1 + lost);
}

static void measure_rate(struct ct_watch_finder *finder, struct ct_watch_alarm *alarm)
{
    double rate = finder->topology->links[alarm->suspects[0] / 2].rate_bit_per_s, bytes = 0;
    for (uint32_t i = 0; i < finder->healthy.n; i++)
        if (finder->healthy.classes[i].bytes >= LARGE_BYTES)
            bytes = finder->healthy.classes[i].bytes;
    measure_delay(finder, CT_SEEN_LARGE, none, alarm);
    alarm->size = rate_lost(rate, bytes, alarm->size);
    alarm->low = rate_lost(rate, bytes, alarm->low);
    alarm->high = rate_lost(rate, bytes, alarm->high);
}

/* Wilson's interval of a share. */
static void measure_share(struct ct_watch_alarm *alarm, double bad, double n)
{
    double z = 1.645, p = bad / n, centre = p + z * z / (2 * n),
           half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    alarm->size = p;
    alarm->low = (centre - half) / (1 + z * z / n);
    alarm->high = (centre + half) / (1 + z * z / n);
}

static bool small_are_slow(struct ct_watch_finder *finder, const struct ct_watch_alarm *alarm)
{
    uint64_t first = finder->recent.n > CT_RECENT_MAX ? finder->recent.n - CT_RECENT_MAX : 0, n = 0,
             slow = 0;
    for (uint64_t i = first; i < finder->recent.n; i++) {
        const struct ct_seen *seen = &finder->recent.seen[i % CT_RECENT_MAX];
        if (seen->kind == CT_SEEN_SMALL && seen->unix_ns >= alarm->since_unix_ns &&
            ct_recent_passes(&finder->recent, seen, alarm->suspects, 1)) {
            n++;
            slow += seen->is_bad;
        }
    }
    const struct question *question = &finder->questions[CT_SEEN_SMALL];
    return n >= 20 && (double)slow > (1 + question->bets.null) / 2 * (double)n;
}

/* Whether all suspects are links of the node. */
static bool are_of_node(const struct ct_watch_finder *finder, const uint32_t *suspects, uint32_t n,
                        uint32_t node)
{
    bool own = node != none;
    for (uint32_t i = 0; own && i < n && i < CT_WATCH_SUSPECTS_MAX; i++)
        own = end_of(finder->topology, suspects[i], true) == node ||
              end_of(finder->topology, suspects[i], false) == node;
    return own;
}

/* The host whose own links all suspects are, if it is late itself. */
static uint32_t find_late_host(const struct ct_watch_finder *finder,
                               const struct ct_explained *explained)
{
    for (size_t host = 0; host < finder->n_hosts; host++) {
        const struct member *member = &finder->members[host];
        bool own = are_of_node(finder, explained->suspects, explained->n, member->node),
             late = false;
        for (int i = 0; own && i < N_LATENESS; i++)
            late |= ct_detector_log_evidence(&member->streams[i].detector,
                                             &finder->host_questions[i].bets) >
                    finder->log_threshold / 2;
        if (late)
            return (uint32_t)host;
    }
    return none;
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
    if (alarm->host != none)
        return CT_WATCH_HOST;
    if (kind == CT_SEEN_LOSS)
        return CT_WATCH_LOSS;
    if (explained->is_route)
        return CT_WATCH_ROUTE;
    return kind == CT_SEEN_LARGE && !small_are_slow(finder, alarm) ? CT_WATCH_RATE : CT_WATCH_DELAY;
}

/* A test of what passes a direction has decided. */
static enum ct_status raise_alarm(struct ct_watch_finder *finder, const struct ct_seen *seen,
                                  struct question *question, const struct ct_detector *detector,
                                  uint32_t direction, struct ct_error *err)
{
    struct ct_explained explained;
    double evidence = ct_detector_log_evidence(detector, &question->bets);
    struct ct_watch_alarm alarm = {.since_unix_ns = ct_detector_since(detector, &question->bets),
                                   .host = none,
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
    if (alarm.kind == CT_WATCH_LOSS || alarm.kind == CT_WATCH_FLAP)
        measure_share(&alarm, (double)explained.bad, (double)explained.passed);
    else if (alarm.kind == CT_WATCH_RATE)
        measure_rate(finder, &alarm);
    else
        measure_delay(finder, kind, explained.is_route ? explained.route_to : none, &alarm);
    write_reason(finder, &explained, &alarm);
    if (alarm.kind != CT_WATCH_HOST && explained.n <= CT_WATCH_SUSPECTS_MAX)
        alarm.n_suspects = explained.n;
    const struct lasting lasting = {.kind = kind,
                                    .node = alarm.host == none ? none
                                                               : finder->members[alarm.host].node,
                                    .bets = ending_of(kind, alarm.low, question->bets.null)};
    return begin_alarm(finder, alarm, lasting, err);
}

static enum ct_status raise_host(struct ct_watch_finder *finder, uint32_t host,
                                 enum lateness lateness, struct ct_error *err)
{
    const struct question *question = &finder->host_questions[lateness];
    const struct ct_detector *detector = &finder->members[host].streams[lateness].detector;
    struct ct_watch_alarm alarm = {.since_unix_ns = ct_detector_since(detector, &question->bets),
                                   .host = host,
                                   .kind = CT_WATCH_HOST,
                                   .log_evidence =
                                       ct_detector_log_evidence(detector, &question->bets),
                                   .size = NAN,
                                   .low = NAN,
                                   .high = NAN};
    const struct lasting lasting = {.by_lateness = true,
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
    const struct lasting *lasting = &finder->lasting[i];
    finder->alarms[lasting->alarm].ended_unix_ns = finder->now_unix_ns;
    if (lasting->by_lateness)
        for (size_t host = 0; host < finder->n_hosts; host++)
            if (finder->members[host].node == lasting->node)
                for (int k = 0; k < N_LATENESS; k++)
                    finder->members[host].streams[k].detector = (struct ct_detector){0};
    finder->lasting[i] = finder->lasting[--finder->n_lasting];
}

/* ---- observations ---- */

static bool end_is_due(struct lasting *lasting, bool is_bad, int64_t unix_ns)
{
    ct_detector_take(&lasting->ending, &lasting->bets, is_bad, unix_ns);
    return ct_detector_log_evidence(&lasting->ending, &lasting->bets) >
           log(1e6); /* once in a million that passed, at most, an end is none */
}

static void count_losses(struct ct_watch_finder *finder, struct lasting *lasting, bool is_lost)
{
    lasting->passed++;
    lasting->lost += is_lost;
    if (is_lost)
        lasting->lost_unix_ns = finder->now_unix_ns;
    if (lasting->lost > 0 && lasting->passed >= 100)
        measure_share(&finder->alarms[lasting->alarm], (double)lasting->lost,
                      (double)lasting->passed);
}

/* Whether an alarm that lasts explains the observation. */
static bool is_explained(struct ct_watch_finder *finder, const struct ct_seen *seen)
{
    bool explained = false;
    for (size_t i = 0; i < finder->n_lasting;) {
        struct lasting *lasting = &finder->lasting[i];
        bool passed = has_passed(finder, lasting, seen);
        explained |= passed;
        if (passed && !lasting->by_lateness && lasting->node == none &&
            lasting->kind == CT_SEEN_LOSS && seen->kind == CT_SEEN_LOSS)
            count_losses(finder, lasting, seen->is_bad);
        if (passed && !lasting->by_lateness && seen->kind == lasting->kind &&
            end_is_due(lasting, seen->is_bad, seen->unix_ns) &&
            !(finder->alarms[lasting->alarm].kind == CT_WATCH_FLAP &&
              lasting->lost_unix_ns > finder->now_unix_ns - flap_s * second_ns))
            end_alarm(finder, i);
        else
            i++;
    }
    return explained;
}

static void learn_share(struct question *question, struct stream *stream, bool is_bad)
{
    const double window = ct_watch_constants[CT_WATCH_SHARE_WINDOW].value;
    stream->n++;
    stream->bad += is_bad;
    question->n++;
    question->bad += is_bad;
    if (stream->n < window)
        return;
    question->n_windows++;
    question->worst_frac = fmax(question->worst_frac, stream->bad / window);
    stream->n = stream->bad = 0;
}

static enum ct_status test_stream(struct ct_watch_finder *finder, const struct ct_seen *seen,
                                  struct question *question, struct stream *stream,
                                  uint32_t direction, struct ct_error *err)
{
    if (finder->phase == SHARES) {
        finder->n_tested++;
        learn_share(question, stream, seen->is_bad);
        return CT_OK;
    }
    ct_detector_take(&stream->detector, &question->bets, seen->is_bad, seen->unix_ns);
    double evidence = ct_detector_log_evidence(&stream->detector, &question->bets);
    if (evidence > finder->log_threshold && evidence > question->asked_again)
        return raise_alarm(finder, seen, question, &stream->detector, direction, err);
    return CT_OK;
}

static enum ct_status test_direction(struct ct_watch_finder *finder, const struct ct_seen *seen,
                                     uint32_t direction, struct ct_error *err)
{
    return test_stream(finder, seen, &finder->questions[seen->kind],
                       &finder->streams[seen->kind][direction], direction, err);
}

static enum ct_status test_flow(struct ct_watch_finder *finder, const struct ct_seen *seen,
                                uint32_t direction, struct ct_error *err)
{
    if (seen->is_round || seen->kind != CT_SEEN_SMALL)
        return CT_OK;
    uint64_t key = ct_map_pair(end_of(finder->topology, direction, true), seen->to),
             found = ct_map_get(&finder->flows.numbers, key);
    if (found == 0) {
        if (!CT_ARRAY_RESERVE(finder->flows.streams, finder->flows.room, finder->flows.n + 1) ||
            !ct_map_set(&finder->flows.numbers, key, finder->flows.n + 1))
            return ct_no_memory(err, "ways to hosts");
        finder->flows.streams[finder->flows.n++] = (struct stream){0};
        found = finder->flows.n;
    }
    return test_stream(finder, seen, &finder->flows.question, &finder->flows.streams[found - 1],
                       direction, err);
}

static enum ct_status take_seen(struct ct_watch_finder *finder, const struct ct_seen *seen,
                                struct ct_error *err)
{
    if (finder->phase == FLOORS)
        return CT_OK;
    struct ct_seen kept = *seen;
    kept.is_explained = finder->phase == WATCHING && is_explained(finder, seen);
    ct_recent_add(&finder->recent, &kept);
    if (kept.is_explained)
        return CT_OK;
    uint32_t directions[2 * CT_WATCH_PATH_MAX], n = 0;
    for (int way = 0; way <= seen->is_round; way++) {
        const uint32_t *path;
        enum ct_status status = ct_recent_path(&finder->recent, way ? seen->to : seen->from,
                                               way ? seen->from : seen->to, &path, err);
        if (status != CT_OK)
            return status;
        for (uint32_t i = 1; i <= path[0] && n < 2 * CT_WATCH_PATH_MAX; i++)
            directions[n++] = path[i];
    }
    size_t n_lasting = finder->n_lasting;
    enum ct_status status = CT_OK;
    for (uint32_t i = 0; i < n && status == CT_OK && finder->n_lasting == n_lasting; i++)
        status = test_direction(finder, seen, directions[i], err);
    if (status == CT_OK && n > 0 && finder->n_lasting == n_lasting)
        status = test_flow(finder, seen, directions[0], err);
    return status;
}

static enum ct_status take_time(struct ct_watch_finder *finder, struct ct_seen seen, uint32_t bytes,
                                struct ct_error *err)
{
    const uint32_t *path;
    if (!(seen.time_s >= 0) || isinf(seen.time_s))
        return CT_OK;
    enum ct_status status = ct_recent_path(&finder->recent, seen.from, seen.to, &path, err);
    if (status != CT_OK)
        return status;
    uint32_t links = path[0];
    if (seen.is_round &&
        (status = ct_recent_path(&finder->recent, seen.to, seen.from, &path, err)) != CT_OK)
        return status;
    links += seen.is_round ? path[0] : 0;
    uint32_t number = ct_healthy_class(&finder->healthy, links, bytes, seen.is_round);
    if (number == UINT32_MAX)
        return ct_no_memory(err, "classes of paths");
    const struct ct_healthy_class *class = &finder->healthy.classes[number];
    unsigned hour = (unsigned)(seen.unix_ns / second_ns % day_s / 3600);
    if (!ct_healthy_take(&finder->healthy, number, isnan(class->floor_s) ? CT_HEALTHY_HOURS : hour,
                         (double)seen.time_s))
        return ct_no_memory(err, "what healthy paths take");
    /* A class that comes later, as one-way times do, is learned then. */
    if (isnan(class->floor_s) && finder->phase != FLOORS && class->all.n % CT_HEALTHY_KEPT == 0)
        status = ct_healthy_settle(&finder->healthy, err);
    if (status != CT_OK)
        return status;
    if (isnan(class->floor_s))
        return CT_OK;
    finder->knows_one_way |= !seen.is_round;
    seen.class = number;
    seen.kind = bytes >= LARGE_BYTES ? CT_SEEN_LARGE : CT_SEEN_SMALL;
    seen.beyond_s = (float)((double)seen.time_s - class->floor_s);
    seen.is_bad = (double)seen.time_s > class->slow_s;
    return take_seen(finder, &seen, err);
}

static enum ct_status take_lateness(struct ct_watch_finder *finder, uint32_t host,
                                    enum lateness lateness, double late_s, struct ct_error *err)
{
    struct question *question = &finder->host_questions[lateness];
    struct member *member = &finder->members[host];
    struct stream *stream = &member->streams[lateness];
    if (!(late_s >= 0))
        return CT_OK;
    if (finder->phase == FLOORS)
        return ct_reservoir_take(&finder->lateness[lateness], late_s, &finder->healthy.random)
                   ? CT_OK
                   : ct_no_memory(err, "what healthy hosts take");
    bool is_late = late_s > finder->late_s[lateness];
    if (finder->phase == SHARES) {
        finder->n_tested++;
        learn_share(question, stream, is_late);
        return CT_OK;
    }
    for (size_t i = 0; i < finder->n_lasting; i++) {
        struct lasting *lasting = &finder->lasting[i];
        if (lasting->node != member->node || lasting->node == none)
            continue;
        if (lasting->by_lateness && lasting->lateness == lateness &&
            end_is_due(lasting, is_late, finder->now_unix_ns))
            end_alarm(finder, i);
        return CT_OK;
    }
    ct_detector_take(&stream->detector, &question->bets, is_late, finder->now_unix_ns);
    if (ct_detector_log_evidence(&stream->detector, &question->bets) > finder->log_threshold)
        return raise_host(finder, host, lateness, err);
    return CT_OK;
}

/* ---- learning ---- */

static struct ct_detector_bets bets_of_slow(const struct question *question)
{
    double left = ct_watch_constants[CT_WATCH_SHARE_LEFT].value,
           worst_frac = question->n_windows > 0 ? question->worst_frac : 1,
           null = fmin(ct_watch_constants[CT_WATCH_SLOW_MAX].value, 1 - (1 - worst_frac) * left);
    return (struct ct_detector_bets){
        .null = null, .n = 2, .on = {1 - 0.02 * (1 - null), 1 - 0.3 * (1 - null)}};
}

/* A host may be late three times as often as any was. */
static struct ct_detector_bets bets_of_lateness(const struct question *question)
{
    double worst_frac = question->n_windows > 0 ? question->worst_frac : 1,
           null = fmin(0.9, fmax(0.02, worst_frac / ct_watch_constants[CT_WATCH_SHARE_LEFT].value));
    return (struct ct_detector_bets){
        .null = null, .n = 2, .on = {1 - 0.7 * (1 - null), 1 - 0.2 * (1 - null)}};
}

static struct ct_detector_bets bets_of_loss(const struct question *question)
{
    double seen = question->n > 0 ? (double)question->bad / (double)question->n : 0,
           null = fmin(0.05, fmax(ct_watch_constants[CT_WATCH_LOSS_LEAST].value, 3 * seen));
    return (struct ct_detector_bets){
        .null = null, .n = 4, .on = {null * 5, fmin(0.3, null * 30), fmin(0.5, null * 300), 0.9}};
}

static enum ct_status change_phase(struct ct_watch_finder *finder, struct ct_error *err)
{
    double passed_s = 1e-9 * (double)(finder->now_unix_ns - finder->begun_unix_ns);
    if (finder->phase == FLOORS && passed_s >= finder->rules.learn_s / 2) {
        finder->phase = SHARES;
        for (int i = 0; i < N_LATENESS; i++)
            finder->late_s[i] = ct_reservoir_quantile(&finder->lateness[i], 0.99);
        return ct_healthy_settle(&finder->healthy, err);
    }
    if (finder->phase == SHARES && passed_s >= finder->rules.learn_s) {
        finder->phase = WATCHING;
        for (int kind = 0; kind < CT_SEEN_N_KINDS; kind++)
            finder->questions[kind].bets = kind == CT_SEEN_LOSS
                                               ? bets_of_loss(&finder->questions[kind])
                                               : bets_of_slow(&finder->questions[kind]);
        finder->flows.question.bets = bets_of_slow(&finder->flows.question);
        for (int i = 0; i < N_LATENESS; i++)
            finder->host_questions[i].bets = bets_of_lateness(&finder->host_questions[i]);
        double tested_per_day =
            2 * (double)finder->n_tested / finder->rules.learn_s * (double)day_s;
        finder->log_threshold = log(fmax(M_E, tested_per_day / finder->rules.false_alarms_per_day));
    }
    return CT_OK;
}

static enum ct_status take_sample(struct ct_watch_finder *finder,
                                  const struct ct_watch_sample *sample, struct ct_error *err)
{
    if (sample->from >= finder->n_hosts || sample->to >= finder->n_hosts ||
        sample->from == sample->to) {
        finder->n_unlisted++; /* a host that has just joined */
        return CT_OK;
    }
    if (finder->begun_unix_ns == 0)
        finder->begun_unix_ns = sample->unix_ns;
    if (sample->unix_ns > finder->now_unix_ns)
        finder->now_unix_ns = sample->unix_ns;
    enum ct_status status = change_phase(finder, err);
    if (status == CT_OK)
        status = take_lateness(finder, sample->from, LATE, (double)sample->late_s, err);
    uint32_t from = finder->members[sample->from].node, to = finder->members[sample->to].node;
    if (status != CT_OK || sample->fate == CT_WATCH_SKIPPED || from == none || to == none)
        return status;
    struct ct_seen seen = {.unix_ns = sample->unix_ns,
                           .from = from,
                           .to = to,
                           .time_s = NAN,
                           .beyond_s = NAN,
                           .kind = CT_SEEN_LOSS,
                           .is_round = true,
                           .is_bad = sample->fate == CT_WATCH_LOST};
    status = take_seen(finder, &seen, err);
    if (status != CT_OK || seen.is_bad)
        return status;
    status = take_lateness(finder, sample->to, HOLD, (double)sample->hold_s, err);
    bool both = !isnan(sample->there_s) && !isnan(sample->back_s);
    seen.time_s = sample->round_s;
    if (status == CT_OK && !(both && finder->knows_one_way))
        status = take_time(finder, seen, sample->bytes + sample->answer_bytes, err);
    if (status != CT_OK || !both)
        return status;
    seen.is_round = false;
    seen.time_s = sample->there_s;
    status = take_time(finder, seen, sample->bytes, err);
    seen.from = to;
    seen.to = from;
    seen.time_s = sample->back_s;
    return status == CT_OK ? take_time(finder, seen, sample->answer_bytes, err) : status;
}

enum ct_status ct_watch_finder_take(struct ct_watch_finder *finder,
                                    const struct ct_watch_sample *samples, size_t n,
                                    struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < n && status == CT_OK; i++)
        status = take_sample(finder, &samples[i], err);
    return status;
}

/* ---- what is said ---- */

/* Small messages of the last minute, by links. */
static enum ct_status show_classes(struct ct_watch_finder *finder, struct ct_error *err)
{
    const unsigned hour = (unsigned)(finder->now_unix_ns / second_ns % day_s / 3600);
    uint64_t first = finder->recent.n > CT_RECENT_MAX ? finder->recent.n - CT_RECENT_MAX : 0;
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
        if (class->bytes >= LARGE_BYTES || isnan(class->floor_s))
            continue;
        size_t n = 0;
        for (uint64_t k = first; k < finder->recent.n; k++) {
            const struct ct_seen *seen = &finder->recent.seen[k % CT_RECENT_MAX];
            if (seen->kind == CT_SEEN_SMALL && seen->class == i &&
                seen->unix_ns > finder->now_unix_ns - 60 * second_ns)
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
        if (finder->members[host].node == none && strangers++ == 0)
            stranger = finder->hosts[host].name;
    if (finder->phase != WATCHING)
        snprintf(finder->unknown_text[n++], sizeof finder->unknown_text[0],
                 "what is healthy: that is learned for %g s, and nothing is found before",
                 finder->rules.learn_s);
    if (strangers > 0)
        snprintf(finder->unknown_text[n++], sizeof finder->unknown_text[0],
                 "where %zu host%s: the topology has no %.60s", strangers,
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
    finder->state.load = finder->load;
    finder->state.false_alarms_per_day = finder->rules.false_alarms_per_day;
    finder->state.n_alarms = 0;
    if (show_classes(finder, &err) != CT_OK)
        finder->state.n_classes = 0;
    if (CT_ARRAY_RESIZE(finder->shown, finder->n_alarms + 1))
        for (size_t i = finder->n_alarms; i-- > 0;) {
            const struct ct_watch_alarm *alarm = &finder->alarms[i];
            if (alarm->ended_unix_ns == 0 ||
                alarm->ended_unix_ns > finder->now_unix_ns - day_s * second_ns)
                finder->shown[finder->state.n_alarms++] = *alarm;
        }
    finder->state.alarms = finder->shown;
    show_unknown(finder);
    return &finder->state;
}
