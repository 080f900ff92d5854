/* Run time of a pass by two schedules of which one is longer by it, and by one alone. */
#include "goal_example.h"
#include "lp-bridge/envelope/pass_model.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

/* All costs but the latency are 0: T is what ranks compute, and L times the messages in a row. */
static struct ct_evaluator *evaluator_of(unsigned n_rounds)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "num_ranks 2\nrank 0 {\n  a: calc 5000000\n");
    char before[16] = "a";
    for (unsigned i = 0; i < n_rounds; i++) {
        fprintf(out,
                "  s%u: send 8b to 1 tag %u\n  s%u requires %s\n"
                "  r%u: recv 8b from 1 tag %u\n  r%u requires s%u\n"
                "  c%u: calc 1000000\n  c%u requires r%u\n",
                i, i, i, before, i, i, i, i, i, i, i);
        snprintf(before, sizeof before, "c%u", i);
    }
    fprintf(out, "}\nrank 1 {\n");
    for (unsigned i = 0; i < n_rounds; i++) {
        fprintf(out,
                "  r%u: recv 8b from 0 tag %u\n  s%u: send 8b to 0 tag %u\n  s%u requires r%u\n", i,
                i, i, i, i, i);
        if (i > 0)
            fprintf(out, "  r%u requires s%u\n", i, i - 1);
    }
    fprintf(out, "}\n");
    fclose(out);
    struct ct_graph graph = graph_of_text(text, &eager);
    struct ct_plane plane = ct_plane_of_latency((struct ct_loggps){0});
    struct ct_evaluator *evaluator;
    assert_int_equal(ct_evaluator_compile(&graph, &plane, &evaluator, NULL), CT_OK);
    ct_graph_free(&graph);
    free(text);
    return evaluator;
}

static void a_pass_is_a_difference(void **state)
{
    (void)state;
    struct ct_evaluator *ten = evaluator_of(10), *twenty = evaluator_of(20);
    const struct ct_pass_model model = {
        .schedule = ten, .longer = twenty, .longer_by = 1, .threads = 1};
    double runtime_s, slope, delta_s;
    assert_int_equal(ct_pass_runtime(&model, 1e-3, &runtime_s, &slope, NULL), CT_OK);
    assert_near(runtime_s, 10e-3 + 20 * 1e-3, 1e-12); /* without the 5 ms at the start */
    assert_near(slope, 20, 1e-9);
    /* 10 % of 30 ms are 3 ms: 150 us for each of 20 messages. */
    assert_int_equal(ct_pass_tolerance(&model, 1e-3, 0.1, 1e-3, &delta_s, NULL), CT_OK);
    assert_near(delta_s, 150e-6, 2e-9);
    assert_int_equal(ct_pass_tolerance(&model, 1e-3, 0.1, 100e-6, &delta_s, NULL), CT_OK);
    assert_true(isnan(delta_s));
    ct_evaluator_free(ten);
    ct_evaluator_free(twenty);
}

/* Three passes more: what is special about a run at its start is a third of that. */
static void several_passes_are_averaged(void **state)
{
    (void)state;
    struct ct_evaluator *ten = evaluator_of(10), *forty = evaluator_of(40);
    const struct ct_pass_model model = {
        .schedule = ten, .longer = forty, .longer_by = 3, .threads = 1};
    double runtime_s, slope, delta_s;
    assert_int_equal(ct_pass_runtime(&model, 1e-3, &runtime_s, &slope, NULL), CT_OK);
    assert_near(runtime_s, 10e-3 + 20 * 1e-3, 1e-12);
    assert_near(slope, 20, 1e-9);
    assert_int_equal(ct_pass_tolerance(&model, 1e-3, 0.1, 1e-3, &delta_s, NULL), CT_OK);
    assert_near(delta_s, 150e-6, 2e-9);
    ct_evaluator_free(ten);
    ct_evaluator_free(forty);
}

static void a_whole_program_has_an_offset(void **state)
{
    (void)state;
    struct ct_evaluator *ten = evaluator_of(10);
    const struct ct_pass_model model = {.schedule = ten, .offset_s = 2e-3, .threads = 1};
    double runtime_s;
    assert_int_equal(ct_pass_runtime(&model, 1e-3, &runtime_s, NULL, NULL), CT_OK);
    assert_near(runtime_s, 5e-3 + 10e-3 + 20e-3 + 2e-3, 1e-12);
    ct_evaluator_free(ten);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_pass_is_a_difference),
                                       cmocka_unit_test(several_passes_are_averaged),
                                       cmocka_unit_test(a_whole_program_has_an_offset)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
