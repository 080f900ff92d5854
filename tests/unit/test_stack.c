/* Protocols, step by step and by hand: who comes first, and what ranks wait for. */
#include "engine_example.h"
#include "goal_example.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

enum {
    COMPUTE = CT_TIME_COMPUTE,
    STACK = CT_TIME_STACK,
    SYNC = CT_TIME_SYNC,
    NET = CT_TIME_NETWORK
};

struct expected {
    uint32_t rank;
    int part;
    double begin_ns, end_ns;
};

static struct told told;

/* Spans of a rank that follow one another and are the same part count as one. */
static size_t merge(uint32_t rank, struct expected *spans)
{
    size_t n = 0;
    for (size_t i = 0; i < told.n_spans; i++) {
        const struct ct_time_span *span = &told.spans[i];
        if (span->rank != rank)
            continue;
        if (n > 0 && spans[n - 1].part == (int)span->part)
            spans[n - 1].end_ns = span->end_ns;
        else
            spans[n++] = (struct expected){rank, (int)span->part, span->begin_ns, span->end_ns};
    }
    return n;
}

static void check_spans(const char *what, const struct expected *expected, size_t n)
{
    static struct expected spans[TOLD_MAX];
    for (size_t i = 0; i < n;) {
        uint32_t rank = expected[i].rank;
        size_t n_spans = merge(rank, spans);
        for (size_t s = 0; s < n_spans; s++, i++) {
            if (i == n || expected[i].rank != rank || spans[s].part != expected[i].part ||
                fabs(spans[s].begin_ns - expected[i].begin_ns) > 1e-6 ||
                fabs(spans[s].end_ns - expected[i].end_ns) > 1e-6)
                fail_msg("%s: rank %u: %s from %.6g to %.6g ns is not expected", what, rank,
                         ct_time_part_names[spans[s].part], spans[s].begin_ns, spans[s].end_ns);
        }
        if (i < n && expected[i].rank == rank)
            fail_msg("%s: rank %u: %s from %.6g ns is missing", what, rank,
                     ct_time_part_names[expected[i].part], expected[i].begin_ns);
    }
}

static double run_text(const char *text, const struct ct_stack_parameters *parameters)
{
    struct ct_goal goal = goal_of_text(text);
    const struct ct_simulate_network_setup setup = hand_network(goal.n_ranks);
    const struct ct_stack stack = ct_stack_rdma(parameters);
    double T_ns = run_alone(&goal, &stack, CT_NETWORK_ALPHA_BETA, &setup, &told);
    ct_goal_free(&goal);
    check_told(&told);
    return T_ns;
}

/* A message of so many bytes; each side computes first. */
static double run_message(unsigned bytes, unsigned before_send, unsigned before_recv, int progress)
{
    char text[400];
    struct ct_stack_parameters parameters = hand_parameters();
    parameters.progress = progress;
    snprintf(text, sizeof text,
             "num_ranks 2\n"
             "rank 0 {\na: calc %u\nb: send %ub to 1 tag 0\nb requires a\n}\n"
             "rank 1 {\na: calc %u\nb: recv %ub from 0 tag 0\nb requires a\n}\n",
             before_send, bytes, before_recv, bytes);
    return run_text(text, &parameters);
}

#define CHECK_MESSAGE(bytes_, before_send_, before_recv_, progress_, T_, ...)                      \
    do {                                                                                           \
        const struct expected spans_[] = {__VA_ARGS__};                                            \
        assert_near(run_message(bytes_, before_send_, before_recv_, progress_), T_, 1e-6);         \
        check_spans(#bytes_ " B, " #before_send_ ", " #before_recv_, spans_,                       \
                    sizeof spans_ / sizeof *spans_);                                               \
    } while (0)

enum { ASYNC = CT_PROGRESS_ASYNC, IN_CALL = CT_PROGRESS_IN_CALL };

/* 100 B: header 100, 50 + 50 under way, copy 100. */
static void test_mailbox(void **state)
{
    (void)state;
    CHECK_MESSAGE(100, 0, 0, ASYNC, 300, {0, STACK, 0, 100}, {1, SYNC, 0, 100}, {1, NET, 100, 200},
                  {1, STACK, 200, 300});
    CHECK_MESSAGE(100, 1000, 0, ASYNC, 1300, {0, COMPUTE, 0, 1000}, {0, STACK, 1000, 1100},
                  {1, SYNC, 0, 1100}, {1, NET, 1100, 1200}, {1, STACK, 1200, 1300});
    /* Posted while it is under way, and when it is there. */
    CHECK_MESSAGE(100, 0, 150, ASYNC, 300, {1, COMPUTE, 0, 150}, {1, NET, 150, 200},
                  {1, STACK, 200, 300});
    CHECK_MESSAGE(100, 0, 1000, ASYNC, 1100, {0, STACK, 0, 100}, {1, COMPUTE, 0, 1000},
                  {1, STACK, 1000, 1100});
    /* Nothing of it needs progress while the receiver computes. */
    CHECK_MESSAGE(100, 0, 1000, IN_CALL, 1100, {1, COMPUTE, 0, 1000}, {1, STACK, 1000, 1100});
    CHECK_MESSAGE(0, 0, 0, ASYNC, 150, {0, STACK, 0, 100}, {1, SYNC, 0, 100}, {1, NET, 100, 150});
    assert_string_equal(told.messages[0].protocol, "mailbox");
    assert_int_equal(told.messages[0].n_steps, 2);
}

/* 1000 B: copy 1000 and header 100, 50, RDMA 200, 50, 500 + 50, copy 1000. */
static void test_eager(void **state)
{
    (void)state;
    CHECK_MESSAGE(1000, 0, 0, ASYNC, 2950, {0, STACK, 0, 1100}, {1, SYNC, 0, 1100},
                  {1, NET, 1100, 1150}, {1, STACK, 1150, 1350}, {1, NET, 1350, 1950},
                  {1, STACK, 1950, 2950});
    CHECK_MESSAGE(1000, 500, 0, ASYNC, 3450, {0, COMPUTE, 0, 500}, {0, STACK, 500, 1600},
                  {1, SYNC, 0, 1600}, {1, NET, 1600, 1650}, {1, STACK, 1650, 1850},
                  {1, NET, 1850, 2450}, {1, STACK, 2450, 3450});
    /* The get goes on while the receiver computes, or does not begin before it has. */
    CHECK_MESSAGE(1000, 0, 5000, ASYNC, 6000, {0, STACK, 0, 1100}, {1, COMPUTE, 0, 5000},
                  {1, STACK, 5000, 6000});
    CHECK_MESSAGE(1000, 0, 5000, IN_CALL, 6800, {1, COMPUTE, 0, 5000}, {1, STACK, 5000, 5200},
                  {1, NET, 5200, 5800}, {1, STACK, 5800, 6800});
    /* Posted while the get is under way. */
    CHECK_MESSAGE(1000, 0, 1500, ASYNC, 2950, {1, COMPUTE, 0, 1500}, {1, NET, 1500, 1950},
                  {1, STACK, 1950, 2950});
    assert_string_equal(told.messages[0].protocol, "eager");
}

/* 8192 B: pin 1020 and header 100, 50, pin 1020 and RDMA 200, 50, 4096 + 50, 50 back. */
static void test_rendezvous(void **state)
{
    (void)state;
    CHECK_MESSAGE(8192, 0, 0, ASYNC, 6636, {0, STACK, 0, 1120}, {0, NET, 1120, 1170},
                  {0, STACK, 1170, 2390}, {0, NET, 2390, 6636}, {1, SYNC, 0, 1120},
                  {1, NET, 1120, 1170}, {1, STACK, 1170, 2390}, {1, NET, 2390, 6586});
    CHECK_MESSAGE(8192, 0, 5000, ASYNC, 10466, {0, STACK, 0, 1120}, {0, SYNC, 1120, 5000},
                  {0, STACK, 5000, 6220}, {0, NET, 6220, 10466}, {1, COMPUTE, 0, 5000},
                  {1, STACK, 5000, 6220}, {1, NET, 6220, 10416});
    CHECK_MESSAGE(8192, 2000, 0, ASYNC, 8636, {0, COMPUTE, 0, 2000}, {0, STACK, 2000, 3120},
                  {0, NET, 3120, 3170}, {0, STACK, 3170, 4390}, {0, NET, 4390, 8636},
                  {1, SYNC, 0, 3120}, {1, NET, 3120, 3170}, {1, STACK, 3170, 4390},
                  {1, NET, 4390, 8586});
    assert_string_equal(told.messages[0].protocol, "rendezvous");
    assert_near(told.messages[0].ended_ns[CT_SIDE_SENDER], 8636, 1e-6);
    assert_near(told.messages[0].ended_ns[CT_SIDE_RECEIVER], 8586, 1e-6);
    assert_near(told.messages[0].posted_ns[CT_SIDE_SENDER], 2000, 0);
    assert_near(told.times[0][1].ready_ns, 3170, 1e-6);
    assert_near(told.times[0][1].paid_ns, 4390, 1e-6);
    assert_near(told.times[0][2].there_ns, 8586, 1e-6);
}

/* An early receive, and a rank that computes before it waits. */
static const char early[] = "num_ranks 2\n"
                            "rank 0 {\na: send 8192b to 1 tag 0\n}\n"
                            "rank 1 {\na: recv 8192b from 0 tag 0\nb: calc 5000\nb irequires a\n"
                            "c: calc 1\nc requires a\nc requires b\n}\n";

/* The wait begins when the computation ends: equation 4. */
static void test_early_receive(void **state)
{
    (void)state;
    struct ct_stack_parameters parameters = hand_parameters();
    static const struct expected async[] = {
        {1, COMPUTE, 0, 5000}, {1, NET, 5000, 6586}, {1, COMPUTE, 6586, 6587}};
    assert_near(run_text(early, &parameters), 6636, 1e-6);
    check_spans("early, async", async, 3);
    /* The request waits for the receiver to end its computation; so does the sender. */
    parameters.progress = CT_PROGRESS_IN_CALL;
    static const struct expected in_call[] = {
        {0, STACK, 0, 1120},    {0, NET, 1120, 1170},  {0, SYNC, 1170, 5000},
        {0, STACK, 5000, 6220}, {0, NET, 6220, 10466}, {1, COMPUTE, 0, 5000},
        {1, STACK, 5000, 6220}, {1, NET, 6220, 10416}, {1, COMPUTE, 10416, 10417}};
    assert_near(run_text(early, &parameters), 10466, 1e-6);
    check_spans("early, in-call", in_call, sizeof in_call / sizeof *in_call);
}

/* A send that begins early and is waited for late: equation 3. */
static void test_early_send(void **state)
{
    (void)state;
    const struct ct_stack_parameters parameters = hand_parameters();
    static const struct expected spans[] = {{0, STACK, 0, 1120},   {0, COMPUTE, 1120, 4120},
                                            {0, SYNC, 4120, 5000}, {0, STACK, 5000, 6220},
                                            {0, NET, 6220, 10466}, {0, COMPUTE, 10466, 10467}};
    run_text("num_ranks 2\n"
             "rank 0 {\na: send 8192b to 1 tag 0\nb: calc 3000\nb irequires a\n"
             "c: calc 1\nc requires a\nc requires b\n}\n"
             "rank 1 {\na: calc 5000\nb: recv 8192b from 0 tag 0\nb requires a\n}\n",
             &parameters);
    check_spans("early send", spans, sizeof spans / sizeof *spans);
}

/* Of several that a rank waits for at once the last one counts. */
static void test_wait_for_all(void **state)
{
    (void)state;
    const struct ct_stack_parameters parameters = hand_parameters();
    /* There at 200 and, sent at 2000, at 2200; the first copy is in between. */
    static const struct expected spans[] = {{2, SYNC, 0, 200},      {2, STACK, 200, 300},
                                            {2, SYNC, 300, 2100},   {2, NET, 2100, 2200},
                                            {2, STACK, 2200, 2300}, {2, COMPUTE, 2300, 2301}};
    run_text("num_ranks 3\n"
             "rank 0 {\na: send 100b to 2 tag 0\n}\n"
             "rank 1 {\na: calc 2000\nb: send 100b to 2 tag 0\nb requires a\n}\n"
             "rank 2 {\na: recv 100b from 0 tag 0\nb: recv 100b from 1 tag 0\nc: calc 1\n"
             "c requires a\nc requires b\n}\n",
             &parameters);
    check_spans("wait for all", spans, sizeof spans / sizeof *spans);
    assert_int_equal(told.spans[told.n_spans - 1].part, CT_TIME_COMPUTE);
}

/* A rank does one thing after the other: two messages that are there at once. */
static void test_one_at_a_time(void **state)
{
    (void)state;
    const struct ct_stack_parameters parameters = hand_parameters();
    /* Both headers are done at 100; bytes enter the node one message after the other. */
    assert_near(run_text("num_ranks 3\n"
                         "rank 0 {\na: send 100b to 2 tag 0\n}\n"
                         "rank 1 {\na: send 100b to 2 tag 0\n}\n"
                         "rank 2 {\na: calc 1000\nb: recv 100b from 0 tag 0\n"
                         "c: recv 100b from 1 tag 0\nb requires a\nc requires a\n}\n",
                         &parameters),
                1200, 1e-6);
}

static void test_self(void **state)
{
    (void)state;
    const struct ct_stack_parameters parameters = hand_parameters();
    static const struct {
        const char *bytes;
        double T_ns;
    } cases[] = {{"100b", 200}, {"0b", 100}, {"1000b", 2300}, {"8192b", 2340}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 "num_ranks 1\nrank 0 {\na: send %s to 0 tag 0\nb: recv %s from 0 tag 0\n}\n",
                 cases[i].bytes, cases[i].bytes);
        assert_near(run_text(text, &parameters), cases[i].T_ns, 1e-6);
        assert_int_equal(told.n_messages, 1);
    }
}

/* The second message waits for the first to be copied. */
static void test_credits(void **state)
{
    (void)state;
    static const char text[] = "num_ranks 2\n"
                               "rank 0 {\na: send 100b to 1 tag 0\nb: send 100b to 1 tag 0\n"
                               "b requires a\n}\n"
                               "rank 1 {\na: calc 1000\nb: recv 100b from 0 tag 0\n"
                               "c: recv 100b from 0 tag 0\nb requires a\nc requires b\n}\n";
    struct ct_stack_parameters parameters = hand_parameters();
    static const struct expected spans[] = {{0, STACK, 0, 100},     {0, SYNC, 100, 1150},
                                            {0, STACK, 1150, 1250}, {1, COMPUTE, 0, 1000},
                                            {1, STACK, 1000, 1100}, {1, SYNC, 1100, 1250},
                                            {1, NET, 1250, 1350},   {1, STACK, 1350, 1450}};
    parameters.credits = 1;
    assert_near(run_text(text, &parameters), 1450, 1e-6);
    check_spans("one credit", spans, sizeof spans / sizeof *spans);
    parameters.credits = 2;
    assert_near(run_text(text, &parameters), 1200, 1e-6);
    parameters.credits = 0;
    assert_near(run_text(text, &parameters), 1200, 1e-6);
}

/* The library keeps a message that has no credit: a program that does not wait for it goes on. */
static void test_credit_of_isend(void **state)
{
    (void)state;
    static const char text[] = "num_ranks 2\n"
                               "rank 0 {\na: send 100b to 1 tag 0\nb: send 100b to 1 tag 0\n"
                               "b requires a\nc: recv 100b from 1 tag 0\nc irequires b\n}\n"
                               "rank 1 {\na: send 100b to 0 tag 0\nb: recv 100b from 0 tag 0\n"
                               "c: recv 100b from 0 tag 0\nb irequires a\nc irequires b\n}\n";
    struct ct_stack_parameters parameters = hand_parameters();
    parameters.credits = 1;
    assert_true(run_text(text, &parameters) > 0);
    assert_int_equal(told.n_messages, 3);
}

/* Both wait for credit that only the other could give. */
static void test_no_end(void **state)
{
    (void)state;
    static const char text[] = "num_ranks 2\n"
                               "rank 0 {\na: send 8192b to 1 tag 0\nb: recv 8192b from 1 tag 0\n"
                               "b requires a\n}\n"
                               "rank 1 {\na: send 8192b to 0 tag 0\nb: recv 8192b from 0 tag 0\n"
                               "b requires a\n}\n";
    const struct ct_stack_parameters parameters = hand_parameters();
    const struct ct_stack stack = ct_stack_rdma(&parameters);
    const struct ct_simulate_network_setup wanted = hand_network(2);
    struct ct_goal goal = goal_of_text(text);
    struct ct_engine_program *program;
    struct ct_simulate_network network;
    struct ct_error err;
    double pass_ns;
    assert_int_equal(ct_engine_program_new(&goal, &program, NULL), CT_OK);
    assert_int_equal(ct_simulate_network_new(CT_NETWORK_ALPHA_BETA, &wanted, &network, NULL),
                     CT_OK);
    const struct ct_engine_job job = {program, ct_simulate_blocks(1), 0};
    const struct ct_engine_setup setup = {&stack, &network, 2, 1, UINT64_MAX};
    assert_int_equal(ct_engine_run(&job, 1, &setup, NULL, &pass_ns, NULL, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "rank 0 operation 2 waits for ever"));
    ct_simulate_network_free(&network);
    ct_engine_program_free(program);
    ct_goal_free(&goal);
}

/* Costs of steps, from Table 1 of the paper. */
static void test_costs(void **state)
{
    (void)state;
    const struct ct_stack_parameters parameters = ct_stack_defaults();
    const struct ct_stack stack = ct_stack_rdma(&parameters);
    assert_near(ct_stack_work_ns(&stack, CT_WORK_HEADER, 9999), 360, 1e-9);
    assert_near(ct_stack_work_ns(&stack, CT_WORK_RDMA, 9999), 880, 1e-9);
    assert_near(ct_stack_work_ns(&stack, CT_WORK_COPY, 11200), 1000, 1e-9);
    assert_near(ct_stack_work_ns(&stack, CT_WORK_PIN, 4096), 5430 + 50.5, 1e-9);
    assert_near(ct_stack_work_ns(&stack, CT_WORK_PIN, 4097), 5430 + 2 * 50.5, 1e-9);
    assert_near(ct_stack_work_ns(&stack, CT_WORK_COPY | CT_WORK_HEADER, 11200), 1360, 1e-9);
    const struct ct_stack without = ct_stack_free_of_cost(&stack);
    assert_near(ct_stack_work_ns(&without, CT_WORK_PIN | CT_WORK_COPY | CT_WORK_HEADER, 9999), 0,
                0);
    assert_int_equal(ct_stack_protocol_of(&stack, 4096), 0);
    assert_int_equal(ct_stack_protocol_of(&stack, 4097), 1);
    assert_int_equal(ct_stack_protocol_of(&stack, 65536), 1);
    assert_int_equal(ct_stack_protocol_of(&stack, 65537), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mailbox),       cmocka_unit_test(test_eager),
        cmocka_unit_test(test_rendezvous),    cmocka_unit_test(test_early_receive),
        cmocka_unit_test(test_early_send),    cmocka_unit_test(test_wait_for_all),
        cmocka_unit_test(test_one_at_a_time), cmocka_unit_test(test_self),
        cmocka_unit_test(test_credits),       cmocka_unit_test(test_credit_of_isend),
        cmocka_unit_test(test_no_end),        cmocka_unit_test(test_costs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
