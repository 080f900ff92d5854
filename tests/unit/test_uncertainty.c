/* plot/uncertainty: figures of a made-up calibration, which stay in the folder CROSSTALK_KEEP if
 * it is set. */
#include "plot/uncertainty.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OUTPUTS = 18, PARAMETERS = 7, RUNS = 20, DRAWS = 2000 };

static const char *const parameters[] = {
    "injection (GB/s)", "link (GB/s)", "memory (GB/s)", "header (us)", "RDMA (us)",
    "pin (us)",         "page (ns)",   "seldom (1)",    "hardly (1)",  "never (1)"};
static const double lo[] = {8, 10, 8, 0.1, 0.5, 1, 1}, hi[] = {16, 15, 15, 1.5, 2, 7, 100};

/* A fixed sequence in 0 .. 1. */
static double next(void)
{
    static unsigned long state = 12345;
    state = (state * 1103515245 + 12345) % 2147483648UL;
    return (double)state / 2147483648.0;
}

static const char *folder; /* NULL: in memory only */

static char *keep(char *svg, const char *name)
{
    char path[200];
    if (folder) {
        snprintf(path, sizeof path, "%s/%s.svg", folder, name);
        FILE *out = fopen(path, "w");
        assert_non_null(out);
        fputs(svg, out);
        fclose(out);
    }
    return svg;
}

static void skip_without_gnuplot(void)
{
    if (system("command -v gnuplot >/dev/null") != 0)
        skip();
}

static size_t count(const char *text, const char *what)
{
    size_t n = 0;
    for (; (text = strstr(text, what)) != NULL; text++)
        n++;
    return n;
}

static void sensitivities_of_many_parameters(void **state)
{
    (void)state;
    skip_without_gnuplot();
    enum { MANY = 10 };
    char names[OUTPUTS][16];
    const char *outputs[OUTPUTS];
    double total[OUTPUTS * MANY];
    for (size_t k = 0; k < OUTPUTS; k++) {
        snprintf(names[k], sizeof names[k], "%d B", 256 << k / 2);
        outputs[k] = names[k];
        for (size_t d = 0; d < MANY; d++)
            total[k * MANY + d] = d >= 7 ? 0.01 : d == k / 3 ? 0.8 : 0.05;
    }
    total[3] = NAN;
    struct ct_error err;
    char *svg = NULL;
    struct ct_sensitivities s = {"Sensitivities", outputs, OUTPUTS, parameters, PARAMETERS, total};
    if (ct_sensitivities_draw(&s, &svg, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_non_null(strstr(svg, "page (ns)"));
    assert_null(strstr(svg, "others"));
    free(keep(svg, "sensitivities-7"));
    s.n_parameters = MANY;
    if (ct_sensitivities_draw(&s, &svg, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_non_null(strstr(svg, "page (ns)"));
    assert_non_null(strstr(svg, "others"));
    assert_null(strstr(svg, "never"));
    free(keep(svg, "sensitivities-10"));
}

static void predictions_by_size(void **state)
{
    (void)state;
    skip_without_gnuplot();
    double x[OUTPUTS], values[3][3][OUTPUTS], measured_x[OUTPUTS * RUNS],
        measured_y[OUTPUTS * RUNS];
    static const double widths[] = {0.5, 0.03, 0.08};
    for (size_t k = 0; k < OUTPUTS; k++) {
        x[k] = 256 * pow(2, (double)k * 12 / 17);
        double y = x[k] / (1.2e-6 + x[k] / 11e9) / 1e9;
        for (size_t i = 0; i < 3; i++) {
            values[i][0][k] = y;
            values[i][1][k] = y * (1 - widths[i]);
            values[i][2][k] = y * (1 + widths[i]);
        }
        for (size_t r = 0; r < RUNS; r++) {
            measured_x[k * RUNS + r] = x[k];
            measured_y[k * RUNS + r] = y * (0.95 + 0.1 * next());
        }
    }
    struct ct_predictions predictions = {.title = "Throughput, predicted and measured",
                                         .x_label = "message size (B)",
                                         .y_label = "throughput (GB/s)",
                                         .x_log = true,
                                         .level = 0.95,
                                         .x = x,
                                         .n = OUTPUTS,
                                         .prior = {values[0][0], values[0][1], values[0][2]},
                                         .posterior = {values[1][0], values[1][1], values[1][2]},
                                         .run = {values[2][0], values[2][1], values[2][2]},
                                         .measured_x = measured_x,
                                         .measured_y = measured_y,
                                         .n_measured = OUTPUTS * RUNS};
    struct ct_error err;
    char *svg = NULL;
    if (ct_predictions_draw(&predictions, &svg, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_non_null(strstr(svg, "prior, 95 %"));
    assert_non_null(strstr(svg, "one more run, 95 %"));
    assert_int_equal(count(svg, ">measured<"), 2);
    free(keep(svg, "predictions"));
    predictions.run.lo = NULL;
    if (ct_predictions_draw(&predictions, &svg, &err) != CT_OK)
        fail_msg("%s", err.text);
    assert_null(strstr(svg, "one more run"));
    free(svg);
}

static void marginals_and_pairs(void **state)
{
    (void)state;
    skip_without_gnuplot();
    double *draws = malloc(DRAWS * PARAMETERS * sizeof *draws);
    double prior[PARAMETERS * CT_PAIRS_BINS], most_likely[PARAMETERS];
    for (size_t d = 0; d < PARAMETERS; d++) {
        for (size_t b = 0; b < CT_PAIRS_BINS; b++)
            prior[d * CT_PAIRS_BINS + b] = 1 / (hi[d] - lo[d]);
        most_likely[d] = (lo[d] + hi[d]) / 2;
    }
    for (size_t i = 0; i < DRAWS; i++) {
        double common = next() + next() + next() - 1.5;
        for (size_t d = 0; d < PARAMETERS; d++) {
            double own = d == 6 ? 6 * (next() - 0.5) : next() + next() - 1 + common;
            draws[i * PARAMETERS + d] = (lo[d] + hi[d]) / 2 + own * (hi[d] - lo[d]) / 6;
        }
    }
    struct ct_pairs pairs = {"Posterior", parameters, PARAMETERS, draws,      DRAWS,
                             lo,          hi,         prior,      most_likely};
    struct ct_error err;
    char *svg = NULL;
    if (ct_pairs_draw(&pairs, &svg, &err) != CT_OK)
        fail_msg("%s", err.text);
    for (size_t d = 0; d < PARAMETERS; d++) /* below and, but for the first, beside */
        assert_int_equal(count(svg, parameters[d]), d == 0 ? 1 : 2);
    free(keep(svg, "pairs-7"));
    for (pairs.n = 1; pairs.n <= 2; pairs.n++) {
        pairs.prior = pairs.most_likely = NULL;
        if (ct_pairs_draw(&pairs, &svg, &err) != CT_OK)
            fail_msg("%s", err.text);
        assert_non_null(strstr(svg, parameters[0]));
        free(keep(svg, pairs.n == 1 ? "pairs-1" : "pairs-2"));
    }
    /* Labels of 32 letters have room beside each other. */
    static const char *const wide[] = {"bandwidth of every second [GB/s]",
                                       "bandwidth of all others   [GB/s]"};
    pairs.names = wide;
    pairs.n = 2;
    if (ct_pairs_draw(&pairs, &svg, &err) != CT_OK)
        fail_msg("%s", err.text);
    const char *size = strstr(svg, "viewBox=\"0 0 ");
    assert_non_null(size);
    assert_true(strtod(size + strlen("viewBox=\"0 0 "), NULL) > 2 * 32 * 7);
    free(svg);
    free(draws);
}

static void figures_that_show_nothing(void **state)
{
    (void)state;
    static const double draws[] = {1, 2}, zero[] = {0, 0}, one[] = {1, 1};
    struct ct_pairs pairs = {NULL, parameters, 2, draws, 0, zero, one, NULL, NULL};
    struct ct_error err;
    char *svg = NULL;
    assert_int_equal(ct_pairs_draw(&pairs, &svg, &err), CT_EINVAL);
    pairs.n_draws = 1;
    pairs.hi = zero;
    assert_int_equal(ct_pairs_draw(&pairs, &svg, &err), CT_EINVAL);
    assert_non_null(strstr(err.text, "injection"));
    pairs.n = CT_PAIRS_MAX + 1;
    assert_int_equal(ct_pairs_draw(&pairs, &svg, &err), CT_EINVAL);
    assert_null(svg);
}

int main(void)
{
    folder = getenv("CROSSTALK_KEEP");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sensitivities_of_many_parameters), cmocka_unit_test(predictions_by_size),
        cmocka_unit_test(marginals_and_pairs), cmocka_unit_test(figures_that_show_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
