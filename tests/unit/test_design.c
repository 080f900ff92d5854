/* calibrate/design: what each kind of points promises. */
#include "calibrate/design.h"
#include "core/random.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

static struct ct_design make(struct ct_design_setup setup)
{
    struct ct_design design;
    struct ct_error err;
    if (ct_design_make(&setup, &design, &err) != CT_OK)
        fail_msg("%s", err.text);
    return design;
}

/* Square of the L2 star discrepancy (Warnock 1972) of n points in [-1, 1]^d. */
static double discrepancy(const double *points, size_t n, size_t n_dims)
{
    double first = 0, second = 0;
    for (size_t i = 0; i < n; i++) {
        double product = 1;
        for (size_t d = 0; d < n_dims; d++) {
            double x = (points[i * n_dims + d] + 1) / 2;
            product *= (1 - x * x) / 2;
        }
        first += product;
        for (size_t j = 0; j < n; j++) {
            product = 1;
            for (size_t d = 0; d < n_dims; d++)
                product *= (1 - fmax(points[i * n_dims + d], points[j * n_dims + d])) / 2;
            second += product;
        }
    }
    return pow(3, -(double)n_dims) - 2 * first / (double)n + second / (double)(n * n);
}

static void sobol_covers_better_than_chance(void **state)
{
    (void)state;
    enum { DIMS = 5, POINTS = 256, SETS = 5 };
    struct ct_design sobol =
        make((struct ct_design_setup){CT_DESIGN_SOBOL, .n_dims = DIMS, .n_points = POINTS});
    double ours = discrepancy(sobol.points, POINTS, DIMS), points[POINTS * DIMS];
    for (uint64_t set = 0; set < SETS; set++) {
        for (size_t i = 0; i < POINTS * DIMS; i++)
            points[i] = 2 * ct_random_unit(ct_random_at(set, i)) - 1;
        assert_true(ours < discrepancy(points, POINTS, DIMS) / 2);
    }
    /* More points keep the first ones. */
    struct ct_design more =
        make((struct ct_design_setup){CT_DESIGN_SOBOL, .n_dims = DIMS, .n_points = 300});
    assert_memory_equal(more.points, sobol.points, POINTS * DIMS * sizeof(double));
    assert_null(sobol.weights);
    ct_design_free(&more);
    ct_design_free(&sobol);
}

static void latin_has_one_point_in_each_stratum(void **state)
{
    (void)state;
    enum { DIMS = 7, POINTS = 53 };
    struct ct_design_setup setup = {CT_DESIGN_LATIN, .n_dims = DIMS, .n_points = POINTS,
                                    .seed = 12};
    struct ct_design latin = make(setup), again = make(setup);
    assert_memory_equal(again.points, latin.points, POINTS * DIMS * sizeof(double));
    setup.seed = 13;
    struct ct_design other = make(setup);
    assert_memory_not_equal(other.points, latin.points, POINTS * DIMS * sizeof(double));
    for (size_t d = 0; d < DIMS; d++) {
        int in[POINTS] = {0};
        size_t unmoved = 0;
        for (size_t i = 0; i < POINTS; i++) {
            double share = (latin.points[i * DIMS + d] + 1) / 2;
            assert_true(share >= 0 && share < 1);
            size_t stratum = (size_t)(share * POINTS);
            in[stratum]++;
            unmoved += stratum == i;
        }
        for (size_t i = 0; i < POINTS; i++)
            assert_int_equal(in[i], 1);
        assert_true(unmoved < POINTS / 4); /* shuffled */
    }
    ct_design_free(&latin);
    ct_design_free(&again);
    ct_design_free(&other);
}

/* Mean of a monomial by a design's quadrature. */
static double quadrature(const struct ct_design *design, const unsigned *powers)
{
    double sum = 0;
    for (size_t i = 0; i < design->n_points; i++) {
        double product = design->weights[i];
        for (size_t d = 0; d < design->n_dims; d++)
            product *= pow(design->points[i * design->n_dims + d], powers[d]);
        sum += product;
    }
    return sum;
}

static double exact_mean(size_t n_dims, const unsigned *powers)
{
    double product = 1;
    for (size_t d = 0; d < n_dims; d++)
        product *= powers[d] % 2 ? 0 : 1.0 / (powers[d] + 1);
    return product;
}

static void sparse_grids_integrate_their_degree(void **state)
{
    (void)state;
    enum { DIMS = 3, LEVELS = 6 };
    for (unsigned level = 0; level < LEVELS; level++) {
        struct ct_design grid =
            make((struct ct_design_setup){CT_DESIGN_SPARSE, .n_dims = DIMS, .level = level});
        unsigned degree = 2 * level + 1, p[DIMS] = {0};
        for (p[0] = 0; p[0] <= degree; p[0]++)
            for (p[1] = 0; p[0] + p[1] <= degree; p[1]++)
                for (p[2] = 0; p[0] + p[1] + p[2] <= degree; p[2]++)
                    assert_near(quadrature(&grid, p), exact_mean(DIMS, p), 1e-12);
        ct_design_free(&grid);
    }
    /* One degree more is too much. */
    struct ct_design grid =
        make((struct ct_design_setup){CT_DESIGN_SPARSE, .n_dims = 5, .level = 3});
    const unsigned squares[] = {2, 2, 2, 2, 0};
    assert_true(fabs(quadrature(&grid, squares) - exact_mean(5, squares)) > 1e-3);
    ct_design_free(&grid);
}

static int compare_points(const void *a, const void *b)
{
    return memcmp(a, b, 7 * sizeof(double));
}

/* As many points as the source has simulations, each of them once. */
static void sparse_grid_of_the_source(void **state)
{
    (void)state;
    struct ct_design grid =
        make((struct ct_design_setup){CT_DESIGN_SPARSE, .n_dims = 7, .level = 4});
    assert_int_equal(grid.n_points, 2465);
    for (size_t i = 0; i < grid.n_points * 7; i++)
        assert_true(fabs(grid.points[i]) <= 1);
    struct ct_design coarse =
        make((struct ct_design_setup){CT_DESIGN_SPARSE, .n_dims = 7, .level = 3});
    assert_int_equal(coarse.n_points, 589);
    assert_memory_equal(coarse.points, grid.points, 589 * 7 * sizeof(double)); /* the first ones */
    qsort(grid.points, grid.n_points, 7 * sizeof(double), compare_points);
    for (size_t i = 1; i < grid.n_points; i++)
        assert_true(compare_points(grid.points + 7 * i - 7, grid.points + 7 * i) != 0);
    ct_design_free(&coarse);
    ct_design_free(&grid);
}

static void designs_that_cannot_be_made(void **state)
{
    (void)state;
    static const struct {
        struct ct_design_setup setup;
        const char *says;
    } cases[] = {
        {{CT_DESIGN_SOBOL, .n_dims = 0, .n_points = 1}, "0 parameters"},
        {{CT_DESIGN_SOBOL, .n_dims = 41, .n_points = 1}, "41 parameters"},
        {{CT_DESIGN_LATIN, .n_dims = 2, .n_points = 0}, "0 points"},
        {{CT_DESIGN_LATIN, .n_dims = 2, .n_points = 1000001}, "1000001 points"},
        {{CT_DESIGN_SPARSE, .n_dims = 2, .level = 11}, "level 11"},
        {{CT_DESIGN_SPARSE, .n_dims = 40, .level = 10}, "take a lower level"},
    };
    struct ct_error err;
    struct ct_design design = {.n_points = 77};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(ct_design_make(&cases[i].setup, &design, &err), CT_EINVAL);
        assert_non_null(strstr(err.text, cases[i].says));
    }
    assert_int_equal(design.n_points, 77);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sobol_covers_better_than_chance),
                                       cmocka_unit_test(latin_has_one_point_in_each_stratum),
                                       cmocka_unit_test(sparse_grids_integrate_their_degree),
                                       cmocka_unit_test(sparse_grid_of_the_source),
                                       cmocka_unit_test(designs_that_cannot_be_made)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
