/* Events to come: the order in which they are taken. */
#include "core/random.h"
#include "simulate/event_queue.h"
#include "unit.h"

enum { EVENTS = 300 };

static void add(struct ct_events *events, double at_ns, uint32_t what)
{
    if (ct_events_are_old(events))
        ct_events_age(events);
    if (!ct_events_put(events, (struct ct_event){at_ns, what, ct_events_next_order(events)}))
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
    free(events.heap);
}

/* Adds to a queue of events as to a heap, and takes of both: whatever is in order, and wherever it
 * was to be appended, one event comes out. */
static void check_as_heap(struct ct_event_queue *queue, struct ct_events *heap, uint64_t random)
{
    static const double delays_ns[] = {3, 10, 3, 0, 25}; /* of kinds; a random one is 0 to 6 */
    enum { RANDOM = sizeof delays_ns / sizeof *delays_ns, KINDS };
    double now_ns = 0;
    for (uint32_t i = 0; i < 40 * EVENTS; i++) {
        uint64_t bits = ct_random_next(&random);
        uint32_t kind = (uint32_t)(bits >> 8) % KINDS;
        bool fills = i / EVENTS % 2 == 0;
        double next_ns = ct_event_queue_next_ns(queue), heap_ns = ct_events_next_ns(heap);
        assert_true(next_ns <= heap_ns && next_ns >= heap_ns);
        if (heap->n > 0 && bits % 4 < (fills ? 1 : 3)) {
            const struct ct_event event = ct_event_queue_take(queue), wanted = ct_events_take(heap);
            assert_memory_equal(&event, &wanted, sizeof event);
            now_ns = event.at_ns;
            continue;
        }
        double at_ns = now_ns + (kind == RANDOM ? (double)(bits >> 16 & 7) : delays_ns[kind]);
        bool added = kind < CT_EVENT_FIFOS ? ct_event_queue_append(queue, kind, at_ns, i)
                                           : ct_event_queue_add(queue, at_ns, i);
        assert_true(added);
        add(heap, at_ns, i);
    }
    while (heap->n > 0)
        assert_int_equal(ct_event_queue_take(queue).what, ct_events_take(heap).what);
    assert_true(isinf(ct_event_queue_next_ns(queue)));
}

static void test_queue(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct ct_event_queue queue = ct_event_queue_empty();
        struct ct_events heap = {0};
        check_as_heap(&queue, &heap, seed);
        ct_event_queue_free(&queue);
        free(heap.heap);
    }
    struct ct_event_queue queue = ct_event_queue_empty();
    assert_true(ct_event_queue_add(&queue, -0.0, 1) && ct_event_queue_add(&queue, 0, 2));
    assert_int_equal(ct_event_queue_take(&queue).what, 1);
    ct_event_queue_free(&queue);
}

/* While their orders become smaller, too. */
static void test_many_in_queue(void **state)
{
    struct ct_event_queue queue = ct_event_queue_empty();
    struct ct_events heap = {.added = UINT32_MAX - UINT32_MAX / 4 - 5 * EVENTS};
    (void)state;
    queue.heap.added = heap.added;
    check_as_heap(&queue, &heap, 3);
    assert_true(queue.heap.added < UINT32_MAX / 2);
    ct_event_queue_free(&queue);
    free(heap.heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ties),  cmocka_unit_test(test_in_turn),
        cmocka_unit_test(test_put),   cmocka_unit_test(test_many),
        cmocka_unit_test(test_queue), cmocka_unit_test(test_many_in_queue)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
