/* Graphs run with a latency that changes: by hand, against T(L), and properties. */
#include "goal_example.h"
#include "simulate/replay.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GRAPHS = 60, SAMPLES = 40 };

static struct ct_delay *delay_of(const struct ct_delay_samples *samples)
{
    struct ct_delay *delay;
    struct ct_error err;
    if (ct_delay_new(samples, &delay, &err) != CT_OK)
        fail_msg("%s", err.text);
    return delay;
}

static struct ct_delay *constant_delay(double extra_ns)
{
    const double zero = 0;
    return delay_of(&(struct ct_delay_samples){&zero, &extra_ns, 1, 1e5, CT_DELAY_STEP});
}

static struct ct_replay *replay_of(const struct ct_graph *graph, struct ct_loggps at,
                                   uint32_t ranks_per_node)
{
    struct ct_replay *replay;
    assert_int_equal(ct_replay_new(graph, &at, ranks_per_node, &replay, NULL), CT_OK);
    return replay;
}

static double runtime(const struct ct_replay *replay, const struct ct_delay *delay,
                      double offset_ns, double half_delay_ns)
{
    double runtime_ns;
    struct ct_replay_load load = {delay, offset_ns, half_delay_ns};
    assert_int_equal(ct_replay_runtime(replay, &load, &runtime_ns, NULL), CT_OK);
    return runtime_ns;
}

/* ---- delays ---- */

/* 50 until 100, then 0: a message sent at 100 arrives with the last of the burst, at 150. */
static void test_burst_empties(void **state)
{
    (void)state;
    const double time_ns[] = {1000, 1100}, extra_ns[] = {50, 0};
    struct ct_delay *delay =
        delay_of(&(struct ct_delay_samples){time_ns, extra_ns, 2, 1000, CT_DELAY_STEP});
    const double expected[][2] = {{0, 50},  {99, 50},   {100, 50},  {120, 30}, {150, 0},
                                  {999, 0}, {1000, 50}, {1120, 30}, {5000, 50}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_near(ct_delay_at(delay, expected[i][0]), expected[i][1], 1e-9);
    assert_near(ct_delay_mean_ns(delay), (100 * 50 + 50 * 50 / 2.0) / 1000.0, 1e-9);
    assert_near(ct_delay_period_ns(delay), 1000, 0);
    ct_delay_free(delay);
}

/* Of samples at one time each is met. */
static void test_one_time(void **state)
{
    (void)state;
    const double time_ns[] = {0, 10, 10, 10}, extra_ns[] = {0, 5, 40, 0};
    struct ct_delay *delay =
        delay_of(&(struct ct_delay_samples){time_ns, extra_ns, 4, 100, CT_DELAY_STEP});
    const double expected[][2] = {{9, 0}, {11, 39}, {49, 1}, {60, 0}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_near(ct_delay_at(delay, expected[i][0]), expected[i][1], 1e-9);
    ct_delay_free(delay);
}

/* The burst is longer than what follows it: its end is met in the next period. */
static void test_burst_reaches_round(void **state)
{
    (void)state;
    const double time_ns[] = {0, 90}, extra_ns[] = {0, 30};
    struct ct_delay *delay =
        delay_of(&(struct ct_delay_samples){time_ns, extra_ns, 2, 100, CT_DELAY_STEP});
    const double expected[][2] = {{0, 30}, {10, 20}, {29, 1}, {31, 0}, {95, 30}, {105, 25}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_near(ct_delay_at(delay, expected[i][0]), expected[i][1], 1e-9);
    ct_delay_free(delay);
}

static void test_linear(void **state)
{
    (void)state;
    const double time_ns[] = {0, 100, 200, 210}, extra_ns[] = {0, 50, 0, 40};
    struct ct_delay *delay =
        delay_of(&(struct ct_delay_samples){time_ns, extra_ns, 4, 300, CT_DELAY_LINEAR});
    const double expected[][2] = {{0, 0},    {50, 25},  {100, 50}, {150, 25},
                                  {205, 20}, {210, 40}, {255, 20}, {350, 25}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_near(ct_delay_at(delay, expected[i][0]), expected[i][1], 1e-9);
    ct_delay_free(delay);
}

/* Samples of up to max_ns at random times. */
static struct ct_delay_samples random_samples(uint64_t *state, double *time_ns, double *extra_ns,
                                              uint64_t max_ns, enum ct_delay_shape shape)
{
    double at_ns = (double)throw_die(state, 1000);
    for (size_t i = 0; i < SAMPLES; i++) {
        time_ns[i] = at_ns;
        extra_ns[i] = (double)throw_die(state, max_ns) - (double)max_ns / 20;
        at_ns += 1 + (double)throw_die(state, 200);
    }
    return (struct ct_delay_samples){time_ns, extra_ns, SAMPLES, at_ns + 1 - time_ns[0], shape};
}

static double plain_delay(const struct ct_delay_samples *samples, double t_ns)
{
    size_t n = samples->n, i = 0;
    double round_ns = floor(t_ns / samples->period_ns) * samples->period_ns;
    double at_ns = t_ns - round_ns + samples->time_ns[0];
    while (i + 1 < n && samples->time_ns[i + 1] <= at_ns)
        i++;
    if (samples->shape == CT_DELAY_STEP)
        return samples->extra_ns[i];
    double next_ns = i + 1 < n ? samples->time_ns[i + 1] : samples->time_ns[0] + samples->period_ns;
    double part = (at_ns - samples->time_ns[i]) / (next_ns - samples->time_ns[i]);
    return samples->extra_ns[i] + part * (samples->extra_ns[(i + 1) % n] - samples->extra_ns[i]);
}

/* By the definition, nanosecond by nanosecond. */
static void check_definition(const struct ct_delay_samples *samples)
{
    struct ct_delay *delay = delay_of(samples);
    double latest_ns = -INFINITY, sum_ns = 0;
    long period = (long)samples->period_ns;
    for (long t = -2 * period; t < 2 * period; t++) {
        double from_ns = (double)t + plain_delay(samples, (double)t);
        latest_ns = fmax(latest_ns, from_ns);
        double expected_ns = latest_ns - (double)t;
        if (t < 0)
            continue;
        /* The largest value just before a nanosecond is missed: one beyond, on a steep line. */
        double found_ns = ct_delay_at(delay, (double)t);
        assert_true(found_ns >= expected_ns - 1e-6);
        assert_true(found_ns <= expected_ns + 1 + 1e-6);
        sum_ns += found_ns;
    }
    assert_near(sum_ns / 2 / (double)period, ct_delay_mean_ns(delay), 2);
    ct_delay_free(delay);
}

static void test_definition(void **state)
{
    (void)state;
    uint64_t die = 7;
    double time_ns[SAMPLES], extra_ns[SAMPLES];
    for (int i = 0; i < 40; i++) {
        struct ct_delay_samples samples =
            random_samples(&die, time_ns, extra_ns, i % 2 ? 60 : 5000, CT_DELAY_STEP);
        check_definition(&samples);
        samples.shape = CT_DELAY_LINEAR;
        check_definition(&samples);
    }
}

static void test_bad_samples(void **state)
{
    (void)state;
    const double time_ns[] = {0, 10, 5}, extra_ns[] = {1, NAN, 1};
    const struct ct_delay_samples bad[] = {
        {time_ns, extra_ns, 0, 100, CT_DELAY_STEP}, {time_ns, extra_ns, 2, 100, CT_DELAY_STEP},
        {time_ns, time_ns, 3, 100, CT_DELAY_STEP},  {time_ns, time_ns, 2, 10, CT_DELAY_STEP},
        {time_ns, time_ns, 2, NAN, CT_DELAY_STEP},  {time_ns, time_ns, 2, INFINITY, CT_DELAY_STEP}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct ct_delay *delay;
        struct ct_error err;
        assert_int_equal(ct_delay_new(&bad[i], &delay, &err), CT_EINVAL);
    }
}

/* ---- replays ---- */

static const struct ct_loggps somewhere = {.o_ns = 700, .L_ns = 3000, .G_ns_per_byte = 0.25};

static struct ct_graph nth_graph(uint64_t seed)
{
    const struct ct_graph_options rendezvous = {.eager_max_bytes = 1000};
    const struct ct_graph_options nic = {.eager_max_bytes = 1000, .serialize_nic = true};
    const struct ct_graph_options *const options[] = {&eager, &rendezvous, &nic};
    struct random_shape shape = {.n_ranks = 2 + (uint32_t)(seed % 9),
                                 .n_steps = 30 + (uint32_t)(seed * 17 % 900),
                                 .calc_max_ns = 20000,
                                 .bytes_max = 2000};
    return random_graph(seed, shape, options[seed % 3]);
}

/* Constant: T(L + dL), and with a K the gap of G (1 + dL / K). */
static void test_constant_is_envelope(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
        struct ct_graph graph = nth_graph(seed);
        struct ct_replay *replay = replay_of(&graph, somewhere, 1);
        for (double extra_ns = 0; extra_ns < 1e6; extra_ns = 3 * extra_ns + 123) {
            struct ct_delay *delay = constant_delay(extra_ns);
            struct ct_loggps at = somewhere;
            at.L_ns += extra_ns;
            double expected_ns = runtime_by_envelope(&graph, at);
            assert_near(runtime(replay, delay, 5e4, INFINITY), expected_ns, 1e-9 * expected_ns);
            at.G_ns_per_byte *= 1 + extra_ns / 2e4;
            expected_ns = runtime_by_envelope(&graph, at);
            assert_near(runtime(replay, delay, 5e4, 2e4), expected_ns, 1e-9 * expected_ns);
            ct_delay_free(delay);
        }
        ct_replay_free(replay);
        ct_graph_free(&graph);
    }
}

/* More delay anywhere never makes it shorter. */
static void test_monotone(void **state)
{
    (void)state;
    uint64_t die = 3;
    double time_ns[SAMPLES], extra_ns[SAMPLES];
    size_t longer = 0;
    for (uint64_t seed = 1; seed <= GRAPHS; seed++) {
        struct ct_graph graph = nth_graph(seed);
        struct ct_replay *replay = replay_of(&graph, somewhere, 1);
        struct ct_delay_samples samples = random_samples(
            &die, time_ns, extra_ns, 100 + 100 * seed, seed % 3 ? CT_DELAY_STEP : CT_DELAY_LINEAR);
        double before_ns = 0;
        for (int more = 0; more < 8; more++) {
            struct ct_delay *delay = delay_of(&samples);
            double runtime_ns = runtime(replay, delay, 250, INFINITY);
            assert_true(runtime_ns >= before_ns * (1 - 1e-12));
            longer += runtime_ns > before_ns;
            before_ns = runtime_ns;
            ct_delay_free(delay);
            extra_ns[throw_die(&die, SAMPLES)] += (double)throw_die(&die, 5000);
        }
        ct_replay_free(replay);
        ct_graph_free(&graph);
    }
    assert_true(longer > 2 * GRAPHS);
}

/* A chain of five messages, each 10 + 100 ns, through a burst of 1000 ns at time 115. */
static void test_waits_once(void **state)
{
    (void)state;
    struct ct_graph graph = graph_of_text(
        "num_ranks 2\n"
        "rank 0 {\na: send 1b to 1 tag 1\nb: recv 1b from 1 tag 2\nc: send 1b to 1 tag 3\n"
        "d: recv 1b from 1 tag 4\nc requires b\n}\n"
        "rank 1 {\na: recv 1b from 0 tag 1\nb: send 1b to 0 tag 2\nc: recv 1b from 0 tag 3\n"
        "d: send 1b to 0 tag 4\nb requires a\nd requires c\n}\n",
        &eager);
    struct ct_replay *replay = replay_of(&graph, (struct ct_loggps){10, 100, 0}, 1);
    const double time_ns[] = {0, 115, 140}, extra_ns[] = {0, 1000, 0};
    struct ct_delay *delay =
        delay_of(&(struct ct_delay_samples){time_ns, extra_ns, 3, 1e6, CT_DELAY_STEP});
    /* Alone each message takes 120 ns with both overheads. The second is sent at 130 and waits
     * 1000; the burst is over when the third is sent. */
    assert_near(runtime(replay, delay, 5000, INFINITY), 480, 1e-9);
    assert_near(runtime(replay, delay, 0, INFINITY), 1480, 1e-9);
    /* All in one node: nobody meets it. */
    ct_replay_free(replay);
    replay = replay_of(&graph, (struct ct_loggps){10, 100, 0}, 2);
    assert_near(runtime(replay, delay, 0, INFINITY), 480, 1e-9);
    ct_replay_free(replay);
    struct ct_loggps at = {10, 100, 0};
    struct ct_error err;
    assert_int_equal(ct_replay_new(&graph, &at, 0, &replay, &err), CT_EINVAL);
    ct_delay_free(delay);
    ct_graph_free(&graph);
}

/* ---- many of them ---- */

static void test_answers(void **state)
{
    (void)state;
    uint64_t die = 11;
    double time_ns[SAMPLES], extra_ns[SAMPLES];
    struct ct_graph graph = nth_graph(5);
    struct ct_replay *replay = replay_of(&graph, somewhere, 1);
    struct ct_delay_samples samples = random_samples(&die, time_ns, extra_ns, 9000, CT_DELAY_STEP);
    struct ct_replay_setup setup = {.starts = 20, .half_delay_ns = INFINITY, .seed = 4};
    struct ct_replay_answer a, b;
    assert_int_equal(ct_replay_beside(replay, &samples, &setup, &a, NULL), CT_OK);
    assert_int_equal(ct_replay_beside(replay, &samples, &setup, &b, NULL), CT_OK);
    assert_memory_equal(a.runtime_ns, b.runtime_ns, 20 * sizeof(double));
    double sum_ns = 0;
    for (size_t i = 0; i < 20; i++) {
        sum_ns += a.runtime_ns[i];
        assert_true(i == 0 || a.runtime_ns[i] >= a.runtime_ns[i - 1]);
    }
    assert_near(sum_ns / 20, a.mean_ns, 1e-9 * a.mean_ns);
    assert_true(a.runtime_ns[19] > a.runtime_ns[0]);
    ct_replay_answer_free(&b);
    setup.seed = 5;
    assert_int_equal(ct_replay_beside(replay, &samples, &setup, &b, NULL), CT_OK);
    assert_true(a.runtime_ns[0] != b.runtime_ns[0]);
    ct_replay_answer_free(&a);
    ct_replay_answer_free(&b);
    /* Every message meets the mean. */
    struct ct_loggps at = somewhere;
    double mean_ns = 0;
    for (size_t i = 0; i < SAMPLES; i++)
        mean_ns += extra_ns[i] / SAMPLES;
    at.L_ns += mean_ns;
    setup.is_constant = true;
    assert_int_equal(ct_replay_beside(replay, &samples, &setup, &a, NULL), CT_OK);
    assert_near(a.mean_ns, runtime_by_envelope(&graph, at), 1e-9 * a.mean_ns);
    assert_near(a.runtime_ns[0], a.runtime_ns[19], 1e-9 * a.mean_ns);
    ct_replay_answer_free(&a);
    setup.starts = 0;
    assert_int_equal(ct_replay_beside(replay, &samples, &setup, &a, NULL), CT_EINVAL);
    setup = (struct ct_replay_setup){.starts = 1, .half_delay_ns = 0};
    assert_int_equal(ct_replay_beside(replay, &samples, &setup, &a, NULL), CT_EINVAL);
    ct_replay_free(replay);
    ct_graph_free(&graph);
}

/* Wherever it starts, a constant stays what it is. */
static void test_constant_answers(void **state)
{
    (void)state;
    struct ct_graph graph = nth_graph(6);
    struct ct_replay *replay = replay_of(&graph, somewhere, 1);
    double time_ns[SAMPLES], extra_ns[SAMPLES];
    for (size_t i = 0; i < SAMPLES; i++) {
        time_ns[i] = (double)(i * i);
        extra_ns[i] = 2000;
    }
    const struct ct_delay_samples samples = {time_ns, extra_ns, SAMPLES, 5000, CT_DELAY_LINEAR};
    const struct ct_replay_setup setup = {.starts = 3, .half_delay_ns = INFINITY, .seed = 1};
    struct ct_replay_answer answer;
    struct ct_loggps at = somewhere;
    at.L_ns += 2000;
    double expected_ns = runtime_by_envelope(&graph, at);
    assert_int_equal(ct_replay_beside(replay, &samples, &setup, &answer, NULL), CT_OK);
    assert_near(answer.mean_ns, expected_ns, 1e-9 * expected_ns);
    ct_replay_answer_free(&answer);
    ct_replay_free(replay);
    ct_graph_free(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_burst_empties),
        cmocka_unit_test(test_burst_reaches_round),
        cmocka_unit_test(test_linear),
        cmocka_unit_test(test_one_time),
        cmocka_unit_test(test_definition),
        cmocka_unit_test(test_bad_samples),
        cmocka_unit_test(test_constant_is_envelope),
        cmocka_unit_test(test_monotone),
        cmocka_unit_test(test_waits_once),
        cmocka_unit_test(test_answers),
        cmocka_unit_test(test_constant_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
