/* model/lookup: the nearest configuration, ties, and what happens where nothing matches. */
#include "model/lookup/lookup.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>

static struct ct_probe_profile profile(double mean_s)
{
    return (struct ct_probe_profile){.latency_s = {.n = isnan(mean_s) ? 0 : 100, .mean = mean_s}};
}

static struct ct_lookup_choice choose(const struct ct_lookup_model *model, double target_s,
                                      const double *means_s, size_t n)
{
    struct ct_probe_profile target = profile(target_s);
    struct ct_lookup_search search = ct_lookup_begin(model, &target);
    for (size_t i = 0; i < n; i++) {
        struct ct_probe_profile candidate = profile(means_s[i]);
        ct_lookup_offer(&search, i, &candidate);
    }
    return ct_lookup_end(&search);
}

static void nearest_mean_is_taken(void **state)
{
    (void)state;
    const double means_s[] = {40e-6, 10e-6, 30e-6, 20e-6};
    const struct {
        double target_s;
        size_t index;
    } cases[] = {{1e-6, 1}, {14e-6, 1}, {16e-6, 3}, {30e-6, 2}, {36e-6, 0}, {9, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ct_lookup_choice choice = choose(&ct_lookup_average, cases[i].target_s, means_s, 4);
        assert_true(choice.found && !choice.tie && !choice.fallback);
        assert_int_equal(choice.index, cases[i].index);
    }
}

static void ties_go_to_the_first_and_are_flagged(void **state)
{
    (void)state;
    /* |20 - 10| and |20 - 30| us differ by rounding. */
    const double either_side_s[] = {50e-6, 30e-6, 10e-6}, equal_s[] = {9e-6, 7e-6, 7e-6};
    struct ct_lookup_choice choice = choose(&ct_lookup_average, 20e-6, either_side_s, 3);
    assert_true(choice.found && choice.tie);
    assert_int_equal(choice.index, 1);
    choice = choose(&ct_lookup_average, 7e-6, equal_s, 3);
    assert_true(choice.found && choice.tie);
    assert_int_equal(choice.index, 1);
    /* A tie among the worse ones is none. */
    const double later_s[] = {10e-6, 30e-6, 21e-6};
    choice = choose(&ct_lookup_average, 20e-6, later_s, 3);
    assert_true(choice.found && !choice.tie);
    assert_int_equal(choice.index, 2);
}

static void nothing_measured_nothing_found(void **state)
{
    (void)state;
    const double means_s[] = {NAN, 10e-6, NAN};
    assert_false(choose(&ct_lookup_average, 10e-6, means_s, 0).found);
    assert_false(choose(&ct_lookup_average, 10e-6, means_s, 1).found);
    assert_false(choose(&ct_lookup_average, NAN, means_s, 3).found);
    struct ct_lookup_choice choice = choose(&ct_lookup_average, 50e-6, means_s, 3);
    assert_true(choice.found);
    assert_int_equal(choice.index, 1);
}

/* A model that knows only latencies that share their whole ten microseconds, all equally well. */
static double score_same_decade(const struct ct_probe_profile *b, const struct ct_probe_profile *c)
{
    return floor(b->latency_s.mean * 1e5) == floor(c->latency_s.mean * 1e5) ? 1 : NAN;
}

static void other_models_fall_back_to_the_nearest_mean(void **state)
{
    (void)state;
    const struct ct_lookup_model decade = {"decade", "latencies", score_same_decade};
    const double means_s[] = {31e-6, 12e-6, 18e-6, 55e-6};
    struct ct_lookup_choice choice = choose(&decade, 17e-6, means_s, 4);
    assert_true(choice.found && choice.tie && !choice.fallback);
    assert_int_equal(choice.index, 2); /* of two equal scores the nearer mean */
    choice = choose(&decade, 29e-6, means_s, 4);
    assert_true(choice.found && choice.fallback && !choice.tie);
    assert_int_equal(choice.index, 0);
    choice = choose(&decade, 36e-6, means_s, 4);
    assert_true(choice.found && !choice.fallback && !choice.tie);
    assert_int_equal(choice.index, 0);
}

/* A profile with mean, deviation and the share of its latencies in each of four bins. */
static struct ct_probe_profile shaped(double mean_s, double deviation_s, double *mass)
{
    return (struct ct_probe_profile){
        .latency_s = {.n = 100, .mean = mean_s, .variance = deviation_s * deviation_s},
        .grid = {.first = (uint64_t)8 << 10, .n_bins = 4},
        .mass = mass};
}

static void intervals_in_common_are_measured(void **state)
{
    (void)state;
    const struct ct_lookup_model *model = &ct_lookup_average_stdev;
    struct ct_probe_profile b = shaped(20, 5, NULL); /* 15..25 */
    const struct {
        double mean_s, deviation_s, score;
    } cases[] = {{20, 5, 10}, {20, 2, 4}, {20, 50, 10}, {28, 5, 2}, {12, 4, 1}, {30, 5, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ct_probe_profile c = shaped(cases[i].mean_s, cases[i].deviation_s, NULL);
        assert_near(model->score(&b, &c), cases[i].score, 1e-12);
    }
    struct ct_probe_profile far = shaped(31, 5, NULL), single = shaped(20, NAN, NULL);
    assert_true(isnan(model->score(&b, &far)));
    assert_true(isnan(model->score(&b, &single)));
}

static void densities_are_compared(void **state)
{
    (void)state;
    double flat[] = {0.25, 0.25, 0.25, 0.25}, peak[] = {0, 1, 0, 0}, right[] = {0, 0, 0.5, 0.5};
    struct ct_probe_profile f = shaped(1, 1, flat), p = shaped(1, 1, peak), r = shaped(1, 1, right);
    double width_s = ct_probe_edge_s(&f.grid, 1) - ct_probe_edge_s(&f.grid, 0);
    assert_true(width_s > 0);
    /* As printed a flat density finds a peaked one as near as itself, and a peaked one beats 1. */
    assert_near(ct_lookup_pdf.score(&f, &f) * width_s, 0.25, 1e-9);
    assert_near(ct_lookup_pdf.score(&f, &p) * width_s, 0.25, 1e-9);
    assert_near(ct_lookup_pdf.score(&p, &p) * width_s, 1, 1e-9);
    assert_true(isnan(ct_lookup_pdf.score(&p, &r)));
    struct ct_probe_profile none = shaped(1, 1, NULL);
    assert_true(isnan(ct_lookup_pdf.score(&none, &f)) && isnan(ct_lookup_pdf.score(&f, &none)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_mean_is_taken),
        cmocka_unit_test(ties_go_to_the_first_and_are_flagged),
        cmocka_unit_test(nothing_measured_nothing_found),
        cmocka_unit_test(other_models_fall_back_to_the_nearest_mean),
        cmocka_unit_test(intervals_in_common_are_measured),
        cmocka_unit_test(densities_are_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
