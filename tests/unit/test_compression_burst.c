/* Bursts: the option, phases by seed, their mean lengths, time with load. */
#include "bench/compression/compression_burst.h"
#include "tests/unit/unit.h"

#include <string.h>

static const struct ct_burst always = {.given = false};
static const struct ct_burst third = {.given = true, .on_s = 20e-3, .off_s = 40e-3};

static void test_parse(void **state)
{
    (void)state;
    struct ct_burst burst = always;
    assert_int_equal(ct_burst_parse("20ms/40ms", &burst, NULL), CT_OK);
    assert_true(burst.given);
    assert_near(burst.on_s, 20e-3, 1e-15);
    assert_near(burst.off_s, 40e-3, 1e-15);
    assert_int_equal(ct_burst_parse("1000us/2min", &burst, NULL), CT_OK);
    assert_near(burst.on_s, 1e-3, 1e-15);
    assert_near(burst.off_s, 120, 1e-12);
}

static void test_parse_refuses(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",          "/",
        "20ms",      "20ms/",
        "/40ms",     "20/40",
        "20ms/40",   "20ms/40ms/1",
        "0s/1s",     "1s/0s",
        "-1s/1s",    "999us/1ms",
        "1ms/999us", "1s/1h/",
        "1s/300h",   "0000000000000000000000000000000000000000000000000001s/1s"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct ct_burst burst = third;
        struct ct_error err;
        if (ct_burst_parse(texts[i], &burst, &err) != CT_EINVAL)
            fail_msg("'%s' is taken", texts[i]);
        assert_non_null(strstr(err.text, "ON/OFF"));
        assert_true(burst.on_s == third.on_s && burst.off_s == third.off_s);
    }
}

static void test_without_bursts_load_is_always_on(void **state)
{
    (void)state;
    struct ct_phases phases = ct_phases_start(always, 1);
    for (int i = 0; i < 40; i++) {
        double t_s = ldexp(1e-3, i) - 1e-3;
        assert_true(ct_phases_next_on(&phases, t_s) == t_s);
        assert_true(ct_phases_on_time(&phases, t_s) == t_s);
        assert_true(ct_phases_end_of_work(&phases, t_s, 7) == t_s + 7);
    }
}

enum { PHASES = 2000 };

/* Ends of the phases, found by walking in steps much shorter than they are. */
static void find_ends(uint64_t seed, double ends_s[PHASES])
{
    struct ct_phases phases = ct_phases_start(third, seed);
    bool on = true;
    int n = 0;
    for (int i = 0; n < PHASES; i++) {
        double t_s = i * 100e-6;
        bool now_on = ct_phases_next_on(&phases, t_s) == t_s;
        if (now_on != on)
            ends_s[n++] = t_s;
        on = now_on;
    }
}

static void test_lengths(void **state)
{
    (void)state;
    static double ends_s[PHASES];
    find_ends(42, ends_s);
    double sum_s[2] = {0}, shortest_s[2] = {1, 1}, longest_s[2] = {0};
    double from_s = 0;
    for (int k = 0; k < PHASES; k++) {
        double length_s = ends_s[k] - from_s;
        sum_s[k % 2] += length_s;
        shortest_s[k % 2] = fmin(shortest_s[k % 2], length_s);
        longest_s[k % 2] = fmax(longest_s[k % 2], length_s);
        from_s = ends_s[k];
    }
    const double mean_s[2] = {third.on_s, third.off_s};
    for (int off = 0; off < 2; off++) {
        /* The mean of 1000 factors has a standard deviation of 0.25 / sqrt(3 * 1000) = 0.5 %. */
        assert_near(2 * sum_s[off] / PHASES, mean_s[off], 0.02 * mean_s[off]);
        assert_near(shortest_s[off], 0.75 * mean_s[off], 0.02 * mean_s[off]);
        assert_near(longest_s[off], 1.25 * mean_s[off], 0.02 * mean_s[off]);
    }
}

static void test_seed_decides(void **state)
{
    (void)state;
    static double a_s[PHASES], b_s[PHASES], c_s[PHASES];
    find_ends(7, a_s);
    find_ends(7, b_s);
    find_ends(8, c_s);
    assert_memory_equal(a_s, b_s, sizeof a_s);
    int same = 0;
    for (int k = 0; k < PHASES; k++)
        same += a_s[k] == c_s[k];
    assert_in_range(same, 0, PHASES / 10);
}

static void test_calls_may_be_far_apart(void **state)
{
    (void)state;
    struct ct_phases often = ct_phases_start(third, 3), once = often;
    for (int i = 0; i < 5000; i++)
        ct_phases_next_on(&often, i * 1e-3);
    assert_true(ct_phases_on_time(&often, 5) == ct_phases_on_time(&once, 5));
    assert_true(ct_phases_next_on(&often, 5.01) == ct_phases_next_on(&once, 5.01));
}

/* Time with load grows by the length of a step within a phase with load, not at all without. */
static void test_time_with_load(void **state)
{
    (void)state;
    struct ct_phases phases = ct_phases_start(third, 11), ahead = phases;
    double step_s = 50e-6, before_s = 0, summed_s = 0;
    for (int i = 1; i < 1200000; i++) {
        double t_s = i * step_s;
        double on_s = ct_phases_on_time(&phases, t_s);
        assert_true(on_s >= before_s && on_s <= before_s + step_s + 1e-12);
        summed_s += ct_phases_next_on(&ahead, t_s) == t_s ? step_s : 0;
        before_s = on_s;
    }
    assert_near(before_s, summed_s, 0.05); /* 1000 phases, each end off by a step at most */
    assert_near(before_s / 60, 1.0 / 3, 0.01);
}

static void test_end_of_work(void **state)
{
    (void)state;
    struct ct_phases phases = ct_phases_start(third, 5);
    for (int i = 0; i < 300; i++) {
        double t_s = i * 7e-3;
        for (int k = 0; k < 30; k++) {
            double work_s = k * 11e-3;
            struct ct_phases before = phases, after = phases;
            double end_s = ct_phases_end_of_work(&phases, t_s, work_s);
            assert_true(end_s >= t_s + work_s);
            assert_near(ct_phases_on_time(&after, end_s) - ct_phases_on_time(&before, t_s), work_s,
                        1e-9);
        }
        ct_phases_next_on(&phases, t_s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse),
        cmocka_unit_test(test_parse_refuses),
        cmocka_unit_test(test_without_bursts_load_is_always_on),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_seed_decides),
        cmocka_unit_test(test_calls_may_be_far_apart),
        cmocka_unit_test(test_time_with_load),
        cmocka_unit_test(test_end_of_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
