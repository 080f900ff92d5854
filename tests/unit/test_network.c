/* Networks by hand: when transfers are there. */
#include "simulate/network.h"
#include "simulate/packet_state.h"
#include "topology/spec.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

/* A transfer, and when it is there. */
struct sent {
    uint32_t from, to;
    double bytes, at_ns, there_ns;
};

enum { SENT_MAX = 16 };

/* 2 ns a byte, 100 ns, packets of 1000 B. */
static struct ct_simulate_network_setup switch_of_three(void)
{
    return (struct ct_simulate_network_setup){.n_nodes = 3,
                                              .n_jobs = 1,
                                              .injection_ns_per_byte = 2,
                                              .link_ns_per_byte = NAN,
                                              .latency_ns = 100,
                                              .packet_bytes = 1000,
                                              .buffer_bytes = 4000};
}

/* Send on a new network. left_ns: of each that tells; NULL: none does. */
static void send_some(struct ct_simulate_network *network, const struct sent *sent, size_t n,
                      double *there_ns, double *left_ns)
{
    struct ct_error err;
    size_t next = 0, n_there = 0;
    while (n_there < n) {
        struct ct_simulate_network_event event;
        double until_ns = next < n ? sent[next].at_ns : INFINITY;
        assert_int_equal(network->ops->run(network->state, until_ns, &event, &err), CT_OK);
        assert_true(event.news == CT_NEWS_NONE || event.at_ns < until_ns);
        if (event.news == CT_NEWS_LEFT && left_ns)
            left_ns[event.number] = event.at_ns;
        if (event.news == CT_NEWS_THERE) {
            there_ns[event.number] = event.at_ns;
            n_there++;
        }
        if (event.news != CT_NEWS_NONE)
            continue;
        if (next == n)
            fail_msg("%zu of %zu transfers are there", n_there, n);
        const struct ct_transfer transfer = {.from = sent[next].from,
                                             .to = sent[next].to,
                                             .number = (uint32_t)next,
                                             .bytes = sent[next].bytes,
                                             .tells_left = left_ns != NULL};
        assert_int_equal(network->ops->send(network->state, sent[next].at_ns, &transfer, &err),
                         CT_OK);
        next++;
    }
    struct ct_simulate_network_event event; /* what comes back to senders */
    assert_int_equal(network->ops->run(network->state, INFINITY, &event, &err), CT_OK);
    assert_int_equal(event.news, CT_NEWS_NONE);
}

static void send_all(enum ct_simulate_network_kind kind,
                     const struct ct_simulate_network_setup *setup, const struct sent *sent,
                     size_t n, double *there_ns, double *left_ns)
{
    struct ct_simulate_network network;
    struct ct_error err;
    if (ct_simulate_network_new(kind, setup, &network, &err) != CT_OK)
        fail_msg("%s", err.text);
    send_some(&network, sent, n, there_ns, left_ns);
    ct_simulate_network_free(&network);
}

static void check(const char *what, enum ct_simulate_network_kind kind,
                  const struct ct_simulate_network_setup *setup, const struct sent *sent, size_t n)
{
    double there_ns[SENT_MAX] = {0}, left_ns[SENT_MAX] = {0};
    send_all(kind, setup, sent, n, there_ns, NULL);
    for (size_t i = 0; i < n; i++)
        if (fabs(there_ns[i] - sent[i].there_ns) > 1e-6)
            fail_msg("%s: transfer %zu is there at %.6g ns, not at %.6g", what, i, there_ns[i],
                     sent[i].there_ns);
    /* Who asks when the last byte has left changes nothing. */
    send_all(kind, setup, sent, n, there_ns, left_ns);
    for (size_t i = 0; i < n; i++) {
        assert_near(there_ns[i], sent[i].there_ns, 1e-6);
        assert_true(left_ns[i] >= sent[i].at_ns && left_ns[i] <= there_ns[i]);
    }
}

#define CHECK(what_, kind_, setup_, ...)                                                           \
    do {                                                                                           \
        const struct sent sent_[] = {__VA_ARGS__};                                                 \
        check(what_, kind_, setup_, sent_, sizeof sent_ / sizeof *sent_);                          \
    } while (0)

static void test_alpha_beta(void **state)
{
    (void)state;
    const struct ct_simulate_network_setup setup = switch_of_three();
    const enum ct_simulate_network_kind kind = CT_NETWORK_ALPHA_BETA;
    CHECK("alone", kind, &setup, {0, 1, 100, 50, 350});
    CHECK("nothing", kind, &setup, {0, 1, 0, 50, 150});
    CHECK("out of a node", kind, &setup, {0, 1, 100, 0, 300}, {0, 2, 100, 0, 500});
    CHECK("into a node", kind, &setup, {0, 2, 100, 0, 300}, {1, 2, 100, 0, 500});
    CHECK("in order", kind, &setup, {0, 1, 100, 0, 300}, {0, 2, 0, 10, 300});
    CHECK("there and back", kind, &setup, {0, 1, 100, 0, 300}, {1, 0, 100, 0, 300});
}

static void test_none(void **state)
{
    (void)state;
    const struct ct_simulate_network_setup setup = switch_of_three();
    CHECK("none", CT_NETWORK_NONE, &setup, {0, 1, 1e9, 50, 50}, {0, 1, 1e9, 50, 50},
          {1, 0, 0, 60, 60});
}

static void test_packets(void **state)
{
    (void)state;
    struct ct_simulate_network_setup setup = switch_of_three();
    const enum ct_simulate_network_kind kind = CT_NETWORK_PACKET;
    CHECK("alone", kind, &setup, {0, 1, 100, 50, 350});
    CHECK("nothing", kind, &setup, {0, 1, 0, 50, 150});
    CHECK("three packets", kind, &setup, {0, 1, 3000, 0, 6100});
    CHECK("two and a half", kind, &setup, {0, 1, 2500, 0, 5100});
    CHECK("into a node", kind, &setup, {0, 2, 1000, 0, 2100}, {1, 2, 1000, 0, 4100});
    CHECK("there and back", kind, &setup, {0, 1, 1000, 0, 2100}, {1, 0, 1000, 0, 2100});
    /* A node sends one message after the other, whatever the order of ports. */
    CHECK("round-robin", kind, &setup, {0, 1, 3000, 0, 6100}, {0, 2, 1000, 0, 8100});
    setup.queues.order = CT_PORT_FIFO;
    CHECK("fifo", kind, &setup, {0, 1, 3000, 0, 6100}, {0, 2, 1000, 0, 8100});
    /* Or each has its share, also of one input, and of those to one node. */
    setup.queues.order = CT_PORT_SHARED;
    CHECK("shared", kind, &setup, {0, 1, 3000, 0, 8100}, {0, 2, 1000, 0, 4100});
    CHECK("shared by two of a kind", kind, &setup, {0, 1, 2000, 0, 6100}, {0, 1, 2000, 0, 8100});
}

/* Two inputs have a queue each before the port of node 2, whose packets take 2000 ns, when a third
   one has a packet for it. In turn it waits for the packet that is sent and one of the other input:
   it is the sixth; else it waits for the eight that came before. */
static void test_inputs_in_turn(void **state)
{
    (void)state;
    struct ct_simulate_network_setup setup = switch_of_three();
    setup.n_nodes = 4;
    setup.buffer_bytes = 32000;
    setup.queues.order = CT_PORT_ROUND_ROBIN;
    CHECK("in turn", CT_NETWORK_PACKET, &setup, {0, 2, 8000, 0, 32100}, {1, 2, 8000, 10, 34100},
          {3, 2, 1000, 7000, 12100});
    setup.queues.order = CT_PORT_FIFO;
    CHECK("fifo", CT_NETWORK_PACKET, &setup, {0, 2, 8000, 0, 32100}, {1, 2, 8000, 10, 34100},
          {3, 2, 1000, 7000, 18100});
}

/* Packets come to the port of node 2 by two links. */
static void test_packet_queues(void **state)
{
    (void)state;
    struct ct_simulate_network_setup setup = switch_of_three();
    const enum ct_simulate_network_kind kind = CT_NETWORK_PACKET;
    /* Of node 0 at 50, 2050 and 4050; of node 1 at 60: second in either order. */
    for (int order = CT_PORT_ROUND_ROBIN; order <= CT_PORT_FIFO; order++) {
        setup.queues.order = (enum ct_port_order)order;
        CHECK("two inputs", kind, &setup, {0, 2, 3000, 0, 8100}, {1, 2, 1000, 10, 4100});
    }
}

/* Ports with 1500 tokens; 500 more in 1000 ns. */
static void test_bursts(void **state)
{
    (void)state;
    struct ct_simulate_network_setup setup = switch_of_three();
    const enum ct_simulate_network_kind kind = CT_NETWORK_PACKET;
    setup.queues.burst_bytes = 1500;
    setup.queues.order = CT_PORT_FIFO;
    CHECK("within the burst", kind, &setup, {0, 1, 1000, 50, 150});
    CHECK("beyond it", kind, &setup, {0, 1, 3000, 0, 3100});
    CHECK("tokens come back", kind, &setup, {0, 1, 1500, 0, 100}, {0, 1, 1000, 1000, 2100});
    CHECK("and no more than the burst", kind, &setup, {0, 1, 1500, 0, 100},
          {0, 1, 2500, 10000, 12100});
    /* Of node 0 at 50, of node 1 at 60, when the port has 505 tokens. */
    CHECK("into a node", kind, &setup, {0, 2, 1000, 0, 100}, {1, 2, 1000, 10, 1100});
}

/* In turn, each input has 1500 tokens, too, and is assured 125 more in 1000 ns, a quarter of the
 * rate. */
static void test_bursts_of_inputs(void **state)
{
    (void)state;
    struct ct_simulate_network_setup setup = switch_of_three();
    const enum ct_simulate_network_kind kind = CT_NETWORK_PACKET;
    setup.queues.burst_bytes = 1500;
    setup.queues.order = CT_PORT_ROUND_ROBIN;
    CHECK("within the burst", kind, &setup, {0, 1, 1000, 50, 150});
    /* The second packet leaves a debt of 500, which the port pays in 1000 ns, the input in 4000. */
    CHECK("beyond it", kind, &setup, {0, 1, 3000, 0, 1100});
    CHECK("into a node", kind, &setup, {0, 2, 1500, 0, 100}, {1, 2, 1500, 0, 100});
    /* At 3000 the port lends, and at 4000 the input, which does not pay for that, has no debt. */
    CHECK("out of a node", kind, &setup, {0, 1, 4000, 0, 4100}, {0, 2, 1000, 0, 100});
    /* At 300 the input owes 962.5 where it leaves node 0, and that port 850: 1700 ns. At 2050 the
     * input owes 750 where it enters node 2, and that port 1500: 3000 ns. */
    CHECK("the port pays", kind, &setup, {0, 2, 1500, 0, 100}, {1, 2, 1500, 0, 100},
          {0, 2, 1000, 200, 300}, {0, 2, 1000, 300, 5100});
    /* Of two inputs in debt each has the port once; the burst is the only gain. */
    CHECK("in the long run", kind, &setup, {0, 2, 8000, 0, 25100}, {1, 2, 8000, 0, 27100});
    struct ct_simulate_network network; /* it never is the same as one of one queue */
    assert_int_equal(ct_simulate_network_new(kind, &setup, &network, NULL), CT_OK);
    assert_true(network.ops->use(network.state).has_chosen);
    ct_simulate_network_free(&network);
}

static void test_headers(void **state)
{
    (void)state;
    struct ct_simulate_network_setup setup = switch_of_three();
    const enum ct_simulate_network_kind kind = CT_NETWORK_PACKET;
    setup.packet_header_bytes = 100;
    setup.message_header_bytes = 20;
    CHECK("one packet", kind, &setup, {0, 1, 980, 0, 2300});
    CHECK("two packets", kind, &setup, {0, 1, 981, 0, 2 * 1201 + 100});
    CHECK("no byte", kind, &setup, {0, 1, 0, 0, 2 * 120 + 100});
    setup.packet_header_bytes = -1;
    struct ct_simulate_network network;
    assert_int_equal(ct_simulate_network_new(kind, &setup, &network, NULL), CT_EINVAL);
}

/* A full packet from 0 to 1 leaves the switch from 50 on: then 200 of the port of node 1 are taken.
 */
static void test_acknowledgements(void **state)
{
    (void)state;
    struct ct_simulate_network_setup setup = switch_of_three();
    const enum ct_simulate_network_kind kind = CT_NETWORK_PACKET;
    setup.ack_bytes = 100;
    for (int order = CT_PORT_ROUND_ROBIN; order <= CT_PORT_FIFO; order++) {
        setup.queues.order = (enum ct_port_order)order;
        setup.queues.burst_bytes = 0;
        CHECK("alone", kind, &setup, {0, 1, 3000, 0, 6100});
        CHECK("the other way", kind, &setup, {0, 1, 1000, 0, 2100}, {1, 2, 500, 60, 1350});
        CHECK("later", kind, &setup, {0, 1, 1000, 0, 2100}, {1, 2, 500, 300, 1400});
        CHECK("less than a packet", kind, &setup, {0, 1, 999, 0, 2098}, {1, 2, 500, 60, 1160});
    }
    setup.queues.burst_bytes = 1000;
    CHECK("tokens", kind, &setup, {0, 1, 1000, 0, 100}, {1, 2, 1000, 60, 350});
    setup.queues.order = CT_PORT_ROUND_ROBIN;
    CHECK("debts", kind, &setup, {0, 1, 1000, 0, 100}, {1, 2, 1000, 60, 160}, {1, 2, 1000, 60, 160},
          {1, 2, 500, 60, 2350});
    setup.queues.burst_bytes = setup.ack_bytes = 0;
    setup.back_frac = 0.1; /* of each packet */
    CHECK("a tenth", kind, &setup, {0, 1, 999, 0, 2098}, {1, 2, 500, 60, 1349.8});
    setup.ack_bytes = -1;
    struct ct_simulate_network network;
    assert_int_equal(ct_simulate_network_new(kind, &setup, &network, NULL), CT_EINVAL);
}

/* Of a window of a packet the next one leaves when the sender knows that the last one is there:
 * another stream leaves meanwhile. */
static void test_windows(void **state)
{
    (void)state;
    struct ct_simulate_network_setup setup = switch_of_three();
    const enum ct_simulate_network_kind kind = CT_NETWORK_PACKET;
    for (int order = CT_PORT_ROUND_ROBIN; order <= CT_PORT_FIFO; order++) {
        setup.queues.order = (enum ct_port_order)order;
        setup.window_bytes = 0;
        CHECK("in order", kind, &setup, {0, 1, 3000, 0, 6100}, {0, 2, 1000, 10, 8100});
        setup.window_bytes = 2000;
        CHECK("wide", kind, &setup, {0, 1, 3000, 0, 6100});
        setup.window_bytes = 1;
        CHECK("a packet may always go", kind, &setup, {0, 1, 1000, 0, 2100});
        setup.window_bytes = 1000;
        CHECK("narrow", kind, &setup, {0, 1, 3000, 0, 6500});
        CHECK("two streams", kind, &setup, {0, 1, 3000, 0, 8300}, {0, 2, 1000, 10, 4100});
        CHECK("one stream", kind, &setup, {0, 1, 1000, 0, 2100}, {0, 1, 500, 10, 3300});
    }
}

/* What waits for node 2 holds up what is for node 1, if the switch has no room for it. */
static void test_back_pressure(void **state)
{
    (void)state;
    struct ct_simulate_network_setup setup = switch_of_three();
    const enum ct_simulate_network_kind kind = CT_NETWORK_PACKET;
    setup.queues.order = CT_PORT_FIFO;
    CHECK("room", kind, &setup, {1, 2, 3000, 0, 10100}, {0, 2, 2000, 10, 8100},
          {0, 1, 1000, 20, 6110});
    setup.buffer_bytes = 1000;
    CHECK("no room", kind, &setup, {1, 2, 3000, 0, 10100}, {0, 2, 2000, 10, 8100},
          {0, 1, 1000, 20, 10150});
}

static struct ct_topology topology_of(const char *text)
{
    struct ct_topology_settings settings = ct_topology_defaults();
    struct ct_topology topology;
    struct ct_error err;
    if (ct_topology_make(text, &settings, &topology, &err) != CT_OK)
        fail_msg("%s", err.text);
    return topology;
}

/* Two leaves under a spine: wires of 10 ns, switches of 20 ns, and links between switches of half
 * the rate. */
static void test_topology(void **state)
{
    (void)state;
    const uint32_t nodes[] = {0, 1, 2, 3};
    struct ct_topology topology = topology_of("tree:2x2");
    struct ct_simulate_network_setup setup = switch_of_three();
    setup.topology = &topology;
    setup.nodes = nodes;
    setup.n_nodes = 4;
    setup.link_ns_per_byte = 4;
    setup.latency_ns = NAN;
    setup.wire_ns = 10;
    setup.switch_ns = 20;
    for (int kind = CT_NETWORK_PACKET; kind <= CT_NETWORK_ALPHA_BETA; kind++) {
        enum ct_simulate_network_kind network = (enum ct_simulate_network_kind)kind;
        CHECK("below a leaf", network, &setup, {0, 1, 1000, 0, 2040});
        CHECK("over the spine", network, &setup, {0, 2, 1000, 0, 4100});
        CHECK("nothing", network, &setup, {0, 2, 0, 0, 100});
    }
    /* They meet between the switches, where alpha-beta has no contention. */
    CHECK("two, packets", CT_NETWORK_PACKET, &setup, {0, 2, 1000, 0, 4100}, {1, 3, 1000, 0, 8100});
    CHECK("two, alpha-beta", CT_NETWORK_ALPHA_BETA, &setup, {0, 2, 1000, 0, 4100},
          {1, 3, 1000, 0, 4100});
    ct_topology_free(&topology);
}

/* Small buffers in a ring: a circle of packets that wait for one another does not arise. */
static void test_no_deadlock(void **state)
{
    (void)state;
    enum { N = 8, EACH = 2 };
    uint32_t nodes[N];
    struct sent sent[N * EACH];
    double there_ns[N * EACH];
    struct ct_topology topology = topology_of("torus:8");
    struct ct_simulate_network_setup setup = switch_of_three();
    setup.topology = &topology;
    setup.nodes = nodes;
    setup.n_nodes = N;
    setup.buffer_bytes = 1000;
    for (uint32_t i = 0; i < N; i++) {
        nodes[i] = i;
        for (uint32_t j = 0; j < EACH; j++)
            sent[i * EACH + j] = (struct sent){i, (i + 3 + j) % N, 20000, 0, 0};
    }
    for (int order = CT_PORT_ROUND_ROBIN; order <= CT_PORT_FIFO; order++) {
        setup.queues.order = (enum ct_port_order)order;
        send_all(CT_NETWORK_PACKET, &setup, sent, N * EACH, there_ns, NULL);
        for (size_t i = 0; i < N * EACH; i++)
            assert_true(there_ns[i] >= 2 * 40000);
    }
    ct_topology_free(&topology);
}

/* Orders of events begin anew before they end. Nothing changes, also for those whose order is kept
 * outside the heap: of packets that a window counts, and of ports at which nothing waits. */
static void test_orders_age(void **state)
{
    (void)state;
    enum { N = 3, EACH = 4 };
    struct ct_simulate_network_setup setup = switch_of_three();
    struct sent sent[N * EACH];
    double there_ns[2][N * EACH];
    setup.window_bytes = 2000;
    for (uint32_t i = 0; i < N * EACH; i++)
        sent[i] = (struct sent){i % N, (i + 1 + i / N % 2) % N, 4000, 1000.0 * i / N, 0};
    for (uint32_t left = 0; left < 200; left += 7) {
        for (size_t aged = 0; aged < 2; aged++) {
            struct ct_simulate_network network;
            assert_int_equal(ct_simulate_network_new(CT_NETWORK_PACKET, &setup, &network, NULL),
                             CT_OK);
            if (aged)
                ((struct packets *)network.state)->events.added = 0xbffffffe - left;
            send_some(&network, sent, N * EACH, there_ns[aged], NULL);
            ct_simulate_network_free(&network);
        }
        assert_memory_equal(there_ns[0], there_ns[1], sizeof there_ns[0]);
    }
}

/* What a run says that it used of its queues: with as much, and no more, it is the same. */
static void test_use(void **state)
{
    (void)state;
    enum { N = 12 };
    struct sent sent[N];
    double there_ns[2][N];
    size_t n_chosen = 0, n_alike = 0;
    for (uint32_t spread = 0; spread < 20; spread++) {
        struct ct_simulate_network_setup setup = switch_of_three();
        struct ct_simulate_network network, again;
        setup.window_bytes = 5000;
        for (uint32_t i = 0; i < N; i++)
            sent[i] = (struct sent){i % 3, (i + 1 + i / 3 % 2) % 3, 900.0 * (i % 5),
                                    400.0 * i * spread, 0};
        assert_int_equal(ct_simulate_network_new(CT_NETWORK_PACKET, &setup, &network, NULL), CT_OK);
        send_some(&network, sent, N, there_ns[0], NULL);
        const struct ct_network_use use = network.ops->use(network.state);
        ct_simulate_network_free(&network);
        assert_true(use.is_known && use.under_way_most > 0);
        n_chosen += use.has_chosen;
        if (use.under_way_most < INFINITY)
            setup.window_bytes = use.under_way_most;
        setup.queues.order = use.has_chosen ? CT_PORT_ROUND_ROBIN : CT_PORT_FIFO;
        n_alike += setup.window_bytes < 5000 && !use.has_chosen;
        assert_int_equal(ct_simulate_network_new(CT_NETWORK_PACKET, &setup, &again, NULL), CT_OK);
        send_some(&again, sent, N, there_ns[1], NULL);
        ct_simulate_network_free(&again);
        assert_memory_equal(there_ns[0], there_ns[1], sizeof there_ns[0]);
    }
    assert_true(n_chosen > 0 && n_alike > 0);
}

/* Links pass at most their rate, whatever meets there, and messages between two nodes stay in
 * order under FIFO. */
static void test_conserve(void **state)
{
    (void)state;
    enum { NODES = 6, N = SENT_MAX };
    uint64_t seed = 1;
    for (int i = 0; i < 60; i++) {
        struct ct_simulate_network_setup setup = switch_of_three();
        struct sent sent[N];
        double there_ns[N], last_ns[NODES] = {0}, into[NODES] = {0}, at_ns = 0;
        setup.n_nodes = NODES;
        setup.queues.order = CT_PORT_FIFO;
        for (size_t m = 0; m < N; m++) {
            seed = seed * 6364136223846793005U + 1442695040888963407U;
            uint32_t from = (uint32_t)(seed >> 33) % NODES, to = (uint32_t)(seed >> 37) % NODES;
            at_ns += (double)(seed >> 50);
            sent[m] = (struct sent){from, to == from ? (to + 1) % NODES : to, (double)(seed >> 51),
                                    at_ns, 0};
            into[sent[m].to] += sent[m].bytes;
        }
        send_all(i % 2 ? CT_NETWORK_PACKET : CT_NETWORK_ALPHA_BETA, &setup, sent, N, there_ns,
                 NULL);
        for (size_t m = 0; m < N; m++) {
            assert_true(there_ns[m] >= sent[m].at_ns + 100 + 2 * sent[m].bytes - 1e-6);
            last_ns[sent[m].to] = fmax(last_ns[sent[m].to], there_ns[m]);
            for (size_t before = 0; before < m; before++)
                if (sent[before].from == sent[m].from && sent[before].to == sent[m].to)
                    assert_true(there_ns[before] <= there_ns[m]);
        }
        for (int node = 0; node < NODES; node++)
            assert_true(last_ns[node] >= 2 * into[node] - 1e-6);
    }
}

/* Paths are found as they are needed: a table of all pairs would take gigabytes. */
static void test_many_nodes(void **state)
{
    (void)state;
    struct ct_simulate_network_setup setup = switch_of_three();
    struct ct_simulate_network network;
    struct ct_simulate_network_event event;
    const struct ct_transfer transfer = {.from = 0, .to = 29999, .bytes = 100, .number = 7};
    setup.n_nodes = 30000;
    assert_int_equal(ct_simulate_network_new(CT_NETWORK_ALPHA_BETA, &setup, &network, NULL), CT_OK);
    assert_int_equal(network.ops->send(network.state, 0, &transfer, NULL), CT_OK);
    assert_int_equal(network.ops->run(network.state, INFINITY, &event, NULL), CT_OK);
    assert_int_equal(event.news, CT_NEWS_THERE);
    assert_int_equal(event.number, 7);
    ct_simulate_network_free(&network);
}

static void test_bad(void **state)
{
    (void)state;
    struct ct_simulate_network network;
    struct ct_error err;
    struct ct_simulate_network_setup setup = switch_of_three();
    setup.packet_bytes = 0;
    assert_int_equal(ct_simulate_network_new(CT_NETWORK_PACKET, &setup, &network, &err), CT_EINVAL);
    setup.packet_bytes = 5000;
    assert_int_equal(ct_simulate_network_new(CT_NETWORK_PACKET, &setup, &network, &err), CT_EINVAL);
    setup = switch_of_three();
    setup.injection_ns_per_byte = 0;
    assert_int_equal(ct_simulate_network_new(CT_NETWORK_ALPHA_BETA, &setup, &network, &err),
                     CT_EINVAL);
    setup = switch_of_three();
    setup.latency_ns = -1;
    assert_int_equal(ct_simulate_network_new(CT_NETWORK_PACKET, &setup, &network, &err), CT_EINVAL);
    setup.latency_ns = NAN;
    setup.wire_ns = NAN;
    assert_int_equal(ct_simulate_network_new(CT_NETWORK_PACKET, &setup, &network, &err), CT_EINVAL);
    setup = switch_of_three();
    setup.n_jobs = CT_SIMULATE_JOBS_MAX + 1;
    assert_int_equal(ct_simulate_network_new(CT_NETWORK_NONE, &setup, &network, &err), CT_EINVAL);
}

/* Hosts of one leaf of a tree, and of two: 3 switches. */
static void test_latency_of_paths(void **state)
{
    (void)state;
    struct ct_topology topology = topology_of("tree:2x2");
    struct ct_error err;
    const uint32_t nodes[] = {0, 1, 2, 3};
    struct ct_simulate_network_setup setup = switch_of_three();
    setup.topology = &topology;
    setup.nodes = nodes;
    setup.n_nodes = 4;
    setup.by_switches = (struct ct_path_latencies){2, {1, 3}, {0, 150}, {0}};
    for (int kind = CT_NETWORK_PACKET; kind <= CT_NETWORK_ALPHA_BETA; kind++) {
        struct ct_simulate_network network;
        double latency_ns;
        assert_int_equal(
            ct_simulate_network_new((enum ct_simulate_network_kind)kind, &setup, &network, &err),
            CT_OK);
        for (uint32_t to = 1; to < 4; to++) {
            assert_int_equal(network.ops->latency_ns(network.state, 0, to, &latency_ns, &err),
                             CT_OK);
            assert_near(latency_ns, to == 1 ? 100 : 250, 1e-9);
        }
        ct_simulate_network_free(&network);
    }
    ct_topology_free(&topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_alpha_beta),
                                       cmocka_unit_test(test_none),
                                       cmocka_unit_test(test_packets),
                                       cmocka_unit_test(test_inputs_in_turn),
                                       cmocka_unit_test(test_packet_queues),
                                       cmocka_unit_test(test_bursts),
                                       cmocka_unit_test(test_bursts_of_inputs),
                                       cmocka_unit_test(test_headers),
                                       cmocka_unit_test(test_acknowledgements),
                                       cmocka_unit_test(test_windows),
                                       cmocka_unit_test(test_back_pressure),
                                       cmocka_unit_test(test_topology),
                                       cmocka_unit_test(test_no_deadlock),
                                       cmocka_unit_test(test_conserve),
                                       cmocka_unit_test(test_many_nodes),
                                       cmocka_unit_test(test_orders_age),
                                       cmocka_unit_test(test_use),
                                       cmocka_unit_test(test_latency_of_paths),
                                       cmocka_unit_test(test_bad)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
