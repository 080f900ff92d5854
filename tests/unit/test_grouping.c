/* predict/grouping: against exhaustive search. */
#include "predict/grouping.h"
#include "tests/unit/unit.h"

#include <gsl/gsl_rng.h>
#include <stdlib.h>
#include <string.h>

enum { N_MAX = 24 };

/* Cost of a group: what each member suffers from each other, and a little more for crowds. */
struct costs {
    double pair[N_MAX][N_MAX];
    enum ct_grouping_objective objective;
    double offset; /* each member's alone; below 0: a gain */
    bool fails;
    size_t n_priced, least, most; /* groups: their number, and jobs in the smallest and largest */
};

static enum ct_status cost(const size_t *jobs, size_t n, void *data, double *cost_p)
{
    struct costs *costs = data;
    double sum = 0, worst = -INFINITY;
    costs->least = costs->n_priced == 0 || n < costs->least ? n : costs->least;
    costs->most = n > costs->most ? n : costs->most;
    costs->n_priced++;
    for (size_t i = 0; i < n; i++) {
        double suffers = costs->offset;
        assert_true(i == 0 || jobs[i] > jobs[i - 1]);
        for (size_t j = 0; j < n; j++)
            if (j != i)
                suffers += costs->pair[jobs[i]][jobs[j]] * (1 + 0.1 * (double)n);
        sum += suffers;
        worst = fmax(worst, suffers);
    }
    *cost_p = costs->objective == CT_GROUPING_SUM ? sum : worst;
    return costs->fails ? CT_ENODATA : CT_OK;
}

static void draw_costs(gsl_rng *rng, struct costs *costs, enum ct_grouping_objective objective)
{
    *costs = (struct costs){.objective = objective};
    for (size_t i = 0; i < N_MAX; i++)
        for (size_t j = 0; j < N_MAX; j++)
            costs->pair[i][j] = gsl_rng_uniform(rng) < 0.3 ? 2 : 0.3 * gsl_rng_uniform(rng);
}

static double cost_of(const struct ct_grouping_problem *problem, const size_t *switch_of)
{
    double all = problem->objective == CT_GROUPING_SUM ? 0 : -INFINITY;
    for (size_t s = 0; s < problem->n_switches; s++) {
        size_t jobs[N_MAX], n = 0;
        double one;
        for (size_t job = 0; job < problem->n; job++)
            if (switch_of[job] == s)
                jobs[n++] = job;
        if (n > problem->per_switch)
            return INFINITY;
        if (n == 0)
            continue;
        cost(jobs, n, problem->data, &one);
        all = problem->objective == CT_GROUPING_SUM ? all + one : fmax(all, one);
    }
    return all;
}

/* Every job on every switch. */
static double exhaustive(const struct ct_grouping_problem *problem, size_t *switch_of, size_t job)
{
    double best = INFINITY;
    if (job == problem->n)
        return cost_of(problem, switch_of);
    for (size_t s = 0; s < problem->n_switches; s++) {
        switch_of[job] = s;
        best = fmin(best, exhaustive(problem, switch_of, job + 1));
    }
    return best;
}

static void exact_is_as_good_as_trying_all(void **state)
{
    (void)state;
    static const size_t sizes[][3] = {{1, 1, 1}, {2, 1, 2}, {4, 2, 2}, {6, 3, 2}, {6, 2, 3},
                                      {7, 3, 3}, {5, 4, 2}, {6, 2, 5}, {3, 3, 1}, {5, 9, 4}};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int objective = CT_GROUPING_SUM; objective <= CT_GROUPING_MAX; objective++) {
            struct costs costs;
            draw_costs(rng, &costs, (enum ct_grouping_objective)objective);
            costs.offset = i % 2 ? -5 : 0;
            struct ct_grouping_problem problem = {.n = sizes[i][0],
                                                  .n_switches = sizes[i][1],
                                                  .per_switch = sizes[i][2],
                                                  .objective = costs.objective,
                                                  .cost = cost,
                                                  .data = &costs};
            struct ct_grouping grouping;
            size_t room[N_MAX];
            assert_int_equal(ct_grouping_best(&problem, &grouping), CT_OK);
            assert_true(grouping.is_exact);
            assert_near(grouping.cost, exhaustive(&problem, room, 0), 1e-12);
            assert_near(grouping.cost, cost_of(&problem, grouping.switch_of), 1e-12);
            assert_int_equal(grouping.switch_of[0], 0);
            ct_grouping_free(&grouping);
        }
    gsl_rng_free(rng);
}

/* A price may be a simulation. */
static void only_groups_of_a_division_are_priced(void **state)
{
    (void)state;
    static const struct {
        size_t n, n_switches, per_switch, n_priced, least, most;
    } cases[] = {{6, 1, 20, 1, 6, 6},  /* all together */
                 {6, 2, 3, 20, 3, 3},  /* of 6, 3 */
                 {6, 2, 4, 50, 2, 4},  /* who is left must fit on the other one */
                 {6, 2, 20, 63, 1, 6}, /* one may stay empty */
                 {6, 6, 1, 6, 1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct costs costs = {.objective = CT_GROUPING_SUM};
        const struct ct_grouping_problem problem = {.n = cases[i].n,
                                                    .n_switches = cases[i].n_switches,
                                                    .per_switch = cases[i].per_switch,
                                                    .objective = CT_GROUPING_SUM,
                                                    .cost = cost,
                                                    .data = &costs};
        struct ct_grouping grouping;
        assert_int_equal(ct_grouping_best(&problem, &grouping), CT_OK);
        assert_int_equal(costs.n_priced, cases[i].n_priced);
        assert_int_equal(costs.least, cases[i].least);
        assert_int_equal(costs.most, cases[i].most);
        ct_grouping_free(&grouping);
    }
}

static void many_jobs_get_a_good_grouping(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct costs costs;
    draw_costs(rng, &costs, CT_GROUPING_SUM);
    struct ct_grouping_problem problem = {
        .n = N_MAX, .n_switches = 8, .per_switch = 3, .cost = cost, .data = &costs, .seed = 3};
    struct ct_grouping grouping;
    double random_cost;
    assert_int_equal(ct_grouping_best(&problem, &grouping), CT_OK);
    assert_false(grouping.is_exact);
    assert_near(grouping.cost, cost_of(&problem, grouping.switch_of), 1e-9);
    assert_int_equal(ct_grouping_random(&problem, 200, &random_cost), CT_OK);
    assert_true(grouping.cost < 0.5 * random_cost);
    /* No exchange of two jobs makes it better. */
    for (size_t i = 0; i < N_MAX; i++)
        for (size_t j = 0; j < i; j++) {
            size_t other[N_MAX];
            memcpy(other, grouping.switch_of, sizeof other);
            other[i] = grouping.switch_of[j];
            other[j] = grouping.switch_of[i];
            assert_true(cost_of(&problem, other) >= grouping.cost - 1e-9);
        }
    ct_grouping_free(&grouping);
    gsl_rng_free(rng);
}

/* Two quiet and two loud jobs: 2 of the 6 orders of dealing, that is a third of the groupings, put
 * the loud ones together. */
/* Half of the jobs send and the others compute: two that send cost 2, others beside each other
 * nothing. Each sender has a job that computes, for nothing in all, whatever the objective. */
static enum ct_status cost_of_senders(const size_t *jobs, size_t n, void *data, double *cost_p)
{
    size_t n_senders = 0;
    (void)data;
    for (size_t i = 0; i < n; i++)
        n_senders += jobs[i] % 2;
    *cost_p = n_senders > 1 ? (double)n_senders : 0;
    return CT_OK;
}

static void slow_thousands_of_jobs_are_divided(void **state)
{
    (void)state;
    for (int objective = CT_GROUPING_SUM; objective <= CT_GROUPING_MAX; objective++) {
        const struct ct_grouping_problem problem = {.n = 3000,
                                                    .n_switches = 1500,
                                                    .per_switch = 2,
                                                    .objective =
                                                        (enum ct_grouping_objective)objective,
                                                    .cost = cost_of_senders,
                                                    .seed = 1};
        struct ct_grouping grouping;
        assert_int_equal(ct_grouping_best(&problem, &grouping), CT_OK);
        assert_false(grouping.is_exact);
        size_t *sizes = test_calloc(problem.n_switches, sizeof *sizes);
        for (size_t job = 0; job < problem.n; job++)
            assert_true(++sizes[grouping.switch_of[job]] <= 2);
        if (objective == CT_GROUPING_SUM)
            assert_near(grouping.cost, 0, 1e-9);
        assert_true(grouping.cost <= 2);
        test_free(sizes);
        ct_grouping_free(&grouping);
    }
}

static void random_groupings_cost_the_mean(void **state)
{
    (void)state;
    struct costs costs = {.objective = CT_GROUPING_SUM};
    costs.pair[0][1] = costs.pair[1][0] = 0.5 / 1.2; /* both slowed by a half: costs 1 */
    struct ct_grouping_problem problem = {
        .n = 4, .n_switches = 2, .per_switch = 2, .cost = cost, .data = &costs, .seed = 5};
    double mean;
    struct ct_grouping grouping;
    assert_int_equal(ct_grouping_random(&problem, 20000, &mean), CT_OK);
    assert_near(mean, 1.0 / 3, 0.02);
    assert_int_equal(ct_grouping_best(&problem, &grouping), CT_OK);
    assert_near(grouping.cost, 0, 1e-12);
    assert_true(grouping.switch_of[0] != grouping.switch_of[1]);
    ct_grouping_free(&grouping);
}

static void impossible_ones_are_refused(void **state)
{
    (void)state;
    struct costs costs = {.objective = CT_GROUPING_SUM};
    struct ct_grouping grouping = {.cost = 7};
    static const size_t sizes[][3] = {{0, 1, 1}, {3, 1, 2}, {3, 0, 9}, {3, 9, 0}, {7, 3, 2}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct ct_grouping_problem problem = {.n = sizes[i][0],
                                              .n_switches = sizes[i][1],
                                              .per_switch = sizes[i][2],
                                              .cost = cost,
                                              .data = &costs};
        double mean = 7;
        assert_int_equal(ct_grouping_best(&problem, &grouping), CT_EINVAL);
        assert_int_equal(ct_grouping_random(&problem, 5, &mean), CT_EINVAL);
        assert_true(grouping.cost == 7 && mean == 7);
    }
    costs.fails = true;
    for (size_t n = 4; n <= 20; n += 16) {
        struct ct_grouping_problem problem = {
            .n = n, .n_switches = 10, .per_switch = 2, .cost = cost, .data = &costs};
        assert_int_equal(ct_grouping_best(&problem, &grouping), CT_ENODATA);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_is_as_good_as_trying_all),
        cmocka_unit_test(only_groups_of_a_division_are_priced),
        cmocka_unit_test(many_jobs_get_a_good_grouping),
        cmocka_unit_test(slow_thousands_of_jobs_are_divided),
        cmocka_unit_test(random_groupings_cost_the_mean),
        cmocka_unit_test(impossible_ones_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
