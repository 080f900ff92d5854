#include "calibrate/calibrate.h"

#include "calibrate/chains.h"
#include "calibrate/constants.h"
#include "calibrate/posterior_state.h"
#include "core/parallel.h"
#include "core/random.h"

#include <stdlib.h>
#include <string.h>

struct ct_calibration_setup ct_calibration_default(void)
{
    return (struct ct_calibration_setup){
        .likelihood = CT_LIKELIHOOD_CORRECTED,
        .has_discrepancy = true,
        .discrepancy = {CT_PRIOR_LOG_UNIFORM, ct_calibrate_constant(CT_CALIBRATE_DISCREPANCY_LO),
                        ct_calibrate_constant(CT_CALIBRATE_DISCREPANCY_HI)},
        .group_index = ct_calibrate_constant(CT_CALIBRATE_GROUP_INDEX),
        .chains = (size_t)ct_calibrate_constant(CT_CALIBRATE_CHAINS),
        .steps = (size_t)ct_calibrate_constant(CT_CALIBRATE_STEPS),
        .warmup = (size_t)ct_calibrate_constant(CT_CALIBRATE_WARMUP),
        .thin = (size_t)ct_calibrate_constant(CT_CALIBRATE_THIN),
        .seed = 1,
        .threads = ct_parallel_processors(),
        .level = ct_calibrate_constant(CT_CALIBRATE_LEVEL)};
}

/* ---- groups ---- */

/* Draws of a group to where they belong. */
static void put_draws(const struct ct_work *work, const struct ct_group *group,
                      const struct ct_chains *chains, struct ct_posterior *posterior)
{
    size_t number = (size_t)group->number;
    for (size_t i = 0; i < work->n_draws; i++) {
        const double *z = chains->z + i * group->n_dims;
        for (size_t d = 0; d < group->n_parameters; d++)
            work->z[i * work->n_parameters + group->parameters[d]] = z[d];
        if (work->has_discrepancy)
            posterior->discrepancy[i * work->groups.n + number] =
                ct_prior_value(&work->setup->discrepancy, z[group->n_parameters]);
        posterior->log_likelihood[i] += chains->log_density[i];
    }
    memcpy(posterior->acceptance + number * chains->n_chains, chains->acceptance,
           chains->n_chains * sizeof(double));
}

static enum ct_status put_most_likely(struct ct_work *work, const struct ct_group *group,
                                      const struct ct_chains *chains, struct ct_error *err)
{
    double z[CT_SURROGATE_DIMS_MAX + 1];
    size_t best = 0;
    for (size_t i = 1; i < work->n_draws; i++)
        if (chains->log_density[i] > chains->log_density[best])
            best = i;
    memcpy(z, chains->z + best * group->n_dims, group->n_dims * sizeof *z);
    enum ct_status status = ct_group_most_likely(group, z, err);
    for (size_t d = 0; d < group->n_parameters; d++)
        work->best_z[group->parameters[d]] = z[d];
    if (work->has_discrepancy)
        work->best_discrepancy[group->number] =
            ct_prior_value(&work->setup->discrepancy, z[group->n_parameters]);
    return status;
}

static struct ct_chains_setup chains_setup(const struct ct_calibration_setup *setup, size_t n_dims)
{
    return (struct ct_chains_setup){.n_dims = n_dims,
                                    .n_chains = setup->chains,
                                    .n_warmup = setup->warmup,
                                    .n_steps = setup->steps,
                                    .thin = setup->thin,
                                    .seed = setup->seed,
                                    .threads = setup->threads};
}

static enum ct_status sample_group(struct ct_work *work, int number, struct ct_posterior *posterior,
                                   struct ct_error *err)
{
    struct ct_group group;
    struct ct_chains chains = {0};
    CT_TRY(ct_group_make(work, number, &group, err));
    struct ct_chains_setup setup = chains_setup(work->setup, group.n_dims);
    setup.log_density = ct_group_log_likelihood; /* priors are uniform in z */
    setup.data = &group;
    setup.seed = ct_random_at(setup.seed, CT_STREAM_GROUPS + (uint64_t)number);
    enum ct_status status = ct_chains_run(&setup, &chains, err);
    if (status == CT_OK) {
        put_draws(work, &group, &chains, posterior);
        status = put_most_likely(work, &group, &chains, err);
    }
    ct_chains_free(&chains);
    free(group.outputs);
    return status;
}

/* Parameters that no output depends on: their prior. Outputs that depend on none: a constant. */
static void sample_rest(const struct ct_work *work, struct ct_posterior *posterior)
{
    for (size_t d = 0; d < work->n_parameters; d++) {
        uint64_t seed = ct_random_at(ct_random_at(work->setup->seed, CT_STREAM_NO_GROUP), d);
        for (size_t i = 0; work->groups.of_parameter[d] == CT_GROUPS_NONE && i < work->n_draws; i++)
            work->z[i * work->n_parameters + d] = 2 * ct_random_unit(ct_random_at(seed, i)) - 1;
    }
    for (size_t k = 0; k < work->n_outputs; k++) {
        if (work->groups.of_output[k] != CT_GROUPS_NONE)
            continue;
        double predicted = ct_surrogate_mean(work->calibration->surrogate, k);
        double variance = ct_likelihood_variance(work->setup->likelihood, &work->data[k],
                                                 work->surrogate_variance[k], 0);
        for (size_t i = 0; i < work->n_draws; i++)
            posterior->log_likelihood[i] +=
                ct_likelihood_log(predicted, work->data[k].mean, variance);
    }
}

/* ---- the whole ---- */

static enum ct_status check_setup(const struct ct_calibration *calibration,
                                  const struct ct_calibration_setup *setup, struct ct_error *err)
{
    const struct ct_parameter discrepancy = {"discrepancy", "1", setup->discrepancy};
    if (!(setup->level > 0 && setup->level < 1))
        return ct_fail(err, CT_EINVAL, "calibration: level %g: must be between 0 and 1",
                       setup->level);
    if (!(setup->group_index >= 0 && setup->group_index < 1))
        return ct_fail(err, CT_EINVAL, "calibration: limit %g of total indices: must be in 0 .. 1",
                       setup->group_index);
    enum ct_status status =
        setup->has_discrepancy ? ct_parameters_check(&discrepancy, 1, err) : CT_OK;
    if (status == CT_OK && setup->has_discrepancy && ct_prior_value(&setup->discrepancy, -1) < 0)
        status = ct_fail(err, CT_EINVAL,
                         "parameter 'discrepancy': its prior begins at %g: must not be below 0",
                         ct_prior_value(&setup->discrepancy, -1));
    if (status == CT_OK)
        status = ct_parameters_check(calibration->parameters,
                                     ct_surrogate_n_dims(calibration->surrogate), err);
    const struct ct_chains_setup chains = chains_setup(setup, 1);
    return status == CT_OK ? ct_chains_check(&chains, err) : status;
}

static enum ct_status start_work(const struct ct_calibration *calibration,
                                 const struct ct_calibration_setup *setup, struct ct_work *work,
                                 struct ct_error *err)
{
    const struct ct_surrogate *surrogate = calibration->surrogate;
    *work = (struct ct_work){.calibration = calibration,
                             .setup = setup,
                             .n_parameters = ct_surrogate_n_dims(surrogate),
                             .n_outputs = ct_surrogate_n_outputs(surrogate),
                             .n_draws = setup->chains * setup->steps,
                             .has_discrepancy = setup->has_discrepancy &&
                                                setup->likelihood == CT_LIKELIHOOD_CORRECTED};
    work->data = calloc(work->n_outputs, sizeof *work->data);
    work->surrogate_variance = calloc(work->n_outputs, sizeof(double));
    work->z = calloc(work->n_draws * work->n_parameters + 1, sizeof(double));
    work->best_z = calloc(work->n_parameters, sizeof(double));
    work->best_discrepancy = calloc(work->n_outputs, sizeof(double)); /* groups have outputs */
    if (!work->data || !work->surrogate_variance || !work->z || !work->best_z ||
        !work->best_discrepancy)
        return ct_no_memory(err, "calibration");
    CT_TRY(ct_observed_summarize(calibration->observed, work->n_outputs, work->data, err));
    return ct_groups_find(surrogate, setup->group_index, &work->groups, err);
}

/* Errors of the surrogate and, where they count, of parameters that stay at z = 0. */
static void find_surrogate_variances(struct ct_work *work)
{
    const struct ct_surrogate *surrogate = work->calibration->surrogate;
    for (size_t i = 0; i < work->n_outputs; i++) {
        unsigned char in[CT_SURROGATE_DIMS_MAX];
        for (size_t d = 0; d < work->n_parameters; d++)
            in[d] = work->groups.of_parameter[d] == work->groups.of_output[i] &&
                    work->groups.of_output[i] != CT_GROUPS_NONE;
        work->surrogate_variance[i] = ct_surrogate_loo_variance(surrogate, i);
        if (work->setup->likelihood == CT_LIKELIHOOD_CORRECTED)
            work->surrogate_variance[i] += ct_surrogate_variance_without(surrogate, i, in);
    }
}

static void end_work(struct ct_work *work)
{
    ct_groups_free(&work->groups);
    free(work->data);
    free(work->surrogate_variance);
    free(work->z);
    free(work->best_z);
    free(work->best_discrepancy);
}

static struct ct_posterior *make_posterior(const struct ct_work *work)
{
    struct ct_posterior *posterior = calloc(1, sizeof *posterior);
    if (!posterior)
        return NULL;
    size_t n_groups = work->groups.n;
    *posterior = (struct ct_posterior){
        .n_parameters = work->n_parameters,
        .n_outputs = work->n_outputs,
        .n_groups = n_groups,
        .n_chains = work->setup->chains,
        .n_steps = work->setup->steps,
        .draws = calloc(work->n_draws * work->n_parameters, sizeof(double)),
        .log_likelihood = calloc(work->n_draws, sizeof(double)),
        .parameters = calloc(work->n_parameters, sizeof *posterior->parameters),
        .outputs = calloc(work->n_outputs, sizeof *posterior->outputs),
        .acceptance = calloc(n_groups * work->setup->chains, sizeof(double))};
    if (work->has_discrepancy) {
        posterior->discrepancy_prior = work->setup->discrepancy;
        posterior->discrepancy = calloc(work->n_draws * n_groups, sizeof(double));
        posterior->discrepancies = calloc(n_groups, sizeof *posterior->discrepancies);
    }
    if (posterior->draws && posterior->log_likelihood && posterior->parameters &&
        posterior->outputs && posterior->acceptance &&
        (!work->has_discrepancy || (posterior->discrepancy && posterior->discrepancies)))
        return posterior;
    ct_posterior_free(posterior);
    return NULL;
}

static enum ct_status sample_posterior(struct ct_work *work, struct ct_posterior *posterior,
                                       struct ct_error *err)
{
    find_surrogate_variances(work);
    for (size_t g = 0; g < work->groups.n; g++)
        CT_TRY(sample_group(work, (int)g, posterior, err));
    sample_rest(work, posterior);
    for (size_t i = 0; i < work->n_draws * work->n_parameters; i++)
        posterior->draws[i] = ct_prior_value(
            &work->calibration->parameters[i % work->n_parameters].prior, work->z[i]);
    return ct_posterior_summarize(work, posterior, err);
}

enum ct_status ct_calibrate(const struct ct_calibration *calibration,
                            const struct ct_calibration_setup *setup,
                            struct ct_posterior **posterior_p, struct ct_error *err)
{
    struct ct_work work;
    CT_TRY(check_setup(calibration, setup, err));
    enum ct_status status = start_work(calibration, setup, &work, err);
    struct ct_posterior *posterior = status == CT_OK ? make_posterior(&work) : NULL;
    if (status == CT_OK)
        status =
            posterior ? sample_posterior(&work, posterior, err) : ct_no_memory(err, "calibration");
    end_work(&work);
    if (status == CT_OK)
        *posterior_p = posterior;
    else
        ct_posterior_free(posterior);
    return status;
}

void ct_posterior_free(struct ct_posterior *posterior)
{
    if (!posterior)
        return;
    free(posterior->draws);
    free(posterior->discrepancy);
    free(posterior->log_likelihood);
    free(posterior->parameters);
    free(posterior->outputs);
    free(posterior->discrepancies);
    free(posterior->acceptance);
    free(posterior);
}
