/* The steps of messages: what protocols promise, parts by hand; and that all who read them (linear
 * costs, replays, simulations) agree, with overheads that differ by size and side. */
#include "engine_example.h"
#include "goal_example.h"
#include "lp-bridge/envelope/path.h"
#include "unit.h"

#include <math.h>
#include <string.h>

/* ---- steps ---- */

/* What readers take for granted of every row. */
static void test_protocols(void **state)
{
    (void)state;
    for (size_t p = 0; p < CT_PROTOCOLS; p++) {
        const struct ct_protocol *protocol = &ct_protocols[p];
        size_t n_data = 0;
        assert_non_null(protocol->name);
        assert_true(protocol->n_steps >= 2 && protocol->n_steps <= CT_MESSAGE_STEPS_MAX);
        for (size_t i = 0; i < protocol->n_steps; i++) {
            const struct ct_message_step *step = &protocol->steps[i];
            assert_int_equal(step->by, i % 2 == 0 ? CT_SIDE_SENDER : CT_SIDE_RECEIVER);
            assert_int_equal(step->waits_for == CT_WAIT_SEND, i == 0);
            assert_int_equal(step->waits_for == CT_WAIT_RECV, i == protocol->met);
            assert_int_equal(step->carries == CT_CARRIES_NOTHING, i + 1 == protocol->n_steps);
            n_data += step->carries == CT_CARRIES_DATA;
        }
        assert_int_equal(n_data, 1);
        assert_int_equal(protocol->steps[protocol->met].by, CT_SIDE_RECEIVER);
        assert_int_equal(protocol->steps[protocol->send_ends.step].by, CT_SIDE_SENDER);
        assert_int_equal(protocol->steps[protocol->recv_ends.step].by, CT_SIDE_RECEIVER);
        assert_true(protocol->recv_ends.step >= protocol->met);
        assert_int_equal(ct_protocol_send_needs_recv(protocol), p != CT_PROTOCOL_EAGER);
    }
    assert_int_equal(ct_protocol_of(0, 0), CT_PROTOCOL_EAGER);
    assert_int_equal(ct_protocol_of(8, 8), CT_PROTOCOL_EAGER);
    assert_int_equal(ct_protocol_of(9, 8), CT_PROTOCOL_RENDEZVOUS);
}

static void check_parts(const struct ct_protocol *protocol, struct ct_message_point from,
                        struct ct_message_point to, const struct ct_message_part *expected,
                        size_t n)
{
    struct ct_message_part parts[CT_MESSAGE_STEPS_MAX];
    const struct ct_message_span span = {
        .protocol = protocol, .from = from, .to = to, .rank = {3, 5}, .bytes = 11};
    assert_int_equal(ct_message_parts(&span, parts), n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(parts[i].overhead, expected[i].overhead);
        assert_int_equal(parts[i].rank, expected[i].rank);
        assert_int_equal(parts[i].peer, expected[i].peer);
        assert_int_equal(parts[i].leaves, expected[i].leaves);
        assert_int_equal(parts[i].arrives, expected[i].arrives);
        assert_near(parts[i].bytes, expected[i].bytes, 0);
    }
}

#define CHECK_PARTS(protocol, from, to, ...)                                                       \
    do {                                                                                           \
        const struct ct_message_part parts_[] = {__VA_ARGS__};                                     \
        check_parts(protocol, (struct ct_message_point)from, (struct ct_message_point)to, parts_,  \
                    sizeof parts_ / sizeof *parts_);                                               \
    } while (0)
#define POINT(step, moment)                                                                        \
    {                                                                                              \
        step, CT_MOMENT_##moment                                                                   \
    }

static void test_parts(void **state)
{
    (void)state;
    const struct ct_protocol *one = &ct_protocols[CT_PROTOCOL_EAGER];
    const struct ct_protocol *three = &ct_protocols[CT_PROTOCOL_RENDEZVOUS];
    CHECK_PARTS(one, POINT(0, BEGIN), POINT(1, BEGIN), {CT_OVERHEAD_SEND, 3, 5, true, true, 10});
    CHECK_PARTS(one, POINT(0, PAID), POINT(0, LEFT), {CT_OVERHEAD_NONE, 3, 5, true, false, 10});
    CHECK_PARTS(one, POINT(0, PAID), POINT(1, BEGIN), {CT_OVERHEAD_NONE, 3, 5, true, true, 10});
    CHECK_PARTS(one, POINT(0, LEFT), POINT(1, PAID), {CT_OVERHEAD_NONE, 3, 5, false, true, 10},
                {CT_OVERHEAD_RECV, 5, 3, false, false, 0});
    CHECK_PARTS(three, POINT(0, BEGIN), POINT(1, BEGIN),
                {CT_OVERHEAD_CONTROL, 3, 5, true, true, 0});
    CHECK_PARTS(three, POINT(1, BEGIN), POINT(2, LEFT), {CT_OVERHEAD_CONTROL, 5, 3, true, true, 0},
                {CT_OVERHEAD_SEND, 3, 5, true, false, 10});
    CHECK_PARTS(three, POINT(1, BEGIN), POINT(3, PAID), {CT_OVERHEAD_CONTROL, 5, 3, true, true, 0},
                {CT_OVERHEAD_SEND, 3, 5, true, true, 10},
                {CT_OVERHEAD_RECV, 5, 3, false, false, 0});
    const struct ct_message_span nothing = {.protocol = three};
    struct ct_message_part parts[CT_MESSAGE_STEPS_MAX];
    assert_int_equal(ct_message_parts(&nothing, parts), 0);
}

/* A protocol that is in no table: the receiver fetches the bytes, the network cards do the rest,
 * and the send ends with an acknowledgement. */
static void test_other_protocol(void **state)
{
    (void)state;
    const struct ct_protocol fetched = {
        .name = "fetched",
        .n_steps = 5,
        .steps = {{CT_SIDE_SENDER, CT_WAIT_SEND, CT_OVERHEAD_CONTROL, CT_CARRIES_CONTROL},
                  {CT_SIDE_RECEIVER, CT_WAIT_RECV, CT_OVERHEAD_CONTROL, CT_CARRIES_CONTROL},
                  {CT_SIDE_SENDER, CT_WAIT_NOTHING, CT_OVERHEAD_NONE, CT_CARRIES_DATA},
                  {CT_SIDE_RECEIVER, CT_WAIT_NOTHING, CT_OVERHEAD_NONE, CT_CARRIES_CONTROL},
                  {CT_SIDE_SENDER, CT_WAIT_NOTHING, CT_OVERHEAD_NONE, CT_CARRIES_NOTHING}},
        .met = 1,
        .send_ends = {4, CT_MOMENT_PAID},
        .recv_ends = {3, CT_MOMENT_PAID}};
    CHECK_PARTS(&fetched, POINT(1, BEGIN), POINT(3, PAID),
                {CT_OVERHEAD_CONTROL, 5, 3, true, true, 0},
                {CT_OVERHEAD_NONE, 3, 5, true, true, 10});
    CHECK_PARTS(&fetched, POINT(1, BEGIN), POINT(4, PAID),
                {CT_OVERHEAD_CONTROL, 5, 3, true, true, 0},
                {CT_OVERHEAD_NONE, 3, 5, true, true, 10}, {CT_OVERHEAD_NONE, 5, 3, true, true, 0});
}

/* ---- readers agree ---- */

/* o_s 100 and 500 ns, o_r 70 and 900, for 0 and 1001 bytes; these take 1000 ns to leave. */
static const struct ct_overhead sizes[] = {{0, 100e-9, 70e-9}, {1001, 500e-9, 900e-9}};
static const struct ct_overheads overheads = {(struct ct_overhead *)sizes, 2};
/* o does not count where overheads go by size. */
static const struct ct_loggps at = {.o_ns = 12345, .L_ns = 1000, .G_ns_per_byte = 1};
enum { EAGER_MAX = 1000 };

static double by_path(const struct ct_graph *graph)
{
    struct ct_path path;
    assert_int_equal(ct_path_find(graph, &at, &path, NULL), CT_OK);
    double runtime_ns = path.runtime_ns;
    ct_path_free(&path);
    return runtime_ns;
}

static double by_simulation(const char *text, const struct ct_graph_options *options)
{
    struct ct_goal goal = goal_of_text(text);
    const struct ct_stack stack =
        ct_stack_loggps(&at, options->eager_max_bytes, options->overheads);
    const struct ct_simulate_network_setup setup = {.n_nodes = goal.n_ranks,
                                                    .n_jobs = 1,
                                                    .injection_ns_per_byte = at.G_ns_per_byte,
                                                    .link_ns_per_byte = NAN,
                                                    .latency_ns = at.L_ns};
    double T_ns = run_alone(&goal, &stack, CT_NETWORK_ALPHA_BETA, &setup, NULL);
    ct_goal_free(&goal);
    return T_ns;
}

#define SENT "num_ranks 2\nrank 0 {\ns: send 1001b to 1 tag 0\n"
#define RECEIVED "}\nrank 1 {\nr: recv 1001b from 0 tag 0\n"

static const struct {
    const char *what;
    size_t eager_max_bytes;
    double T_ns;
    const char *text;
} agreed[] = {
    {"eager", SIZE_MAX, 500 + 1000 + 1000 + 900, SENT RECEIVED "}\n"},
    {"a size in between: overheads on straight lines", SIZE_MAX,
     100 + 400 * 500 / 1001. + 499 + 1000 + 70 + 830 * 500 / 1001.,
     "num_ranks 2\nrank 0 {\ns: send 500b to 1 tag 0\n}\nrank 1 {\nr: recv 500b from 0 tag 0\n}\n"},
    /* request 100 + L, grant 100 + L, data 500 + B G + L, and 900 to receive it */
    {"rendezvous", EAGER_MAX, 1100 + 1100 + 500 + 1000 + 1000 + 900, SENT RECEIVED "}\n"},
    {"rendezvous, the sender goes on", EAGER_MAX, 1100 + 1100 + 500 + 1000 + 5000,
     SENT "c: calc 5000\nc requires s\n" RECEIVED "}\n"},
    {"rendezvous, the sender's processor goes on", EAGER_MAX, 100 + 9000,
     SENT "c: calc 9000\nc irequires s\n" RECEIVED "}\n"},
    {"rendezvous with a late receiver", EAGER_MAX, 3000 + 1100 + 500 + 1000 + 1000 + 900,
     SENT RECEIVED "c: calc 3000\nr requires c\n}\n"},
    {"rendezvous with a late sender", EAGER_MAX, 3000 + 5600,
     SENT "c: calc 3000\ns requires c\n" RECEIVED "}\n"},
    {"rendezvous, and an answer without bytes", EAGER_MAX, 5600 + 100 + 1000 + 70,
     SENT "a: recv 0b from 1 tag 1\na requires s\n" RECEIVED
          "a: send 0b to 0 tag 1\na requires r\n}\n"},
};

static void test_unequal_overheads(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof agreed / sizeof *agreed; i++) {
        const struct ct_graph_options options = {.eager_max_bytes = agreed[i].eager_max_bytes,
                                                 .overheads = &overheads};
        struct ct_graph graph = graph_of_text(agreed[i].text, &options);
        const struct {
            const char *reader;
            double T_ns;
        } found[] = {{"the critical path", by_path(&graph)},
                     {"the envelope", runtime_by_envelope(&graph, at)},
                     {"the simulation", by_simulation(agreed[i].text, &options)}};
        for (size_t f = 0; f < sizeof found / sizeof *found; f++)
            if (!(fabs(found[f].T_ns - agreed[i].T_ns) <= 1e-6))
                fail_msg("%s: T by %s is %.17g, not %.17g", agreed[i].what, found[f].reader,
                         found[f].T_ns, agreed[i].T_ns);
        ct_graph_free(&graph);
    }
}

/* Random schedules, both protocols. */
static void test_random(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        const struct random_shape shape = {.n_ranks = 2 + (uint32_t)(seed % 7),
                                           .n_steps = 20 + (uint32_t)(seed * 13 % 600),
                                           .calc_max_ns = 9000,
                                           .bytes_max = 2 * EAGER_MAX};
        const struct ct_graph_options options = {
            .eager_max_bytes = EAGER_MAX, .serialize_nic = seed % 3 == 0, .overheads = &overheads};
        struct ct_graph graph = random_graph(seed, shape, &options);
        double expected_ns = runtime_by_envelope(&graph, at);
        assert_near(by_path(&graph), expected_ns, 1e-9 * expected_ns);
        ct_graph_free(&graph);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_protocols), cmocka_unit_test(test_parts),
        cmocka_unit_test(test_other_protocol), cmocka_unit_test(test_unequal_overheads),
        cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
