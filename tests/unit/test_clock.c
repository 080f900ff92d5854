/* core/clock: forward only, sleeping no shorter than asked for, through signals. */
#include "core/clock.h"
#include "tests/unit/unit.h"

#include <signal.h>
#include <sys/time.h>

static volatile sig_atomic_t n_signals;

static void count(int number)
{
    (void)number;
    n_signals = n_signals + 1;
}

static void time_goes_forward(void **state)
{
    (void)state;
    uint64_t before_ns = ct_clock_now_ns();
    double now_s = ct_clock_now_s();
    uint64_t after_ns = ct_clock_now_ns();
    assert_true(before_ns <= after_ns);
    assert_true(now_s >= 1e-9 * (double)before_ns - 1e-6 &&
                now_s <= 1e-9 * (double)after_ns + 1e-6);
    assert_true(ct_clock_unix_ns() > UINT64_C(1600000000) * 1000000000U); /* after 2020 */
}

static void sleeping_is_no_shorter_than_asked_for(void **state)
{
    (void)state;
    double until_s = ct_clock_now_s() + 0.01;
    ct_clock_sleep_until(until_s);
    assert_true(ct_clock_now_s() >= until_s - 1e-6);
    ct_clock_sleep_until(until_s - 1e6); /* has passed */
    ct_clock_sleep(-1);
    ct_clock_sleep(0);
}

static void signals_do_not_shorten_a_sleep(void **state)
{
    (void)state;
    const struct sigaction action = {.sa_handler = count};
    const struct itimerval often = {{0, 2000}, {0, 2000}}, never = {0};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    double start_s = ct_clock_now_s();
    ct_clock_sleep(0.03);
    double slept_s = ct_clock_now_s() - start_s;
    setitimer(ITIMER_REAL, &never, NULL);
    assert_true(slept_s >= 0.03);
    assert_true(n_signals > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_goes_forward),
        cmocka_unit_test(sleeping_is_no_shorter_than_asked_for),
        cmocka_unit_test(signals_do_not_shorten_a_sleep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
