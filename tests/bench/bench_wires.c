/*
 * Two networks for one program, as in LLAMP's Fig. 12: 256 nodes that exchange halos in three
 * dimensions and sum up by recursive doubling, on a fat tree and on a dragonfly, with the paper's
 * parameters of 256 nodes. Prints T, wires and switches on the critical path, and the largest
 * latency of a wire for 1, 2 and 5 % more run time.
 */
#include "halo_schedule.h"
#include "lp-bridge/envelope/envelope.h"
#include "lp-bridge/envelope/wires.h"
#include "topology/spec.h"

#include <stdio.h>
#include <stdlib.h>

enum { OPERATIONS = 1000000, THRESHOLDS = 3 };

static void must(enum ct_status status, const struct ct_error *err)
{
    if (status == CT_OK)
        return;
    fprintf(stderr, "bench_wires: %s\n", err->text);
    exit(1);
}

static void compare(const struct ct_graph *graph, const char *text)
{
    const struct ct_loggps at = {.o_ns = 6030, .L_ns = 274, .G_ns_per_byte = 0.013};
    const double more[THRESHOLDS] = {1.01, 1.02, 1.05};
    struct ct_topology_settings settings = ct_topology_defaults();
    struct ct_topology topology;
    struct ct_wires_setup setup = {.topology = &topology, .ranks_per_node = 1, .switch_ns = 108};
    struct ct_wires *wires;
    struct ct_wires_plane plane;
    struct ct_evaluator *evaluator;
    struct ct_sensitivity found;
    struct ct_envelope envelope;
    double limits[THRESHOLDS], largest[THRESHOLDS];
    struct ct_error err;
    must(ct_topology_make(text, &settings, &topology, &err), &err);
    must(ct_wires_new(&setup, graph, &wires, &err), &err);
    ct_wires_plane(wires, &at, CT_WIRES_LATENCY, CT_WIRES_FIXED, &plane);
    must(ct_evaluator_compile(graph, &plane.plane, &evaluator, &err), &err);
    must(ct_sensitivity_at(evaluator, at.L_ns, 1, &found, &err), &err);
    for (size_t i = 0; i < THRESHOLDS; i++)
        limits[i] = more[i] * found.runtime_ns;
    must(ct_tolerance_find(evaluator, at.L_ns, limits, THRESHOLDS, 1, largest, &err), &err);
    must(ct_envelope_find(evaluator, 274, 424, 1, &envelope, &err), &err);
    const struct ct_segment *last = &envelope.segments[envelope.n - 1];
    struct ct_wires_hops hops = ct_wires_hops(wires);
    printf("%-16s %7.2f %8.2f %10.0f %8.0f %8.0f %8.0f   %+.3f\n", text, hops.mean,
           found.runtime_ns * 1e-6, found.line.slope, largest[0], largest[1], largest[2],
           100 * (ct_line_at(last->line, last->hi) / found.runtime_ns - 1));
    ct_envelope_free(&envelope);
    ct_evaluator_free(evaluator);
    ct_wires_free(wires);
    ct_topology_free(&topology);
}

int main(void)
{
    const struct ct_graph_options options = {.eager_max_bytes = 256 * 1024};
    const uint32_t sides[3] = {8, 8, 4};
    struct ct_goal goal;
    struct ct_graph graph;
    struct ct_error err;
    must(make_halo_schedule_3d(OPERATIONS, sides, &goal, &err), &err);
    must(ct_graph_build(&goal, &options, &graph, &err), &err);
    printf(
        "%u ranks, %u operations; l_wire 274 ns, d_switch 108 ns, o 6.03 us, G 0.013 ns\n"
        "network          switches   T (ms)     lambda   largest l_wire (ns)         T at 424 ns\n"
        "                  (mean)             wire      1 %%      2 %%      5 %%       longer "
        "(%%)\n",
        graph.n_ranks, graph.n_operations);
    compare(&graph, "fat-tree:16x3");
    compare(&graph, "dragonfly:8,4,8");
    ct_graph_free(&graph);
    ct_goal_free(&goal);
    return 0;
}
