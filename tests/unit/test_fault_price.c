/* What faults cost applications, against hand-computed times; faults in words. */
#include "goal_example.h"
#include "study/fault_text.h"
#include "topology/read.h"
#include "unit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A message of 100001 B takes L + 100000 G. */
static const double L_ns = 1000, G_ns = 1, byte_ns = 100000;

struct example {
    struct ct_topology topology;
    struct ct_goal goal;
    struct ct_priced *priced;
    uint32_t nodes[4], at[4];
    struct ct_fault_network network;
};

/* Two leaves with two hosts each: rank i of the schedule is on node at[i]. */
static void setup_example(struct example *example, const char *schedule, const uint32_t *at)
{
    struct ct_topology_settings settings = ct_topology_defaults();
    *example = (struct example){.nodes = {0, 1, 2, 3}};
    settings.rate_bit_per_s = settings.uplink_bit_per_s = 8e9;
    assert_int_equal(ct_topology_make("tree:2x2,1", &settings, &example->topology, NULL), CT_OK);
    example->goal = goal_of_text(schedule);
    memcpy(example->at, at, example->goal.n_ranks * sizeof *at);
    example->network =
        (struct ct_fault_network){.topology = &example->topology,
                                  .nodes = example->nodes,
                                  .n_nodes = 4,
                                  .costs = {.at = {.L_ns = L_ns, .G_ns_per_byte = G_ns},
                                            .S_bytes = 1 << 30,
                                            .is_simulated = true},
                                  .queues = {.packet_bytes = 1514},
                                  .again_s = NAN,
                                  .work_max = 1000000,
                                  .threads = 2};
    const struct ct_simulate_place place = {
        .ranks_per_node = 1, .nodes = example->at, .n_nodes = example->goal.n_ranks};
    assert_int_equal(ct_priced_new(&example->goal, &place, &example->priced, NULL), CT_OK);
}

static void teardown_example(struct example *example)
{
    ct_priced_free(example->priced);
    ct_goal_free(&example->goal);
    ct_topology_free(&example->topology);
}

static const char one_message[] = "num_ranks 2\n"
                                  "rank 0 {\nl1: send 100001b to 1 tag 1\n}\n"
                                  "rank 1 {\nl1: recv 100001b from 0 tag 1\n}\n";
static const uint32_t on_two_leaves[] = {0, 2}, on_one_leaf[] = {0, 1};

/* The price of a fault in words; its interval, if there is one, is as given. */
static struct ct_watch_price price_of(const struct example *example, const char *words, double low,
                                      double high)
{
    struct ct_fault_words read;
    struct ct_watch_price price = {.alarm = 7};
    assert_int_equal(ct_fault_parse(&example->topology, words, &read, NULL), CT_OK);
    if (!isnan(low)) {
        read.fault.low = low;
        read.fault.high = high;
    }
    assert_int_equal(ct_fault_price(&example->network, &read.fault, example->priced, &price, NULL),
                     CT_OK);
    ct_fault_words_free(&read);
    assert_int_equal(price.alarm, 7);
    return price;
}

static void check_price(struct ct_watch_price price, double percent, double low, double high)
{
    assert_near(price.percent, percent, 1e-9);
    assert_near(price.low, low, 1e-9);
    assert_near(price.high, high, 1e-9);
}

static double more(double ns)
{
    return 100 * ns / (L_ns + byte_ns * G_ns);
}

static void test_rate(void **state)
{
    (void)state;
    struct example example;
    setup_example(&example, one_message, on_two_leaves);
    struct ct_watch_price price = price_of(&example, "leaf0 to spine0 at 50%", 0.2, 0.75);
    check_price(price, more(byte_ns), more(byte_ns / 4), more(3 * byte_ns));
    assert_string_equal(price.how, "packets");
    /* At the end of the path, and both directions, of which one is passed. */
    check_price(price_of(&example, "leaf1 to n2 at 80 %", NAN, NAN), more(byte_ns / 4),
                more(byte_ns / 4), more(byte_ns / 4));
    check_price(price_of(&example, "spine0 to leaf0 and back at 80%", NAN, NAN), more(byte_ns / 4),
                more(byte_ns / 4), more(byte_ns / 4));
    /* The other direction and other links are not passed. */
    check_price(price_of(&example, "spine0 to leaf0 at 50%", 0.2, 0.75), 0, 0, 0);
    check_price(price_of(&example, "leaf1 to n3 at 50%", 0.2, 0.75), 0, 0, 0);
    /* A rate that is not down costs nothing, also if the sample says that it is up. */
    check_price(price_of(&example, "leaf0 to spine0 at 100%", -0.1, 0), 0, 0, 0);
    teardown_example(&example);
}

static void test_later(void **state)
{
    (void)state;
    struct example example;
    setup_example(&example, one_message, on_two_leaves);
    struct ct_watch_price price = price_of(&example, "leaf0 to spine0 later by 500ns", 3e-7, 2e-3);
    check_price(price, more(500), more(300), more(2e6));
    check_price(price_of(&example, "n2 later by 500ns", NAN, NAN), more(500), more(500), more(500));
    check_price(price_of(&example, "n0 later by 500ns", NAN, NAN), more(500), more(500), more(500));
    check_price(price_of(&example, "n1 later by 500ns", NAN, NAN), 0, 0, 0);
    price = price_of(&example, "n0 later by 500ns", NAN, NAN);
    assert_string_equal(price.how, "packets, without its computing");
    teardown_example(&example);
    setup_example(&example, one_message, on_one_leaf);
    check_price(price_of(&example, "leaf0 to spine0 later by 500ns", NAN, NAN), 0, 0, 0);
    teardown_example(&example);
}

/* Which of two directions is sick is not known: one costs something, the other nothing. */
static void test_one_of(void **state)
{
    (void)state;
    struct example example;
    struct ct_watch_price price;
    struct ct_fault_words passed, other;
    setup_example(&example, one_message, on_two_leaves);
    assert_int_equal(ct_fault_parse(&example.topology, "leaf0 to spine0 at 50%", &passed, NULL),
                     CT_OK);
    assert_int_equal(ct_fault_parse(&example.topology, "leaf1 to n3 at 50%", &other, NULL), CT_OK);
    const uint32_t ways[] = {other.ways[0], passed.ways[0]};
    struct ct_fault fault = {CT_WATCH_RATE, ways, 2, true, 0.5, 0.2, 0.75};
    assert_int_equal(ct_fault_price(&example.network, &fault, example.priced, &price, NULL), CT_OK);
    check_price(price, more(byte_ns) / 2, 0, more(3 * byte_ns));
    fault.is_one = false; /* both are */
    assert_int_equal(ct_fault_price(&example.network, &fault, example.priced, &price, NULL), CT_OK);
    check_price(price, more(byte_ns), more(byte_ns / 4), more(3 * byte_ns));
    ct_fault_words_free(&passed);
    ct_fault_words_free(&other);
    teardown_example(&example);
}

/* The same prices where packets are too many, since no message waits for another. */
static void test_pairs(void **state)
{
    (void)state;
    struct example example;
    setup_example(&example, one_message, on_two_leaves);
    example.network.work_max = 3;
    struct ct_watch_price price = price_of(&example, "leaf0 to spine0 at 50%", 0.2, 0.75);
    check_price(price, more(byte_ns), more(byte_ns / 4), more(3 * byte_ns));
    assert_string_equal(price.how, "T(L, G) by pair");
    check_price(price_of(&example, "n2 later by 500ns", NAN, NAN), more(500), more(500), more(500));
    check_price(price_of(&example, "spine0 to leaf0 at 50%", 0.2, 0.75), 0, 0, 0);
    teardown_example(&example);
}

/* Two messages share a link that one of them could have all of: packets see it. */
static void test_shared(void **state)
{
    (void)state;
    static const char text[] = "num_ranks 4\n"
                               "rank 0 {\nl1: send 100001b to 2 tag 1\n}\n"
                               "rank 1 {\nl1: send 100001b to 3 tag 1\n}\n"
                               "rank 2 {\nl1: recv 100001b from 0 tag 1\n}\n"
                               "rank 3 {\nl1: recv 100001b from 1 tag 1\n}\n";
    const uint32_t at[] = {0, 1, 2, 3};
    struct example example;
    setup_example(&example, text, at);
    double healthy_ns = L_ns + 2 * byte_ns * G_ns;
    struct ct_watch_price price = price_of(&example, "leaf0 to spine0 at 50%", NAN, NAN);
    assert_near(price.percent, 100 * 2 * byte_ns / healthy_ns, 0.1);
    price = price_of(&example, "leaf1 to n2 at 50%", NAN, NAN); /* it was half idle */
    assert_in_range((long)(100 * price.percent), 0, 100);
    teardown_example(&example);
}

static void test_unknown(void **state)
{
    (void)state;
    struct example example;
    struct ct_watch_price price;
    struct ct_error err;
    const uint32_t way = 0;
    const struct {
        struct ct_fault fault;
        const char *how;
    } cases[] = {
        {{CT_WATCH_LOSS, &way, 1, true, 0.01, 0.005, 0.02},
         "lost messages have a price with --retransmit only"},
        {{CT_WATCH_FLAP, &way, 1, true, 0.01, 0.005, 0.02},
         "how long the link is down is not known"},
        {{CT_WATCH_ROUTE, &way, 1, true, 1e-6, 1e-6, 1e-6},
         "which messages take the wrong route is not known"},
        {{CT_WATCH_RATE, &way, 0, true, 0.2, 0.1, 0.3}, "where it is is not known"},
        {{CT_WATCH_RATE, &way, 1, true, NAN, NAN, NAN}, "how large it is is not known"},
        {{CT_WATCH_DELAY, &way, 1, true, 1e-6, NAN, 2e-6}, "how large it is is not known"}};
    setup_example(&example, one_message, on_two_leaves);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(
            ct_fault_price(&example.network, &cases[i].fault, example.priced, &price, &err), CT_OK);
        assert_true(isnan(price.percent) && isnan(price.low) && isnan(price.high));
        assert_string_equal(price.how, cases[i].how);
    }
    struct ct_fault fault = {CT_WATCH_RATE, &way, 1, true, 0.5, 0.5, 1};
    assert_int_equal(ct_fault_price(&example.network, &fault, example.priced, &price, &err),
                     CT_EINVAL);
    fault = (struct ct_fault){CT_WATCH_DELAY, &way, 1, true, 1e-6, 1e-6, INFINITY};
    assert_int_equal(ct_fault_price(&example.network, &fault, example.priced, &price, &err),
                     CT_EINVAL);
    const uint32_t beyond = 2 * example.topology.n_links;
    fault = (struct ct_fault){CT_WATCH_DELAY, &beyond, 1, true, 1e-6, 1e-6, 1e-6};
    assert_int_equal(ct_fault_price(&example.network, &fault, example.priced, &price, &err),
                     CT_EINVAL);
    teardown_example(&example);
}

/* There and back, so many times, a packet each. */
static void write_ping(FILE *out, unsigned n)
{
    fprintf(out, "num_ranks 2\n");
    for (unsigned rank = 0; rank < 2; rank++) {
        fprintf(out, "rank %u {\n", rank);
        for (unsigned i = 0; i < 2 * n; i++) {
            bool sends = i % 2 == rank;
            fprintf(out, "l%u: %s 101b %s %u tag %u\n", i + 1, sends ? "send" : "recv",
                    sends ? "to" : "from", 1 - rank, i);
            if (i > 0)
                fprintf(out, "l%u requires l%u\n", i + 1, i);
        }
        fprintf(out, "}\n");
    }
}

/* One of two messages of a ping passes the direction, and takes p / (1 - p) further tries on
 * average. */
static void test_losses(void **state)
{
    (void)state;
    enum { PINGS = 1000 };
    char *text;
    size_t size;
    struct example example;
    FILE *out = open_memstream(&text, &size);
    write_ping(out, PINGS);
    fclose(out);
    setup_example(&example, text, on_two_leaves);
    example.network.again_s = 1e-3;
    const double ping_ns = 2 * (L_ns + 100 * G_ns), again_ns = 1e6;
    struct ct_watch_price price = price_of(&example, "leaf0 to spine0 loses 10%", 0.05, 0.2);
    assert_near(price.percent, 100 * again_ns / 9 / ping_ns, 0.05 * price.percent);
    assert_true(price.low < 1.1 * 100 * again_ns / 19 / ping_ns);
    assert_true(price.high > 0.9 * 100 * again_ns / 4 / ping_ns);
    assert_string_equal(price.how, "packets");
    struct ct_watch_price again = price_of(&example, "leaf0 to spine0 loses 10%", 0.05, 0.2);
    assert_memory_equal(&price.percent, &again.percent, sizeof price.percent);
    check_price(price_of(&example, "leaf1 to n3 loses 10%", 0.05, 0.2), 0, 0, 0);
    check_price(price_of(&example, "leaf0 to spine0 loses 0%", NAN, NAN), 0, 0, 0);
    example.network.work_max = 3; /* L and G say nothing about losses */
    price = price_of(&example, "leaf0 to spine0 loses 10%", NAN, NAN);
    assert_true(isnan(price.percent));
    assert_string_equal(price.how, "its schedule is too large to be simulated");
    teardown_example(&example);
    free(text);
}

/* A message of many packets is there when the last of them is: of 67 packets some are lost. */
static void test_lost_packets(void **state)
{
    (void)state;
    struct example example;
    setup_example(&example, one_message, on_two_leaves);
    example.network.again_s = 1e-3;
    struct ct_watch_price price = price_of(&example, "leaf0 to spine0 loses 50%", NAN, NAN);
    assert_true(price.low >= more(3e6) && price.high <= more(20e6)); /* log2(67) is 6.1 */
    assert_near(price.low, more(1e6 * round(price.low / more(1e6))), 1e-6);
    teardown_example(&example);
}

/* By pair, what is later costs no less the later it is, and T is convex in it. */
static void test_monotone(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        const struct random_shape shape = {4, 40, 2000, 4000};
        const uint32_t at[] = {0, 1, 2, 3};
        struct example example;
        struct ct_priced *random;
        setup_example(&example, one_message, on_two_leaves);
        struct ct_goal goal = random_goal(seed, shape);
        const struct ct_simulate_place place = {.ranks_per_node = 1, .nodes = at, .n_nodes = 4};
        assert_int_equal(ct_priced_new(&goal, &place, &random, NULL), CT_OK);
        example.network.work_max = 3;
        struct ct_priced *kept = example.priced;
        example.priced = random;
        struct ct_watch_price price =
            price_of(&example, "spine0 to leaf1 later by 2us", 1e-6, 3e-6);
        assert_true(price.low >= 0 && price.low <= price.percent && price.percent <= price.high);
        assert_true(price.percent <= (price.low + price.high) / 2 + 1e-9);
        example.priced = kept;
        ct_priced_free(random);
        ct_goal_free(&goal);
        teardown_example(&example);
    }
}

static void test_words(void **state)
{
    (void)state;
    static const char *const refused[] = {"",
                                          "leaf0",
                                          "leaf0 to",
                                          "leaf0 to spine0",
                                          "leaf0 to spine0 at",
                                          "leaf0 to spine0 at x",
                                          "leaf0 to spine0 at 101%",
                                          "leaf0 to spine0 at 0%",
                                          "leaf0 to spine0 at 80 % now",
                                          "leaf0 to spine0 and at 80%",
                                          "leaf0 to spine0 later by 5",
                                          "leaf0 to spine0 later than 5us",
                                          "leaf0 to leaf1 at 80%",
                                          "leaf0 to leaf0 at 80%",
                                          "leaf0 to spine1 at 80%",
                                          "leaf0 later by 5us",
                                          "n0 at 80%",
                                          "n9 later by 5us",
                                          "'leaf0 to spine0 at 80%"};
    struct example example;
    struct ct_fault_words words = {.ways = NULL};
    struct ct_error err;
    setup_example(&example, one_message, on_two_leaves);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_int_equal(ct_fault_parse(&example.topology, refused[i], &words, &err), CT_EUSAGE);
    assert_null(words.ways);
    assert_int_equal(ct_fault_parse(&example.topology, " n1  later by 2us ", &words, &err), CT_OK);
    assert_int_equal(words.fault.kind, CT_WATCH_HOST);
    assert_int_equal(words.fault.n, 2);
    assert_int_equal(words.ways[0], words.ways[1] ^ 1);
    assert_false(words.fault.is_one);
    ct_fault_words_free(&words);
    assert_int_equal(ct_fault_parse(&example.topology, "spine0 to leaf1 loses 1%", &words, &err),
                     CT_OK);
    assert_int_equal(words.fault.kind, CT_WATCH_LOSS);
    assert_near(words.fault.size, 0.01, 1e-12);
    const struct ct_link *link = &example.topology.links[words.ways[0] / 2];
    assert_string_equal(ct_topology_name(&example.topology, link->end[words.ways[0] % 2]),
                        "spine0");
    ct_fault_words_free(&words);
    assert_int_equal(ct_fault_of_host(&example.topology, "n3", &words, &err), CT_OK);
    assert_true(words.fault.n == 2 && isnan(words.fault.size));
    ct_fault_words_free(&words);
    assert_int_equal(ct_fault_of_host(&example.topology, "leaf0", &words, &err), CT_EUSAGE);
    teardown_example(&example);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rate),     cmocka_unit_test(test_later),
        cmocka_unit_test(test_one_of),   cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_shared),   cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_losses),   cmocka_unit_test(test_lost_packets),
        cmocka_unit_test(test_monotone), cmocka_unit_test(test_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
