/* Faults of a simulated fabric are found where they are, and loads are none. */
#include "core/units.h"
#include "tests/unit/simulated_fabric.h"
#include "tests/unit/unit.h"
#include "topology/spec.h"
#include "watch/find/detector.h"
#include "watch/find/finder.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOSTS_MAX = 64 };

static const double learn_s = 120;

/* A fabric with a finder that has learned. */
struct watched {
    struct ct_topology topology;
    struct fabric fabric;
    struct ct_watch_finder *finder;
    size_t n_alarms;      /* before the fault */
    double all_wait_s[2]; /* from, to: two in five messages wait for hosts */
};

static void watch_for(struct watched *watched, double time_s)
{
    struct ct_error err = {.text = ""};
    double end_s = watched->fabric.now_s + time_s;
    while (watched->fabric.now_s < end_s) {
        struct ct_watch_sample sample = fabric_probe(&watched->fabric);
        if (watched->fabric.now_s > watched->all_wait_s[0] &&
            watched->fabric.now_s < watched->all_wait_s[1] &&
            ct_random_unit(ct_random_next(&watched->fabric.random)) < 0.4)
            sample.late_s = sample.hold_s = 20e-3F;
        if (ct_watch_finder_take(watched->finder, &sample, 1, &err) != CT_OK)
            fail_msg("%s", err.text);
    }
}

/* Programs come and go: up to half of a link on most, nearly all of it on a few. */
static void change_loads(struct fabric *fabric)
{
    for (uint32_t i = 0; i < 2 * fabric->topology->n_links; i++) {
        double kind = ct_random_unit(ct_random_next(&fabric->random)),
               load = ct_random_unit(ct_random_next(&fabric->random));
        fabric->load[i] = kind < 0.1 ? 0.5 + 0.4 * load : 0.5 * load * (kind < 0.5);
    }
}

static void watch_under_loads(struct watched *watched, double time_s)
{
    for (double end_s = watched->fabric.now_s + time_s; watched->fabric.now_s < end_s;) {
        change_loads(&watched->fabric);
        watch_for(watched, fmin(15, end_s - watched->fabric.now_s));
    }
}

static void watched_begin(struct watched *watched, double rate_bit_per_s, uint64_t seed)
{
    const struct ct_topology_settings settings = ct_topology_defaults();
    const struct ct_watch_rules rules = {.false_alarms_per_day = 0.1, .learn_s = learn_s};
    struct ct_watch_host hosts[HOSTS_MAX] = {0};
    struct ct_error err;
    assert_int_equal(ct_topology_make("tree:4x4,2", &settings, &watched->topology, &err), CT_OK);
    for (uint32_t i = 0; i < watched->topology.n_links; i++)
        watched->topology.links[i].rate_bit_per_s = rate_bit_per_s;
    fabric_open(&watched->fabric, &watched->topology, seed);
    watched->fabric.byte_s = 8 / rate_bit_per_s;
    assert_int_equal(ct_watch_finder_new(&watched->topology, &rules, &watched->finder, &err),
                     CT_OK);
    for (uint32_t i = 0; i < watched->topology.n_nodes; i++)
        snprintf(hosts[i].name, sizeof hosts[i].name, "%s",
                 ct_topology_name(&watched->topology, i));
    assert_int_equal(ct_watch_finder_hosts(watched->finder, hosts, watched->topology.n_nodes, &err),
                     CT_OK);
}

static void watched_open_at(struct watched *watched, double rate_bit_per_s, uint64_t seed)
{
    watched_begin(watched, rate_bit_per_s, seed);
    watch_under_loads(watched, learn_s - 15);
    const struct ct_watch_state *now = ct_watch_finder_state(watched->finder);
    assert_true(now->n_classes > 0 && !now->has_learned); /* times are known, faults are not */
    watch_under_loads(watched, 45);
    assert_true(ct_watch_finder_state(watched->finder)->has_learned);
    watched->n_alarms = ct_watch_finder_state(watched->finder)->n_alarms;
}

static void watched_open(struct watched *watched, uint64_t seed)
{
    watched_open_at(watched, 8e9, seed);
}

static void watched_close(struct watched *watched)
{
    ct_watch_finder_free(watched->finder);
    fabric_close(&watched->fabric);
    ct_topology_free(&watched->topology);
}

/* From a leaf up: passed by messages of several hosts. */
static uint32_t uplink_of(const struct ct_topology *topology)
{
    for (uint32_t l = 0; l < topology->n_links; l++)
        if (topology->links[l].end[0] >= topology->n_nodes &&
            topology->links[l].end[1] >= topology->n_nodes)
            return 2 * l;
    fail();
    return 0;
}

static bool is_right(const struct fabric_fault *fault, const struct ct_watch_alarm *alarm)
{
    bool found = false;
    if (fault->kind == CT_WATCH_HOST)
        return alarm->host == fault->host;
    for (uint32_t i = 0; i < alarm->n_suspects; i++)
        found |= alarm->suspects[i] == fault->direction;
    return found;
}

struct fault_row {
    enum ct_watch_kind kind;
    double size, within_s, size_is; /* 0: not measured */
};

/* One after the other on one fabric, which is healthy for a minute between them. */
static void find_each(const struct fault_row *rows, size_t n, double rate_bit_per_s, uint64_t seed)
{
    struct watched watched = {.n_alarms = 0};
    watched_open_at(&watched, rate_bit_per_s, seed);
    assert_int_equal(watched.n_alarms, 0);
    for (size_t i = 0; i < n; i++) {
        uint64_t known = ct_watch_finder_state(watched.finder)->n_alarms;
        watched.fabric.fault = (struct fabric_fault){.kind = rows[i].kind,
                                                     .is_there = true,
                                                     .direction = uplink_of(&watched.topology),
                                                     .host = 8, /* its messages take spine 0 */
                                                     .size = rows[i].size};
        watch_for(&watched, rows[i].within_s);
        const struct ct_watch_state *now = ct_watch_finder_state(watched.finder);
        if (now->n_alarms == known)
            fail_msg("%s: not found", ct_watch_kind_names[rows[i].kind]);
        const struct ct_watch_alarm *alarm = &now->alarms[now->n_alarms - known - 1];
        if (alarm->kind != rows[i].kind || !is_right(&watched.fabric.fault, alarm))
            fail_msg("%s: %s", ct_watch_kind_names[rows[i].kind], alarm->reason);
        if (rows[i].size_is > 0) { /* 90 %, and what the jitter of a path adds */
            assert_true(alarm->low < 1.1 * rows[i].size_is);
            assert_true(alarm->high > 0.9 * rows[i].size_is);
        }
        watched.fabric.fault.is_there = false;
        watch_for(&watched, 60);
        now = ct_watch_finder_state(watched.finder);
        for (size_t a = 0; a < now->n_alarms; a++)
            assert_true(now->alarms[a].ended_unix_ns > 0 || now->alarms[a].kind == CT_WATCH_FLAP);
    }
    watched_close(&watched);
}

static void common_faults_are_found(void **state)
{
    (void)state;
    static const struct fault_row rows[] = {
        {CT_WATCH_RATE, 0.8, 60, 0.2}, {CT_WATCH_LOSS, 0.01, 60, 0.01}, {CT_WATCH_HOST, 0, 60, 0}};
    find_each(rows, sizeof rows / sizeof *rows, 8e9, 7);
}

static void slow_other_faults_are_found(void **state)
{
    (void)state;
    static const struct fault_row rows[] = {{CT_WATCH_DELAY, 1.2, 60, 0.2e-6},
                                            {CT_WATCH_ROUTE, 0, 180, 4e-6},
                                            {CT_WATCH_FLAP, 0, 150, 0}};
    find_each(rows, sizeof rows / sizeof *rows, 8e9, 8);
}

/* Small messages notice it, too: 64 bytes are 1 us later on a way of some us. */
static void a_slow_link_has_a_lower_rate(void **state)
{
    (void)state;
    static const struct fault_row rows[] = {{CT_WATCH_RATE, 0.8, 60, 0.2},
                                            {CT_WATCH_DELAY, 2, 60, 1e-6}};
    find_each(rows, sizeof rows / sizeof *rows, 1e8, 7);
}

/* All hosts for some seconds, then one once: 40 probes, due while it waited for its processor. */
static void waits_for_a_moment_are_no_slow_host(void **state)
{
    (void)state;
    struct watched watched = {.n_alarms = 0};
    struct ct_error err;
    watched_open(&watched, 9);
    watched.all_wait_s[0] = watched.fabric.now_s;
    watched.all_wait_s[1] = watched.fabric.now_s + 4;
    watch_for(&watched, 10);
    double stopped_s = watched.fabric.now_s;
    while (watched.fabric.now_s < stopped_s + 10) {
        struct ct_watch_sample sample = fabric_probe(&watched.fabric);
        double now_s = watched.fabric.now_s;
        if (sample.from == 3 && now_s > stopped_s && now_s < stopped_s + 1) {
            sample.late_s = (float)(stopped_s + 1 - now_s); /* sent at the end of the wait */
            sample.unix_ns += (int64_t)(1e9 * (double)sample.late_s);
        }
        assert_int_equal(ct_watch_finder_take(watched.finder, &sample, 1, &err), CT_OK);
    }
    const struct ct_watch_state *now = ct_watch_finder_state(watched.finder);
    if (now->n_alarms > watched.n_alarms)
        fail_msg("%s", now->alarms[0].reason);
    watched_close(&watched);
}

/* Its processor is taken from a host for half of each 10 ms. */
static double wait_at(double time_s)
{
    double in_turn_s = fmod(time_s, 10e-3);
    return in_turn_s < 5e-3 ? 5e-3 - in_turn_s : 0;
}

static int by_reporter(const void *a, const void *b)
{
    const struct ct_watch_sample *left = a, *right = b;
    return left->from != right->from
               ? (left->from < right->from ? -1 : 1)
               : (left->unix_ns > right->unix_ns) - (left->unix_ns < right->unix_ns);
}

/* Each host reports what it has seen in a second, one host after the other.
 * @param dead  loses all messages. @return suspects of the newest alarm when it was raised */
static uint32_t watch_reports(struct watched *watched, uint32_t slow, uint32_t dead)
{
    enum { REPORTS_MAX = 4096 };
    struct ct_watch_sample *samples = calloc(REPORTS_MAX, sizeof *samples);
    struct ct_error err;
    size_t n = 0, n_alarms = ct_watch_finder_state(watched->finder)->n_alarms;
    uint32_t n_suspects = 0;
    assert_non_null(samples);
    for (double end_s = watched->fabric.now_s + 1; watched->fabric.now_s < end_s; n++) {
        assert_true(n < REPORTS_MAX);
        samples[n] = fabric_probe(&watched->fabric);
        double wait_s = wait_at(watched->fabric.now_s);
        if (samples[n].from == slow) {
            samples[n].late_s += (float)wait_s;
            samples[n].unix_ns += (int64_t)(1e9 * wait_s);
        }
        if (samples[n].to == slow)
            samples[n].hold_s += (float)wait_s;
        if (samples[n].to == dead || samples[n].from == dead)
            samples[n].fate = CT_WATCH_LOST;
    }
    qsort(samples, n, sizeof *samples, by_reporter);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(ct_watch_finder_take(watched->finder, &samples[i], 1, &err), CT_OK);
        if (samples[i].fate != CT_WATCH_LOST) /* none is raised by it */
            continue;
        const struct ct_watch_state *now = ct_watch_finder_state(watched->finder);
        if (now->n_alarms > n_alarms)
            n_suspects = now->alarms[0].n_suspects;
        n_alarms = now->n_alarms;
    }
    free(samples);
    return n_suspects;
}

static void a_slow_host_is_found_in_reports_by_turns(void **state)
{
    (void)state;
    struct watched watched = {.all_wait_s = {0.8 * learn_s, 0.8 * learn_s + 5}};
    watched_open(&watched, 10);
    for (int i = 0; i < 20; i++)
        watch_reports(&watched, HOSTS_MAX, HOSTS_MAX);
    if (ct_watch_finder_state(watched.finder)->n_alarms > 0)
        fail_msg("%s", ct_watch_finder_state(watched.finder)->alarms[0].reason);
    for (int i = 0; i < 20; i++)
        watch_reports(&watched, 5, HOSTS_MAX);
    const struct ct_watch_state *now = ct_watch_finder_state(watched.finder);
    assert_int_equal(now->n_alarms, 1);
    assert_int_equal(now->alarms[0].kind, CT_WATCH_HOST);
    assert_int_equal(now->alarms[0].host, 5);
    watched_close(&watched);
}

static void break_uplink(struct watched *watched)
{
    watched->fabric.fault = (struct fabric_fault){.kind = CT_WATCH_LOSS,
                                                  .is_there = true,
                                                  .direction = uplink_of(&watched->topology),
                                                  .size = 1};
}

/* The first hosts that report losses do not tell it from links before it, those of a second do;
 * losses of a dead host have another alarm, and are none of its. */
static void a_place_becomes_narrower(void **state)
{
    enum { DEAD = 14 };
    (void)state;
    struct watched watched = {.n_alarms = 0};
    watched_open(&watched, 15);
    for (int i = 0; i < 3; i++)
        watch_reports(&watched, HOSTS_MAX, DEAD);
    break_uplink(&watched);
    assert_int_equal(watch_reports(&watched, HOSTS_MAX, DEAD), 0); /* more than four */
    const struct ct_watch_state *now = ct_watch_finder_state(watched.finder);
    assert_int_equal(now->n_alarms, watched.n_alarms + 2);
    assert_int_equal(now->alarms[0].n_suspects, 1);
    assert_int_equal(now->alarms[0].suspects[0], watched.fabric.fault.direction);
    assert_true(now->alarms[0].narrowed_unix_ns >= now->alarms[0].raised_unix_ns);
    assert_string_equal(now->alarms[0].reason,
                        "leaf0 to spine0: messages are lost (9 of 9 that passed)");
    watched.fabric.fault.is_there = false;
    for (int i = 0; i < 5; i++)
        watch_reports(&watched, HOSTS_MAX, HOSTS_MAX);
    now = ct_watch_finder_state(watched.finder);
    assert_int_equal(now->n_alarms, watched.n_alarms + 2);
    assert_true(now->alarms[0].ended_unix_ns > 0);
    watched_close(&watched);
}

/* It ended before more was known, and comes back. */
static void a_flap_may_have_a_narrower_place(void **state)
{
    (void)state;
    struct watched watched = {.n_alarms = 0};
    watched_open(&watched, 14);
    for (int is_flap = 0; is_flap <= 1; is_flap++) {
        const struct ct_watch_state *now;
        break_uplink(&watched);
        do {
            watch_for(&watched, 2e-3);
            now = ct_watch_finder_state(watched.finder);
        } while (now->n_alarms == 0 || now->alarms[0].ended_unix_ns > 0);
        assert_int_equal(now->n_alarms, 1);
        assert_int_equal(now->alarms[0].kind, is_flap ? CT_WATCH_FLAP : CT_WATCH_LOSS);
        assert_int_equal(now->alarms[0].n_suspects, is_flap ? 1 : 4);
        assert_int_equal(now->alarms[0].suspects[0], watched.fabric.fault.direction);
        watched.fabric.fault.is_there = false;
        watch_for(&watched, 5);
    }
    watched_close(&watched);
}

/* By less than reports of hosts differ. */
static void a_change_begins_with_what_is_reported_late(void **state)
{
    (void)state;
    const struct ct_detector_bets bets = {.null = 0.01, .n = 1, .on = {0.5}};
    struct ct_detector detector = {.log_sum = {0}};
    ct_detector_take(&detector, &bets, true, 10);
    ct_detector_take(&detector, &bets, true, 8);
    ct_detector_take(&detector, &bets, false, 7);
    assert_int_equal(ct_detector_since(&detector, &bets), 8);
}

enum { LATE_HOST = 3 };

/* Its first answers are late, then there are none. */
struct hang {
    unsigned n_late;
};

static void hang_host(struct hang *hang, struct ct_watch_sample *sample)
{
    if (sample->to != LATE_HOST || sample->fate != CT_WATCH_ANSWERED)
        return;
    if (hang->n_late > 0) {
        hang->n_late--;
        sample->hold_s = 20e-3F;
        return;
    }
    sample->fate = CT_WATCH_LOST;
    sample->round_s = sample->there_s = sample->back_s = NAN;
}

/* Its losses raise the alarm, and that it loses nothing more ends it. */
static void a_host_that_hung_is_well_again(void **state)
{
    (void)state;
    struct watched watched = {.n_alarms = 0};
    struct ct_error err;
    watched_open(&watched, 9);
    struct hang hang = {.n_late = 12};
    while (ct_watch_finder_state(watched.finder)->n_alarms == watched.n_alarms) {
        struct ct_watch_sample sample = fabric_probe(&watched.fabric);
        hang_host(&hang, &sample);
        assert_int_equal(ct_watch_finder_take(watched.finder, &sample, 1, &err), CT_OK);
    }
    const struct ct_watch_state *now = ct_watch_finder_state(watched.finder);
    assert_int_equal(hang.n_late, 0);
    assert_int_equal(now->alarms[0].kind, CT_WATCH_HOST);
    assert_int_equal(now->alarms[0].host, LATE_HOST);
    watch_for(&watched, 60);
    now = ct_watch_finder_state(watched.finder);
    assert_int_equal(now->n_alarms, watched.n_alarms + 1);
    assert_true(now->alarms[0].ended_unix_ns > 0);
    watched_close(&watched);
}

/* It has one alarm as any other, and explains nothing of the links. */
static void a_slow_host_may_have_no_place(void **state)
{
    (void)state;
    struct watched watched = {.n_alarms = 0};
    struct ct_error err;
    watched_open(&watched, 9);
    struct ct_watch_host hosts[HOSTS_MAX];
    size_t n = watched.topology.n_nodes;
    memcpy(hosts, ct_watch_finder_state(watched.finder)->hosts, n * sizeof *hosts);
    hosts[n] = (struct ct_watch_host){.name = "login"};
    assert_int_equal(ct_watch_finder_hosts(watched.finder, hosts, n + 1, &err), CT_OK);
    for (int is_well = 0; is_well <= 1; is_well++) {
        for (double end_s = watched.fabric.now_s + 60; watched.fabric.now_s < end_s;) {
            struct ct_watch_sample sample = fabric_probe(&watched.fabric);
            if (sample.from == LATE_HOST) {
                sample.from = (uint32_t)n;
                sample.late_s = is_well ? 0 : 20e-3F;
            }
            assert_int_equal(ct_watch_finder_take(watched.finder, &sample, 1, &err), CT_OK);
        }
        const struct ct_watch_state *now = ct_watch_finder_state(watched.finder);
        assert_int_equal(now->n_alarms, watched.n_alarms + 1);
        assert_int_equal(now->alarms[0].kind, CT_WATCH_HOST);
        assert_int_equal(now->alarms[0].host, n);
        assert_int_equal(now->alarms[0].ended_unix_ns > 0, is_well);
    }
    watched_close(&watched);
}

static size_t count_lasting(struct watched *watched)
{
    const struct ct_watch_state *now = ct_watch_finder_state(watched->finder);
    size_t n = 0;
    for (size_t i = 0; i < now->n_alarms; i++)
        n += now->alarms[i].ended_unix_ns == 0;
    return n;
}

static double date_of(const struct watched *watched)
{
    return 1.7e9 + watched->fabric.now_s; /* simulated_fabric.c */
}

/* The date of the collector was set: nothing waits until that of before is there again. */
static void dates_may_be_set(void **state)
{
    (void)state;
    static const double set_s[] = {-3600, 365 * 86400.0, -365 * 86400.0, -1.69e9, 1.69e9};
    struct watched watched = {.n_alarms = 0};
    watched_open(&watched, 1);
    for (size_t i = 0; i < sizeof set_s / sizeof *set_s; i++) {
        watched.fabric.now_s += set_s[i];
        watch_for(&watched, 10);
        const struct ct_watch_state *now = ct_watch_finder_state(watched.finder);
        assert_near(1e-9 * (double)now->unix_ns, date_of(&watched), 1);
        size_t n_seen = 0;
        for (size_t k = 0; k < now->n_classes; k++)
            n_seen += now->classes[k].n;
        assert_true(now->has_learned && n_seen > 3000);
        assert_int_equal(count_lasting(&watched), 0);
        watched.fabric.fault = (struct fabric_fault){.kind = CT_WATCH_LOSS,
                                                     .is_there = true,
                                                     .direction = uplink_of(&watched.topology),
                                                     .size = 0.3};
        watch_for(&watched, 10);
        assert_int_equal(count_lasting(&watched), 1);
        /* It was set while the alarm lasts. */
        watched.fabric.now_s -= 600;
        watch_for(&watched, 10);
        assert_int_equal(count_lasting(&watched), 1);
        watched.fabric.fault.is_there = false;
        watch_for(&watched, 400); /* one that flaps lasts for five minutes */
        assert_int_equal(count_lasting(&watched), 0);
    }
    watched_close(&watched);
}

static void a_date_teaches_nothing(void **state)
{
    (void)state;
    static const double set_s[] = {86400, -86400};
    for (size_t i = 0; i < 2; i++) {
        struct watched watched = {.n_alarms = 0};
        watched_begin(&watched, 8e9, 2);
        watch_for(&watched, 20);
        watched.fabric.now_s += set_s[i];
        watch_for(&watched, 90);
        assert_false(ct_watch_finder_state(watched.finder)->has_learned);
        watch_for(&watched, 20);
        assert_true(ct_watch_finder_state(watched.finder)->has_learned);
        watched_close(&watched);
    }
}

static void hosts_that_are_not_listed_wait(void **state)
{
    (void)state;
    const struct ct_topology_settings settings = ct_topology_defaults();
    const struct ct_watch_rules rules = {.false_alarms_per_day = 0.1, .learn_s = learn_s};
    struct ct_topology topology;
    struct ct_watch_finder *finder;
    struct ct_error err;
    assert_int_equal(ct_topology_make("switch:2", &settings, &topology, &err), CT_OK);
    assert_int_equal(ct_watch_finder_new(&topology, &rules, &finder, &err), CT_OK);
    const struct ct_watch_sample early = {.unix_ns = 1, .from = 0, .to = HOSTS_MAX};
    assert_int_equal(ct_watch_finder_take(finder, &early, 1, &err), CT_OK);
    const struct ct_watch_state *now = ct_watch_finder_state(finder);
    assert_int_equal(now->n_unknown, 2); /* what is healthy is not known, either */
    assert_string_equal(now->unknown[1], "1 probes of hosts that were not listed yet");
    ct_watch_finder_free(finder);
    ct_topology_free(&topology);
}

/* More hosts than the topology has nodes, and names that it does not have. */
static void strange_hosts_have_no_place(void **state)
{
    (void)state;
    static const struct ct_watch_host hosts[] = {
        {.name = "h1"}, {.name = "n1"}, {.name = "h9"}, {.name = "node7"}};
    const struct ct_topology_settings settings = ct_topology_defaults();
    const struct ct_watch_rules rules = {.false_alarms_per_day = 0.1, .learn_s = learn_s};
    struct ct_topology topology;
    struct ct_watch_finder *finder;
    struct ct_error err;
    assert_int_equal(ct_topology_make("tree:2x4,2", &settings, &topology, &err), CT_OK);
    assert_int_equal(ct_watch_finder_new(&topology, &rules, &finder, &err), CT_OK);
    assert_int_equal(ct_watch_finder_hosts(finder, hosts, 4, &err), CT_OK);
    for (uint32_t to = 1; to < 4; to++) {
        const struct ct_watch_sample sample = {
            .unix_ns = to, .from = 0, .to = to, .bytes = 64, .answer_bytes = 64, .round_s = 1e-5F};
        assert_int_equal(ct_watch_finder_take(finder, &sample, 1, &err), CT_OK);
    }
    assert_string_equal(ct_watch_finder_node(finder, 0), "n0");
    assert_string_equal(ct_watch_finder_node(finder, 1), "n1");
    assert_string_equal(ct_watch_finder_node(finder, 2), "");
    assert_string_equal(ct_watch_finder_state(finder)->unknown[1],
                        "where 2 hosts are: the topology has no h9 (crosstalk-prober --name)");
    ct_watch_finder_free(finder);
    ct_topology_free(&topology);
}

/* ---- many faults, under loads that change ---- */

static int number_of(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    if (text)
        assert_int_equal(ct_parse_u64(text, &otherwise, NULL), CT_OK);
    assert_in_range(otherwise, 0, INT_MAX);
    return (int)otherwise;
}

enum { FAULTS_A_FABRIC = 20, WINDOWS_A_FABRIC = 50 };

/* Whether messages to a node that leave the direction's switch for it pass it. */
static bool draw_fault(struct watched *watched, struct fabric_fault *fault)
{
    struct fabric *fabric = &watched->fabric;
    static const double sizes[] = {[CT_WATCH_RATE] = 0.8,
                                   [CT_WATCH_DELAY] = 1.2,
                                   [CT_WATCH_LOSS] = 0.01,
                                   [CT_WATCH_ROUTE] = 0};
    uint64_t draw = ct_random_next(&fabric->random) >> 1;
    *fault = (struct fabric_fault){.kind = (enum ct_watch_kind)(draw % 6), .is_there = true};
    draw = ct_random_next(&fabric->random) >> 1;
    fault->direction = (uint32_t)(draw % (2 * watched->topology.n_links));
    draw = ct_random_next(&fabric->random) >> 1;
    fault->host = (uint32_t)(draw % watched->topology.n_nodes);
    fault->size = sizes[fault->kind];
    if (fault->kind != CT_WATCH_ROUTE)
        return true;
    /* One that some host's messages to it take, and that is no link of a host. */
    uint32_t from = (fault->host + 5) % watched->topology.n_nodes;
    assert_int_equal(ct_route_find(fabric->router, from, fault->host, &fabric->route, NULL), CT_OK);
    if (fabric->route.n < 4)
        return false;
    const struct ct_hop *hop = &fabric->route.hops[1];
    fault->direction = 2 * hop->link + (watched->topology.links[hop->link].end[1] == hop->from);
    return true;
}

static void slow_faults_under_loads(void **state)
{
    (void)state;
    int n = number_of("CROSSTALK_WATCH_FAULTS", 60), n_found = 0, n_right = 0, n_one = 0,
        n_hosts = 0, n_hosts_right = 0;
    for (int i = 0; i < n;) {
        struct watched watched = {.n_alarms = 0};
        watched_open(&watched, (uint64_t)number_of("CROSSTALK_WATCH_SEED", 1000) + (uint64_t)i);
        for (int k = 0; k < FAULTS_A_FABRIC && i < n; k++, i++) {
            struct fabric_fault fault;
            while (!draw_fault(&watched, &fault))
                ;
            bool is_rare = fault.kind == CT_WATCH_FLAP || fault.kind == CT_WATCH_ROUTE;
            double within_s = is_rare ? 180 : 60;
            uint64_t known = ct_watch_finder_state(watched.finder)->n_alarms;
            watched.fabric.fault = fault;
            double begin_s = watched.fabric.now_s;
            watch_under_loads(&watched, within_s);
            const struct ct_watch_state *now = ct_watch_finder_state(watched.finder);
            bool found = now->n_alarms > known,
                 right = found && is_right(&fault, &now->alarms[now->n_alarms - known - 1]);
            n_found += found;
            n_right += right;
            n_one += found && now->alarms[now->n_alarms - known - 1].n_suspects == 1;
            n_hosts += fault.kind == CT_WATCH_HOST;
            n_hosts_right += fault.kind == CT_WATCH_HOST && right;
            if (!right)
                printf("%d: %s of %u or host %u at %.0f: %s\n", i, ct_watch_kind_names[fault.kind],
                       fault.direction, fault.host, begin_s,
                       found ? now->alarms[now->n_alarms - known - 1].reason : "not found");
            watched.fabric.fault.is_there = false;
            watch_under_loads(&watched, 60);
            now = ct_watch_finder_state(watched.finder);
            for (size_t a = 0; a < now->n_alarms; a++)
                if (now->alarms[a].ended_unix_ns == 0)
                    printf("%d: %s lasts: %s\n", i, ct_watch_kind_names[now->alarms[a].kind],
                           now->alarms[a].reason);
        }
        watched_close(&watched);
    }
    printf("%d faults: %d found, %d right, %d with one suspect; of %d hosts %d\n", n, n_found,
           n_right, n_one, n_hosts, n_hosts_right);
    assert_true(100 * n_found >= 95 * n);
    assert_true(100 * n_right >= 95 * n);
    assert_true(100 * n_hosts_right >= 95 * n_hosts);
}

static void slow_loads_are_no_faults(void **state)
{
    (void)state;
    int n = number_of("CROSSTALK_WATCH_WINDOWS", 100);
    size_t n_alarms = 0;
    for (int i = 0; i < n; i += WINDOWS_A_FABRIC) {
        struct watched watched = {.n_alarms = 0};
        watched_open(&watched,
                     (uint64_t)number_of("CROSSTALK_WATCH_SEED", 1000) + 1000 + (uint64_t)i);
        watch_under_loads(&watched, 60 * fmin(n - i, WINDOWS_A_FABRIC));
        const struct ct_watch_state *now = ct_watch_finder_state(watched.finder);
        for (size_t a = 0; a < now->n_alarms; a++)
            printf("%s: %s\n", ct_watch_kind_names[now->alarms[a].kind], now->alarms[a].reason);
        n_alarms += now->n_alarms;
        watched_close(&watched);
    }
    printf("%d healthy windows: %zu alarms\n", n, n_alarms);
    assert_true(n_alarms <= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(common_faults_are_found),
                                       cmocka_unit_test(slow_other_faults_are_found),
                                       cmocka_unit_test(a_place_becomes_narrower),
                                       cmocka_unit_test(a_flap_may_have_a_narrower_place),
                                       cmocka_unit_test(a_change_begins_with_what_is_reported_late),
                                       cmocka_unit_test(a_slow_link_has_a_lower_rate),
                                       cmocka_unit_test(waits_for_a_moment_are_no_slow_host),
                                       cmocka_unit_test(a_slow_host_is_found_in_reports_by_turns),
                                       cmocka_unit_test(a_host_that_hung_is_well_again),
                                       cmocka_unit_test(a_slow_host_may_have_no_place),
                                       cmocka_unit_test(dates_may_be_set),
                                       cmocka_unit_test(a_date_teaches_nothing),
                                       cmocka_unit_test(hosts_that_are_not_listed_wait),
                                       cmocka_unit_test(strange_hosts_have_no_place),
                                       cmocka_unit_test(slow_faults_under_loads),
                                       cmocka_unit_test(slow_loads_are_no_faults)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
