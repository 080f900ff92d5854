/* The engine: against T(L) under LogGPS, and what holds on any schedule. */
#include "engine_example.h"
#include "goal_example.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

static struct told told;

/* Ranks that do one thing after the other, for random times: no two messages begin at once, so that
 * there is no order among equals. */
static struct ct_goal goal_in_turn(uint64_t seed)
{
    enum { STEPS = 60 };
    uint32_t n_ranks = 2 + (uint32_t)(seed % 7);
    struct ct_goal_builder *builder = ct_goal_builder_new(n_ranks);
    struct ct_goal goal;
    uint64_t die;
    for (uint32_t rank = 0; rank < n_ranks; rank++) {
        uint32_t before = UINT32_MAX;
        ct_goal_begin_rank(builder, rank);
        die = seed;
        for (int i = 0; i < STEPS; i++) {
            uint32_t from = (uint32_t)throw_die(&die, n_ranks),
                     to = (from + 1 + (uint32_t)throw_die(&die, n_ranks - 1)) % n_ranks;
            uint64_t bytes = throw_die(&die, 20000), calc_ns[2] = {throw_die(&die, 9000)};
            calc_ns[1] = throw_die(&die, 9000);
            if (rank != from && rank != to)
                continue;
            uint32_t calc = ct_goal_add(
                builder, (struct ct_goal_op){.kind = CT_GOAL_CALC, .amount = calc_ns[rank == to]});
            if (before != UINT32_MAX)
                ct_goal_require(builder, calc, before, CT_GOAL_FINISH);
            before = ct_goal_add(
                builder, (struct ct_goal_op){.kind = rank == from ? CT_GOAL_SEND : CT_GOAL_RECV,
                                             .amount = bytes,
                                             .peer = rank == from ? to : from});
            ct_goal_require(builder, before, calc, CT_GOAL_FINISH);
        }
    }
    assert_int_equal(ct_goal_build(builder, &goal, NULL), CT_OK);
    return goal;
}

/* Without contention T is T(L): alpha-beta and packets, where messages have one byte. */
static void slow_loggps_is_envelope(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        const struct ct_graph_options options = {.eager_max_bytes = seed % 2 ? SIZE_MAX : 0};
        struct ct_goal goal = random_goal(seed, shape_of(seed, 2));
        struct ct_graph graph;
        assert_int_equal(ct_graph_build(&goal, &options, &graph, NULL), CT_OK);
        double expected_ns = runtime_by_envelope(&graph, somewhere);
        const struct ct_simulate_network_setup setup = switch_of(goal.n_ranks, 1);
        const struct ct_stack stack = ct_stack_loggps(&somewhere, options.eager_max_bytes, NULL);
        for (int kind = CT_NETWORK_PACKET; kind <= CT_NETWORK_ALPHA_BETA; kind++) {
            enum ct_simulate_network_kind network = (enum ct_simulate_network_kind)kind;
            assert_near(run_alone(&goal, &stack, network, &setup, NULL), expected_ns,
                        1e-9 * expected_ns);
        }
        ct_graph_free(&graph);
        ct_goal_free(&goal);
    }
}

/* Of every rank, on every network and under every protocol: the parts are its run time. */
static void slow_parts_add_up(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++)
        for (int kind = 0; kind < CT_NETWORK_KINDS; kind++) {
            struct ct_goal goal = random_goal(seed, shape_of(seed, 10000));
            const struct ct_simulate_network_setup setup = switch_of(goal.n_ranks, 1);
            struct ct_stack stack;
            double most_ns = 0;
            double T_ns = run_alone(&goal, stack_of(seed, &stack),
                                    (enum ct_simulate_network_kind)kind, &setup, &told);
            check_told(&told);
            assert_int_equal(told.n_ranks, goal.n_ranks);
            for (size_t i = 0; i < told.n_ranks; i++)
                most_ns = fmax(most_ns, told.ranks[i].end_ns);
            assert_near(most_ns, T_ns, 0);
            /* Nobody who is told changes anything. */
            assert_near(run_alone(&goal, &stack, (enum ct_simulate_network_kind)kind, &setup, NULL),
                        T_ns, 0);
            ct_goal_free(&goal);
        }
}

/* Each protocol alone and all by size, who makes progress, and mailboxes that run full. */
static size_t stacks_of(struct ct_stack *stacks)
{
    static const struct {
        size_t mailbox, eager;
    } limits[] = {{20000, 20000}, {0, 20000}, {0, 0}, {2000, 6000}};
    enum { LIMITS = sizeof limits / sizeof *limits };
    size_t n = 0;
    for (size_t i = 0; i < LIMITS; i++)
        for (uint64_t credits = 0; credits < 3; credits++)
            for (int progress = CT_PROGRESS_ASYNC; progress <= CT_PROGRESS_IN_CALL; progress++) {
                struct ct_stack_parameters parameters = hand_parameters();
                parameters.mailbox_max_bytes = limits[i].mailbox;
                parameters.eager_max_bytes = limits[i].eager;
                parameters.credits = credits;
                parameters.progress = progress;
                stacks[n++] = ct_stack_rdma(&parameters);
            }
    for (size_t i = 0; i < 3; i++)
        stacks[n++] = ct_stack_loggps(&somewhere, (const size_t[]){0, 5000, SIZE_MAX}[i], NULL);
    stacks[n++] = ct_stack_sockets(&somewhere, 5000, NULL);
    return n;
}

static void check_parts(const struct ct_goal *goal, const struct ct_stack *stack)
{
    const struct ct_simulate_network_setup setup = switch_of(goal->n_ranks, 1);
    for (int kind = 0; kind < CT_NETWORK_KINDS; kind++) {
        double most_ns = 0;
        double T_ns = run_alone(goal, stack, (enum ct_simulate_network_kind)kind, &setup, &told);
        check_told(&told);
        assert_int_equal(told.n_ranks, goal->n_ranks);
        for (size_t r = 0; r < told.n_ranks; r++)
            most_ns = fmax(most_ns, told.ranks[r].end_ns);
        assert_near(most_ns, T_ns, 0);
    }
}

/* The same for every protocol on every network, with messages of 0 bytes and of a rank to itself.
 * With few credits ranks do one thing after the other: sends out of order may wait for ever. */
static void slow_parts_add_up_everywhere(void **state)
{
    (void)state;
    enum { STACKS_MAX = 32 };
    struct ct_stack stacks[STACKS_MAX];
    size_t n_stacks = stacks_of(stacks);
    assert_in_range(n_stacks, 1, STACKS_MAX);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct random_shape shape = shape_of(seed, seed % 3 ? 10000 : 1);
        shape.n_ranks = (uint32_t)(seed % 4) + 1; /* also one alone */
        struct ct_goal any = random_goal(seed, shape), in_turn = goal_in_turn(seed);
        for (size_t i = 0; i < n_stacks; i++)
            check_parts(stacks[i].credits > 0 ? &in_turn : &any, &stacks[i]);
        ct_goal_free(&any);
        ct_goal_free(&in_turn);
    }
}

/* Without network and stack there is only imbalance. */
static void test_none_is_imbalance(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct ct_goal goal = random_goal(seed, shape_of(seed, 10000));
        const struct ct_simulate_network_setup setup = switch_of(goal.n_ranks, 1);
        struct ct_stack stack;
        const struct ct_stack without = ct_stack_free_of_cost(stack_of(seed, &stack));
        run_alone(&goal, &without, CT_NETWORK_NONE, &setup, &told);
        for (size_t i = 0; i < told.n_spans; i++)
            if (told.spans[i].part != CT_TIME_COMPUTE && told.spans[i].part != CT_TIME_SYNC)
                fail_msg("seed %d: %s from %g to %g ns", (int)seed,
                         ct_time_part_names[told.spans[i].part], told.spans[i].begin_ns,
                         told.spans[i].end_ns);
        ct_goal_free(&goal);
    }
}

/* Messages are told in the order of their steps. */
static void test_messages_told(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct ct_goal goal = random_goal(seed, shape_of(seed, 10000));
        const struct ct_simulate_network_setup setup = switch_of(goal.n_ranks, 1);
        struct ct_stack stack;
        size_t n_sends = 0;
        run_alone(&goal, stack_of(seed, &stack), CT_NETWORK_PACKET, &setup, &told);
        for (uint64_t i = 0; i < goal.n_ops; i++)
            n_sends += goal.ops[i].kind == CT_GOAL_SEND;
        assert_int_equal(told.n_messages, n_sends);
        for (size_t m = 0; m < told.n_messages; m++) {
            const struct ct_observed_message *message = &told.messages[m];
            double before_ns = message->posted_ns[CT_SIDE_SENDER];
            assert_int_equal(goal.ops[message->op[CT_SIDE_SENDER]].kind, CT_GOAL_SEND);
            assert_int_equal(goal.ops[message->op[CT_SIDE_RECEIVER]].kind, CT_GOAL_RECV);
            assert_int_equal(goal.ops[message->op[CT_SIDE_SENDER]].amount, message->bytes);
            for (uint8_t i = 0; i < message->n_steps; i++) {
                const struct ct_message_times *times = &told.times[m][i];
                assert_true(before_ns <= times->ready_ns && times->ready_ns <= times->paid_ns &&
                            times->paid_ns <= times->there_ns);
                before_ns = times->there_ns;
            }
            for (int side = 0; side < CT_MESSAGE_SIDES; side++)
                assert_true(message->ended_ns[side] >= message->posted_ns[side] &&
                            message->ended_ns[side] <= before_ns);
        }
        ct_goal_free(&goal);
    }
}

/* A message of 40001 bytes a pass: 700 + 10000 + 3000 + 700 ns alone. */
static const char one_message[] = "num_ranks 2\n"
                                  "rank 0 {\nl1: send 40001b to 1 tag 0\n}\n"
                                  "rank 1 {\nl1: recv 40001b from 0 tag 0\n}\n";

static void run_two(enum ct_simulate_network_kind kind, double begin_ns, double *pass_ns)
{
    struct ct_goal goal = goal_of_text(one_message);
    const struct ct_simulate_network_setup wanted = switch_of(2, 2);
    const struct ct_stack stack = ct_stack_loggps(&somewhere, SIZE_MAX, NULL);
    struct ct_engine_program *program;
    struct ct_simulate_network network;
    assert_int_equal(ct_engine_program_new(&goal, &program, NULL), CT_OK);
    assert_int_equal(ct_simulate_network_new(kind, &wanted, &network, NULL), CT_OK);
    const struct ct_engine_job jobs[] = {{program, ct_simulate_blocks(1), 0},
                                         {program, ct_simulate_blocks(1), begin_ns}};
    const struct ct_engine_setup setup = {&stack, &network, 2, 3, UINT64_MAX};
    assert_int_equal(ct_engine_run(jobs, 2, &setup, NULL, pass_ns, NULL, NULL), CT_OK);
    ct_simulate_network_free(&network);
    ct_engine_program_free(program);
    ct_goal_free(&goal);
}

/* Programs in step share the link; without contention between nodes they queue where they leave. */
static void test_two_programs(void **state)
{
    (void)state;
    double pass_ns[2];
    run_two(CT_NETWORK_NONE, 0, pass_ns);
    assert_near(pass_ns[0], 1400, 1e-6);
    for (int kind = CT_NETWORK_PACKET; kind <= CT_NETWORK_ALPHA_BETA; kind++) {
        run_two((enum ct_simulate_network_kind)kind, 100, pass_ns);
        for (int i = 0; i < 2; i++)
            assert_true(pass_ns[i] > 14400 && pass_ns[i] <= 24400 + 1e-6);
    }
}

static void test_bad(void **state)
{
    (void)state;
    struct ct_goal goal = goal_of_text(one_message);
    struct ct_simulate_network_setup wanted = switch_of(2, 1);
    const struct ct_stack stack = ct_stack_loggps(&somewhere, SIZE_MAX, NULL);
    struct ct_engine_program *program;
    struct ct_simulate_network network;
    struct ct_error err;
    double pass_ns = -1;
    assert_int_equal(ct_engine_program_new(&goal, &program, NULL), CT_OK);
    assert_int_equal(ct_simulate_network_new(CT_NETWORK_PACKET, &wanted, &network, NULL), CT_OK);
    struct ct_engine_job job = {program, ct_simulate_blocks(0), 0};
    struct ct_engine_setup setup = {&stack, &network, 2, 1, UINT64_MAX};
    assert_int_equal(ct_engine_run(&job, 1, &setup, NULL, &pass_ns, NULL, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "0 ranks on a node"));
    job.place = ct_simulate_blocks(1);
    setup.n_nodes = 1;
    assert_int_equal(ct_engine_run(&job, 1, &setup, NULL, &pass_ns, NULL, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "need a node 1; the network has 1"));
    setup.n_nodes = 2;
    setup.work_max = 2;
    assert_int_equal(ct_engine_run(&job, 1, &setup, NULL, &pass_ns, NULL, &err), CT_EUNSUPPORTED);
    setup.passes = 0;
    assert_int_equal(ct_engine_run(&job, 1, &setup, NULL, &pass_ns, NULL, &err), CT_EINVAL);
    assert_near(pass_ns, -1, 0);
    ct_simulate_network_free(&network);
    ct_engine_program_free(program);
    ct_goal_free(&goal);
}

/* The limit also holds within a message: this one has 10^12 packets. */
static void test_large_message(void **state)
{
    (void)state;
    struct ct_goal goal = goal_of_text("num_ranks 2\n"
                                       "rank 0 {\ns: send 1000000000000000b to 1 tag 0\n}\n"
                                       "rank 1 {\nr: recv 1000000000000000b from 0 tag 0\n}\n");
    struct ct_simulate_network_setup wanted = switch_of(2, 1);
    const struct ct_stack stack = ct_stack_loggps(&somewhere, SIZE_MAX, NULL);
    struct ct_engine_program *program;
    struct ct_simulate_network network;
    struct ct_error err;
    double pass_ns = -1;
    assert_int_equal(ct_engine_program_new(&goal, &program, NULL), CT_OK);
    assert_int_equal(ct_simulate_network_new(CT_NETWORK_PACKET, &wanted, &network, NULL), CT_OK);
    struct ct_engine_job job = {program, ct_simulate_blocks(1), 0};
    struct ct_engine_setup setup = {&stack, &network, 2, 1, 1000000};
    assert_int_equal(ct_engine_run(&job, 1, &setup, NULL, &pass_ns, NULL, &err), CT_EUNSUPPORTED);
    ct_simulate_network_free(&network);
    ct_engine_program_free(program);
    ct_goal_free(&goal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slow_loggps_is_envelope),
                                       cmocka_unit_test(slow_parts_add_up),
                                       cmocka_unit_test(slow_parts_add_up_everywhere),
                                       cmocka_unit_test(test_none_is_imbalance),
                                       cmocka_unit_test(test_messages_told),
                                       cmocka_unit_test(test_two_programs),
                                       cmocka_unit_test(test_bad),
                                       cmocka_unit_test(test_large_message)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
