/* Links whose inputs have buckets: by hand, and against packets. 2 ns a byte; a bucket holds 1000
 * B. */
#include "core/random.h"
#include "links_example.h"
#include "simulate/constants.h"
#include "simulate/network.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>

static const struct ct_links_queues turns = {.packet_bytes = 1000, .burst_bytes = 1000};

static struct ct_links *links_of(uint32_t n_nodes)
{
    struct ct_simulate_paths paths;
    assert_int_equal(ct_simulate_paths_of_switch(n_nodes, 2, &paths, NULL), CT_OK);
    return links_on(&paths, turns);
}

/* An input of three nodes is assured a byte in 8 ns, one of two in 6. */
static void at_once(void **state)
{
    (void)state;
    CHECK_LINKS(links_of(2), {0, 1, 0, 800, 50, 50});
    CHECK_LINKS(links_of(2), {0, 1, 0, 0, 50, 50});
    /* Two packets: the first one leaves no debt. Or one by the 200 that the first message left. */
    CHECK_LINKS(links_of(2), {0, 1, 0, 2000, 0, 0});
    CHECK_LINKS(links_of(2), {0, 1, 0, 800, 0, 0}, {0, 1, 0, 800, 0, 0});
    /* Where the port has 200 left, an input has its own. */
    CHECK_LINKS(links_of(3), {0, 1, 0, 800, 0, 0}, {2, 1, 0, 1500, 0, 0});
}

static void last_packet(void **state)
{
    (void)state;
    /* It passes when the port has paid 600 for the second message, and leaves a debt of 800. */
    CHECK_LINKS(links_of(2), {0, 1, 0, 800, 0, 0}, {0, 1, 0, 800, 0, 0}, {0, 1, 0, 800, 0, 1200},
                {0, 1, 0, 800, 0, 2800});
    /* A packet at once, while node 1 owes 600; then it owes 1600. */
    CHECK_LINKS(links_of(3), {0, 1, 0, 800, 0, 0}, {2, 1, 0, 800, 0, 0}, {0, 1, 0, 1500, 0, 3200});
    /* It has paid at 1200. */
    CHECK_LINKS(links_of(3), {0, 1, 0, 800, 0, 0}, {2, 1, 0, 800, 0, 0},
                {0, 1, 0, 1500, 1200, 3200});
}

/* 2000 at once, so that ports owe 1000 until 2000. At 4000, 1000 later, others are assured a
 * packet, and the port lends nothing until 6000. At 8000 and 16000 the input is assured one, too,
 * and ports lend nothing until 10000 and 18000; then the last packet passes. */
static void debts_are_paid_first(void **state)
{
    (void)state;
    CHECK_LINKS(links_of(3), {0, 1, 0, 10000, 0, 18000}, {2, 1, 0, 1000, 4000, 4000});
}

/* When two messages of different jobs are through, as parts of the time of both. */
static void check_two(double ahead_bytes, double apart_frac, double first_frac, double second_frac)
{
    double through_ns[2], together_ns = 1e9 * ct_simulate_constant(CT_SIMULATE_TOGETHER);
    double bytes = 2 * together_ns, all_ns = 4 * bytes;
    const struct sent sent[] = {{0, 1, 0, bytes, 0, 0},
                                {0, 1, 1, bytes, apart_frac * together_ns, 0}};
    struct ct_simulate_paths paths;
    struct ct_links_queues queues = turns;
    queues.ahead_bytes = ahead_bytes;
    assert_int_equal(ct_simulate_paths_of_switch(2, 2, &paths, NULL), CT_OK);
    struct ct_links *links = links_on(&paths, queues);
    run_links(links, sent, 2, through_ns);
    free_links(links);
    assert_near(through_ns[0] / all_ns, first_frac, 0.01);
    assert_near(through_ns[1] / all_ns, second_frac, 0.01);
}

/* Messages between two nodes are in one queue, whichever job sends them, unless they are sent
 * together, or the queue does not hold all of the first one. Each takes half of the time. What
 * inputs are assured, a third of the rate, goes to the one that has more left, and they share the
 * rest: so the first has a third of the rate until it is through at 6 of 8 in the last case. */
static void one_queue(void **state)
{
    (void)state;
    const double all_bytes = 1e12, packet_bytes = 1000;
    check_two(all_bytes, 1.1, 0.5, 1);
    check_two(all_bytes, 0.9, 1, 1);
    check_two(packet_bytes, 1.1, 1, 1);
    check_two(packet_bytes, 3, 0.75, 1);
}

/* 900 B and a header of 100 in a packet, 50 more with each message: a byte on the link takes 1.8
 * ns.
 */
static void headers(void **state)
{
    (void)state;
    struct ct_simulate_paths paths;
    assert_int_equal(ct_simulate_paths_of_switch(2, 2, &paths, NULL), CT_OK);
    const struct ct_links_setup setup = {
        .paths = &paths, .n_jobs = 1, .queues = turns, .frames = {900, 100, 50}};
    struct ct_links *links;
    double passed_bytes[4];
    uint32_t number;
    assert_int_equal(ct_links_new(&setup, &links, NULL), CT_OK);
    /* Three packets: 2 x 1000 B and 300 on the link, two of them at once; 1000 are owed. */
    const struct ct_links_message message = {0, 1, 0, 1950, 7};
    assert_int_equal(ct_links_send(links, 0, &message, NULL), CT_OK);
    assert_near(ct_links_next_ns(links), 1800, 1e-9);
    while (!ct_links_step(links, &number))
        assert_near(ct_links_next_ns(links), 1800, 1e-9);
    assert_true(isinf(ct_links_next_ns(links)));
    ct_links_passed(links, 1800, passed_bytes);
    assert_near(passed_bytes[0], 0.9 * 2300, 1e-9);
    ct_links_free(links);
    ct_simulate_paths_free(&paths);
}

/* ---- against packets ---- */

enum { NODES = 6, MESSAGES = 60 };

struct random_message {
    struct ct_transfer transfer;
    double at_ns;
};

static void run_network(enum ct_simulate_network_kind kind, const struct random_message *messages,
                        double *there_ns)
{
    const struct ct_simulate_network_setup setup = {.n_nodes = NODES,
                                                    .n_jobs = 1,
                                                    .injection_ns_per_byte = 2,
                                                    .link_ns_per_byte = NAN,
                                                    .queues = turns,
                                                    .packet_bytes = turns.packet_bytes,
                                                    .buffer_bytes = 1e6};
    struct ct_simulate_network network;
    assert_int_equal(ct_simulate_network_new(kind, &setup, &network, NULL), CT_OK);
    for (uint32_t next = 0, n_there = 0; n_there < MESSAGES;) {
        struct ct_simulate_network_event event;
        double until_ns = next < MESSAGES ? messages[next].at_ns : INFINITY;
        assert_int_equal(network.ops->run(network.state, until_ns, &event, NULL), CT_OK);
        if (event.news == CT_NEWS_THERE) {
            there_ns[event.number] = event.at_ns;
            n_there++;
        } else {
            assert_true(next < MESSAGES);
            assert_int_equal(network.ops->send(network.state, messages[next].at_ns,
                                               &messages[next].transfer, NULL),
                             CT_OK);
            next++;
        }
    }
    ct_simulate_network_free(&network);
}

/* Times that messages take, on average and until the last one is there. */
static void nearly_as_packets(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int round = 0; round < 40; round++) {
        struct random_message messages[MESSAGES];
        double by_links[MESSAGES], by_packets[MESSAGES], took[2] = {0, 0}, last[2] = {0, 0};
        double pause_ns = 200 * (1 + round % 20), at_ns = 0;
        for (uint32_t i = 0; i < MESSAGES; i++) {
            uint32_t from = (uint32_t)(ct_random_next(&seed) % NODES);
            uint32_t to = (from + 1 + (uint32_t)(ct_random_next(&seed) % (NODES - 1))) % NODES;
            double bytes = 1 + floor(8000 * ct_random_unit(ct_random_next(&seed)));
            at_ns += 2 * pause_ns * ct_random_unit(ct_random_next(&seed));
            messages[i] = (struct random_message){
                {.from = from, .to = to, .number = i, .bytes = bytes}, at_ns};
        }
        run_network(CT_NETWORK_SHARED, messages, by_links);
        run_network(CT_NETWORK_PACKET, messages, by_packets);
        for (uint32_t i = 0; i < MESSAGES; i++) {
            took[0] += by_links[i] - messages[i].at_ns;
            took[1] += by_packets[i] - messages[i].at_ns;
            last[0] = fmax(last[0], by_links[i]);
            last[1] = fmax(last[1], by_packets[i]);
        }
        assert_near(took[0] / took[1], 1, 0.1);
        assert_near(last[0] / last[1], 1, 0.04);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(at_once),
                                       cmocka_unit_test(last_packet),
                                       cmocka_unit_test(debts_are_paid_first),
                                       cmocka_unit_test(one_queue),
                                       cmocka_unit_test(headers),
                                       cmocka_unit_test(nearly_as_packets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
