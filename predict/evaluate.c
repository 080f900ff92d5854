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

enum ct_status ct_predict_evaluate(const struct ct_predict_case *cases, const double *measured,
                                   size_t n, struct ct_predict_evaluation *evaluation_p)
{
    struct ct_predict_evaluation evaluation = {.mean_width_frac = NAN};
    double *predicted = calloc(2 * n + 1, sizeof *predicted), width = 0;
    if (!predicted)
        return CT_ENOMEM;
    double *ones = predicted + n;
    for (size_t i = 0; i < n; i++) {
        const struct ct_prediction *prediction = &cases[i].prediction;
        predicted[i] = prediction->slowdown_frac;
        if (isnan(measured[i]) || isnan(prediction->interval.lo))
            continue;
        evaluation.n_intervals++;
        evaluation.n_covered +=
            prediction->interval.lo <= measured[i] && measured[i] <= prediction->interval.hi;
        width += prediction->interval.hi - prediction->interval.lo;
    }
    if (evaluation.n_intervals > 0)
        evaluation.mean_width_frac = width / (double)evaluation.n_intervals;
    enum ct_status status = ct_predict_errors_of(predicted, measured, n, &evaluation.slowdown);
    for (size_t i = 0; i < n; i++) {
        predicted[i] = (1 + predicted[i]) / (1 + measured[i]);
        ones[i] = 1;
    }
    if (status == CT_OK)
        status = ct_predict_errors_of(predicted, ones, n, &evaluation.time);
    free(predicted);
    if (status == CT_OK)
        *evaluation_p = evaluation;
    return status;
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
