/* simulate/run_path.h: by hand, and what holds on any schedule. */
#include "engine_example.h"
#include "lp-bridge/envelope/path.h"
#include "simulate/run_path.h"
#include "unit.h"

#include <math.h>

/* The path of a run alone. */
static struct ct_run_path path_of(const struct ct_goal *goal, const struct ct_stack *stack,
                                  enum ct_simulate_network_kind kind,
                                  const struct ct_simulate_network_setup *setup, double *T_p)
{
    struct ct_path_record *record;
    struct ct_run_path path = {0};
    assert_int_equal(ct_path_record_new(goal, 1, &record, NULL), CT_OK);
    const struct ct_observer observer = ct_path_record_observer(record);
    *T_p = run_observed(goal, stack, kind, setup, &observer);
    assert_int_equal(ct_run_path_find(record, 0, &path, NULL), CT_OK);
    ct_path_record_free(record);
    return path;
}

static struct ct_time_sum parts_of(const struct ct_run_path *path)
{
    struct ct_time_sum sum = {{0}};
    for (size_t i = 0; i < path->n; i++)
        sum.part_ns[path->steps[i].part] += path->steps[i].end_ns - path->steps[i].begin_ns;
    return sum;
}

/* ---- by hand: hand_parameters(), 50 ns and 0.5 ns/B ---- */

struct expected {
    enum ct_time_part part;
    uint32_t rank, to;
    double begin_ns, end_ns;
};

static void assert_path(const char *text, enum ct_progress progress,
                        const struct expected *expected, size_t n)
{
    struct ct_goal goal = goal_of_text(text);
    struct ct_stack_parameters parameters = hand_parameters();
    parameters.progress = (int)progress;
    const struct ct_stack stack = ct_stack_rdma(&parameters);
    const struct ct_simulate_network_setup setup = hand_network(goal.n_ranks);
    double T_ns;
    struct ct_run_path path = path_of(&goal, &stack, CT_NETWORK_ALPHA_BETA, &setup, &T_ns);
    assert_int_equal(path.n, n);
    for (size_t i = 0; i < n; i++) {
        const struct ct_run_path_step *step = &path.steps[i];
        assert_int_equal(step->part, expected[i].part);
        assert_int_equal(step->from, expected[i].rank);
        assert_int_equal(step->to, expected[i].to);
        assert_near(step->begin_ns, expected[i].begin_ns, 1e-9);
        assert_near(step->end_ns, expected[i].end_ns, 1e-9);
    }
    assert_near(T_ns, expected[n - 1].end_ns, 1e-9);
    ct_run_path_free(&path);
    ct_goal_free(&goal);
}

#define ASSERT_PATH(text, progress, expected)                                                      \
    assert_path((text), (progress), (expected), sizeof(expected) / sizeof *(expected))

/* The receiver waits: the path is on the sender until the bytes are under way. */
static void a_late_send(void **state)
{
    (void)state;
    static const char text[] = "num_ranks 2\nrank 0 {\nc: calc 500\ns: send 40b to 1\n"
                               "s requires c\n}\nrank 1 {\nr: recv 40b from 0\nd: calc 70\n"
                               "d requires r\n}\n";
    static const struct expected path[] = {{CT_TIME_COMPUTE, 0, 0, 0, 500},
                                           {CT_TIME_STACK, 0, 0, 500, 600},
                                           {CT_TIME_NETWORK, 0, 1, 600, 670},
                                           {CT_TIME_STACK, 1, 1, 670, 710},
                                           {CT_TIME_COMPUTE, 1, 1, 710, 780}};
    ASSERT_PATH(text, CT_PROGRESS_ASYNC, path);
}

/* The sender of a rendezvous waits for its receive: the path is on the receiver. */
static void a_late_receive(void **state)
{
    (void)state;
    static const char text[] = "num_ranks 2\nrank 0 {\ns: send 2000b to 1\n}\n"
                               "rank 1 {\nc: calc 9000\nr: recv 2000b from 0\nr requires c\n}\n";
    static const struct expected path[] = {{CT_TIME_COMPUTE, 1, 1, 0, 9000},
                                           {CT_TIME_STACK, 1, 1, 9000, 10210},
                                           {CT_TIME_NETWORK, 1, 0, 10210, 10260},
                                           {CT_TIME_NETWORK, 0, 1, 10260, 11310},
                                           {CT_TIME_NETWORK, 1, 0, 11310, 11360}};
    ASSERT_PATH(text, CT_PROGRESS_ASYNC, path);
}

/* The receive was posted in time, but its rank computes: nothing gets the bytes before it ends. */
static void a_rank_without_progress(void **state)
{
    (void)state;
    static const char text[] = "num_ranks 2\nrank 0 {\ns: send 500b to 1\n}\n"
                               "rank 1 {\nr: recv 500b from 0\nc: calc 5000\n}\n";
    static const struct expected path[] = {
        {CT_TIME_STACK, 0, 0, 0, 600},       {CT_TIME_NETWORK, 0, 1, 600, 650},
        {CT_TIME_SYNC, 1, 1, 650, 5000},     {CT_TIME_STACK, 1, 1, 5000, 5200},
        {CT_TIME_NETWORK, 1, 0, 5200, 5250}, {CT_TIME_NETWORK, 0, 1, 5250, 5550},
        {CT_TIME_STACK, 1, 1, 5550, 6050}};
    ASSERT_PATH(text, CT_PROGRESS_IN_CALL, path);
}

/* ---- on any schedule ---- */

static void slow_the_path_is_the_run(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++)
        for (int kind = 0; kind < CT_NETWORK_KINDS; kind++) {
            struct ct_goal goal = random_goal(seed, shape_of(seed, 10000));
            const struct ct_simulate_network_setup setup = switch_of(goal.n_ranks, 1);
            struct ct_stack stack;
            double T_ns, sum_ns = 0;
            struct ct_run_path path = path_of(&goal, stack_of(seed, &stack),
                                              (enum ct_simulate_network_kind)kind, &setup, &T_ns);
            double at_ns = path.begin_ns;
            for (size_t i = 0; i < path.n; i++) {
                const struct ct_run_path_step *step = &path.steps[i];
                const struct ct_goal_op *op = &goal.ops[step->op];
                assert_near(step->begin_ns, at_ns, 0);
                assert_true(step->end_ns > step->begin_ns);
                assert_int_equal(step->part == CT_TIME_COMPUTE, op->kind == CT_GOAL_CALC);
                if (step->part == CT_TIME_COMPUTE)
                    assert_near(step->end_ns - step->begin_ns, (double)op->amount, 1e-6);
                at_ns = step->end_ns;
                sum_ns += step->end_ns - step->begin_ns;
            }
            assert_near(at_ns, path.end_ns, 0);
            assert_near(sum_ns, T_ns, 1e-12 * T_ns);
            ct_run_path_free(&path);
            ct_goal_free(&goal);
        }
}

/* Without network and costs, and with progress at any time, nothing but computation remains. */
static void without_network_it_computes(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct ct_goal goal = random_goal(seed, shape_of(seed, 10000));
        const struct ct_simulate_network_setup setup = switch_of(goal.n_ranks, 1);
        struct ct_stack stack = ct_stack_loggps(&somewhere, 5000, NULL);
        stack = ct_stack_free_of_cost(&stack);
        double T_ns;
        struct ct_run_path path = path_of(&goal, &stack, CT_NETWORK_NONE, &setup, &T_ns);
        assert_near(parts_of(&path).part_ns[CT_TIME_COMPUTE], T_ns, 1e-12 * T_ns);
        ct_run_path_free(&path);
        ct_goal_free(&goal);
    }
}

/* Without contention it is the critical path of the execution graph, found another way. */
static void it_is_that_of_the_graph(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        const struct ct_graph_options options = {.eager_max_bytes = seed % 2 ? SIZE_MAX : 0};
        const struct ct_stack stack = ct_stack_loggps(&somewhere, options.eager_max_bytes, NULL);
        struct ct_goal goal = random_goal(seed, shape_of(seed, 2));
        const struct ct_simulate_network_setup setup = switch_of(goal.n_ranks, 1);
        double T_ns, graph_ns[CT_PATH_PARTS] = {0};
        struct ct_run_path path = path_of(&goal, &stack, CT_NETWORK_ALPHA_BETA, &setup, &T_ns);
        struct ct_graph graph;
        struct ct_path expected;
        assert_int_equal(ct_graph_build(&goal, &options, &graph, NULL), CT_OK);
        assert_int_equal(ct_path_find(&graph, &somewhere, &expected, NULL), CT_OK);
        for (size_t i = 0; i < expected.n; i++)
            for (int part = 0; part < CT_PATH_PARTS; part++)
                graph_ns[part] += expected.steps[i].part_ns[part];
        const struct ct_time_sum found = parts_of(&path);
        assert_near(found.part_ns[CT_TIME_COMPUTE], graph_ns[CT_PATH_COMPUTE], 1e-6);
        assert_near(found.part_ns[CT_TIME_STACK], graph_ns[CT_PATH_OVERHEAD], 1e-6);
        assert_near(found.part_ns[CT_TIME_NETWORK],
                    graph_ns[CT_PATH_LATENCY] + graph_ns[CT_PATH_BANDWIDTH], 1e-6);
        assert_near(found.part_ns[CT_TIME_SYNC], 0, 0);
        ct_path_free(&expected);
        ct_graph_free(&graph);
        ct_run_path_free(&path);
        ct_goal_free(&goal);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_late_send),
                                       cmocka_unit_test(a_late_receive),
                                       cmocka_unit_test(a_rank_without_progress),
                                       cmocka_unit_test(slow_the_path_is_the_run),
                                       cmocka_unit_test(without_network_it_computes),
                                       cmocka_unit_test(it_is_that_of_the_graph)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
