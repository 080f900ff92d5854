/* Runs of a validation from made-up files: what counts, and what a load does to the probe. */

#include "results/run.h"
#include "study/validation_runs.h"
#include "tests/unit/run_example.h"
#include "tests/unit/study_example.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const struct ct_config load = {.partners = 2, .messages = 4, .bubble_s = 5e-3};
static const struct ct_bootstrap setup = {.replicates = 200, .level = 0.95, .seed = 3};
/* Latencies of the made-up probe: 10 us, or 30 us for this share. */
static const double idle_waits_frac = 0.1, loaded_waits_frac = 0.6, wait_s = 20e-6;

static const struct example_run_of alone = {"program", "", NULL, NULL}, idle = {"", "", NULL, NULL};
static const struct example_run_of beside = {"program", "", &load, NULL},
                                   probe = {"", "", &load, NULL};

static void write_passes(const char *name, struct example_run_of of, double added_s,
                         double duration_s)
{
    char path[64];
    snprintf(path, sizeof path, "val/runs/%s.h5", name);
    example_write_passes(path, of, duration_s);
    example_add_latency(path, added_s);
}

static void write_probe(const char *name, struct example_run_of of, double added_s,
                        double waits_frac)
{
    char path[64];
    snprintf(path, sizeof path, "val/runs/%s.h5", name);
    example_write_probe(path, of, waits_frac);
    example_add_latency(path, added_s);
}

static void make_folder(void)
{
    assert_int_equal(mkdir("val", 0777), 0);
    assert_int_equal(mkdir("val/runs", 0777), 0);
}

static struct ct_validation_runs read_folder(void)
{
    struct ct_validation_runs runs;
    struct ct_error err;
    if (ct_validation_runs_read("val", NULL, "program", &setup, &runs, &err) != CT_OK)
        fail_msg("%s", err.text);
    return runs;
}

static void refused(enum ct_status expected, const char *why)
{
    struct ct_validation_runs runs;
    struct ct_error err;
    assert_int_equal(ct_validation_runs_read("val", NULL, "program", &setup, &runs, &err),
                     expected);
    if (!strstr(err.text, why))
        fail_msg("%s", err.text);
}

static void write_load(void)
{
    write_passes("alone", alone, 0, 1);
    write_passes("beside-0", beside, 0, 1.5);
    write_passes("beside-1", beside, 1e-3, 2.5);
    write_probe("idle", idle, 0, idle_waits_frac);
    write_probe("probe-1", probe, 1e-3, loaded_waits_frac);
    write_probe("probe-0", probe, 0, loaded_waits_frac);
}

static void without_a_load_all_runs_are_compared(void **state)
{
    (void)state;
    make_folder();
    write_passes("alone", alone, 0, 1);
    write_passes("later", alone, 1e-3, 2);
    write_passes("other", (struct example_run_of){"other", "", NULL, NULL}, 0, 7);
    write_passes("corun", (struct example_run_of){"program", "other", NULL, NULL}, 0, 8);
    write_probe("idle", idle, 0, idle_waits_frac);
    struct ct_validation_runs runs = read_folder();
    assert_false(runs.has_load);
    assert_int_equal(runs.n_runs, 2);
    assert_near(runs.runs[0].runtime_s + runs.runs[1].runtime_s, 3, 1e-9);
    assert_near(fabs(runs.runs[0].delta_L_s - runs.runs[1].delta_L_s), 1e-3, 1e-15);
    assert_int_equal(runs.n_alone, 0);
    assert_int_equal(runs.n_probes, 0);
    assert_null(runs.logp_path);
    ct_validation_runs_free(&runs);
}

static void beside_a_load_the_probe_tells_what_it_adds(void **state)
{
    (void)state;
    make_folder();
    write_load();
    write_passes("alone-later", alone, 1e-3, 9); /* not asked for */
    struct ct_validation_runs runs = read_folder();
    double added_s = (loaded_waits_frac - idle_waits_frac) * wait_s;
    assert_true(runs.has_load);
    assert_true(ct_config_same(&runs.load, &load));
    assert_int_equal(runs.n_runs, 2);
    assert_near(runs.runs[0].runtime_s + runs.runs[1].runtime_s, 4, 1e-9);
    assert_int_equal(runs.n_alone, 1);
    assert_near(runs.alone[0].runtime_s, 1, 1e-9);
    assert_int_equal(runs.n_probes, 2);
    assert_near(runs.probes[0].delta_L_s, 0, 0);
    assert_near(runs.probes[0].added_s, added_s, 1e-12);
    assert_int_equal(runs.probes[0].n_probes, N_LATENCIES);
    assert_true(runs.probes[0].added_ci.lo < added_s && runs.probes[0].added_ci.hi > added_s);
    assert_true(runs.probes[0].added_ci.hi - runs.probes[0].added_ci.lo < added_s);
    assert_near(runs.probes[1].delta_L_s, 1e-3, 1e-15);
    assert_near(runs.probes[1].added_s, 1e-3 + added_s, 1e-12);
    ct_validation_runs_free(&runs);
}

/* Several probes at one latency are one series. */
static void probes_at_a_latency_are_taken_together(void **state)
{
    (void)state;
    make_folder();
    write_load();
    write_probe("probe-0-again", probe, 0, idle_waits_frac);
    struct ct_validation_runs runs = read_folder();
    assert_int_equal(runs.n_probes, 2);
    assert_int_equal(runs.probes[0].n_probes, 2 * N_LATENCIES);
    assert_near(runs.probes[0].added_s, (loaded_waits_frac - idle_waits_frac) / 2 * wait_s, 1e-12);
    ct_validation_runs_free(&runs);
}

static void what_is_missing_is_said(void **state)
{
    (void)state;
    const struct ct_config other = {.partners = 1, .messages = 1, .bubble_s = 1e-3};
    make_folder();
    write_passes("beside-0", beside, 0, 1.5);
    refused(CT_ENODATA, "without a load");
    write_passes("alone", alone, 0, 1);
    refused(CT_ENODATA, "no probe on the idle network");
    write_probe("idle", idle, 0, idle_waits_frac);
    refused(CT_ENODATA, "no probe beside the load");
    write_probe("probe-1", probe, 1e-3, loaded_waits_frac);
    refused(CT_ENODATA, "no probe beside the load");
    write_probe("probe-0", probe, 0, loaded_waits_frac);
    struct ct_validation_runs runs = read_folder();
    ct_validation_runs_free(&runs);
    write_probe("else", (struct example_run_of){"", "", &other, NULL}, 0, loaded_waits_frac);
    refused(CT_EINVAL, "several loads");
}

#define IN_FOLDER(test)                                                                            \
    cmocka_unit_test_setup_teardown(test, example_folder_enter, example_folder_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {IN_FOLDER(without_a_load_all_runs_are_compared),
                                       IN_FOLDER(beside_a_load_the_probe_tells_what_it_adds),
                                       IN_FOLDER(probes_at_a_latency_are_taken_together),
                                       IN_FOLDER(what_is_missing_is_said)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
