/* predict/interval, predict/resample and predict/evaluate. */
#include "predict/constants.h"
#include "predict/evaluate.h"
#include "predict/summaries.h"
#include "tests/unit/predict_example.h"
#include "tests/unit/unit.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <string.h>

/* ---- errors ---- */

static void errors_of_known_differences(void **state)
{
    (void)state;
    const double predicted[] = {0.1, 0.5, NAN, 0.3, 0.2, 1.0, 0};
    const double measured[] = {0.2, 0.3, 0.1, 0.3, NAN, 0.6, 0.3}; /* off by .1 .2 0 .4 .3 */
    struct ct_predict_errors errors;
    assert_int_equal(ct_predict_errors_of(predicted, measured, 7, &errors), CT_OK);
    assert_int_equal(errors.n, 5);
    assert_near(errors.mean_abs, 0.2, 1e-12);
    assert_near(errors.median, 0.2, 1e-12);
    assert_near(errors.q1, 0.1, 1e-12);
    assert_near(errors.q3, 0.3, 1e-12);
    assert_near(errors.max, 0.4, 1e-12);
    assert_int_equal(errors.worst, 5);
    assert_int_equal(ct_predict_errors_of(predicted + 2, measured + 2, 1, &errors), CT_OK);
    assert_int_equal(errors.n, 0);
    assert_true(isnan(errors.mean_abs) && isnan(errors.median) && isnan(errors.max));
}

static struct ct_predict_case answered(double slowdown_frac, double lo, double hi)
{
    return (struct ct_predict_case){
        .prediction = {.slowdown_frac = slowdown_frac, .interval = {lo, hi}}};
}

static void evaluation_counts_what_is_covered(void **state)
{
    (void)state;
    const struct ct_predict_case cases[] = {answered(0.5, 0.2, 0.6), answered(0.2, 0.1, 0.2),
                                            answered(0.3, NAN, NAN), answered(NAN, NAN, NAN),
                                            answered(0.1, 0, 1)};
    const double measured[] = {0.2, 0.6, 0.3, 0.1, NAN};
    struct ct_predict_evaluation evaluation;
    assert_int_equal(ct_predict_evaluate(cases, measured, 5, &evaluation), CT_OK);
    assert_int_equal(evaluation.slowdown.n, 3);
    assert_near(evaluation.slowdown.max, 0.4, 1e-12);
    assert_near(evaluation.time.max, 1.2 / 1.6 * -1 + 1, 1e-12); /* 1.2 s instead of 1.6 s */
    assert_near(evaluation.time.mean_abs, (0.25 + 0.25 + 0) / 3, 1e-12);
    assert_int_equal(evaluation.n_intervals, 2);
    assert_int_equal(evaluation.n_covered, 1);
    assert_near(evaluation.mean_width_frac, (0.4 + 0.1) / 2, 1e-12);
}

static void repeatability_compares_runs_of_a_pair(void **state)
{
    (void)state;
    struct example example;
    example_make(&example);
    struct ct_predict_errors errors;
    assert_int_equal(ct_predict_repeatability(&example.measured, &errors), CT_OK);
    assert_int_equal(errors.n, 0);
    double passes_s[] = {2, 2, 3, 2.5, 2.5};
    size_t ends[] = {2, 3, 5};
    *example_passes(&example, VICTIM, ct_load_of_app(BETWEEN)) =
        (struct ct_samples){.x = passes_s, .n = 5, .ends = ends, .n_runs = 3};
    assert_int_equal(ct_predict_repeatability(&example.measured, &errors), CT_OK);
    assert_int_equal(errors.n, 3); /* means 2, 3, 2.5 over a baseline of 2: 0.5, 0.25, 0.25 */
    assert_near(errors.mean_abs, 1.0 / 3, 1e-9);
    assert_near(errors.max, 0.5, 1e-9);
    assert_int_equal(errors.worst, VICTIM * N_APPS + BETWEEN);
}

/* ---- intervals ---- */

static struct ct_predict_case case_of(const char *key, const size_t *with)
{
    return (struct ct_predict_case){
        .model = example_model(key), .app = VICTIM, .with = with, .n_with = 1};
}

/* What interval.h says errors are relative to. */
static double scale_of(double predicted_frac)
{
    return ct_predict_constant(CT_PREDICT_INTERVAL_SCALE) + predicted_frac;
}

/* Passes of VICTIM and TWIN beside everything, so that `simulated` is off by `off` each time,
 * relative to its prediction, up and down in turn; and by `odd` where VICTIM runs beside `with`. */
static void measure_co_runs(struct example *example, double (*passes_s)[N_APPS], size_t with,
                            const double *off, double odd)
{
    struct ct_predict_analysis analysis = example_analyse(example);
    for (size_t app = 0, i = 0; app < 2; app++)
        for (size_t b = 0; b < N_APPS; b++, i++) {
            double predicted = example_predict("packets", &analysis, app, b).slowdown_frac;
            bool is_odd = app == VICTIM && b == with;
            double by = is_odd ? odd : i % 2 ? off[i] : -off[i];
            passes_s[app][b] = 2 * (1 + predicted + by * scale_of(predicted));
            *example_passes(example, app, ct_load_of_app(b)) =
                (struct ct_samples){.x = &passes_s[app][b], .n = 1};
        }
    ct_predict_analysis_free(&analysis);
}

/* Sixteen co-runs are measured. That which is asked about does not count, nor does its reverse, if
 * there is one. The rank is ceil(0.9 (n + 1)), so that the largest of 15 is the bound. */
static void co_runs_tell_the_error(void **state)
{
    (void)state;
    static double passes_s[2][N_APPS];
    static double off[2 * N_APPS];
    const size_t between = BETWEEN, twin = TWIN;
    struct example example;
    for (size_t i = 0; i < 2 * N_APPS; i++)
        off[i] = 0.01 * (double)(i + 1);
    example_make(&example);
    measure_co_runs(&example, passes_s, BETWEEN, off, 5);
    struct ct_predict_analysis analysis = example_analyse(&example);
    struct ct_predict_case cases[] = {case_of("packets", &between), case_of("packets", &twin),
                                      case_of("packets", &between)};
    cases[2].leaves_out_members = true; /* of 8 of TWIN, 6 are not beside VICTIM or BETWEEN */
    assert_int_equal(ct_predict_cases(&analysis, 0.9, cases, 3), CT_OK);
    double predicted = example_response * 17e-6;
    assert_near(cases[0].prediction.slowdown_frac, predicted, 1e-12);
    assert_int_equal(cases[0].prediction.interval_from, CT_INTERVAL_FROM_CO_RUNS);
    assert_int_equal(cases[0].prediction.n_errors, 15);
    assert_near(cases[0].prediction.interval.hi, predicted + 0.16 * scale_of(predicted), 1e-9);
    assert_near(cases[0].prediction.interval.lo, predicted - 0.16 * scale_of(predicted), 1e-9);
    /* VICTIM beside TWIN: without TWIN beside VICTIM, and the odd one counts. */
    assert_int_equal(cases[1].prediction.n_errors, 14);
    predicted = cases[1].prediction.slowdown_frac;
    assert_near(cases[1].prediction.interval.hi, predicted + 5 * scale_of(predicted), 1e-9);
    assert_near(cases[1].prediction.interval.lo, -1, 0);
    /* Six are too few for 90 %, and so are four configurations; not for 80 %. Of the seven
     * applications that are timed beside these there are 28 errors, the 27th of which counts:
     * measured 190 %, predicted 140. */
    assert_int_equal(cases[2].prediction.interval_from, CT_INTERVAL_FROM_CONFIGS);
    assert_int_equal(cases[2].prediction.n_errors, 7 * N_CONFIGS);
    predicted = cases[2].prediction.slowdown_frac;
    assert_near(cases[2].prediction.interval.hi,
                predicted + 0.5 / scale_of(1.4) * scale_of(predicted), 1e-9);
    assert_true(cases[2].prediction.slowdown_frac == cases[0].prediction.slowdown_frac);
    assert_int_equal(ct_predict_cases(&analysis, 0.8, cases, 3), CT_OK);
    predicted = cases[2].prediction.slowdown_frac;
    assert_near(cases[2].prediction.interval.hi, predicted + 0.16 * scale_of(predicted), 1e-9);
    ct_predict_analysis_free(&analysis);
}

/* Four configurations and one co-run: enough for 80 %, unless only co-runs tell. */
static void configurations_stand_for_co_runs(void **state)
{
    (void)state;
    struct example example;
    example_make(&example);
    struct ct_predict_analysis analysis = example_analyse(&example);
    const size_t with = LIKE_CONFIG_1;
    struct ct_predict_case cases[] = {case_of("packets", &with), case_of("none", &with),
                                      case_of("mutual", &with), case_of("multiplicative", &with)};
    assert_int_equal(ct_predict_cases(&analysis, 0.8, cases, 4), CT_OK);
    /* Predicted: 8, 20, 60 and 140 %; measured: 5, 20, 70 and 190 %. */
    assert_int_equal(cases[0].prediction.interval_from, CT_INTERVAL_FROM_CONFIGS);
    assert_int_equal(cases[0].prediction.n_errors, N_CONFIGS);
    assert_near(cases[0].prediction.interval.hi, 0.2 + 0.5 / scale_of(1.4) * scale_of(0.2), 1e-9);
    assert_near(cases[1].prediction.interval.hi, victim_slowdown[3], 1e-9);
    for (size_t i = 2; i < 4; i++) {
        assert_true(!isnan(cases[i].prediction.slowdown_frac));
        assert_int_equal(cases[i].prediction.interval_from, CT_INTERVAL_FROM_TOO_FEW);
        assert_int_equal(cases[i].prediction.n_errors, i == 2 ? 1U : 0U);
        assert_true(isnan(cases[i].prediction.interval.hi));
    }
    assert_int_equal(ct_predict_cases(&analysis, 1, cases, 4), CT_EINVAL);
    ct_predict_analysis_free(&analysis);
}

/* Student's t of three degrees of freedom is 2.3534 at 90 %; of one phase nothing is known. */
static void phases_leave_the_mean_open(void **state)
{
    (void)state;
    struct ct_prediction made = {.slowdown_frac = 0.2, .spread_frac = 0.04, .n_phases = 4};
    struct ct_interval mean = ct_prediction_mean_interval(&made, 0.9);
    assert_near(mean.lo, 0.2 - 2.353363 * 0.02, 1e-7);
    assert_near(mean.hi, 0.2 + 2.353363 * 0.02, 1e-7);
    made.spread_frac = NAN;
    assert_true(isnan(ct_prediction_mean_interval(&made, 0.9).lo));
    made = (struct ct_prediction){.slowdown_frac = 0.2, .spread_frac = 0, .n_phases = 1};
    assert_true(isnan(ct_prediction_mean_interval(&made, 0.9).hi));
}

/* Without co-runs and configurations the errors of packets in other campaigns count, of the next
 * higher level that is known; lp has none. */
static void examples_stand_for_both(void **state)
{
    (void)state;
    struct example example;
    const size_t with = LIKE_CONFIG_1;
    example_make(&example);
    example.measured.n_configs = 0;
    example.input.joint.n_phases = 4;
    struct ct_predict_analysis analysis = example_analyse(&example);
    struct ct_predict_case cases[] = {case_of("packets", &with), case_of("lp", &with)};
    const struct {
        double level;
        enum ct_predict_constant row;
    } known[] = {{0.7, CT_PREDICT_PACKETS_ERROR_80},
                 {0.9, CT_PREDICT_PACKETS_ERROR_90},
                 {0.91, CT_PREDICT_PACKETS_ERROR_95}};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(ct_predict_cases(&analysis, known[i].level, cases, 2), CT_OK);
        assert_int_equal(cases[0].prediction.interval_from, CT_INTERVAL_FROM_EXAMPLES);
        double predicted = cases[0].prediction.slowdown_frac, /* 20 % */
            off = ct_predict_constant(known[i].row) * scale_of(predicted);
        assert_near(cases[0].prediction.interval.lo, predicted - off, 1e-9);
        assert_near(cases[0].prediction.interval.hi, predicted + off, 1e-9);
        assert_int_equal(cases[1].prediction.interval_from, CT_INTERVAL_FROM_TOO_FEW);
    }
    assert_int_equal(ct_predict_cases(&analysis, 0.96, cases, 2), CT_OK);
    assert_int_equal(cases[0].prediction.interval_from, CT_INTERVAL_FROM_TOO_FEW);
    ct_predict_analysis_free(&analysis);
}

/* A case is answered alike whatever else is asked, and points are those without intervals. */
static void answers_do_not_depend_on_each_other(void **state)
{
    (void)state;
    struct example example;
    example_make(&example);
    struct ct_predict_analysis analysis = example_analyse(&example);
    const size_t with = LIKE_CONFIG_1;
    struct ct_predict_case cases[CT_N_PREDICT_MODELS + 1] = {0}; /* the last one is not asked */
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
        cases[m] = case_of(ct_predict_models[m].key, &with);
    assert_int_equal(ct_predict_cases(&analysis, 0.8, cases, CT_N_PREDICT_MODELS + 1), CT_OK);
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++) {
        struct ct_predict_case alone = cases[m];
        const struct ct_prediction *prediction = &cases[m].prediction;
        assert_true(
            prediction->slowdown_frac ==
            example_predict(ct_predict_models[m].key, &analysis, VICTIM, with).slowdown_frac);
        assert_int_equal(ct_predict_cases(&analysis, 0.8, &alone, 1), CT_OK);
        assert_memory_equal(&alone.prediction.interval, &prediction->interval,
                            sizeof alone.prediction.interval);
        if (!isnan(prediction->interval.lo))
            assert_true(prediction->interval.lo <= prediction->slowdown_frac &&
                        prediction->interval.hi >= prediction->slowdown_frac);
    }
    ct_predict_analysis_free(&analysis);
}

/* Runs beside a load differ by 5 %, passes within them hardly: two runs each of many applications
 * beside many loads. Intervals of the slowdowns hold the truth as often as their level says. */
static void intervals_of_two_runs_cover_the_truth(void **state)
{
    (void)state;
    enum { APPS = 12, PAIRS = APPS * APPS, RUNS = 2, PASSES = 4, PROBES = 50, ALONE = 100 };
    static double idle_s[PROBES], alone_s[APPS][ALONE], beside_s[PAIRS][RUNS * PASSES];
    static struct ct_samples passes[1 + 2 * APPS][APPS];
    size_t ends[RUNS] = {PASSES, 2 * PASSES}, alone_ends[ALONE];
    const double truth_frac = 0.5, between = 0.05, level = 0.9;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ct_measured_load loads[1 + 2 * APPS];
    for (size_t i = 0; i < ALONE; i++)
        alone_ends[i] = i + 1;
    for (size_t i = 0; i < PROBES; i++)
        idle_s[i] = 10e-6 * (1 + 0.1 * gsl_rng_uniform(rng));
    for (size_t l = 0; l < 1 + 2 * APPS; l++)
        loads[l] = (struct ct_measured_load){
            .name = "load", .passes_s = passes[l], .true_frac = NAN, .known_frac = NAN};
    loads[0].latency_s = (struct ct_samples){.x = idle_s, .n = PROBES};
    for (size_t a = 0; a < APPS; a++) {
        for (size_t i = 0; i < ALONE; i++)
            alone_s[a][i] = 1 + between * gsl_ran_ugaussian(rng);
        passes[0][a] =
            (struct ct_samples){.x = alone_s[a], .n = ALONE, .ends = alone_ends, .n_runs = ALONE};
    }
    for (size_t p = 0; p < PAIRS; p++) {
        for (size_t r = 0; r < RUNS; r++) {
            double run_s = (1 + truth_frac) * (1 + between * gsl_ran_ugaussian(rng));
            for (size_t i = 0; i < PASSES; i++)
                beside_s[p][r * PASSES + i] = run_s * (1 + 0.001 * gsl_ran_ugaussian(rng));
        }
        passes[ct_load_of_config(APPS, p % APPS)][p / APPS] =
            (struct ct_samples){.x = beside_s[p], .n = RUNS * PASSES, .ends = ends, .n_runs = RUNS};
    }
    const struct ct_measurements measured = {.n_apps = APPS, .n_configs = APPS, .loads = loads};
    const struct ct_predict_input input = {.measured = &measured};
    const struct ct_bootstrap setup = {.replicates = 400, .level = level, .seed = 1};
    struct ct_predict_analysis analysis;
    struct ct_error err;
    assert_int_equal(ct_predict_analyse(&input, &setup, &analysis, &err), CT_OK);
    int covered = 0;
    for (size_t p = 0; p < PAIRS; p++)
        covered += analysis.under_config[p].interval.lo <= truth_frac &&
                   analysis.under_config[p].interval.hi >= truth_frac;
    ct_predict_analysis_free(&analysis);
    gsl_rng_free(rng);
    /* Four standard deviations of what so many intervals can tell. */
    print_message("%d of %d\n", covered, PAIRS);
    assert_true(fabs(covered - level * PAIRS) < 4 * sqrt(PAIRS * level * (1 - level)));
}

/* Two runs of the means 0.95 and 1.05 s, so of variance 0.005; passes of each run have that
 * variance too, and means of two of them half of it. The other half is between runs. */
static void what_differs_between_runs_is_without_what_passes_do(void **state)
{
    (void)state;
    double idle_s[] = {10e-6, 11e-6, 12e-6}, passes_s[] = {0.9, 1.0, 1.0, 1.1};
    size_t ends[] = {2, 4};
    struct ct_samples alone = {.x = passes_s, .n = 4, .ends = ends, .n_runs = 2}, none = {0};
    struct ct_measured_load loads[] = {
        {.latency_s = {.x = idle_s, .n = 3}, .passes_s = &alone, .true_frac = NAN},
        {.name = "app", .passes_s = &none, .true_frac = NAN}};
    const struct ct_measurements measured = {.n_apps = 1, .loads = loads};
    const struct ct_predict_input input = {.measured = &measured};
    struct ct_predict_summaries *summaries;
    assert_int_equal(ct_predict_summarize(&input, &summaries, NULL), CT_OK);
    const struct ct_between_runs between = ct_predict_between_runs(summaries);
    assert_near(between.deviation_frac, sqrt(0.005 / 2), 1e-12);
    assert_int_equal(between.freedom, 1);
    ct_predict_summaries_free(summaries);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_of_known_differences),
        cmocka_unit_test(evaluation_counts_what_is_covered),
        cmocka_unit_test(repeatability_compares_runs_of_a_pair),
        cmocka_unit_test(co_runs_tell_the_error),
        cmocka_unit_test(configurations_stand_for_co_runs),
        cmocka_unit_test(phases_leave_the_mean_open),
        cmocka_unit_test(examples_stand_for_both),
        cmocka_unit_test(answers_do_not_depend_on_each_other),
        cmocka_unit_test(intervals_of_two_runs_cover_the_truth),
        cmocka_unit_test(what_differs_between_runs_is_without_what_passes_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
