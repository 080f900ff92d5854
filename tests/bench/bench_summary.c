/*
 * Speed of summarising a probe series (model/probe/probe.h), against a plain loop that adds up the
 * same array in the same run.
 *
 *     bench_summary [SAMPLES]
 */
#include "core/clock.h"
#include "core/units.h"
#include "model/probe/probe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 7, RUN_SAMPLES = 100000 };

static void stop(const char *what)
{
    fprintf(stderr, "bench_summary: %s\n", what);
    exit(1);
}

/* Latencies as a probe sees them: a floor, noise, and bursts with a queue. */
static void fill(double *x_s, size_t n)
{
    uint64_t state = 88172645463325252U;
    for (size_t i = 0; i < n; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        double u = ((double)(state >> 11) + 0.5) / 9007199254740992.0;
        x_s[i] = 20e-6 - (i / 50 % 2 ? 400e-6 : 5e-6) * log(u);
    }
}

/* The barrier keeps the loop from being moved out of the rounds. */
static double sum_of(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    __asm__ volatile("" : : "g"(&sum) : "memory");
    return sum;
}

static void summarize(const struct ct_series *runs, size_t n_runs)
{
    struct ct_probe_grid grid;
    if (ct_probe_grid_over(runs, n_runs, &grid) != CT_OK)
        stop("no grid");
    for (size_t r = 0; r < n_runs; r++) {
        struct ct_probe_summary summary;
        const size_t end = runs[r].n;
        if (ct_probe_summarize(runs[r], (struct ct_runs){&end, 1}, &grid, &summary) != CT_OK)
            stop("no summary");
        ct_probe_summary_free(&summary);
    }
}

int main(int argc, char **argv)
{
    uint64_t n = 10000000;
    struct ct_error err;
    if (argc > 1 && (ct_parse_u64(argv[1], &n, &err) != CT_OK || n < RUN_SAMPLES))
        stop("the number of samples is 100000 or more");
    size_t n_runs = n / RUN_SAMPLES;
    double *x_s = malloc(n * sizeof *x_s), best_s[2] = {INFINITY, INFINITY}, sum = 0;
    struct ct_series *runs = malloc(n_runs * sizeof *runs);
    if (!x_s || !runs)
        stop("out of memory");
    fill(x_s, n);
    for (size_t r = 0; r < n_runs; r++)
        runs[r] = (struct ct_series){x_s + r * RUN_SAMPLES, RUN_SAMPLES};
    for (int round = 0; round < ROUNDS; round++) {
        double start_s = ct_clock_now_s();
        sum += sum_of(x_s, n_runs * RUN_SAMPLES);
        double middle_s = ct_clock_now_s();
        summarize(runs, n_runs);
        best_s[0] = fmin(best_s[0], middle_s - start_s);
        best_s[1] = fmin(best_s[1], ct_clock_now_s() - middle_s);
    }
    double samples = (double)(n_runs * RUN_SAMPLES);
    printf("%zu runs of %d samples, mean %.1f us, best of %d rounds\n"
           "adding up    %6.1f million samples/s\n"
           "summarising  %6.1f million samples/s, %.3f of that\n",
           n_runs, RUN_SAMPLES, 1e6 * sum / ROUNDS / samples, ROUNDS, samples / best_s[0] / 1e6,
           samples / best_s[1] / 1e6, best_s[0] / best_s[1]);
    free(runs);
    free(x_s);
    return 0;
}
