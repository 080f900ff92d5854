/* The benchmark on simulated networks, by hand; parameters with priors; tables of what was
 * measured. */
#include "calibrate/benchmark.h"
#include "calibrate/data.h"
#include "calibrate/unknowns.h"
#include "unit.h"

#include <string.h>

static struct ct_benchmark_setup plain_setup(uint32_t messages, uint32_t window)
{
    return (struct ct_benchmark_setup){
        .kind = CT_NETWORK_PACKET,
        .network = {.n_nodes = 2, .packet_bytes = 4096, .buffer_bytes = 65536},
        .messages = messages,
        .window = window};
}

static double run(const struct ct_benchmark_setup *setup,
                  const struct ct_stack_parameters *parameters, enum ct_benchmark_quantity quantity,
                  uint64_t bytes)
{
    const struct ct_benchmark_output output = {quantity, bytes};
    struct ct_benchmark *benchmark;
    double value = NAN, again = NAN;
    assert_int_equal(ct_benchmark_new(setup, &output, 1, &benchmark, NULL), CT_OK);
    assert_int_equal(ct_benchmark_run(benchmark, parameters, &value, NULL), CT_OK);
    assert_int_equal(ct_benchmark_run(benchmark, parameters, &again, NULL), CT_OK);
    assert_memory_equal(&value, &again, sizeof value);
    ct_benchmark_free(benchmark);
    return value;
}

static double pin_s(const struct ct_stack_parameters *p, double bytes)
{
    return p->pin_s + ceil(bytes / (double)p->page_bytes) * p->pin_page_s;
}

/* The steps of stack.h, one after the other: of the message, then of the empty answer. */
static void test_round_trips(void **state)
{
    (void)state;
    const struct ct_benchmark_setup setup = plain_setup(16, 1);
    const struct ct_stack_parameters p = ct_stack_defaults();
    double copy_s = 1 / p.memory_bytes_per_s, link_s = 1 / p.injection_bytes_per_s;
    double answer_s = p.header_s + p.hop_s;
    double mailbox_s = p.header_s + p.hop_s + 1000 * (link_s + copy_s) + answer_s;
    double eager_s = p.header_s + p.rdma_s + 3 * p.hop_s + 10000 * (link_s + 2 * copy_s) + answer_s;
    double rendezvous_s =
        2 * pin_s(&p, 1e6) + p.header_s + p.rdma_s + 3 * p.hop_s + 1e6 * link_s + answer_s;
    const double tolerance_s = 1e-15;
    assert_near(run(&setup, &p, CT_BENCHMARK_ROUND_TRIP, 0), 2 * answer_s, tolerance_s);
    assert_near(run(&setup, &p, CT_BENCHMARK_ROUND_TRIP, 1000), mailbox_s, tolerance_s);
    assert_near(run(&setup, &p, CT_BENCHMARK_ROUND_TRIP, 10000), eager_s, tolerance_s);
    assert_near(run(&setup, &p, CT_BENCHMARK_ROUND_TRIP, 1000000), rendezvous_s, 1e-12);
}

/* One after the other, a small message takes as long as the slowest of its stages; a large one
 * waits for the acknowledgement of the one before. */
static void test_throughput(void **state)
{
    (void)state;
    const struct ct_benchmark_setup setup = plain_setup(16, 1);
    const struct ct_stack_parameters p = ct_stack_defaults();
    double large_s =
        2 * pin_s(&p, 1e6) + p.header_s + p.rdma_s + 4 * p.hop_s + 1e6 / p.injection_bytes_per_s;
    assert_near(run(&setup, &p, CT_BENCHMARK_THROUGHPUT, 256), 256 / p.header_s, 1);
    assert_near(run(&setup, &p, CT_BENCHMARK_THROUGHPUT, 4096), p.memory_bytes_per_s, 1);
    assert_near(run(&setup, &p, CT_BENCHMARK_THROUGHPUT, 1000000), 1e6 / large_s, 100);
}

/* What a port lets pass at once is used up: a message waits until its port has earned its bytes
 * again. Fewer bytes than are earned meanwhile pass at once, also after many repetitions. */
static void test_burst(void **state)
{
    (void)state;
    const struct ct_benchmark_setup setup = plain_setup(16, 1);
    static const char text[] = "protocols: loggps\nL: 20us\no: 1us\nG: 1us\nburst: 4kB\n";
    struct ct_stack_parameters p;
    assert_int_equal(ct_stack_parse(text, "x", NULL, NULL, &p, NULL), CT_OK);
    assert_near(run(&setup, &p, CT_BENCHMARK_ROUND_TRIP, 3000), 2999e-6, 1e-9);
    assert_near(run(&setup, &p, CT_BENCHMARK_ROUND_TRIP, 500), 499e-6, 1e-9);
    assert_near(run(&setup, &p, CT_BENCHMARK_ROUND_TRIP, 10), 44e-6, 1e-6);
}

/* With many messages under way the link is always busy. */
static void test_window(void **state)
{
    (void)state;
    const struct ct_stack_parameters p = ct_stack_defaults();
    double before = 0, rate = p.injection_bytes_per_s;
    for (uint32_t window = 1; window <= 64; window *= 4) {
        const struct ct_benchmark_setup setup = plain_setup(64, window);
        double now = run(&setup, &p, CT_BENCHMARK_THROUGHPUT, 1000000);
        assert_true(now > before);
        before = now;
    }
    assert_true(before > 0.95 * rate && before < 1.05 * rate);
}

static void test_refused(void **state)
{
    (void)state;
    struct ct_benchmark *benchmark;
    const struct ct_benchmark_output empty = {CT_BENCHMARK_THROUGHPUT, 0},
                                     huge = {CT_BENCHMARK_ROUND_TRIP, (uint64_t)1 << 40},
                                     fine = {CT_BENCHMARK_ROUND_TRIP, 8};
    struct ct_benchmark_setup setup = plain_setup(16, 1);
    assert_int_equal(ct_benchmark_new(&setup, &empty, 1, &benchmark, NULL), CT_EINVAL);
    assert_int_equal(ct_benchmark_new(&setup, &huge, 1, &benchmark, NULL), CT_EINVAL);
    assert_int_equal(ct_benchmark_new(&setup, &fine, 0, &benchmark, NULL), CT_EINVAL);
    setup = plain_setup(16, 17);
    assert_int_equal(ct_benchmark_new(&setup, &fine, 1, &benchmark, NULL), CT_EINVAL);
    setup = plain_setup(1, 1);
    assert_int_equal(ct_benchmark_new(&setup, &fine, 1, &benchmark, NULL), CT_EINVAL);
}

/* ---- parameters ---- */

static void test_unknowns(void **state)
{
    (void)state;
    struct ct_unknowns unknowns;
    char text[CT_PRIOR_TEXT_MAX];
    assert_int_equal(ct_unknowns_parse("pin: uniform 1us 7us  # s\nhop: 200ns\n"
                                       "link-bandwidth: log-uniform 80gbit 15GB/s\n"
                                       "post-header:\tnormal 400ns\t50ns\n",
                                       "x", &unknowns, NULL),
                     CT_OK);
    assert_int_equal(unknowns.n, 3);
    assert_string_equal(unknowns.parameters[0].name, "link-bandwidth");
    assert_string_equal(unknowns.parameters[1].name, "post-header");
    assert_string_equal(unknowns.parameters[2].name, "pin");
    assert_string_equal(unknowns.parameters[2].unit, "s");
    assert_int_equal(unknowns.parameters[0].prior.kind, CT_PRIOR_LOG_UNIFORM);
    assert_near(unknowns.parameters[0].prior.a, 10e9, 1);
    assert_near(unknowns.fixed.hop_s, 200e-9, 1e-20);
    ct_unknowns_prior_text(&unknowns, 1, text);
    assert_string_equal(text, "normal 400ns 50ns");
    const double values[] = {11e9, 300e-9, 2e-6};
    const struct ct_stack_parameters at = ct_unknowns_at(&unknowns, values);
    assert_near(at.link_bytes_per_s, 11e9, 0);
    assert_near(at.header_s, 300e-9, 0);
    assert_near(at.pin_s, 2e-6, 0);
    assert_near(at.hop_s, 200e-9, 1e-20);
}

static void test_bad_unknowns(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"pin: 1us\n", "x: no parameter has a prior"},
        {"pin: uniform 1us", "x:1: pin 'uniform 1us': a value, or a prior of three words"},
        {"pin: uniform 1us 2us 3us", "x:1: pin 'uniform 1us 2us 3us'"},
        {"\npin: even 1us 2us", "x:2: pin: "},
        {"pin: uniform 7us 1us", "x:1: "},
        {"pin: uniform 1us 2", "x:1: pin: "},
        {"pin: normal 100ns 100ns", "x:1: the prior reaches too far: pin"},
        {"pin: log-uniform 0ns 1us", "x:1: "},
        {"page: uniform 1KiB 4KiB", "x:1: page: rates, durations, burst and ahead have priors"},
        {"progress: uniform async in-call", "x:1: progress"},
        {"pin: uniform 1us 2us\npin: uniform 1us 2us", "x:2: 'pin' is in line 1, too"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ct_unknowns unknowns;
        struct ct_error err = {.text = ""};
        assert_int_not_equal(ct_unknowns_parse(cases[i].text, "x", &unknowns, &err), CT_OK);
        if (strncmp(err.text, cases[i].message, strlen(cases[i].message)) != 0)
            fail_msg("'%s' is not '%s'", err.text, cases[i].message);
    }
}

/* A file with priors is not for a simulation. */
static void test_priors_refused(void **state)
{
    (void)state;
    struct ct_stack_parameters read;
    struct ct_error err;
    assert_int_equal(ct_stack_parse("pin: uniform 1us 7us", "x", NULL, NULL, &read, &err),
                     CT_EFORMAT);
    assert_string_equal(err.text, "x:1: pin 'uniform 1us 7us': one value; ranges are for "
                                  "crosstalk-calibrate(1)");
}

/* ---- tables ---- */

static void test_table(void **state)
{
    (void)state;
    struct ct_measured measured;
    assert_int_equal(ct_measured_parse("# of a benchmark\nvalue, size,kind,run\r\n"
                                       "2e-6,8,round-trip,0\n3e-6, 8 ,round-trip,1\n\n"
                                       "5e9,4096,throughput,0\n6e9,4096,throughput,1\n"
                                       "1e9,256,throughput,0\n2e9,256,throughput,1",
                                       "x", &measured, NULL),
                     CT_OK);
    assert_int_equal(measured.n, 3);
    assert_int_equal(measured.series[0].output.bytes, 256);
    assert_int_equal(measured.series[1].output.bytes, 4096);
    assert_int_equal(measured.series[2].output.quantity, CT_BENCHMARK_ROUND_TRIP);
    assert_int_equal(measured.series[2].n, 2);
    assert_near(measured.series[2].values[1], 3e-6, 1e-20);
    assert_near(measured.series[1].values[0], 5e9, 0);
    ct_measured_free(&measured);
}

/* Rounds are the other order. */
static void test_rounds(void **state)
{
    (void)state;
    struct ct_measured measured;
    assert_int_equal(ct_measured_parse("kind,size,value\n"
                                       "throughput,1,1\nthroughput,2,1\nthroughput,3,1\n"
                                       "throughput,1,2\nthroughput,2,2\nthroughput,3,2\n",
                                       "x", &measured, NULL),
                     CT_OK);
    assert_int_equal(measured.n, 3);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(measured.series[i].n, 2);
    ct_measured_free(&measured);
}

static void test_bad_tables(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "x: empty"},
        {"kind,size,value\n", "x: no row"},
        {"kind,size\n", "x:1: 0 columns 'value'"},
        {"kind,size,value,size\n", "x:1: 2 columns 'size'"},
        {"kind,size,value\nlatency,1,1\n", "x:2: kind 'latency': throughput or round-trip"},
        {"kind,size,value\nthroughput,1KiB,1\n", "x:2: '1KiB'"},
        {"kind,size,value\nthroughput,-1,1\n", "x:2: '-1'"},
        {"kind,size,value\nthroughput,1,one\n", "x:2: "},
        {"kind,size,value\nthroughput,1,nan\n", "x:2: "},
        {"kind,size,value\nthroughput,1,0\n", "x:2: value 0: not a number above 0"},
        {"kind,size,value\nthroughput,1,-2\n", "x:2: value -2: "},
        {"kind,size,value\nthroughput,0,2\n", "x:2: size 0: "},
        {"kind,size,value\n#\nthroughput,1\n", "x:3: 2 fields, but 3 columns"},
        {"kind,size,value\nthroughput,1,1\nthroughput,2,1\nthroughput,2,1\nthroughput,1,1\n",
         "x:5: a kind and size that is there twice: rows of the same kind and size follow each "
         "other, or all kinds and sizes take turns"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ct_measured measured;
        struct ct_error err = {.text = ""};
        assert_int_not_equal(ct_measured_parse(cases[i].text, "x", &measured, &err), CT_OK);
        if (strncmp(err.text, cases[i].message, strlen(cases[i].message)) != 0)
            fail_msg("'%s' is not '%s'", err.text, cases[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),  cmocka_unit_test(test_throughput),
        cmocka_unit_test(test_burst),        cmocka_unit_test(test_window),
        cmocka_unit_test(test_refused),      cmocka_unit_test(test_unknowns),
        cmocka_unit_test(test_bad_unknowns), cmocka_unit_test(test_priors_refused),
        cmocka_unit_test(test_table),        cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_bad_tables)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
