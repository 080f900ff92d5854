/* Validation of T(L): points, errors, slopes, tolerances; the campaign file of one. */

#include "campaign/spec.h"
#include "campaign/validation_file.h"
#include "core/argv.h"
#include "predict/validation.h"
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- points ---- */

static void runs_at_a_latency_are_a_point(void **state)
{
    (void)state;
    struct ct_validation_run runs[] = {{1e-3, 2.0, NAN}, {0, 1.0, 0.1},    {1e-3, 2.2, 0.3},
                                       {0, 1.2, 0.2},    {5e-4, 1.5, NAN}, {0, 1.1, NAN}};
    struct ct_validation_point points[6];
    assert_int_equal(ct_validation_points(runs, 6, 0.95, points), 3);
    assert_int_equal(points[0].n_runs, 3);
    assert_near(points[0].measured_s, 1.1, 1e-15);
    /* t(0.975, 2) = 4.302653; s = 0.1 */
    assert_near(points[0].measured_ci.hi, 1.1 + 4.302653 * 0.1 / sqrt(3), 1e-6);
    assert_near(points[0].measured_ci.lo, 1.1 - 4.302653 * 0.1 / sqrt(3), 1e-6);
    assert_near(points[0].cpu_wait_frac, 0.15, 1e-15);
    assert_near(points[1].delta_L_s, 5e-4, 0);
    assert_true(isnan(points[1].measured_ci.lo) && isnan(points[1].cpu_wait_frac));
    assert_true(isnan(points[1].predicted_s));
    assert_near(points[2].measured_s, 2.1, 1e-15);
    assert_near(points[2].cpu_wait_frac, 0.3, 0);
    assert_near(runs[0].delta_L_s, 0, 0); /* they are sorted */
    assert_near(runs[5].delta_L_s, 1e-3, 0);
    assert_int_equal(ct_validation_points(NULL, 0, 0.95, points), 0);
}

static void errors_are_relative_to_what_was_measured(void **state)
{
    (void)state;
    const struct ct_validation_point points[] = {{.measured_s = 1, .predicted_s = 1.03},
                                                 {.measured_s = 2, .predicted_s = 1.92}};
    assert_near(ct_validation_rrmse(points, 2), sqrt((0.03 * 0.03 + 0.04 * 0.04) / 2), 1e-12);
    assert_near(ct_validation_rrmse(points, 1), 0.03, 1e-12);
}

/* ---- slopes ---- */

static void a_line_has_its_slope(void **state)
{
    (void)state;
    struct ct_validation_run runs[12];
    for (size_t i = 0; i < 12; i++) {
        size_t point = i / 2;
        runs[i] = (struct ct_validation_run){1e-4 * (double)point, 3 + 98e-4 * (double)point, NAN};
    }
    struct ct_validation_slope slope = ct_validation_slope(runs, 12, 1, 0.95);
    assert_int_equal(slope.n_runs, 12);
    assert_near(slope.slope, 98, 1e-9);
    assert_true(slope.ci.lo <= 98 + 1e-9 && slope.ci.hi >= 98 - 1e-9);
    assert_near(slope.ci.hi - slope.ci.lo, 0, 1e-4); /* rounding */
    /* Noise that the line does not explain: alternating, so that the slope stays. */
    for (size_t i = 0; i < 12; i++)
        runs[i].runtime_s += i % 2 ? 1e-3 : -1e-3;
    slope = ct_validation_slope(runs, 12, 1, 0.95);
    assert_near(slope.slope, 98, 1e-9);
    /* t(0.975, 10) = 2.228139; residuals 12e-6, spread 2 * 17.5e-8 */
    assert_near(slope.ci.hi - slope.slope, 2.228139 * sqrt(12e-6 / 10 / (2 * 17.5e-8)), 1e-4);
}

static void beyond_the_limit_nothing_counts(void **state)
{
    (void)state;
    const struct ct_validation_run runs[] = {
        {0, 1, NAN}, {1e-3, 1.1, NAN}, {2e-3, 1.2, NAN}, {4e-3, 9, NAN}};
    assert_near(ct_validation_slope(runs, 4, 2e-3, 0.95).slope, 100, 1e-9);
    assert_int_equal(ct_validation_slope(runs, 4, 2e-3, 0.95).n_runs, 3);
    assert_true(ct_validation_slope(runs, 4, 4e-3, 0.95).slope > 1000);
    /* One latency has no slope, two runs have no interval. */
    assert_true(isnan(ct_validation_slope(runs, 4, 0, 0.95).slope));
    const struct ct_validation_slope two = ct_validation_slope(runs, 2, 1, 0.95);
    assert_near(two.slope, 100, 1e-9);
    assert_true(isnan(two.ci.lo));
    const struct ct_validation_run same[] = {{1e-3, 1, NAN}, {1e-3, 2, NAN}, {1e-3, 3, NAN}};
    assert_true(isnan(ct_validation_slope(same, 3, 1, 0.95).slope));
}

static void predictions_are_looked_at_like_runs(void **state)
{
    (void)state;
    const struct ct_validation_point points[] = {
        {.delta_L_s = 0, .n_runs = 3, .measured_s = 1, .predicted_s = 2},
        {.delta_L_s = 1e-3, .n_runs = 3, .measured_s = 1.2, .predicted_s = 2.1},
        {.delta_L_s = 2e-3, .n_runs = 3, .measured_s = 1.3, .predicted_s = 9}};
    assert_near(ct_validation_limit_s(points, 3, 0.25), 1e-3, 0);
    assert_near(ct_validation_limit_s(points, 3, 0.5), 2e-3, 0);
    assert_near(ct_validation_limit_s(points, 3, 0.1), 0, 0);
    assert_near(ct_validation_predicted_slope(points, 3, 1e-3), 100, 1e-9);
    assert_true(isnan(ct_validation_predicted_slope(points, 3, 0)));
}

/* ---- tolerances ---- */

static void tolerances_are_read_between_points(void **state)
{
    (void)state;
    const struct ct_validation_point points[] = {
        {.delta_L_s = 0, .n_runs = 2, .measured_s = 1},
        {.delta_L_s = 1e-3, .n_runs = 2, .measured_s = 1.02},
        {.delta_L_s = 2e-3, .n_runs = 2, .measured_s = 1.1}};
    assert_near(ct_validation_tolerance_s(points, 3, 0.01), 0.5e-3, 1e-12);
    assert_near(ct_validation_tolerance_s(points, 3, 0.06), 1.5e-3, 1e-12);
    assert_true(isnan(ct_validation_tolerance_s(points, 3, 0.11)));
    assert_true(isnan(ct_validation_tolerance_s(points, 1, 0.01)));
}

/* On a straight line the crossing moves by what the two means move: with relative deviations of
 * standard deviation s, n runs at each of many latencies, and a threshold f, the standard deviation
 * of the tolerance is about s (1 + f) sqrt(2 / n) / slope. */
static void tolerances_have_the_interval_of_their_runs(void **state)
{
    (void)state;
    enum { POINTS = 10, RUNS = 3 };
    const struct ct_bootstrap setup = {.replicates = 1000, .level = 0.95, .seed = 1};
    struct ct_validation_run runs[POINTS * RUNS];
    struct ct_interval ci;
    for (size_t i = 0; i < POINTS * RUNS; i++) {
        size_t point = i / RUNS;
        double deviation = 2e-3 * ((double)(i % RUNS) - 1);
        runs[i] = (struct ct_validation_run){1e-3 * (double)point,
                                             (1 + 0.03 * (double)point) * (1 + deviation), NAN};
    }
    assert_int_equal(ct_validation_tolerance_ci(runs, POINTS * RUNS, 0.1, &setup, &ci), CT_OK);
    double expected_s = 0.1 / 30, half_s = 1.96 * 2e-3 * 1.1 * sqrt(2.0 / RUNS) / 30;
    assert_near(ci.lo, expected_s - half_s, 0.3 * half_s);
    assert_near(ci.hi, expected_s + half_s, 0.3 * half_s);
    /* Just at the end of the line: some replicates do not become so long. */
    assert_int_equal(ct_validation_tolerance_ci(runs, POINTS * RUNS, 0.27, &setup, &ci), CT_OK);
    assert_true(ci.lo > 8e-3 && isnan(ci.hi));
    assert_int_equal(ct_validation_tolerance_ci(runs, POINTS * RUNS, 9, &setup, &ci), CT_OK);
    assert_true(isnan(ci.lo) && isnan(ci.hi));
    /* Without repetitions nothing is known of the scatter. */
    const struct ct_validation_run single[] = {{0, 1, NAN}, {1e-3, 1.1, NAN}};
    assert_int_equal(ct_validation_tolerance_ci(single, 2, 0.05, &setup, &ci), CT_OK);
    assert_true(isnan(ci.lo) && isnan(ci.hi));
}

/* A point that is below the one before by chance is averaged with it. */
static void noise_does_not_make_two_crossings(void **state)
{
    (void)state;
    const struct ct_validation_point points[] = {
        {.delta_L_s = 0, .n_runs = 1, .measured_s = 1},
        {.delta_L_s = 1e-3, .n_runs = 1, .measured_s = 1.03},
        {.delta_L_s = 2e-3, .n_runs = 1, .measured_s = 1.01},
        {.delta_L_s = 3e-3, .n_runs = 1, .measured_s = 1.06}};
    /* Both in the middle count as 1.02. */
    assert_near(ct_validation_tolerance_s(points, 4, 0.01), 0.5e-3, 1e-12);
    assert_near(ct_validation_tolerance_s(points, 4, 0.04), 2.5e-3, 1e-12);
    /* Weighted by the runs, the first with all below it too. */
    const struct ct_validation_point below[] = {
        {.delta_L_s = 0, .n_runs = 3, .measured_s = 1},
        {.delta_L_s = 1e-3, .n_runs = 1, .measured_s = 0.96},
        {.delta_L_s = 2e-3, .n_runs = 1, .measured_s = 1.0395}};
    assert_near(ct_validation_tolerance_s(below, 3, 0.01), 1e-3 + 1e-3 * 0.0099 / 0.0495, 1e-9);
}

/* ---- the campaign file ---- */

static struct ct_campaign_spec spec_of(const struct ct_validation_setup *setup)
{
    struct ct_text file;
    struct ct_error err;
    struct ct_campaign_spec spec;
    if (ct_validation_file(setup, &file, &err) != CT_OK)
        fail_msg("%s", err.text);
    if (ct_campaign_spec_parse(file.text, file.size, "file", &spec, &err) != CT_OK)
        fail_msg("%s in:\n%s", err.text, file.text);
    free(file.text);
    return spec;
}

static struct ct_validation_setup setup_of(char *const *program)
{
    return (struct ct_validation_setup){.program = program,
                                        .latencies = "0us,1ms,100us",
                                        .base_s = 200e-6,
                                        .lateness_s = 150e-6,
                                        .hosts = 4,
                                        .topology = "",
                                        .uplink_bit_per_s = NAN,
                                        .ranks_per_host = 2,
                                        .repetitions = 3,
                                        .seed = 7,
                                        .rate_bit_per_s = 20e6,
                                        .runtime_s = 5,
                                        .logp_s = 30,
                                        .longer_by = 1};
}

static void the_file_says_what_is_asked_for(void **state)
{
    (void)state;
    char *const program[] = {(char *)"workload", (char *)"fft",       (char *)"--iterations",
                             (char *)"20",       (char *)"--scale=2", NULL};
    const struct ct_validation_setup setup = setup_of(program);
    struct ct_campaign_spec spec = spec_of(&setup);
    assert_int_equal(spec.launcher.kind, CT_LAUNCHER_LAB);
    assert_int_equal(spec.launcher.hosts, 4);
    assert_near(spec.launcher.rate_bit_per_s, 20e6, 0);
    assert_near(spec.launcher.latency_s, 200e-6, 1e-15);
    assert_near(spec.launcher.lateness_s, 150e-6, 1e-15);
    assert_int_equal(spec.n_latencies, 2);
    assert_near(spec.latencies_s[0], 100e-6, 1e-15);
    assert_near(spec.latencies_s[1], 1e-3, 1e-15);
    assert_int_equal(spec.repetitions.baseline, 3);
    assert_int_equal(spec.repetitions.idle, 0);
    assert_int_equal(spec.logp, CT_CAMPAIGN_LOGP_IDLE);
    assert_true(spec.trace);
    assert_int_equal(spec.n_apps, 1);
    assert_int_equal(spec.apps[0].slots, 2);
    assert_int_equal(spec.apps[0].passes, CT_PASSES_SELF);
    assert_near(spec.apps[0].pass_s, 5, 1e-12);
    assert_string_equal(spec.apps[0].command, "workload fft --iterations 20 --scale=2");
    assert_string_equal(spec.apps[0].longer, "workload fft --iterations 40 --scale=2");
    ct_campaign_spec_free(&spec);
}

static void several_switches_are_measured_by_class(void **state)
{
    (void)state;
    char *const program[] = {(char *)"workload", (char *)"fft", (char *)"--iterations",
                             (char *)"20", NULL};
    struct ct_validation_setup setup = setup_of(program);
    setup.topology = "tree:4x4,2";
    setup.hosts = 16;
    setup.uplink_bit_per_s = 10e6;
    struct ct_campaign_spec spec = spec_of(&setup);
    assert_string_equal(spec.launcher.topology, "tree:4x4,2");
    assert_int_equal(spec.launcher.hosts, 16);
    assert_near(spec.launcher.uplink_bit_per_s, 10e6, 0);
    assert_int_equal(spec.logp, CT_CAMPAIGN_LOGP_CLASSES);
    ct_campaign_spec_free(&spec);
}

/* Latencies may be above those of a lab; what only labs have is not in the file. */
static void a_simulation_has_its_own_keys(void **state)
{
    (void)state;
    char *const program[] = {(char *)"workload", (char *)"fft", (char *)"--iterations",
                             (char *)"20", NULL};
    const struct ct_validation_simulation simulation = {
        .model = 2, .overhead_s = 1e-6, .folder = "a \"b\""};
    struct ct_validation_setup setup = setup_of(program);
    setup.simulation = &simulation;
    setup.latencies = "0us,50ms";
    struct ct_campaign_spec spec = spec_of(&setup);
    assert_int_equal(spec.launcher.kind, CT_LAUNCHER_SIMGRID);
    assert_int_equal(spec.launcher.hosts, 4);
    assert_near(spec.launcher.latency_s, 200e-6, 1e-15);
    assert_string_equal(ct_campaign_simgrid_models[spec.launcher.model], "plain");
    assert_near(spec.launcher.overhead_s, 1e-6, 1e-15);
    assert_string_equal(spec.launcher.options, "");
    assert_string_equal(spec.launcher.simgrid, "a \"b\"");
    assert_int_equal(spec.n_latencies, 1);
    assert_near(spec.latencies_s[0], 50e-3, 1e-12);
    ct_campaign_spec_free(&spec);
    setup.hosts = 0;
    setup.topology = "tree:4x4";
    setup.spines = 2;
    spec = spec_of(&setup);
    assert_int_equal(spec.launcher.hosts, 16);
    assert_int_equal(spec.launcher.spines, 2);
    assert_false(spec.launcher.has_uplink);
    assert_int_equal(spec.logp, CT_CAMPAIGN_LOGP_CLASSES);
    ct_campaign_spec_free(&spec);
}

static void a_load_is_beside_all_later_passes(void **state)
{
    (void)state;
    char *const program[] = {(char *)"workload", (char *)"fft", (char *)"--iterations",
                             (char *)"20", NULL};
    struct ct_config load;
    struct ct_validation_setup setup = setup_of(program);
    static const char *const loads[] = {"P2 M4 B5ms", "M1 B2ms alltoall 20ms/40ms 8KiB x2"};
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        assert_int_equal(ct_config_parse(loads[i], &load, NULL), CT_OK);
        setup.load = &load;
        setup.probe_s = 12;
        struct ct_campaign_spec spec = spec_of(&setup);
        assert_int_equal(spec.latency_runs, CT_LATENCY_RUNS_LOADED);
        assert_int_equal(spec.n_configs, 1);
        assert_true(ct_config_same(&spec.configs[0].load, &load));
        assert_int_equal(spec.repetitions.compression, 3);
        assert_int_equal(spec.repetitions.baseline, 3);
        assert_int_equal(spec.repetitions.idle, 1);
        assert_int_equal(spec.repetitions.impact, 1);
        assert_int_equal(spec.repetitions.corun, 0);
        assert_near(spec.durations.impact_s, 12, 0);
        ct_campaign_spec_free(&spec);
    }
}

/* Whatever is in the words: they come out of file and splitting as they went in. */
static void words_survive(void **state)
{
    (void)state;
    char *const program[] = {(char *)"./my app",  (char *)"",   (char *)"a\"b\\c", (char *)"it's",
                             (char *)"$x # y: z", (char *)"-i", (char *)"3",       NULL};
    struct ct_validation_setup setup = setup_of(program);
    setup.is_whole = true;
    struct ct_campaign_spec spec = spec_of(&setup);
    struct ct_argv words = {0};
    assert_int_equal(spec.apps[0].passes, CT_PASSES_DRIVER);
    assert_string_equal(spec.apps[0].longer, "");
    assert_int_equal(ct_argv_split(&words, spec.apps[0].command, NULL), CT_OK);
    assert_int_equal(words.n, 7);
    for (size_t i = 0; i < words.n; i++)
        assert_string_equal(words.item[i], program[i]);
    ct_argv_free(&words);
    ct_campaign_spec_free(&spec);
}

static void iterations_are_multiplied_or_given(void **state)
{
    (void)state;
    char *const joined[] = {(char *)"app", (char *)"--iterations=15", NULL};
    char *const letter[] = {(char *)"app", (char *)"-i", (char *)"8", (char *)"x", NULL};
    char *const none[] = {(char *)"app", (char *)"--iterations", (char *)"many", NULL};
    struct ct_validation_setup setup = setup_of(joined);
    struct ct_campaign_spec spec = spec_of(&setup);
    assert_string_equal(spec.apps[0].longer, "app --iterations=30");
    ct_campaign_spec_free(&spec);
    setup.program = letter;
    spec = spec_of(&setup);
    assert_string_equal(spec.apps[0].longer, "app -i 16 x");
    ct_campaign_spec_free(&spec);
    setup.longer_by = 4;
    spec = spec_of(&setup);
    assert_string_equal(spec.apps[0].longer, "app -i 40 x");
    assert_int_equal(spec.apps[0].longer_by, 4);
    ct_campaign_spec_free(&spec);
    setup.longer_by = 1;
    setup.program = none;
    struct ct_text file;
    struct ct_error err;
    assert_int_equal(ct_validation_file(&setup, &file, &err), CT_EUSAGE);
    assert_non_null(strstr(err.text, "--longer"));
    setup.longer = "app 'twice as long'";
    spec = spec_of(&setup);
    assert_string_equal(spec.apps[0].longer, "app 'twice as long'");
    ct_campaign_spec_free(&spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(runs_at_a_latency_are_a_point),
                                       cmocka_unit_test(errors_are_relative_to_what_was_measured),
                                       cmocka_unit_test(a_line_has_its_slope),
                                       cmocka_unit_test(beyond_the_limit_nothing_counts),
                                       cmocka_unit_test(predictions_are_looked_at_like_runs),
                                       cmocka_unit_test(tolerances_are_read_between_points),
                                       cmocka_unit_test(tolerances_have_the_interval_of_their_runs),
                                       cmocka_unit_test(noise_does_not_make_two_crossings),
                                       cmocka_unit_test(the_file_says_what_is_asked_for),
                                       cmocka_unit_test(several_switches_are_measured_by_class),
                                       cmocka_unit_test(a_simulation_has_its_own_keys),
                                       cmocka_unit_test(a_load_is_beside_all_later_passes),
                                       cmocka_unit_test(words_survive),
                                       cmocka_unit_test(iterations_are_multiplied_or_given)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
