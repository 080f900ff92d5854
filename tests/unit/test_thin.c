/* results/thin: which samples stay. */
#include "results/thin.h"
#include "tests/unit/run_example.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_PAIRS = 4, PER_PAIR = 2500, N = N_PAIRS * PER_PAIR };

/* As a file has them: pair after pair, each in the order of time, the pairs interleaved in time.
 * The latency tells the position in the order of time. */
static struct ct_run probe_run(void)
{
    struct ct_run run = example_run(CT_RUN_IMPACT, N);
    for (size_t pair = 0; pair < N_PAIRS; pair++)
        for (size_t i = 0; i < PER_PAIR; i++)
            run.samples[pair * PER_PAIR + i] =
                (struct ct_sample){.t_s = (double)(i * N_PAIRS + pair) * 1e-3,
                                   .latency_s = (double)(i * N_PAIRS + pair),
                                   .pair = (uint32_t)(pair % 3)};
    return run;
}

static int by_value(const void *a, const void *b)
{
    const struct ct_sample *x = a, *y = b;
    return (x->latency_s > y->latency_s) - (x->latency_s < y->latency_s);
}

static void stretches_cover_the_run(void **state)
{
    (void)state;
    struct ct_run run = probe_run();
    assert_int_equal(ct_run_thin(&run, 1000, NULL), CT_OK);
    assert_int_equal(run.n_samples, 15 * 66); /* 1000 / 64 stretches */
    qsort(run.samples, run.n_samples, sizeof *run.samples, by_value);
    for (size_t i = 0; i < run.n_samples; i++) {
        double step = (double)(N - 66) / 14;
        size_t stretch = i / 66;
        double position = floor((double)stretch * step) + (double)(i % 66);
        assert_near(run.samples[i].latency_s, position, 0);
        assert_near(run.samples[i].t_s, position * 1e-3, 0);
    }
    assert_near(run.samples[run.n_samples - 1].latency_s, N - 1, 0);
    assert_near(ct_run_number(&run.info, CT_THIN_FROM_FACT), N, 0);
    assert_non_null(strstr(ct_run_text(&run.info, CT_THIN_RULE_FACT),
                           "15 stretches of 66 consecutive samples"));
    ct_run_free(&run);
}

/* What begins a run is not like the rest of it. */
static void one_stretch_is_the_middle(void **state)
{
    (void)state;
    struct ct_run run = probe_run();
    assert_int_equal(ct_run_thin(&run, 100, NULL), CT_OK);
    assert_int_equal(run.n_samples, 100);
    qsort(run.samples, run.n_samples, sizeof *run.samples, by_value);
    for (size_t i = 0; i < run.n_samples; i++)
        assert_near(run.samples[i].latency_s, (double)i + 0.5 * (N - 100), 0);
    ct_run_free(&run);
}

static void rows_keep_their_order(void **state)
{
    (void)state;
    struct ct_run run = probe_run();
    assert_int_equal(ct_run_thin(&run, 640, NULL), CT_OK);
    for (size_t i = 1; i < run.n_samples; i++)
        if (fmod(run.samples[i].latency_s, N_PAIRS) == fmod(run.samples[i - 1].latency_s, N_PAIRS))
            assert_true(run.samples[i].t_s > run.samples[i - 1].t_s);
        else
            assert_true(run.samples[i].t_s < run.samples[i - 1].t_s);
    ct_run_free(&run);
}

static void any_number_can_stay(void **state)
{
    (void)state;
    for (size_t most = CT_THIN_STRETCH; most < N; most += most / 3) {
        struct ct_run run = probe_run();
        assert_int_equal(ct_run_thin(&run, most, NULL), CT_OK);
        assert_true(run.n_samples <= most && run.n_samples + most / CT_THIN_STRETCH > most);
        ct_run_free(&run);
    }
}

static void short_runs_stay_as_they_are(void **state)
{
    (void)state;
    struct ct_run run = probe_run();
    size_t n_facts = run.info.n_facts;
    assert_int_equal(ct_run_thin(&run, N, NULL), CT_OK);
    assert_int_equal(run.n_samples, N);
    assert_int_equal(run.info.n_facts, n_facts);
    ct_run_free(&run);
    run = example_run(CT_RUN_RUNTIME, 100);
    assert_int_equal(ct_run_thin(&run, 64, NULL), CT_OK);
    assert_int_equal(run.n_runtimes, 100);
    ct_run_free(&run);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    struct ct_run run = probe_run();
    assert_int_equal(ct_run_thin(&run, CT_THIN_STRETCH - 1, NULL), CT_EINVAL);
    assert_int_equal(run.n_samples, N);
    assert_int_equal(ct_run_thin(&run, 500, NULL), CT_OK);
    assert_int_equal(ct_run_thin(&run, 500, NULL), CT_OK);
    size_t n = run.n_samples;
    assert_int_equal(ct_run_thin(&run, 400, NULL), CT_EINVAL);
    assert_int_equal(run.n_samples, n);
    ct_run_free(&run);
}

/* A phase model needs the neighbours of a sample: a two-state load that lasts 25 samples on average
 * keeps mean and autocorrelation, which every tenth sample would not. */
static void correlations_stay(void **state)
{
    (void)state;
    struct ct_run run = probe_run();
    uint64_t random = 1;
    bool busy = false;
    for (size_t i = 0; i < N; i++) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        if (random >> 33 < (1U << 31) / 25)
            busy = !busy;
        run.samples[(i % N_PAIRS) * PER_PAIR + i / N_PAIRS].latency_s = busy ? 2 : 1;
    }
    assert_int_equal(ct_run_thin(&run, N / 10, NULL), CT_OK);
    double sum = 0, same = 0, pairs = 0;
    for (size_t i = 0; i < run.n_samples; i++)
        sum += run.samples[i].latency_s;
    for (size_t i = 0; i < run.n_samples; i++)
        for (size_t j = 0; j < run.n_samples; j++)
            if (fabs(run.samples[j].t_s - run.samples[i].t_s - 1e-3) < 1e-6) {
                pairs++;
                same += run.samples[i].latency_s == run.samples[j].latency_s;
            }
    assert_near(sum / (double)run.n_samples, 1.5, 0.2);
    assert_true(pairs > 0.95 * (double)run.n_samples);
    assert_near(same / pairs, 1 - 1.0 / 25, 0.02);
    ct_run_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stretches_cover_the_run),   cmocka_unit_test(rows_keep_their_order),
        cmocka_unit_test(any_number_can_stay),       cmocka_unit_test(short_runs_stay_as_they_are),
        cmocka_unit_test(what_cannot_be_is_refused), cmocka_unit_test(correlations_stay),
        cmocka_unit_test(one_stretch_is_the_middle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
