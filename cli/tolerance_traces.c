/* crosstalk tolerance TRACES...: run time and tolerances of several traces of one program, and how
 * much they differ from run to run. */
#include "cli/tolerance_once.h"
#include "core/stats.h"
#include "core/units.h"

#include <math.h>
#include <stdlib.h>

static const double s_per_ns = 1e-9;
static const double level = 0.9; /* of the intervals of means */

/* What was found of a trace. */
enum quantity {
    OF_RUNTIME,
    OF_LAMBDA,
    OF_TOLERANCE,
    QUANTITIES = OF_TOLERANCE + CT_THRESHOLDS_MAX
};

struct subject {
    const struct ct_tolerance_question *question;
    char **paths; /* [n] */
    size_t n;
    double *values; /* [quantity * n + trace]: seconds, or lambda_L */
    uint32_t n_ranks;
};

/* ---- computing ---- */

static enum ct_status solve_trace(struct subject *subject, size_t trace, struct ct_error *err)
{
    struct ct_tolerance_question question = *subject->question;
    const struct ct_tolerance_settings *settings = question.settings;
    struct ct_tolerance_once once = {.runtime_ns = 0};
    question.input = ct_input_of(subject->paths[trace]);
    enum ct_status status = ct_input_check(question.input, err);
    if (status == CT_OK)
        status = ct_model_parameters(&settings->machine.model, true, &once.model, err);
    if (status == CT_OK)
        status = ct_tolerance_once_solve(&question, &once, err);
    if (status == CT_OK && trace > 0 && once.graph.n_ranks != subject->n_ranks)
        status =
            ct_fail(err, CT_EINVAL,
                    "%s: %u ranks, and %s has %u: several operands are traces of one program "
                    "on equally many ranks",
                    subject->paths[trace], once.graph.n_ranks, subject->paths[0], subject->n_ranks);
    if (status == CT_OK) {
        double *values = subject->values + trace;
        subject->n_ranks = once.graph.n_ranks;
        values[OF_RUNTIME * subject->n] = once.runtime_ns * s_per_ns;
        values[OF_LAMBDA * subject->n] = once.lambda_L;
        for (size_t i = 0; i < settings->thresholds.n; i++)
            values[(OF_TOLERANCE + i) * subject->n] = once.tolerance_ns[i] * s_per_ns;
    }
    ct_tolerance_once_free(&once);
    return status;
}

/* NaN where a trace tolerates any latency. */
static struct ct_interval interval_of(const struct subject *subject, size_t quantity)
{
    struct ct_interval interval = {NAN, NAN};
    ct_stats_mean_interval(subject->values + quantity * subject->n, subject->n, level, &interval);
    return interval;
}

static double mean_of(const struct subject *subject, size_t quantity)
{
    double sum = 0;
    for (size_t i = 0; i < subject->n; i++)
        sum += subject->values[quantity * subject->n + i];
    return sum / (double)subject->n;
}

/* Of one more run: it deviates as these do, and their mean does. NaN likewise. */
static struct ct_interval again_of(const struct subject *subject, size_t quantity)
{
    const struct ct_interval of_mean = interval_of(subject, quantity);
    double mean = mean_of(subject, quantity), wider = sqrt((double)subject->n + 1);
    return (struct ct_interval){mean - wider * (mean - of_mean.lo),
                                mean + wider * (of_mean.hi - mean)};
}

/* The smallest and the largest. */
static struct ct_interval range_of(const struct subject *subject, size_t quantity)
{
    const double *values = subject->values + quantity * subject->n;
    struct ct_interval range = {INFINITY, -INFINITY};
    for (size_t i = 0; i < subject->n; i++)
        range = (struct ct_interval){fmin(range.lo, values[i]), fmax(range.hi, values[i])};
    return range;
}

/* Largest less smallest, by the mean. */
static double spread_of(const struct subject *subject, size_t quantity)
{
    const struct ct_interval range = range_of(subject, quantity);
    double mean = mean_of(subject, quantity);
    return mean > 0 ? (range.hi - range.lo) / mean : NAN;
}

/* ---- printing ---- */

static void fill_traces(const struct subject *subject, struct ct_tables *tables)
{
    static const struct ct_column columns[] = {{"trace", "trace", CT_UNIT_NONE},
                                               {"runtime_s", "T", CT_UNIT_SECONDS},
                                               {"lambda_L", "lambda_L", CT_UNIT_COUNT}};
    CT_TABLES_BEGIN(tables, "traces", "Traces", columns);
    for (size_t i = 0; i < subject->n; i++) {
        ct_tables_cell_text(tables, subject->paths[i]);
        CT_CELL_NUMBERS(tables, subject->values[OF_RUNTIME * subject->n + i],
                        subject->values[OF_LAMBDA * subject->n + i]);
    }
}

static void fill_row(const struct subject *subject, const char *name, size_t quantity,
                     struct ct_tables *tables)
{
    const struct ct_interval interval = interval_of(subject, quantity),
                             again = again_of(subject, quantity),
                             range = range_of(subject, quantity);
    ct_tables_cell_text(tables, name);
    CT_CELL_NUMBERS(tables, mean_of(subject, quantity), interval.lo, interval.hi, fmax(again.lo, 0),
                    again.hi, range.lo, range.hi);
}

static void fill_tolerances(const struct subject *subject, struct ct_tables *tables)
{
    static const struct ct_column columns[] = {
        {"what", "mean of the traces", CT_UNIT_NONE}, {"mean_s", "mean", CT_UNIT_SECONDS},
        {"mean_lo_s", "from", CT_UNIT_SECONDS},       {"mean_hi_s", "to", CT_UNIT_SECONDS},
        {"again_lo_s", "next from", CT_UNIT_SECONDS}, {"again_hi_s", "next to", CT_UNIT_SECONDS},
        {"least_s", NULL, CT_UNIT_SECONDS},           {"most_s", NULL, CT_UNIT_SECONDS}};
    const struct ct_thresholds *thresholds = &subject->question->settings->thresholds;
    CT_TABLES_BEGIN(tables, "tolerance", "Run time, and latency that may be added", columns);
    fill_row(subject, "T", OF_RUNTIME, tables);
    for (size_t i = 0; i < thresholds->n; i++) {
        char name[40];
        snprintf(name, sizeof name, "T longer by %.4g %%", 100 * thresholds->frac[i]);
        fill_row(subject, name, OF_TOLERANCE + i, tables);
    }
}

static void answer_in_words(const struct subject *subject, struct ct_tables *tables)
{
    const struct ct_thresholds *thresholds = &subject->question->settings->thresholds;
    const struct ct_interval interval = interval_of(subject, OF_TOLERANCE);
    char mean[CT_UNITS_TEXT_MAX], from[CT_UNITS_TEXT_MAX], to[CT_UNITS_TEXT_MAX],
        of_T[CT_UNITS_TEXT_MAX], of_slope[CT_UNITS_TEXT_MAX];
    ct_format_share(spread_of(subject, OF_RUNTIME), of_T);
    if (isnan(interval.lo)) {
        ct_tables_answer(tables, "A trace tolerates any latency at +%.4g %%.",
                         100 * thresholds->frac[0]);
    } else {
        ct_format_words(mean_of(subject, OF_TOLERANCE), 3, mean);
        ct_format_words(fmax(interval.lo, 0), 3, from);
        ct_format_words(interval.hi, 3, to);
        ct_tables_answer(tables, "Adding %s [%s, %s] to every message costs %.4g %%.", mean, from,
                         to, 100 * thresholds->frac[0]);
    }
    if (mean_of(subject, OF_LAMBDA) > 0) {
        ct_format_share(spread_of(subject, OF_LAMBDA), of_slope);
        ct_tables_answer(tables,
                         "Between the %zu traces T differs by %s, and its slope in L by %s.",
                         subject->n, of_T, of_slope);
    } else {
        ct_tables_answer(tables, "Between the %zu traces T differs by %s.", subject->n, of_T);
    }
}

static enum ct_status print_findings(const struct subject *subject, struct ct_error *err)
{
    const struct ct_tolerance_settings *settings = subject->question->settings;
    struct ct_tables *tables =
        ct_tables_new(subject->question->command->name, (enum ct_format)settings->answer.format);
    ct_tables_provenance(tables, "traces", "%zu", subject->n);
    ct_tables_parameters(tables, subject->question->command, settings);
    ct_tables_provenance(tables, "ranks", "%u", subject->n_ranks);
    fill_traces(subject, tables);
    fill_tolerances(subject, tables);
    ct_tables_note(tables,
                   "from, to: %.0f %% interval of the mean over runs, by Student's t; next: of one "
                   "more run. They have what differs from run to run, and not the uncertainty of "
                   "L, o and G: that is in the interval of a single trace.",
                   100 * level);
    answer_in_words(subject, tables);
    return ct_tables_finish(tables, err);
}

enum ct_status ct_traces_answer(const struct ct_tolerance_question *question, char **paths,
                                size_t n, struct ct_error *err)
{
    struct subject subject = {.question = question, .paths = paths, .n = n};
    enum ct_status status = CT_OK;
    subject.values = calloc(QUANTITIES * n, sizeof *subject.values);
    if (!subject.values)
        return ct_no_memory(err, "%zu traces", n);
    for (size_t i = 0; i < n && status == CT_OK; i++)
        status = solve_trace(&subject, i, err);
    if (status == CT_OK)
        status = print_findings(&subject, err);
    free(subject.values);
    return status;
}
