/*
 * o, L and G that differ from pair to pair: T and all sensitivities against closed forms, a walk
 * over the graph, finite differences, and the evaluation with one L for all.
 */
#include "goal_example.h"
#include "lp-bridge/envelope/envelope.h"
#include "lp-bridge/envelope/pairs.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GRAPHS = 20, PLACES = 6, CLASSES_MAX = PLACES * PLACES };

static const struct ct_graph_options ways[] = {
    {.eager_max_bytes = SIZE_MAX, .peers = true},
    {.eager_max_bytes = 1000, .peers = true},
    {.eager_max_bytes = 1000, .peers = true, .serialize_nic = true},
};
enum { WAYS = sizeof ways / sizeof *ways };

struct example {
    struct ct_graph graph;
    struct ct_pairs pairs;
    uint32_t class_of[PLACES * PLACES];
    struct ct_loggps classes[CLASSES_MAX];
};

/* Every pair of places a class of its own, with values as from a die. */
static void number_classes(struct example *example, uint32_t n_classes, uint64_t seed)
{
    uint64_t die = seed;
    for (uint32_t i = 0; i < PLACES * PLACES; i++)
        example->class_of[i] = i % n_classes;
    for (uint32_t c = 0; c < n_classes; c++)
        example->classes[c] =
            (struct ct_loggps){.o_ns = 100 + (double)throw_die(&die, 1000) + 0.25,
                               .L_ns = 500 + (double)throw_die(&die, 4000) + 0.125,
                               .G_ns_per_byte = (double)throw_die(&die, 100) / 64};
    example->pairs = (struct ct_pairs){.n_places = PLACES,
                                       .ranks_per_place = 1 + (uint32_t)(seed % 2),
                                       .class_of = example->class_of,
                                       .classes = example->classes,
                                       .n_classes = n_classes,
                                       .o_self_ns = example->classes[0].o_ns};
}

static void make(struct example *example, uint64_t seed, uint32_t n_classes)
{
    const struct random_shape shape = {.n_ranks = 2 + (uint32_t)(seed % (PLACES - 1)),
                                       .n_steps = 20 + (uint32_t)(seed * 13 % 300),
                                       .calc_max_ns = 8000,
                                       .bytes_max = 2000};
    *example = (struct example){.graph = random_graph(seed, shape, &ways[seed % WAYS])};
    number_classes(example, n_classes, seed);
}

static struct ct_pair_evaluator *compile(const struct example *example)
{
    struct ct_pair_evaluator *evaluator;
    struct ct_error err = {.text = ""};
    if (ct_pair_evaluator_new(&example->graph, &example->pairs, &evaluator, &err) != CT_OK)
        fail_msg("%s", err.text);
    return evaluator;
}

static struct ct_pair_sensitivity find(const struct example *example, double added_ns)
{
    struct ct_pair_evaluator *evaluator = compile(example);
    struct ct_pair_sensitivity found;
    assert_int_equal(ct_pair_sensitivity_find(evaluator, added_ns, &found, NULL), CT_OK);
    ct_pair_evaluator_free(evaluator);
    return found;
}

static double runtime_of(const struct example *example)
{
    struct ct_pair_sensitivity found = find(example, 0);
    double runtime_ns = found.runtime_ns;
    ct_pair_sensitivity_free(&found);
    return runtime_ns;
}

/* ---- closed forms ---- */

#define MESSAGE(from_, to_)                                                                        \
    "num_ranks 3\nrank " from_ " {\na: send 101b to " to_ " tag 0\n}\nrank " to_                   \
    " {\nb: recv 101b from " from_ " tag 0\n}\n"

/* T = 2 o_ij + L_ij + 100 G_ij; by rendezvous 4 o_ij + 3 L_ij + 100 G_ij. */
static void a_message_costs_what_its_pair_costs(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t from, to;
    } rows[] = {{MESSAGE("0", "1"), 0, 1}, {MESSAGE("1", "0"), 1, 0}, {MESSAGE("2", "1"), 2, 1}};
    static const struct ct_graph_options rendezvous = {.eager_max_bytes = 100, .peers = true};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int by_rendezvous = 0; by_rendezvous < 2; by_rendezvous++) {
            struct example example = {
                .graph = graph_of_text(rows[i].text, by_rendezvous ? &rendezvous : &ways[0])};
            number_classes(&example, CLASSES_MAX, 4);
            const struct ct_loggps *of = &example.classes[rows[i].from * PLACES + rows[i].to];
            struct ct_pair_sensitivity found = find(&example, 0);
            double times = by_rendezvous ? 3 : 1;
            assert_near(found.runtime_ns,
                        (times + 1) * of->o_ns + times * of->L_ns + 100 * of->G_ns_per_byte, 1e-9);
            assert_int_equal(found.n_pairs, 1);
            assert_int_equal(found.pairs[0].from, rows[i].from);
            assert_int_equal(found.pairs[0].to, rows[i].to);
            assert_near(found.pairs[0].lambda.latencies, times, 0);
            assert_near(found.pairs[0].lambda.bytes, 100, 0);
            assert_near(found.between.latencies, times, 0);
            assert_near(found.inside.latencies, 0, 0);
            ct_pair_sensitivity_free(&found);
            ct_graph_free(&example.graph);
        }
}

/* Of two messages to one receiver the later one counts; which that is depends on their pairs. */
static void the_slower_pair_is_on_the_critical_path(void **state)
{
    (void)state;
    struct example example = {
        .graph = graph_of_text("num_ranks 3\n"
                               "rank 0 {\na: send 1b to 2 tag 0\n}\n"
                               "rank 1 {\na: send 1b to 2 tag 0\n}\n"
                               "rank 2 {\na: recv 1b from 0 tag 0\nb: recv 1b from 1 tag 0\n"
                               "c: calc 10\nc requires a\nc requires b\n}\n",
                               &ways[0])};
    for (uint32_t slower = 0; slower < 2; slower++) {
        number_classes(&example, CLASSES_MAX, 2);
        for (uint32_t from = 0; from < 2; from++)
            example.classes[from * PLACES + 2] =
                (struct ct_loggps){.o_ns = 1, .L_ns = from == slower ? 2000 : 1000};
        struct ct_pair_sensitivity found = find(&example, 0);
        assert_near(found.runtime_ns, 2 + 2000 + 10, 0);
        assert_int_equal(found.n_pairs, 2);
        for (uint32_t from = 0; from < 2; from++)
            assert_near(found.pairs[from].lambda.latencies, from == slower ? 1 : 0, 0);
        ct_pair_sensitivity_free(&found);
    }
    ct_graph_free(&example.graph);
}

/* Ranks 0 and 1 share a place: no added latency is theirs. */
static void messages_inside_a_place_are_counted_apart(void **state)
{
    (void)state;
    struct example example = {.graph = graph_of_text(MESSAGE("0", "1"), &ways[0])};
    number_classes(&example, CLASSES_MAX, 1);
    assert_int_equal(example.pairs.ranks_per_place, 2);
    struct ct_pair_sensitivity found = find(&example, 5000);
    assert_near(found.runtime_ns,
                2 * example.classes[0].o_ns + example.classes[0].L_ns +
                    100 * example.classes[0].G_ns_per_byte,
                1e-9);
    assert_near(found.between.latencies, 0, 0);
    assert_near(found.inside.latencies, 1, 0);
    assert_int_equal(found.pairs[0].from, found.pairs[0].to);
    ct_pair_sensitivity_free(&found);
    ct_graph_free(&example.graph);
}

/* ---- against other ways to compute the same ---- */

static double cost_ns(const struct example *example, const struct ct_cost *cost)
{
    struct ct_loggps of = {.o_ns = example->pairs.o_self_ns};
    uint32_t per_place = example->pairs.ranks_per_place;
    if (cost->from != cost->to)
        of = example->classes[example->class_of[cost->from / per_place * PLACES +
                                                cost->to / per_place]];
    return cost->compute_ns + cost->o * of.o_ns + cost->L * of.L_ns + cost->G * of.G_ns_per_byte;
}

static double longest_path(const struct example *example)
{
    const struct ct_graph *graph = &example->graph;
    double *time_ns = calloc(graph->n_vertices + 1, sizeof *time_ns), longest = 0;
    assert_non_null(time_ns);
    for (uint32_t v = 0; v < graph->n_vertices; v++) {
        for (uint32_t e = graph->first_edge[v]; e < graph->first_edge[v + 1]; e++) {
            struct ct_cost cost = ct_graph_edge_cost(graph, v, graph->edges[e]);
            double over = time_ns[ct_edge_source(graph->edges[e])] + cost_ns(example, &cost);
            time_ns[v] = fmax(time_ns[v], over);
        }
        struct ct_cost cost = ct_graph_finish_cost(graph, v);
        longest = fmax(longest, time_ns[v] + cost_ns(example, &cost));
    }
    free(time_ns);
    return longest;
}

static void runtimes_are_those_of_the_longest_path(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
        struct example example;
        make(&example, seed, CLASSES_MAX);
        assert_near(runtime_of(&example), longest_path(&example), 1e-6);
        ct_graph_free(&example.graph);
    }
}

/* With one class, T and lambda_L are those of a graph in which L is the same for all: to the bit,
 * and with overheads of the graph without peers. */
static void one_class_is_one_L_for_all(void **state)
{
    (void)state;
    for (uint64_t seed = 2; seed <= GRAPHS; seed += 2) {
        struct example example;
        make(&example, seed, 1);
        struct ct_graph_options plain = ways[seed % WAYS];
        plain.peers = false;
        struct ct_graph without =
            random_graph(seed,
                         (struct random_shape){2 + (uint32_t)(seed % (PLACES - 1)),
                                               20 + (uint32_t)(seed * 13 % 300), 8000, 2000},
                         &plain);
        const struct ct_loggps at = example.classes[0];
        struct ct_plane plane = ct_plane_of_latency(at);
        struct ct_evaluator *evaluator;
        struct ct_sensitivity plain_found;
        assert_int_equal(ct_evaluator_compile(&without, &plane, &evaluator, NULL), CT_OK);
        assert_int_equal(ct_sensitivity_at(evaluator, at.L_ns, 1, &plain_found, NULL), CT_OK);
        assert_int_equal(example.pairs.ranks_per_place, 1);
        struct ct_pair_sensitivity found = find(&example, 0);
        assert_near(found.runtime_ns, plain_found.runtime_ns, 1e-9 * found.runtime_ns);
        assert_near(found.between.latencies, plain_found.line.slope, 0);
        ct_pair_sensitivity_free(&found);
        ct_evaluator_free(evaluator);
        ct_graph_free(&without);
        ct_graph_free(&example.graph);
    }
}

/* The sum over pairs is the slope of T in a latency that is added to all, at any such latency. */
static void sums_over_pairs_are_lambda_L(void **state)
{
    (void)state;
    static const double added_ns[] = {0, 100, 3000, 50000};
    for (uint64_t seed = 1; seed <= GRAPHS; seed++)
        for (size_t i = 0; i < sizeof added_ns / sizeof *added_ns; i++) {
            struct example example;
            struct ct_line line;
            make(&example, seed, 7);
            struct ct_pair_evaluator *evaluator = compile(&example);
            struct ct_pair_sensitivity found;
            struct ct_pair_lambda between = {0, 0}, all = {0, 0}, classes = {0, 0};
            assert_int_equal(ct_pair_sensitivity_find(evaluator, added_ns[i], &found, NULL), CT_OK);
            assert_int_equal(ct_evaluator_lines(ct_pair_evaluator_added(evaluator), &added_ns[i], 1,
                                                1, &line, NULL),
                             CT_OK);
            for (size_t k = 0; k < found.n_pairs; k++) {
                const struct ct_pair_use *use = &found.pairs[k];
                all.latencies += use->lambda.latencies;
                all.bytes += use->lambda.bytes;
                if (use->from != use->to)
                    between.latencies += use->lambda.latencies;
                assert_int_equal(use->class, example.class_of[use->from * PLACES + use->to]);
                assert_true(use->messages > 0);
            }
            for (uint32_t c = 0; c < found.n_classes; c++) {
                classes.latencies += found.classes[c].latencies;
                classes.bytes += found.classes[c].bytes;
            }
            assert_near(between.latencies, line.slope, 0);
            assert_near(found.between.latencies, line.slope, 0);
            assert_near(found.runtime_ns, ct_line_at(line, added_ns[i]), 0);
            assert_near(classes.latencies, all.latencies, 0);
            assert_near(classes.bytes, all.bytes, 0);
            ct_pair_sensitivity_free(&found);
            ct_pair_evaluator_free(evaluator);
            ct_graph_free(&example.graph);
        }
}

/* How T changes with one parameter of one class; *value is restored. */
static double rise(struct example *example, double *value, double step)
{
    double before = *value;
    *value = before + step;
    double runtime_ns = runtime_of(example);
    *value = before;
    return runtime_ns;
}

/* T is convex in every L_ij and G_ij: no slope may be above the rise, nor below the fall; where
 * both agree, they are the slope. */
static size_t compare_slope(struct example *example, double *value, double step, double T_ns,
                            double slope)
{
    const double noise = 1e-7;
    double up = (rise(example, value, step) - T_ns) / step;
    double down = (T_ns - rise(example, value, -step)) / step;
    assert_true(slope <= up + noise / step && slope >= down - noise / step);
    if (fabs(up - down) > noise / step)
        return 0;
    assert_near(slope, up, 2 * noise / step);
    return 1;
}

static void slow_slopes_are_those_of_finite_differences(void **state)
{
    (void)state;
    size_t compared = 0, positive = 0;
    for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
        struct example example;
        make(&example, seed, CLASSES_MAX);
        struct ct_pair_sensitivity found = find(&example, 0);
        for (size_t k = 0; k < found.n_pairs; k++) {
            const struct ct_pair_use *use = &found.pairs[k];
            struct ct_loggps *of = &example.classes[use->class];
            double T_ns = found.runtime_ns;
            compared += compare_slope(&example, &of->L_ns, 1e-2, T_ns, use->lambda.latencies);
            if (of->G_ns_per_byte > 1e-5)
                compare_slope(&example, &of->G_ns_per_byte, 1e-5, T_ns, use->lambda.bytes);
            positive += use->lambda.latencies > 0;
        }
        ct_pair_sensitivity_free(&found);
        ct_graph_free(&example.graph);
    }
    assert_true(compared > 4 * GRAPHS && positive > 2 * GRAPHS);
}

/* T as a function of an added latency reaches its limits where the tolerances say. */
static void tolerances_are_those_of_an_added_latency(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
        struct example example;
        make(&example, seed, CLASSES_MAX);
        struct ct_pair_evaluator *evaluator = compile(&example);
        double T_ns = runtime_of(&example), limit_ns = 1.05 * T_ns, largest_ns;
        assert_int_equal(ct_tolerance_find(ct_pair_evaluator_added(evaluator), 0, &limit_ns, 1, 1,
                                           &largest_ns, NULL),
                         CT_OK);
        if (isfinite(largest_ns)) {
            struct example later = example;
            for (uint32_t from = 0; from < PLACES; from++)
                for (uint32_t to = 0; to < PLACES; to++)
                    later.classes[from * PLACES + to].L_ns += from == to ? 0 : largest_ns;
            later.pairs.classes = later.classes;
            later.pairs.class_of = later.class_of;
            assert_near(longest_path(&later), limit_ns, 1e-9 * limit_ns);
        }
        ct_pair_evaluator_free(evaluator);
        ct_graph_free(&example.graph);
    }
}

/* ---- refusals ---- */

static void what_has_no_parameters_is_refused(void **state)
{
    (void)state;
    struct example example = {.graph = graph_of_text(MESSAGE("2", "1"), &ways[0])};
    struct ct_pair_evaluator *evaluator;
    struct ct_pair_sensitivity found;
    struct ct_error err;
    number_classes(&example, CLASSES_MAX, 2);
    example.class_of[2 * PLACES + 1] = CLASSES_MAX;
    assert_int_equal(ct_pair_evaluator_new(&example.graph, &example.pairs, &evaluator, &err),
                     CT_EINVAL);
    assert_non_null(strstr(err.text, "no parameters of messages from node 2 to node 1"));
    example.class_of[2 * PLACES + 1] = 3;
    /* A pair without messages may lack them. */
    example.class_of[1 * PLACES + 2] = CLASSES_MAX;
    evaluator = compile(&example);
    assert_int_equal(ct_pair_sensitivity_find(evaluator, -1, &found, &err), CT_EINVAL);
    assert_int_equal(ct_pair_sensitivity_find(evaluator, NAN, &found, &err), CT_EINVAL);
    ct_pair_evaluator_free(evaluator);
    example.pairs.n_places = 2;
    assert_int_equal(ct_pair_evaluator_new(&example.graph, &example.pairs, &evaluator, &err),
                     CT_EINVAL);
    assert_non_null(strstr(err.text, "no room for the schedule's 3 ranks"));
    ct_graph_free(&example.graph);
}

static void a_schedule_without_messages_has_no_pairs(void **state)
{
    (void)state;
    struct example example = {
        .graph = graph_of_text("num_ranks 1\nrank 0 {\na: calc 70\n}\n", &ways[0])};
    number_classes(&example, 3, 2);
    struct ct_pair_sensitivity found = find(&example, 0);
    assert_near(found.runtime_ns, 70, 0);
    assert_int_equal(found.n_pairs, 0);
    ct_pair_sensitivity_free(&found);
    ct_graph_free(&example.graph);
    example.graph = graph_of_text("num_ranks 1\nrank 0 {\n}\n", &ways[0]);
    found = find(&example, 0);
    assert_near(found.runtime_ns, 0, 0);
    ct_pair_sensitivity_free(&found);
    ct_graph_free(&example.graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_costs_what_its_pair_costs),
        cmocka_unit_test(the_slower_pair_is_on_the_critical_path),
        cmocka_unit_test(messages_inside_a_place_are_counted_apart),
        cmocka_unit_test(runtimes_are_those_of_the_longest_path),
        cmocka_unit_test(one_class_is_one_L_for_all),
        cmocka_unit_test(sums_over_pairs_are_lambda_L),
        cmocka_unit_test(slow_slopes_are_those_of_finite_differences),
        cmocka_unit_test(tolerances_are_those_of_an_added_latency),
        cmocka_unit_test(what_has_no_parameters_is_refused),
        cmocka_unit_test(a_schedule_without_messages_has_no_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
