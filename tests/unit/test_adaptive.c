/* campaign/adaptive: which configuration of the grid is measured next, by the runs in a folder. */
#include "campaign/adaptive.h"
#include "predict/constants.h"
#include "tests/unit/campaign_texts.h"
#include "tests/unit/run_example.h"
#include "tests/unit/study_example.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* A byte takes 1 us on a link; configuration 0 is measured anyway, the grid is open. */
#define SPEC                                                                                       \
    "campaign: c\nlauncher: {kind: mpiexec, hosts: 4, rate: 8mbit}\ngrid: adaptive\n" APPS         \
    "configurations:\n  - {partners: 1, messages: 1, bubble: 100ms}\n"

static void write_probe_run(const struct ct_plan *plan, const char *id, struct example_run_of of,
                            double waiting_frac)
{
    char path[CT_PLAN_ID_MAX + 32];
    assert_string_equal(find_run(plan, id)->id, id);
    mkdir("folder", 0777);
    mkdir("folder/runs", 0777);
    snprintf(path, sizeof path, "folder/runs/%s.h5", id);
    example_write_probe(path, of, waiting_frac);
}

/* Odds of a load's utilization as the prior has them: a product of powers, docs/constants.md. */
static double prior_odds(const struct ct_config *load)
{
    double byte_s = 1e-6;
    double density = (double)ct_config_message_bytes(load) * byte_s / load->bubble_s;
    return exp(ct_predict_constant(CT_PREDICT_NEXT_LOAD_MEAN_CONSTANT)) *
           pow(load->partners, ct_predict_constant(CT_PREDICT_NEXT_LOAD_MEAN_PARTNERS)) *
           pow(load->messages, ct_predict_constant(CT_PREDICT_NEXT_LOAD_MEAN_MESSAGES)) *
           pow(density, ct_predict_constant(CT_PREDICT_NEXT_LOAD_MEAN_DENSITY));
}

/* No configuration was measured, so that what is expected of each is the prior. */
static void the_first_choice_follows_from_the_time_of_messages(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = read_spec(SPEC);
    struct ct_plan plan = make_plan(&spec, 1);
    struct ct_next_load next;
    struct ct_error err;
    size_t n_before = plan.n_runs;
    write_probe_run(&plan, "idle-r0", (struct example_run_of){"", "", NULL, NULL}, 0);
    write_probe_run(&plan, "impact-fft-r0", (struct example_run_of){"fft", "", NULL, NULL}, 0.6);
    assert_int_equal(ct_adaptive_add_next(&spec, "folder", 1, &plan, &next, &err), CT_OK);
    assert_int_equal(next.reason, CT_NEXT_LOAD_REACH);
    assert_true(next.load < spec.n_configs && spec.configs[next.load].is_candidate);
    double odds = prior_odds(&spec.configs[next.load].load);
    assert_near(next.expected_frac, odds / (1 + odds), 1e-9);
    /* Beside the probe and beside each application. */
    assert_int_equal(plan.n_runs, n_before + 1 + spec.n_apps);
    assert_true(ct_plan_has_config(&plan, next.load));
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
}

static void without_an_idle_network_nothing_is_chosen(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = read_spec(SPEC);
    struct ct_plan plan = make_plan(&spec, 1);
    struct ct_next_load next = {.load = SIZE_MAX};
    struct ct_error err;
    size_t n_before = plan.n_runs;
    write_probe_run(&plan, "impact-fft-r0", (struct example_run_of){"fft", "", NULL, NULL}, 0.6);
    assert_int_equal(ct_adaptive_add_next(&spec, "folder", 1, &plan, &next, &err), CT_ENODATA);
    assert_int_equal(plan.n_runs, n_before);
    assert_true(next.load == SIZE_MAX);
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
}

/* A campaign that was interrupted goes on with what it had chosen. */
static void a_choice_whose_run_is_there_is_in_the_plan_again(void **state)
{
    (void)state;
    struct ct_campaign_spec spec = read_spec(SPEC);
    struct ct_plan plan = make_plan(&spec, 1), resumed = make_plan(&spec, 1);
    struct ct_next_load next;
    struct ct_error err;
    size_t n_before = resumed.n_runs;
    write_probe_run(&plan, "idle-r0", (struct example_run_of){"", "", NULL, NULL}, 0);
    write_probe_run(&plan, "impact-fft-r0", (struct example_run_of){"fft", "", NULL, NULL}, 0.6);
    assert_int_equal(ct_adaptive_add_found(&spec, "folder", 1, &resumed, &err), CT_OK);
    assert_int_equal(resumed.n_runs, n_before);
    assert_int_equal(ct_adaptive_add_next(&spec, "folder", 1, &plan, &next, &err), CT_OK);
    const struct ct_config *chosen = &spec.configs[next.load].load;
    for (size_t i = 0; i < plan.n_runs; i++) {
        const struct ct_plan_run *run = &plan.runs[i];
        if (run->measure == CT_PLAN_PROBE && run->background == CT_PLAN_COMPRESSION &&
            run->config == next.load)
            write_probe_run(&plan, run->id, (struct example_run_of){"", "", chosen, NULL}, 0.5);
    }
    assert_int_equal(ct_adaptive_add_found(&spec, "folder", 1, &resumed, &err), CT_OK);
    assert_int_equal(resumed.n_runs, plan.n_runs);
    assert_true(ct_plan_has_config(&resumed, next.load));
    ct_plan_free(&plan);
    ct_plan_free(&resumed);
    ct_campaign_spec_free(&spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_first_choice_follows_from_the_time_of_messages,
                                        example_folder_enter, example_folder_leave),
        cmocka_unit_test_setup_teardown(without_an_idle_network_nothing_is_chosen,
                                        example_folder_enter, example_folder_leave),
        cmocka_unit_test_setup_teardown(a_choice_whose_run_is_there_is_in_the_plan_again,
                                        example_folder_enter, example_folder_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
