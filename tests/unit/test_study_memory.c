/* study/: questions about a campaign that was made in memory, without any file. */
#include "study/questions.h"
#include "study/study.h"
#include "tests/unit/predict_example.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The study borrows the example: neither is freed. */
static struct ct_study study_of(const struct example *example)
{
    return (struct ct_study){.measured = example->measured, .n_runs = 1};
}

static void names_are_numbers_of_its_applications(void **state)
{
    (void)state;
    static struct example example;
    struct ct_error err;
    size_t *apps, n;
    example_make(&example);
    struct ct_study study = study_of(&example);
    for (size_t app = 0; app < N_APPS; app++)
        assert_int_equal(ct_study_find_app(&study, ct_study_app(&study, app)), app);
    assert_int_equal(ct_study_find_app(&study, "nobody"), N_APPS);
    assert_int_equal(ct_names_parse(&study, "--jobs", "twin,victim", &apps, &n, &err), CT_OK);
    assert_int_equal(n, 2);
    assert_true(apps[0] == TWIN && apps[1] == VICTIM);
    free(apps);
    assert_int_equal(ct_names_parse(&study, "--jobs", "twin,nobody", &apps, &n, &err), CT_EUSAGE);
    assert_non_null(strstr(err.text, "nobody"));
    assert_int_equal(ct_study_check(&study, 0, "memory", &err), CT_OK);
}

/* All pairs, asked and measured: answers are those of the models, and one co-run was measured. */
static void every_pair_is_asked(void **state)
{
    (void)state;
    static struct example example;
    struct ct_error err;
    struct ct_questions questions;
    struct ct_predict_case *cases;
    const struct ct_question_choice all = {.pair = NULL};
    const struct ct_bootstrap setup = {.replicates = 20, .level = 0.9, .seed = 1};
    size_t n_measured = 0;
    example_make(&example);
    struct ct_study study = study_of(&example);
    struct ct_predict_analysis analysis = example_analyse(&example);
    assert_int_equal(ct_questions_make(&study, &all, &questions, &err), CT_OK);
    assert_int_equal(questions.n, N_APPS * N_APPS);
    assert_int_equal(ct_questions_ask(&questions, NULL, &analysis, &setup, &cases), CT_OK);
    ct_questions_measure(&study, &analysis, 0.9, &questions);
    size_t lookup = (size_t)(example_model("average_lt") - ct_predict_models);
    for (size_t q = 0; q < questions.n; q++) {
        const struct ct_question *question = &questions.items[q];
        const struct ct_prediction *got = &cases[lookup * questions.n + q].prediction;
        struct ct_prediction own =
            example_predict("average_lt", &analysis, question->app, question->with[0]);
        assert_true(got->flag == own.flag && got->config == own.config);
        if (!isnan(own.slowdown_frac))
            assert_near(got->slowdown_frac, own.slowdown_frac, 0);
        if (question->app == VICTIM && question->with[0] == LIKE_CONFIG_1)
            assert_near(got->slowdown_frac, victim_slowdown[1], 1e-12);
        n_measured += isnan(question->measured.frac) ? 0 : 1;
        if (question->app == VICTIM && question->with[0] == BETWEEN)
            assert_near(question->measured.frac, 0.25, 1e-12);
    }
    assert_int_equal(n_measured, 1);
    free(cases);
    ct_questions_free(&questions);
    ct_predict_analysis_free(&analysis);
}

/* Without a probe on the idle network and without co-runs there is nothing to predict from, and the
 * error says so. Co-runs, or schedules of all applications, are enough. */
static void what_is_missing_is_named(void **state)
{
    (void)state;
    static struct example example;
    struct ct_error err;
    example_make(&example);
    example.loads[0].latency_s.n = 0;
    struct ct_study study = study_of(&example);
    assert_int_equal(ct_study_check(&study, 0, "memory", &err), CT_OK);
    for (size_t app = 0; app < N_APPS; app++)
        for (size_t with = 0; with < N_APPS; with++)
            example_passes(&example, app, ct_load_of_app(with))->n = 0;
    assert_int_equal(ct_study_check(&study, CT_HAS_A_SCHEDULE, "memory", &err), CT_ENODATA);
    assert_non_null(strstr(err.text, "memory"));
    assert_non_null(strstr(err.text, "idle network"));
    assert_int_equal(ct_study_check(&study, CT_HAS_ALL_SCHEDULES, "memory", &err), CT_OK);
    /* Nor is any other probe needed for what was measured. */
    for (size_t load = 0; load < ct_measured_n_loads(&example.measured); load++)
        example.loads[load].latency_s.n = 0;
    struct ct_predict_analysis analysis = example_analyse(&example);
    assert_true(isnan(analysis.apps[TWIN].utilization_frac));
    assert_true(isnan(analysis.idle_latency_s));
    assert_true(!isnan(analysis.under_config[0].frac)); /* of the victim */
    ct_predict_analysis_free(&analysis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_numbers_of_its_applications),
        cmocka_unit_test(every_pair_is_asked),
        cmocka_unit_test(what_is_missing_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
