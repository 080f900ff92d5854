#include "predict/compare.h"

#include "core/random.h"
#include "predict/analysis.h"
#include "predict/constants.h"

#include <math.h>
#include <stdlib.h>

/* Differences of the pairs that both answer. */
struct pairs {
    struct pair {
        size_t app, with;
        double difference;
    } * items;
    size_t n;
};

static enum ct_status list_pairs(const double *off, const double *other, size_t n_apps,
                                 struct pairs *pairs)
{
    *pairs = (struct pairs){.items = malloc((n_apps * n_apps + 1) * sizeof *pairs->items)};
    if (!pairs->items)
        return CT_ENOMEM;
    for (size_t i = 0; i < n_apps * n_apps; i++)
        if (!isnan(off[i]) && !isnan(other[i]))
            pairs->items[pairs->n++] = (struct pair){i / n_apps, i % n_apps, off[i] - other[i]};
    return CT_OK;
}

/* Applications that take part, numbered anew in their order: nobody else is drawn. */
static size_t number_apps(struct pairs *pairs, size_t n_apps, size_t *numbers)
{
    size_t n = 0;
    for (size_t app = 0; app < n_apps; app++)
        numbers[app] = 0;
    for (size_t i = 0; i < pairs->n; i++)
        numbers[pairs->items[i].app] = numbers[pairs->items[i].with] = 1;
    for (size_t app = 0; app < n_apps; app++)
        if (numbers[app])
            numbers[app] = n++;
    for (size_t i = 0; i < pairs->n; i++) {
        pairs->items[i].app = numbers[pairs->items[i].app];
        pairs->items[i].with = numbers[pairs->items[i].with];
    }
    return n;
}

/* Weighted by how often the applications of a pair were drawn; NaN: no pair was. */
static double mean_of(const struct pairs *pairs, const size_t *times)
{
    double sum = 0, weights = 0;
    for (size_t i = 0; i < pairs->n; i++) {
        const struct pair *pair = &pairs->items[i];
        double weight = (double)times[pair->app];
        if (pair->app != pair->with)
            weight *= (double)times[pair->with];
        sum += weight * pair->difference;
        weights += weight;
    }
    return weights > 0 ? sum / weights : NAN;
}

static enum ct_status resample_pairs(const struct pairs *pairs, size_t n, size_t *times,
                                     const struct ct_bootstrap *setup,
                                     struct ct_interval *interval_p)
{
    double *values = malloc(setup->replicates * sizeof *values);
    gsl_rng *rng = ct_predict_rng(setup->seed);
    enum ct_status status = values && rng ? CT_OK : CT_ENOMEM;
    for (size_t r = 0; r < setup->replicates && status == CT_OK; r++) {
        ct_predict_rng_set(rng, ct_random_at(setup->seed, r));
        for (size_t app = 0; app < n; app++)
            times[app] = 0;
        for (size_t i = 0; i < n; i++)
            times[gsl_rng_uniform_int(rng, n)]++;
        values[r] = mean_of(pairs, times);
    }
    if (status == CT_OK)
        *interval_p = ct_predict_interval_of(values, setup->replicates, setup->level);
    free(values);
    if (rng)
        gsl_rng_free(rng);
    return status;
}

enum ct_status ct_predict_compare(const double *off, const double *other, size_t n_apps,
                                  const struct ct_bootstrap *setup,
                                  struct ct_predict_comparison *comparison_p)
{
    if (setup->replicates < 20 || !(setup->level > 0 && setup->level < 1))
        return CT_EINVAL;
    struct ct_predict_comparison comparison = {.difference_frac = NAN, .interval = {NAN, NAN}};
    struct pairs pairs;
    size_t *times = malloc((n_apps + 1) * sizeof *times);
    enum ct_status status = list_pairs(off, other, n_apps, &pairs);
    if (!times)
        status = CT_ENOMEM;
    if (status == CT_OK) {
        comparison.n = pairs.n;
        comparison.n_apps = number_apps(&pairs, n_apps, times);
        for (size_t app = 0; app < comparison.n_apps; app++)
            times[app] = 1;
        comparison.difference_frac = mean_of(&pairs, times);
        if (comparison.n_apps >= ct_predict_count(CT_PREDICT_COMPARE_LEAST))
            status = resample_pairs(&pairs, comparison.n_apps, times, setup, &comparison.interval);
    }
    free(pairs.items);
    free(times);
    if (status == CT_OK)
        *comparison_p = comparison;
    return status;
}
