/* campaign/placement and campaign/cores: who gets which cores, which are shared, lists as text. */
#include "campaign/cores.h"
#include "campaign/placement.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- ranges ---- */

static bool holds(struct ct_core_range range, size_t core)
{
    return core >= range.first && core - range.first < range.n;
}

static void cores_are_apart_where_there_are_enough(void **state)
{
    (void)state;
    struct ct_core_range measured = ct_placement_of(16, CT_ROLE_MEASURED, 4, 0);
    struct ct_core_range background = ct_placement_of(16, CT_ROLE_BACKGROUND, 12, 0);
    assert_int_equal(measured.first, 0);
    assert_int_equal(measured.n, 4);
    assert_int_equal(background.first, 4);
    assert_int_equal(background.n, 12);
    assert_int_equal(ct_placement_shared(16, 4, 12).n, 0);
}

static void programs_in_the_background_have_cores_of_their_own(void **state)
{
    (void)state;
    struct ct_core_range second = ct_placement_of(16, CT_ROLE_BACKGROUND, 4, 6);
    assert_int_equal(second.first, 6);
    assert_int_equal(second.n, 4);
    /* Where too few cores are left the last ones are shared. */
    struct ct_core_range crowded = ct_placement_of(16, CT_ROLE_BACKGROUND, 4, 13);
    assert_int_equal(crowded.first, 12);
    assert_int_equal(crowded.n, 4);
    assert_int_equal(ct_placement_of(16, CT_ROLE_BACKGROUND, 4, UINT64_MAX).first, 12);
}

static void too_many_ranks_are_not_bound(void **state)
{
    (void)state;
    assert_int_equal(ct_placement_of(2, CT_ROLE_MEASURED, 2, 0).n, 2);
    assert_int_equal(ct_placement_of(2, CT_ROLE_MEASURED, 3, 0).n, 0);
    assert_int_equal(ct_placement_of(2, CT_ROLE_BACKGROUND, UINT64_MAX, 0).n, 0);
    struct ct_core_range shared = ct_placement_shared(2, 3, 0);
    assert_int_equal(shared.first, 0);
    assert_int_equal(shared.n, 2);
    assert_int_equal(ct_placement_shared(2, 1, UINT64_MAX).n, 2);
}

/* What ct_placement_shared() says is what the two ranges of ct_placement_of() have in common. */
static void shared_cores_are_those_in_both_ranges(void **state)
{
    (void)state;
    for (size_t n_cores = 1; n_cores <= 9; n_cores++)
        for (uint64_t a = 1; a <= n_cores; a++)
            for (uint64_t b = 0; b <= n_cores; b++) {
                struct ct_core_range measured = ct_placement_of(n_cores, CT_ROLE_MEASURED, a, 0);
                struct ct_core_range background =
                    ct_placement_of(n_cores, CT_ROLE_BACKGROUND, b, 0);
                struct ct_core_range shared = ct_placement_shared(n_cores, a, b);
                for (size_t core = 0; core < n_cores; core++)
                    assert_int_equal(holds(shared, core),
                                     holds(measured, core) && holds(background, core));
                assert_true(measured.first + measured.n <= n_cores);
                assert_true(background.first + background.n <= n_cores);
            }
}

/* ---- whole campaigns ---- */

static const char campaign[] =
    "campaign: c\nlauncher: {kind: mpiexec}\nprobe: {slots: 1}\n"
    "repetitions: {idle: 1, baseline: 1, impact: 1, compression: 1, corun: 1}\n"
    "applications:\n"
    "  - {name: small, command: app, slots: 2}\n"
    "  - {name: large, command: app, slots: 5}\n"
    "configurations: [{partners: 1, messages: 1, bubble: 1ms, slots: 3}]\n";

static struct ct_placement_survey look(size_t n_cores, uint64_t hosts, char *id)
{
    struct ct_campaign_spec spec;
    struct ct_plan plan;
    struct ct_error err;
    if (ct_campaign_spec_parse(campaign, strlen(campaign), "c.yaml", &spec, &err) != CT_OK ||
        ct_plan_make(&spec, 1, &plan, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_int_equal(plan.n_runs, 1 + 2 + 3 + 2 + 4);
    struct ct_placement_survey survey = ct_placement_look(&spec, &plan, n_cores, hosts);
    snprintf(id, CT_PLAN_ID_MAX, "%s", survey.run ? survey.run->id : "");
    survey.run = NULL; /* of a plan that goes now */
    ct_plan_free(&plan);
    ct_campaign_spec_free(&spec);
    return survey;
}

static void a_campaign_that_fits_shares_nothing(void **state)
{
    (void)state;
    char id[CT_PLAN_ID_MAX];
    struct ct_placement_survey survey = look(10, 1, id);
    assert_int_equal(survey.n_sharing, 0);
    assert_string_equal(id, "");
}

static void the_worst_run_is_named(void **state)
{
    (void)state;
    char id[CT_PLAN_ID_MAX];
    /* Only the application of 5 ranks with itself has more than 8; two of them share two cores. */
    struct ct_placement_survey survey = look(8, 1, id);
    assert_int_equal(survey.n_sharing, 1);
    assert_string_equal(id, "runtime-large-with-large-r0");
    assert_int_equal(survey.measured, 5);
    assert_int_equal(survey.background, 5);
    assert_int_equal(survey.shared.first, 3);
    assert_int_equal(survey.shared.n, 2);
    /* 5 + 3 and 5 + 2 ranks have more than 6, too: one run with 5 + 3, two with 5 + 2. */
    assert_int_equal(look(6, 1, id).n_sharing, 4);
    assert_int_equal(look(6, 1, id).shared.n, 4);
}

static void hosts_on_one_machine_add_up(void **state)
{
    (void)state;
    char id[CT_PLAN_ID_MAX];
    assert_int_equal(look(40, 4, id).n_sharing, 0);
    struct ct_placement_survey survey = look(39, 4, id);
    assert_int_equal(survey.n_sharing, 1);
    assert_int_equal(survey.measured, 20);
    assert_int_equal(survey.shared.n, 1);
    /* One rank each of a probe on the idle network fits; nothing else does. */
    survey = look(1, 1, id);
    assert_int_equal(survey.n_sharing, 11);
    assert_int_equal(survey.shared.n, 1);
}

/* ---- text ---- */

static void this_machine_has_cores(void **state)
{
    (void)state;
    struct ct_cores cores, same;
    struct ct_error err;
    size_t n_lists;
    bool all_same;
    if (ct_cores_read(&cores, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_true(cores.n >= 1);
    for (size_t i = 0; i < cores.n; i++)
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(cores.cpu[i], cores.cpu[j]);
    char *text = ct_cores_format(&cores, (struct ct_core_range){0, cores.n});
    assert_non_null(text);
    assert_int_equal(ct_cores_parse(text, &n_lists, &all_same, &same, &err), CT_OK);
    assert_int_equal(same.n, cores.n);
    assert_memory_equal(same.cpu, cores.cpu, cores.n * sizeof *cores.cpu);
    free(text);
    ct_cores_free(&cores);
    ct_cores_free(&same);
}

static void a_part_is_written(void **state)
{
    (void)state;
    unsigned numbers[] = {0, 2, 4, 16, 18};
    struct ct_cores cores = {.cpu = numbers, .n = 5};
    char *text = ct_cores_format(&cores, (struct ct_core_range){2, 3});
    assert_string_equal(text, "4,16,18");
    free(text);
    text = ct_cores_format(&cores, (struct ct_core_range){0});
    assert_string_equal(text, "");
    free(text);
}

static void answers_of_hosts_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t n_lists;
        bool same;
        size_t n_cores;
        unsigned last;
    } cases[] = {{"0,2\n0,2\n0,2\n", 3, true, 2, 2},
                 {"0\n", 1, true, 1, 0},
                 {"0", 1, true, 1, 0},
                 {"Welcome, user 7\n0,1,2\n\nsrun: 1,2\n0,1,2\n", 2, true, 3, 2},
                 {"0,1,2,3\n0,2\n0,1,2\n", 3, false, 2, 2},
                 {"0,1\n0,2\n", 2, false, 2, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ct_cores cores;
        struct ct_error err;
        size_t n_lists;
        bool same;
        if (ct_cores_parse(cases[i].text, &n_lists, &same, &cores, &err) != CT_OK)
            fail_msg("case %zu: %s", i, err.text);
        assert_int_equal(n_lists, cases[i].n_lists);
        assert_int_equal(same, cases[i].same);
        assert_int_equal(cores.n, cases[i].n_cores);
        assert_int_equal(cores.cpu[cores.n - 1], cases[i].last);
        ct_cores_free(&cores);
    }
}

static void answers_that_are_none_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",      "\n\n", "srun: error: Unable to allocate\n", "0,\n,1\n1,,2\n",
        "0 1\n", "-1\n", "0,99999999999999999999\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct ct_cores cores = {.n = 77};
        struct ct_error err;
        size_t n_lists;
        bool same;
        assert_int_equal(ct_cores_parse(texts[i], &n_lists, &same, &cores, &err), CT_EFORMAT);
        assert_int_equal(cores.n, 77);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cores_are_apart_where_there_are_enough),
        cmocka_unit_test(programs_in_the_background_have_cores_of_their_own),
        cmocka_unit_test(too_many_ranks_are_not_bound),
        cmocka_unit_test(shared_cores_are_those_in_both_ranges),
        cmocka_unit_test(a_campaign_that_fits_shares_nothing),
        cmocka_unit_test(the_worst_run_is_named),
        cmocka_unit_test(hosts_on_one_machine_add_up),
        cmocka_unit_test(this_machine_has_cores),
        cmocka_unit_test(a_part_is_written),
        cmocka_unit_test(answers_of_hosts_are_read),
        cmocka_unit_test(answers_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
