/* T(L) on the graph: known results, and properties on random schedules. */
#include "goal_example.h"
#include "lp-bridge/envelope/frontier.h"
#include "lp-bridge/envelope/of_graph.h"
#include "lp-bridge/envelope/path.h"
#include "unit.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GRAPHS = 100 };

static struct ct_evaluator *compile(const struct ct_graph *graph, struct ct_plane plane)
{
    struct ct_evaluator *evaluator;
    struct ct_error err;
    assert_int_equal(ct_evaluator_compile(graph, &plane, &evaluator, &err), CT_OK);
    return evaluator;
}

static void assert_relative(double actual, double expected)
{
    assert_near(actual, expected, 1e-9 * fabs(expected));
}

/* ---- known results ---- */

static cJSON *read_expected(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/data/goal/expected.json", getenv("CROSSTALK_SOURCE"));
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    static char text[65536];
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    cJSON *root = cJSON_Parse(text);
    assert_non_null(root);
    return root;
}

static double number(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static void check_tolerances(const struct ct_evaluator *evaluator, const cJSON *expected)
{
    const cJSON *rows = cJSON_GetObjectItemCaseSensitive(expected, "tolerance"), *row;
    double L_ns = number(expected, "L_ns"), limits[8], found[8];
    size_t n = 0;
    cJSON_ArrayForEach(row, rows) limits[n++] =
        (1 + number(row, "threshold")) * number(expected, "runtime_ns");
    assert_int_equal(n, 3);
    assert_int_equal(ct_tolerance_find(evaluator, L_ns, limits, n, 2, found, NULL), CT_OK);
    n = 0;
    cJSON_ArrayForEach(row, rows) assert_relative(found[n++], number(row, "L_ns"));
}

static void check_breakpoints(const struct ct_evaluator *evaluator, const cJSON *expected)
{
    const cJSON *points = cJSON_GetObjectItemCaseSensitive(expected, "critical_latencies_ns");
    for (unsigned threads = 1; threads <= 3; threads++) {
        struct ct_envelope envelope;
        assert_int_equal(ct_envelope_find(evaluator, number(expected, "L_ns"),
                                          number(expected, "L_max_ns"), threads, &envelope, NULL),
                         CT_OK);
        assert_int_equal(envelope.n, cJSON_GetArraySize(points) + 1);
        for (size_t i = 1; i < envelope.n; i++)
            assert_relative(envelope.segments[i].lo,
                            cJSON_GetArrayItem(points, (int)i - 1)->valuedouble);
        ct_envelope_free(&envelope);
    }
}

static void test_expected(void **state)
{
    (void)state;
    cJSON *root = read_expected();
    const cJSON *expected;
    int files = 0;
    cJSON_ArrayForEach(expected, root)
    {
        struct ct_graph graph = graph_of_file(expected->string, &eager);
        struct ct_loggps at = {number(expected, "o_ns"), number(expected, "L_ns"),
                               number(expected, "G_ns_per_byte")};
        struct ct_evaluator *evaluator = compile(&graph, ct_plane_of_latency(at));
        struct ct_sensitivity found;
        assert_int_equal(graph.n_operations, (int)number(expected, "vertices"));
        assert_int_equal(ct_sensitivity_at(evaluator, at.L_ns, 2, &found, NULL), CT_OK);
        assert_relative(found.runtime_ns, number(expected, "runtime_ns"));
        assert_relative(found.line.slope, number(expected, "lambda_L"));
        check_tolerances(evaluator, expected);
        check_breakpoints(evaluator, expected);
        ct_evaluator_free(evaluator);
        ct_graph_free(&graph);
        files++;
    }
    assert_int_equal(files, 6);
    cJSON_Delete(root);
}

/* The paper's example with c0 = 1 us: T = L + 2.015 us, by hand. */
static void test_worked_example_a(void **state)
{
    (void)state;
    struct ct_graph graph = graph_of_file("ex_a.goal", &eager);
    struct ct_evaluator *evaluator =
        compile(&graph, ct_plane_of_latency((struct ct_loggps){.G_ns_per_byte = 5}));
    struct ct_sensitivity at;
    const double limit = 3000;
    double largest;
    assert_int_equal(ct_sensitivity_at(evaluator, 500, 1, &at, NULL), CT_OK);
    assert_near(at.line.cost_ns, 2015, 0);
    assert_near(at.line.slope, 1, 0);
    assert_near(at.lo, 0, 0);
    assert_true(isinf(at.hi));
    assert_int_equal(ct_tolerance_find(evaluator, 500, &limit, 1, 1, &largest, NULL), CT_OK);
    assert_near(largest, 985, 0);
    ct_evaluator_free(evaluator);
    ct_graph_free(&graph);
}

/* With c0 = 0.1 us: T = max(L + 1.115, 1.5) us. */
static void test_worked_example_b(void **state)
{
    (void)state;
    struct ct_graph graph = graph_of_file("ex_b.goal", &eager);
    struct ct_evaluator *evaluator =
        compile(&graph, ct_plane_of_latency((struct ct_loggps){.G_ns_per_byte = 5}));
    struct ct_envelope envelope;
    struct ct_sensitivity at;
    assert_int_equal(ct_envelope_find(evaluator, 0, 1000, 1, &envelope, NULL), CT_OK);
    assert_int_equal(envelope.n, 2);
    assert_near(envelope.segments[0].line.cost_ns, 1500, 0);
    assert_near(envelope.segments[0].line.slope, 0, 0);
    assert_near(envelope.segments[1].line.cost_ns, 1115, 0);
    assert_near(envelope.segments[1].line.slope, 1, 0);
    assert_near(envelope.segments[1].lo, 385, 0);
    ct_envelope_free(&envelope);

    /* At the critical latency itself: the right derivative, and the left one beside. */
    assert_int_equal(ct_sensitivity_at(evaluator, 385, 1, &at, NULL), CT_OK);
    assert_near(at.runtime_ns, 1500, 0);
    assert_near(at.line.slope, 1, 0);
    assert_near(at.left_slope, 0, 0);
    assert_near(at.lo, 385, 0);
    assert_true(isinf(at.hi));
    assert_int_equal(ct_sensitivity_at(evaluator, 100, 1, &at, NULL), CT_OK);
    assert_near(at.line.slope, 0, 0);
    assert_near(at.lo, 0, 0);
    assert_near(at.hi, 385, 0);

    assert_int_equal(ct_sensitivity_at(evaluator, 500, 1, &at, NULL), CT_OK);
    assert_near(at.runtime_ns, 1615, 0);

    const double limits[] = {2000, 1500}; /* 1500: no longer at all */
    double largest[2];
    assert_int_equal(ct_tolerance_find(evaluator, 100, limits, 2, 1, largest, NULL), CT_OK);
    assert_near(largest[0], 885, 0);
    assert_near(largest[1], 385, 0);
    const double too_small = 1499;
    assert_int_equal(ct_tolerance_find(evaluator, 100, &too_small, 1, 1, largest, NULL), CT_EINVAL);
    ct_evaluator_free(evaluator);
    ct_graph_free(&graph);
}

static void test_no_messages(void **state)
{
    (void)state;
    struct ct_graph graph =
        graph_of_text("num_ranks 1\nrank 0 {\na: calc 100\nb: calc 5\nb requires a\n}\n", &eager);
    struct ct_evaluator *evaluator = compile(&graph, ct_plane_of_latency((struct ct_loggps){0}));
    struct ct_sensitivity at;
    const double limits[] = {105, 200};
    double largest[2];
    assert_int_equal(ct_sensitivity_at(evaluator, 10, 1, &at, NULL), CT_OK);
    assert_near(at.runtime_ns, 105, 0);
    assert_near(at.line.slope, 0, 0);
    assert_true(isinf(at.hi));
    assert_int_equal(ct_tolerance_find(evaluator, 10, limits, 2, 1, largest, NULL), CT_OK);
    assert_true(isinf(largest[0]) && isinf(largest[1]));
    ct_evaluator_free(evaluator);
    ct_graph_free(&graph);
}

static void test_bad_values(void **state)
{
    (void)state;
    struct ct_graph graph = graph_of_file("ex_a.goal", &eager);
    struct ct_evaluator *evaluator = compile(&graph, ct_plane_of_latency((struct ct_loggps){0}));
    struct ct_envelope envelope;
    struct ct_sensitivity at;
    struct ct_error err;
    const double bad[][2] = {{-1, 5}, {5, 5}, {6, 5}, {0, INFINITY}, {NAN, 5}, {0, NAN}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(ct_envelope_find(evaluator, bad[i][0], bad[i][1], 1, &envelope, &err),
                         CT_EINVAL);
    const double bad_at[] = {-1, NAN, INFINITY};
    for (size_t i = 0; i < sizeof bad_at / sizeof *bad_at; i++)
        assert_int_equal(ct_sensitivity_at(evaluator, bad_at[i], 1, &at, &err), CT_EINVAL);
    ct_evaluator_free(evaluator);
    ct_graph_free(&graph);
}

/* ---- properties ---- */

static struct ct_graph nth_graph(uint64_t seed)
{
    const struct ct_graph_options rendezvous = {.eager_max_bytes = 1000};
    const struct ct_graph_options nic = {.eager_max_bytes = SIZE_MAX, .serialize_nic = true};
    const struct ct_graph_options *const options[] = {&eager, &rendezvous, &nic};
    struct random_shape shape = {.n_ranks = 2 + (uint32_t)(seed % 9),
                                 .n_steps = 30 + (uint32_t)(seed * 17 % 900),
                                 .calc_max_ns = 20000,
                                 .bytes_max = 2000};
    return random_graph(seed, shape, options[seed % 3]);
}

static const struct ct_loggps somewhere = {.o_ns = 700, .L_ns = 0, .G_ns_per_byte = 0.25};

/* Pieces join without a step, slopes rise, and T between the ends of each is on its line. */
static void check_envelope(const struct ct_evaluator *evaluator, const struct ct_envelope *envelope,
                           double lo, double hi)
{
    const struct ct_segment *segments = envelope->segments;
    assert_near(segments[0].lo, lo, 0);
    assert_near(segments[envelope->n - 1].hi, hi, 0);
    for (size_t i = 0; i < envelope->n; i++) {
        const struct ct_segment *segment = &segments[i];
        assert_true(segment->lo < segment->hi);
        if (i > 0) {
            assert_near(segment->lo, segment[-1].hi, 0);
            assert_true(segment->line.slope > segment[-1].line.slope);
            assert_relative(ct_line_at(segment->line, segment->lo),
                            ct_line_at(segment[-1].line, segment->lo));
        }
        for (int part = 0; part <= 4; part++) {
            double t = segment->lo + (segment->hi - segment->lo) * part / 4;
            struct ct_line line;
            assert_int_equal(ct_evaluator_lines(evaluator, &t, 1, 1, &line, NULL), CT_OK);
            assert_relative(ct_line_at(line, t), ct_line_at(segment->line, t));
        }
    }
}

static void slow_envelopes(void **state)
{
    (void)state;
    size_t breakpoints = 0;
    for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
        struct ct_graph graph = nth_graph(seed);
        struct ct_evaluator *evaluator = compile(&graph, ct_plane_of_latency(somewhere));
        for (double hi = 100; hi < 1e7; hi *= 100) {
            struct ct_envelope envelope;
            assert_int_equal(
                ct_envelope_find(evaluator, hi / 50, hi, 1 + (unsigned)(seed % 3), &envelope, NULL),
                CT_OK);
            check_envelope(evaluator, &envelope, hi / 50, hi);
            breakpoints += envelope.n - 1;
            ct_envelope_free(&envelope);
        }
        ct_evaluator_free(evaluator);
        ct_graph_free(&graph);
    }
    assert_true(breakpoints > GRAPHS); /* the graphs are not all too simple */
}

/* T at a factor is T with the parameters that it stands for, also where overheads are by size. */
static void test_growth(void **state)
{
    (void)state;
    static const struct ct_loggps at = {.o_ns = 700, .L_ns = 3000, .G_ns_per_byte = 0.25};
    static const struct ct_growth growths[] = {{0, 1, 0}, {0.5, 0, 1}, {1, 0.25, 0.125}};
    enum { SIZES = 2 };
    for (uint64_t seed = 1; seed <= GRAPHS / 4; seed++)
        for (size_t k = 0; k < sizeof growths / sizeof *growths; k++) {
            struct ct_graph graph = nth_graph(seed), grown = nth_graph(seed);
            const struct ct_growth *growth = &growths[k];
            double factor = 1 + (double)(seed % 7) / 2;
            double L = 1 + growth->L * (factor - 1), o = 1 + growth->o * (factor - 1),
                   G = 1 + growth->G * (factor - 1);
            struct ct_overhead sizes[] = {{0, 200e-9, 300e-9}, {5000, 800e-9, 600e-9}}, more[SIZES];
            for (size_t i = 0; i < SIZES; i++)
                more[i] =
                    (struct ct_overhead){sizes[i].bytes, o * sizes[i].send_s, o * sizes[i].recv_s};
            if (seed % 2) {
                graph.overheads = (struct ct_overheads){sizes, SIZES};
                grown.overheads = (struct ct_overheads){more, SIZES};
            }
            struct ct_line line;
            const struct ct_plane plane = ct_plane_of_growth(at, *growth);
            assert_int_equal(ct_evaluate_once(&graph, &plane, factor, &line, NULL), CT_OK);
            assert_relative(ct_line_at(line, factor),
                            runtime_by_envelope(
                                &grown, (struct ct_loggps){.o_ns = o * at.o_ns,
                                                           .L_ns = L * at.L_ns,
                                                           .G_ns_per_byte = G * at.G_ns_per_byte}));
            graph.overheads = grown.overheads = (struct ct_overheads){NULL, 0};
            ct_graph_free(&graph);
            ct_graph_free(&grown);
        }
}

/* T with latency and gap that are added to somewhere. */
static double time_at(const struct ct_graph *graph, struct ct_frontier_point added)
{
    struct ct_loggps at = somewhere;
    struct ct_line line;
    at.G_ns_per_byte += added.added_G;
    const struct ct_plane plane = ct_plane_of_latency(at);
    assert_int_equal(ct_evaluate_once(graph, &plane, added.added_L_ns, &line, NULL), CT_OK);
    return ct_line_at(line, added.added_L_ns);
}

/* T is the limit in corners and between them, so that no corner is missing, and more beyond. */
static void slow_frontiers(void **state)
{
    (void)state;
    size_t corners = 0;
    for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
        struct ct_graph graph = nth_graph(seed);
        const double limit_ns =
            time_at(&graph, (struct ct_frontier_point){0, 0}) * (seed % 2 ? 1.05 : 3);
        struct ct_frontier frontier;
        assert_int_equal(ct_frontier_find(&graph, &somewhere, limit_ns, &frontier, NULL), CT_OK);
        assert_true(frontier.is_whole && frontier.n >= 2);
        const struct ct_frontier_point *points = frontier.points;
        assert_true(points[0].added_G == 0 && points[frontier.n - 1].added_L_ns == 0);
        for (size_t i = 0; i + 1 < frontier.n && isfinite(points[0].added_L_ns); i++) {
            const struct ct_frontier_point middle = {
                (points[i].added_L_ns + points[i + 1].added_L_ns) / 2,
                (points[i].added_G + points[i + 1].added_G) / 2};
            const struct ct_frontier_point beyond = {1.001 * middle.added_L_ns,
                                                     1.001 * middle.added_G};
            assert_true(points[i].added_L_ns > points[i + 1].added_L_ns &&
                        points[i].added_G < points[i + 1].added_G);
            assert_relative(time_at(&graph, points[i]), limit_ns);
            assert_relative(time_at(&graph, middle), limit_ns);
            assert_true(time_at(&graph, beyond) > limit_ns * (1 + 1e-9));
            assert_relative(ct_frontier_gap_at(&frontier, middle.added_L_ns), middle.added_G);
        }
        corners += frontier.n - 2;
        ct_frontier_free(&frontier);
        ct_graph_free(&graph);
    }
    assert_true(corners > GRAPHS); /* the graphs are not all too simple */
}

/* The path found on the unfolded graph has the length that the program gives, part by part. */
static void check_path(const struct ct_graph *graph, const struct ct_evaluator *evaluator,
                       double L_ns)
{
    struct ct_loggps at = {somewhere.o_ns, L_ns, somewhere.G_ns_per_byte};
    struct ct_path path;
    struct ct_line line;
    assert_int_equal(ct_path_find(graph, &at, &path, NULL), CT_OK);
    assert_int_equal(ct_evaluator_lines(evaluator, &L_ns, 1, 1, &line, NULL), CT_OK);
    assert_relative(path.runtime_ns, ct_line_at(line, L_ns));
    double sum = 0, rank_sum = 0;
    for (size_t i = 0; i < path.n; i++) {
        assert_near(path.steps[i].time_ns, sum, 1e-9 * (1 + sum));
        for (size_t part = 0; part < CT_PATH_PARTS; part++)
            sum += path.steps[i].part_ns[part];
    }
    assert_relative(sum, path.runtime_ns);
    double(*parts)[CT_PATH_PARTS] = calloc(graph->n_ranks, sizeof *parts);
    ct_path_share(&path, graph->n_ranks, parts);
    for (uint32_t rank = 0; rank < graph->n_ranks; rank++)
        for (size_t part = 0; part < CT_PATH_PARTS; part++)
            rank_sum += parts[rank][part];
    assert_relative(rank_sum, path.runtime_ns);
    free(parts);
    ct_path_free(&path);
}

static void slow_paths(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
        struct ct_graph graph = nth_graph(seed);
        struct ct_evaluator *evaluator = compile(&graph, ct_plane_of_latency(somewhere));
        for (double L_ns = 1; L_ns < 1e6; L_ns *= 37)
            check_path(&graph, evaluator, L_ns);
        ct_evaluator_free(evaluator);
        ct_graph_free(&graph);
    }
}

/* Newton's result against bisection on the same T. */
static void slow_tolerances(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
        struct ct_graph graph = nth_graph(seed);
        struct ct_evaluator *evaluator = compile(&graph, ct_plane_of_latency(somewhere));
        double t = 500, found;
        struct ct_line line;
        assert_int_equal(ct_evaluator_lines(evaluator, &t, 1, 1, &line, NULL), CT_OK);
        double limit = 1.5 * ct_line_at(line, t), lo = t, hi = 2 * limit;
        assert_int_equal(ct_tolerance_find(evaluator, t, &limit, 1, 1, &found, NULL), CT_OK);
        for (int i = 0; i < 80; i++) {
            double middle = (lo + hi) / 2;
            assert_int_equal(ct_evaluator_lines(evaluator, &middle, 1, 1, &line, NULL), CT_OK);
            *(ct_line_at(line, middle) <= limit ? &lo : &hi) = middle;
        }
        assert_relative(found, lo);
        ct_evaluator_free(evaluator);
        ct_graph_free(&graph);
    }
}

/* Every number of points, so that walks of every width and several threads agree with one at a
 * time. */
static void test_lanes(void **state)
{
    (void)state;
    struct ct_graph graph = nth_graph(7);
    struct ct_evaluator *evaluator = compile(&graph, ct_plane_of_latency(somewhere));
    double t[40];
    struct ct_line one[40], many[40];
    for (size_t i = 0; i < 40; i++) {
        t[i] = 10.0 * (double)(i * i);
        assert_int_equal(ct_evaluator_lines(evaluator, &t[i], 1, 1, &one[i], NULL), CT_OK);
    }
    for (size_t n = 0; n <= 40; n++)
        for (unsigned threads = 1; threads <= 4; threads++) {
            memset(many, 0, sizeof many);
            assert_int_equal(ct_evaluator_lines(evaluator, t, n, threads, many, NULL), CT_OK);
            for (size_t i = 0; i < n; i++) {
                assert_near(many[i].cost_ns, one[i].cost_ns, 0);
                assert_near(many[i].slope, one[i].slope, 0);
            }
        }
    ct_evaluator_free(evaluator);
    ct_graph_free(&graph);
}

/* One pair's latency as the free parameter: its messages alone count. */
static void only_0_to_1(const void *data, uint32_t from, uint32_t to, struct ct_loggps *origin_p,
                        struct ct_loggps slope_p[CT_FREE_MAX])
{
    const double *other_L_ns = data;
    bool free_pair = from == 0 && to == 1;
    origin_p->L_ns = free_pair ? 0 : *other_L_ns;
    slope_p[0].L_ns = free_pair ? 1 : 0;
}

/* Ranks in twos on switches, as wires between them: one inside a pair, two and a switch beyond. The
 * free parameter is the latency of a wire, in units of which slopes are no whole numbers. */
static const double wire_share = 0.3, switch_ns = 40;

static void wires(const void *data, uint32_t from, uint32_t to, struct ct_loggps *origin_p,
                  struct ct_loggps slope_p[CT_FREE_MAX])
{
    (void)data;
    bool beyond = from / 2 != to / 2;
    origin_p->L_ns = beyond ? switch_ns : 0;
    slope_p[0].L_ns = beyond ? 2 * wire_share : wire_share;
}

/* By hand: T = max(1020 + 0.3 t, 160 + 0.6 t, 80 + 0.9 t), of which the second is never longest. */
static void test_wires(void **state)
{
    (void)state;
    struct ct_graph graph =
        graph_of_text("num_ranks 3\n"
                      "rank 0 {\na: send 1b to 1 tag 0\nb: send 1b to 2 tag 1\n}\n"
                      "rank 1 {\nc: recv 1b from 0 tag 0\nd: calc 1000\nd requires c\n"
                      "e: send 1b to 2 tag 2\ne requires c\n}\n"
                      "rank 2 {\nf: recv 1b from 0 tag 1\ng: calc 100\ng requires f\n"
                      "h: recv 1b from 1 tag 2\n}\n",
                      &eager);
    const struct ct_pair_costs pairs = {.get = wires};
    struct ct_evaluator *evaluator =
        compile(&graph, (struct ct_plane){.origin = {.o_ns = 10}, .pairs = &pairs});
    const double meet = 940 / 0.6, limits[] = {1020 + 0.3 * meet, 80 + 0.9 * 5000};
    struct ct_sensitivity at;
    double largest[2];
    assert_int_equal(ct_sensitivity_at(evaluator, 10, 1, &at, NULL), CT_OK);
    assert_relative(at.runtime_ns, 1023);
    assert_relative(at.line.slope, 0.3);
    assert_near(at.lo, 0, 0);
    assert_relative(at.hi, meet);
    assert_int_equal(ct_sensitivity_at(evaluator, 4000, 1, &at, NULL), CT_OK);
    assert_relative(at.line.slope, 0.9);
    assert_relative(at.lo, meet);
    assert_true(isinf(at.hi));
    assert_int_equal(ct_tolerance_find(evaluator, 10, limits, 2, 1, largest, NULL), CT_OK);
    assert_relative(largest[0], meet);
    assert_relative(largest[1], 5000);
    ct_evaluator_free(evaluator);
    ct_graph_free(&graph);
}

static void test_pairs(void **state)
{
    (void)state;
    struct ct_graph graph = graph_of_text("num_ranks 3\n"
                                          "rank 0 {\na: send 1b to 1 tag 0\n}\n"
                                          "rank 1 {\nb: recv 1b from 0 tag 0\n"
                                          "c: send 1b to 2 tag 0\nc requires b\n}\n"
                                          "rank 2 {\nd: recv 1b from 1 tag 0\n}\n",
                                          &eager);
    const double other_L_ns = 50;
    const struct ct_pair_costs pairs = {only_0_to_1, &other_L_ns};
    struct ct_plane plane = {.origin = {.o_ns = 1}, .pairs = &pairs};
    struct ct_evaluator *evaluator = compile(&graph, plane);
    const double t = 10;
    struct ct_line line;
    assert_int_equal(ct_evaluator_lines(evaluator, &t, 1, 1, &line, NULL), CT_OK);
    assert_near(line.slope, 1, 0);
    assert_near(line.cost_ns, 4 + 50, 0); /* four overheads, the other pair's latency */
    ct_evaluator_free(evaluator);
    ct_graph_free(&graph);
}

/* Three messages in a row, beside one that is longer than all of them. */
static void test_longest_chain(void **state)
{
    (void)state;
    struct ct_goal goal = goal_of_text("num_ranks 2\n"
                                       "rank 0 {\n"
                                       "a: send 8b to 1\n"
                                       "b: recv 8b from 1 tag 1\n"
                                       "c: send 8b to 1 tag 2\n"
                                       "d: send 100000b to 1 tag 3\n"
                                       "c requires b\n"
                                       "}\n"
                                       "rank 1 {\n"
                                       "a: recv 8b from 0\n"
                                       "b: send 8b to 0 tag 1\n"
                                       "c: recv 8b from 0 tag 2\n"
                                       "d: recv 100000b from 0 tag 3\n"
                                       "b requires a\n"
                                       "}\n");
    double messages;
    assert_int_equal(ct_longest_chain(&goal, &messages, NULL), CT_OK);
    assert_near(messages, 3, 0);
    ct_goal_free(&goal);
}

/* One value from the graph is that of the stream, and so is lambda_G. */
static void slow_once(void **state)
{
    (void)state;
    const struct ct_plane planes[] = {ct_plane_of_latency(somewhere), ct_plane_of_gap(somewhere)};
    for (uint64_t seed = 0; seed < GRAPHS; seed++) {
        struct ct_graph graph = nth_graph(seed);
        for (size_t p = 0; p < sizeof planes / sizeof *planes; p++) {
            const double t[] = {0, 0.25, 1234.5, 1e6, CT_EVALUATOR_FAR};
            struct ct_evaluator *evaluator = compile(&graph, planes[p]);
            for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
                struct ct_line line, once;
                assert_int_equal(ct_evaluator_lines(evaluator, &t[i], 1, 1, &line, NULL), CT_OK);
                assert_int_equal(ct_evaluate_once(&graph, &planes[p], t[i], &once, NULL), CT_OK);
                assert_near(once.cost_ns, line.cost_ns, 0);
                assert_near(once.slope, line.slope, 0);
            }
            ct_evaluator_free(evaluator);
        }
        ct_graph_free(&graph);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_expected),
                                       cmocka_unit_test(test_longest_chain),
                                       cmocka_unit_test(test_worked_example_a),
                                       cmocka_unit_test(test_worked_example_b),
                                       cmocka_unit_test(test_no_messages),
                                       cmocka_unit_test(test_bad_values),
                                       cmocka_unit_test(slow_envelopes),
                                       cmocka_unit_test(test_growth),
                                       cmocka_unit_test(slow_frontiers),
                                       cmocka_unit_test(slow_paths),
                                       cmocka_unit_test(slow_tolerances),
                                       cmocka_unit_test(test_lanes),
                                       cmocka_unit_test(slow_once),
                                       cmocka_unit_test(test_pairs),
                                       cmocka_unit_test(test_wires)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
