/* The linear program against the exact solution on the graph, on random schedules. */
#include "goal_example.h"
#include "lp-bridge/envelope/envelope.h"
#include "lp-bridge/lp/lp.h"
#include "lp-bridge/lp/tolerance.h"
#include "unit.h"

#include <math.h>

enum { GRAPHS = 60 };

static const struct ct_loggps at = {.o_ns = 700, .L_ns = 0, .G_ns_per_byte = 0.25};

static struct ct_graph nth_graph(uint64_t seed)
{
    struct ct_overhead sizes[] = {{0, 300e-9, 400e-9}, {900, 650e-9, 900e-9}, {1500, 2e-6, 1e-6}};
    const struct ct_overheads overheads = {sizes, 3};
    const struct ct_graph_options rendezvous = {.eager_max_bytes = 1000};
    const struct ct_graph_options by_size = {.eager_max_bytes = 1000, .overheads = &overheads};
    struct random_shape shape = {.n_ranks = 2 + (uint32_t)(seed % 7),
                                 .n_steps = 20 + (uint32_t)(seed * 13 % 400),
                                 .calc_max_ns = 20000,
                                 .bytes_max = 2000};
    const struct ct_graph_options nic = {.eager_max_bytes = 1000, .serialize_nic = true};
    const struct ct_graph_options *const options[] = {&eager, &rendezvous, &by_size, &nic};
    return random_graph(seed, shape, options[seed % 4]);
}

static struct ct_evaluator *compile(const struct ct_graph *graph, struct ct_plane plane)
{
    struct ct_evaluator *evaluator;
    struct ct_error err;
    assert_int_equal(ct_evaluator_compile(graph, &plane, &evaluator, &err), CT_OK);
    return evaluator;
}

static double gap_slope(const struct ct_graph *graph, double L_ns)
{
    struct ct_loggps here = {at.o_ns, L_ns, at.G_ns_per_byte};
    struct ct_evaluator *evaluator = compile(graph, ct_plane_of_gap(here));
    struct ct_line line;
    assert_int_equal(ct_evaluator_lines(evaluator, &here.G_ns_per_byte, 1, 1, &line, NULL), CT_OK);
    ct_evaluator_free(evaluator);
    return line.slope;
}

static void assert_relative(double actual, double expected)
{
    assert_near(actual, expected, 1e-9 * fmax(fabs(expected), 1));
}

/* One latency on one graph: T, lambda_L, lambda_G and ranges by both ways. */
static void compare_at(const struct ct_graph *graph, const struct ct_evaluator *evaluator,
                       const struct ct_lp *lp, double L_ns)
{
    struct ct_error err;
    struct ct_lp_solution by_lp;
    struct ct_sensitivity exact;
    if (ct_lp_solve(lp, L_ns, at.G_ns_per_byte, &by_lp, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_int_equal(ct_sensitivity_at(evaluator, L_ns, 1, &exact, &err), CT_OK);
    assert_relative(by_lp.runtime_ns, exact.runtime_ns);
    /* At a breakpoint every slope between the left and the right one is a reduced cost. */
    double slack = 1e-6;
    assert_true(by_lp.lambda_L >= exact.left_slope - slack);
    assert_true(by_lp.lambda_L <= exact.line.slope + slack);
    bool inside = exact.lo < L_ns - 1e-3 && exact.hi > L_ns + 1e-3;
    if (inside) {
        assert_relative(by_lp.lambda_L, exact.line.slope);
        assert_true(by_lp.lo_ns <= L_ns + 1e-6 && by_lp.hi_ns >= L_ns - 1e-6);
        assert_true(by_lp.lo_ns >= exact.lo - 1e-6 && by_lp.hi_ns <= exact.hi + 1e-6);
        assert_relative(by_lp.lambda_G, gap_slope(graph, L_ns));
    }
}

static void slow_runtime_form(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
        struct ct_graph graph = nth_graph(seed);
        struct ct_evaluator *evaluator = compile(&graph, ct_plane_of_latency(at));
        struct ct_lp lp;
        assert_int_equal(ct_lp_build(&graph, at.o_ns, &lp, NULL), CT_OK);
        for (double L_ns = 0.5; L_ns < 50000; L_ns *= 9.7)
            compare_at(&graph, evaluator, &lp, L_ns);
        ct_lp_free(&lp);
        ct_evaluator_free(evaluator);
        ct_graph_free(&graph);
    }
}

static void slow_tolerance_form(void **state)
{
    (void)state;
    const double thresholds[] = {0.01, 0.05, 2};
    for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
        struct ct_graph graph = nth_graph(seed);
        struct ct_evaluator *evaluator = compile(&graph, ct_plane_of_latency(at));
        struct ct_lp lp;
        const double L_ns = 1000;
        double limits[3], exact[3];
        struct ct_line line;
        assert_int_equal(ct_lp_build(&graph, at.o_ns, &lp, NULL), CT_OK);
        assert_int_equal(ct_evaluator_lines(evaluator, &L_ns, 1, 1, &line, NULL), CT_OK);
        for (size_t i = 0; i < 3; i++)
            limits[i] = (1 + thresholds[i]) * ct_line_at(line, L_ns);
        assert_int_equal(ct_tolerance_find(evaluator, L_ns, limits, 3, 2, exact, NULL), CT_OK);
        for (size_t i = 0; i < 3; i++) {
            double by_lp;
            assert_int_equal(ct_lp_tolerance(&lp, limits[i], at.G_ns_per_byte, &by_lp, NULL),
                             CT_OK);
            assert_relative(by_lp, exact[i]);
        }
        ct_lp_free(&lp);
        ct_evaluator_free(evaluator);
        ct_graph_free(&graph);
    }
}

static void test_no_messages(void **state)
{
    (void)state;
    struct ct_graph graph = graph_of_text("num_ranks 1\nrank 0 {\na: calc 100\n}\n", &eager);
    struct ct_lp lp;
    struct ct_lp_solution solution;
    double largest;
    assert_int_equal(ct_lp_build(&graph, 0, &lp, NULL), CT_OK);
    assert_int_equal(ct_lp_solve(&lp, 1000, 0.1, &solution, NULL), CT_OK);
    assert_near(solution.runtime_ns, 100, 1e-9);
    assert_near(solution.lambda_L, 0, 0);
    assert_int_equal(ct_lp_tolerance(&lp, 101, 0.1, &largest, NULL), CT_OK);
    assert_true(isinf(largest));
    assert_int_equal(ct_lp_tolerance(&lp, 99, 0.1, &largest, NULL), CT_EINVAL);
    ct_lp_free(&lp);
    ct_graph_free(&graph);
}

/* The whole answer by both, as `crosstalk tolerance` gives it. */
static void slow_tolerances(void **state)
{
    (void)state;
    const double longer_frac[] = {0, 0.01, 0.5};
    enum { N = 3 };
    size_t n_finite = 0;
    for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
        struct ct_graph graph = nth_graph(seed);
        const struct ct_tolerance_query query = {
            {at.o_ns, 1234.5, at.G_ns_per_byte}, longer_frac, N, NULL};
        struct ct_evaluator *evaluator = compile(&graph, ct_plane_of_latency(query.at));
        struct ct_tolerance exact, by_lp;
        double largest_ns[N], largest_by_lp_ns[N];
        struct ct_error err;
        if (ct_tolerance_by_envelope(&graph, evaluator, &query, 1, &exact, largest_ns, &err) !=
                CT_OK ||
            ct_tolerance_by_lp(&graph, &query, &by_lp, largest_by_lp_ns, &err) != CT_OK)
            fail_msg("%s", err.text);
        assert_relative(by_lp.runtime_ns, exact.runtime_ns);
        for (size_t i = 0; i < N; i++) {
            assert_int_equal(isinf(largest_by_lp_ns[i]), isinf(largest_ns[i]));
            if (isinf(largest_ns[i]))
                continue;
            assert_relative(largest_by_lp_ns[i], largest_ns[i]);
            assert_true(largest_ns[i] >= query.at.L_ns);
            n_finite++;
        }
        ct_evaluator_free(evaluator);
        ct_graph_free(&graph);
    }
    assert_true(n_finite > GRAPHS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_runtime_form), cmocka_unit_test(slow_tolerance_form),
        cmocka_unit_test(slow_tolerances), cmocka_unit_test(test_no_messages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
