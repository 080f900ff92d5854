/* Threads that keep the order of a trace. */
#include "bench/replay/gate.h"
#include "core/clock.h"
#include "core/random.h"
#include "unit.h"

enum { THREADS = 4, EVENTS = 2000 };

/* Events of a rank, in the order in which they ended; the thread of each, and how many had ended
 * when it began. */
struct trace {
    uint32_t thread[EVENTS];
    uint64_t after[EVENTS];
    _Atomic bool ended[EVENTS];
    _Atomic uint32_t n_early; /* events that began before another one that had to end first */
    struct ct_gate gate;
};

struct walker {
    struct trace *trace;
    uint32_t number;
    pthread_t thread;
};

static uint64_t next_of(const struct trace *trace, uint32_t thread, uint64_t from)
{
    while (from < EVENTS && trace->thread[from] != thread)
        from++;
    return from < EVENTS ? from : CT_GATE_END;
}

static void *walk(void *data)
{
    struct walker *walker = data;
    struct trace *trace = walker->trace;
    for (uint64_t i = next_of(trace, walker->number, 0); i != CT_GATE_END;) {
        ct_gate_pass(&trace->gate, walker->number, trace->after[i]);
        for (uint64_t before = i > 50 ? i - 50 : 0; before < trace->after[i]; before++)
            trace->n_early += !trace->ended[before];
        trace->ended[i] = true;
        i = next_of(trace, walker->number, i + 1);
        ct_gate_move(&trace->gate, walker->number, i);
    }
    return NULL;
}

/* Any order in the trace; calls of one thread do not overlap. */
static void draw(struct trace *trace)
{
    uint64_t random = 7, last[THREADS] = {0};
    for (uint64_t i = 0; i < EVENTS; i++) {
        uint32_t thread = (uint32_t)(ct_random_next(&random) % THREADS);
        uint64_t begin =
            i > last[thread] ? i - ct_random_next(&random) % (i - last[thread] + 1) : i;
        trace->thread[i] = thread;
        trace->after[i] = begin;
        trace->ended[i] = false;
        last[thread] = i + 1;
    }
}

static void threads_keep_the_order_of_a_trace(void **state)
{
    (void)state;
    static struct trace trace;
    struct walker walkers[THREADS];
    draw(&trace);
    assert_int_equal(ct_gate_open(THREADS, &trace.gate, NULL), CT_OK);
    for (int round = 0; round < 3; round++) {
        for (uint64_t i = 0; i < EVENTS; i++)
            trace.ended[i] = false;
        for (uint32_t i = 0; i < THREADS; i++)
            ct_gate_move(&trace.gate, i, next_of(&trace, i, 0));
        for (uint32_t i = 0; i < THREADS; i++) {
            walkers[i] = (struct walker){.trace = &trace, .number = i};
            assert_int_equal(pthread_create(&walkers[i].thread, NULL, walk, &walkers[i]), 0);
        }
        for (uint32_t i = 0; i < THREADS; i++)
            pthread_join(walkers[i].thread, NULL);
        assert_int_equal(trace.n_early, 0);
        for (uint64_t i = 0; i < EVENTS; i++)
            assert_true(trace.ended[i]);
    }
    ct_gate_close(&trace.gate);
}

static void *move_later(void *data)
{
    struct ct_gate *gate = data;
    while (gate->n_waiting == 0) /* until the other one sleeps */
        ct_clock_sleep(1e-3);
    ct_gate_move(gate, 1, 5);
    return NULL;
}

/* A call waits for events before it only, and says whether it did. */
static void a_call_waits_for_those_before_it(void **state)
{
    (void)state;
    struct ct_gate gate;
    pthread_t other;
    assert_int_equal(ct_gate_open(2, &gate, NULL), CT_OK);
    ct_gate_move(&gate, 0, 9);
    ct_gate_move(&gate, 1, 4);
    assert_false(ct_gate_pass(&gate, 0, 4));
    assert_int_equal(pthread_create(&other, NULL, move_later, &gate), 0);
    assert_true(ct_gate_pass(&gate, 0, 5));
    pthread_join(other, NULL);
    assert_false(ct_gate_pass(&gate, 0, 5));
    ct_gate_move(&gate, 1, CT_GATE_END);
    assert_false(ct_gate_pass(&gate, 0, 100));
    ct_gate_close(&gate);
    ct_gate_close(&(struct ct_gate){0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_keep_the_order_of_a_trace),
        cmocka_unit_test(a_call_waits_for_those_before_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
