#include "predict/evaluate.h"

#include <math.h>
#include <stdlib.h>

enum ct_status ct_predict_errors_of(const double *predicted, const double *measured, size_t n,
                                    struct ct_predict_errors *errors_p)
{
    double *off = malloc((n + 1) * sizeof *off);
    if (!off)
        return CT_ENOMEM;
    struct ct_predict_errors errors = {0, NAN, NAN, NAN, NAN, NAN, SIZE_MAX};
    double largest = -1;
    for (size_t i = 0; i < n; i++) {
        double difference = fabs(predicted[i] - measured[i]);
        if (isnan(difference))
            continue;
        if (difference > largest) {
            largest = difference;
            errors.worst = i;
        }
        off[errors.n++] = difference;
    }
    struct ct_summary summary;
    if (ct_stats_summarize(off, errors.n, &summary) == CT_OK) {
        errors.mean_abs = summary.mean;
        errors.max = summary.max;
        ct_stats_sort(off, errors.n);
        ct_stats_quantile(off, errors.n, 0.25, &errors.q1);
        ct_stats_quantile(off, errors.n, 0.50, &errors.median);
        ct_stats_quantile(off, errors.n, 0.75, &errors.q3);
    }
    free(off);
    *errors_p = errors;
    return CT_OK;
}

static void count_interval(const struct ct_prediction *prediction, double measured,
                           struct ct_predict_evaluation *evaluation, double *width)
{
    enum ct_interval_source from = prediction->interval_from;
    bool is_first = evaluation->interval_from == CT_INTERVAL_FROM_NOTHING;
    if (from != CT_INTERVAL_FROM_NOTHING) {
        if (is_first || prediction->n_errors < evaluation->n_errors)
            evaluation->n_errors = prediction->n_errors;
        evaluation->interval_from =
            is_first || from == evaluation->interval_from ? from : CT_INTERVAL_FROM_SEVERAL;
    }
    if (isnan(measured) || isnan(prediction->interval.lo))
        return;
    evaluation->n_intervals++;
    evaluation->n_covered +=
        prediction->interval.lo <= measured && measured <= prediction->interval.hi;
    *width += prediction->interval.hi - prediction->interval.lo;
}

enum ct_status ct_predict_evaluate(const struct ct_predict_case *cases, const double *measured,
                                   size_t n, struct ct_predict_evaluation *evaluation_p)
{
    struct ct_predict_evaluation evaluation = {.coverage_frac = NAN, .mean_width_frac = NAN};
    double *predicted = calloc(2 * n + 1, sizeof *predicted), width = 0;
    if (!predicted)
        return CT_ENOMEM;
    double *ones = predicted + n;
    for (size_t i = 0; i < n; i++) {
        predicted[i] = cases[i].prediction.slowdown_frac;
        count_interval(&cases[i].prediction, measured[i], &evaluation, &width);
    }
    if (evaluation.n_intervals > 0) {
        evaluation.coverage_frac = (double)evaluation.n_covered / (double)evaluation.n_intervals;
        evaluation.mean_width_frac = width / (double)evaluation.n_intervals;
    }
    enum ct_status status = ct_predict_errors_of(predicted, measured, n, &evaluation.slowdown);
    for (size_t i = 0; i < n; i++) {
        predicted[i] = (1 + predicted[i]) / (1 + measured[i]);
        ones[i] = 1;
    }
    if (status == CT_OK)
        status = ct_predict_errors_of(predicted, ones, n, &evaluation.time);
    for (size_t i = 0; i < n; i++) {
        predicted[i] = log(predicted[i]);
        ones[i] = 0;
    }
    if (status == CT_OK)
        status = ct_predict_errors_of(predicted, ones, n, &evaluation.log);
    free(predicted);
    if (status == CT_OK)
        *evaluation_p = evaluation;
    return status;
}

enum ct_status ct_predict_judge(const struct ct_predict_analysis *analysis, double level,
                                const struct ct_predict_case *cases, const double *measured,
                                size_t n, struct ct_predict_judgement *judgement_p)
{
    struct ct_predict_judgement judgement;
    struct ct_predict_case *left_out = malloc((n + 1) * sizeof *left_out);
    if (!left_out)
        return CT_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        left_out[i] = cases[i];
        left_out[i].leaves_out_members = true;
        if (isnan(measured[i]))
            left_out[i].model = NULL;
    }
    enum ct_status status = ct_predict_evaluate(cases, measured, n, &judgement.asked);
    if (status == CT_OK)
        status = ct_predict_cases(analysis, level, left_out, n);
    if (status == CT_OK)
        status = ct_predict_evaluate(left_out, measured, n, &judgement.left_out);
    free(left_out);
    if (status == CT_OK)
        *judgement_p = judgement;
    return status;
}

/* ---- decisions ---- */

/* Of A beside B that B beside A; n: it is not among them. */
static size_t find_reverse(const struct ct_predict_case *cases, size_t n, size_t i)
{
    size_t k = 0;
    while (k < n && (cases[k].n_with != 1 || cases[k].app != cases[i].with[0] ||
                     cases[k].with[0] != cases[i].app))
        k++;
    return k;
}

struct ct_predict_decisions ct_predict_decide(const struct ct_predict_case *cases,
                                              const double *measured, size_t n, double limit_frac)
{
    struct ct_predict_decisions decisions = {0};
    for (size_t i = 0; i < n; i++) {
        if (cases[i].n_with == 1 && cases[i].app > cases[i].with[0])
            continue;
        const size_t k = cases[i].n_with == 1 ? find_reverse(cases, n, i) : i;
        if (k == n)
            continue;
        const double one = cases[i].prediction.slowdown_frac,
                     other = cases[k].prediction.slowdown_frac;
        if (isnan(one + other + measured[i] + measured[k]))
            continue;
        const bool is_fine = measured[i] <= limit_frac && measured[k] <= limit_frac;
        const bool is_allowed = one <= limit_frac && other <= limit_frac;
        decisions.n++;
        decisions.n_allowed += is_allowed && !is_fine;
        decisions.n_refused += is_fine && !is_allowed;
    }
    return decisions;
}

/* ---- repeatability ---- */

static double run_mean(const struct ct_samples *samples, size_t run)
{
    size_t start = run > 0 ? samples->ends[run - 1] : 0;
    return ct_samples_mean(samples->x + start, samples->ends[run] - start);
}

/* Differences of all pairs of runs of one cell, put after the n that are there. */
static void compare_runs(const struct ct_samples *samples, double baseline_s, size_t cell,
                         double *differences, size_t *cells, size_t *n)
{
    for (size_t b = 1; b < samples->n_runs; b++)
        for (size_t a = 0; a < b; a++) {
            cells[*n] = cell;
            differences[(*n)++] = (run_mean(samples, b) - run_mean(samples, a)) / baseline_s;
        }
}

enum ct_status ct_predict_repeatability(const struct ct_measurements *measured,
                                        struct ct_predict_errors *errors_p)
{
    size_t n_apps = measured->n_apps, n_cells = n_apps * n_apps, room = 0, n = 0;
    for (size_t i = 0; i < n_cells; i++) {
        struct ct_samples beside_s =
            ct_measured_passes(measured, i / n_apps, ct_load_of_app(i % n_apps));
        room += beside_s.n_runs * beside_s.n_runs;
    }
    double *differences = malloc((room + 1) * sizeof *differences);
    double *zeros = calloc(room + 1, sizeof *zeros);
    size_t *cells = calloc(room + 1, sizeof *cells);
    enum ct_status status = differences && zeros && cells ? CT_OK : CT_ENOMEM;
    for (size_t i = 0; i < n_cells && status == CT_OK; i++) {
        struct ct_samples alone_s = ct_measured_passes(measured, i / n_apps, 0);
        struct ct_samples beside_s =
            ct_measured_passes(measured, i / n_apps, ct_load_of_app(i % n_apps));
        compare_runs(&beside_s, ct_samples_mean(alone_s.x, alone_s.n), i, differences, cells, &n);
    }
    struct ct_predict_errors errors;
    if (status == CT_OK)
        status = ct_predict_errors_of(differences, zeros, n, &errors);
    if (status == CT_OK) {
        if (errors.n > 0)
            errors.worst = cells[errors.worst];
        *errors_p = errors;
    }
    free(differences);
    free(zeros);
    free(cells);
    return status;
}
