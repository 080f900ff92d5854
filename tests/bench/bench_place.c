/*
 * What a placement of 256 ranks takes: the halo schedule of 998,400 operations, in two dimensions
 * and in three, on a dragonfly with one rank on a node, and on a fat tree with eight. Prints the
 * time of everything after reading (target: 60 s on two cores), what one evaluation of T takes
 * against one plain pass, and T of all mappings. Asserts nothing about these.
 *
 *     bench_place [OPERATIONS]    (1000000)
 */
#include "core/clock.h"
#include "core/units.h"
#include "halo_schedule.h"
#include "lp-bridge/place/compare.h"
#include "lp-bridge/place/network.h"
#include "topology/spec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 9, THREADS = 2, N_RANKS = 256 };

static const struct ct_loggps at = {.o_ns = 5000, .L_ns = 274, .G_ns_per_byte = 0.013};

static void must(enum ct_status status, const struct ct_error *err)
{
    if (status == CT_OK)
        return;
    fprintf(stderr, "bench_place: %s\n", err->text);
    exit(1);
}

static double since(double start_s)
{
    return ct_clock_now_s() - start_s;
}

/* A batch of sixteen mappings on two threads, against a plain pass for one L. */
static void measure_walks(const struct ct_graph *graph, struct ct_placer *placer)
{
    enum { BATCH = 16 };
    uint32_t mapping[N_RANKS];
    const uint32_t *mappings[BATCH];
    double T_ns[BATCH], batch_s = INFINITY, pass_s = INFINITY;
    struct ct_plane plane = ct_plane_of_latency(at);
    struct ct_evaluator *plain;
    struct ct_line line;
    struct ct_error err;
    must(ct_evaluator_compile(graph, &plane, &plain, &err), &err);
    ct_mapping_block(ct_placer_room(placer), mapping);
    for (size_t i = 0; i < BATCH; i++)
        mappings[i] = mapping;
    for (int round = 0; round < ROUNDS; round++) {
        double start_s = ct_clock_now_s();
        ct_placer_runtimes(placer, mappings, BATCH, T_ns);
        batch_s = fmin(batch_s, since(start_s));
        start_s = ct_clock_now_s();
        must(ct_evaluator_lines(plain, &at.L_ns, 1, 1, &line, &err), &err);
        pass_s = fmin(pass_s, since(start_s));
    }
    struct ct_placer_size size = ct_placer_size(placer);
    printf("  %zu joins, %zu edges, %zu costs of pairs; T of a mapping: %.2f ms, %.2f of a plain "
           "pass (%.2f ms)\n",
           size.joins, size.edges, size.terms, 1e3 * batch_s / BATCH, batch_s / BATCH / pass_s,
           1e3 * pass_s);
    ct_evaluator_free(plain);
}

static void place(const struct ct_goal *goal, const char *name, const char *network,
                  uint32_t ranks_per_node)
{
    const struct ct_graph_options options = {.eager_max_bytes = SIZE_MAX};
    const struct ct_place_search search = {.seed = 1};
    struct ct_topology_settings settings = ct_topology_defaults();
    struct ct_topology topology;
    struct ct_graph graph;
    struct ct_pairs pairs;
    struct ct_placer *placer;
    struct ct_place_result found;
    struct ct_error err;
    double start_s = ct_clock_now_s();
    settings.n_nodes = N_RANKS / ranks_per_node;
    must(ct_graph_build(goal, &options, &graph, &err), &err);
    must(ct_topology_make(network, &settings, &topology, &err), &err);
    const struct ct_wires_setup setup = {.topology = &topology,
                                         .ranks_per_node = ranks_per_node,
                                         .switch_ns = 108,
                                         .L_node_ns = 200,
                                         .G_node_ns_per_byte = 0.013};
    must(ct_place_network(&setup, &at, NULL, 0, &pairs, &err), &err);
    must(ct_placer_new(&graph, &pairs, THREADS, &placer, &err), &err);
    double made_s = since(start_s);
    must(ct_place_compare(placer, &search, NULL, NULL, &found, &err), &err);
    double all_s = since(start_s);
    printf("%s on %s, %u ranks a node: %u vertices\n", name, network, ranks_per_node,
           graph.n_vertices);
    printf("  %.1f s, of which %.1f s to make it ready; %zu evaluations by the search\n", all_s,
           made_s, found.evaluations);
    printf("  T ms: block %.3f, round robin %.3f, random %.3f, by volume %.3f, found %.3f, none "
           "below %.3f\n",
           1e-6 * found.block_ns, 1e-6 * found.round_robin_ns, 1e-6 * found.random_mean_ns,
           1e-6 * found.volume_ns, 1e-6 * found.after_ns, 1e-6 * found.bound_ns);
    measure_walks(&graph, placer);
    ct_place_result_free(&found);
    ct_placer_free(placer);
    ct_pairs_free(&pairs);
    ct_topology_free(&topology);
    ct_graph_free(&graph);
}

int main(int argc, char **argv)
{
    static const uint32_t sides[3] = {8, 8, 4};
    uint64_t n_operations = 1000000;
    struct ct_error err;
    struct ct_goal flat, solid;
    if (argc > 1)
        must(ct_parse_u64(argv[1], &n_operations, &err), &err);
    must(make_halo_schedule(n_operations, 16, &flat, &err), &err);
    must(make_halo_schedule_3d(n_operations, sides, &solid, &err), &err);
    place(&flat, "halo 16x16", "dragonfly:8,4,8", 1);
    place(&solid, "halo 8x8x4", "dragonfly:8,4,8", 1);
    place(&solid, "halo 8x8x4", "tree:4x8", 8);
    ct_goal_free(&flat);
    ct_goal_free(&solid);
    return 0;
}
