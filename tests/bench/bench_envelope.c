/*
 * Speed of the exact solution: halo-plus-allreduce schedules of 10^5, 10^6 and 10^7 operations; the
 * solution of one of them by Clp in the same run. Prints ratios and asserts nothing about them.
 *
 *     bench_envelope [OPERATIONS_FOR_CLP [LARGEST]]    (1000000, 10000000; 0: without Clp)
 */
#include "core/clock.h"
#include "core/units.h"
#include "halo_schedule.h"
#include "lp-bridge/envelope/envelope.h"
#include "lp-bridge/lp/lp.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 9, N_SIDE = 16 };

static const struct ct_loggps model = {.o_ns = 5000, .L_ns = 3000, .G_ns_per_byte = 0.018};
static const double lo_ns = 3000, hi_ns = 103000;

static void must(enum ct_status status, const struct ct_error *err)
{
    if (status == CT_OK)
        return;
    fprintf(stderr, "bench_envelope: %s\n", err->text);
    exit(1);
}

/* Resident memory now, or its highest value since reset_peak(); bytes, NaN where /proc is not. */
static double resident_bytes(const char *key)
{
    char line[256];
    double kib = NAN;
    FILE *in = fopen("/proc/self/status", "r");
    while (in && fgets(line, sizeof line, in))
        if (!strncmp(line, key, strlen(key)))
            kib = strtod(line + strlen(key) + 1, NULL);
    if (in)
        fclose(in);
    return kib * 1024;
}

static void reset_peak(void)
{
    FILE *out = fopen("/proc/self/clear_refs", "w");
    if (out) {
        fputs("5", out);
        fclose(out);
    }
}

struct result {
    double n, edges, build_s, compile_s, pass_s, pass8_s;
    double envelope_s, search_s, search1_s; /* with compiling; without; without, on one thread */
    double graph_bytes, peak_bytes;
    size_t breakpoints, points;
    struct ct_line line;
};

/* Best of several walks through the graph, for n latencies at once. */
static double time_walk(const struct ct_evaluator *evaluator, size_t n, struct ct_line *line_p)
{
    struct ct_error err;
    struct ct_line lines[CT_EVALUATOR_LANES];
    double t[CT_EVALUATOR_LANES], best_s = INFINITY;
    for (size_t i = 0; i < n; i++)
        t[i] = lo_ns + 1000 * (double)i;
    for (int round = 0; round < ROUNDS; round++) {
        double start_s = ct_clock_now_s();
        must(ct_evaluator_lines(evaluator, t, n, 1, lines, &err), &err);
        best_s = fmin(best_s, ct_clock_now_s() - start_s);
    }
    *line_p = lines[0];
    return best_s;
}

/* What `crosstalk tolerance --pieces` does once the graph is there, with its memory. */
static void time_envelope(const struct ct_graph *graph, unsigned threads, struct result *r)
{
    struct ct_plane plane = ct_plane_of_latency(model);
    struct ct_error err;
    struct ct_evaluator *evaluator;
    struct ct_envelope envelope;
    double before = resident_bytes("VmRSS:"), start_s = ct_clock_now_s();
    reset_peak();
    must(ct_evaluator_compile(graph, &plane, &evaluator, &err), &err);
    r->compile_s = ct_clock_now_s() - start_s;
    must(ct_envelope_find(evaluator, lo_ns, hi_ns, threads, &envelope, &err), &err);
    r->envelope_s = ct_clock_now_s() - start_s;
    r->search_s = r->envelope_s - r->compile_s;
    r->peak_bytes = resident_bytes("VmHWM:") - before + r->graph_bytes;
    r->breakpoints = envelope.n - 1;
    r->points = envelope.points;
    r->pass_s = time_walk(evaluator, 1, &r->line);
    r->pass8_s = time_walk(evaluator, CT_EVALUATOR_LANES, &r->line);
    ct_envelope_free(&envelope);
    start_s = ct_clock_now_s();
    must(ct_envelope_find(evaluator, lo_ns, hi_ns, 1, &envelope, &err), &err);
    r->search1_s = ct_clock_now_s() - start_s;
    ct_envelope_free(&envelope);
    ct_evaluator_free(evaluator);
}

static struct result measure(uint64_t n_operations, unsigned threads, struct ct_graph *graph_p)
{
    const struct ct_graph_options options = {.eager_max_bytes = SIZE_MAX};
    struct ct_error err;
    struct ct_goal goal;
    must(make_halo_schedule(n_operations, N_SIDE, &goal, &err), &err);
    double start_s = ct_clock_now_s();
    must(ct_graph_build(&goal, &options, graph_p, &err), &err);
    struct result r = {.n = graph_p->n_vertices,
                       .edges = graph_p->n_edges,
                       .build_s = ct_clock_now_s() - start_s,
                       .graph_bytes = (double)ct_graph_bytes(graph_p)};
    ct_goal_free(&goal);
    malloc_trim(0);
    time_envelope(graph_p, threads, &r);
    return r;
}

static void print_result(const struct result *r, const struct result *smallest)
{
    printf("%9.0f %10.0f %9.1f %9.1f %8.2f %8.2f %9.1f %8.2f %7zu %7zu %8.1f %8.1f %8.2f\n", r->n,
           r->edges, 1e3 * r->build_s, 1e3 * r->compile_s, 1e3 * r->pass_s, 1e3 * r->pass8_s,
           1e3 * r->envelope_s, r->search1_s / r->search_s, r->breakpoints, r->points,
           r->graph_bytes / r->n, r->peak_bytes / r->n,
           r->pass_s / r->n / (smallest->pass_s / smallest->n));
}

/* The same T by linear programming. */
static void compare_with_clp(const struct ct_graph *graph, const struct result *r)
{
    struct ct_error err;
    struct ct_lp lp;
    struct ct_lp_solution solution;
    must(ct_lp_build(graph, model.o_ns, &lp, &err), &err);
    printf("\nClp, %.0f operations: %d rows, %d columns\n", r->n, lp.n_rows, lp.n_columns);
    fflush(stdout);
    double start_s = ct_clock_now_s();
    must(ct_lp_solve(&lp, model.L_ns, model.G_ns_per_byte, &solution, &err), &err);
    double clp_s = ct_clock_now_s() - start_s, T_ns = ct_line_at(r->line, model.L_ns);
    printf("Clp, one L             %10.2f s   T = %.9g ns, lambda_L = %g\n", clp_s,
           solution.runtime_ns, solution.lambda_L);
    printf("one pass, the same L   %10.4f s   T = %.9g ns, lambda_L = %g; differs by %.1e\n",
           r->pass_s, T_ns, r->line.slope, fabs(solution.runtime_ns / T_ns - 1));
    printf("Clp / one pass         %10.0f     (target: 1000 or more)\n", clp_s / r->pass_s);
    printf("Clp / whole envelope   %10.1f     (target: 30 or more, aim: 100)\n",
           clp_s / r->envelope_s);
    ct_lp_free(&lp);
}

int main(int argc, char **argv)
{
    static const uint64_t sizes[] = {100000, 1000000, 10000000};
    uint64_t clp_size = 1000000, largest = 10000000;
    struct ct_error err;
    struct result smallest = {0};
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned threads = processors > 0 ? (unsigned)processors : 1;
    if (argc > 1)
        must(ct_parse_u64(argv[1], &clp_size, &err), &err);
    if (argc > 2)
        must(ct_parse_u64(argv[2], &largest, &err), &err);
    printf(
        "T(L) over %g..%g us; pass: one L, one thread, best of %d; 8 L: in one pass; envelope: "
        "with compiling, %u threads; speedup: of its search over one thread; ns ratio: of a pass, "
        "for each vertex, to the smallest (target: 2 or less); peak B: for each vertex (target: 64 "
        "or less)\n",
        lo_ns * 1e-3, hi_ns * 1e-3, ROUNDS, threads);
    printf("%9s %10s %9s %9s %8s %8s %9s %8s %7s %7s %8s %8s %8s\n", "vertices", "edges",
           "build ms", "comp. ms", "pass ms", "8 L ms", "envel. ms", "speedup", "breaks", "points",
           "graph B", "peak B", "ns ratio");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && sizes[i] <= largest; i++) {
        struct ct_graph graph;
        struct result r = measure(sizes[i], threads, &graph);
        if (i == 0)
            smallest = r;
        print_result(&r, &smallest);
        fflush(stdout);
        if (sizes[i] == clp_size)
            compare_with_clp(&graph, &r);
        ct_graph_free(&graph);
        malloc_trim(0);
    }
    return 0;
}
