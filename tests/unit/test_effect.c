/* Run times over sampled latencies, by hand on an envelope of two pieces. */
#include "lp-bridge/envelope/effect.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

/* T = max(1500, 1115 + L) ns: the second example of the LLAMP paper. */
static struct ct_segment segments[] = {{0, 385, {1500, 0}}, {385, 1e9, {1115, 1}}};
static const struct ct_envelope envelope = {.segments = segments, .n = 2};
static const struct ct_bootstrap setup = {.replicates = 200, .level = 0.9, .seed = 5};

static double T_ns(double L_ns)
{
    return fmax(1500, 1115 + fmax(L_ns, 0));
}

static struct ct_effect effect_of(double L_ns, const struct ct_effect_probe *probe)
{
    struct ct_effect effect;
    struct ct_error err;
    assert_true(ct_effect_end_ns(L_ns, probe) < segments[1].hi);
    if (ct_effect_find(&envelope, L_ns, probe, &setup, &effect, &err) != CT_OK)
        fail_msg("%s", err.text);
    return effect;
}

static void five_latencies_by_hand(void **state)
{
    (void)state;
    const double idle[] = {9e-6, 10e-6, 11e-6}, beside[] = {12e-6, 10e-6, 14e-6, 11e-6, 13e-6};
    const struct ct_effect_probe probe = {{idle, 3}, {beside, 5}};
    struct ct_effect effect = effect_of(100, &probe);
    /* L_i = 100, 1100, 2100, 3100, 4100; T_i = 1500, 2215, 3215, 4215, 5215 ns. */
    assert_near(effect.value[CT_EFFECT_DELTA_L], 2e-6, 1e-15);
    assert_near(effect.value[CT_EFFECT_RUNTIME], 3215e-9, 1e-15);
    assert_near(effect.value[CT_EFFECT_SLOWDOWN], 3215.0 / 1500 - 1, 1e-9);
    assert_near(effect.value[CT_EFFECT_MEAN_RUNTIME], 3272e-9, 1e-15);
    assert_near(effect.value[CT_EFFECT_MEAN_SLOWDOWN], 3272.0 / 1500 - 1, 1e-9);
    const double expected_ns[CT_EFFECT_N_QUANTILES] = {
        1500 + 0.04 * 715, 1500 + 0.2 * 715, 2215, 3215, 4215, 4215 + 0.8 * 1000, 4215 + 0.96e3};
    for (size_t q = 0; q < CT_EFFECT_N_QUANTILES; q++)
        assert_near(effect.value[CT_EFFECT_QUANTILES + q], expected_ns[q] * 1e-9, 1e-15);
    assert_near(ct_effect_end_ns(100, &probe), 100 + 5000 + 1, 1e-9);
}

static void nothing_added_is_no_slowdown(void **state)
{
    (void)state;
    const double same[] = {10e-6, 10e-6, 10e-6, 10e-6};
    const struct ct_effect_probe probe = {{same, 4}, {same, 4}};
    struct ct_effect effect = effect_of(1000, &probe);
    assert_near(effect.value[CT_EFFECT_SLOWDOWN], 0, 1e-12);
    assert_near(effect.interval[CT_EFFECT_SLOWDOWN].lo, 0, 1e-12);
    assert_near(effect.interval[CT_EFFECT_SLOWDOWN].hi, 0, 1e-12);
    for (size_t q = 0; q < CT_EFFECT_N_QUANTILES; q++)
        assert_near(effect.value[CT_EFFECT_QUANTILES + q], T_ns(1000) * 1e-9, 1e-15);
}

/* Below no latency there is none, but dL is what it is. */
static void latencies_below_those_of_the_idle_network(void **state)
{
    (void)state;
    const double idle[] = {10e-6, 10e-6}, beside[] = {4e-6, 4e-6};
    const struct ct_effect_probe probe = {{idle, 2}, {beside, 2}};
    struct ct_effect effect = effect_of(1000, &probe);
    assert_near(effect.value[CT_EFFECT_DELTA_L], -6e-6, 1e-15);
    assert_near(effect.value[CT_EFFECT_RUNTIME], 1500e-9, 1e-15);
    assert_near(effect.value[CT_EFFECT_MEAN_RUNTIME], 1500e-9, 1e-15);
    assert_near(effect.value[CT_EFFECT_SLOWDOWN], 1500.0 / 2115 - 1, 1e-9);
}

static void one_latency_has_no_interval(void **state)
{
    (void)state;
    const double idle[] = {10e-6, 11e-6}, beside[] = {14.5e-6};
    const struct ct_effect_probe probe = {{idle, 2}, {beside, 1}};
    struct ct_effect effect = effect_of(100, &probe);
    assert_near(effect.value[CT_EFFECT_DELTA_L], 4e-6, 1e-15);
    assert_near(effect.value[CT_EFFECT_QUANTILES], T_ns(4100) * 1e-9, 1e-15);
    for (size_t v = 0; v < CT_EFFECT_VALUES; v++)
        assert_true(isnan(effect.interval[v].lo) && isnan(effect.interval[v].hi));
}

static double mean_difference(const struct ct_series *series, void *data)
{
    double sum[2] = {0, 0};
    (void)data;
    for (size_t s = 0; s < 2; s++)
        for (size_t i = 0; i < series[s].n; i++)
            sum[s] += series[s].x[i];
    return sum[1] / (double)series[1].n - sum[0] / (double)series[0].n;
}

/* Waves with ties, against the plain bootstrap of a difference and against sorting. */
static void many_latencies_as_done_plainly(void **state)
{
    (void)state;
    enum { N = 3000, IDLE = 500 };
    double *x = malloc(N * sizeof *x), *T = malloc(N * sizeof *T), idle[IDLE];
    assert_non_null(x);
    assert_non_null(T);
    for (size_t i = 0; i < N; i++)
        x[i] = (12 + 5 * round(10 * sin((double)i * 0.37) * cos((double)i * 0.011)) / 10) * 1e-6;
    for (size_t i = 0; i < IDLE; i++)
        idle[i] = (10 + sin((double)i)) * 1e-6;
    const struct ct_effect_probe probe = {{idle, IDLE}, {x, N}};
    const struct ct_bootstrap in_blocks = {
        .block = 40, .replicates = 300, .level = 0.8, .seed = 77};
    struct ct_effect effect;
    assert_int_equal(ct_effect_find(&envelope, 800, &probe, &in_blocks, &effect, NULL), CT_OK);

    const struct ct_series series[] = {probe.idle, probe.beside};
    struct ct_interval interval;
    assert_int_equal(ct_stats_bootstrap(series, 2, mean_difference, NULL, &in_blocks, &interval),
                     CT_OK);
    assert_near(effect.interval[CT_EFFECT_DELTA_L].lo, interval.lo, 1e-15);
    assert_near(effect.interval[CT_EFFECT_DELTA_L].hi, interval.hi, 1e-15);
    assert_near(effect.interval[CT_EFFECT_RUNTIME].lo, T_ns(800 + interval.lo * 1e9) * 1e-9, 1e-15);
    assert_near(effect.interval[CT_EFFECT_RUNTIME].hi, T_ns(800 + interval.hi * 1e9) * 1e-9, 1e-15);

    struct ct_summary alone;
    double sum = 0, quantile;
    assert_int_equal(ct_stats_summarize(idle, IDLE, &alone), CT_OK);
    for (size_t i = 0; i < N; i++) {
        T[i] = T_ns(800 + (x[i] - alone.mean) * 1e9) * 1e-9;
        sum += T[i];
    }
    assert_near(effect.value[CT_EFFECT_MEAN_RUNTIME], sum / N, 1e-14);
    assert_true(effect.value[CT_EFFECT_MEAN_RUNTIME] > effect.value[CT_EFFECT_RUNTIME]);
    ct_stats_sort(T, N);
    for (size_t q = 0; q < CT_EFFECT_N_QUANTILES; q++) {
        double value = effect.value[CT_EFFECT_QUANTILES + q];
        assert_int_equal(ct_stats_quantile(T, N, ct_effect_probabilities[q], &quantile), CT_OK);
        assert_near(value, quantile, 1e-14);
        assert_true(effect.interval[CT_EFFECT_QUANTILES + q].lo <= value);
        assert_true(effect.interval[CT_EFFECT_QUANTILES + q].hi >= value);
    }
    free(x);
    free(T);
}

static void what_cannot_be_told_is_refused(void **state)
{
    (void)state;
    const double good[] = {1e-6, 2e-6}, bad[] = {1e-6, NAN};
    const struct ct_effect_probe probes[] = {{{good, 2}, {good, 0}},
                                             {{good, 0}, {good, 2}},
                                             {{good, 2}, {bad, 2}},
                                             {{bad, 2}, {good, 2}}};
    const enum ct_status expected[] = {CT_ENODATA, CT_ENODATA, CT_EINVAL, CT_EINVAL};
    const char *const named[] = {"beside", "idle", "beside", "idle"};
    for (size_t i = 0; i < sizeof probes / sizeof *probes; i++) {
        struct ct_effect effect;
        struct ct_error err;
        assert_int_equal(ct_effect_find(&envelope, 1, &probes[i], &setup, &effect, &err),
                         expected[i]);
        assert_non_null(strstr(err.text, named[i]));
    }
}

/* A schedule without operations takes no time: nothing can be slower than it. */
static void no_run_time_has_no_slowdown(void **state)
{
    (void)state;
    struct ct_segment none[] = {{0, 1e9, {0, 0}}};
    const struct ct_envelope empty = {.segments = none, .n = 1};
    const double idle[] = {10e-6, 11e-6}, beside[] = {12e-6, 13e-6};
    const struct ct_effect_probe probe = {{idle, 2}, {beside, 2}};
    struct ct_effect effect;
    assert_int_equal(ct_effect_find(&empty, 1, &probe, &setup, &effect, NULL), CT_OK);
    assert_near(effect.value[CT_EFFECT_RUNTIME], 0, 0);
    assert_true(isnan(effect.value[CT_EFFECT_SLOWDOWN]));
    assert_true(isnan(effect.interval[CT_EFFECT_SLOWDOWN].lo));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(five_latencies_by_hand),
                                       cmocka_unit_test(nothing_added_is_no_slowdown),
                                       cmocka_unit_test(latencies_below_those_of_the_idle_network),
                                       cmocka_unit_test(one_latency_has_no_interval),
                                       cmocka_unit_test(many_latencies_as_done_plainly),
                                       cmocka_unit_test(what_cannot_be_told_is_refused),
                                       cmocka_unit_test(no_run_time_has_no_slowdown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
