#include "model/links/prior.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of variances: links that are all alike. */
static const double least_variance = 1e-6;

enum ct_status ct_link_prior_new(const struct ct_link_system *system, const uint32_t *group,
                                 size_t n_groups, struct ct_link_prior *prior_p,
                                 struct ct_error *err)
{
    struct ct_link_prior *prior = prior_p;
    *prior = (struct ct_link_prior){.n_groups = n_groups, .n_kinds = 1};
    for (size_t d = 0; d < system->n_directions && system->kind; d++)
        if (system->kind[d] >= prior->n_kinds)
            prior->n_kinds = (size_t)system->kind[d] + 1;
    prior->kind = calloc(n_groups + 1, sizeof *prior->kind);
    prior->rate = malloc((n_groups + 1) * sizeof *prior->rate);
    prior->mean = calloc(prior->n_kinds, sizeof *prior->mean);
    prior->information = calloc(prior->n_kinds, sizeof *prior->information);
    prior->size = calloc(prior->n_kinds, sizeof *prior->size);
    if (!prior->kind || !prior->rate || !prior->mean || !prior->information || !prior->size)
        return ct_no_memory(err, "utilization of links");
    for (size_t d = system->n_directions; d-- > 0;) {
        prior->kind[group[d]] = system->kind ? system->kind[d] : 0;
        prior->rate[group[d]] = system->relative_rate ? system->relative_rate[d] : 1;
    }
    for (size_t g = 0; g < n_groups; g++)
        prior->size[prior->kind[g]]++;
    return CT_OK;
}

void ct_link_prior_free(struct ct_link_prior *prior)
{
    free(prior->kind);
    free(prior->rate);
    free(prior->mean);
    free(prior->information);
    free(prior->size);
    *prior = (struct ct_link_prior){0};
}

void ct_link_prior_start(struct ct_link_prior *prior, const double *y)
{
    double sum = 0;
    for (size_t g = 0; g < prior->n_groups; g++)
        sum += y[g] * prior->rate[g];
    double mean = prior->n_groups > 0 ? sum / (double)prior->n_groups : 0;
    for (size_t k = 0; k < prior->n_kinds; k++)
        prior->mean[k] = mean;
    prior->within = prior->between = fmax(mean * mean, least_variance);
    prior->dispersion = 1;
}

double ct_link_prior_mean(const struct ct_link_prior *prior, size_t group)
{
    return prior->mean[prior->kind[group]] / prior->rate[group];
}

static void improve_within(struct ct_link_prior *prior, const double *y, const double *known)
{
    double sum = 0, n = 0;
    memset(prior->information, 0, prior->n_kinds * sizeof *prior->information);
    for (size_t g = 0; g < prior->n_groups; g++)
        if (known[g] > 0) {
            double off = y[g] - ct_link_prior_mean(prior, g);
            double variance = prior->dispersion / known[g];
            sum += off * off + 1 / (1 / variance + 1 / prior->within);
            prior->information[prior->kind[g]] += 1 / (variance + prior->within);
            n++;
        }
    if (n > 0)
        prior->within = fmax(sum / n, least_variance);
}

static void take_means(struct ct_link_prior *prior, const double *y)
{
    memset(prior->mean, 0, prior->n_kinds * sizeof *prior->mean);
    for (size_t g = 0; g < prior->n_groups; g++)
        prior->mean[prior->kind[g]] += y[g] * prior->rate[g] / prior->size[prior->kind[g]];
}

/* Means of kinds nearer to the mean of all, the less is known of them. */
static void improve_means(struct ct_link_prior *prior)
{
    double weights = 0, sum = 0, squares = 0, n = 0;
    for (size_t k = 0; k < prior->n_kinds; k++)
        if (prior->information[k] > 0) {
            double weight = 1 / (1 / prior->information[k] + prior->between);
            weights += weight;
            sum += weight * prior->mean[k];
        }
    if (!(weights > 0))
        return;
    double all = sum / weights, by_all = 1 / prior->between;
    for (size_t k = 0; k < prior->n_kinds; k++) {
        double known = prior->information[k];
        prior->mean[k] = (known * prior->mean[k] + by_all * all) / (known + by_all);
        if (known > 0) {
            squares += pow(prior->mean[k] - all, 2) + 1 / (known + by_all);
            n++;
        }
    }
    prior->between = fmax(squares / n, least_variance);
}

double ct_link_prior_precision(const struct ct_link_prior *prior)
{
    return prior->dispersion / prior->within;
}

void ct_link_prior_improve(struct ct_link_prior *prior, const double *y, const double *known,
                           double misfit, double n)
{
    prior->dispersion = n > 0 ? fmax(1, misfit / n) : 1;
    improve_within(prior, y, known);
    take_means(prior, y);
    improve_means(prior);
}
