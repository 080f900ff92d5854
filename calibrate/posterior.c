/* Summaries of a posterior, and whether to believe it. */
#include "calibrate/calibrate.h"
#include "calibrate/chains.h"
#include "calibrate/constants.h"
#include "calibrate/posterior_state.h"
#include "core/random.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

/* ---- parameters ---- */

/* Mean of values, and their interval; they are sorted. */
static double summarize_values(double *values, size_t n, double level,
                               struct ct_interval *interval_p)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    ct_stats_sort(values, n);
    ct_stats_quantile(values, n, (1 - level) / 2, &interval_p->lo);
    ct_stats_quantile(values, n, (1 + level) / 2, &interval_p->hi);
    return sum / (double)n;
}

static double variance_around(const double *values, size_t n, double mean)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (values[i] - mean) * (values[i] - mean);
    return sum / (double)n;
}

/* Of values in column `column` of `n_columns`. @param scratch n_draws */
static void summarize_column(const struct ct_work *work, const double *values, size_t n_columns,
                             size_t column, double *scratch, struct ct_posterior_parameter *summary)
{
    const struct ct_chain_values chains = {values + column, n_columns, work->setup->chains,
                                           work->setup->steps};
    for (size_t i = 0; i < work->n_draws; i++)
        scratch[i] = values[i * n_columns + column];
    summary->mean =
        summarize_values(scratch, work->n_draws, work->setup->level, &summary->interval);
    summary->deviation = sqrt(variance_around(scratch, work->n_draws, summary->mean));
    ct_stats_quantile(scratch, work->n_draws, 0.5, &summary->median);
    bool is_sampled = summary->group != CT_CALIBRATION_NO_GROUP;
    summary->r_hat = is_sampled ? ct_chains_r_hat(&chains) : NAN;
    summary->effective = is_sampled ? ct_chains_effective(&chains) : NAN;
}

static void worsen_summary(struct ct_posterior *posterior,
                           const struct ct_posterior_parameter *summary)
{
    posterior->r_hat = fmax(posterior->r_hat, summary->r_hat); /* NaN: the other one */
    posterior->effective = fmin(posterior->effective, summary->effective);
}

static void summarize_parameters(const struct ct_work *work, struct ct_posterior *posterior,
                                 double *scratch)
{
    posterior->r_hat = posterior->effective = NAN;
    for (size_t d = 0; d < work->n_parameters; d++) {
        struct ct_posterior_parameter *summary = &posterior->parameters[d];
        summary->group = work->groups.of_parameter[d];
        summary->most_likely =
            ct_prior_value(&work->calibration->parameters[d].prior, work->best_z[d]);
        summarize_column(work, posterior->draws, work->n_parameters, d, scratch, summary);
        worsen_summary(posterior, summary);
    }
    for (size_t g = 0; work->has_discrepancy && g < work->groups.n; g++) {
        struct ct_posterior_parameter *summary = &posterior->discrepancies[g];
        summary->group = (int)g;
        summary->most_likely = work->best_discrepancy[g];
        summarize_column(work, posterior->discrepancy, work->groups.n, g, scratch, summary);
        worsen_summary(posterior, summary);
    }
}

/* ---- outputs ---- */

static double discrepancy_of(const struct ct_work *work, const struct ct_posterior *posterior,
                             size_t draw, int group)
{
    return work->has_discrepancy && group != CT_GROUPS_NONE
               ? posterior->discrepancy[draw * work->groups.n + (size_t)group]
               : 0;
}

/* Values of one output at all draws. @param predicted [draw * n_outputs + output] @param values
 * n_draws */
static void summarize_output(const struct ct_work *work, const struct ct_posterior *posterior,
                             size_t k, const double *predicted, double *values, gsl_rng *rng)
{
    struct ct_posterior_output *output = &posterior->outputs[k];
    const struct ct_observed_summary *data = &work->data[k];
    double surrogate = ct_surrogate_loo_variance(work->calibration->surrogate, k);
    for (size_t i = 0; i < work->n_draws; i++)
        values[i] = predicted[i * work->n_outputs + k];
    output->mean = summarize_values(values, work->n_draws, work->setup->level, &output->interval);
    output->variance_parameters = variance_around(values, work->n_draws, output->mean);
    output->variance_model = surrogate;
    output->variance_runs = data->variance;
    for (size_t i = 0; i < work->n_draws; i++) {
        double error = discrepancy_of(work, posterior, i, output->group) * data->scale;
        double variance = surrogate + error * error + data->variance;
        output->variance_model += error * error / (double)work->n_draws;
        values[i] = predicted[i * work->n_outputs + k] + gsl_ran_gaussian(rng, sqrt(variance));
    }
    summarize_values(values, work->n_draws, work->setup->level, &output->run);
}

static void summarize_most_likely(const struct ct_work *work, struct ct_posterior *posterior,
                                  double *values)
{
    ct_surrogate_evaluate(work->calibration->surrogate, work->best_z, values);
    posterior->misfit = 0;
    for (size_t k = 0; k < work->n_outputs; k++) {
        struct ct_posterior_output *output = &posterior->outputs[k];
        output->group = work->groups.of_output[k];
        output->measured = work->data[k].mean;
        output->most_likely = values[k];
        double discrepancy =
            output->group == CT_GROUPS_NONE ? 0 : work->best_discrepancy[output->group];
        double variance = ct_likelihood_variance(work->setup->likelihood, &work->data[k],
                                                 work->surrogate_variance[k], discrepancy);
        output->misfit = (values[k] - output->measured) / sqrt(variance);
        posterior->misfit += output->misfit * output->misfit;
    }
}

/* Outputs at n random points of the prior. */
static void predict_prior(const struct ct_work *work, gsl_rng *rng, size_t n, double *predicted)
{
    double z[CT_SURROGATE_DIMS_MAX];
    for (size_t i = 0; i < n; i++) {
        for (size_t d = 0; d < work->n_parameters; d++)
            z[d] = gsl_ran_flat(rng, -1, 1);
        ct_surrogate_evaluate(work->calibration->surrogate, z, predicted + i * work->n_outputs);
    }
}

static void summarize_outputs(const struct ct_work *work, struct ct_posterior *posterior,
                              double *predicted, double *scratch, gsl_rng *rng)
{
    size_t n = work->n_draws;
    gsl_rng_set(rng, ct_random_fold(ct_random_at(work->setup->seed, CT_STREAM_PRIOR)));
    predict_prior(work, rng, n, predicted);
    for (size_t k = 0; k < work->n_outputs; k++) {
        for (size_t i = 0; i < n; i++)
            scratch[i] = predicted[i * work->n_outputs + k];
        posterior->outputs[k].prior_mean =
            summarize_values(scratch, n, work->setup->level, &posterior->outputs[k].prior);
    }
    summarize_most_likely(work, posterior, predicted);
    for (size_t i = 0; i < n; i++)
        ct_surrogate_evaluate(work->calibration->surrogate, work->z + i * work->n_parameters,
                              predicted + i * work->n_outputs);
    gsl_rng_set(rng, ct_random_fold(ct_random_at(work->setup->seed, CT_STREAM_RUNS)));
    for (size_t k = 0; k < work->n_outputs; k++)
        summarize_output(work, posterior, k, predicted, scratch, rng);
}

enum ct_status ct_posterior_summarize(const struct ct_work *work, struct ct_posterior *posterior,
                                      struct ct_error *err)
{
    double *scratch = malloc(work->n_draws * sizeof *scratch);
    double *predicted = malloc(work->n_draws * work->n_outputs * sizeof *predicted);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    enum ct_status status = CT_OK;
    if (scratch && predicted && rng) {
        summarize_parameters(work, posterior, scratch);
        summarize_outputs(work, posterior, predicted, scratch, rng);
    } else {
        status = ct_no_memory(err, "calibration");
    }
    free(scratch);
    free(predicted);
    gsl_rng_free(rng);
    return status;
}

/* ---- doubts ---- */

/* Draws that pile up at a bound of their prior. */
struct pile {
    const char *name; /* NULL: none */
    const struct ct_prior *prior;
    double side; /* -1 or 1 */
    double share;
};

/* Whether more of a column's draws than those of the pile so far are next to a bound. */
static void look_at(const struct ct_posterior *posterior, const double *column, size_t stride,
                    const char *name, const struct ct_prior *prior, double side, struct pile *pile)
{
    const double edge = 1 - 2 * ct_calibrate_constant(CT_CALIBRATE_PILE_EDGE);
    double bound = ct_prior_value(prior, side * edge);
    size_t n = posterior->n_chains * posterior->n_steps, n_there = 0;
    for (size_t i = 0; i < n; i++)
        n_there += side * (column[i * stride] - bound) > 0;
    if ((double)n_there / (double)n > pile->share)
        *pile = (struct pile){name, prior, side, (double)n_there / (double)n};
}

/* The highest pile above pile_share. Little discrepancy is no doubt. */
static struct pile find_pile(const struct ct_calibration *calibration,
                             const struct ct_posterior *posterior)
{
    struct pile pile = {.share = ct_calibrate_constant(CT_CALIBRATE_PILE_SHARE)};
    for (size_t d = 0; d < posterior->n_parameters; d++)
        for (int upper = 0; upper <= 1; upper++)
            look_at(posterior, posterior->draws + d, posterior->n_parameters,
                    calibration->parameters[d].name, &calibration->parameters[d].prior,
                    upper ? 1 : -1, &pile);
    for (size_t g = 0; posterior->discrepancy && g < posterior->n_groups; g++)
        look_at(posterior, posterior->discrepancy + g, posterior->n_groups, "discrepancy",
                &posterior->discrepancy_prior, 1, &pile);
    return pile;
}

enum ct_status ct_posterior_check(const struct ct_calibration *calibration,
                                  const struct ct_posterior *posterior, struct ct_error *err)
{
    size_t worst = 0;
    const struct pile pile = find_pile(calibration, posterior);
    for (size_t k = 1; k < posterior->n_outputs; k++)
        if (fabs(posterior->outputs[k].misfit) > fabs(posterior->outputs[worst].misfit))
            worst = k;
    double most = gsl_cdf_chisq_Qinv(ct_calibrate_constant(CT_CALIBRATE_MISFIT_PROBABILITY),
                                     (double)posterior->n_outputs);
    if (posterior->misfit <= most && !pile.name)
        return CT_OK;
    const struct ct_posterior_output *output = &posterior->outputs[worst];
    char bound[200] = "";
    if (pile.name)
        snprintf(bound, sizeof bound, "; %.0f %% of the draws of '%.60s' are at its %s bound %g",
                 100 * pile.share, pile.name, pile.side > 0 ? "upper" : "lower",
                 ct_prior_value(pile.prior, pile.side));
    return ct_fail(
        err, CT_EINVAL,
        "the priors exclude the measurements: %.80s is %g at the most likely values, and "
        "was measured as %g, %.1f standard deviations away; chi-square is %.1f of %zu "
        "outputs%s: widen the prior, or correct the model",
        calibration->observed[worst].name, output->most_likely, output->measured,
        fabs(output->misfit), posterior->misfit, posterior->n_outputs, bound);
}

enum ct_status ct_posterior_converged(const struct ct_calibration *calibration,
                                      const struct ct_posterior *posterior, struct ct_error *err)
{
    const double most = ct_calibrate_constant(CT_CALIBRATE_R_HAT_MAX);
    if (posterior->r_hat <= most)
        return CT_OK;
    const char *name = "discrepancy";
    for (size_t d = 0; d < posterior->n_parameters; d++)
        if (posterior->parameters[d].r_hat >= posterior->r_hat)
            name = calibration->parameters[d].name;
    return ct_fail(err, CT_ENODATA,
                   "the chains disagree about '%.80s': R-hat %.3f, more than %g: take more steps",
                   name, posterior->r_hat, most);
}
