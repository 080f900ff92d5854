/* predict/drift: which baselines count as changed. */
#include "predict/drift.h"
#include "tests/unit/unit.h"

enum { PASSES = 6, RUNS = 8 };

/* Passes about a mean: mean - spread and mean + spread by turns. */
struct run {
    double x[PASSES];
};

static struct ct_series fill(struct run *run, double mean_s, double spread_s)
{
    for (size_t i = 0; i < PASSES; i++)
        run->x[i] = mean_s + (i % 2 ? spread_s : -spread_s);
    return (struct ct_series){run->x, PASSES};
}

static struct ct_drift find(const struct ct_series *runs, size_t n)
{
    struct ct_drift drift;
    assert_int_equal(ct_drift_find(runs, n, 0.95, &drift), CT_OK);
    return drift;
}

static void disjoint_intervals_are_a_drift(void **state)
{
    (void)state;
    struct run a, b, c;
    const struct ct_series runs[] = {fill(&a, 2, 0.02), fill(&b, 2.01, 0.02), fill(&c, 2.2, 0.02)};
    struct ct_drift drift = find(runs, 3);
    assert_true(drift.found);
    assert_int_equal(drift.before, 0);
    assert_int_equal(drift.after, 2);
    assert_near(drift.before_s, 2, 1e-12);
    assert_near(drift.after_s, 2.2, 1e-12);
    assert_near(drift.change_frac, 0.1, 1e-12);
    assert_false(find(runs, 2).found);
    assert_false(find(runs, 1).found);
    assert_false(find(runs, 0).found);
}

static void faster_is_a_drift_too(void **state)
{
    (void)state;
    struct run a, b;
    const struct ct_series runs[] = {fill(&a, 2.5, 0.01), fill(&b, 2, 0.01)};
    struct ct_drift drift = find(runs, 2);
    assert_true(drift.found);
    assert_near(drift.change_frac, -0.2, 1e-12);
}

/* The same means, 10 % apart, of passes that vary by 20 %. */
static void wide_intervals_are_none(void **state)
{
    (void)state;
    struct run a, b;
    const struct ct_series runs[] = {fill(&a, 2, 0.4), fill(&b, 2.2, 0.4)};
    assert_false(find(runs, 2).found);
}

/* Half width at 95 %, 5 degrees of freedom, standard deviation s sqrt(6/5), n = 6:
   2.5706 * s / sqrt(5) = 1.1496 s; with two runs each is at 97.5 %: 3.1634 / sqrt(5) = 1.4147 s. */
static void intervals_widen_with_the_number_of_runs(void **state)
{
    (void)state;
    struct run a, b;
    struct ct_series runs[RUNS] = {fill(&a, 10, 1)};
    runs[1] = fill(&b, 10 + 2 * 1.41, 1);
    assert_false(find(runs, 2).found);
    runs[1] = fill(&b, 10 + 2 * 1.42, 1);
    assert_true(find(runs, 2).found);
    struct run more[RUNS];
    for (size_t i = 2; i < RUNS; i++)
        runs[i] = fill(&more[i], 11.4, 1);
    assert_false(find(runs, RUNS).found);
}

static void small_changes_and_lone_passes_are_passed_over(void **state)
{
    (void)state;
    struct run a, b;
    const struct ct_series runs[] = {fill(&a, 2, 1e-4), fill(&b, 2.018, 1e-4)};
    assert_false(find(runs, 2).found);
    fill(&b, 2.022, 1e-4);
    assert_true(find(runs, 2).found);
    const struct ct_series lone[] = {runs[0], {runs[1].x, 1}, {NULL, 0}};
    assert_false(find(lone, 3).found);
}

static void bad_values_are_refused(void **state)
{
    (void)state;
    struct run a, b;
    const struct ct_series runs[] = {fill(&a, NAN, 1), fill(&b, 2, 1)};
    struct ct_drift drift;
    assert_int_equal(ct_drift_find(runs, 2, 0.95, &drift), CT_EINVAL);
    assert_int_equal(ct_drift_find(runs, 0, 1, &drift), CT_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(disjoint_intervals_are_a_drift),
        cmocka_unit_test(faster_is_a_drift_too),
        cmocka_unit_test(wide_intervals_are_none),
        cmocka_unit_test(intervals_widen_with_the_number_of_runs),
        cmocka_unit_test(small_changes_and_lone_passes_are_passed_over),
        cmocka_unit_test(bad_values_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
