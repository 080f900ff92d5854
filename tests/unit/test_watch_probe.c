/* Hosts of a watch in one process: a network in memory, and clocks that the tests set. */
#include "core/random.h"
#include "core/units.h"
#include "tests/unit/unit.h"
#include "topology/read.h"
#include "watch/probe/agent.h"
#include "watch/probe/offsets.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOSTS = 16, PACKETS = 4096 };
static const int64_t second_ns = 1000000000;
static const int64_t epoch_ns = INT64_C(1800000000) * 1000000000;

struct packet {
    int64_t at_ns;
    uint64_t order;
    size_t from, to, n;
    unsigned char bytes[CT_PROBE_MESSAGE_MAX];
};

struct world;

struct host {
    struct world *world;
    size_t number;
    struct ct_probe_agent *agent; /* NULL: not there */
    struct ct_probe_settings settings;
    double offset_s, drift;
    double date_jump_s;
    int64_t cpu_ns;
    int64_t next_ns; /* of the world's time */
    char said[4000];
};

struct world {
    int64_t now_ns;
    struct host hosts[HOSTS];
    size_t n;
    uint64_t random, order;
    struct packet *heap[PACKETS];
    size_t n_heap;
    double wire_s, queue_s; /* latency, and mean of what is added at random */
    double slow_s;          /* added from host 1 to host 2 */
    double loss;
    bool garbles[HOSTS];
    /* What came out. */
    uint64_t n_samples, n_fate[3], n_trains;
    uint64_t n_of_host[HOSTS];
    int64_t last_unix_ns[HOSTS], longest_gap_ns; /* of all but the collector */
    bool may_go_back;                            /* dates of samples */
    uint64_t n_one_way;
    double worst_one_way_s;
    uint64_t bytes[HOSTS];
    size_t longest_excess; /* of an answer over what was asked by a stranger */
};

static int64_t clock_of(const struct host *host)
{
    double past = (double)host->world->now_ns;
    return host->world->now_ns + (int64_t)(host->offset_s * 1e9 + host->drift * past);
}

static int64_t host_now(void *state)
{
    return clock_of(state);
}

static int64_t host_date(void *state)
{
    const struct host *host = state;
    return epoch_ns + host->world->now_ns + (int64_t)(1e9 * host->date_jump_s);
}

static int64_t host_cpu(void *state)
{
    return ((struct host *)state)->cpu_ns;
}

static void host_say(void *state, bool is_warning, const char *text)
{
    (void)is_warning;
    struct host *host = state;
    size_t used = strlen(host->said);
    snprintf(host->said + used, sizeof host->said - used, "%s\n", text);
}

static bool is_before(const struct packet *a, const struct packet *b)
{
    return a->at_ns != b->at_ns ? a->at_ns < b->at_ns : a->order < b->order;
}

static void push_packet(struct world *world, struct packet *packet)
{
    assert_true(world->n_heap < PACKETS);
    size_t i = world->n_heap++;
    for (; i > 0 && is_before(packet, world->heap[(i - 1) / 2]); i = (i - 1) / 2)
        world->heap[i] = world->heap[(i - 1) / 2];
    world->heap[i] = packet;
}

static struct packet *pop_packet(struct world *world)
{
    struct packet *first = world->heap[0], *last = world->heap[--world->n_heap];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < world->n_heap; i = child) {
        if (child + 1 < world->n_heap && is_before(world->heap[child + 1], world->heap[child]))
            child++;
        if (!is_before(world->heap[child], last))
            break;
        world->heap[i] = world->heap[child];
    }
    world->heap[i] = last;
    return first;
}

static struct ct_probe_address address_of(size_t number)
{
    return (struct ct_probe_address){.host = {[15] = (unsigned char)number}, .port = 7};
}

static double unit_of(struct world *world)
{
    return ct_random_unit(ct_random_next(&world->random));
}

static void send_packet(void *state, const struct ct_probe_address *to, const void *bytes, size_t n)
{
    struct host *host = state;
    struct world *world = host->world;
    host->cpu_ns += 10000;
    world->bytes[host->number] += n + CT_PROBE_WIRE_BYTES;
    if (unit_of(world) < world->loss || to->host[15] >= HOSTS)
        return;
    struct packet *packet = malloc(sizeof *packet);
    double delay_s = world->wire_s - log1p(-unit_of(world)) * world->queue_s +
                     (double)n * 1e-9 * 8; /* 1 Gbit/s */
    if (host->number == 1 && to->host[15] == 2)
        delay_s += world->slow_s;
    packet->at_ns = world->now_ns + (int64_t)(1e9 * delay_s);
    packet->order = world->order++;
    packet->from = host->number;
    packet->to = to->host[15];
    packet->n = n;
    memcpy(packet->bytes, bytes, n);
    if (world->garbles[host->number])
        packet->bytes[n - 1] ^= 1;
    push_packet(world, packet);
}

static void host_send(void *state, const struct ct_probe_address *to, const void *bytes, size_t n,
                      size_t each)
{
    for (size_t at = 0; at < n; at += each)
        send_packet(state, to, (const char *)bytes + at, n - at < each ? n - at : each);
}

/* A host as the world numbers it: its place in the table is that of its joining. */
static size_t number_of(const struct world *world, uint32_t in_table)
{
    size_t n;
    const struct ct_watch_host *hosts = ct_probe_agent_hosts(world->hosts[0].agent, &n);
    return (size_t)(hosts[in_table].name[1] - '0');
}

static double true_one_way(const struct world *world, const struct ct_watch_sample *sample)
{
    return world->wire_s + (double)sample->bytes * 1e-9 * 8 +
           (number_of(world, sample->from) == 1 && number_of(world, sample->to) == 2 ? world->slow_s
                                                                                     : 0);
}

static void host_take(void *state, const struct ct_watch_sample *sample)
{
    struct world *world = ((struct host *)state)->world;
    world->n_samples++;
    world->n_fate[sample->fate]++;
    world->n_of_host[sample->from]++;
    assert_true(sample->from != sample->to);
    int64_t *last_ns = &world->last_unix_ns[sample->from];
    if (*last_ns != 0 && !world->may_go_back) {
        assert_true(sample->unix_ns >= *last_ns);
        if (sample->from != 0 && sample->unix_ns - *last_ns > world->longest_gap_ns)
            world->longest_gap_ns = sample->unix_ns - *last_ns;
    }
    *last_ns = sample->unix_ns;
    world->n_trains += sample->bytes > 4096;
    if (sample->fate == CT_WATCH_ANSWERED && sample->bytes < 4096 && world->queue_s == 0 &&
        !isnan(sample->there_s)) {
        world->n_one_way++;
        double error_s = fabs((double)sample->there_s - true_one_way(world, sample));
        world->worst_one_way_s = fmax(world->worst_one_way_s, error_s);
    }
}

static void add_host(struct world *world, size_t number, double offset_s, double drift)
{
    struct host *host = &world->hosts[number];
    if (number >= world->n)
        world->n = number + 1;
    host->world = world;
    host->number = number;
    host->offset_s = offset_s;
    host->drift = drift;
    host->settings.session = ct_random_next(&world->random);
    host->settings.seed = ct_random_next(&world->random);
    host->settings.join[0] = address_of(0);
    host->settings.n_join = number > 0;
    host->settings.interval_s = host->settings.interval_s > 0 ? host->settings.interval_s : 0.1;
    host->settings.small_bytes = 128;
    host->settings.train_bytes = 16384;
    host->settings.bytes_per_s =
        host->settings.bytes_per_s > 0 ? host->settings.bytes_per_s : 125e3;
    host->settings.cpu_frac = 0.005;
    if (host->settings.name[0] == '\0')
        snprintf(host->settings.name, sizeof host->settings.name, "n%zu", number);
    const struct ct_probe_place place = {host,      host_now, host_date, host_cpu,
                                         host_send, host_say, host_take};
    struct ct_error err;
    if (ct_probe_agent_new(&host->settings, &place, NULL, 0, &host->agent, &err) != CT_OK)
        fail_msg("%s", err.text);
    host->next_ns = world->now_ns;
}

static void remove_host(struct world *world, size_t number)
{
    ct_probe_agent_free(world->hosts[number].agent);
    world->hosts[number].agent = NULL;
}

/* By the world's time; a host's clock runs differently by its drift. */
static void step_host(struct host *host)
{
    int64_t wait_ns = ct_probe_agent_step(host->agent) - clock_of(host);
    host->next_ns = host->world->now_ns + (wait_ns > 1000 ? wait_ns : 1000);
}

static void run_until(struct world *world, double s)
{
    int64_t end_ns = (int64_t)(1e9 * s);
    for (;;) {
        struct host *first = NULL;
        for (size_t i = 0; i < world->n; i++)
            if (world->hosts[i].agent && (!first || world->hosts[i].next_ns < first->next_ns))
                first = &world->hosts[i];
        bool is_packet = world->n_heap > 0 && (!first || world->heap[0]->at_ns <= first->next_ns);
        int64_t next_ns = is_packet ? world->heap[0]->at_ns : first ? first->next_ns : end_ns;
        if (next_ns >= end_ns)
            break;
        world->now_ns = next_ns > world->now_ns ? next_ns : world->now_ns;
        if (!is_packet) {
            step_host(first);
            continue;
        }
        struct packet *packet = pop_packet(world);
        struct host *to = &world->hosts[packet->to];
        if (to->agent) {
            const struct ct_probe_address from = address_of(packet->from);
            ct_probe_agent_receive(to->agent, &from, packet->bytes, packet->n, clock_of(to));
            step_host(to);
        }
        free(packet);
    }
    world->now_ns = end_ns;
}

static struct world *make_world(size_t n)
{
    assert_true(sodium_init() >= 0);
    struct world *world = calloc(1, sizeof *world);
    *world = (struct world){.random = 45, .wire_s = 20e-6, .queue_s = 10e-6, .now_ns = second_ns};
    for (size_t i = 0; i < n; i++)
        add_host(world, i, i == 0 ? 1000 : 3600.0 * (double)i,
                 i == 0 ? 2e-6 : 1e-6 * (double)(i * i) - 2e-5);
    return world;
}

static void free_world(struct world *world)
{
    for (size_t i = 0; i < world->n; i++)
        ct_probe_agent_free(world->hosts[i].agent);
    while (world->n_heap > 0)
        free(pop_packet(world));
    free(world);
}

static const struct ct_watch_host *hosts_of(struct world *world, size_t *n_p)
{
    return ct_probe_agent_hosts(world->hosts[0].agent, n_p);
}

/* ---- tests ---- */

static void clocks_are_found(void **state)
{
    (void)state;
    struct world *world = make_world(4);
    run_until(world, 400);
    size_t n;
    const struct ct_watch_host *hosts = hosts_of(world, &n);
    assert_int_equal(n, 4);
    for (size_t k = 0; k < n; k++) {
        uint64_t i;
        assert_int_equal(ct_parse_u64(hosts[k].name + 1, &i, NULL), CT_OK);
        assert_in_range(i, 0, n - 1);
        const struct host *host = &world->hosts[i], *first = &world->hosts[0];
        double expected = host->offset_s - first->offset_s +
                          (host->drift - first->drift) * 1e-9 * (double)world->now_ns;
        assert_near(hosts[k].offset_s, expected, 5e-6 + 10 * 1e-4); /* as of up to 10 s ago */
        assert_near(hosts[k].drift_per_s, host->drift - first->drift, 2e-8);
    }
    /* One-way times where nothing waits: 2 us of 21. */
    world->queue_s = 0;
    run_until(world, 410);
    world->worst_one_way_s = 0;
    run_until(world, 460);
    assert_true(world->n_one_way > 1000);
    assert_near(world->worst_one_way_s, 0, 2e-6);
    free_world(world);
}

/* Its clock does not take the blame, since host 2's other paths are as they were. */
static void a_slow_direction_is_seen(void **state)
{
    (void)state;
    struct world *world = make_world(5);
    world->slow_s = 30e-6;
    run_until(world, 300);
    world->queue_s = 0;
    run_until(world, 310);
    world->worst_one_way_s = 0;
    run_until(world, 360);
    assert_true(world->n_one_way > 1000);
    assert_near(world->worst_one_way_s, 0, 3e-6);
    free_world(world);
}

static void hosts_come_and_go(void **state)
{
    (void)state;
    struct world *world = make_world(4);
    size_t n;
    run_until(world, 60);
    assert_int_equal(hosts_of(world, &n)[0].is_present, 1);
    assert_int_equal(n, 4);
    add_host(world, 4, 5, 0);
    run_until(world, 90);
    hosts_of(world, &n);
    assert_int_equal(n, 5);
    assert_true(world->n_of_host[4] > 100);
    /* One vanishes, one leaves, the rest goes on. */
    const struct ct_watch_host *hosts = hosts_of(world, &n);
    uint32_t vanished = 0;
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(hosts[i].name, "n2") == 0)
            vanished = i;
    remove_host(world, 2);
    ct_probe_agent_leave(world->hosts[3].agent);
    run_until(world, 90.5);
    remove_host(world, 3);
    run_until(world, 110);
    assert_non_null(strstr(world->hosts[0].said, "n2 is silent"));
    assert_non_null(strstr(world->hosts[0].said, "n3 left"));
    uint64_t lost = world->n_fate[CT_WATCH_LOST];
    assert_in_range(lost, 10, 400); /* of the ten seconds in which n2 counted as present */
    assert_false(hosts_of(world, &n)[vanished].is_present);
    uint64_t before = world->n_samples;
    run_until(world, 140);
    assert_int_equal(world->n_fate[CT_WATCH_LOST], lost);
    assert_true(world->n_samples - before > 3 * 250);
    /* It comes back, under its number. */
    add_host(world, 2, 77, 0);
    run_until(world, 170);
    hosts = hosts_of(world, &n);
    assert_int_equal(n, 5);
    assert_true(hosts[vanished].is_present);
    free_world(world);
}

/* The collector is gone for a minute: what hosts saw meanwhile comes later, nothing is lost. */
static void a_partition_loses_no_records(void **state)
{
    (void)state;
    struct world *world = make_world(4);
    run_until(world, 60);
    struct ct_probe_agent *collector = world->hosts[0].agent;
    world->hosts[0].agent = NULL;
    run_until(world, 120);
    world->hosts[0].agent = collector;
    run_until(world, 240);
    assert_near(1e-9 * (double)world->longest_gap_ns, 0, 2);
    for (size_t i = 0; i < 4; i++)
        assert_in_range(world->n_of_host[i], i == 0 ? 1500 : 2100, 2700);
    free_world(world);
}

static void strangers_get_no_answer(void **state)
{
    (void)state;
    struct world *world = make_world(3);
    run_until(world, 30);
    /* A stranger's messages, and recorded ones. */
    add_host(world, 5, 0, 0);
    uint64_t before = world->bytes[0];
    remove_host(world, 5);
    unsigned char bytes[CT_PROBE_MESSAGE_MAX] = {0};
    const struct ct_probe_head head = {CT_PROBE_JOIN, 0, 9, 1};
    const unsigned char other_key[CT_PROBE_KEY_BYTES] = {1};
    ct_probe_message_seal(bytes, CT_PROBE_FRAME_BYTES, &head, other_key);
    const struct ct_probe_address from = address_of(5);
    ct_probe_agent_receive(world->hosts[0].agent, &from, bytes, CT_PROBE_FRAME_BYTES,
                           clock_of(&world->hosts[0]));
    assert_int_equal(world->bytes[0], before);
    assert_non_null(strstr(world->hosts[0].said, "not sealed with the key"));
    /* With the key: an answer no longer than the message. */
    ct_probe_message_seal(bytes, CT_PROBE_FRAME_BYTES, &head, world->hosts[0].settings.key);
    ct_probe_agent_receive(world->hosts[0].agent, &from, bytes, CT_PROBE_FRAME_BYTES,
                           clock_of(&world->hosts[0]));
    assert_int_equal(world->bytes[0], before + CT_PROBE_FRAME_BYTES + CT_PROBE_WIRE_BYTES);
    free_world(world);
}

/* The first question of a host. */
static void seal_question(const struct host *collector, const char *name,
                          unsigned char bytes[CT_PROBE_MESSAGE_MAX])
{
    const struct ct_probe_head head = {CT_PROBE_PULL, collector->settings.session, 77, 2};
    memset(bytes, 0, CT_PROBE_MESSAGE_MAX);
    snprintf((char *)bytes + CT_PROBE_HEAD_BYTES, sizeof collector->settings.name, "%s", name);
    ct_probe_message_seal(bytes, CT_PROBE_MESSAGE_MAX, &head, collector->settings.key);
}

/* It is sent again from elsewhere. */
static void a_recorded_message_gets_no_answer(void **state)
{
    (void)state;
    struct world *world = make_world(2);
    struct host *collector = &world->hosts[0];
    run_until(world, 30);
    unsigned char bytes[CT_PROBE_MESSAGE_MAX];
    const struct ct_probe_address from = address_of(5), elsewhere = address_of(6);
    seal_question(collector, "n5", bytes);
    uint64_t before = world->bytes[0];
    ct_probe_agent_receive(collector->agent, &from, bytes, sizeof bytes, clock_of(collector));
    assert_true(world->bytes[0] > before);
    before = world->bytes[0];
    ct_probe_agent_receive(collector->agent, &elsewhere, bytes, sizeof bytes, clock_of(collector));
    assert_int_equal(world->bytes[0], before);
    assert_non_null(strstr(collector->said, "or were there before, the last one from ::6 port 7"));
    free_world(world);
}

/* A host that is called as the collector asks every two seconds. */
static void names_are_said_now_and_then(void **state)
{
    (void)state;
    struct world *world = make_world(2);
    struct host *collector = &world->hosts[0];
    run_until(world, 30);
    unsigned char bytes[CT_PROBE_MESSAGE_MAX];
    const struct ct_probe_address from = address_of(5);
    seal_question(collector, collector->settings.name, bytes);
    for (int i = 0; i < 100; i++)
        ct_probe_agent_receive(collector->agent, &from, bytes, sizeof bytes, clock_of(collector));
    const char *first = strstr(collector->said, "a second host calls itself");
    assert_non_null(first);
    assert_null(strstr(first + 1, "a second host calls itself"));
    free_world(world);
}

static void a_message_counts_once(void **state)
{
    (void)state;
    struct ct_probe_window window = {0};
    assert_true(ct_probe_window_take(&window, 1));
    assert_false(ct_probe_window_take(&window, 1));
    assert_true(ct_probe_window_take(&window, 70));
    assert_true(ct_probe_window_take(&window, 69));
    assert_false(ct_probe_window_take(&window, 69));
    assert_false(ct_probe_window_take(&window, 6)); /* too old */
    assert_true(ct_probe_window_take(&window, 7));
    assert_true(ct_probe_window_take(&window, 1000));
    assert_false(ct_probe_window_take(&window, 70));
}

static void garbage_is_named(void **state)
{
    (void)state;
    struct world *world = make_world(4);
    run_until(world, 30);
    world->garbles[2] = true;
    run_until(world, 35);
    assert_non_null(strstr(world->hosts[0].said, "from ::2 port 7"));
    /* Sealed, and impossible: its clock runs backwards between arrival and answer. */
    world->garbles[2] = false;
    run_until(world, 60);
    unsigned char bytes[CT_PROBE_FRAME_BYTES + 24];
    memset(bytes, 0xff, sizeof bytes);
    const struct ct_probe_head head = {CT_PROBE_REPORT, world->hosts[0].settings.session,
                                       world->hosts[2].settings.session, 1U << 30};
    ct_probe_message_seal(bytes, sizeof bytes, &head, world->hosts[0].settings.key);
    const struct ct_probe_address from = address_of(2);
    ct_probe_agent_receive(world->hosts[0].agent, &from, bytes, sizeof bytes,
                           clock_of(&world->hosts[0]));
    assert_non_null(strstr(world->hosts[0].said, "n2 sends reports that cannot be right"));
    run_until(world, 90);
    free_world(world);
}

static void a_jump_of_the_date_is_named(void **state)
{
    (void)state;
    struct world *world = make_world(3);
    run_until(world, 60);
    world->hosts[0].date_jump_s = -3600;
    world->may_go_back = true;
    run_until(world, 90);
    world->may_go_back = false;
    assert_non_null(strstr(world->hosts[0].said, "set back by 3.6e+03 s"));
    assert_true(world->last_unix_ns[1] < epoch_ns - 3000 * second_ns);
    /* Those of other hosts do not matter. */
    world->hosts[1].date_jump_s = 1e6;
    run_until(world, 120);
    assert_true(world->longest_gap_ns < 5 * second_ns);
    free_world(world);
}

/* A tenth of what probes would take: the bound holds, and what is left out is counted. */
static void bytes_are_bounded(void **state)
{
    (void)state;
    struct world *world = calloc(1, sizeof *world);
    *world = (struct world){.random = 4, .wire_s = 20e-6, .queue_s = 1e-6, .now_ns = second_ns};
    assert_true(sodium_init() >= 0);
    for (size_t i = 0; i < 4; i++) {
        world->hosts[i].settings.bytes_per_s = 2000;
        world->hosts[i].settings.interval_s = 0.01;
        add_host(world, i, 0, 0);
    }
    run_until(world, 600);
    for (size_t i = 0; i < 4; i++)
        assert_true((double)world->bytes[i] < 2000 * 600 + 30000);
    assert_true(world->n_fate[CT_WATCH_ANSWERED] > 4 * 600);
    assert_true(world->n_trains > 0);
    free_world(world);
}

static void processor_time_is_bounded(void **state)
{
    (void)state;
    struct world *world = make_world(3);
    run_until(world, 60);
    for (int i = 0; i < 60; i++) { /* another part of the process computes */
        world->hosts[1].cpu_ns += second_ns / 10;
        run_until(world, 61 + i);
    }
    assert_true(world->n_fate[CT_WATCH_SKIPPED] > 300);
    /* What it owes then is not paid for minutes. */
    run_until(world, 150);
    uint64_t skipped = world->n_fate[CT_WATCH_SKIPPED];
    run_until(world, 180);
    assert_int_equal(world->n_fate[CT_WATCH_SKIPPED], skipped);
    free_world(world);
}

static void partners_pass_all_links(void **state)
{
    (void)state;
    struct ct_topology topology;
    struct ct_error err;
    const struct ct_topology_settings settings = {0};
    assert_int_equal(ct_topology_open("tree:4x4", &settings, &topology, &err), CT_OK);
    struct world *world = calloc(1, sizeof *world);
    *world = (struct world){.random = 4, .wire_s = 20e-6, .queue_s = 1e-6, .now_ns = second_ns};
    assert_true(sodium_init() >= 0);
    for (size_t i = 0; i < 8; i++) {
        snprintf(world->hosts[i].settings.name, 64, "h%zu", i + 1);
        world->hosts[i].settings.topology = &topology;
        world->hosts[i].settings.places = CT_PLACES_OF_LAB;
        add_host(world, i, 0, 0);
    }
    run_until(world, 60);
    assert_null(strstr(world->hosts[0].said, "at random"));
    assert_true(world->n_samples > 8 * 300);
    free_world(world);
    ct_topology_free(&topology);
}

/* A day of four hosts: memory is what it was after the first minutes, and there is no gap. */
static void slow_a_day_passes(void **state)
{
    (void)state;
    struct world *world = make_world(0);
    for (size_t i = 0; i < 4; i++) {
        world->hosts[i].settings.interval_s = 5;
        add_host(world, i, 100.0 * (double)i, 5e-6 * (double)i);
    }
    run_until(world, 1800);
    size_t before = ct_probe_agent_counts(world->hosts[0].agent).memory_bytes;
    size_t other = ct_probe_agent_counts(world->hosts[1].agent).memory_bytes;
    run_until(world, 86400);
    assert_int_equal(ct_probe_agent_counts(world->hosts[0].agent).memory_bytes, before);
    assert_int_equal(ct_probe_agent_counts(world->hosts[1].agent).memory_bytes, other);
    assert_in_range(world->n_samples, 4 * 86400 / 5 * 95 / 100, 4 * 86400 / 5 * 105 / 100);
    assert_int_equal(world->n_fate[CT_WATCH_LOST], 0);
    assert_int_equal(world->n_fate[CT_WATCH_SKIPPED], 0);
    assert_true(world->longest_gap_ns < 100 * second_ns); /* e^-20 each: Poisson */
    free_world(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(clocks_are_found),
                                       cmocka_unit_test(a_slow_direction_is_seen),
                                       cmocka_unit_test(hosts_come_and_go),
                                       cmocka_unit_test(a_partition_loses_no_records),
                                       cmocka_unit_test(strangers_get_no_answer),
                                       cmocka_unit_test(a_recorded_message_gets_no_answer),
                                       cmocka_unit_test(names_are_said_now_and_then),
                                       cmocka_unit_test(a_message_counts_once),
                                       cmocka_unit_test(garbage_is_named),
                                       cmocka_unit_test(a_jump_of_the_date_is_named),
                                       cmocka_unit_test(bytes_are_bounded),
                                       cmocka_unit_test(processor_time_is_bounded),
                                       cmocka_unit_test(partners_pass_all_links),
                                       cmocka_unit_test(slow_a_day_passes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
