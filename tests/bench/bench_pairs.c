/*
 * What sensitivities of pairs cost: T and lambda_ij of all pairs, in 64 classes, of the halo
 * schedule of 998,400 operations, against one plain pass, which gives T and lambda_L for one L.
 * Both on what was compiled before, then both with compiling. Prints ratios and asserts nothing
 * about them.
 *
 *     bench_pairs [OPERATIONS]    (1000000)
 */
#include "core/clock.h"
#include "core/units.h"
#include "halo_schedule.h"
#include "lp-bridge/envelope/pairs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 15, N_SIDE = 16, N_RANKS = N_SIDE * N_SIDE, CLASSES = 64 };

static const struct ct_loggps model = {.o_ns = 5000, .L_ns = 3000, .G_ns_per_byte = 0.018};

static void must(enum ct_status status, const struct ct_error *err)
{
    if (status == CT_OK)
        return;
    fprintf(stderr, "bench_pairs: %s\n", err->text);
    exit(1);
}

/* Classes as of ways through a network: by the distance of the ranks in the grid. */
static struct ct_pairs make_pairs(void)
{
    struct ct_pairs pairs = {.n_places = N_RANKS, .ranks_per_place = 1, .n_classes = CLASSES};
    pairs.class_of = malloc(sizeof *pairs.class_of * N_RANKS * N_RANKS);
    pairs.classes = malloc(sizeof *pairs.classes * CLASSES);
    if (!pairs.class_of || !pairs.classes) {
        fputs("bench_pairs: out of memory\n", stderr);
        exit(1);
    }
    for (uint32_t from = 0; from < N_RANKS; from++)
        for (uint32_t to = 0; to < N_RANKS; to++)
            pairs.class_of[from * N_RANKS + to] = (from / 4 * 7 + (from ^ to)) % CLASSES;
    for (uint32_t c = 0; c < CLASSES; c++)
        pairs.classes[c] = (struct ct_loggps){model.o_ns, model.L_ns + 37.0 * c,
                                              model.G_ns_per_byte * (1 + c / 64.0)};
    return pairs;
}

struct times {
    double plain_compile_s, plain_pass_s, compile_s, pass_s;
};

static double since(double start_s)
{
    return ct_clock_now_s() - start_s;
}

/* Alternately, so that both meet the same machine. */
static void measure(const struct ct_evaluator *plain, const struct ct_pair_evaluator *evaluator,
                    struct times *times)
{
    struct ct_error err;
    times->plain_pass_s = times->pass_s = INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        struct ct_pair_sensitivity found;
        struct ct_line line;
        double start_s = ct_clock_now_s();
        must(ct_evaluator_lines(plain, &model.L_ns, 1, 1, &line, &err), &err);
        times->plain_pass_s = fmin(times->plain_pass_s, since(start_s));
        start_s = ct_clock_now_s();
        must(ct_pair_sensitivity_find(evaluator, 0, &found, &err), &err);
        times->pass_s = fmin(times->pass_s, since(start_s));
        ct_pair_sensitivity_free(&found);
    }
}

static void print_sums(const struct ct_pair_evaluator *evaluator)
{
    struct ct_error err;
    struct ct_pair_sensitivity found;
    double sum = 0;
    uint32_t on_path = 0;
    must(ct_pair_sensitivity_find(evaluator, 0, &found, &err), &err);
    for (uint32_t c = 0; c < found.n_classes; c++) {
        sum += found.classes[c].latencies;
        on_path += found.classes[c].latencies > 0;
    }
    printf(
        "T = %.9g ns, lambda_L = %g; sum over %zu pairs in %d classes: %g (%u of the classes are "
        "on the path)\n",
        found.runtime_ns, found.between.latencies, found.n_pairs, CLASSES, sum, on_path);
    ct_pair_sensitivity_free(&found);
}

int main(int argc, char **argv)
{
    const struct ct_graph_options options = {.eager_max_bytes = SIZE_MAX, .peers = true};
    struct ct_pairs pairs = make_pairs();
    uint64_t n_operations = 1000000;
    struct ct_error err;
    struct ct_goal goal;
    struct ct_graph graph;
    struct times times;
    if (argc > 1)
        must(ct_parse_u64(argv[1], &n_operations, &err), &err);
    must(make_halo_schedule(n_operations, N_SIDE, &goal, &err), &err);
    must(ct_graph_build(&goal, &options, &graph, &err), &err);
    ct_goal_free(&goal);

    struct ct_plane plane = ct_plane_of_latency(model);
    struct ct_evaluator *plain;
    struct ct_pair_evaluator *evaluator;
    double start_s = ct_clock_now_s();
    must(ct_evaluator_compile(&graph, &plane, &plain, &err), &err);
    times.plain_compile_s = since(start_s);
    start_s = ct_clock_now_s();
    must(ct_pair_evaluator_new(&graph, &pairs, &evaluator, &err), &err);
    times.compile_s = since(start_s);
    measure(plain, evaluator, &times);

    printf("%u vertices, %u edges, %d classes of pairs; passes: best of %d\n", graph.n_vertices,
           graph.n_edges, CLASSES, ROUNDS);
    print_sums(evaluator);
    struct ct_evaluator_size of_plain = ct_evaluator_size(plain);
    struct ct_evaluator_size of_pairs = ct_evaluator_size(ct_pair_evaluator_added(evaluator));
    printf("folded: %zu joins with %zu edges; with pairs, where fewer edges are below others: %zu "
           "with %zu\n",
           of_plain.joins, of_plain.edges, of_pairs.joins, of_pairs.edges);
    printf("                                plain ms   pairs ms   ratio\n");
    printf("T and all sensitivities, pass %10.2f %10.2f %7.2f   (target: 2 or less)\n",
           1e3 * times.plain_pass_s, 1e3 * times.pass_s, times.pass_s / times.plain_pass_s);
    printf("with compiling                %10.1f %10.1f %7.2f\n",
           1e3 * (times.plain_compile_s + times.plain_pass_s),
           1e3 * (times.compile_s + times.pass_s),
           (times.compile_s + times.pass_s) / (times.plain_compile_s + times.plain_pass_s));
    ct_pair_evaluator_free(evaluator);
    ct_evaluator_free(plain);
    ct_graph_free(&graph);
    ct_pairs_free(&pairs);
    return 0;
}
