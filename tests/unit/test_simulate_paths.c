/* Messages on paths of several links: by hand, and properties; programs on a tree. */
#include "goal_example.h"
#include "links_example.h"
#include "simulate/places.h"
#include "topology/read.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES_MAX = 64 };
static const double G_ns_per_byte = 2;

/* The first n nodes of a topology, whose links between switches have a rate `uplink` times that of
 * a node's. */
static struct ct_simulate_paths paths_of(const char *spec, double uplink, uint32_t n)
{
    struct ct_topology_settings settings = ct_topology_defaults();
    struct ct_topology topology;
    struct ct_simulate_paths paths;
    struct ct_error err;
    uint32_t nodes[NODES_MAX];
    settings.rate_bit_per_s = 1e6;
    settings.uplink_bit_per_s = uplink * 1e6;
    if (ct_topology_make(spec, &settings, &topology, &err) != CT_OK)
        fail_msg("%s", err.text);
    for (uint32_t i = 0; i < n; i++)
        nodes[i] = i;
    const struct ct_simulate_paths_setup setup = {.topology = &topology,
                                                  .nodes = nodes,
                                                  .n_nodes = n,
                                                  .ns_per_byte = G_ns_per_byte,
                                                  .wire_ns = 10,
                                                  .switch_ns = 100};
    if (ct_simulate_paths_of_topology(&setup, &paths, &err) != CT_OK)
        fail_msg("%s", err.text);
    ct_topology_free(&topology);
    return paths;
}

static struct ct_links *tree(const char *spec, double uplink, uint32_t n,
                             struct ct_links_queues queues)
{
    struct ct_simulate_paths paths = paths_of(spec, uplink, n);
    return links_on(&paths, queues);
}

static const struct ct_links_queues in_turn = {.order = CT_LINKS_ROUND_ROBIN};
static const struct ct_links_queues fifo = {.order = CT_LINKS_FIFO};

/* ---- paths ---- */

static uint32_t hops_between(const struct ct_simulate_paths *paths, uint32_t from, uint32_t to)
{
    const uint32_t *first = &paths->first_hop[from * paths->n_nodes + to];
    return first[1] - first[0];
}

static void test_paths(void **state)
{
    (void)state;
    struct ct_simulate_paths paths = paths_of("tree:2x2", 0.5, 4);
    /* Two directions of four links of nodes and of two between switches. */
    assert_int_equal(paths.n_links, 12);
    assert_int_equal(paths.n_between, 4);
    assert_int_equal(paths.most_hops, 4);
    for (uint32_t i = 0; i < paths.n_links; i++)
        assert_near(paths.ns_per_byte[i], i < 8 ? 2 : 4, 0);
    for (uint32_t from = 0; from < 4; from++)
        for (uint32_t to = 0; to < 4; to++) {
            uint32_t links = from == to ? 0 : from / 2 == to / 2 ? 2 : 4;
            const uint32_t *hop = &paths.hops[paths.first_hop[from * 4 + to]];
            assert_int_equal(hops_between(&paths, from, to), links);
            if (links == 0)
                continue;
            assert_near(ct_simulate_paths_latency_ns(&paths, from, to),
                        10 * links + 100 * (links - 1), 0);
            for (uint32_t h = 0; h < links; h++)
                assert_int_equal(hop[h] >= 8, h > 0 && h + 1 < links);
        }
    ct_simulate_paths_free(&paths);
    /* Nodes under one leaf: their links only. */
    paths = paths_of("tree:2x2", 0.5, 2);
    assert_int_equal(paths.n_links, 4);
    assert_int_equal(paths.n_between, 0);
    ct_simulate_paths_free(&paths);
}

static enum ct_status open_paths(const char *text, uint32_t n, double ns_per_byte,
                                 struct ct_error *err)
{
    struct ct_topology topology;
    struct ct_simulate_paths paths;
    const uint32_t nodes[] = {0, 1, 2, 3};
    const struct ct_simulate_paths_setup setup = {
        .topology = &topology, .nodes = nodes, .n_nodes = n, .ns_per_byte = ns_per_byte};
    assert_int_equal(ct_topology_parse(text, strlen(text), "net", &topology, NULL), CT_OK);
    enum ct_status status = ct_simulate_paths_of_topology(&setup, &paths, err);
    ct_topology_free(&topology);
    if (status == CT_OK)
        ct_simulate_paths_free(&paths);
    return status;
}

static void test_bad_paths(void **state)
{
    (void)state;
    static const char known[] = "switches:\n- {name: s, nodes: 'n[0-3]', rate: 1gbit}\n";
    static const char half[] = "switches:\n- {name: s, nodes: 'n[0-1]', rate: 1gbit}\n"
                               "- {name: t, nodes: 'n[2-3]', rate: 1gbit}\n"
                               "links:\n- {from: s, to: t}\n";
    static const char direct[] = "links:\n- {from: n0, to: n1}\n";
    struct ct_error err;
    assert_int_equal(open_paths(known, 4, 1, &err), CT_OK);
    assert_int_equal(open_paths(known, 0, 1, &err), CT_EINVAL);
    assert_int_equal(open_paths(known, 4, 0, &err), CT_EINVAL);
    assert_int_equal(open_paths(known, 4, NAN, &err), CT_EINVAL);
    assert_int_equal(open_paths(half, 2, 1, &err), CT_OK); /* that link is not in use */
    assert_int_equal(open_paths(half, 4, 1, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "between s and t is not known"));
    assert_int_equal(open_paths(direct, 2, 1, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "without a switch"));
}

/* ---- links ---- */

/* A topology of one switch gives what one switch gives, bit for bit. */
static void test_one_switch(void **state)
{
    (void)state;
    enum { NODES = 6, MESSAGES = 300 };
    uint64_t die = 7;
    for (int i = 0; i < 20; i++) {
        const struct ct_links_queues queues = {.order =
                                                   i % 2 ? CT_LINKS_FIFO : CT_LINKS_ROUND_ROBIN,
                                               .packet_bytes = 1500,
                                               .ahead_bytes = i % 3 ? 9000 : 0,
                                               .burst_bytes = i % 4 ? 1000 : 0};
        struct sent messages[MESSAGES];
        double expected_ns[MESSAGES], through_ns[MESSAGES], at_ns = 0;
        for (int m = 0; m < MESSAGES; m++) {
            uint32_t from = (uint32_t)throw_die(&die, NODES), to = (uint32_t)throw_die(&die, NODES);
            at_ns += (double)throw_die(&die, 3000);
            messages[m] = (struct sent){
                from == to ? (from + 1) % NODES : from, to,    (uint32_t)throw_die(&die, 2),
                (double)throw_die(&die, 4000),          at_ns, 0};
        }
        struct ct_simulate_paths paths;
        assert_int_equal(ct_simulate_paths_of_switch(NODES, G_ns_per_byte, &paths, NULL), CT_OK);
        struct ct_links *links = links_on(&paths, queues);
        run_links(links, messages, MESSAGES, expected_ns);
        free_links(links);
        links = tree("switch:6", 1, NODES, queues);
        run_links(links, messages, MESSAGES, through_ns);
        free_links(links);
        assert_memory_equal(through_ns, expected_ns, sizeof through_ns);
    }
}

/* 2 ns a byte; nodes 0 to 1 (or 2) under one leaf, the others under the other one. */
static void test_links_between(void **state)
{
    (void)state;
    /* Four links take no longer than one; a slow one decides. */
    CHECK_LINKS(tree("tree:2x2", 1, 4, in_turn), {0, 2, 0, 100, 0, 200});
    CHECK_LINKS(tree("tree:2x2", 0.5, 4, in_turn), {0, 2, 0, 100, 0, 400});
    CHECK_LINKS(tree("tree:2x2", 10, 4, in_turn), {0, 2, 0, 100, 0, 200});
    /* Two flows over one uplink have half of it, in the same direction only; of an uplink of twice
     * the rate all they can use. */
    CHECK_LINKS(tree("tree:2x2", 1, 4, in_turn), {0, 2, 0, 100, 0, 400}, {1, 3, 0, 100, 0, 400});
    CHECK_LINKS(tree("tree:2x2", 1, 4, in_turn), {0, 2, 0, 100, 0, 200}, {3, 1, 0, 100, 0, 200});
    CHECK_LINKS(tree("tree:2x2", 2, 4, in_turn), {0, 2, 0, 100, 0, 200}, {1, 3, 0, 100, 0, 200});
    CHECK_LINKS(tree("tree:2x2", 1, 4, fifo), {0, 2, 0, 100, 0, 400}, {1, 3, 0, 100, 0, 400});
    /* Under a leaf nobody meets them. */
    CHECK_LINKS(tree("tree:2x3", 0.5, 6, in_turn), {0, 3, 0, 100, 0, 400}, {1, 2, 0, 100, 0, 200});
    /* Two spines by destination: 3 is behind the other one than 2. */
    CHECK_LINKS(tree("tree:2x2,2", 1, 4, in_turn), {0, 2, 0, 100, 0, 200}, {1, 3, 0, 100, 0, 200});
}

/* What shares a link between switches. */
static void test_links_sources(void **state)
{
    (void)state;
    /* In turn: node 0 has half for both of its messages. Node 1 is through after 400 ns. */
    CHECK_LINKS(tree("tree:2x3", 1, 6, in_turn), {0, 3, 0, 100, 0, 600}, {0, 4, 0, 100, 0, 600},
                {1, 5, 0, 100, 0, 400});
    /* One queue: a third each. */
    CHECK_LINKS(tree("tree:2x3", 1, 6, fifo), {0, 3, 0, 100, 0, 600}, {0, 4, 0, 100, 0, 600},
                {1, 5, 0, 100, 0, 600});
    /* Uplink of 1 B/ns; 0 to 4, 1 to 4 and 2 to 4 have a sixth each at node 4. The rest of what is
     * node 0's in turn, 1/3 - 1/6, is its other message's, up to what is left of its own link: 1/3.
     * Uplink: 1/6 + 1/6 + 1/6 + 1/3 = 5/6 of 1, so that link does not bind. */
    CHECK_LINKS(tree("tree:2x4", 2, 8, in_turn), {0, 4, 0, 100, 0, 600}, {1, 4, 0, 100, 0, 600},
                {2, 4, 0, 100, 0, 600}, {0, 5, 0, 200, 0, 600});
    /* Uplink of 3/8 B/ns, an eighth for each node: of node 0's 1/16 for each message; the others'
     * have an eighth. */
    CHECK_LINKS(tree("tree:2x4", 0.75, 8, in_turn), {0, 4, 0, 100, 0, 1600},
                {0, 5, 0, 100, 0, 1600}, {1, 6, 0, 200, 0, 1600}, {2, 7, 0, 200, 0, 1600});
    /* A quarter for each node; node 3, with five senders, takes a tenth of node 0's, which leaves
     * 3/20 for its other message. */
    CHECK_LINKS(tree("tree:4x3", 1, 12, in_turn), {0, 3, 0, 200, 0, 2000}, {0, 9, 0, 300, 0, 2000},
                {1, 10, 0, 500, 0, 2000}, {6, 3, 0, 200, 0, 2000}, {7, 3, 0, 200, 0, 2000},
                {8, 3, 0, 200, 0, 2000}, {11, 3, 0, 200, 0, 2000});
    /* Node 1, to which another limits its message, leaves the rest to the others, alike: 3/8. */
    CHECK_LINKS(tree("tree:4x3", 2, 12, in_turn), {0, 3, 0, 187.5, 0, 1000},
                {0, 4, 0, 187.5, 0, 1000}, {2, 5, 0, 375, 0, 1000}, {1, 9, 0, 250, 0, 1000},
                {6, 9, 0, 250, 0, 1000});
}

/* What is ahead of a message on a link between switches: of those that this link limits. */
static void test_links_between_ahead(void **state)
{
    (void)state;
    const struct ct_links_queues turn = {.packet_bytes = 1500},
                                 own = {.packet_bytes = 1500, .ahead_bytes = 4500},
                                 queue = {.order = CT_LINKS_FIFO,
                                          .packet_bytes = 1500,
                                          .ahead_bytes = 4500};
    /* A packet of 1500 B at 4 ns less the byte with which the message shares, and 8 ns for its
     * byte. */
    CHECK_LINKS(tree("tree:2x2", 0.5, 4, turn), {0, 2, 0, 10000, 0, 40004},
                {1, 3, 0, 1, 1000, 1000 + 1499 * 4 + 8});
    /* An uplink that limits nobody has no queue. */
    CHECK_LINKS(tree("tree:2x2", 2, 4, turn), {0, 2, 0, 10000, 0, 20000}, {1, 3, 0, 1, 1000, 1002});
    /* Of node 0 one packet, of however many messages. */
    CHECK_LINKS(tree("tree:2x3", 0.5, 6, turn), {0, 3, 0, 10000, 0, 80004},
                {0, 4, 0, 10000, 0, 80004}, {1, 5, 0, 1, 1000, 1000 + 1499 * 4 + 8});
    /* Behind what the own node has in the same queue, which has all of the link. */
    CHECK_LINKS(tree("tree:2x2", 0.5, 4, own), {0, 2, 0, 10000, 0, 40004},
                {0, 3, 0, 1, 1000, 1000 + 4499 * 4 + 8});
    /* One queue: behind what every other has in it. */
    CHECK_LINKS(tree("tree:2x2", 0.5, 4, queue), {0, 2, 0, 10000, 0, 40004},
                {1, 3, 0, 1, 1000, 1000 + 4499 * 4 + 8});
}

/* Tokens pass at once if all links have them. */
static void test_links_between_burst(void **state)
{
    (void)state;
    const struct ct_links_queues burst = {.order = CT_LINKS_FIFO, .burst_bytes = 1000},
                                 turns = {.burst_bytes = 1000};
    CHECK_LINKS(tree("tree:2x2", 1, 4, burst), {0, 2, 0, 1500, 50, 1050});
    /* The uplink has 200 B left. */
    CHECK_LINKS(tree("tree:2x2", 1, 4, burst), {0, 2, 0, 800, 0, 0}, {1, 3, 0, 800, 0, 1200});
    /* A packet of another node is assured. */
    CHECK_LINKS(tree("tree:2x2", 1, 4, turns), {0, 2, 0, 800, 0, 0}, {1, 3, 0, 800, 0, 0});
    /* What a node is assured on the uplink is for all its pairs: it owes 600 after that to node 2,
     * and the uplink 1400. */
    CHECK_LINKS(tree("tree:2x2", 1, 4, turns), {0, 2, 0, 800, 0, 0}, {1, 3, 0, 800, 0, 0},
                {1, 3, 0, 800, 0, 2800}, {1, 2, 0, 800, 0, 0});
}

/* ---- properties ---- */

struct flow {
    struct ct_links_message message;
    double through_ns; /* 0: under way */
};

/* Of every message under way, which is the first of its lane, some link passes all it can. */
static void check_conserves(const struct ct_simulate_paths *paths, const struct flow *flows,
                            size_t n, const double *passed_bytes, double for_ns)
{
    for (size_t i = 0; i < n; i++) {
        const struct ct_links_message *message = &flows[i].message;
        const uint32_t *first = &paths->first_hop[message->from * paths->n_nodes + message->to];
        bool is_full = false;
        for (uint32_t h = first[0]; h < first[1]; h++) {
            uint32_t link = paths->hops[h];
            double busy = passed_bytes[link] * paths->ns_per_byte[link] / for_ns;
            assert_true(busy <= 1 + 1e-9);
            is_full |= busy >= 1 - 1e-9;
        }
        assert_true(is_full || flows[i].through_ns > 0);
    }
}

static void run_flows(const struct ct_simulate_paths *paths, struct ct_links_queues queues,
                      struct flow *flows, size_t n)
{
    const struct ct_links_setup setup = {.paths = paths, .n_jobs = 2, .queues = queues};
    double *before = calloc(paths->n_links, sizeof *before);
    double *after = calloc(paths->n_links, sizeof *after), at_ns = 0, hop_bytes = 0, sum = 0;
    struct ct_links *links;
    assert_non_null(before);
    assert_non_null(after);
    assert_int_equal(ct_links_new(&setup, &links, NULL), CT_OK);
    for (size_t i = 0; i < n; i++) {
        const struct ct_links_message *message = &flows[i].message;
        assert_int_equal(ct_links_send(links, 0, message, NULL), CT_OK);
        hop_bytes += message->bytes * hops_between(paths, message->from, message->to);
    }
    for (size_t i = 0; i < n; i++) {
        double next_ns = ct_links_next_ns(links);
        uint32_t number;
        assert_true(next_ns >= at_ns && isfinite(next_ns));
        ct_links_passed(links, next_ns, after);
        for (uint32_t link = 0; link < paths->n_links; link++)
            before[link] = after[link] - before[link];
        if (next_ns > at_ns + 1e-3) /* rounding counts in shorter times */
            check_conserves(paths, flows, n, before, next_ns - at_ns);
        memcpy(before, after, paths->n_links * sizeof *before);
        assert_true(ct_links_step(links, &number));
        flows[number].through_ns = at_ns = next_ns;
    }
    for (uint32_t link = 0; link < paths->n_links; link++)
        sum += after[link];
    assert_near(sum, hop_bytes, 1e-9 * hop_bytes);
    ct_links_free(links);
    free(before);
    free(after);
}

/* No link passes more than it can, a link that is asked for is never idle, all bytes pass all of
 * their links, and the same happens again. */
static void test_conserve(void **state)
{
    (void)state;
    enum { MESSAGES = 60, NODES = 16 };
    static const char *const specs[] = {"tree:4x4,2", "dragonfly:4,2,2", "torus:4x4",
                                        "xgft:4,4/1,2"};
    static const double uplinks[] = {1, 0.5, 2, 0.3};
    uint64_t die = 11;
    for (int i = 0; i < 48; i++) {
        struct ct_simulate_paths paths = paths_of(specs[i % 4], uplinks[i / 4 % 4], NODES);
        struct flow flows[MESSAGES], again[MESSAGES];
        for (uint32_t m = 0; m < MESSAGES; m++) {
            uint32_t from = (uint32_t)throw_die(&die, NODES), to = (uint32_t)throw_die(&die, NODES);
            from = from == to ? (from + 1) % NODES : from;
            again[m] = flows[m] = (struct flow){
                {from, to, (uint32_t)throw_die(&die, 2), 1 + (double)throw_die(&die, 5000), m}, 0};
        }
        run_flows(&paths, i % 2 ? fifo : in_turn, flows, MESSAGES);
        run_flows(&paths, i % 2 ? fifo : in_turn, again, MESSAGES);
        for (int m = 0; m < MESSAGES; m++)
            assert_true(again[m].through_ns == flows[m].through_ns);
        ct_simulate_paths_free(&paths);
    }
}

enum { RANDOM_MESSAGES = 80, RANDOM_NODES = 6 };

/* @return the least bytes ahead with which it is the same */
static double run_random(int round, double ahead_bytes, double *through_ns)
{
    const struct ct_links_queues queues = {.order =
                                               round % 2 ? CT_LINKS_FIFO : CT_LINKS_ROUND_ROBIN,
                                           .packet_bytes = 1500,
                                           .ahead_bytes = ahead_bytes,
                                           .burst_bytes = round / 2 % 2 ? 1500 : 0};
    struct ct_links *links = tree(round / 4 % 2 ? "tree:2x3" : "switch:6", 1, RANDOM_NODES, queues);
    struct sent messages[RANDOM_MESSAGES];
    uint64_t die = (uint64_t)round + 1;
    uint32_t bytes_max = 1000 * (1 + (uint32_t)round / 8);
    double at_ns = 0, least_bytes;
    for (size_t i = 0; i < RANDOM_MESSAGES; i++) {
        uint32_t from = (uint32_t)throw_die(&die, RANDOM_NODES);
        uint32_t to = (uint32_t)throw_die(&die, RANDOM_NODES);
        to = from == to ? (to + 1) % RANDOM_NODES : to;
        at_ns += (double)throw_die(&die, 4000);
        messages[i] = (struct sent){
            from,  to, (uint32_t)throw_die(&die, 2), 1 + (double)throw_die(&die, bytes_max),
            at_ns, 0};
    }
    run_links(links, messages, RANDOM_MESSAGES, through_ns);
    least_bytes = ct_links_ahead_least(links);
    free_links(links);
    return least_bytes;
}

static bool are_same(const double *through_ns, const double *other_ns)
{
    for (int i = 0; i < RANDOM_MESSAGES; i++)
        if (fabs(through_ns[i] - other_ns[i]) > 0)
            return false;
    return true;
}

/* Queues that hold enough ahead of messages are alike; those that hold less are not, mostly. */
static void test_enough_ahead(void **state)
{
    (void)state;
    double through_ns[RANDOM_MESSAGES], other_ns[RANDOM_MESSAGES];
    int n_enough = 0, n_rounds = 64, n_differ = 0;
    for (int round = 0; round < n_rounds; round++) {
        double least_bytes = run_random(round, 6000, through_ns);
        if (isinf(least_bytes))
            continue;
        n_enough++;
        run_random(round, least_bytes, other_ns);
        assert_true(are_same(through_ns, other_ns));
        run_random(round, 1e9, other_ns);
        assert_true(are_same(through_ns, other_ns));
        run_random(round, least_bytes / 4, other_ns);
        n_differ += !are_same(through_ns, other_ns);
    }
    assert_in_range(n_enough, 8, n_rounds - 8);
    assert_in_range(n_differ, n_enough / 4, n_enough);
}

/* ---- programs ---- */

static const struct ct_loggps somewhere = {.o_ns = 700, .L_ns = 3000, .G_ns_per_byte = 2};

static struct ct_simulate_program *program_on(const char *text,
                                              const struct ct_simulate_place *place)
{
    struct ct_graph graph = graph_of_text(text, &eager);
    struct ct_simulate_program *program;
    struct ct_error err;
    if (ct_simulate_program_new(&graph, &somewhere, place, &program, &err) != CT_OK)
        fail_msg("%s", err.text);
    ct_graph_free(&graph);
    return program;
}

/* A message of 5001 bytes a pass: 700 + 10000 + 3000 + 700 ns alone. */
static const char one_message[] = "num_ranks 2\n"
                                  "rank 0 {\nl1: send 5001b to 1 tag 0\n}\n"
                                  "rank 1 {\nl1: recv 5001b from 0 tag 0\n}\n";

static void run_two(const struct ct_simulate_paths *paths, const uint32_t (*nodes)[2],
                    double *pass_ns, double *busy_frac)
{
    const struct ct_simulate_setup setup = {.paths = paths, .passes = 3, .work_max = 1000000};
    const struct ct_simulate_program *programs[2];
    struct ct_simulate_program *made[2];
    const double begin_ns[] = {0, 0};
    struct ct_simulate_observed observed = {.busy_frac = busy_frac};
    for (int i = 0; i < 2; i++) {
        const struct ct_simulate_place place = {
            .ranks_per_node = 1, .nodes = nodes[i], .n_nodes = 2};
        programs[i] = made[i] = program_on(one_message, &place);
    }
    assert_int_equal(ct_simulate_run(programs, 2, begin_ns, &setup, pass_ns, &observed, NULL),
                     CT_OK);
    for (int i = 0; i < 2; i++)
        ct_simulate_program_free(made[i]);
}

static void test_programs_meet_between(void **state)
{
    (void)state;
    struct ct_simulate_paths paths = paths_of("tree:2x2", 1, 4);
    double pass_ns[2], busy_frac[12];
    /* On nodes of their own, over one uplink; under a leaf each. */
    run_two(&paths, (const uint32_t[2][2]){{0, 2}, {1, 3}}, pass_ns, busy_frac);
    for (int i = 0; i < 2; i++)
        assert_near(pass_ns[i], 24400, 1e-6);
    const uint32_t *path = &paths.hops[paths.first_hop[0 * 4 + 2]];
    assert_near(busy_frac[path[0]], 10000 / 24400., 1e-9);
    assert_near(busy_frac[path[1]], 20000 / 24400., 1e-9);
    assert_near(busy_frac[path[2]], 20000 / 24400., 1e-9);
    assert_near(busy_frac[path[3]], 10000 / 24400., 1e-9);
    double sum = 0;
    for (int i = 0; i < 12; i++)
        sum += busy_frac[i];
    assert_near(sum, 80000 / 24400., 1e-9);
    run_two(&paths, (const uint32_t[2][2]){{0, 1}, {2, 3}}, pass_ns, NULL);
    for (int i = 0; i < 2; i++)
        assert_near(pass_ns[i], 14400, 1e-6);
    ct_simulate_paths_free(&paths);
}

/* Ranks of a node share its link, wherever they send to; ranks that share a node with their partner
 * do not use it. */
static void test_ranks_share_card(void **state)
{
    (void)state;
    static const char four[] = "num_ranks 4\n"
                               "rank 0 {\nl1: send 5001b to 2 tag 0\n}\n"
                               "rank 1 {\nl1: send 5001b to 3 tag 0\n}\n"
                               "rank 2 {\nl1: recv 5001b from 0 tag 0\n}\n"
                               "rank 3 {\nl1: recv 5001b from 1 tag 0\n}\n";
    const struct {
        uint32_t nodes[4];
        double expected_ns;
    } places[] = {{{0, 1, 2, 3}, 14400},  /* a link each */
                  {{0, 0, 2, 3}, 24400},  /* the two senders on one node */
                  {{0, 1, 2, 2}, 24400},  /* the two receivers */
                  {{0, 1, 0, 1}, 14400},  /* within nodes */
                  {{0, 0, 1, 1}, 24400}}; /* one after the other */
    struct ct_simulate_paths paths = paths_of("tree:2x2", 2, 4);
    const struct ct_simulate_setup setup = {.paths = &paths, .passes = 2, .work_max = 1000000};
    const double begin_ns = 0;
    double pass_ns;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const struct ct_simulate_place place = {
            .ranks_per_node = 1, .nodes = places[i].nodes, .n_nodes = 4};
        struct ct_simulate_program *program = program_on(four, &place);
        const struct ct_simulate_program *one = program;
        assert_int_equal(ct_simulate_run(&one, 1, &begin_ns, &setup, &pass_ns, NULL, NULL), CT_OK);
        assert_near(pass_ns, places[i].expected_ns, 1e-6);
        ct_simulate_program_free(program);
    }
    ct_simulate_paths_free(&paths);
}

/* With the latency of links and switches L is that of the path. */
static void test_latency_by_path(void **state)
{
    (void)state;
    struct ct_simulate_paths paths = paths_of("tree:2x2", 1, 4);
    const struct ct_simulate_setup setup = {.paths = &paths, .passes = 2, .work_max = 1000000};
    const uint32_t near[] = {0, 1}, far[] = {0, 2};
    const double begin_ns = 0, overhead_ns = 2 * 700 + 10000;
    for (int i = 0; i < 2; i++) {
        const struct ct_simulate_place place = {
            .ranks_per_node = 1, .nodes = i ? far : near, .n_nodes = 2, .paths = &paths};
        struct ct_simulate_program *program = program_on(one_message, &place);
        const struct ct_simulate_program *one = program;
        double pass_ns;
        assert_int_equal(ct_simulate_run(&one, 1, &begin_ns, &setup, &pass_ns, NULL, NULL), CT_OK);
        assert_near(pass_ns, overhead_ns + (i ? 4 * 10 + 3 * 100 : 2 * 10 + 100), 1e-6);
        ct_simulate_program_free(program);
    }
    ct_simulate_paths_free(&paths);
}

static void test_places(void **state)
{
    (void)state;
    struct ct_topology_settings settings = ct_topology_defaults();
    struct ct_topology topology;
    struct ct_node_list lists[2];
    struct ct_simulate_places places;
    struct ct_error err;
    assert_int_equal(ct_topology_make("tree:2x4", &settings, &topology, NULL), CT_OK);
    assert_int_equal(ct_simulate_places_named(&topology, "n[6-7],n1", 9, &lists[0], &err), CT_OK);
    assert_int_equal(ct_simulate_places_named(&topology, "n6,n6", 5, &lists[1], &err), CT_OK);
    assert_int_equal(ct_simulate_places_new(&topology, lists, 2, &places, &err), CT_OK);
    const uint32_t used[] = {1, 6, 7}, first[] = {1, 2, 0}, second[] = {1, 1};
    assert_int_equal(places.n_used, 3);
    assert_memory_equal(places.used, used, sizeof used);
    assert_memory_equal(places.of[0].nodes, first, sizeof first);
    assert_memory_equal(places.of[1].nodes, second, sizeof second);
    ct_simulate_places_free(&places);
    free(lists[0].nodes);
    free(lists[1].nodes);
    assert_int_equal(ct_simulate_places_first(&topology, 8, &lists[0], &err), CT_OK);
    assert_int_equal(lists[0].nodes[7], 7);
    lists[0].nodes[7] = 8;
    assert_int_equal(ct_simulate_places_new(&topology, lists, 1, &places, &err), CT_EINVAL);
    free(lists[0].nodes);
    assert_int_equal(ct_simulate_places_first(&topology, 9, &lists[0], &err), CT_EINVAL);
    assert_int_equal(ct_simulate_places_named(&topology, "n8", 2, &lists[0], &err), CT_EINVAL);
    assert_int_equal(ct_simulate_places_named(&topology, "leaf0", 5, &lists[0], &err), CT_EINVAL);
    assert_int_equal(ct_simulate_places_named(&topology, "n[", 2, &lists[0], &err), CT_EFORMAT);
    ct_topology_free(&topology);
}

static void test_bad_programs(void **state)
{
    (void)state;
    struct ct_simulate_paths paths = paths_of("tree:2x2", 1, 3);
    const struct ct_simulate_setup setup = {.paths = &paths, .passes = 1, .work_max = 1000000};
    const uint32_t nodes[] = {0, 3};
    struct ct_simulate_place place = {.ranks_per_node = 1, .nodes = nodes, .n_nodes = 2};
    struct ct_simulate_program *program = program_on(one_message, &place);
    const struct ct_simulate_program *one = program;
    const double begin_ns = 0;
    double pass_ns;
    struct ct_error err;
    assert_int_equal(ct_simulate_run(&one, 1, &begin_ns, &setup, &pass_ns, NULL, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "of which the network has 3"));
    ct_simulate_program_free(program);
    struct ct_graph graph = graph_of_text(one_message, &eager);
    place.n_nodes = 1;
    assert_int_equal(ct_simulate_program_new(&graph, &somewhere, &place, &program, &err),
                     CT_EINVAL);
    assert_non_null(strstr(err.text, "do not fit"));
    ct_graph_free(&graph);
    ct_simulate_paths_free(&paths);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_paths),
                                       cmocka_unit_test(test_bad_paths),
                                       cmocka_unit_test(test_one_switch),
                                       cmocka_unit_test(test_links_between),
                                       cmocka_unit_test(test_links_sources),
                                       cmocka_unit_test(test_links_between_ahead),
                                       cmocka_unit_test(test_links_between_burst),
                                       cmocka_unit_test(test_conserve),
                                       cmocka_unit_test(test_enough_ahead),
                                       cmocka_unit_test(test_programs_meet_between),
                                       cmocka_unit_test(test_ranks_share_card),
                                       cmocka_unit_test(test_latency_by_path),
                                       cmocka_unit_test(test_places),
                                       cmocka_unit_test(test_bad_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
