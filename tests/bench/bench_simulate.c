/*
 * Simulation of one program on several networks: 64 nodes that exchange halos and sum up by
 * recursive doubling, on one switch, on the same switch as a topology, and on trees. Prints the
 * time of each as a ratio to the first.
 */
#include "core/clock.h"
#include "halo_schedule.h"
#include "simulate/simulate.h"
#include "topology/spec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { OPERATIONS = 100000, SIDE = 8, NODES = SIDE * SIDE, RUNS = 3 };

static const struct ct_loggps at = {.o_ns = 600, .L_ns = 1000, .G_ns_per_byte = 0.08};

static void must(enum ct_status status, const struct ct_error *err)
{
    if (status == CT_OK)
        return;
    fprintf(stderr, "bench_simulate: %s\n", err->text);
    exit(1);
}

static struct ct_simulate_paths paths_of(const char *text)
{
    struct ct_topology_settings settings = ct_topology_defaults();
    struct ct_topology topology;
    struct ct_simulate_paths paths;
    struct ct_error err;
    uint32_t nodes[NODES];
    must(ct_topology_make(text, &settings, &topology, &err), &err);
    for (uint32_t i = 0; i < NODES; i++)
        nodes[i] = i;
    const struct ct_simulate_paths_setup setup = {.topology = &topology,
                                                  .nodes = nodes,
                                                  .n_nodes = NODES,
                                                  .ns_per_byte = at.G_ns_per_byte,
                                                  .wire_ns = NAN,
                                                  .switch_ns = NAN};
    must(ct_simulate_paths_of_topology(&setup, &paths, &err), &err);
    ct_topology_free(&topology);
    return paths;
}

/* The fastest of some runs, s. */
static double time_s(const struct ct_simulate_program *program,
                     const struct ct_simulate_setup *setup, double *pass_ns_p)
{
    const double begin_ns = 0;
    double least_s = INFINITY;
    struct ct_error err;
    for (int i = 0; i < RUNS; i++) {
        double start_s = ct_clock_now_s();
        must(ct_simulate_run(&program, 1, &begin_ns, setup, pass_ns_p, NULL, &err), &err);
        least_s = fmin(least_s, ct_clock_now_s() - start_s);
    }
    return least_s;
}

int main(void)
{
    static const struct {
        const char *name, *topology; /* NULL: one switch without one */
        enum ct_links_order order;
    } networks[] = {{"one switch", NULL, CT_LINKS_ROUND_ROBIN},
                    {"switch:64", "switch:64", CT_LINKS_ROUND_ROBIN},
                    {"tree:4x16,16", "tree:4x16,16", CT_LINKS_ROUND_ROBIN},
                    {"tree:4x16,4", "tree:4x16,4", CT_LINKS_ROUND_ROBIN},
                    {"tree:4x16,4 fifo", "tree:4x16,4", CT_LINKS_FIFO}};
    const struct ct_graph_options options = {.eager_max_bytes = 256 * 1024};
    const struct ct_simulate_place place = ct_simulate_blocks(1);
    struct ct_simulate_setup setup = ct_simulate_usual(at.G_ns_per_byte);
    struct ct_goal goal;
    struct ct_graph graph;
    struct ct_simulate_program *program;
    struct ct_error err;
    double first_s = 0;
    setup.work_max = UINT64_MAX;
    must(make_halo_schedule(OPERATIONS, SIDE, &goal, &err), &err);
    must(ct_graph_build(&goal, &options, &graph, &err), &err);
    must(ct_simulate_program_new(&graph, &at, &place, &program, &err), &err);
    printf("%u ranks, %u operations\nnetwork           pass (ms)  time, of the first\n",
           graph.n_ranks, graph.n_operations);
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        struct ct_simulate_paths paths = {0};
        double pass_ns;
        if (networks[i].topology)
            paths = paths_of(networks[i].topology);
        setup.paths = networks[i].topology ? &paths : NULL;
        setup.queues.order = networks[i].order;
        double taken_s = time_s(program, &setup, &pass_ns);
        first_s = i == 0 ? taken_s : first_s;
        printf("%-16s %10.2f %19.2f\n", networks[i].name, pass_ns * 1e-6, taken_s / first_s);
        ct_simulate_paths_free(&paths);
    }
    ct_simulate_program_free(program);
    ct_graph_free(&graph);
    ct_goal_free(&goal);
    return 0;
}
