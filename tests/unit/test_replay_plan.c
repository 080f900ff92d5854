/* What messages of a replay carry, and when its calls are due. */
#include "bench/replay/pace.h"
#include "bench/replay/payload.h"
#include "core/clock.h"
#include "unit.h"

#include <string.h>

enum { N = 1000 };

static void every_changed_byte_is_found(void **state)
{
    (void)state;
    const struct ct_payload payload = {.has_stamp = true, .stamp = ct_payload_stamp(1, 2, 3, N, 4)};
    unsigned char data[N];
    for (size_t n = 0; n <= 40; n++) {
        size_t at = SIZE_MAX;
        ct_payload_fill(0, data, N);
        ct_payload_put_stamp(payload.stamp, data, n);
        assert_true(ct_payload_check(&payload, 0, data, n, 1, &at));
        for (size_t i = 0; i < n; i++) {
            data[i] ^= 1;
            assert_false(ct_payload_check(&payload, 0, data, n, SIZE_MAX, &at));
            assert_int_equal(at, i);
            data[i] ^= 1;
        }
    }
}

static void what_did_not_come_is_found(void **state)
{
    (void)state;
    const size_t sizes[] = {1, 7, 8, 9, 16, 17, 500, N};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char data[N];
        size_t n = sizes[i], at;
        const struct ct_payload payload = {.has_stamp = true,
                                           .stamp = ct_payload_stamp(0, 1, 0, n, 0)};
        ct_payload_fill(0, data, N);
        ct_payload_put_stamp(payload.stamp, data, n);
        ct_payload_spoil(data, n, false); /* it was there before, and nothing came */
        assert_false(ct_payload_check(&payload, 0, data, n, 1, &at));
        ct_payload_fill(0, data, N);
        ct_payload_put_stamp(payload.stamp, data, n);
        ct_payload_spoil(data, n, true);
        assert_false(ct_payload_check(&payload, 0, data, n, 1, &at));
    }
}

static void other_messages_have_other_stamps(void **state)
{
    (void)state;
    uint64_t stamp = ct_payload_stamp(1, 2, 3, 4, 5);
    assert_true(stamp != ct_payload_stamp(2, 1, 3, 4, 5));
    assert_true(stamp != ct_payload_stamp(1, 2, 4, 4, 5));
    assert_true(stamp != ct_payload_stamp(1, 2, 3, 5, 5));
    assert_true(stamp != ct_payload_stamp(1, 2, 3, 4, 6));
}

/* Three ranks' contributions, and their exclusive or, from any offset on. */
static void a_reduction_is_known(void **state)
{
    (void)state;
    const uint64_t masks[] = {0x1122334455667788, 0x9e3779b97f4a7c15, 0x0102030405060708};
    unsigned char all[N] = {0}, one[N];
    for (unsigned ranks = 1; ranks <= 3; ranks++) {
        struct ct_payload payload = {.plain = ranks % 2 == 0};
        size_t at;
        ct_payload_fill(masks[ranks - 1], one, N);
        for (size_t i = 0; i < N; i++)
            all[i] ^= one[i];
        for (unsigned r = 0; r < ranks; r++)
            payload.mask ^= masks[r];
        assert_true(ct_payload_check(&payload, 0, all, N, SIZE_MAX, &at));
        assert_true(ct_payload_check(&payload, 12, all + 12, 100, SIZE_MAX, &at));
        assert_false(ct_payload_check(&payload, 0, all + 1, 100, SIZE_MAX, &at));
    }
}

/* Calls that start late make the next one due earlier, unless they waited for longer. */
static void lateness_does_not_add_up(void **state)
{
    (void)state;
    struct ct_pace pace = {.scale = 2};
    uint64_t now_ns = 1000000;
    ct_pace_begin(&pace, now_ns);
    for (int i = 1; i <= 1000; i++) {
        double due_ns = ct_pace_due(&pace, 50);
        assert_near(due_ns, 1000000 + 110.0 * i - 10, 1e-6);
        now_ns = (uint64_t)due_ns + 60; /* every sleep ends late */
        ct_pace_start(&pace, due_ns, now_ns);
        ct_pace_end(&pace, false, now_ns + 10);
    }
    double due_ns = ct_pace_due(&pace, 0);
    ct_pace_start(&pace, due_ns, (uint64_t)due_ns + 60);
    ct_pace_end(&pace, true, (uint64_t)due_ns + 60 + 20); /* 20 ns in a call that may wait */
    assert_near(ct_pace_due(&pace, 0), due_ns + 40, 1e-6);
    ct_pace_start(&pace, due_ns, (uint64_t)due_ns + 60);
    ct_pace_end(&pace, true, (uint64_t)due_ns + 500);
    assert_near(ct_pace_due(&pace, 0), due_ns + 500, 1e-6);
}

static void computing_takes_its_time(void **state)
{
    (void)state;
    for (int spin = 0; spin < 2; spin++) {
        struct ct_pace pace = {.scale = 1, .spin = spin};
        uint64_t from_ns = ct_clock_now_ns();
        ct_pace_begin(&pace, from_ns);
        ct_pace_wait(&pace, 2000000);
        assert_true(ct_clock_now_ns() - from_ns >= 2000000);
        assert_true(pace.started_ns - from_ns >= 2000000);
    }
}

/* What other threads held back is due when they let it go, and computing goes on from there. */
static void calls_that_were_held_are_not_late(void **state)
{
    (void)state;
    struct ct_pace pace = {.scale = 2};
    ct_pace_begin(&pace, 1000);
    ct_pace_hold(&pace, 100, 1150); /* due at 1200 in any case */
    assert_near(ct_pace_due(&pace, 100), 1200, 0);
    ct_pace_hold(&pace, 100, 1500);
    assert_near(ct_pace_due(&pace, 100), 1500, 0);
    ct_pace_start(&pace, 1500, 1510);
    ct_pace_end(&pace, false, 1600);
    assert_near(ct_pace_due(&pace, 100), 1790, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_changed_byte_is_found),
        cmocka_unit_test(what_did_not_come_is_found),
        cmocka_unit_test(other_messages_have_other_stamps),
        cmocka_unit_test(a_reduction_is_known),
        cmocka_unit_test(lateness_does_not_add_up),
        cmocka_unit_test(computing_takes_its_time),
        cmocka_unit_test(calls_that_were_held_are_not_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
