/* Protocols by hand: several messages, credits of mailboxes, and costs. test_steps.c has the steps
 * of one message. */
#include "engine_example.h"
#include "goal_example.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

static struct told told;

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

/* Steps of each message, in the order in which they end, and spans of each rank. */
struct expected {
    const char *steps[4], *spans[4]; /* as far as they are not NULL */
};

static void check(const char *what, const char *text, const struct ct_stack_parameters *parameters,
                  double T_ns, const struct expected *expected)
{
    size_t n_messages = 0;
    assert_near(run_text(text, parameters), T_ns, 1e-6);
    for (; expected->steps[n_messages]; n_messages++)
        check_steps(what, &told, n_messages, expected->steps[n_messages]);
    assert_int_equal(told.n_messages, n_messages);
    for (uint32_t rank = 0; expected->spans[rank]; rank++)
        check_spans(what, &told, rank, expected->spans[rank]);
}

/* Of several that a rank waits for at once the last one counts. */
static void test_wait_for_all(void **state)
{
    (void)state;
    const struct ct_stack_parameters parameters = hand_parameters();
    /* There at 200 and, sent at 2000, at 2200; the first copy is in between. */
    static const struct expected expected = {
        {"0 100 200, 200 300 300", "2000 2100 2200, 2200 2300 2300"},
        {"stack 100", "compute 2000, stack 2100",
         "sync 200, stack 300, sync 2100, network 2200, stack 2300, compute 2301"}};
    check("wait for all",
          "num_ranks 3\n"
          "rank 0 {\na: send 100b to 2 tag 0\n}\n"
          "rank 1 {\na: calc 2000\nb: send 100b to 2 tag 0\nb requires a\n}\n"
          "rank 2 {\na: recv 100b from 0 tag 0\nb: recv 100b from 1 tag 0\nc: calc 1\n"
          "c requires a\nc requires b\n}\n",
          &parameters, 2301, &expected);
}

/* A rank does one thing after the other: two messages that are there at once. */
static void test_one_at_a_time(void **state)
{
    (void)state;
    const struct ct_stack_parameters parameters = hand_parameters();
    /* Both headers are done at 100; bytes enter the node one message after the other. */
    static const struct expected expected = {
        {"0 100 200, 1000 1100 1100", "0 100 250, 1000 1200 1200"},
        {"stack 100", "stack 100", "compute 1000, stack 1200"}};
    check("one at a time",
          "num_ranks 3\n"
          "rank 0 {\na: send 100b to 2 tag 0\n}\n"
          "rank 1 {\na: send 100b to 2 tag 0\n}\n"
          "rank 2 {\na: calc 1000\nb: recv 100b from 0 tag 0\n"
          "c: recv 100b from 1 tag 0\nb requires a\nc requires a\n}\n",
          &parameters, 1200, &expected);
}

/* ---- credits ---- */

/* Two messages to one rank, one after the other, which it receives likewise. */
#define TWO(bytes, first)                                                                          \
    "num_ranks 2\n"                                                                                \
    "rank 0 {\na: send " bytes " to 1 tag 0\nb: send " bytes " to 1 tag 0\nb requires a\n}\n"      \
    "rank 1 {\na: calc " first "\nb: recv " bytes " from 0 tag 0\n"                                \
    "c: recv " bytes " from 0 tag 0\nb requires a\nc requires b\n}\n"

/* The second message waits for the first to be copied, and 50 ns for the news. */
static void test_credit_posted_late(void **state)
{
    (void)state;
    struct ct_stack_parameters parameters = hand_parameters();
    static const struct expected expected = {
        {"0 100 200, 1000 1100 1100", "1150 1250 1350, 1350 1450 1450"},
        {"stack 100, sync 1150, stack 1250",
         "compute 1000, stack 1100, sync 1250, network 1350, stack 1450"}};
    parameters.credits = 1;
    check("one credit", TWO("100b", "1000"), &parameters, 1450, &expected);
}

static void test_credit_posted_early(void **state)
{
    (void)state;
    struct ct_stack_parameters parameters = hand_parameters();
    static const struct expected expected = {
        {"0 100 200, 200 300 300", "350 450 550, 550 650 650"},
        {"stack 100, sync 350, stack 450",
         "sync 100, network 200, stack 300, sync 450, network 550, stack 650"}};
    parameters.credits = 1;
    check("one credit, posted early", TWO("100b", "0"), &parameters, 650, &expected);
}

static void test_credit_without_bytes(void **state)
{
    (void)state;
    struct ct_stack_parameters parameters = hand_parameters();
    static const struct expected expected = {
        {"0 100 150, 150 150 150", "200 300 350, 350 350 350"},
        {"stack 100, sync 200, stack 300", "sync 100, network 150, sync 300, network 350"}};
    parameters.credits = 1;
    check("one credit, no bytes", TWO("0b", "0"), &parameters, 350, &expected);
}

/* With a credit for each, or no limit, nobody waits. Other protocols need none. */
static void test_credits_are_enough(void **state)
{
    (void)state;
    struct ct_stack_parameters parameters = hand_parameters();
    static const struct expected expected = {
        {"0 100 200, 1000 1100 1100", "100 200 300, 1100 1200 1200"},
        {"stack 200", "compute 1000, stack 1200"}};
    for (uint64_t credits = 0; credits <= 2; credits += 2) {
        parameters.credits = credits;
        check("enough credits", TWO("100b", "1000"), &parameters, 1200, &expected);
    }
    double T_ns[2][2];
    for (uint64_t credits = 0; credits < 2; credits++) {
        parameters.credits = credits;
        T_ns[credits][0] = run_text(TWO("1000b", "9000"), &parameters);
        T_ns[credits][1] = run_text(TWO("8192b", "9000"), &parameters);
    }
    assert_near(T_ns[1][0], T_ns[0][0], 0);
    assert_near(T_ns[1][1], T_ns[0][1], 0);
}

/* Each pair of ranks has credits of its own. */
static void test_credits_of_pairs(void **state)
{
    (void)state;
    struct ct_stack_parameters parameters = hand_parameters();
    static const struct expected expected = {
        {"0 100 200, 200 300 300", "100 200 300, 300 400 400"},
        {"stack 200", "sync 100, network 200, stack 300", "sync 200, network 300, stack 400"}};
    parameters.credits = 1;
    check("two receivers",
          "num_ranks 3\n"
          "rank 0 {\na: send 100b to 1 tag 0\nb: send 100b to 2 tag 0\nb requires a\n}\n"
          "rank 1 {\na: recv 100b from 0 tag 0\n}\n"
          "rank 2 {\na: recv 100b from 0 tag 0\n}\n",
          &parameters, 400, &expected);
}

/* News inside a rank take no time: each header follows the copy before. */
static void test_credit_to_itself(void **state)
{
    (void)state;
    struct ct_stack_parameters parameters = hand_parameters();
    static const struct expected expected = {{"0 100 100, 100 200 200", "200 300 300, 300 400 400"},
                                             {"stack 400"}};
    parameters.credits = 1;
    check("credit to itself",
          "num_ranks 1\nrank 0 {\na: send 100b to 0 tag 0\nb: send 100b to 0 tag 0\n"
          "b requires a\nc: recv 100b from 0 tag 0\nd: recv 100b from 0 tag 0\n}\n",
          &parameters, 400, &expected);
}

/* The library keeps a message that has no credit: a program that does not wait for it goes on. Its
 * second receive is posted at 100, though its second message leaves at 450. */
static void test_credit_of_isend(void **state)
{
    (void)state;
    struct ct_stack_parameters parameters = hand_parameters();
    static const struct expected expected = {
        {"0 100 200, 200 300 300", "0 100 200, 200 300 300", "350 450 550, 550 650 650"},
        {"stack 100, sync 200, stack 300, sync 350, stack 450",
         "stack 100, sync 200, stack 300, sync 450, network 550, stack 650"}};
    parameters.credits = 1;
    check("credit of isend",
          "num_ranks 2\n"
          "rank 0 {\na: send 100b to 1 tag 0\nb: send 100b to 1 tag 0\n"
          "b requires a\nc: recv 100b from 1 tag 0\nc irequires b\n}\n"
          "rank 1 {\na: send 100b to 0 tag 0\nb: recv 100b from 0 tag 0\n"
          "c: recv 100b from 0 tag 0\nb irequires a\nc irequires b\n}\n",
          &parameters, 650, &expected);
    for (size_t m = 0; m < told.n_messages; m++)
        if (told.messages[m].rank[CT_SIDE_SENDER] == 1)
            assert_near(told.messages[m].posted_ns[CT_SIDE_RECEIVER], 100, 0);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_wait_for_all),
                                       cmocka_unit_test(test_one_at_a_time),
                                       cmocka_unit_test(test_credit_posted_late),
                                       cmocka_unit_test(test_credit_posted_early),
                                       cmocka_unit_test(test_credit_without_bytes),
                                       cmocka_unit_test(test_credits_are_enough),
                                       cmocka_unit_test(test_credits_of_pairs),
                                       cmocka_unit_test(test_credit_to_itself),
                                       cmocka_unit_test(test_credit_of_isend),
                                       cmocka_unit_test(test_no_end),
                                       cmocka_unit_test(test_costs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
