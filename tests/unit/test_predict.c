/* predict: models on a constructed campaign whose right answers are known. */
#include "predict/analysis.h"
#include "predict/evaluate.h"
#include "tests/unit/predict_example.h"
#include "tests/unit/unit.h"

#include <string.h>

static bool is_null(size_t model)
{
    return ct_predict_model_is(&ct_predict_models[model], CT_MODEL_IS_NULL);
}

/* ---- what was measured ---- */

static void analysis_shows_what_was_measured(void **state)
{
    (void)state;
    struct example example;
    example_make(&example);
    struct ct_predict_analysis analysis = example_analyse(&example);
    assert_near(analysis.apps[BETWEEN].profile.latency_s.mean, 27e-6, 1e-15);
    assert_near(analysis.apps[BETWEEN].true_utilization_frac, 0.44, 0);
    assert_true(isnan(analysis.apps[VICTIM].true_utilization_frac));
    assert_near(analysis.idle.true_utilization_frac, 0.01, 0);
    assert_int_equal(analysis.apps[UNPROBED].profile.latency_s.n, 0);
    assert_true(isnan(analysis.apps[UNPROBED].utilization_frac));
    for (size_t c = 0; c < N_CONFIGS; c++) {
        const struct ct_predict_load *load = &analysis.configs[c];
        double below =
            c ? analysis.configs[c - 1].utilization_frac : analysis.idle.utilization_frac;
        assert_true(load->utilization_frac > below && load->utilization_frac < 1);
        assert_true(load->utilization_interval.lo <= load->utilization_frac);
        assert_true(load->utilization_interval.hi >= load->utilization_frac);
        const struct ct_slowdown *under = &analysis.under_config[c];
        assert_near(under->frac, victim_slowdown[c], 1e-12);
        assert_true(under->interval.lo < under->frac && under->interval.hi > under->frac);
        assert_true(under->interval.lo > 0.9 / 1.1 * (1 + under->frac) - 1);
    }
    assert_near(analysis.beside_app[VICTIM * N_APPS + BETWEEN].frac, 0.25, 1e-12);
    assert_true(isnan(analysis.beside_app[VICTIM * N_APPS + ABOVE].frac));
    ct_predict_analysis_free(&analysis);
}

static void known_loads_calibrate(void **state)
{
    (void)state;
    struct example example;
    example_make(&example);
    struct ct_predict_analysis analysis = example_analyse(&example);
    /* As many probes wait as the network is busy: a single queue, to the last digit. */
    assert_int_equal(analysis.waiting.n, N_CONFIGS);
    assert_near(analysis.waiting.parameter, 1, 1e-6);
    assert_near(analysis.waiting.rms_frac, 0, 1e-6);
    assert_near(analysis.apps[BETWEEN].waiting.frac, 0.5, 1e-6);
    assert_near(analysis.idle.waiting.frac, 0, 1e-12);
    assert_int_equal(analysis.delay.n, N_CONFIGS);
    assert_true(analysis.apps[BETWEEN].calibrated.frac > analysis.configs[1].calibrated.frac);
    assert_true(analysis.apps[BETWEEN].calibrated.frac < analysis.configs[2].calibrated.frac);
    ct_predict_analysis_free(&analysis);
    for (size_t c = 0; c < N_CONFIGS; c++)
        example_config(&example, c)->known_frac = NAN;
    analysis = example_analyse(&example);
    assert_int_equal(analysis.delay.n, 0);
    assert_true(isnan(analysis.apps[BETWEEN].calibrated.frac));
    assert_near(analysis.apps[BETWEEN].waiting.frac, 0.5, 1e-6);
    ct_predict_analysis_free(&analysis);
}

/* ---- pairs ---- */

static void a_twin_of_a_configuration_gets_its_slowdown(void **state)
{
    (void)state;
    struct example example;
    example_make(&example);
    struct ct_predict_analysis analysis = example_analyse(&example);
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++) {
        if (is_null(m))
            continue;
        const char *key = ct_predict_models[m].key;
        struct ct_prediction prediction = example_predict(key, &analysis, VICTIM, LIKE_CONFIG_1);
        /* As printed, the integral of densities prefers loads whose latencies lie close together.
         */
        bool is_printed = !strcmp(key, "pdf_lt");
        /* A smooth line passes near its points, not through them. */
        assert_near(prediction.slowdown_frac, victim_slowdown[is_printed ? 0 : 1],
                    strcmp(key, "probe") ? 1e-9 : 0.05);
        assert_int_equal(prediction.flag, CT_PREDICTION_PLAIN);
        assert_true(isnan(prediction.interval.lo));
    }
    ct_predict_analysis_free(&analysis);
}

static void no_load_means_no_slowdown(void **state)
{
    (void)state;
    struct example example;
    example_make(&example);
    struct ct_predict_analysis analysis = example_analyse(&example);
    assert_true(analysis.idle.utilization_frac > 0); /* its mean latency exceeds its minimum */
    static const char *const keys[] = {"queue", "mutual", "lp", "packets"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct ct_prediction prediction = example_predict(keys[i], &analysis, VICTIM, IDLE);
        assert_near(prediction.slowdown_frac, 0, 1e-12);
        assert_int_equal(prediction.flag, CT_PREDICTION_PLAIN);
    }
    /* The look-up table knows no idle row: it answers with the lightest configuration. */
    assert_near(example_predict("average_lt", &analysis, VICTIM, IDLE).slowdown_frac,
                victim_slowdown[0], 1e-12);
    ct_predict_analysis_free(&analysis);
}

static void between_and_beyond_the_configurations(void **state)
{
    (void)state;
    struct example example;
    example_make(&example);
    struct ct_predict_analysis analysis = example_analyse(&example);
    struct ct_prediction queue = example_predict("queue", &analysis, VICTIM, BETWEEN);
    assert_true(queue.slowdown_frac > victim_slowdown[1]);
    assert_true(queue.slowdown_frac < victim_slowdown[2]);
    assert_true(queue.at > 0 && queue.config == SIZE_MAX);
    queue = example_predict("queue", &analysis, VICTIM, ABOVE);
    assert_near(queue.slowdown_frac, victim_slowdown[3], 1e-12);
    assert_int_equal(queue.flag, CT_PREDICTION_CLAMPED);
    /* 27 us is nearer to 20 us than to 40 us. */
    struct ct_prediction average = example_predict("average_lt", &analysis, VICTIM, BETWEEN);
    assert_near(average.slowdown_frac, victim_slowdown[1], 1e-12);
    assert_int_equal(average.config, 1);
    assert_int_equal(example_predict("mutual", &analysis, VICTIM, ABOVE).flag,
                     CT_PREDICTION_CLAMPED);
    ct_predict_analysis_free(&analysis);
}

/* Half of the time like one configuration, half like the idle network: the mean of the speeds,
 * where the co-runner is not slowed itself. */
static void phases_average_speeds(void **state)
{
    (void)state;
    struct example example;
    example_make(&example);
    memcpy(example.app_latency_s[BETWEEN], example.config_latency_s[2],
           N_LATENCIES / 2 * sizeof(double));
    memcpy(example.app_latency_s[BETWEEN] + N_LATENCIES / 2, example.idle_s,
           N_LATENCIES / 2 * sizeof(double));
    struct ct_predict_analysis analysis = example_analyse(&example);
    double speed = (1 + 1 / (1 + victim_slowdown[2])) / 2;
    assert_near(example_predict("mutual", &analysis, VICTIM, BETWEEN).slowdown_frac, 1 / speed - 1,
                0.01);
    ct_predict_analysis_free(&analysis);
}

/* Two that slow each other alike: v = 1 - v (1 - V), so v = 1 / (2 - V). V is that beside one
 * with the same latencies that was not timed, and so is taken not to be slowed. */
static void mutual_slowdown_settles(void **state)
{
    (void)state;
    struct example example;
    example_make(&example);
    struct ct_predict_analysis analysis = example_analyse(&example);
    double full = 1 / (1 + example_predict("mutual", &analysis, VICTIM, UNTIMED).slowdown_frac);
    assert_true(full < 0.95);
    double both = 1 / (1 + example_predict("mutual", &analysis, VICTIM, TWIN).slowdown_frac);
    assert_near(both, 1 / (2 - full), 1e-6);
    ct_predict_analysis_free(&analysis);
}

/* ---- groups ---- */

static void loads_together_add_up(void **state)
{
    (void)state;
    struct example example;
    example_make(&example);
    struct ct_predict_analysis analysis = example_analyse(&example);
    static const size_t pairs[][2] = {{IDLE, LIKE_CONFIG_1}, {VICTIM, BETWEEN}};
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++) {
        if (is_null(m))
            continue;
        const struct ct_predict_model *model = &ct_predict_models[m];
        struct ct_prediction alone, group;
        alone = example_predict(model->key, &analysis, VICTIM, LIKE_CONFIG_1);
        assert_int_equal(ct_predict_group(model, &analysis, VICTIM, pairs[0], 2, NULL, &group),
                         CT_OK);
        /* An idle co-runner adds nothing but its noise. */
        if (strcmp(model->key, "pdf_lt") != 0)
            assert_near(group.slowdown_frac, alone.slowdown_frac, 0.05);
    }
    double mass[3 * CT_PROBE_BINS_MAX];
    struct ct_predict_load load;
    assert_int_equal(ct_predict_combine(&analysis, pairs[1], 2, mass, &load), CT_OK);
    assert_near(load.waiting.frac, 0.3 + 0.5, 1e-6);
    assert_near(load.profile.latency_s.mean, 17e-6 + 27e-6 - 10e-6, 1e-15);
    double sum = 0;
    for (size_t i = 0; i < analysis.idle.profile.grid.n_bins; i++)
        sum += load.profile.mass[i];
    assert_near(sum, 1, 1e-9);
    const size_t unknown[] = {BETWEEN, UNPROBED};
    struct ct_prediction prediction;
    assert_int_equal(
        ct_predict_group(example_model("queue"), &analysis, VICTIM, unknown, 2, NULL, &prediction),
        CT_OK);
    assert_int_equal(prediction.flag, CT_PREDICTION_NO_PROBE);
    ct_predict_analysis_free(&analysis);
}

/* ---- models of execution ---- */

struct asked {
    double extra_s[1 + N_APPS + N_CONFIGS];
    size_t n, n_calls;
};

static enum ct_status note_down(const void *model, const double *extra_s, size_t n,
                                double *runtime_s, struct ct_error *err)
{
    (void)err;
    struct asked *const *asked = model;
    (*asked)->n = n;
    (*asked)->n_calls++;
    memcpy((*asked)->extra_s, extra_s, n * sizeof *extra_s);
    for (size_t i = 0; i < n; i++)
        runtime_s[i] = 1;
    return CT_OK;
}

/* Once, about all loads that were probed, the idle network first. */
static void models_of_execution_are_asked_about_delays(void **state)
{
    (void)state;
    static struct asked asked;
    struct asked *model = &asked;
    struct example example;
    example_make(&example);
    for (size_t a = 0; a < N_APPS; a++)
        example.responses[a] = (struct ct_predict_response){NULL, "none", note_down};
    example.responses[VICTIM].model = &model;
    struct ct_predict_analysis analysis = example_analyse(&example);
    assert_int_equal(asked.n_calls, 1);
    assert_int_equal(asked.n, N_APPS + N_CONFIGS); /* one is not probed */
    assert_near(asked.extra_s[0], 0, 1e-12);
    assert_near(asked.extra_s[1 + BETWEEN], 17e-6, 1e-9);
    assert_near(example_predict("lp", &analysis, VICTIM, BETWEEN).slowdown_frac, 0, 1e-12);
    ct_predict_analysis_free(&analysis);
}

static enum ct_status refuse(const void *model, const double *extra_s, size_t n, double *runtime_s,
                             struct ct_error *err)
{
    (void)model;
    (void)extra_s;
    (void)n;
    (void)runtime_s;
    return ct_fail(err, CT_EINVAL, "no");
}

static void slowdowns_by_schedules(void **state)
{
    (void)state;
    struct example example;
    example_make(&example);
    example.measured.n_configs = 0; /* no CompressionB run at all */
    example.loads[0].passes_s = NULL;
    struct ct_predict_analysis analysis = example_analyse(&example);
    const size_t with[] = {BETWEEN, LIKE_CONFIG_1};
    struct ct_predict_case one = {
        .model = example_model("lp"), .app = VICTIM, .with = with, .n_with = 2};
    assert_near(example_predict("lp", &analysis, VICTIM, BETWEEN).slowdown_frac,
                example_response * 17e-6, 1e-9);
    assert_int_equal(ct_predict_cases(&analysis, example_setup.level, &one, 1), CT_OK);
    assert_near(one.prediction.slowdown_frac, example_response * (17e-6 + 10e-6), 1e-9);
    assert_true(isnan(one.prediction.interval.lo)); /* nothing tells how far the model is off */
    assert_int_equal(one.prediction.interval_from, CT_INTERVAL_FROM_TOO_FEW);
    assert_int_equal(one.prediction.n_errors, 0);
    ct_predict_analysis_free(&analysis);
    example.responses[TWIN].runtimes = refuse;
    struct ct_error err;
    assert_int_equal(ct_predict_analyse(&example.input, &example_setup, &analysis, &err),
                     CT_EINVAL);
    assert_non_null(strstr(err.text, "twin"));
    example.input.responses = NULL;
    analysis = example_analyse(&example);
    assert_int_equal(example_predict("lp", &analysis, VICTIM, BETWEEN).flag,
                     CT_PREDICTION_NO_SCHEDULE);
    ct_predict_analysis_free(&analysis);
}

/* All members of a group are asked about at once. */
static void simulated_together(void **state)
{
    (void)state;
    struct example example;
    example_make(&example);
    struct ct_predict_analysis analysis = example_analyse(&example);
    const size_t with[] = {BETWEEN, LIKE_CONFIG_1};
    struct ct_predict_case one = {
        .model = example_model("packets"), .app = VICTIM, .with = with, .n_with = 2};
    assert_int_equal(ct_predict_cases(&analysis, example_setup.level, &one, 1), CT_OK);
    assert_near(one.prediction.slowdown_frac, example_response * (17e-6 + 10e-6), 1e-12);
    ct_predict_analysis_free(&analysis);
    example.input.joint.model = NULL;
    analysis = example_analyse(&example);
    assert_int_equal(example_predict("packets", &analysis, VICTIM, BETWEEN).flag,
                     CT_PREDICTION_NO_SCHEDULE);
    ct_predict_analysis_free(&analysis);
}

/* ---- all loads ---- */

static void slow_predictions_rise_with_the_load(void **state)
{
    (void)state;
    struct example example;
    example_make(&example);
    double before[CT_N_PREDICT_MODELS] = {0};
    for (int step = 0; step <= 18; step++) {
        double waiting_frac = 0.05 * step;
        example_load(example.app_latency_s[BETWEEN], waiting_frac,
                     10e-6 + 90e-6 * pow(waiting_frac / 0.9, 2));
        struct ct_predict_analysis analysis = example_analyse(&example);
        for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++) {
            if (is_null(m))
                continue;
            const char *key = ct_predict_models[m].key;
            double now = example_predict(key, &analysis, VICTIM, BETWEEN).slowdown_frac;
            /* A line goes on beyond the last configuration. */
            bool is_line = !strcmp(key, "probe");
            assert_true(now >= 0 && (is_line || now <= victim_slowdown[3] + 1e-12));
            /* Models of densities know nothing of more and less. */
            if (is_line || !strcmp(key, "queue") || !strcmp(key, "average_lt"))
                assert_true(now >= before[m] - 1e-12);
            before[m] = now;
        }
        ct_predict_analysis_free(&analysis);
    }
    size_t average = (size_t)(example_model("average_lt") - ct_predict_models);
    assert_near(before[average], victim_slowdown[3], 1e-12);
}

static void missing_pieces_are_named(void **state)
{
    (void)state;
    struct example example;
    example_make(&example);
    struct ct_predict_analysis analysis = example_analyse(&example);
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++) {
        if (is_null(m))
            continue;
        const char *key = ct_predict_models[m].key;
        struct ct_prediction prediction = example_predict(key, &analysis, VICTIM, UNPROBED);
        bool is_simulated = !strcmp(key, "packets"); /* from schedules alone */
        assert_true(isnan(prediction.slowdown_frac) == !is_simulated);
        assert_int_equal(prediction.flag,
                         is_simulated ? CT_PREDICTION_PLAIN : CT_PREDICTION_NO_PROBE);
        prediction = example_predict(key, &analysis, UNTIMED, VICTIM);
        assert_true(isnan(prediction.slowdown_frac));
        assert_int_equal(prediction.flag,
                         ct_predict_model_is(&ct_predict_models[m], CT_MODEL_NEEDS_SCHEDULE)
                             ? CT_PREDICTION_NO_SCHEDULE
                             : CT_PREDICTION_NO_CURVE);
        assert_true(example_predict(key, &analysis, VICTIM, UNTIMED).slowdown_frac > 0);
    }
    ct_predict_analysis_free(&analysis);
}

static void one_configuration_is_enough_to_answer(void **state)
{
    (void)state;
    struct example example;
    example_make(&example);
    example_keep_one_config(&example);
    struct ct_predict_analysis analysis = example_analyse(&example);
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++) {
        if (is_null(m) || ct_predict_model_is(&ct_predict_models[m], CT_MODEL_NEEDS_SCHEDULE))
            continue; /* needs none */
        double slowdown =
            example_predict(ct_predict_models[m].key, &analysis, VICTIM, ABOVE).slowdown_frac;
        bool is_line = !strcmp(ct_predict_models[m].key, "probe"); /* goes on beyond it */
        assert_true(slowdown > 0 && (is_line || slowdown <= victim_slowdown[0] + 1e-12));
    }
    ct_predict_analysis_free(&analysis);
}

/* Identical latencies everywhere: nothing can be distinguished, and nothing breaks. */
static void loads_without_variance_are_answered(void **state)
{
    (void)state;
    struct example example;
    example_make(&example);
    for (size_t i = 0; i < N_LATENCIES; i++) {
        example.idle_s[i] = 10e-6;
        for (size_t a = 0; a < N_APPS; a++)
            example.app_latency_s[a][i] = 10e-6;
        for (size_t c = 0; c < N_CONFIGS; c++)
            example.config_latency_s[c][i] = 10e-6;
    }
    struct ct_predict_analysis analysis = example_analyse(&example);
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++) {
        struct ct_prediction prediction =
            example_predict(ct_predict_models[m].key, &analysis, VICTIM, BETWEEN);
        assert_true(isnan(prediction.slowdown_frac) ||
                    (prediction.slowdown_frac >= 0 && prediction.slowdown_frac < 2));
    }
    assert_near(analysis.apps[BETWEEN].utilization_frac, 0, 0);
    assert_near(analysis.apps[BETWEEN].waiting.frac, 0, 0);
    ct_predict_analysis_free(&analysis);
}

static void ties_of_the_look_up_are_flagged(void **state)
{
    (void)state;
    struct example example;
    example_make(&example);
    example_load(example.app_latency_s[BETWEEN], 0.5, 30e-6);
    struct ct_predict_analysis analysis = example_analyse(&example);
    struct ct_prediction prediction = example_predict("average_lt", &analysis, VICTIM, BETWEEN);
    assert_near(prediction.slowdown_frac, victim_slowdown[1], 1e-12);
    assert_int_equal(prediction.flag, CT_PREDICTION_TIE);
    ct_predict_analysis_free(&analysis);
}

static void bad_values_name_their_place(void **state)
{
    (void)state;
    struct example example;
    struct ct_predict_analysis analysis = {.n_apps = 77};
    struct ct_error err;
    example_make(&example);
    example.app_latency_s[ABOVE][3] = NAN;
    assert_int_equal(ct_predict_analyse(&example.input, &example_setup, &analysis, &err),
                     CT_EINVAL);
    assert_non_null(strstr(err.text, "above"));
    example_make(&example);
    example.under_config_s[VICTIM][2][0] = -1;
    assert_int_equal(ct_predict_analyse(&example.input, &example_setup, &analysis, &err),
                     CT_EINVAL);
    assert_non_null(strstr(err.text, "victim beside C2"));
    example_make(&example);
    example.loads[0].latency_s.n = 1;
    assert_int_equal(ct_predict_analyse(&example.input, &example_setup, &analysis, &err),
                     CT_ENODATA);
    assert_non_null(strstr(err.text, "idle network"));
    example_make(&example);
    struct ct_bootstrap few = {.replicates = 3, .level = 0.9};
    assert_int_equal(ct_predict_analyse(&example.input, &few, &analysis, &err), CT_EINVAL);
    assert_int_equal(analysis.n_apps, 77);
}

/* ---- names and the default ---- */

static void former_models_have_successors(void **state)
{
    (void)state;
    static const char *const former[][2] = {{"simulated", "packets"},
                                            {"cosim", "packets"},
                                            {"phase", "mutual"},
                                            {"replay", "lp"},
                                            {"replay_gap", "lp"},
                                            {"lp_gap", "lp"},
                                            {"queue_calibrated", "queue"},
                                            {"queue_waiting", "queue"},
                                            {"pdf_lt_normalised", "pdf_lt"}};
    size_t model;
    struct ct_error err;
    for (size_t i = 0; i < sizeof former / sizeof *former; i++) {
        size_t length = strlen(former[i][0]);
        assert_string_equal(ct_predict_model_successor(former[i][0], length), former[i][1]);
        assert_int_equal(ct_predict_model_find(former[i][0], length, &model, &err), CT_OK);
        assert_string_equal(ct_predict_models[model].key, former[i][1]);
    }
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
        assert_null(
            ct_predict_model_successor(ct_predict_models[m].key, strlen(ct_predict_models[m].key)));
    assert_int_equal(ct_predict_model_find("best", 4, &model, &err), CT_EUSAGE);
}

static void the_default_is_the_best_that_there_is(void **state)
{
    (void)state;
    static const struct {
        unsigned facts;
        const char *key;
    } cases[] = {
        {CT_HAS_ALL_SCHEDULES | CT_HAS_A_SCHEDULE | CT_HAS_CONFIGS | CT_HAS_CO_RUNS, "packets"},
        {CT_HAS_A_SCHEDULE | CT_HAS_CONFIGS | CT_HAS_CO_RUNS, "probe"},
        {CT_HAS_A_SCHEDULE | CT_HAS_CO_RUNS, "lp"},
        {CT_HAS_CO_RUNS, "multiplicative"},
        {0, "none"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(ct_predict_default(cases[i].facts)->key, cases[i].key);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(analysis_shows_what_was_measured),
        cmocka_unit_test(known_loads_calibrate),
        cmocka_unit_test(a_twin_of_a_configuration_gets_its_slowdown),
        cmocka_unit_test(no_load_means_no_slowdown),
        cmocka_unit_test(between_and_beyond_the_configurations),
        cmocka_unit_test(phases_average_speeds),
        cmocka_unit_test(mutual_slowdown_settles),
        cmocka_unit_test(loads_together_add_up),
        cmocka_unit_test(models_of_execution_are_asked_about_delays),
        cmocka_unit_test(slowdowns_by_schedules),
        cmocka_unit_test(simulated_together),
        cmocka_unit_test(slow_predictions_rise_with_the_load),
        cmocka_unit_test(missing_pieces_are_named),
        cmocka_unit_test(one_configuration_is_enough_to_answer),
        cmocka_unit_test(loads_without_variance_are_answered),
        cmocka_unit_test(ties_of_the_look_up_are_flagged),
        cmocka_unit_test(bad_values_name_their_place),
        cmocka_unit_test(former_models_have_successors),
        cmocka_unit_test(the_default_is_the_best_that_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
