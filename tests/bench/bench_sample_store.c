/* What recording one sample costs: in the store of impactb, and an empty loop. */
#include "bench/impact/impact_run.h"
#include "core/clock.h"

#include <stdio.h>

enum { N = 10000000, ROUNDS = 5 };

/* A different value each time, and nothing that the compiler can leave out. */
static double value_of(int i)
{
    return 1e-6 * (double)(1 + ((uint32_t)i * UINT32_C(2654435761) >> 12));
}

static double time_loop(void)
{
    volatile double sink;
    double start_s = ct_clock_now_s();
    for (int i = 0; i < N; i++)
        sink = value_of(i);
    (void)sink;
    return ct_clock_now_s() - start_s;
}

static double time_store(void)
{
    struct ct_impact_result result = {0};
    double start_s = ct_clock_now_s();
    for (int i = 0; i < N; i++) {
        struct ct_sample sample = {.t_s = i, .latency_s = value_of(i), .pair = 3};
        if (ct_impact_record(&result, sample) != CT_OK)
            return -1;
    }
    double duration_s = ct_clock_now_s() - start_s;
    ct_impact_result_free(&result);
    return duration_s;
}

static void print_best(const char *name, double (*measure)(void), double loop_s)
{
    double best_s = measure();
    for (int round = 1; round < ROUNDS; round++) {
        double duration_s = measure();
        best_s = duration_s < best_s ? duration_s : best_s;
    }
    printf("%-28s %7.2f ns a sample, %5.1f times the empty loop\n", name, best_s / N * 1e9,
           best_s / loop_s);
}

int main(void)
{
    double loop_s = time_loop();
    for (int round = 1; round < ROUNDS; round++) {
        double duration_s = time_loop();
        loop_s = duration_s < loop_s ? duration_s : loop_s;
    }
    printf("%d samples, best of %d rounds\n", N, ROUNDS);
    print_best("empty loop", time_loop, loop_s);
    print_best("sample store of impactb", time_store, loop_s);
    return 0;
}
