/*
 * Probes of one pair against queues whose waiting times are known: none waits for its predecessor,
 * so that mean and quantiles are those of the queue however long round trips are.
 */
#include "bench/impact/impact_run.h"
#include "bench/impact/probe_loop.h"
#include "core/random.h"
#include "core/stats.h"
#include "tests/unit/simulated_queue.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdlib.h>

static const double delay_s = 20e-6;

struct samples {
    struct ct_impact_result result;
    size_t most; /* then record() fails */
};

static enum ct_status record(void *data, struct ct_sample sample)
{
    struct samples *samples = data;
    if (samples->result.n_samples == samples->most)
        return CT_ENOMEM;
    return ct_impact_record(&samples->result, sample);
}

/* An epoch on a queue; the samples' times in order of sending. */
static enum ct_status probe(struct simulated_queue *queue, struct ct_probe_setup setup,
                            enum ct_arrivals arrivals, struct samples *samples,
                            struct ct_probe_counts *counts_p, struct ct_error *err)
{
    const struct ct_probe_transport transport = simulated_queue_transport(queue);
    struct ct_impact_schedule *schedule =
        ct_impact_schedule_new(arrivals, setup.interval_s, 0, 42, 7);
    assert_non_null(schedule);
    uint64_t next;
    enum ct_status status =
        ct_probe_epoch(&transport, &setup, 5, schedule, 3, record, samples, &next, counts_p, err);
    assert_int_equal(next - 5, queue->n_sent);
    assert_int_equal(queue->n_taken, queue->n_sent);
    ct_impact_schedule_free(schedule);
    return status;
}

static double *latencies(const struct samples *samples)
{
    double *latency_s = malloc((samples->result.n_samples + 1) * sizeof *latency_s);
    assert_non_null(latency_s);
    for (size_t i = 0; i < samples->result.n_samples; i++)
        latency_s[i] = samples->result.samples[i].latency_s;
    return latency_s;
}

/* Messages of equal length at the points of a Poisson process: M/D/1. */
static struct simulated_server poisson_server(double duration_s, double work_s, double rho,
                                              uint32_t seed)
{
    struct ct_twister random;
    ct_twister_seed(&random, seed);
    size_t most = (size_t)(duration_s * rho / work_s * 1.1) + 1000, n = 0;
    struct simulated_arrival *arrivals = malloc(most * sizeof *arrivals);
    assert_non_null(arrivals);
    for (double t = 0; t < duration_s && n < most; n++) {
        t += ct_twister_exponential(&random, work_s / rho);
        arrivals[n] = (struct simulated_arrival){t, work_s};
    }
    return (struct simulated_server){.arrivals = arrivals, .n_arrivals = n};
}

/* Bursts at equal distances, each work_s long to pass. */
static struct simulated_server bursty_server(double duration_s, double period_s, double work_s,
                                             double phase_s)
{
    size_t n = (size_t)(duration_s / period_s) + 1;
    struct simulated_arrival *arrivals = malloc(n * sizeof *arrivals);
    assert_non_null(arrivals);
    for (size_t i = 0; i < n; i++)
        arrivals[i] = (struct simulated_arrival){phase_s + (double)i * period_s, work_s};
    return (struct simulated_server){.arrivals = arrivals, .n_arrivals = n};
}

/* What probes at any moment see: the network asked at small distances, alone. */
static size_t true_latencies(struct simulated_queue queue, double end_s, double step_s,
                             double **latency_s_p)
{
    size_t n = (size_t)(end_s / step_s);
    double *latency_s = malloc(n * sizeof *latency_s);
    assert_non_null(latency_s);
    for (size_t i = 0; i < n; i++) {
        double sent_s = (double)i * step_s;
        double there_s = sent_s + delay_s + simulated_wait_s(&queue.there, sent_s);
        latency_s[i] = (there_s + delay_s + simulated_wait_s(&queue.back, there_s) - sent_s) / 2;
    }
    ct_stats_sort(latency_s, n);
    *latency_s_p = latency_s;
    return n;
}

static double mean_of(const double *x, size_t n)
{
    struct ct_summary summary;
    assert_int_equal(ct_stats_summarize(x, n, &summary), CT_OK);
    return summary.mean;
}

static double mean_of_series(const struct ct_series *series, void *data)
{
    (void)data;
    return mean_of(series->x, series->n);
}

/* Mean, and quantiles between 10 and 90 %, lie in their 99.9 % intervals around what is true. */
static void check_against_truth(struct simulated_queue *queue, double interval_s, double end_s)
{
    double *truth_s;
    size_t n_truth = true_latencies(*queue, end_s, interval_s / 50, &truth_s);
    struct samples samples = {.most = SIZE_MAX};
    struct ct_probe_counts counts;
    struct ct_error err;
    const struct ct_probe_setup setup = {
        .outstanding = 64, .interval_s = interval_s, .end_s = end_s};
    assert_int_equal(probe(queue, setup, CT_ARRIVALS_POISSON, &samples, &counts, &err), CT_OK);
    size_t n = samples.result.n_samples;
    double *latency_s = latencies(&samples);
    assert_int_equal(counts.n_late, 0);
    assert_int_equal(counts.n_missed, 0);
    assert_in_range(n, 0.97 * end_s / interval_s, 1.03 * end_s / interval_s);

    struct ct_interval interval;
    const struct ct_bootstrap bootstrap = {.replicates = 400, .level = 0.999, .seed = 1};
    assert_int_equal(ct_stats_bootstrap(&(struct ct_series){latency_s, n}, 1, mean_of_series, NULL,
                                        &bootstrap, &interval),
                     CT_OK);
    double mean_s = mean_of(truth_s, n_truth);
    if (!(interval.lo <= mean_s && mean_s <= interval.hi))
        fail_msg("mean %g outside [%g, %g]", mean_s, interval.lo, interval.hi);
    ct_stats_sort(latency_s, n);
    for (int percent = 10; percent <= 90; percent += 20) {
        /* Neighbouring probes see the same queue: as if there were a fifth of them. */
        double p = percent / 100.0, lo, hi, reach = 3.3 * sqrt(p * (1 - p) * 5 / (double)n), q;
        assert_int_equal(ct_stats_quantile(latency_s, n, fmax(p - reach, 0), &lo), CT_OK);
        assert_int_equal(ct_stats_quantile(latency_s, n, fmin(p + reach, 1), &hi), CT_OK);
        assert_int_equal(ct_stats_quantile(truth_s, n_truth, p, &q), CT_OK);
        if (!(lo <= q && q <= hi))
            fail_msg("%d %% quantile %g outside [%g, %g]", percent, q, lo, hi);
    }
    free(latency_s);
    free(truth_s);
    ct_impact_result_free(&samples.result);
}

static struct simulated_queue *new_queue(void)
{
    struct simulated_queue *queue = calloc(1, sizeof *queue);
    assert_non_null(queue);
    queue->delay_s = delay_s;
    queue->end_s = INFINITY;
    return queue;
}

static void free_queue(struct simulated_queue *queue)
{
    free(queue->there.arrivals);
    free(queue->back.arrivals);
    free(queue);
}

/* Mean round trips of 0.1, 1 and 3 intervals. */
static const double ratios[] = {0.1, 1, 3};
enum { N_RATIOS = sizeof ratios / sizeof *ratios, N_PROBES = 20000 };

static void known_delays(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_RATIOS; i++) {
        struct simulated_queue *queue = new_queue();
        struct samples samples = {.most = SIZE_MAX};
        struct ct_probe_counts counts;
        struct ct_error err;
        const struct ct_probe_setup setup = {
            .outstanding = 64, .interval_s = 2 * delay_s / ratios[i], .end_s = 1};
        assert_int_equal(probe(queue, setup, CT_ARRIVALS_POISSON, &samples, &counts, &err), CT_OK);
        for (size_t k = 0; k < samples.result.n_samples; k++) {
            const struct ct_sample *sample = &samples.result.samples[k];
            assert_near(sample->latency_s, delay_s, 1e-12);
            assert_near(sample->sent_s, sample->t_s, 1e-12);
            assert_int_equal(sample->pair, 3);
        }
        ct_impact_result_free(&samples.result);
        free_queue(queue);
    }
}

/* W = rho D / (2 (1 - rho)) each way, and D the same for all. */
static void slow_m_d_1(void **state)
{
    (void)state;
    skip_if_sanitized();
    for (size_t i = 0; i < N_RATIOS; i++)
        for (int percent = 30; percent <= 80; percent += 50) {
            double rho = percent / 100.0, work_s = 1e-3;
            double round_trip_s = 2 * delay_s + rho * work_s / (1 - rho);
            double interval_s = round_trip_s / ratios[i], end_s = N_PROBES * interval_s;
            struct simulated_queue *queue = new_queue();
            queue->there = poisson_server(end_s, work_s, rho, 1);
            queue->back = poisson_server(end_s, work_s, rho, 2);
            double *truth_s;
            size_t n = true_latencies(*queue, end_s, interval_s / 50, &truth_s);
            /* The simulation itself: within what 20 000 round trips tell. */
            assert_near(mean_of(truth_s, n), round_trip_s / 2, 0.06 * round_trip_s / 2);
            free(truth_s);
            check_against_truth(queue, interval_s, end_s);
            free_queue(queue);
        }
}

static void slow_bursts(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_RATIOS; i++) {
        double period_s = 50e-3, work_s = 30e-3;
        double round_trip_s = 2 * delay_s + work_s * work_s / period_s;
        double interval_s = round_trip_s / ratios[i], end_s = N_PROBES * interval_s;
        struct simulated_queue *queue = new_queue();
        queue->there = bursty_server(end_s, period_s, work_s, 0);
        queue->back = bursty_server(end_s, period_s, work_s, 20e-3);
        check_against_truth(queue, interval_s, end_s);
        free_queue(queue);
    }
}

/* What the loop is there for: with one probe under way a pair queues behind itself. */
static void one_at_a_time_is_late(void **state)
{
    (void)state;
    double rho = 0.8, work_s = 1e-3, round_trip_s = rho * work_s / (1 - rho), end_s = 10;
    struct simulated_queue *queue = new_queue();
    queue->there = poisson_server(end_s, work_s, rho, 1);
    queue->back = poisson_server(end_s, work_s, rho, 2);
    struct samples samples = {.most = SIZE_MAX};
    struct ct_probe_counts counts;
    struct ct_error err;
    const struct ct_probe_setup setup = {
        .outstanding = 1, .interval_s = round_trip_s, .end_s = end_s};
    assert_int_equal(probe(queue, setup, CT_ARRIVALS_POISSON, &samples, &counts, &err), CT_OK);
    uint64_t n_late = 0;
    for (size_t i = 0; i < samples.result.n_samples; i++) {
        const struct ct_sample *sample = &samples.result.samples[i];
        assert_true(sample->sent_s >= sample->t_s);
        assert_int_equal(sample->late, sample->sent_s - sample->t_s > round_trip_s / 10);
        n_late += sample->late;
    }
    assert_int_equal(n_late, counts.n_late);
    assert_true(n_late > samples.result.n_samples / 3);
    ct_impact_result_free(&samples.result);
    free_queue(queue);
}

static void the_last_answers_are_waited_for(void **state)
{
    (void)state;
    struct simulated_queue *queue = new_queue();
    queue->delay_s = 0.5;
    queue->ahead_s = -3;
    struct samples samples = {.most = SIZE_MAX};
    struct ct_probe_counts counts;
    struct ct_error err;
    const struct ct_probe_setup limited = {
        .outstanding = 64, .interval_s = 0.1, .end_s = 100, .limited = true, .n_probes = 17};
    assert_int_equal(probe(queue, limited, CT_ARRIVALS_FIXED, &samples, &counts, &err), CT_OK);
    assert_int_equal(samples.result.n_samples, 17);
    assert_int_equal(counts.n_missed, 0);
    assert_near(queue->now_s, samples.result.samples[16].sent_s + 1, 1e-9);
    assert_near(samples.result.samples[16].forward_s, 0.5 - 3, 1e-9);
    ct_impact_result_free(&samples.result);
    free_queue(queue);
}

static void what_cannot_be_sent_is_missed(void **state)
{
    (void)state;
    struct simulated_queue *queue = new_queue();
    queue->delay_s = 0.5; /* one probe a second at most, 1000 due */
    struct samples samples = {.most = SIZE_MAX};
    struct ct_probe_counts counts;
    struct ct_error err;
    const struct ct_probe_setup setup = {.outstanding = 1, .interval_s = 10e-3, .end_s = 10};
    assert_int_equal(probe(queue, setup, CT_ARRIVALS_FIXED, &samples, &counts, &err), CT_OK);
    assert_in_range(samples.result.n_samples, 9, 11);
    assert_int_equal(samples.result.n_samples + counts.n_missed, 1000);
    assert_int_equal(counts.n_late, samples.result.n_samples - 1);
    ct_impact_result_free(&samples.result);
    free_queue(queue);
    /* What was not asked for is not missed. */
    queue = new_queue();
    queue->delay_s = 0.5;
    samples = (struct samples){.most = SIZE_MAX};
    const struct ct_probe_setup limited = {
        .outstanding = 1, .interval_s = 10e-3, .end_s = 10, .limited = true, .n_probes = 100};
    assert_int_equal(probe(queue, limited, CT_ARRIVALS_FIXED, &samples, &counts, &err), CT_OK);
    assert_in_range(samples.result.n_samples, 9, 11);
    assert_int_equal(samples.result.n_samples + counts.n_missed, 100);
    ct_impact_result_free(&samples.result);
    free_queue(queue);
}

static void a_full_store_ends_the_epoch(void **state)
{
    (void)state;
    struct simulated_queue *queue = new_queue();
    queue->delay_s = 0.5;
    struct samples samples = {.most = 3};
    struct ct_probe_counts counts;
    struct ct_error err;
    const struct ct_probe_setup setup = {.outstanding = 64, .interval_s = 0.1, .end_s = 100};
    assert_int_equal(probe(queue, setup, CT_ARRIVALS_FIXED, &samples, &counts, &err), CT_ENOMEM);
    assert_int_equal(samples.result.n_samples, 3);
    assert_true(queue->n_sent < 20);
    ct_impact_result_free(&samples.result);
    free_queue(queue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_delays),
        cmocka_unit_test(slow_m_d_1),
        cmocka_unit_test(slow_bursts),
        cmocka_unit_test(one_at_a_time_is_late),
        cmocka_unit_test(the_last_answers_are_waited_for),
        cmocka_unit_test(what_cannot_be_sent_is_missed),
        cmocka_unit_test(a_full_store_ends_the_epoch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
