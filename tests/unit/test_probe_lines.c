/* probe: lines over what the probe reads, and effects of co-runs on what they leave over. */
#include "predict/co_run_effects.h"
#include "predict/probe_lines.h"
#include "predict/two_way.h"
#include "tests/unit/predict_example.h"
#include "tests/unit/unit.h"

#include <string.h>

enum { APPS = 5, POINTS = 8 };

/* ---- lines ---- */

static struct ct_probe_line fit(const struct ct_probe_line_point *points, size_t n)
{
    const struct ct_probe_line_setup setup = ct_probe_line_setup_default();
    struct ct_probe_line line;
    assert_int_equal(ct_probe_line_fit(points, n, &setup, &line), CT_OK);
    return line;
}

static void a_line_is_found_again(void **state)
{
    (void)state;
    struct ct_probe_line_point points[POINTS];
    for (int i = 0; i < POINTS; i++) {
        double reading = ldexp(0.01, i);
        points[i] = (struct ct_probe_line_point){reading, 0.6 * pow(reading, 0.8)};
    }
    points[3].slowdown_frac *= 5; /* deviations count, not their squares */
    struct ct_probe_line line = fit(points, POINTS);
    assert_near(line.slope, 0.8, 0.05);
    assert_near(ct_probe_line_at(&line, 0.2), 0.6 * pow(0.2, 0.8), 0.01);
    double before = 0;
    for (double reading = 0; reading < 10; reading += 0.05) {
        double slowdown = ct_probe_line_at(&line, reading);
        assert_true(slowdown >= before);
        before = slowdown;
    }
    assert_near(ct_probe_line_at(&line, 0), 0, 0);
}

/* Half way, in the logarithm, between the line and what was measured. */
static void a_line_goes_on_beyond_its_points(void **state)
{
    (void)state;
    const struct ct_probe_line_point points[] = {{0.1, 0.1}, {0.2, 0.2}, {0.4, 0.4}};
    struct ct_probe_line line = fit(points, 3);
    assert_near(ct_probe_line_at(&line, 1.6), sqrt(0.4 * 1.6), 0.05);
    assert_near(line.highest_reading, 0.4, 0);
    assert_true(isnan(ct_probe_line_at(&line, NAN)));
}

static void points_that_say_little_are_enough(void **state)
{
    (void)state;
    const struct ct_probe_line_point still[] = {{0, 0.03}, {0, -0.02}};
    struct ct_probe_line line = fit(still, 2);
    assert_near(ct_probe_line_at(&line, 0), 0, 0);
    assert_near(ct_probe_line_at(&line, 1), 0.03, 0);
    const struct ct_probe_line_point faster[] = {{1, -0.3}, {2, -0.2}};
    line = fit(faster, 2);
    assert_near(ct_probe_line_at(&line, 5), 0, 0.01);
    const struct ct_probe_line_point one[] = {{0.5, 0.5}};
    line = fit(one, 1);
    assert_near(ct_probe_line_at(&line, 0.25), 0.25, 0.02);
    line = fit(NULL, 0);
    assert_true(isnan(ct_probe_line_at(&line, 1)));
}

/* ---- slowing each other ---- */

/* 1 / v = 1 + s v for two that slow each other alike, with s the slowdown beside one with the same
 * latencies that was not timed, and so is taken not to be slowed. */
static void slowdown_of_both_settles(void **state)
{
    (void)state;
    struct example example;
    example_make(&example);
    struct ct_predict_analysis analysis = example_analyse(&example);
    double full = example_predict("probe", &analysis, VICTIM, UNTIMED).slowdown_frac;
    assert_true(full > 0.1);
    double both = 1 / (1 + example_predict("probe", &analysis, VICTIM, TWIN).slowdown_frac);
    /* The co-run that the example has says as much of both, on the logarithmic scale. */
    assert_near(1 / both, 1 + full * both, 0.02);
    assert_int_equal(example_predict("probe", &analysis, VICTIM, ABOVE).flag,
                     CT_PREDICTION_EXTRAPOLATED);
    ct_predict_analysis_free(&analysis);
}

/* ---- effects of co-runs ---- */

static const double row[APPS] = {0.5, -0.4, 0.1, 0.3, -0.5};
static const double column[APPS] = {-0.3, 0.4, 0.6, -0.6, -0.1};

static double effect_at(const double *left_over, size_t app, size_t with, const size_t *left_out,
                        size_t n)
{
    struct ct_co_run_effects *effects;
    double value;
    assert_int_equal(ct_co_run_effects_new(left_over, APPS, &effects), CT_OK);
    assert_int_equal(ct_co_run_effects_at(effects, app, with, left_out, n, &value), CT_OK);
    ct_co_run_effects_free(effects);
    return value;
}

static void effects_of_others_predict_a_pair(void **state)
{
    (void)state;
    double y[APPS * APPS];
    for (size_t i = 0; i < APPS * APPS; i++)
        y[i] = 0.2 + row[i / APPS] + column[i % APPS];
    double expected = y[1 * APPS + 2];
    y[1 * APPS + 2] = y[2 * APPS + 1] = NAN; /* the pair in question, and its reverse */
    assert_near(effect_at(y, 1, 2, NULL, 0), expected, 0.25);
}

/* Not even how far effects are shrunk. */
static void what_is_left_out_says_nothing(void **state)
{
    (void)state;
    static const size_t both[] = {0, 3};
    double y[APPS * APPS];
    for (size_t i = 0; i < APPS * APPS; i++)
        y[i] = 0.2 + row[i / APPS] + column[i % APPS];
    double pair = effect_at(y, 0, 3, NULL, 0), apps = effect_at(y, 0, 3, both, 2);
    y[0 * APPS + 3] += 2;
    y[3 * APPS + 0] = NAN;
    assert_near(effect_at(y, 0, 3, NULL, 0), pair, 1e-12);
    y[0 * APPS + 1] -= 3;
    y[2 * APPS + 3] = NAN;
    assert_near(effect_at(y, 0, 3, both, 2), apps, 1e-12);
}

/* As a fit without them says. */
static void errors_are_those_of_what_is_left_out(void **state)
{
    (void)state;
    double y[APPS * APPS], error[APPS * APPS], values[1 + 2 * APPS], rest[APPS * APPS];
    const struct ct_two_way fit = {y, APPS, 0.7, 0.4, values},
                            other = {rest, APPS, 0.7, 0.4, values};
    for (size_t i = 0; i < APPS * APPS; i++)
        y[i] = i % 7 == 3 ? NAN : row[i / APPS] * column[i % APPS] + 0.1 * (double)(i % 4);
    assert_int_equal(ct_two_way_solve(&fit, error), CT_OK);
    for (size_t i = 0; i < APPS * APPS; i++) {
        memcpy(rest, y, sizeof rest);
        ct_two_way_leave_out(rest, APPS, i / APPS, i % APPS, NULL, 0);
        memset(values, 0, sizeof values);
        ct_two_way_settle(&other, 10000, 1e-13);
        if (isnan(y[i]))
            assert_true(isnan(error[i]));
        else
            assert_near(error[i], y[i] - ct_two_way_at(&other, i / APPS, i % APPS), 1e-10);
    }
}

static void no_effects_change_nothing(void **state)
{
    (void)state;
    double y[APPS * APPS];
    for (size_t i = 0; i < APPS * APPS; i++)
        y[i] = NAN;
    assert_near(effect_at(y, 0, 1, NULL, 0), 0, 0);
    for (size_t i = 0; i < APPS * APPS; i++)
        y[i] = i % 2 ? 0.2 : -0.2; /* no rows, no columns */
    for (size_t i = 0; i < APPS; i++)
        assert_near(effect_at(y, i, (i + 1) % APPS, NULL, 0), 0, 0.05);
    /* With all applications but one left out there is no co-run to learn from. */
    static const size_t all[] = {0, 1, 2, 3, 4};
    assert_near(effect_at(y, 0, 1, all, APPS), 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_found_again),
        cmocka_unit_test(a_line_goes_on_beyond_its_points),
        cmocka_unit_test(points_that_say_little_are_enough),
        cmocka_unit_test(slowdown_of_both_settles),
        cmocka_unit_test(effects_of_others_predict_a_pair),
        cmocka_unit_test(what_is_left_out_says_nothing),
        cmocka_unit_test(errors_are_those_of_what_is_left_out),
        cmocka_unit_test(no_effects_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
