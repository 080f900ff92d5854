#include "core/array.h"
#include "topology/places.h"
#include "watch/find/constants.h"
#include "watch/find/finder_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    for (int i = 0; i < CT_N_LATENESS; i++)
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
    free(finder->waits);
    free(finder);
}

/* By its name, or as in labs, where h1 is the first node of a topology from a generator. */
static uint32_t find_node(const struct ct_topology *topology, const char *name)
{
    uint32_t node;
    if (ct_topology_find_host(topology, name, &node) ||
        ct_topology_place(topology, &name, 1, CT_PLACES_OF_LAB, &node, NULL) == CT_OK)
        return node;
    return CT_FINDER_NONE;
}

const char *ct_watch_finder_node(const struct ct_watch_finder *finder, size_t host)
{
    uint32_t node = finder->members[host].node;
    return node == CT_FINDER_NONE ? "" : ct_topology_name(finder->topology, node);
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
    for (size_t i = finder->n_hosts; i < n_hosts; i++)
        finder->members[i] =
            (struct ct_finder_member){.node = find_node(finder->topology, hosts[i].name)};
    finder->n_hosts = n_hosts;
    return CT_OK;
}

/* ---- observations ---- */

/* @param others_frac  [in] of the observations of others, where that explains a bad one; else 0 */
static void learn_share(struct ct_finder_question *question, struct ct_finder_stream *stream,
                        bool is_bad, double others_frac)
{
    const double window = ct_watch_constants[CT_WATCH_SHARE_WINDOW].value,
                 left = ct_watch_constants[CT_WATCH_SHARE_LEFT].value;
    stream->n++;
    stream->bad += is_bad;
    stream->others += others_frac;
    question->n++;
    question->bad += is_bad;
    if (stream->n < window)
        return;
    question->n_windows++;
    if (stream->bad * left > stream->others)
        question->worst_frac = fmax(question->worst_frac, stream->bad / window);
    stream->n = stream->bad = 0;
    stream->others = 0;
}

static enum ct_status test_stream(struct ct_watch_finder *finder, const struct ct_seen *seen,
                                  struct ct_finder_question *question,
                                  struct ct_finder_stream *stream, uint32_t direction,
                                  struct ct_error *err)
{
    if (finder->phase == CT_FINDER_SHARES) {
        finder->n_tested++;
        learn_share(question, stream, seen->is_bad, 0);
        return CT_OK;
    }
    ct_detector_take(&stream->detector, &question->bets, seen->is_bad, seen->unix_ns);
    double evidence = ct_detector_log_evidence(&stream->detector, &question->bets);
    if (evidence > finder->log_threshold && evidence > question->asked_again)
        return ct_finder_raise(finder, seen, question, &stream->detector, direction, err);
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
    uint64_t key = ct_map_pair(ct_finder_end(finder->topology, direction, true), seen->to),
             found = ct_map_get(&finder->flows.numbers, key);
    if (found == 0) {
        if (!CT_ARRAY_RESERVE(finder->flows.streams, finder->flows.room, finder->flows.n + 1) ||
            !ct_map_set(&finder->flows.numbers, key, finder->flows.n + 1))
            return ct_no_memory(err, "ways to hosts");
        finder->flows.streams[finder->flows.n++] = (struct ct_finder_stream){0};
        found = finder->flows.n;
    }
    return test_stream(finder, seen, &finder->flows.question, &finder->flows.streams[found - 1],
                       direction, err);
}

static enum ct_status take_seen(struct ct_watch_finder *finder, const struct ct_seen *seen,
                                struct ct_error *err)
{
    if (finder->phase == CT_FINDER_FLOORS)
        return CT_OK;
    struct ct_seen kept = *seen;
    if (finder->phase == CT_FINDER_WATCHING)
        kept.explained_by = ct_finder_explains(finder, seen);
    ct_recent_add(&finder->recent, &kept);
    if (kept.explained_by != 0)
        return CT_OK;
    uint32_t directions[2 * CT_RECENT_LINKS_MAX], n = 0;
    for (int way = 0; way <= seen->is_round; way++) {
        const uint32_t *path;
        enum ct_status status = ct_recent_path(&finder->recent, way ? seen->to : seen->from,
                                               way ? seen->from : seen->to, &path, err);
        if (status != CT_OK)
            return status;
        for (uint32_t i = 1; i <= path[0] && n < 2 * CT_RECENT_LINKS_MAX; i++)
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
    CT_TRY(ct_recent_path(&finder->recent, seen.from, seen.to, &path, err));
    uint32_t links = path[0];
    enum ct_status status = CT_OK;
    if (seen.is_round &&
        (status = ct_recent_path(&finder->recent, seen.to, seen.from, &path, err)) != CT_OK)
        return status;
    links += seen.is_round ? path[0] : 0;
    uint32_t number = ct_healthy_class(&finder->healthy, links, bytes, seen.is_round);
    if (number == UINT32_MAX)
        return ct_no_memory(err, "classes of paths");
    const struct ct_healthy_class *class = &finder->healthy.classes[number];
    unsigned hour = (unsigned)(seen.unix_ns / CT_FINDER_SECOND_NS % CT_FINDER_DAY_S / 3600);
    if (!ct_healthy_take(&finder->healthy, number, isnan(class->floor_s) ? CT_HEALTHY_HOURS : hour,
                         (double)seen.time_s))
        return ct_no_memory(err, "what healthy paths take");
    /* A class that comes later, as one-way times do, is learned then. */
    if (isnan(class->floor_s) && finder->phase != CT_FINDER_FLOORS &&
        class->all.n % CT_HEALTHY_KEPT == 0)
        status = ct_healthy_settle(&finder->healthy, err);
    if (status != CT_OK)
        return status;
    if (isnan(class->floor_s))
        return CT_OK;
    finder->knows_one_way |= !seen.is_round;
    seen.class = number;
    seen.kind = bytes >= CT_WATCH_LARGE_BYTES ? CT_SEEN_LARGE : CT_SEEN_SMALL;
    seen.beyond_s = (float)((double)seen.time_s - class->floor_s);
    seen.is_bad = (double)seen.time_s > class->slow_s;
    return take_seen(finder, &seen, err);
}

/* Bets on a host that is late more often than this. */
static struct ct_detector_bets bets_above(double null)
{
    return (struct ct_detector_bets){
        .null = null, .n = 2, .on = {1 - 0.7 * (1 - null), 1 - 0.2 * (1 - null)}};
}

/* Of the newest observations, the share that was late. */
static double others_late(const struct ct_watch_finder *finder, uint32_t host)
{
    uint32_t n = 0, late = 0;
    for (uint64_t i = 0; i < finder->n_late && i < CT_FINDER_LATE_MAX; i++)
        if (finder->late[i].host != host) {
            n++;
            late += finder->late[i].is_late;
        }
    return n > 0 ? (double)late / n : 0;
}

/* What makes all hosts late at once is no slow host: one may be late more often than it was
 * learned, by the same factor as there, where others are now. */
static struct ct_detector_bets bets_now(const struct ct_finder_question *question,
                                        double others_frac)
{
    return bets_above(fmin(0.9, fmax(question->bets.null,
                                     others_frac / ct_watch_constants[CT_WATCH_SHARE_LEFT].value)));
}

static enum ct_status test_lateness(struct ct_watch_finder *finder, uint32_t host,
                                    enum ct_lateness lateness, bool is_late, double others_frac,
                                    struct ct_error *err)
{
    const struct ct_finder_question *question = &finder->host_questions[lateness];
    struct ct_detector *detector = &finder->members[host].streams[lateness].detector;
    const struct ct_detector_bets bets = bets_now(question, others_frac);
    if (ct_finder_explains_late(finder, host, lateness, is_late))
        return CT_OK;
    ct_detector_take(detector, &bets, is_late, finder->now_unix_ns);
    if (ct_detector_log_evidence(detector, &bets) > finder->log_threshold)
        return ct_finder_raise_host(finder, host, lateness, err);
    return CT_OK;
}

/* Whether it is part of a wait that is known; else it is known from now on. */
static bool has_waited(struct ct_finder_member *member, struct ct_finder_wait wait)
{
    for (uint64_t i = 0; i < member->n_waits && i < CT_FINDER_WAITS_MAX; i++)
        if (wait.begin_unix_ns < member->waits[i].end_unix_ns &&
            wait.end_unix_ns > member->waits[i].begin_unix_ns)
            return true;
    member->waits[member->n_waits++ % CT_FINDER_WAITS_MAX] = wait;
    return false;
}

/* @param begin_unix_ns  [in] of its wait */
static enum ct_status take_lateness(struct ct_watch_finder *finder, uint32_t host,
                                    enum ct_lateness lateness, int64_t begin_unix_ns, double late_s,
                                    struct ct_error *err)
{
    struct ct_finder_question *question = &finder->host_questions[lateness];
    struct ct_finder_member *member = &finder->members[host];
    if (!(late_s >= 0))
        return CT_OK;
    if (finder->phase == CT_FINDER_FLOORS)
        return ct_reservoir_take(&finder->lateness[lateness], late_s, &finder->healthy.random)
                   ? CT_OK
                   : ct_no_memory(err, "what healthy hosts take");
    bool is_late = late_s > finder->late_s[lateness];
    if (is_late && has_waited(member, (struct ct_finder_wait){
                                          begin_unix_ns, begin_unix_ns + (int64_t)(1e9 * late_s)}))
        return CT_OK; /* no news */
    double others_frac = others_late(finder, host);
    finder->late[finder->n_late++ % CT_FINDER_LATE_MAX] = (struct ct_finder_late){host, is_late};
    if (finder->phase != CT_FINDER_SHARES)
        return test_lateness(finder, host, lateness, is_late, others_frac, err);
    finder->n_tested++;
    learn_share(question, &member->streams[lateness], is_late, others_frac);
    return CT_OK;
}

/* ---- learning ---- */

static struct ct_detector_bets bets_of_slow(const struct ct_finder_question *question)
{
    double left = ct_watch_constants[CT_WATCH_SHARE_LEFT].value,
           worst_frac = question->n_windows > 0 ? question->worst_frac : 1,
           null = fmin(ct_watch_constants[CT_WATCH_SLOW_MAX].value, 1 - (1 - worst_frac) * left);
    return (struct ct_detector_bets){
        .null = null, .n = 2, .on = {1 - 0.02 * (1 - null), 1 - 0.3 * (1 - null)}};
}

/* A host may be late three times as often as any was by itself. */
static struct ct_detector_bets bets_of_lateness(const struct ct_finder_question *question)
{
    double worst_frac = question->n_windows > 0 ? question->worst_frac : 1,
           null = fmin(0.9, fmax(0.02, worst_frac / ct_watch_constants[CT_WATCH_SHARE_LEFT].value));
    return bets_above(null);
}

static struct ct_detector_bets bets_of_loss(const struct ct_finder_question *question)
{
    double seen = question->n > 0 ? (double)question->bad / (double)question->n : 0,
           null = fmin(0.05, fmax(ct_watch_constants[CT_WATCH_LOSS_LEAST].value, 3 * seen));
    return (struct ct_detector_bets){
        .null = null, .n = 4, .on = {null * 5, fmin(0.3, null * 30), fmin(0.5, null * 300), 0.9}};
}

static enum ct_status change_phase(struct ct_watch_finder *finder, struct ct_error *err)
{
    double passed_s = 1e-9 * (double)(finder->now_unix_ns - finder->begun_unix_ns);
    if (finder->phase == CT_FINDER_FLOORS && passed_s >= finder->rules.learn_s / 2) {
        finder->phase = CT_FINDER_SHARES;
        for (int i = 0; i < CT_N_LATENESS; i++)
            finder->late_s[i] = ct_reservoir_quantile(&finder->lateness[i], 0.99);
        return ct_healthy_settle(&finder->healthy, err);
    }
    if (finder->phase == CT_FINDER_SHARES && passed_s >= finder->rules.learn_s) {
        finder->phase = CT_FINDER_WATCHING;
        for (int kind = 0; kind < CT_SEEN_N_KINDS; kind++)
            finder->questions[kind].bets = kind == CT_SEEN_LOSS
                                               ? bets_of_loss(&finder->questions[kind])
                                               : bets_of_slow(&finder->questions[kind]);
        finder->flows.question.bets = bets_of_slow(&finder->flows.question);
        for (int i = 0; i < CT_N_LATENESS; i++)
            finder->host_questions[i].bets = bets_of_lateness(&finder->host_questions[i]);
        double tested_per_day =
            2 * (double)finder->n_tested / finder->rules.learn_s * (double)CT_FINDER_DAY_S;
        finder->log_threshold = log(fmax(M_E, tested_per_day / finder->rules.false_alarms_per_day));
    }
    return CT_OK;
}

/* ---- dates ---- */

static void move_date(int64_t *unix_ns, int64_t after_ns, int64_t by_ns)
{
    if (*unix_ns > after_ns)
        *unix_ns += by_ns;
}

static void move_since(struct ct_finder_stream *stream, int64_t after_ns, int64_t by_ns)
{
    for (unsigned i = 0; i < CT_DETECTOR_BETS_MAX; i++)
        move_date(&stream->detector.since_unix_ns[i], after_ns, by_ns);
}

/* What would be in the future now was seen by the date of before. Alarms keep theirs, as they were
 * reported. */
static void set_back(struct ct_watch_finder *finder, int64_t now_ns, int64_t by_ns)
{
    for (uint64_t i = ct_recent_first(&finder->recent); i < finder->recent.n; i++)
        move_date(&finder->recent.seen[i % CT_RECENT_MAX].unix_ns, now_ns, by_ns);
    for (int kind = 0; kind < CT_SEEN_N_KINDS; kind++)
        for (uint32_t d = 0; d < 2 * finder->topology->n_links; d++)
            move_since(&finder->streams[kind][d], now_ns, by_ns);
    for (size_t i = 0; i < finder->flows.n; i++)
        move_since(&finder->flows.streams[i], now_ns, by_ns);
    for (size_t host = 0; host < finder->n_hosts; host++) {
        struct ct_finder_member *member = &finder->members[host];
        member->last_unix_ns = 0;
        member->n_waits = 0;
        for (int i = 0; i < CT_N_LATENESS; i++)
            move_since(&member->streams[i], now_ns, by_ns);
    }
    for (size_t i = 0; i < finder->n_lasting; i++) {
        move_date(&finder->lasting[i].lost_unix_ns, now_ns, by_ns);
        move_date(&finder->lasting[i].what.since_unix_ns, now_ns, by_ns);
    }
    finder->begun_unix_ns += now_ns - finder->now_unix_ns;
    finder->now_unix_ns = now_ns;
}

/* Samples of a host come in the order of time, but where the date was set back. Where nothing was
 * seen for long, as where the date was set forward, nothing was learned. */
static void follow_date(struct ct_watch_finder *finder, const struct ct_watch_sample *sample)
{
    struct ct_finder_member *member = &finder->members[sample->from];
    if (finder->begun_unix_ns == 0)
        finder->begun_unix_ns = finder->now_unix_ns = sample->unix_ns;
    int64_t back_ns = member->last_unix_ns - sample->unix_ns,
            ahead_ns = sample->unix_ns - finder->now_unix_ns;
    if (back_ns > CT_FINDER_SECOND_NS / 2)
        set_back(finder, sample->unix_ns, -back_ns);
    else if (1e-9 * (double)ahead_ns > finder->rules.learn_s / 2)
        finder->begun_unix_ns += ahead_ns;
    member->last_unix_ns = sample->unix_ns;
    if (sample->unix_ns > finder->now_unix_ns)
        finder->now_unix_ns = sample->unix_ns;
}

static enum ct_status take_sample(struct ct_watch_finder *finder,
                                  const struct ct_watch_sample *sample, struct ct_error *err)
{
    if (sample->from >= finder->n_hosts || sample->to >= finder->n_hosts ||
        sample->from == sample->to) {
        finder->n_unlisted++; /* a host that has just joined */
        return CT_OK;
    }
    follow_date(finder, sample);
    enum ct_status status = change_phase(finder, err);
    if (status == CT_OK)
        status = take_lateness(finder, sample->from, CT_LATE,
                               sample->unix_ns - (int64_t)(1e9 * (double)sample->late_s),
                               (double)sample->late_s, err);
    uint32_t from = finder->members[sample->from].node, to = finder->members[sample->to].node;
    if (status != CT_OK || sample->fate == CT_WATCH_SKIPPED || from == CT_FINDER_NONE ||
        to == CT_FINDER_NONE)
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
    status = take_lateness(finder, sample->to, CT_HOLD,
                           sample->unix_ns + (int64_t)(1e9 * (double)sample->round_s / 2),
                           (double)sample->hold_s, err);
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
    for (size_t i = 0; i < n; i++)
        CT_TRY(take_sample(finder, &samples[i], err));
    return CT_OK;
}
