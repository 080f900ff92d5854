/* Pairings for 1 to 64 nodes, epochs, and due times. */
#include "bench/impact/impact_plan.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES_MAX = 64 };

/* Everybody has one partner, who has it too; returns how many sit out. */
static int assert_matching(const int *partner, int n)
{
    int alone = 0;
    for (int i = 0; i < n; i++) {
        assert_in_range(partner[i], 0, n - 1);
        assert_int_equal(partner[partner[i]], i);
        alone += partner[i] == i;
    }
    return alone;
}

static void test_every_pairing_is_a_matching(void **state)
{
    (void)state;
    for (int n = 1; n <= NODES_MAX; n++)
        for (int pairing = CT_PAIRING_ADJACENT; pairing <= CT_PAIRING_RANDOM; pairing++)
            for (int epoch = 0; epoch < 70; epoch++) {
                int partner[NODES_MAX];
                assert_int_equal(ct_impact_partners((enum ct_pairing)pairing, n, epoch, 7, partner),
                                 CT_OK);
                assert_int_equal(assert_matching(partner, n), n % 2);
            }
}

static void test_adjacent_pairs_neighbours(void **state)
{
    (void)state;
    int partner[5];
    assert_int_equal(ct_impact_partners(CT_PAIRING_ADJACENT, 5, 0, 0, partner), CT_OK);
    assert_memory_equal(partner, ((int[]){1, 0, 3, 2, 4}), sizeof partner);
}

static void test_rotation_is_a_tournament(void **state)
{
    (void)state;
    for (int n = 2; n <= NODES_MAX; n++) {
        static int met[NODES_MAX][NODES_MAX];
        memset(met, 0, sizeof met);
        int epochs = ct_impact_epochs(CT_PAIRING_ROTATE, n);
        for (int epoch = 0; epoch < epochs; epoch++) {
            int partner[NODES_MAX];
            assert_int_equal(ct_impact_partners(CT_PAIRING_ROTATE, n, epoch, 0, partner), CT_OK);
            for (int i = 0; i < n; i++)
                met[i][partner[i]]++;
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                assert_int_equal(met[i][j], i == j ? n % 2 : 1);
    }
}

static void test_random_matchings_follow_the_seed(void **state)
{
    (void)state;
    int first[NODES_MAX], again[NODES_MAX], other[NODES_MAX], later[NODES_MAX];
    assert_int_equal(ct_impact_partners(CT_PAIRING_RANDOM, NODES_MAX, 3, 1, first), CT_OK);
    assert_int_equal(ct_impact_partners(CT_PAIRING_RANDOM, NODES_MAX, 3, 1, again), CT_OK);
    assert_int_equal(ct_impact_partners(CT_PAIRING_RANDOM, NODES_MAX, 3, 2, other), CT_OK);
    assert_int_equal(ct_impact_partners(CT_PAIRING_RANDOM, NODES_MAX, 4, 1, later), CT_OK);
    assert_memory_equal(first, again, sizeof first);
    assert_memory_not_equal(first, other, sizeof first);
    assert_memory_not_equal(first, later, sizeof first);
}

static void test_epochs_fill_the_run(void **state)
{
    (void)state;
    for (int n = 2; n <= NODES_MAX; n++)
        for (double time_s = 0.01; time_s < 1e5; time_s *= 7) {
            struct ct_impact_epoch_plan plan =
                ct_impact_plan_epochs(ct_impact_epochs(CT_PAIRING_ROTATE, n), time_s, 0.1, false);
            int once = ct_impact_epochs(CT_PAIRING_ROTATE, n);
            assert_true(plan.n_epochs >= 1);
            assert_true(plan.n_epochs < once || plan.n_epochs % once == 0);
            assert_true(fabs(plan.n_epochs * plan.epoch_s - time_s) < 1e-9 * time_s);
        }
    struct ct_impact_epoch_plan whole =
        ct_impact_plan_epochs(ct_impact_epochs(CT_PAIRING_ADJACENT, 8), 60, 0.1, false);
    assert_int_equal(whole.n_epochs, 1);
    /* 60 s hold 8 tournaments of 7 epochs of at least a second. */
    assert_int_equal(
        ct_impact_plan_epochs(ct_impact_epochs(CT_PAIRING_ROTATE, 8), 60, 0.1, false).n_epochs, 56);
    /* A run of a month still has a number of epochs that can be counted: a million at most. */
    assert_int_equal(
        ct_impact_plan_epochs(ct_impact_epochs(CT_PAIRING_ROTATE, 8), 3e6, 0.1, false).n_epochs,
        999999);
}

/* More nodes than a run has time for: epochs keep room for probes, the tournament is cut short. */
static void test_epochs_keep_room_for_probes(void **state)
{
    (void)state;
    struct ct_impact_epoch_plan once =
        ct_impact_plan_epochs(ct_impact_epochs(CT_PAIRING_ROTATE, 200), 60, 0.1, false);
    assert_int_equal(once.n_epochs, 199);
    struct ct_impact_epoch_plan cut =
        ct_impact_plan_epochs(ct_impact_epochs(CT_PAIRING_ROTATE, 10000), 60, 0.1, false);
    assert_true(cut.n_epochs < 9999);
    assert_true(cut.epoch_s >= 2 * 0.1);
    /* Even one epoch is longer than the run: there is one all the same. */
    assert_int_equal(
        ct_impact_plan_epochs(ct_impact_epochs(CT_PAIRING_ROTATE, 8), 0.01, 1, false).n_epochs, 1);
    /* In a simulation 20 ms are enough for all partners, with ten probes each. */
    const struct ct_impact_epoch_plan simulated =
        ct_impact_plan_epochs(ct_impact_epochs(CT_PAIRING_ROTATE, 18), 20e-3, 1e-4, true);
    assert_int_equal(simulated.n_epochs, 17);
    assert_int_equal(
        ct_impact_plan_epochs(ct_impact_epochs(CT_PAIRING_ROTATE, 18), 20e-3, 1e-4, false).n_epochs,
        1);
}

/* Mean and coefficient of variation of the distances of n due times. */
static void measure(enum ct_arrivals arrivals, int n, double *mean_p, double *cv_p)
{
    struct ct_impact_schedule *schedule = ct_impact_schedule_new(arrivals, 0.1, 5, 42, 3);
    assert_non_null(schedule);
    double last = ct_impact_schedule_next(schedule), sum = 0, squares = 0;
    assert_true(last >= 5);
    for (int i = 0; i < n; i++) {
        double due = ct_impact_schedule_next(schedule);
        assert_true(due > last);
        sum += due - last;
        squares += (due - last) * (due - last);
        last = due;
    }
    ct_impact_schedule_free(schedule);
    *mean_p = sum / n;
    *cv_p = sqrt(fmax(0, squares / n - *mean_p * *mean_p)) / *mean_p;
}

static void test_arrivals(void **state)
{
    (void)state;
    double mean, cv;
    enum { N = 100000 };
    /* Exponential: mean and coefficient of variation within five standard errors. */
    measure(CT_ARRIVALS_POISSON, N, &mean, &cv);
    assert_true(fabs(mean - 0.1) < 5 * 0.1 / sqrt(N));
    assert_true(fabs(cv - 1) < 5 * sqrt(2.0 / N) * 1.5);
    measure(CT_ARRIVALS_FIXED, 1000, &mean, &cv);
    assert_true(fabs(mean - 0.1) < 1e-12);
    assert_true(cv < 1e-6);
}

static void test_streams_differ(void **state)
{
    (void)state;
    struct ct_impact_schedule *a = ct_impact_schedule_new(CT_ARRIVALS_FIXED, 1, 0, 1, 1);
    struct ct_impact_schedule *b = ct_impact_schedule_new(CT_ARRIVALS_FIXED, 1, 0, 1, 1);
    struct ct_impact_schedule *c = ct_impact_schedule_new(CT_ARRIVALS_FIXED, 1, 0, 1, 2);
    assert_true(a && b && c);
    double first = ct_impact_schedule_next(a);
    assert_true(first == ct_impact_schedule_next(b));
    assert_true(first != ct_impact_schedule_next(c));
    ct_impact_schedule_free(a);
    ct_impact_schedule_free(b);
    ct_impact_schedule_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_pairing_is_a_matching),
        cmocka_unit_test(test_adjacent_pairs_neighbours),
        cmocka_unit_test(test_rotation_is_a_tournament),
        cmocka_unit_test(test_random_matchings_follow_the_seed),
        cmocka_unit_test(test_epochs_fill_the_run),
        cmocka_unit_test(test_epochs_keep_room_for_probes),
        cmocka_unit_test(test_arrivals),
        cmocka_unit_test(test_streams_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
