/* campaign/repeat: repetitions until means are precise, and no more of them than were allowed. */
#include "campaign/repeat.h"
#include "results/run.h"
#include "tests/unit/run_example.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char text[] =
    "campaign: small\nlauncher: {kind: mpiexec}\n"
    "repetitions: {idle: 1, impact: 0, baseline: 1, compression: 0, corun: 0, target: 2%, max: 3}\n"
    "applications:\n  - {name: nap, command: sleep 1, passes: driver}\n";

/* Passes that lie so far from 1 s, on either side. */
static void write_baseline(unsigned repetition, double scatter_frac)
{
    char path[64];
    struct ct_error err;
    struct ct_runtime passes[] = {{0, 1 - scatter_frac}, {2, 1 + scatter_frac}};
    const struct ct_run run = {.info = {.kind = CT_RUN_RUNTIME,
                                        .tool = (char *)"test",
                                        .version = (char *)"0",
                                        .app = (char *)"nap",
                                        .with = (char *)"",
                                        .started_utc = (char *)"2026-11-21T10:00:00Z",
                                        .argv = (char *)"",
                                        .hosts = (char *)"h1",
                                        .mpi_library = (char *)"",
                                        .timer = (char *)"",
                                        .timer_resolution_s = 1e-9},
                               .runtimes = passes,
                               .n_runtimes = 2};
    mkdir("folder", 0777);
    mkdir("folder/runs", 0777);
    snprintf(path, sizeof path, "folder/runs/baseline-nap-r%u.h5", repetition);
    if (ct_run_write(path, &run, &err) != CT_OK)
        fail_msg("%s", err.text);
}

static void record_stolen(unsigned repetition, double stolen_frac)
{
    char path[64];
    struct ct_run run;
    struct ct_error err;
    snprintf(path, sizeof path, "folder/runs/baseline-nap-r%u.h5", repetition);
    if (ct_run_read(path, &run, &err) != CT_OK ||
        ct_run_add_number(&run.info, "cpu_measured_ranks", 2) != CT_OK ||
        ct_run_add_number(&run.info, "cpu_measured_wall_s", 20) != CT_OK ||
        ct_run_add_number(&run.info, "cpu_measured_stolen_frac", stolen_frac) != CT_OK ||
        ct_run_write(path, &run, &err) != CT_OK)
        fail_msg("%s", err.text);
    ct_run_free(&run);
}

static size_t count_baselines(const struct ct_plan *plan)
{
    size_t n = 0;
    for (size_t i = 0; i < plan->n_runs; i++)
        n += plan->runs[i].measure == CT_PLAN_APP;
    return n;
}

static void make(struct ct_campaign_spec *spec, struct ct_plan *plan)
{
    struct ct_error err;
    if (ct_campaign_spec_parse(text, strlen(text), "file.yaml", spec, &err) != CT_OK ||
        ct_plan_make(spec, 1, plan, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_int_equal(count_baselines(plan), 1);
}

static void what_was_repeated_is_found_up_to_the_most(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = {0};
    struct ct_plan plan = {0};
    struct ct_error err;
    for (unsigned r = 0; r < 5; r++)
        write_baseline(r, 0.1);
    make(&spec, &plan);
    assert_int_equal(ct_repeat_add_found(&spec, "folder", 1, &plan, &err), CT_OK);
    assert_int_equal(count_baselines(&plan), 3);
    assert_string_equal(plan.runs[plan.n_runs - 1].id, "baseline-nap-r2");
    assert_int_equal(ct_repeat_add_needed(&spec, "folder", 1, &plan, &err), CT_OK);
    assert_int_equal(count_baselines(&plan), 3);
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
}

static void a_mean_that_is_not_precise_is_measured_again(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = {0};
    struct ct_plan plan = {0};
    struct ct_error err;
    make(&spec, &plan);
    /* Nothing is measured yet: the plan asks for it. */
    assert_int_equal(ct_repeat_add_needed(&spec, "folder", 1, &plan, &err), CT_OK);
    assert_int_equal(count_baselines(&plan), 1);
    write_baseline(0, 0.0001);
    assert_int_equal(ct_repeat_add_needed(&spec, "folder", 1, &plan, &err), CT_OK);
    assert_int_equal(count_baselines(&plan), 1);
    write_baseline(0, 0.1);
    assert_int_equal(ct_repeat_add_needed(&spec, "folder", 1, &plan, &err), CT_OK);
    assert_int_equal(count_baselines(&plan), 2);
    assert_string_equal(plan.runs[plan.n_runs - 1].id, "baseline-nap-r1");
    /* That one lacks its file. */
    assert_int_equal(ct_repeat_add_needed(&spec, "folder", 1, &plan, &err), CT_OK);
    assert_int_equal(count_baselines(&plan), 2);
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
}

static void time_that_was_stolen_is_measured_again(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = {0};
    struct ct_plan plan = {0};
    struct ct_error err;
    make(&spec, &plan);
    write_baseline(0, 0.0001); /* precise, but with less than the machine has */
    record_stolen(0, 0.01);
    assert_int_equal(ct_repeat_add_needed(&spec, "folder", 1, &plan, &err), CT_OK);
    assert_int_equal(count_baselines(&plan), 1);
    write_baseline(0, 0.0001);
    record_stolen(0, 0.2);
    for (unsigned r = 1; r < 5; r++) {
        assert_int_equal(ct_repeat_add_needed(&spec, "folder", 1, &plan, &err), CT_OK);
        assert_int_equal(count_baselines(&plan), r < 3 ? r + 1 : 3);
        write_baseline(r, 0.0001);
        record_stolen(r, 0.2);
    }
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_was_repeated_is_found_up_to_the_most,
                                        example_folder_enter, example_folder_leave),
        cmocka_unit_test_setup_teardown(a_mean_that_is_not_precise_is_measured_again,
                                        example_folder_enter, example_folder_leave),
        cmocka_unit_test_setup_teardown(time_that_was_stolen_is_measured_again,
                                        example_folder_enter, example_folder_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
