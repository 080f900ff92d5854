/* Latency of a lab: when packets are due, waking up early, lateness. */

#include "core/random.h"
#include "lab/delay.h"
#include "unit.h"

#include <math.h>
#include <string.h>

static const struct ct_lab_delay plain = {.latency_s = 1e-3};

static void test_check(void **state)
{
    (void)state;
    static const struct {
        struct ct_lab_delay delay;
        enum ct_status status;
    } cases[] = {{{0}, CT_OK},
                 {{200e-6, 0, CT_LAB_JITTER_UNIFORM}, CT_OK},
                 {{20e-3, 0, CT_LAB_JITTER_UNIFORM}, CT_OK},
                 {{199e-6, 0, CT_LAB_JITTER_UNIFORM}, CT_EINVAL},
                 {{20.1e-3, 0, CT_LAB_JITTER_UNIFORM}, CT_EINVAL},
                 {{-1e-3, 0, CT_LAB_JITTER_UNIFORM}, CT_EINVAL},
                 {{NAN, 0, CT_LAB_JITTER_UNIFORM}, CT_EINVAL},
                 {{0, 50e-6, CT_LAB_JITTER_UNIFORM}, CT_EINVAL},
                 {{200e-6, 150e-6, CT_LAB_JITTER_UNIFORM}, CT_OK},
                 {{200e-6, 151e-6, CT_LAB_JITTER_UNIFORM}, CT_EINVAL},
                 {{200e-6, 50e-6, CT_LAB_JITTER_NORMAL}, CT_OK},
                 {{200e-6, 51e-6, CT_LAB_JITTER_NORMAL}, CT_EINVAL},
                 {{1e-3, -1e-6, CT_LAB_JITTER_UNIFORM}, CT_EINVAL},
                 {{1e-3, NAN, CT_LAB_JITTER_UNIFORM}, CT_EINVAL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ct_error err;
        assert_int_equal(ct_lab_delay_check(&cases[i].delay, &err), cases[i].status);
    }
}

static void test_shortest(void **state)
{
    (void)state;
    struct ct_lab_delay delay = plain;
    assert_int_equal(ct_lab_delay_shortest_ns(&delay), 1000000);
    delay.jitter_s = 100e-6;
    assert_int_equal(ct_lab_delay_shortest_ns(&delay), 900000);
    delay.shape = CT_LAB_JITTER_NORMAL;
    assert_int_equal(ct_lab_delay_shortest_ns(&delay), 700000);
}

/* Without jitter a packet is due one latency after it came, and no random number is drawn. */
static void test_due(void **state)
{
    (void)state;
    struct ct_lab_delay_order order = {.last_due_ns = INT64_MIN, .random = 5};
    assert_int_equal(ct_lab_delay_due_ns(&order, &plain, 100), 1000100);
    assert_int_equal(ct_lab_delay_due_ns(&order, &plain, 100), 1000100);
    assert_int_equal(ct_lab_delay_due_ns(&order, &plain, 350), 1000350);
    assert_int_equal(order.random, 5);
    /* A latency that has become shorter does not let packets overtake. */
    struct ct_lab_delay shorter = {.latency_s = 200e-6};
    assert_int_equal(ct_lab_delay_due_ns(&order, &shorter, 1000), 1000350);
    assert_int_equal(ct_lab_delay_due_ns(&order, &shorter, 2000000), 2200000);
}

enum { N_DRAWS = 20000 };

static void check_jitter(enum ct_lab_jitter shape, double reach_ns, double deviation_ns)
{
    struct ct_lab_delay delay = {.latency_s = 1e-3, .jitter_s = 100e-6, .shape = shape};
    struct ct_lab_delay_order order = {.last_due_ns = INT64_MIN, .random = 1};
    double sum = 0, sum2 = 0;
    int64_t shortest = ct_lab_delay_shortest_ns(&delay);
    for (int64_t i = 0; i < N_DRAWS; i++) {
        /* So far apart that order does not matter. */
        int64_t held = ct_lab_delay_due_ns(&order, &delay, i * 10000000) - i * 10000000;
        assert_true(held >= shortest);
        assert_true(fabs((double)held - 1e6) <= reach_ns + 1);
        sum += (double)held - 1e6;
        sum2 += ((double)held - 1e6) * ((double)held - 1e6);
    }
    assert_true(fabs(sum / N_DRAWS) < 5 * deviation_ns / sqrt(N_DRAWS));
    assert_true(fabs(sqrt(sum2 / N_DRAWS) / deviation_ns - 1) < 0.03);
}

static void test_jitter(void **state)
{
    (void)state;
    check_jitter(CT_LAB_JITTER_UNIFORM, 100e3, 100e3 / sqrt(3));
    /* Standard deviation of a normal variate that is cut off at 3 of them. */
    double density = exp(-4.5) / sqrt(2 * M_PI), inside = erf(3 / sqrt(2));
    check_jitter(CT_LAB_JITTER_NORMAL, 300e3, 100e3 * sqrt(1 - 6 * density / inside));
}

static void test_order(void **state)
{
    (void)state;
    struct ct_lab_delay delay = {.latency_s = 1e-3, .jitter_s = 900e-6};
    struct ct_lab_delay_order order = {.last_due_ns = INT64_MIN, .random = 3};
    int64_t last = INT64_MIN;
    size_t n_held_up = 0;
    for (int64_t i = 0; i < N_DRAWS; i++) {
        int64_t due = ct_lab_delay_due_ns(&order, &delay, i * 50000);
        assert_true(due >= last);
        assert_true(due - i * 50000 >= 100000);
        n_held_up += due == last;
        last = due;
    }
    assert_true(n_held_up > N_DRAWS / 2); /* it mattered */
}

/* A sleeper that wakes up late by 10 to 50 us: the lead goes to the middle, and follows. */
static void test_lead(void **state)
{
    (void)state;
    struct ct_lab_delay_lead lead;
    double late_ns[] = {50e3, 1e6, 12e3, 30e3, 20e3};
    uint64_t random = 9;
    ct_lab_delay_lead_begin(&lead, late_ns, 5);
    assert_true(lead.lead_ns == 30e3);
    double one[] = {9e9};
    ct_lab_delay_lead_begin(&lead, one, 1);
    assert_true(lead.lead_ns == CT_LAB_DELAY_LEAD_MAX_NS);
    for (int offset_us = 10; offset_us <= 60; offset_us += 50) {
        for (int i = 0; i < 1000; i++) {
            double wake_ns = 1e3 * (offset_us + 40 * ct_random_unit(ct_random_next(&random)));
            if (i % 10 == 0)
                wake_ns = 5e6; /* rare and very late: does not matter much */
            ct_lab_delay_lead_learn(&lead, (int64_t)(wake_ns - lead.lead_ns));
        }
        assert_true(fabs(lead.lead_ns - 1e3 * (offset_us + 22)) < 8e3);
    }
    for (int i = 0; i < 1000; i++)
        ct_lab_delay_lead_learn(&lead, -1);
    assert_true(lead.lead_ns == 0);
}

static void test_bins(void **state)
{
    (void)state;
    assert_int_equal(ct_lab_late_bin(-257000), 0);
    assert_int_equal(ct_lab_late_bin(-256000), 1);
    assert_int_equal(ct_lab_late_bin(INT64_MAX), CT_LAB_LATE_BINS - 1);
    assert_int_equal(ct_lab_late_bin(INT64_MIN), 0);
    assert_true(isinf(ct_lab_late_edge_s(0)) && isinf(ct_lab_late_edge_s(CT_LAB_LATE_BINS)));
    for (size_t bin = 1; bin < CT_LAB_LATE_BINS; bin++) {
        double low_s = ct_lab_late_edge_s(bin), high_s = ct_lab_late_edge_s(bin + 1);
        assert_true(low_s < high_s);
        assert_true(isinf(high_s) || high_s - low_s < fmax(1.01e-6, 0.032 * low_s));
        double inside_s = isinf(high_s) ? 2 * low_s : (low_s + high_s) / 2;
        assert_int_equal(ct_lab_late_bin((int64_t)(1e9 * inside_s)), bin);
    }
}

static void test_lateness(void **state)
{
    (void)state;
    static struct ct_lab_late before, after;
    struct ct_lab_lateness none = ct_lab_lateness(NULL, &before);
    assert_true(none.packets == 0 && isnan(none.median_s) && isnan(none.p99_s) &&
                isnan(none.largest_s));
    before.packets[ct_lab_late_bin(5000000)] = 7; /* of earlier packets */
    before.ring_drops = 3;
    after = before;
    for (int us = 0; us < 100; us++)
        after.packets[ct_lab_late_bin(us * 1000 + 500)] += 10;
    after.packets[ct_lab_late_bin(2000000)]++;
    after.send_drops = 2;
    struct ct_lab_lateness late = ct_lab_lateness(&before, &after);
    assert_int_equal(late.packets, 1001);
    assert_int_equal(late.drops, 2);
    assert_true(fabs(late.median_s - 50e-6) < 0.2e-6);
    assert_true(fabs(late.p99_s - 99e-6) < 0.2e-6);
    assert_true(late.largest_s >= 2e-3 && late.largest_s < 2.07e-3);
    assert_int_equal(ct_lab_lateness(NULL, &after).packets, 1008);
    assert_int_equal(ct_lab_lateness(NULL, &after).drops, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check),  cmocka_unit_test(test_shortest), cmocka_unit_test(test_due),
        cmocka_unit_test(test_jitter), cmocka_unit_test(test_order),    cmocka_unit_test(test_lead),
        cmocka_unit_test(test_bins),   cmocka_unit_test(test_lateness)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
