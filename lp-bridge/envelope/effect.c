#include "lp-bridge/envelope/effect.h"

#include "core/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ns_per_s = 1e9;
const double ct_effect_probabilities[CT_EFFECT_N_QUANTILES] = {0.01, 0.05, 0.25, 0.5,
                                                               0.75, 0.95, 0.99};

/* Latencies beside B by rank: a resampled series is how often each rank came up. */
struct ranking {
    double *sorted_s; /* n values, ascending */
    double *ranks;    /* n: index in sorted_s of each value, in the order of time */
    uint32_t *counts; /* n */
    size_t n;
};

struct evaluation {
    const struct ct_envelope *envelope;
    double L_ns;
    struct ranking beside;
    double *found; /* rows of CT_EFFECT_VALUES, one for each replicate */
    size_t n_found;
};

double ct_effect_end_ns(double L_ns, const struct ct_effect_probe *probe)
{
    double most_s = 0, least_s = INFINITY;
    for (size_t i = 0; i < probe->beside.n; i++)
        most_s = fmax(most_s, probe->beside.x[i]);
    for (size_t i = 0; i < probe->idle.n; i++)
        least_s = fmin(least_s, probe->idle.x[i]);
    return L_ns + fmax(most_s - least_s, 0) * ns_per_s + 1;
}

/* ---- ranks ---- */

struct ranked {
    double value;
    size_t index;
};

CT_ORDER(by_value, struct ranked, value)

static bool make_ranking(struct ct_series series, struct ranking *ranking)
{
    struct ranked *ranked = malloc(series.n * sizeof *ranked);
    *ranking = (struct ranking){.sorted_s = malloc(series.n * sizeof *ranking->sorted_s),
                                .ranks = malloc(series.n * sizeof *ranking->ranks),
                                .counts = malloc(series.n * sizeof *ranking->counts),
                                .n = series.n};
    bool ok = ranked && ranking->sorted_s && ranking->ranks && ranking->counts;
    for (size_t i = 0; i < series.n && ok; i++)
        ranked[i] = (struct ranked){series.x[i], i};
    if (ok)
        qsort(ranked, series.n, sizeof *ranked, by_value);
    for (size_t i = 0; i < series.n && ok; i++) {
        ranking->sorted_s[i] = ranked[i].value;
        ranking->ranks[ranked[i].index] = (double)i;
    }
    free(ranked);
    return ok;
}

static void free_ranking(struct ranking *ranking)
{
    free(ranking->sorted_s);
    free(ranking->ranks);
    free(ranking->counts);
}

static void count_ranks(struct ranking *ranking, const double *ranks)
{
    memset(ranking->counts, 0, ranking->n * sizeof *ranking->counts);
    for (size_t i = 0; i < ranking->n; i++)
        ranking->counts[(size_t)ranks[i]]++;
}

/* ---- one evaluation ---- */

/* T at latencies that ascend: the segment moves along. */
struct reader {
    const struct ct_envelope *envelope;
    size_t segment;
};

static double read_T_s(struct reader *reader, double L_ns)
{
    const struct ct_envelope *envelope = reader->envelope;
    while (reader->segment + 1 < envelope->n && L_ns > envelope->segments[reader->segment].hi)
        reader->segment++;
    return ct_line_at(envelope->segments[reader->segment].line, L_ns) / ns_per_s;
}

static double T_s(const struct ct_envelope *envelope, double L_ns)
{
    return read_T_s(&(struct reader){envelope, 0}, fmax(L_ns, 0));
}

static double mean_of(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum / (double)n;
}

/* Order statistics of what was counted, asked for in ascending order. */
struct counted {
    const struct ranking *ranking;
    size_t rank;     /* of the value at hand */
    uint64_t before; /* values below it */
};

static double order_statistic_s(struct counted *counted, uint64_t k)
{
    const struct ranking *ranking = counted->ranking;
    while (counted->before + ranking->counts[counted->rank] <= k)
        counted->before += ranking->counts[counted->rank++];
    return ranking->sorted_s[counted->rank];
}

/* Quantiles of T by linear interpolation between order statistics, as ct_stats_quantile(). */
static void find_quantiles(const struct evaluation *evaluation, double shift_s, double *quantiles_s)
{
    const struct ct_envelope *envelope = evaluation->envelope;
    struct counted counted = {&evaluation->beside, 0, 0};
    uint64_t last = evaluation->beside.n - 1;
    for (size_t q = 0; q < CT_EFFECT_N_QUANTILES; q++) {
        double position = ct_effect_probabilities[q] * (double)last;
        uint64_t k = (uint64_t)position;
        struct counted at = counted;
        double below = order_statistic_s(&at, k);
        counted = at;
        double above = k < last ? order_statistic_s(&at, k + 1) : below;
        double lo_s = T_s(envelope, evaluation->L_ns + (below + shift_s) * ns_per_s);
        double hi_s = T_s(envelope, evaluation->L_ns + (above + shift_s) * ns_per_s);
        quantiles_s[q] = lo_s + (position - (double)k) * (hi_s - lo_s);
    }
}

/* From the counts of ranks. */
static void evaluate_delay(const struct evaluation *evaluation, double idle_mean_s, double *value)
{
    const struct ranking *beside = &evaluation->beside;
    struct reader reader = {evaluation->envelope, 0};
    double n = (double)beside->n, sum_s = 0, sum_T_s = 0;
    for (size_t r = 0; r < beside->n; r++) {
        if (beside->counts[r] == 0)
            continue;
        double delta_s = beside->sorted_s[r] - idle_mean_s;
        double L_ns = fmax(evaluation->L_ns + delta_s * ns_per_s, 0);
        sum_s += beside->counts[r] * delta_s;
        sum_T_s += beside->counts[r] * read_T_s(&reader, L_ns);
    }
    double alone_s = T_s(evaluation->envelope, evaluation->L_ns);
    double delta_s = sum_s / n;
    value[CT_EFFECT_DELTA_L] = delta_s;
    value[CT_EFFECT_RUNTIME] = T_s(evaluation->envelope, evaluation->L_ns + delta_s * ns_per_s);
    value[CT_EFFECT_MEAN_RUNTIME] = sum_T_s / n;
    value[CT_EFFECT_SLOWDOWN] = alone_s > 0 ? value[CT_EFFECT_RUNTIME] / alone_s - 1 : NAN;
    value[CT_EFFECT_MEAN_SLOWDOWN] =
        alone_s > 0 ? value[CT_EFFECT_MEAN_RUNTIME] / alone_s - 1 : NAN;
    find_quantiles(evaluation, -idle_mean_s, value + CT_EFFECT_QUANTILES);
}

/* ---- the bootstrap: one for all values ---- */

static double evaluate_replicate(const struct ct_series *series, void *data)
{
    struct evaluation *evaluation = data;
    double *row = evaluation->found + CT_EFFECT_VALUES * evaluation->n_found++;
    count_ranks(&evaluation->beside, series[1].x);
    evaluate_delay(evaluation, mean_of(series[0].x, series[0].n), row);
    return row[CT_EFFECT_DELTA_L];
}

static enum ct_status take_intervals(const struct evaluation *evaluation, double level,
                                     struct ct_effect *effect)
{
    size_t n = evaluation->n_found;
    double tail = (1 - level) / 2, *column = malloc((n + 1) * sizeof *column);
    if (!column)
        return CT_ENOMEM;
    for (size_t v = 0; v < CT_EFFECT_VALUES; v++) {
        struct ct_interval interval = {NAN, NAN};
        for (size_t i = 0; i < n; i++)
            column[i] = evaluation->found[CT_EFFECT_VALUES * i + v];
        if (n > 0 && !isnan(effect->value[v])) {
            ct_stats_sort(column, n);
            ct_stats_quantile(column, n, tail, &interval.lo);
            ct_stats_quantile(column, n, 1 - tail, &interval.hi);
        }
        effect->interval[v] = interval;
    }
    free(column);
    return CT_OK;
}

static enum ct_status find_effect(struct evaluation *evaluation,
                                  const struct ct_effect_probe *probe,
                                  const struct ct_bootstrap *setup, struct ct_effect *effect)
{
    const struct ct_series series[] = {probe->idle,
                                       {evaluation->beside.ranks, evaluation->beside.n}};
    struct ct_interval unused;
    evaluation->found = malloc(setup->replicates * CT_EFFECT_VALUES * sizeof *evaluation->found);
    if (!evaluation->found)
        return CT_ENOMEM;
    count_ranks(&evaluation->beside, evaluation->beside.ranks);
    evaluate_delay(evaluation, mean_of(probe->idle.x, probe->idle.n), effect->value);
    enum ct_status status =
        ct_stats_bootstrap(series, 2, evaluate_replicate, evaluation, setup, &unused);
    if (status == CT_OK)
        status = take_intervals(evaluation, setup->level, effect);
    free(evaluation->found);
    return status;
}

enum ct_status ct_effect_find(const struct ct_envelope *envelope, double L_ns,
                              const struct ct_effect_probe *probe, const struct ct_bootstrap *setup,
                              struct ct_effect *effect_p, struct ct_error *err)
{
    struct evaluation evaluation = {.envelope = envelope, .L_ns = L_ns};
    struct ct_summary summary;
    struct ct_effect effect;
    enum ct_status status = ct_stats_summarize(probe->idle.x, probe->idle.n, &summary);
    if (status != CT_OK)
        return ct_fail(err, status, "latencies of the idle network: %s", ct_status_text(status));
    status = ct_stats_summarize(probe->beside.x, probe->beside.n, &summary);
    if (status != CT_OK)
        return ct_fail(err, status, "latencies beside the other application: %s",
                       ct_status_text(status));
    status = make_ranking(probe->beside, &evaluation.beside) ? CT_OK : CT_ENOMEM;
    if (status == CT_OK)
        status = find_effect(&evaluation, probe, setup, &effect);
    free_ranking(&evaluation.beside);
    if (status != CT_OK)
        return ct_fail(err, status, "effect of %zu latencies: %s", probe->beside.n,
                       ct_status_text(status));
    *effect_p = effect;
    return CT_OK;
}
