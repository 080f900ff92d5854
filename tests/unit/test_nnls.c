/* Non-negative least squares against closed forms, and the conditions of the least sum. */
#include "core/random.h"
#include "model/links/flat.h"
#include "model/links/nnls.h"
#include "tests/unit/unit.h"

#include <string.h>

enum { UNKNOWNS_MAX = 12, ROWS_MAX = 30 };

/* A problem of rows that have all columns. */
struct least_squares {
    size_t n, n_rows;
    double hold, held[UNKNOWNS_MAX];
    double a[ROWS_MAX][UNKNOWNS_MAX], weight[ROWS_MAX], b[ROWS_MAX];
};

static enum ct_status solve(const struct least_squares *of, double *x, struct ct_error *err)
{
    size_t first[ROWS_MAX + 1] = {0}, n = 0;
    uint32_t column[ROWS_MAX * UNKNOWNS_MAX];
    double factor[ROWS_MAX * UNKNOWNS_MAX];
    struct ct_sparse matrix;
    struct ct_nnls_room room;
    for (size_t r = 0; r < of->n_rows; r++) {
        for (uint32_t c = 0; c < of->n; c++)
            if (fabs(of->a[r][c]) > 0) {
                column[n] = c;
                factor[n++] = of->a[r][c];
            }
        first[r + 1] = n;
    }
    const struct ct_link_rows rows = {of->n_rows, first, column, factor};
    assert_int_equal(ct_sparse_new(&rows, NULL, NULL, of->n, &matrix, err), CT_OK);
    assert_int_equal(ct_nnls_room_new(&matrix, NULL, &room, err), CT_OK);
    const struct ct_nnls problem = {.matrix = &matrix,
                                    .factor = matrix.factor,
                                    .weight = of->weight,
                                    .b = of->b,
                                    .hold = of->hold,
                                    .held = of->held};
    enum ct_status status = ct_nnls_solve(&problem, 0, &room, x, err);
    ct_nnls_room_free(&room);
    ct_sparse_free(&matrix);
    return status;
}

static void solve_to(const struct least_squares *problem, double start, const double *expected)
{
    double x[UNKNOWNS_MAX];
    struct ct_error err = {.text = ""};
    for (size_t i = 0; i < problem->n; i++)
        x[i] = start;
    if (solve(problem, x, &err) != CT_OK)
        fail_msg("%s", err.text);
    for (size_t i = 0; i < problem->n; i++)
        assert_near(x[i], expected[i], 1e-12);
}

static void least_squares_stay_above_zero(void **state)
{
    (void)state;
    static const double zero[UNKNOWNS_MAX] = {0};
    for (int start = 0; start < 2; start++) {
        /* Each on its own, cut at 0: 2 x = 4 by weight, and x held at 1: (2 * 2 * 4 + 1) / (2 * 4 +
         * 1). */
        solve_to(&(struct least_squares){.n = 3,
                                         .n_rows = 3,
                                         .hold = 1,
                                         .held = {1, 0, 0},
                                         .a = {{2, 0, 0}, {0, 4, 0}, {0, 0, 1}},
                                         .weight = {2, 1, 1},
                                         .b = {4, -4, 3}},
                 start, (double[]){17.0 / 9, 0, 1.5});
        /* x + y = 1, y = -2, x = 1, all held at 0: [3 1; 1 3] (x, y) = (2, -1) has the solution
           (7/8, -5/8); with y = 0 it is x = 2/3. */
        struct least_squares three = {.n = 2,
                                      .n_rows = 3,
                                      .hold = 1,
                                      .a = {{1, 1}, {0, 1}, {1, 0}},
                                      .weight = {1, 1, 1},
                                      .b = {1, -2, 1}};
        solve_to(&three, start, (double[]){2.0 / 3, 0});
        /* Inside the bounds: the plain solution of (x, y) = (4, 5). */
        memcpy(three.b, (double[]){3, 2, 1}, sizeof(double[3]));
        solve_to(&three, start, (double[]){7.0 / 8, 11.0 / 8});
        memcpy(three.b, zero, sizeof(double[3]));
        solve_to(&three, start, zero);
    }
}

static void least_squares_meet_the_conditions(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (int trial = 0; trial < 200; trial++) {
        struct least_squares of = {.n = UNKNOWNS_MAX, .n_rows = ROWS_MAX, .hold = 1e-3};
        double x[UNKNOWNS_MAX];
        struct ct_error err;
        for (int r = 0; r < ROWS_MAX; r++) {
            of.weight[r] = ct_random_unit(ct_random_next(&random));
            of.b[r] = ct_random_unit(ct_random_next(&random)) - 0.5;
            for (int i = 0; i < UNKNOWNS_MAX; i++)
                of.a[r][i] = ct_random_unit(ct_random_next(&random)) < 0.3;
        }
        for (int i = 0; i < UNKNOWNS_MAX; i++)
            x[i] = trial % 2 ? ct_random_unit(ct_random_next(&random)) : 0;
        assert_int_equal(solve(&of, x, &err), CT_OK);
        for (int i = 0; i < UNKNOWNS_MAX; i++) { /* Karush, Kuhn, Tucker */
            double gain = -of.hold * x[i];
            for (int r = 0; r < ROWS_MAX; r++) {
                double rest = of.b[r];
                for (int j = 0; j < UNKNOWNS_MAX; j++)
                    rest -= of.a[r][j] * x[j];
                gain += of.weight[r] * of.a[r][i] * rest;
            }
            assert_true(x[i] >= 0);
            assert_true(gain < 1e-9);
            assert_true(x[i] == 0 || fabs(gain) < 1e-9);
        }
    }
}

static void what_has_no_solution_is_refused(void **state)
{
    (void)state;
    struct least_squares one = {.n = 1, .n_rows = 1, .a = {{1}}, .weight = {1}, .b = {1}};
    double x = 1;
    struct ct_error err;
    assert_int_equal(solve(&one, &x, &err), CT_EINVAL);
    one.hold = 1;
    assert_int_equal(solve(&one, &x, &err), CT_OK);
    assert_near(x, 0.5, 1e-12);
    one.b[0] = INFINITY;
    assert_int_equal(solve(&one, &x, &err), CT_EINVAL);
}

/* Rows x + y with weight 2 and y + z with weight 1, each unknown held by 1; z is not free. Of x and
 * y the matrix is [3 2; 2 4], its inverse [4 -2; -2 3] / 8. */
static void unit_vectors_precondition_by_the_inverse(void **state)
{
    (void)state;
    const struct ct_link_rows of_sum = {2, (size_t[]){0, 2, 4}, (uint32_t[]){0, 1, 1, 2}, NULL};
    const struct ct_link_rows units = {3, (size_t[]){0, 1, 2, 3}, (uint32_t[]){0, 1, 2}, NULL};
    struct ct_sparse matrix, vectors;
    struct ct_flat flat;
    struct ct_error err;
    assert_int_equal(ct_sparse_new(&of_sum, NULL, NULL, 3, &matrix, &err), CT_OK);
    assert_int_equal(ct_sparse_new(&units, NULL, NULL, 3, &vectors, &err), CT_OK);
    assert_int_equal(ct_flat_new(&vectors, &flat, &err), CT_OK);
    const struct ct_flat_sum sum = {&matrix, matrix.factor, (double[]){2, 1}, 1};
    ct_flat_set(&flat, &sum, (double[]){1, 1, 0});
    double way[] = {10, 20, 30};
    ct_flat_add(&flat, (double[]){8, 0, 0}, way);
    assert_near(way[0], 14, 1e-12);
    assert_near(way[1], 18, 1e-12);
    assert_near(way[2], 30, 0);
    ct_flat_add(&flat, (double[]){0, 8, 0}, way);
    assert_near(way[0], 12, 1e-12);
    assert_near(way[1], 21, 1e-12);
    ct_flat_free(&flat);
    ct_sparse_free(&vectors);
    ct_sparse_free(&matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(least_squares_stay_above_zero),
        cmocka_unit_test(least_squares_meet_the_conditions),
        cmocka_unit_test(what_has_no_solution_is_refused),
        cmocka_unit_test(unit_vectors_precondition_by_the_inverse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
