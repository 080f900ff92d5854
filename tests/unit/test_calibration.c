/* model/queue/calibration: parameters that are known are found again. */
#include "model/queue/calibration.h"
#include "tests/unit/unit.h"

static void delay_of_mm1_has_the_service_time_as_k(void **state)
{
    (void)state;
    /* M/M/1: W - W0 = rho / (1 - rho) / mu, so K is the service time; M/D/1 has half of it. */
    const double service_s = 20e-6;
    for (int half = 0; half <= 1; half++) {
        struct ct_queue_known known[9];
        double k_s = half ? service_s / 2 : service_s, found_s = NAN, rms = NAN;
        for (int i = 0; i < 9; i++) {
            double rho = 0.1 * (i + 1);
            known[i] = (struct ct_queue_known){k_s * rho / (1 - rho), rho};
        }
        assert_int_equal(ct_queue_fit(&ct_queue_delay, known, 9, &found_s, &rms), CT_OK);
        assert_near(found_s / k_s, 1, 1e-6);
        assert_near(rms, 0, 1e-6);
        for (int i = 0; i < 9; i++)
            assert_near(ct_queue_relation_at(&ct_queue_delay, known[i].x, found_s),
                        known[i].utilization_frac, 1e-6);
    }
}

static void waiting_at_several_queues(void **state)
{
    (void)state;
    for (int m = 1; m <= 4; m++) {
        struct ct_queue_known known[9];
        double found = NAN, rms = NAN;
        for (int i = 0; i < 9; i++) {
            double rho = 0.1 * (i + 1);
            known[i] = (struct ct_queue_known){1 - pow(1 - rho, m), rho};
        }
        assert_int_equal(ct_queue_fit(&ct_queue_waiting, known, 9, &found, &rms), CT_OK);
        assert_near(found, m, 1e-5 * m);
        assert_near(ct_queue_relation_at(&ct_queue_waiting, known[4].x, found), 0.5, 1e-5);
    }
}

/* The fit is the best there is: no parameter near or far has a smaller error. */
static void noisy_fit_is_the_best(void **state)
{
    (void)state;
    const struct ct_queue_known known[] = {{5e-6, 0.3}, {9e-6, 0.3}, {30e-6, 0.7}, {300e-6, 0.5},
                                           {2e-6, 0.2}, {0, 0.4},    {1e-6, 0}};
    double found_s = NAN, rms = NAN;
    assert_int_equal(ct_queue_fit(&ct_queue_delay, known, 7, &found_s, &rms), CT_OK);
    for (double k_s = 1e-7; k_s < 1e-2; k_s *= 1.01) {
        double sum = 0;
        for (int i = 0; i < 5; i++)
            sum += pow(ct_queue_relation_at(&ct_queue_delay, known[i].x, k_s) -
                           known[i].utilization_frac,
                       2);
        assert_true(sqrt(sum / 5) >= rms - 1e-12);
    }
}

static void one_known_load_is_met_exactly(void **state)
{
    (void)state;
    const struct ct_queue_known known = {10e-6, 0.5};
    double found_s = NAN, rms = NAN;
    assert_int_equal(ct_queue_fit(&ct_queue_delay, &known, 1, &found_s, &rms), CT_OK);
    assert_near(found_s, 10e-6, 1e-15);
}

static void nothing_known_nothing_fitted(void **state)
{
    (void)state;
    const struct ct_queue_known useless[] = {{0, 0.5},   {1e-6, 0},   {1e-6, 1},
                                             {NAN, 0.5}, {1e-6, NAN}, {-1e-6, 0.5}};
    double parameter = 7, rms = 7;
    assert_int_equal(ct_queue_fit(&ct_queue_delay, useless, 6, &parameter, &rms), CT_ENODATA);
    assert_int_equal(ct_queue_fit(&ct_queue_delay, NULL, 0, &parameter, &rms), CT_ENODATA);
    assert_near(parameter, 7, 0);
    assert_true(isnan(ct_queue_relation_at(&ct_queue_delay, 1e-6, NAN)));
    assert_true(isnan(ct_queue_relation_at(&ct_queue_delay, NAN, 1e-6)));
    assert_near(ct_queue_relation_at(&ct_queue_delay, -1e-6, 1e-6), 0, 0);
    assert_near(ct_queue_relation_at(&ct_queue_waiting, 1, 2), 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(delay_of_mm1_has_the_service_time_as_k),
        cmocka_unit_test(waiting_at_several_queues),
        cmocka_unit_test(noisy_fit_is_the_best),
        cmocka_unit_test(one_known_load_is_met_exactly),
        cmocka_unit_test(nothing_known_nothing_fitted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
