/* predict/conformal, predict/multiplicative, predict/compare, and what intervals hold in made-up
 * campaigns. */
#include "predict/compare.h"
#include "predict/conformal.h"
#include "predict/evaluate.h"
#include "predict/multiplicative.h"
#include "tests/unit/unit.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <string.h>

/* ---- ranks ---- */

static void ranks_of_the_finite_sample_rule(void **state)
{
    (void)state;
    assert_int_equal(ct_conformal_rank(34, 0.9), 32); /* 31.5, rounded up */
    assert_int_equal(ct_conformal_rank(9, 0.9), 9);
    assert_int_equal(ct_conformal_rank(8, 0.9), 0);
    assert_int_equal(ct_conformal_rank(19, 0.9), 18);
    assert_int_equal(ct_conformal_rank(0, 0.9), 0);
    assert_int_equal(ct_conformal_rank(99, 0.55), 55); /* 0.55 * 100 is 55.00000000000001 */
    assert_int_equal(ct_conformal_least(0.9), 9);
    assert_int_equal(ct_conformal_least(0.8), 4);
    assert_int_equal(ct_conformal_least(0.95), 19);
    assert_int_equal(ct_conformal_least(0.5), 1);
    for (double level = 0.05; level < 0.995; level += 0.01) {
        size_t least = ct_conformal_least(level);
        assert_true(least >= 1 && ct_conformal_rank(least, level) > 0);
        assert_int_equal(ct_conformal_rank(least - 1, level), 0);
    }
}

/* Of n + 1 exchangeable errors, the last is at most e_(k) of the others in k / (n + 1) of all
 * orders. */
static void bounds_hold_as_often_as_they_should(void **state)
{
    (void)state;
    for (size_t n = 9; n < 40; n++) {
        size_t rank = ct_conformal_rank(n, 0.9);
        double share = (double)rank / (double)(n + 1);
        assert_true(share >= 0.9 - 1e-12 && share < 0.9 + 1.0 / (double)(n + 1));
    }
}

/* ---- the multiplicative null model ---- */

enum { N = 4 };

static struct ct_multiplicative *multiplicative_of(double measured[N][N])
{
    struct ct_multiplicative *multiplicative = NULL;
    struct ct_slowdown beside_app[N * N];
    for (size_t i = 0; i < N * N; i++)
        beside_app[i] = (struct ct_slowdown){.frac = measured[i / N][i % N]};
    assert_int_equal(ct_multiplicative_new(beside_app, N, &multiplicative), CT_OK);
    return multiplicative;
}

static double ask(const struct ct_multiplicative *multiplicative, size_t app, size_t with,
                  const size_t *left_out, size_t n)
{
    double slowdown;
    assert_int_equal(ct_multiplicative_slowdown(multiplicative, app, with, left_out, n, &slowdown),
                     CT_OK);
    return slowdown;
}

/* Values of the normal equations, solved by elimination. -30 % counts as -1 %. */
static void rows_and_columns_multiply(void **state)
{
    (void)state;
    double measured[N][N] = {
        {0.1, 0.5, 0.2, 0.3}, {-0.3, 0.4, 0.1, NAN}, {0.2, 0.9, 0.3, 0.1}, {NAN, 0.6, 0.05, 0.15}};
    struct ct_multiplicative *multiplicative = multiplicative_of(measured);
    const size_t both[] = {2, 1}, other[] = {0}, everyone[] = {0, 1, 2, 3};
    assert_near(ask(multiplicative, 2, 1, NULL, 0), 0.947723287979, 1e-8);
    assert_near(ask(multiplicative, 1, 3, NULL, 0), 0.067729023148, 1e-8);
    assert_near(ask(multiplicative, 3, 3, NULL, 0), 0.065193036849, 1e-8);
    assert_near(ask(multiplicative, 2, 1, other, 1), 0.934778049433, 1e-8);
    assert_near(ask(multiplicative, 2, 1, both, 2), 0.124962872924, 1e-8);
    assert_true(isnan(ask(multiplicative, 2, 1, everyone, N)));
    ct_multiplicative_free(multiplicative);
    /* Neither the co-run itself nor its reverse is used. */
    measured[2][1] = 5;
    measured[1][2] = 7;
    multiplicative = multiplicative_of(measured);
    assert_near(ask(multiplicative, 2, 1, NULL, 0), 0.947723287979, 1e-8);
    ct_multiplicative_free(multiplicative);
}

static void other_co_runs_are_needed(void **state)
{
    (void)state;
    double measured[N][N];
    for (size_t i = 0; i < N * N; i++)
        measured[i / N][i % N] = NAN;
    measured[1][2] = 0.3;
    struct ct_multiplicative *multiplicative = multiplicative_of(measured);
    assert_true(isnan(ask(multiplicative, 1, 2, NULL, 0)));
    assert_near(ask(multiplicative, 3, 0, NULL, 0), 0.3, 1e-9);
    ct_multiplicative_free(multiplicative);
    for (size_t i = 0; i < N * N; i++)
        measured[i / N][i % N] = 0.25; /* all alike */
    multiplicative = multiplicative_of(measured);
    for (size_t i = 0; i < N * N; i++)
        assert_near(ask(multiplicative, i / N, i % N, NULL, 0), 0.25, 1e-9);
    ct_multiplicative_free(multiplicative);
}

/* ---- comparisons ---- */

static const struct ct_bootstrap comparing = {.replicates = 2000, .level = 0.9, .seed = 7};

static void comparison_is_paired(void **state)
{
    (void)state;
    double off[N * N], other[N * N];
    for (size_t i = 0; i < N * N; i++) {
        other[i] = 0.01 * (double)(i * i); /* hard pairs are hard for both */
        off[i] = other[i] + 0.02;
    }
    struct ct_predict_comparison comparison;
    assert_int_equal(ct_predict_compare(off, other, N, &comparing, &comparison), CT_OK);
    assert_int_equal(comparison.n, N * N);
    assert_int_equal(comparison.n_apps, N);
    assert_near(comparison.difference_frac, 0.02, 1e-12);
    assert_near(comparison.interval.lo, 0.02, 1e-9);
    assert_near(comparison.interval.hi, 0.02, 1e-9);
    off[3] = NAN;
    other[3 * N + 1] = NAN;
    assert_int_equal(ct_predict_compare(off, other, N, &comparing, &comparison), CT_OK);
    assert_int_equal(comparison.n, N * N - 2);
    for (size_t i = 0; i < N * N; i++)
        if (i / N > 1 || i % N > 1)
            off[i] = NAN;
    assert_int_equal(ct_predict_compare(off, other, N, &comparing, &comparison), CT_OK);
    assert_int_equal(comparison.n_apps, 2);
    assert_near(comparison.difference_frac, 0.02, 1e-12);
    assert_true(isnan(comparison.interval.lo) && isnan(comparison.interval.hi));
    struct ct_bootstrap few = {.replicates = 3, .level = 0.9};
    assert_int_equal(ct_predict_compare(off, other, N, &few, &comparison), CT_EINVAL);
}

/* The difference is that of the application that is slowed, so that nine pairs of an application
 * say the same: the interval is that of a mean of nine numbers, not of eighty-one. */
static void comparison_draws_applications(void **state)
{
    (void)state;
    enum { APPS = 9 };
    double off[APPS * APPS], zero[APPS * APPS], own[APPS], mean = 0, variance = 0;
    for (size_t a = 0; a < APPS; a++) {
        own[a] = (double)(a * a % 5) - 1.8;
        mean += own[a] / APPS;
    }
    for (size_t a = 0; a < APPS; a++)
        variance += (own[a] - mean) * (own[a] - mean) / APPS;
    for (size_t i = 0; i < APPS * APPS; i++) {
        off[i] = own[i / APPS];
        zero[i] = 0;
    }
    struct ct_predict_comparison one, again;
    assert_int_equal(ct_predict_compare(off, zero, APPS, &comparing, &one), CT_OK);
    assert_near(one.difference_frac, mean, 1e-12);
    double half = (one.interval.hi - one.interval.lo) / 2;
    assert_near(half, 1.645 * sqrt(variance / APPS), 0.2 * half);
    assert_int_equal(ct_predict_compare(off, zero, APPS, &comparing, &again), CT_OK);
    assert_memory_equal(&one.interval, &again.interval, sizeof one.interval);
}

/* ---- made-up campaigns ---- */

enum { APPS = 5, CONFIGS = 12, LATENCIES = 200, N_LOADS = 1 + APPS + CONFIGS };

struct made_up {
    double latency_s[N_LOADS][LATENCIES], time_s[LATENCIES];
    double pass_s[N_LOADS][APPS];
    struct ct_samples passes[N_LOADS][APPS];
    struct ct_measured_load loads[N_LOADS];
    struct ct_measurements measured;
};

/* Loads of applications and configurations are of one kind, and each application has a sensitivity
 * of its own: its slowdown is sensitivity times load, and a part that no model knows. */
static void make_up(struct made_up *made, gsl_rng *rng)
{
    double u[N_LOADS], sensitivity[APPS];
    for (size_t a = 0; a < APPS; a++)
        sensitivity[a] = 0.3 + 1.5 * gsl_rng_uniform(rng);
    for (size_t l = 0; l < N_LOADS; l++) {
        u[l] = l == 0 ? 0 : 0.05 + 0.85 * gsl_rng_uniform(rng);
        for (size_t i = 0; i < LATENCIES; i++) {
            made->time_s[i] = 0.1 * (double)i;
            made->latency_s[l][i] =
                10e-6 * (1 + 0.05 * gsl_rng_uniform(rng)) +
                (gsl_rng_uniform(rng) < u[l] ? 20e-6 + 50e-6 * gsl_rng_uniform(rng) : 0);
        }
        made->loads[l] = (struct ct_measured_load){
            .name = "load",
            .latency_s = {.x = made->latency_s[l], .time_s = made->time_s, .n = LATENCIES},
            .passes_s = made->passes[l],
            .true_frac = NAN,
            .known_frac = l > APPS ? u[l] : NAN};
        for (size_t a = 0; a < APPS; a++) {
            double unknown = exp(0.3 * gsl_ran_ugaussian(rng)), slowdown = sensitivity[a] * u[l];
            made->pass_s[l][a] = 1 + (l > 0 ? slowdown * unknown : 0);
            made->passes[l][a] = (struct ct_samples){.x = &made->pass_s[l][a], .n = 1};
        }
    }
    made->measured =
        (struct ct_measurements){.n_apps = APPS, .n_configs = CONFIGS, .loads = made->loads};
}

struct count {
    size_t n, covered;
    double width;
};

/* One co-run of each campaign, not measured as far as the campaign knows; the others are, or not.
 */
static void count_one(struct made_up *made, size_t with, bool has_co_runs, struct count *counts)
{
    struct ct_samples *hidden = &made->passes[ct_load_of_app(with)][0];
    double truth = made->pass_s[ct_load_of_app(with)][0] / made->pass_s[0][0] - 1;
    hidden->n = 0;
    for (size_t i = 0; i < APPS * APPS && !has_co_runs; i++)
        made->passes[ct_load_of_app(i % APPS)][i / APPS].n = 0;
    const struct ct_predict_input input = {.measured = &made->measured};
    struct ct_predict_analysis analysis;
    struct ct_error err;
    if (ct_predict_analyse(&input, NULL, &analysis, &err) != CT_OK)
        fail_msg("%s", err.text);
    struct ct_predict_case cases[CT_N_PREDICT_MODELS];
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++)
        cases[m] = (struct ct_predict_case){
            .model = &ct_predict_models[m], .app = 0, .with = &with, .n_with = 1};
    assert_int_equal(ct_predict_cases(&analysis, 0.9, cases, CT_N_PREDICT_MODELS), CT_OK);
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++) {
        const struct ct_prediction *prediction = &cases[m].prediction;
        if (isnan(prediction->interval.lo))
            continue;
        assert_int_equal(prediction->interval_from,
                         has_co_runs ? CT_INTERVAL_FROM_CO_RUNS : CT_INTERVAL_FROM_CONFIGS);
        counts[m].n++;
        counts[m].covered += prediction->interval.lo <= truth && truth <= prediction->interval.hi;
        counts[m].width += prediction->interval.hi - prediction->interval.lo;
    }
    ct_predict_analysis_free(&analysis);
}

/* Nominal 90 %. With k of n + 1, the expected share is 22/24 from co-runs (n = 23), 12/13 from
 * configurations; its standard deviation over 400 campaigns is 1.4 points. */
static void intervals_hold_in_made_up_campaigns(bool has_co_runs)
{
    enum { CAMPAIGNS = 400 };
    static struct made_up made;
    struct count counts[CT_N_PREDICT_MODELS] = {{0}};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 20);
    for (int campaign = 0; campaign < CAMPAIGNS; campaign++) {
        make_up(&made, rng);
        count_one(&made, 1 + (size_t)campaign % (APPS - 1), has_co_runs, counts);
    }
    gsl_rng_free(rng);
    for (size_t m = 0; m < CT_N_PREDICT_MODELS; m++) {
        const struct ct_predict_model *model = &ct_predict_models[m];
        bool answers = !ct_predict_model_is(model, CT_MODEL_NEEDS_SCHEDULE) &&
                       (has_co_runs || !ct_predict_model_is(model, CT_MODEL_JUDGED_BY_CO_RUNS));
        double share = (double)counts[m].covered / (double)counts[m].n;
        if (counts[m].n > 0)
            print_message("%-18s %zu campaigns: %.1f %% inside, mean width %.0f points\n",
                          model->key, counts[m].n, 100 * share,
                          100 * counts[m].width / (double)counts[m].n);
        assert_int_equal(counts[m].n, answers ? CAMPAIGNS : 0);
        if (answers)
            assert_true(share >= 0.86 && share <= 0.95);
    }
}

static void slow_intervals_from_co_runs_hold(void **state)
{
    (void)state;
    intervals_hold_in_made_up_campaigns(true);
}

static void slow_intervals_from_configurations_hold(void **state)
{
    (void)state;
    intervals_hold_in_made_up_campaigns(false);
}

/* ---- both left out ---- */

static struct ct_predict_judgement judge(const struct ct_predict_analysis *analysis,
                                         const char *key)
{
    struct ct_predict_case cases[APPS * APPS];
    double measured[APPS * APPS];
    size_t with[APPS * APPS], model;
    assert_int_equal(ct_predict_model_find(key, strlen(key), &model, NULL), CT_OK);
    for (size_t i = 0; i < APPS * APPS; i++) {
        with[i] = i % APPS;
        measured[i] = analysis->beside_app[i].frac;
        cases[i] = (struct ct_predict_case){
            .model = &ct_predict_models[model], .app = i / APPS, .with = &with[i], .n_with = 1};
    }
    struct ct_predict_judgement judgement;
    assert_int_equal(ct_predict_cases(analysis, 0.9, cases, APPS * APPS), CT_OK);
    assert_int_equal(ct_predict_judge(analysis, 0.9, cases, measured, APPS * APPS, &judgement),
                     CT_OK);
    return judgement;
}

/* Casas and Bronevetsky, IPDPS 2014, Table I, as in examples/cab18/published.csv: percent. Their
 * queue model is below 10 points for more than 75 % of the pairs; so is the prediction of no
 * slowdown. */
static void null_models_of_a_published_table(void **state)
{
    (void)state;
    enum { PUBLISHED = 6 };
    static const double percent[PUBLISHED][PUBLISHED] = {
        {45, 5, 3, 11, 12, 7}, {5, 5, 3, 6, 2, 3}, {3, 5, 4, 7, 5, 6},
        {25, 12, 1, 4, 3, 14}, {9, 0, 2, 5, 7, 2}, {0, 5, 4, 5, 3, 4}};
    struct ct_slowdown beside_app[PUBLISHED * PUBLISHED];
    struct ct_multiplicative *multiplicative;
    for (size_t i = 0; i < PUBLISHED * PUBLISHED; i++)
        beside_app[i].frac = percent[i / PUBLISHED][i % PUBLISHED] / 100;
    assert_int_equal(ct_multiplicative_new(beside_app, PUBLISHED, &multiplicative), CT_OK);
    size_t n_none = 0, n_rows = 0;
    double off_none = 0, off_rows = 0;
    for (size_t i = 0; i < PUBLISHED * PUBLISHED; i++) {
        double off =
            fabs(ask(multiplicative, i / PUBLISHED, i % PUBLISHED, NULL, 0) - beside_app[i].frac);
        n_none += beside_app[i].frac < 0.1;
        n_rows += off < 0.1;
        off_none += beside_app[i].frac / (PUBLISHED * PUBLISHED);
        off_rows += off / (PUBLISHED * PUBLISHED);
    }
    assert_int_equal(n_none, 30);
    assert_int_equal(n_rows, 33);
    assert_near(off_none, 0.067, 5e-4);
    assert_near(off_rows, 0.048, 5e-4);
    ct_multiplicative_free(multiplicative);
}

/* Both slowdowns at most 10 %: measured of a+b, a+a, not of b+b. */
static void decisions_are_of_both(void **state)
{
    (void)state;
    static const size_t a = 0, b = 1;
    static const double measured[] = {0.05, 0.02, 0.09, 0.3};
    static const double predicted[][4] = {
        {0.05, 0.02, 0.09, 0.3}, {0.05, 0.02, 0.11, 0.3}, {0.2, 0.2, 0, 0}, {NAN, 0, 0, 0}};
    static const struct ct_predict_decisions expected[] = {
        {3, 0, 0}, {3, 0, 1}, {3, 1, 2}, {2, 1, 0}};
    for (size_t i = 0; i < 4; i++) {
        struct ct_predict_case cases[4] = {{.app = a, .with = &a, .n_with = 1},
                                           {.app = a, .with = &b, .n_with = 1},
                                           {.app = b, .with = &a, .n_with = 1},
                                           {.app = b, .with = &b, .n_with = 1}};
        for (size_t k = 0; k < 4; k++)
            cases[k].prediction.slowdown_frac = predicted[i][k];
        const struct ct_predict_decisions made = ct_predict_decide(cases, measured, 4, 0.1);
        assert_int_equal(made.n, expected[i].n);
        assert_int_equal(made.n_allowed, expected[i].n_allowed);
        assert_int_equal(made.n_refused, expected[i].n_refused);
    }
}

/* A model that knows no co-run predicts the same; its interval is from 9 or 16 co-runs instead of
 * 23 or 24. The multiplicative one has the mean of the others left, and its tries that of fewer. */
static void members_are_left_out(void **state)
{
    (void)state;
    static struct made_up made;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 3);
    make_up(&made, rng);
    gsl_rng_free(rng);
    const struct ct_predict_input input = {.measured = &made.measured};
    struct ct_predict_analysis analysis;
    struct ct_error err;
    assert_int_equal(ct_predict_analyse(&input, NULL, &analysis, &err), CT_OK);
    struct ct_predict_judgement queue = judge(&analysis, "queue");
    assert_true(queue.asked.slowdown.mean_abs == queue.left_out.slowdown.mean_abs);
    assert_int_equal(queue.asked.n_errors, 23);
    assert_int_equal(queue.left_out.n_errors, 9);
    assert_int_equal(queue.left_out.n_intervals, APPS * APPS);
    assert_true(queue.asked.mean_width_frac != queue.left_out.mean_width_frac);
    struct ct_predict_judgement null = judge(&analysis, "multiplicative");
    assert_true(null.left_out.slowdown.mean_abs > 1.2 * null.asked.slowdown.mean_abs);
    double off = 0;
    for (size_t i = 0; i < APPS * APPS; i++) {
        double sum = 0; /* the table of the others is complete: their geometric mean */
        size_t a = i / APPS, b = i % APPS, n = 0;
        for (size_t j = 0; j < APPS * APPS; j++)
            if (j / APPS != a && j % APPS != a && j / APPS != b && j % APPS != b) {
                sum += log(0.05 + fmax(analysis.beside_app[j].frac, -0.01));
                n++;
            }
        off += fabs(exp(sum / (double)n) - 0.05 - analysis.beside_app[i].frac) / (APPS * APPS);
    }
    assert_near(null.left_out.slowdown.mean_abs, off, 1e-9);
    ct_predict_analysis_free(&analysis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_of_the_finite_sample_rule),
        cmocka_unit_test(bounds_hold_as_often_as_they_should),
        cmocka_unit_test(rows_and_columns_multiply),
        cmocka_unit_test(other_co_runs_are_needed),
        cmocka_unit_test(decisions_are_of_both),
        cmocka_unit_test(null_models_of_a_published_table),
        cmocka_unit_test(comparison_is_paired),
        cmocka_unit_test(comparison_draws_applications),
        cmocka_unit_test(slow_intervals_from_co_runs_hold),
        cmocka_unit_test(slow_intervals_from_configurations_hold),
        cmocka_unit_test(members_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
