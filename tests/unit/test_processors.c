/* What waiting for processors explains of a slowdown: the arithmetic, from run files, from a cache.
 */
#include "predict/measurements.h"
#include "study/cache.h"
#include "study/questions.h"
#include "study/samples.h"
#include "tests/unit/run_example.h"
#include "tests/unit/study_example.h"
#include "tests/unit/unit.h"

#include <stdio.h>

static struct ct_samples passes(double *x, size_t n, double watched_s, double waited_s)
{
    return (struct ct_samples){.x = x, .n = n, .watched_s = watched_s, .waited_s = waited_s};
}

static void more_waiting_is_a_part_of_the_slowdown(void **state)
{
    (void)state;
    double alone_s[] = {9, 11}, with_s[] = {15, 17};
    /* Alone ranks wait 1 s of 10 s, beside the other 6.4 s of 16 s. */
    struct ct_samples alone = passes(alone_s, 2, 40, 4), with = passes(with_s, 2, 80, 32);
    assert_near(ct_measured_processors(&with, &alone), 0.54, 1e-12);
    assert_near(ct_measured_processors(&alone, &alone), 0, 1e-12);
    /* They wait less than alone, since the network holds them up. */
    with.waited_s = 2;
    assert_near(ct_measured_processors(&with, &alone), 0.025 * 1.6 - 0.1, 1e-12);
    with.watched_s = 0; /* a run of an older version */
    with.waited_s = 0;
    assert_true(isnan(ct_measured_processors(&with, &alone)));
    assert_true(isnan(ct_measured_processors(&alone, &with)));
    with = passes(NULL, 0, 0, 0);
    assert_true(isnan(ct_measured_processors(&with, &alone)));
}

static void stolen_time_changes_a_slowdown_up_or_down(void **state)
{
    (void)state;
    double alone_s[] = {9, 11}, with_s[] = {15, 17};
    struct ct_samples alone = passes(alone_s, 2, 40, 4), with = passes(with_s, 2, 80, 32);
    assert_true(isnan(ct_measured_stolen(&with, &alone)));
    alone.steal_watched_s = 20;
    alone.stolen_s = 1;
    with.steal_watched_s = 40;
    with.stolen_s = 8;
    assert_near(ct_measured_stolen(&with, &alone), 0.2 * 1.6 - 0.05, 1e-12);
    with.stolen_s = 0;
    assert_near(ct_measured_stolen(&with, &alone), -0.05, 1e-12);
    assert_true(ct_question_is_changed_by_stealing(&(struct ct_question){.stolen_frac = -0.05}));
    assert_true(ct_question_is_changed_by_stealing(&(struct ct_question){.stolen_frac = 0.05}));
    assert_false(ct_question_is_changed_by_stealing(&(struct ct_question){.stolen_frac = 0.019}));
    assert_false(ct_question_is_changed_by_stealing(&(struct ct_question){.stolen_frac = NAN}));
}

static void a_share_is_of_a_slowdown_that_is_one(void **state)
{
    (void)state;
    const struct {
        double frac, lo, processors_frac, expected;
    } cases[] = {{0.6, 0.5, 0.54, 0.9}, {0.6, 0.5, 0.9, 1},   {0.6, 0.5, -0.1, 0},
                 {0.6, 0, 0.54, NAN},   {0.6, -1, 0.54, NAN}, {-0.1, -1, 0.1, NAN},
                 {0.6, NAN, 0.3, 0.5},  {0, NAN, 0.3, NAN},   {NAN, NAN, NAN, NAN},
                 {0.6, 0.5, NAN, NAN}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct ct_question question = {
            .measured = {cases[i].frac, {cases[i].lo, cases[i].lo + 1}},
            .processors_frac = cases[i].processors_frac};
        double share = ct_question_cpu_wait(&question);
        if (isnan(cases[i].expected) ? !isnan(share) : !(fabs(share - cases[i].expected) < 1e-12))
            fail_msg("case %zu: %g", i, share);
    }
    assert_true(
        ct_question_is_slowed_by_processors(&(struct ct_question){.processors_frac = 0.021}));
    assert_false(
        ct_question_is_slowed_by_processors(&(struct ct_question){.processors_frac = 0.019}));
    assert_false(
        ct_question_is_slowed_by_processors(&(struct ct_question){.processors_frac = NAN}));
}

/* ---- run files ---- */

static void record(struct ct_run_info *info, double n_ranks, double wall_s, double wait_frac)
{
    assert_int_equal(ct_run_add_number(info, "cpu_measured_ranks", n_ranks), CT_OK);
    assert_int_equal(ct_run_add_number(info, "cpu_measured_wall_s", wall_s), CT_OK);
    assert_int_equal(ct_run_add_number(info, "cpu_measured_wait_frac", wait_frac), CT_OK);
}

static void runs_count_by_their_time(void **state)
{
    (void)state;
    struct ct_samples samples = {0};
    struct ct_error err;
    struct ct_run run = example_run(CT_RUN_RUNTIME, 2);
    assert_int_equal(ct_samples_append_run(&samples, &run, &err), CT_OK);
    assert_near(samples.watched_s, 0, 0); /* not recorded */
    record(&run.info, 8, 80, 0.3);
    assert_int_equal(ct_samples_append_run(&samples, &run, &err), CT_OK);
    record(&run.info, 8, 240, 0.1);
    assert_int_equal(ct_samples_append_run(&samples, &run, &err), CT_OK);
    assert_near(samples.watched_s, 40, 1e-12);
    assert_near(samples.waited_s, 6, 1e-12);
    /* Nonsense of another program. */
    record(&run.info, 0, 240, 0.1);
    assert_int_equal(ct_samples_append_run(&samples, &run, &err), CT_OK);
    record(&run.info, 8, 240, 1.1);
    assert_int_equal(ct_samples_append_run(&samples, &run, &err), CT_OK);
    record(&run.info, 8, 240, -0.1);
    assert_int_equal(ct_samples_append_run(&samples, &run, &err), CT_OK);
    assert_near(samples.watched_s, 40, 1e-12);
    assert_near(samples.steal_watched_s, 0, 0); /* an older version */
    record(&run.info, 8, 240, 0.1);
    assert_int_equal(ct_run_add_number(&run.info, "cpu_measured_stolen_frac", 0.2), CT_OK);
    assert_int_equal(ct_samples_append_run(&samples, &run, &err), CT_OK);
    assert_near(samples.watched_s, 70, 1e-12);
    assert_near(samples.steal_watched_s, 30, 1e-12);
    assert_near(samples.stolen_s, 6, 1e-12);
    ct_run_free(&run);
    ct_samples_free(&samples);
}

static void record_in(const char *path, double wait_frac)
{
    struct ct_run run;
    struct ct_error err;
    if (ct_run_read(path, &run, &err) != CT_OK)
        fail_msg("%s", err.text);
    record(&run.info, 4, 40, wait_frac);
    if (ct_run_write(path, &run, &err) != CT_OK)
        fail_msg("%s", err.text);
    ct_run_free(&run);
}

static double processors_of(const struct ct_study *study, size_t app, size_t load)
{
    const struct ct_samples alone_s = ct_measured_passes(&study->measured, app, 0);
    const struct ct_samples with_s = ct_measured_passes(&study->measured, app, load);
    return ct_measured_processors(&with_s, &alone_s);
}

static void a_campaign_knows_it_and_its_cache_too(void **state)
{
    (void)state;
    char path[80];
    struct ct_error err;
    example_write_campaign("campaign");
    snprintf(path, sizeof path, "campaign/runs/runtime-fft-load%d.h5", IDLE);
    record_in(path, 0.1);
    snprintf(path, sizeof path, "campaign/runs/runtime-fft-load%d.h5", LOAD_MILC);
    record_in(path, 0.3);
    double expected = 0.3 * (1 + example_slowdown[FFT][LOAD_MILC]) - 0.1;
    for (int is_read = 0; is_read < 2; is_read++) {
        struct ct_study study;
        assert_int_equal(ct_study_load_cached("campaign", NULL, NULL, true, &study, NULL, &err),
                         CT_OK);
        /* Latencies themselves are not in a cache. */
        assert_int_equal(study.measured.loads[IDLE].latency_s.x == NULL, is_read);
        assert_near(processors_of(&study, FFT, LOAD_MILC), expected, 1e-9);
        assert_true(isnan(processors_of(&study, FFT, LOAD_FFT)));
        assert_true(isnan(processors_of(&study, MILC, LOAD_FFT)));
        ct_study_free(&study);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_waiting_is_a_part_of_the_slowdown),
        cmocka_unit_test(stolen_time_changes_a_slowdown_up_or_down),
        cmocka_unit_test(a_share_is_of_a_slowdown_that_is_one),
        cmocka_unit_test(runs_count_by_their_time),
        cmocka_unit_test_setup_teardown(a_campaign_knows_it_and_its_cache_too, example_folder_enter,
                                        example_folder_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
