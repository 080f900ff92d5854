/* Events to come: the order in which they are taken. */
#include "core/random.h"
#include "simulate/events.h"
#include "unit.h"

enum { EVENTS = 300 };

static void add(struct ct_events *events, double at_ns, uint32_t what)
{
    if (!ct_events_add(events, at_ns, what))
        fail_msg("out of memory");
}

/* What is taken is not before what was taken last. */
static void check_order(struct ct_events *events, uint32_t n)
{
    struct ct_event last = {0};
    for (uint32_t i = 0; i < n; i++) {
        const struct ct_event event = ct_events_take(events);
        assert_true(event.at_ns > last.at_ns ||
                    (event.at_ns >= last.at_ns && (i == 0 || event.order > last.order)));
        last = event;
    }
    assert_int_equal(events->n, 0);
    assert_true(isinf(ct_events_next_ns(events)));
}

/* Few different times, so that many events are at the same one. */
static void test_ties(void **state)
{
    uint64_t random = 1;
    struct ct_events events = {0};
    (void)state;
    for (uint32_t n = 0; n < EVENTS; n++) {
        for (uint32_t i = 0; i < n; i++)
            add(&events, (double)(ct_random_next(&random) % 5), i);
        check_order(&events, n);
    }
    free(events.heap);
}

/* Taken and added in turn, as simulations do. */
static void test_in_turn(void **state)
{
    uint64_t random = 2;
    struct ct_events events = {0};
    double now_ns = 0;
    (void)state;
    for (uint32_t i = 0; i < 20 * EVENTS; i++) {
        uint64_t bits = ct_random_next(&random);
        if (events.n > 0 && (events.n > 50 || bits % 2 == 0)) {
            double next_ns = ct_events_next_ns(&events);
            assert_true(next_ns >= now_ns);
            now_ns = ct_events_take(&events).at_ns;
            assert_true(now_ns <= next_ns && now_ns >= next_ns);
        } else {
            add(&events, now_ns + (double)(bits % 7), i);
        }
    }
    free(events.heap);
}

/* An event whose order was taken before others were added comes before these. */
static void test_put(void **state)
{
    struct ct_events events = {0};
    (void)state;
    const struct ct_event late = {5, 77, ct_events_next_order(&events)};
    for (uint32_t i = 0; i < 10; i++)
        add(&events, i < 5 ? 5 : 4, i);
    if (!ct_events_put(&events, late))
        fail_msg("out of memory");
    for (uint32_t i = 5; i < 10; i++)
        assert_int_equal(ct_events_take(&events).what, i);
    assert_int_equal(ct_events_take(&events).what, 77);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(ct_events_take(&events).what, i);
    free(events.heap);
}

/* Orders do not end: those of events to come are made smaller before. */
static void test_many(void **state)
{
    struct ct_events events = {.added = UINT32_MAX - UINT32_MAX / 4 - 20};
    (void)state;
    for (uint32_t i = 0; i < 40; i++)
        add(&events, 3 - i % 3, i);
    assert_true(events.added < UINT32_MAX / 2);
    check_order(&events, 40);
    add(&events, -0.0, 1);
    add(&events, 0, 2);
    assert_int_equal(ct_events_take(&events).what, 1);
    free(events.heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ties), cmocka_unit_test(test_in_turn),
                                       cmocka_unit_test(test_put), cmocka_unit_test(test_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
