/* calibrate/runs/calibration_loads: probe runs of a campaign as data, and the same simulated. */
#include "calibrate/constants.h"
#include "calibrate/runs/calibration_loads.h"
#include "run_example.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROBES = 80, PROBE_BYTES = 1024 };

static const struct ct_config idle_load = {
    .partners = 1, .messages = 1, .bubble_s = 100, .message_bytes = 1}; /* next to nothing */
static const struct ct_config light = {.partners = 1, .messages = 1, .bubble_s = 0.05};
static const struct ct_config heavy = {.partners = 3, .messages = 4, .bubble_s = 0.01};
static const struct ct_config bursts = {
    .partners = 1, .messages = 1, .bubble_s = 0.05, .burst = {.given = true, 0.1, 0.1}};

static char *copy(const char *text)
{
    char *copied = strdup(text);
    assert_non_null(copied);
    return copied;
}

static void add_text(struct ct_run_info *info, const char *key, const char *text)
{
    struct ct_run_fact *facts = realloc(info->facts, (info->n_facts + 1) * sizeof *facts);
    assert_non_null(facts);
    facts[info->n_facts++] = (struct ct_run_fact){.key = copy(key), .text = copy(text)};
    info->facts = facts;
}

/* Probes whose latencies rise from first_s on by 1 us each. */
static void write_probe(const char *path, const char *hosts, const struct ct_config *config,
                        double first_s)
{
    struct ct_run run = example_run(CT_RUN_IMPACT, PROBES);
    free(run.info.app);
    free(run.info.with);
    free(run.info.hosts);
    run.info.app = copy("");
    run.info.with = copy("");
    run.info.hosts = copy(hosts);
    run.info.has_config = true;
    run.info.config = *config;
    add_text(&run.info, "option_message_size", "1KiB");
    add_text(&run.info, "option_interval", "10ms");
    for (size_t i = 0; i < run.n_samples; i++) {
        size_t place = run.n_samples - 1 - i; /* not in the order of time */
        run.samples[place].t_s = (double)i;
        run.samples[place].latency_s = first_s + 1e-6 * (double)i;
    }
    assert_int_equal(ct_run_write(path, &run, NULL), CT_OK);
    ct_run_free(&run);
}

static enum ct_status open_here(struct ct_measured *measured, struct ct_calibration_loads **loads_p,
                                struct ct_error *err)
{
    *measured = (struct ct_measured){0};
    return ct_calibration_loads_open(".", measured, loads_p, err);
}

static void test_data(void **state)
{
    (void)state;
    const size_t parts = ct_calibrate_count(CT_CALIBRATE_PARTS);
    struct ct_calibration_loads *loads;
    struct ct_measured measured;
    write_probe("heavy.h5", "a b c d", &heavy, 1e-3);
    write_probe("light.h5", "a b c d", &light, 1e-4);
    write_probe("light-again.h5", "a b c d", &light, 2e-4);
    write_probe("bursts.h5", "a b c d", &bursts, 1e-4);
    assert_int_equal(open_here(&measured, &loads, NULL), CT_OK);
    assert_int_equal(ct_calibration_loads_count(loads), 2);
    assert_string_equal(ct_calibration_load_name(loads, 1), "P1 M1 B50ms");
    assert_string_equal(ct_calibration_load_name(loads, 2), "P3 M4 B10ms");
    assert_int_equal(measured.n, 2);
    assert_int_equal(measured.series[0].output.quantity, CT_BENCHMARK_LATENCY);
    assert_int_equal(measured.series[0].output.bytes, 1);
    assert_int_equal(measured.series[0].n, 2 * parts);
    assert_int_equal(measured.series[1].n, parts);
    /* The first tenth in the order of time: 0 to 9 us beyond the first probe. */
    const double size = PROBES / (double)parts;
    assert_near(measured.series[1].values[0], 1e-3 + 1e-6 * (size - 1) / 2, 1e-12);
    ct_calibration_loads_free(loads);
    ct_measured_free(&measured);
}

static void test_bad_data(void **state)
{
    (void)state;
    struct ct_calibration_loads *loads;
    struct ct_measured measured;
    struct ct_error err;
    write_probe("bursts.h5", "a b c d", &bursts, 1e-4);
    assert_int_equal(open_here(&measured, &loads, &err), CT_ENODATA);
    ct_measured_free(&measured);
    write_probe("light.h5", "a b c d", &light, 1e-4);
    write_probe("other.h5", "a b c d e", &heavy, 1e-4);
    assert_int_equal(open_here(&measured, &loads, &err), CT_EUNSUPPORTED);
    assert_non_null(strstr(err.text, "5 hosts"));
    ct_measured_free(&measured);
}

static struct ct_stack_parameters parameters_of(double G_s)
{
    struct ct_stack_parameters parameters = ct_stack_defaults();
    parameters.family = CT_STACK_LOGGPS;
    assert_int_equal(ct_stack_set(&parameters, CT_STACK_KEY_L, 20e-6, NULL), CT_OK);
    assert_int_equal(ct_stack_set(&parameters, CT_STACK_KEY_o, 5e-6, NULL), CT_OK);
    assert_int_equal(ct_stack_set(&parameters, CT_STACK_KEY_G, G_s, NULL), CT_OK);
    return parameters;
}

/* Beside next to nothing a probe takes L + 2 o + G m; beside more it takes longer, on a slower
 * network still longer; equal parameters have equal results. */
static void slow_simulated(void **state)
{
    (void)state;
    struct ct_calibration_loads *loads;
    struct ct_measured measured;
    struct ct_stack_parameters fast = parameters_of(1e-7), slow = parameters_of(2e-7);
    write_probe("idle.h5", "a b c d", &idle_load, 1e-4);
    write_probe("light.h5", "a b c d", &light, 1e-4);
    write_probe("heavy.h5", "a b c d", &heavy, 1e-4);
    assert_int_equal(open_here(&measured, &loads, NULL), CT_OK);
    assert_string_equal(ct_calibration_load_name(loads, 1), "P1 M1 B50ms");
    enum { LIGHT, IDLE, HEAVY, N };
    double values[N], slower[N], again[N];
    assert_int_equal(ct_calibration_loads_run(loads, &fast, values, NULL), CT_OK);
    assert_int_equal(ct_calibration_loads_run(loads, &slow, slower, NULL), CT_OK);
    assert_int_equal(ct_calibration_loads_run(loads, &fast, again, NULL), CT_OK);
    assert_memory_equal(values, again, sizeof values);
    assert_true(values[IDLE] < values[LIGHT] && values[LIGHT] < values[HEAVY]);
    for (size_t i = 0; i < N; i++)
        assert_true(slower[i] > values[i]);
    ct_calibration_loads_free(loads);
    ct_measured_free(&measured);
}

/* The hash tells loads apart, which stored simulations depend on. */
static void test_hash(void **state)
{
    (void)state;
    struct ct_calibration_loads *loads;
    struct ct_measured measured;
    uint64_t one[2], both[2];
    write_probe("light.h5", "a b c d", &light, 1e-4);
    assert_int_equal(open_here(&measured, &loads, NULL), CT_OK);
    ct_calibration_loads_hash(loads, one);
    ct_calibration_loads_free(loads);
    ct_measured_free(&measured);
    write_probe("heavy.h5", "a b c d", &heavy, 1e-4);
    assert_int_equal(open_here(&measured, &loads, NULL), CT_OK);
    ct_calibration_loads_hash(loads, both);
    assert_true(one[0] != both[0] || one[1] != both[1]);
    ct_calibration_loads_free(loads);
    ct_measured_free(&measured);
}

#define IN_FOLDER(test)                                                                            \
    cmocka_unit_test_setup_teardown(test, example_folder_enter, example_folder_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {IN_FOLDER(test_data), IN_FOLDER(test_bad_data),
                                       IN_FOLDER(slow_simulated), IN_FOLDER(test_hash)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
