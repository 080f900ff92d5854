#include "study/scan_compare.h"

#include "core/distribution.h"
#include "study/constants.h"

#include <math.h>
#include <stdlib.h>

/* Student's t is exact up to this level (core/distribution.h). */
static const double level_most = 1 - 1e-5;

/* Estimated variance of the logarithm of a round's factor. */
static double variance_of_round(const struct ct_scan_factor *factor, size_t n_rounds)
{
    double level = ct_study_constant(CT_STUDY_SCAN_LEVEL);
    double half = log(factor->interval.hi / factor->interval.lo) / 2;
    double error = half / ct_student_half_width(level, n_rounds - 1);
    return error * error * (double)n_rounds;
}

static bool has_interval(const struct ct_scan_row *row, int statistic)
{
    return row->n_rounds >= 2 && !isnan(row->at[statistic].interval.lo);
}

static struct ct_scan_change compare_row(const struct ct_scan_row *now,
                                         const struct ct_scan_row *before, int statistic,
                                         double level)
{
    double n = (double)now->n_rounds, m = (double)before->n_rounds;
    double sum = (n - 1) * variance_of_round(&now->at[statistic], now->n_rounds) +
                 (m - 1) * variance_of_round(&before->at[statistic], before->n_rounds);
    double half = sqrt(sum / (n + m - 2) * (1 / n + 1 / m)) *
                  ct_student_half_width(level, now->n_rounds + before->n_rounds - 2);
    double ratio = now->at[statistic].value / before->at[statistic].value;
    return (struct ct_scan_change){
        now, (enum ct_scan_statistic)statistic, ratio, {ratio * exp(-half), ratio * exp(half)}};
}

/* What both have. */
struct matched {
    const struct ct_scan_row *now, *before;
    int statistic;
};

static size_t match_rows(const struct ct_scan_sheet *now, const struct ct_scan_sheet *before,
                         struct matched *matched)
{
    size_t n = 0;
    for (size_t i = 0; i < now->n_rows; i++) {
        const struct ct_scan_row *row = &now->rows[i];
        const struct ct_scan_row *other = ct_scan_sheet_find(before, &row->scan_case, -1);
        for (int s = 0; s < CT_N_SCAN_STATISTICS && other && row->path_class == -1; s++)
            if (has_interval(row, s) && has_interval(other, s))
                matched[n++] = (struct matched){row, other, s};
    }
    return n;
}

static int compare_changes(const void *left, const void *right)
{
    const struct ct_scan_change *a = left, *b = right;
    double x = fabs(log(a->ratio)), y = fabs(log(b->ratio));
    return (x < y) - (x > y);
}

enum ct_status ct_scan_compare(const struct ct_scan_sheet *now, const struct ct_scan_sheet *before,
                               struct ct_scan_comparison *comparison_p, struct ct_error *err)
{
    size_t most = CT_N_SCAN_STATISTICS * now->n_rows + 1;
    struct matched *matched = calloc(most, sizeof *matched);
    struct ct_scan_comparison made = {.changes = calloc(most, sizeof *made.changes)};
    if (!matched || !made.changes) {
        free(matched);
        free(made.changes);
        return ct_no_memory(err, "comparison");
    }
    made.n_compared = match_rows(now, before, matched);
    double missed = 1 - ct_study_constant(CT_STUDY_SCAN_QUIET);
    made.level = fmin(level_most, 1 - missed / fmax(1, (double)made.n_compared));
    for (size_t i = 0; i < made.n_compared; i++) {
        struct ct_scan_change change =
            compare_row(matched[i].now, matched[i].before, matched[i].statistic, made.level);
        if (change.interval.lo > 1 || change.interval.hi < 1)
            made.changes[made.n_changes++] = change;
    }
    qsort(made.changes, made.n_changes, sizeof *made.changes, compare_changes);
    free(matched);
    *comparison_p = made;
    return CT_OK;
}
