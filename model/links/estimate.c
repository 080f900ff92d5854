#include "core/random.h"
#include "model/constants.h"
#include "model/links/solve.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REPLICATES_MIN = 20, BUSY = 0, WAIT = 1, QUANTITIES = 2, DEPENDENCES = 8 };

/* Of replicates, whose spread is a standard error: a tenth of it is exact enough. */
static const double replicate_gain = 1e-2;

/* What the idle network says of a class of paths. */
struct idle {
    double waits_above_s, undisturbed_frac;
    double mean_s;
};

struct work {
    const struct ct_link_probes *probes;
    struct ct_link_solver *solver; /* borrowed */
    struct ct_link_tally *tallies; /* [pairs] */
    struct idle *idle;             /* [n_classes] */
    size_t *pair_blocks, *idle_blocks;
    double *values_s; /* room for the idle latencies of any class */
    size_t replicates;
    double *found; /* [replicates][QUANTITIES][n_groups] */
    size_t n_dependences;
    double weight_of_dependence[DEPENDENCES]; /* [n_dependences] sum 1 */
    double *busy_frac;                        /* [n_dependences][n_groups] */
};

/* Values of q, at even distances of Kendall's tau, 1 - 1 / q; or the one that is given. */
static double find_dependence(const struct work *work, size_t i)
{
    if (work->n_dependences == 1)
        return ct_model_constant(CT_MODEL_LINK_DEPENDENCE_FLOWS);
    double at = (double)i / (DEPENDENCES - 1);
    return 1 / (1 - at * (1 - 1 / ct_model_constant(CT_MODEL_LINK_DEPENDENCE_MAX)));
}

/* Indices of a circular block bootstrap, one by one; without a generator those of the series. */
struct draw {
    uint64_t *random;
    size_t n, block, at, left;
};

static size_t next_index(struct draw *draw)
{
    if (draw->random && draw->left == 0) {
        draw->at = (size_t)(ct_random_unit(ct_random_next(draw->random)) * (double)draw->n);
        draw->left = draw->block;
    }
    size_t i = draw->at;
    draw->at = i + 1 < draw->n ? i + 1 : 0;
    if (draw->random)
        draw->left--;
    return i;
}

static void take_idle(struct work *work, uint64_t *random)
{
    double quantile = ct_model_constant(CT_MODEL_LINK_IDLE_QUANTILE);
    double margin = work->probes->are_flows ? 1 : ct_model_constant(CT_MODEL_LINK_IDLE_MARGIN);
    for (size_t k = 0; k < work->probes->n_classes; k++) {
        struct ct_series series = work->probes->idle[k];
        struct draw draw = {random, series.n, work->idle_blocks[k], 0, 0};
        size_t rank = (size_t)(quantile * (double)(series.n - 1));
        double sum_s = 0, n_below = 0, least_s = INFINITY;
        for (size_t i = 0; i < series.n; i++) {
            work->values_s[i] = series.x[next_index(&draw)];
            sum_s += work->values_s[i];
            least_s = fmin(least_s, work->values_s[i]);
        }
        ct_stats_select(work->values_s, series.n, rank);
        double above_s =
            least_s + margin * (work->values_s[rank] - least_s) + work->probes->resolution_s;
        for (size_t i = 0; i < series.n; i++)
            n_below += work->values_s[i] <= above_s;
        work->idle[k] = (struct idle){.waits_above_s = above_s,
                                      .undisturbed_frac = n_below / (double)series.n,
                                      .mean_s = sum_s / (double)series.n};
    }
}

/* What a probe that was late by so much found unused: all of a link, or nothing; in between where
 * messages are flows, and left it a part of the rate. */
static double unused_frac(const struct ct_link_probes *probes, double late_s)
{
    if (late_s <= 0)
        return 1;
    double used_frac = late_s / (late_s + probes->own_s);
    return probes->are_flows && used_frac < 0.5 ? 1 - used_frac : 0;
}

static void take_pairs(struct work *work, uint64_t *random)
{
    const double *weights = work->probes->weight_of_row;
    for (size_t p = 0; p < work->solver->n_pairs; p++) {
        struct ct_series series = work->probes->loaded[p];
        const struct idle *idle = &work->idle[work->probes->class_of_row[p]];
        struct draw draw = {random, series.n, work->pair_blocks[p], 0, 0};
        struct ct_link_tally tally = {.n = (double)series.n,
                                      .weight = weights ? weights[p] : 1,
                                      .idle_undisturbed = idle->undisturbed_frac};
        double sum_s = 0;
        for (size_t i = 0; i < series.n; i++) {
            double latency_s = series.x[next_index(&draw)];
            sum_s += latency_s;
            tally.undisturbed += unused_frac(work->probes, latency_s - idle->waits_above_s);
        }
        if (series.n > 0)
            tally.excess_s = sum_s / tally.n - idle->mean_s;
        work->tallies[p] = tally;
    }
}

/* @return the misfit */
static double solve_busy(struct work *work, size_t dependence_index, const double *start_frac,
                         double *busy_frac)
{
    const struct ct_link_fit fit = {.dependence = find_dependence(work, dependence_index),
                                    .has_prior = work->probes->are_flows,
                                    .start_frac = start_frac};
    return ct_link_solve_busy(work->solver, work->tallies, &fit, busy_frac);
}

static void weigh_probes(struct work *work, double *mean_frac)
{
    size_t n = work->solver->n_groups;
    double misfit[DEPENDENCES] = {0}, least = INFINITY, n_rows = 0, sum = 0;
    for (size_t i = 0; i < work->n_dependences; i++) {
        misfit[i] = solve_busy(work, i, NULL, work->busy_frac + i * n);
        least = fmin(least, misfit[i]);
    }
    for (size_t p = 0; p < work->solver->n_pairs; p++)
        n_rows += work->tallies[p].n > 0 ? work->tallies[p].weight : 0;
    for (size_t i = 0; i < work->n_dependences; i++) {
        work->weight_of_dependence[i] = exp((least - misfit[i]) / 2 / fmax(1, least / n_rows));
        sum += work->weight_of_dependence[i];
    }
    memset(mean_frac, 0, n * sizeof *mean_frac);
    for (size_t i = 0; i < work->n_dependences; i++) {
        work->weight_of_dependence[i] /= sum;
        for (size_t g = 0; g < n; g++)
            mean_frac[g] += work->weight_of_dependence[i] * work->busy_frac[i * n + g];
    }
}

/* values: [QUANTITIES][n_groups] */
static enum ct_status estimate_first(struct work *work, double *values, struct ct_error *err)
{
    size_t n = work->solver->n_groups;
    take_idle(work, NULL);
    take_pairs(work, NULL);
    weigh_probes(work, values + BUSY * n);
    memset(values + WAIT * n, 0, n * sizeof *values);
    return ct_link_solve_wait(work->solver, work->tallies, 0, values + WAIT * n, err);
}

static size_t draw_dependence(const struct work *work, uint64_t *random)
{
    double at = ct_random_unit(ct_random_next(random));
    size_t i = 0;
    while (i + 1 < work->n_dependences && at >= work->weight_of_dependence[i])
        at -= work->weight_of_dependence[i++];
    return i;
}

static enum ct_status estimate_again(struct work *work, uint64_t *random, double *values,
                                     struct ct_error *err)
{
    size_t n = work->solver->n_groups;
    take_idle(work, random);
    take_pairs(work, random);
    size_t i = draw_dependence(work, random);
    solve_busy(work, i, work->busy_frac + i * n, values + BUSY * n);
    return ct_link_solve_wait(work->solver, work->tallies, replicate_gain, values + WAIT * n, err);
}

/* Percentiles of the values that a group has in all replicates. sorted: [replicates] */
static struct ct_interval interval_of(const struct work *work, size_t quantity, size_t group,
                                      double level, double *sorted)
{
    size_t replicates = work->replicates;
    struct ct_interval interval = {NAN, NAN};
    size_t n = work->solver->n_groups;
    if (replicates < REPLICATES_MIN)
        return interval;
    for (size_t r = 0; r < replicates; r++)
        sorted[r] = work->found[(r * QUANTITIES + quantity) * n + group];
    ct_stats_sort(sorted, replicates);
    ct_stats_quantile(sorted, replicates, (1 - level) / 2, &interval.lo);
    ct_stats_quantile(sorted, replicates, (1 + level) / 2, &interval.hi);
    return interval;
}

/* The error of the equations added to that of the samples. */
static struct ct_interval widen_interval(struct ct_interval samples, double busy_frac, double level)
{
    if (isnan(samples.lo))
        return samples;
    double error = ct_model_constant(CT_MODEL_LINK_ERROR) * gsl_cdf_ugaussian_Pinv((1 + level) / 2);
    return (struct ct_interval){fmax(0, busy_frac - hypot(busy_frac - samples.lo, error)),
                                fmin(1, busy_frac + hypot(samples.hi - busy_frac, error))};
}

static enum ct_status resample_estimates(struct work *work, const struct ct_bootstrap *setup,
                                         struct ct_link_estimate *estimates, struct ct_error *err)
{
    size_t n = work->solver->n_groups;
    uint64_t random = setup->seed;
    double *sorted = malloc((work->replicates + 1) * sizeof *sorted);
    enum ct_status status = sorted ? CT_OK : ct_no_memory(err, "utilization of links");
    for (size_t r = 0; r < work->replicates && status == CT_OK; r++) {
        double *values = work->found + r * QUANTITIES * n;
        if (r > 0) /* to start from */
            memcpy(values, values - QUANTITIES * n, QUANTITIES * n * sizeof *values);
        status = estimate_again(work, &random, values, err);
    }
    for (size_t g = 0; g < n && status == CT_OK; g++) {
        struct ct_interval busy_ci = interval_of(work, BUSY, g, setup->level, sorted);
        estimates[g].busy_ci = widen_interval(busy_ci, estimates[g].busy_frac, setup->level);
        estimates[g].wait_ci = interval_of(work, WAIT, g, setup->level, sorted);
    }
    free(sorted);
    return status;
}

static enum ct_status check_input(const struct ct_link_system *system,
                                  const struct ct_link_probes *probes, size_t *most_p,
                                  struct ct_error *err)
{
    size_t n = 0, most = 0;
    for (size_t p = 0; p < system->paths.n; p++)
        n += probes->loaded[p].n;
    for (size_t k = 0; k < probes->n_classes; k++) {
        if (probes->idle[k].n == 0)
            return ct_fail(err, CT_ENODATA, "no idle latency of a class of paths");
        most = probes->idle[k].n > most ? probes->idle[k].n : most;
    }
    *most_p = most;
    return n > 0 ? CT_OK : ct_fail(err, CT_ENODATA, "no latency of any pair");
}

/* As many as are wanted, but on large networks fewer. */
static size_t count_replicates(const struct work *work, size_t wanted)
{
    double n_entries = (double)work->solver->equations.row_first[work->solver->equations.n_rows];
    double most = fmax(ct_model_constant(CT_MODEL_LINK_REPLICATES_MIN),
                       ct_model_constant(CT_MODEL_LINK_WORK) / fmax(1, n_entries));
    return most < (double)wanted ? (size_t)most : wanted;
}

static enum ct_status make_room(struct work *work, size_t most, struct ct_error *err)
{
    size_t replicates = work->replicates;
    const struct ct_link_probes *probes = work->probes;
    size_t n_pairs = work->solver->n_pairs, n_classes = probes->n_classes;
    work->tallies = malloc((n_pairs + 1) * sizeof *work->tallies);
    work->idle = calloc(n_classes + 1, sizeof *work->idle);
    work->pair_blocks = malloc((n_pairs + 1) * sizeof *work->pair_blocks);
    work->idle_blocks = malloc((n_classes + 1) * sizeof *work->idle_blocks);
    work->values_s = malloc((most + 1) * sizeof *work->values_s);
    work->found =
        malloc((replicates + 1) * QUANTITIES * (work->solver->n_groups + 1) * sizeof *work->found);
    work->busy_frac =
        malloc((work->n_dependences * work->solver->n_groups + 1) * sizeof *work->busy_frac);
    if (!work->tallies || !work->idle || !work->pair_blocks || !work->idle_blocks ||
        !work->values_s || !work->found || !work->busy_frac)
        return ct_no_memory(err, "utilization of links");
    for (size_t p = 0; p < n_pairs; p++)
        work->pair_blocks[p] = ct_stats_block_length(probes->loaded[p].x, probes->loaded[p].n);
    for (size_t k = 0; k < n_classes; k++)
        work->idle_blocks[k] = ct_stats_block_length(probes->idle[k].x, probes->idle[k].n);
    return CT_OK;
}

static void free_work(struct work *work)
{
    free(work->tallies);
    free(work->idle);
    free(work->pair_blocks);
    free(work->idle_blocks);
    free(work->values_s);
    free(work->found);
    free(work->busy_frac);
}

enum ct_status ct_links_estimate(const struct ct_link_system *system, const uint32_t *group,
                                 size_t n_groups, const struct ct_link_probes *probes,
                                 const struct ct_bootstrap *setup,
                                 struct ct_link_estimate *estimates, double *dependence_p,
                                 struct ct_error *err)
{
    struct ct_link_solver solver = {0};
    struct work work = {
        .probes = probes, .solver = &solver, .n_dependences = probes->are_flows ? 1 : DEPENDENCES};
    size_t most = 0;
    enum ct_status status = check_input(system, probes, &most, err);
    if (status == CT_OK)
        status = ct_link_solver_new(system, group, n_groups, &solver, err);
    work.replicates = status == CT_OK ? count_replicates(&work, setup->replicates) : 0;
    if (status == CT_OK)
        status = make_room(&work, most, err);
    if (status == CT_OK)
        status = estimate_first(&work, work.found, err);
    for (size_t g = 0; g < n_groups && status == CT_OK; g++) {
        estimates[g].busy_frac = work.found[BUSY * n_groups + g];
        estimates[g].wait_s = work.found[WAIT * n_groups + g];
    }
    double q = 0;
    for (size_t i = 0; i < work.n_dependences; i++)
        q += work.weight_of_dependence[i] * find_dependence(&work, i);
    if (status == CT_OK) {
        *dependence_p = q;
        status = resample_estimates(&work, setup, estimates, err);
    }
    free_work(&work);
    ct_link_solver_free(&solver);
    return status;
}
