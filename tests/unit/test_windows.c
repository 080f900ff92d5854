/* report/windows: a long series in time, reduced to windows. */
#include "report/windows.h"
#include "tests/unit/unit.h"

#include <math.h>

enum { N = 100 };

/* Ten values in each second, of which those of the second half are large. */
static void busy_windows_are_those_above_the_threshold(void **state)
{
    (void)state;
    double t_s[N], x[N];
    struct ct_window windows[10];
    size_t n;
    for (size_t i = 0; i < N; i++) {
        t_s[i] = 0.1 * (double)i;
        x[i] = i < N / 2 ? 1 : 3;
    }
    x[7] = 9;
    assert_int_equal(ct_windows_make(t_s, x, N, 10, 10, 2, windows, &n), CT_OK);
    assert_int_equal(n, 10);
    for (size_t w = 0; w < n; w++) {
        assert_int_equal(windows[w].is_busy, w >= 5);
        assert_near(windows[w].median, w < 5 ? 1 : 3, 0);
        assert_near(windows[w].most, w == 0 ? 9 : windows[w].median, 0);
    }
    assert_near(windows[0].above_frac, 0.1, 1e-12);
}

static void nothing_is_busy_without_a_threshold(void **state)
{
    (void)state;
    const double t_s[] = {0, 1}, x[] = {5, 6};
    struct ct_window window;
    size_t n;
    assert_int_equal(ct_windows_make(t_s, x, 2, 10, 1, NAN, &window, &n), CT_OK);
    assert_int_equal(n, 1);
    assert_false(window.is_busy);
    assert_true(isnan(window.above_frac));
    assert_int_equal(ct_windows_make(t_s, x, 0, 10, 1, 2, &window, &n), CT_OK);
    assert_int_equal(n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(busy_windows_are_those_above_the_threshold),
        cmocka_unit_test(nothing_is_busy_without_a_threshold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
