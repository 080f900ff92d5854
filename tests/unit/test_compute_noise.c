/* Intervals of T from the noise of computing: on sums and maxima whose moments are known. */
#include "goal_example.h"
#include "study/compute_noise.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>

enum { PASSES = 200, SHORT_NS = 100000, LONG_NS = 300000 };
static const struct ct_loggps network = {.o_ns = 10, .L_ns = 100, .G_ns_per_byte = 2};
static const double message_ns = 10 + 100 + 6 + 10;
static const double frac[] = {0.01, 0.5};

/* Ranks compute for a short or a long time, as thrown, and send 4 B in a ring, in each pass. */
static struct ct_graph ring(uint32_t n_ranks, uint32_t n_durations, double *T_ns_p)
{
    char *text = NULL;
    size_t size = 0;
    uint64_t die = 7, *longest_ns = calloc(PASSES, sizeof *longest_ns);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_non_null(longest_ns);
    fprintf(out, "num_ranks %u\n", n_ranks);
    for (uint32_t rank = 0; rank < n_ranks; rank++) {
        fprintf(out, "rank %u {\n", rank);
        for (int pass = 0; pass < PASSES; pass++) {
            uint64_t ns = throw_die(&die, n_durations) == 0 ? SHORT_NS : LONG_NS;
            longest_ns[pass] = ns > longest_ns[pass] ? ns : longest_ns[pass];
            fprintf(out, "c%d: calc %llu\ns%d: send 4b to %u tag 0\nr%d: recv 4b from %u tag 0\n",
                    pass, (unsigned long long)ns, pass, (rank + 1) % n_ranks, pass,
                    (rank + n_ranks - 1) % n_ranks);
            fprintf(out, "s%d requires c%d\nr%d requires c%d\n", pass, pass, pass, pass);
            if (pass > 0)
                fprintf(out, "c%d requires r%d\nc%d requires s%d\n", pass, pass - 1, pass,
                        pass - 1);
        }
        fputs("}\n", out);
    }
    fclose(out);
    *T_ns_p = 0;
    for (int pass = 0; pass < PASSES; pass++)
        *T_ns_p += (double)longest_ns[pass] + message_ns;
    struct ct_graph graph = graph_of_text(text, &eager);
    free(text);
    free(longest_ns);
    return graph;
}

static struct ct_compute_noise noise_of(const struct ct_graph *graph, uint64_t seed,
                                        struct ct_interval *tolerance_ns)
{
    struct ct_compute_noise noise;
    const struct ct_compute_noise_query query = {
        .at = network, .longer_frac = frac, .n = 2, .level = 0.9, .seed = seed, .threads = 1};
    assert_int_equal(ct_compute_noise_find(graph, &query, &noise, tolerance_ns, NULL), CT_OK);
    return noise;
}

static void equal_durations_have_no_noise(void **state)
{
    (void)state;
    double T_ns;
    struct ct_interval tolerance_ns[2];
    struct ct_graph graph = ring(2, 1, &T_ns);
    const struct ct_compute_noise noise = noise_of(&graph, 1, tolerance_ns);
    assert_int_equal(noise.n_draws, 0);
    assert_true(isnan(noise.runtime_ns.lo) && isnan(tolerance_ns[0].lo));
    ct_graph_free(&graph);
}

/* Of two ranks a pass takes the longer of two durations: 250 us on average, and 200 if each were
 * the mean, of which 200 passes have a standard deviation of sqrt(200 * 3 / 16) * 200 us. */
static void ranks_wait_for_the_slowest(void **state)
{
    (void)state;
    double T_ns, deviation_ns = sqrt(PASSES * 3. / 16) * (LONG_NS - SHORT_NS);
    struct ct_interval tolerance_ns[2];
    struct ct_graph graph = ring(2, 2, &T_ns);
    const struct ct_compute_noise noise = noise_of(&graph, 1, tolerance_ns);
    assert_int_equal(noise.n_draws, 200);
    assert_true(noise.drawn_frac > 0.9);
    assert_near(noise.mean_ns, T_ns, 0.01 * T_ns);
    assert_near(noise.quiet_ns, PASSES * ((SHORT_NS + LONG_NS) / 2. + message_ns), 0.05 * T_ns);
    assert_true(noise.quiet_ns < 0.9 * T_ns);
    assert_near(noise.runtime_ns.hi - noise.runtime_ns.lo, 2 * 1.645 * sqrt(2) * deviation_ns,
                0.6 * sqrt(2) * deviation_ns);
    assert_true(noise.runtime_ns.lo < T_ns && T_ns < noise.runtime_ns.hi);
    /* Half as long again: a latency on each of the longest paths, one a pass. */
    double added_ns = frac[1] * T_ns / PASSES;
    assert_true(tolerance_ns[1].lo < tolerance_ns[1].hi);
    assert_near((tolerance_ns[1].lo + tolerance_ns[1].hi) / 2, added_ns, 0.3 * added_ns);
    assert_true(tolerance_ns[0].lo > frac[0] * noise.quiet_ns / PASSES);
    ct_graph_free(&graph);
}

static void slow_draws_follow_the_seed(void **state)
{
    (void)state;
    double T_ns;
    struct ct_interval tolerance_ns[2];
    struct ct_graph graph = ring(2, 2, &T_ns);
    const struct ct_compute_noise noise = noise_of(&graph, 1, tolerance_ns),
                                  again = noise_of(&graph, 1, tolerance_ns),
                                  other = noise_of(&graph, 2, tolerance_ns);
    assert_memory_equal(&again, &noise, sizeof noise);
    assert_true(other.mean_ns < noise.mean_ns || other.mean_ns > noise.mean_ns);
    assert_near(other.quiet_ns, noise.quiet_ns, 0);
    ct_graph_free(&graph);
}

/* A sum of means is the mean of sums: one rank waits for nobody. */
static void one_rank_waits_for_nobody(void **state)
{
    (void)state;
    double T_ns;
    struct ct_interval tolerance_ns[2];
    struct ct_graph graph = ring(1, 2, &T_ns);
    T_ns -= PASSES * (message_ns - 20); /* to itself without the network */
    const struct ct_compute_noise noise = noise_of(&graph, 3, tolerance_ns);
    assert_near(noise.quiet_ns, T_ns, PASSES);
    assert_near(noise.mean_ns, T_ns, 0.01 * T_ns);
    assert_true(isinf(tolerance_ns[0].lo) && isinf(tolerance_ns[0].hi));
    ct_graph_free(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equal_durations_have_no_noise),
                                       cmocka_unit_test(ranks_wait_for_the_slowest),
                                       cmocka_unit_test(slow_draws_follow_the_seed),
                                       cmocka_unit_test(one_rank_waits_for_nobody)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
