/* predict: curves, slowdowns, and a constructed campaign whose right answers are known. */
#include "predict/curve.h"
#include "predict/models.h"
#include "tests/unit/unit.h"

#include <gsl/gsl_rng.h>
#include <string.h>

static const struct ct_bootstrap setup = {.replicates = 100, .level = 0.95, .seed = 1};

/* ---- curve ---- */

static double at(const struct ct_curve *curve, double x)
{
    bool beyond;
    return ct_curve_at(curve, x, &beyond);
}

static struct ct_curve *curve_of(struct ct_curve_point *points, size_t n, double origin_x)
{
    struct ct_curve *curve = NULL;
    assert_int_equal(ct_curve_new(points, n, origin_x, &curve), CT_OK);
    assert_non_null(curve);
    return curve;
}

static void rising_points_lie_on_the_curve(void **state)
{
    (void)state;
    struct ct_curve_point points[] = {{0.8, 2}, {0.2, 0.1}, {0.5, 0.4}};
    struct ct_curve *curve = curve_of(points, 3, 0.1);
    bool beyond;
    assert_near(at(curve, 0.2), 0.1, 1e-12);
    assert_near(at(curve, 0.5), 0.4, 1e-12);
    assert_near(ct_curve_at(curve, 0.8, &beyond), 2, 1e-12);
    assert_false(beyond);
    assert_near(ct_curve_at(curve, 0.81, &beyond), 2, 1e-12);
    assert_true(beyond);
    assert_true(at(curve, 0) == 0 && at(curve, 0.1) == 0);
    assert_true(at(curve, 0.3) > 0.1 && at(curve, 0.3) < 0.4);
    ct_curve_free(curve);
}

static void violators_are_pooled(void **state)
{
    (void)state;
    struct ct_curve_point points[] = {{1, 1}, {2, 3}, {3, 2}, {4, 4}, {5, 6}, {6, 5}, {7, 4}};
    const double fitted[] = {1, 2.5, 2.5, 4, 5, 5, 5};
    struct ct_curve *curve = curve_of(points, 7, 0);
    for (int i = 0; i < 7; i++)
        assert_near(at(curve, i + 1), fitted[i], 1e-12);
    ct_curve_free(curve);
}

static void speed_ups_count_as_none_and_equal_x_are_averaged(void **state)
{
    (void)state;
    struct ct_curve_point points[] = {{1, -0.2}, {2, 0.1}, {2, 0.5}, {3, 0.7}};
    struct ct_curve *curve = curve_of(points, 4, 0);
    assert_true(at(curve, 1) == 0);
    assert_near(at(curve, 2), 0.3, 1e-12);
    assert_near(at(curve, 3), 0.7, 1e-12);
    ct_curve_free(curve);
}

static void few_points_make_a_curve_too(void **state)
{
    (void)state;
    bool beyond;
    struct ct_curve_point points[] = {{0.6, 0.4}, {0.1, 9}};
    struct ct_curve *curve = curve_of(points, 0, 0.2);
    assert_true(at(curve, 0.2) == 0);
    assert_true(ct_curve_at(curve, 0.3, &beyond) == 0 && beyond);
    ct_curve_free(curve);
    curve = curve_of(points, 2, 0.2); /* the second one lies below the origin */
    assert_near(at(curve, 0.4), 0.2, 1e-12);
    assert_near(at(curve, 0.7), 0.4, 1e-12);
    ct_curve_free(curve);
    struct ct_curve_point bad[] = {{0.5, NAN}};
    assert_int_equal(ct_curve_new(bad, 1, 0, &curve), CT_EINVAL);
    ct_curve_free(NULL);
}

static double squared_distance(const struct ct_curve_point *points, const double *y, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (points[i].y - y[i]) * (points[i].y - y[i]);
    return sum;
}

/* Through random points: never falls, and no random monotone sequence is nearer to them. */
static void random_curves_are_monotone_and_nearest(void **state)
{
    (void)state;
    enum { N = 12 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(rng);
    for (int round = 0; round < 100; round++) {
        struct ct_curve_point points[N];
        double x = 0, fitted[N], other[N];
        for (size_t i = 0; i < N; i++) {
            x += 0.01 + gsl_rng_uniform(rng);
            points[i] = (struct ct_curve_point){x, 0.2 * x + 2 * gsl_rng_uniform(rng) - 1};
        }
        struct ct_curve *curve = curve_of(points, N, 0);
        for (size_t i = 0; i < N; i++)
            fitted[i] = at(curve, points[i].x);
        double before = 0;
        for (int step = 0; step <= 500; step++) {
            double y = at(curve, x * step / 500);
            assert_true(y >= before - 1e-12);
            before = y;
        }
        ct_curve_free(curve);
        double best = squared_distance(points, fitted, N);
        for (int trial = 0; trial < 200; trial++) {
            double floor_y = 0;
            for (size_t i = 0; i < N; i++) {
                double moved = fitted[i] + 0.1 * (gsl_rng_uniform(rng) - 0.5);
                floor_y = other[i] = fmax(floor_y, moved);
            }
            assert_true(squared_distance(points, other, N) >= best - 1e-12);
        }
    }
    gsl_rng_free(rng);
}

/* ---- slowdown and errors ---- */

static void slowdown_is_the_ratio_of_means(void **state)
{
    (void)state;
    const double without_s[] = {1.0, 1.2, 0.8}, with_s[] = {1.4, 1.6}, bad_s[] = {1.0, 0.0};
    struct ct_series without = {without_s, 3}, with = {with_s, 2}, bad = {bad_s, 2}, none = {0};
    struct ct_slowdown slowdown;
    assert_int_equal(ct_predict_slowdown(without, with, &setup, &slowdown, NULL), CT_OK);
    assert_near(slowdown.frac, 0.5, 1e-12);
    assert_true(slowdown.interval.lo >= 1.4 / 1.2 - 1 && slowdown.interval.lo < 0.5);
    assert_true(slowdown.interval.hi <= 1.6 / 0.8 - 1 && slowdown.interval.hi > 0.5);
    assert_int_equal(ct_predict_slowdown(without, none, &setup, &slowdown, NULL), CT_OK);
    assert_true(isnan(slowdown.frac) && isnan(slowdown.interval.lo));
    assert_int_equal(ct_predict_slowdown(none, with, &setup, &slowdown, NULL), CT_OK);
    assert_true(isnan(slowdown.frac));
    with.n = 1;
    assert_int_equal(ct_predict_slowdown(without, with, &setup, &slowdown, NULL), CT_OK);
    assert_near(slowdown.frac, 0.4, 1e-12);
    assert_true(isnan(slowdown.interval.lo) && isnan(slowdown.interval.hi));
    assert_int_equal(ct_predict_slowdown(without, bad, &setup, &slowdown, NULL), CT_EINVAL);
    assert_int_equal(ct_predict_slowdown(bad, without, &setup, &slowdown, NULL), CT_EINVAL);
}

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
    assert_int_equal(ct_predict_errors_of(predicted + 2, measured + 2, 1, &errors), CT_OK);
    assert_int_equal(errors.n, 0);
    assert_true(isnan(errors.mean_abs) && isnan(errors.median) && isnan(errors.max));
}

/* ---- a campaign ---- */

/* What the co-runners are: each is an application, whose effect on the probe is told by its name.
 */
enum { VICTIM, IDLE, LIKE_CONFIG_1, BETWEEN, ABOVE, UNPROBED, UNTIMED, N_APPS };
enum { N_CONFIGS = 4, N_LATENCIES = 40, N_PASSES = 10 };

static const double config_latency_s[N_CONFIGS] = {14e-6, 20e-6, 40e-6, 80e-6};
static const double config_slowdown[N_CONFIGS] = {0.05, 0.2, 0.7, 1.9};

struct campaign {
    double idle_s[N_LATENCIES];
    double app_latency_s[N_APPS][N_LATENCIES];
    double config_latency_s[N_CONFIGS][N_LATENCIES];
    double baseline_s[N_APPS][N_PASSES];
    double under_config_s[N_APPS][N_CONFIGS][N_PASSES];
    double beside_s[N_PASSES];
    struct ct_series app_latency[N_APPS], config_latency[N_CONFIGS], baseline[N_APPS];
    struct ct_series under_config[N_APPS * N_CONFIGS], beside[N_APPS * N_APPS];
    double app_truth[N_APPS], config_truth[N_CONFIGS];
    struct ct_predict_input input;
};

/* Values with the mean that is asked for. */
static struct ct_series fill(double *x, size_t n, double mean)
{
    for (size_t i = 0; i < n; i++)
        x[i] = mean * (i % 2 ? 1.1 : 0.9);
    return (struct ct_series){x, n};
}

static struct ct_series fill_idle(double *x)
{
    struct ct_series series = fill(x, N_LATENCIES, 11e-6);
    x[0] = 9e-6; /* the minimum: below the mean, as on a real network */
    x[1] = 13e-6;
    return series;
}

static void make_campaign(struct campaign *c)
{
    static const char *const app_names[] = {"victim", "idle",     "like",   "between",
                                            "above",  "unprobed", "untimed"};
    static const char *const config_names[] = {"C0", "C1", "C2", "C3"};
    const double app_mean_s[N_APPS] = {17e-6, 0, 20e-6, 27e-6, 100e-6, 0, 17e-6};
    *c = (struct campaign){0};
    struct ct_series idle = fill_idle(c->idle_s);
    for (size_t i = 0; i < N_CONFIGS; i++) {
        c->config_latency[i] = fill(c->config_latency_s[i], N_LATENCIES, config_latency_s[i]);
        c->config_truth[i] = NAN;
    }
    for (size_t a = 0; a < N_APPS; a++) {
        c->app_truth[a] = a == BETWEEN ? 0.44 : NAN;
        c->baseline[a] = fill(c->baseline_s[a], N_PASSES, 2);
        if (a == IDLE)
            c->app_latency[a] = fill_idle(c->app_latency_s[a]);
        else if (a != UNPROBED)
            c->app_latency[a] = fill(c->app_latency_s[a], N_LATENCIES, app_mean_s[a]);
        for (size_t i = 0; i < N_CONFIGS && a != UNTIMED; i++)
            c->under_config[a * N_CONFIGS + i] =
                fill(c->under_config_s[a][i], N_PASSES, 2 * (1 + config_slowdown[i]));
    }
    c->beside[VICTIM * N_APPS + BETWEEN] = fill(c->beside_s, N_PASSES, 2 * 1.25);
    c->input = (struct ct_predict_input){.n_apps = N_APPS,
                                         .n_configs = N_CONFIGS,
                                         .app_names = app_names,
                                         .config_names = config_names,
                                         .idle_latency_s = idle,
                                         .app_latency_s = c->app_latency,
                                         .config_latency_s = c->config_latency,
                                         .baseline_s = c->baseline,
                                         .under_config_s = c->under_config,
                                         .beside_app_s = c->beside,
                                         .idle_true_utilization_frac = 0.01,
                                         .app_true_utilization_frac = c->app_truth,
                                         .config_true_utilization_frac = c->config_truth};
}

static const struct ct_predict_model *model(const char *key)
{
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
        if (!strcmp(ct_predict_models[m].key, key))
            return &ct_predict_models[m];
    fail_msg("no model %s", key);
    return NULL;
}

static struct ct_prediction predict(const char *key, const struct ct_predict_analysis *analysis,
                                    size_t app, size_t with)
{
    struct ct_prediction prediction = {.slowdown_frac = -77};
    const struct ct_predict_model *row = model(key);
    assert_int_equal(row->predict(row, analysis, app, with, &prediction), CT_OK);
    return prediction;
}

static struct ct_predict_analysis analyse(const struct campaign *campaign)
{
    struct ct_predict_analysis analysis;
    struct ct_error err;
    if (ct_predict_analyse(&campaign->input, &setup, &analysis, &err) != CT_OK)
        fail_msg("%s", err.text);
    return analysis;
}

static void analysis_shows_what_was_measured(void **state)
{
    (void)state;
    struct campaign campaign;
    make_campaign(&campaign);
    struct ct_predict_analysis analysis = analyse(&campaign);
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
        assert_near(analysis.under_config[c].frac, config_slowdown[c], 1e-12);
    }
    assert_near(analysis.beside_app[VICTIM * N_APPS + BETWEEN].frac, 0.25, 1e-12);
    assert_true(isnan(analysis.beside_app[VICTIM * N_APPS + ABOVE].frac));
    ct_predict_analysis_free(&analysis);
}

static void a_twin_of_a_configuration_gets_its_slowdown(void **state)
{
    (void)state;
    struct campaign campaign;
    make_campaign(&campaign);
    struct ct_predict_analysis analysis = analyse(&campaign);
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++) {
        struct ct_prediction prediction =
            predict(ct_predict_models[m].key, &analysis, VICTIM, LIKE_CONFIG_1);
        assert_near(prediction.slowdown_frac, config_slowdown[1], 1e-9);
        assert_int_equal(prediction.flag, CT_PREDICTION_PLAIN);
    }
    ct_predict_analysis_free(&analysis);
}

static void no_load_means_no_slowdown(void **state)
{
    (void)state;
    struct campaign campaign;
    make_campaign(&campaign);
    struct ct_predict_analysis analysis = analyse(&campaign);
    struct ct_prediction prediction = predict("queue", &analysis, VICTIM, IDLE);
    assert_true(analysis.idle.utilization_frac > 0); /* its mean latency exceeds its minimum */
    assert_true(prediction.slowdown_frac == 0);
    assert_int_equal(prediction.flag, CT_PREDICTION_PLAIN);
    /* The look-up table knows no idle row: it answers with the lightest configuration. */
    assert_near(predict("average_lt", &analysis, VICTIM, IDLE).slowdown_frac, config_slowdown[0],
                1e-12);
    ct_predict_analysis_free(&analysis);
}

static void between_and_beyond_the_configurations(void **state)
{
    (void)state;
    struct campaign campaign;
    make_campaign(&campaign);
    struct ct_predict_analysis analysis = analyse(&campaign);
    struct ct_prediction queue = predict("queue", &analysis, VICTIM, BETWEEN);
    assert_true(queue.slowdown_frac > config_slowdown[1]);
    assert_true(queue.slowdown_frac < config_slowdown[2]);
    /* 27 us is nearer to 20 us than to 40 us. */
    assert_near(predict("average_lt", &analysis, VICTIM, BETWEEN).slowdown_frac, config_slowdown[1],
                1e-12);
    queue = predict("queue", &analysis, VICTIM, ABOVE);
    assert_near(queue.slowdown_frac, config_slowdown[3], 1e-12);
    assert_int_equal(queue.flag, CT_PREDICTION_CLAMPED);
    ct_predict_analysis_free(&analysis);
}

static void predictions_rise_with_the_load(void **state)
{
    (void)state;
    struct campaign campaign;
    make_campaign(&campaign);
    double before[CT_N_PREDICT_MODELS] = {0};
    for (int percent = 0; percent <= 100; percent += 2) {
        fill(campaign.app_latency_s[BETWEEN], N_LATENCIES, 10e-6 * (1 + 0.11 * percent));
        struct ct_predict_analysis analysis = analyse(&campaign);
        for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++) {
            double now =
                predict(ct_predict_models[m].key, &analysis, VICTIM, BETWEEN).slowdown_frac;
            assert_true(now >= before[m] && now <= config_slowdown[3] + 1e-12);
            before[m] = now;
        }
        ct_predict_analysis_free(&analysis);
    }
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
        assert_near(before[m], config_slowdown[3], 1e-12);
}

static void missing_pieces_are_named(void **state)
{
    (void)state;
    struct campaign campaign;
    make_campaign(&campaign);
    struct ct_predict_analysis analysis = analyse(&campaign);
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++) {
        const char *key = ct_predict_models[m].key;
        struct ct_prediction prediction = predict(key, &analysis, VICTIM, UNPROBED);
        assert_true(isnan(prediction.slowdown_frac));
        assert_int_equal(prediction.flag, CT_PREDICTION_NO_PROBE);
        prediction = predict(key, &analysis, UNTIMED, VICTIM);
        assert_true(isnan(prediction.slowdown_frac));
        assert_int_equal(prediction.flag, CT_PREDICTION_NO_CURVE);
        assert_true(predict(key, &analysis, VICTIM, UNTIMED).slowdown_frac > 0);
    }
    ct_predict_analysis_free(&analysis);
}

static void ties_of_the_look_up_are_flagged(void **state)
{
    (void)state;
    struct campaign campaign;
    make_campaign(&campaign);
    fill(campaign.app_latency_s[BETWEEN], N_LATENCIES, 30e-6);
    struct ct_predict_analysis analysis = analyse(&campaign);
    struct ct_prediction prediction = predict("average_lt", &analysis, VICTIM, BETWEEN);
    assert_near(prediction.slowdown_frac, config_slowdown[1], 1e-12);
    assert_int_equal(prediction.flag, CT_PREDICTION_TIE);
    ct_predict_analysis_free(&analysis);
}

static void bad_values_name_their_place(void **state)
{
    (void)state;
    struct campaign campaign;
    struct ct_predict_analysis analysis = {.n_apps = 77};
    struct ct_error err;
    make_campaign(&campaign);
    campaign.app_latency_s[ABOVE][3] = NAN;
    assert_int_equal(ct_predict_analyse(&campaign.input, &setup, &analysis, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "above"));
    make_campaign(&campaign);
    campaign.under_config_s[VICTIM][2][0] = -1;
    assert_int_equal(ct_predict_analyse(&campaign.input, &setup, &analysis, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "victim beside C2"));
    make_campaign(&campaign);
    campaign.input.idle_latency_s.n = 1;
    assert_int_equal(ct_predict_analyse(&campaign.input, &setup, &analysis, &err), CT_ENODATA);
    assert_non_null(strstr(err.text, "idle network"));
    assert_int_equal(analysis.n_apps, 77);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rising_points_lie_on_the_curve),
        cmocka_unit_test(violators_are_pooled),
        cmocka_unit_test(speed_ups_count_as_none_and_equal_x_are_averaged),
        cmocka_unit_test(few_points_make_a_curve_too),
        cmocka_unit_test(random_curves_are_monotone_and_nearest),
        cmocka_unit_test(slowdown_is_the_ratio_of_means),
        cmocka_unit_test(errors_of_known_differences),
        cmocka_unit_test(analysis_shows_what_was_measured),
        cmocka_unit_test(a_twin_of_a_configuration_gets_its_slowdown),
        cmocka_unit_test(no_load_means_no_slowdown),
        cmocka_unit_test(between_and_beyond_the_configurations),
        cmocka_unit_test(predictions_rise_with_the_load),
        cmocka_unit_test(missing_pieces_are_named),
        cmocka_unit_test(ties_of_the_look_up_are_flagged),
        cmocka_unit_test(bad_values_name_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
