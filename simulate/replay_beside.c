/* Many replays: from random starts. */
#include "core/random.h"
#include "simulate/replay.h"

#include <gsl/gsl_rng.h>
#include <stdlib.h>

struct work {
    const struct ct_replay *replay;
    const struct ct_replay_setup *setup;
    gsl_rng *rng;
    double *runtime_ns; /* starts */
};

static enum ct_status no_memory(struct ct_error *err)
{
    return ct_fail(err, CT_ENOMEM, "replay: out of memory");
}

/* The whole series, or one sample of its mean. */
static enum ct_status make_delay(const struct work *work, const struct ct_delay_samples *samples,
                                 struct ct_delay **delay_p, struct ct_error *err)
{
    if (!work->setup->is_constant || samples->n == 0)
        return ct_delay_new(samples, delay_p, err);
    double sum_ns = 0;
    for (size_t i = 0; i < samples->n; i++)
        sum_ns += samples->extra_ns[i];
    double mean_ns = sum_ns / (double)samples->n;
    struct ct_delay_samples mean = *samples;
    mean.extra_ns = &mean_ns;
    mean.n = 1;
    return ct_delay_new(&mean, delay_p, err);
}

/* One start in each of equal parts of the period. */
static enum ct_status replay_starts(struct work *work, const struct ct_delay_samples *samples,
                                    double *mean_ns_p, struct ct_error *err)
{
    struct ct_delay *delay;
    enum ct_status status = make_delay(work, samples, &delay, err);
    if (status != CT_OK)
        return status;
    size_t n = work->setup->starts;
    struct ct_replay_load load = {.delay = delay, .half_delay_ns = work->setup->half_delay_ns};
    double sum_ns = 0;
    for (size_t i = 0; i < n && status == CT_OK; i++) {
        load.offset_ns = ((double)i + gsl_rng_uniform(work->rng)) / (double)n * samples->period_ns;
        status = ct_replay_runtime(work->replay, &load, &work->runtime_ns[i], err);
        sum_ns += work->runtime_ns[i];
    }
    ct_delay_free(delay);
    *mean_ns_p = sum_ns / (double)n;
    return status;
}

static enum ct_status replay_all(struct work *work, const struct ct_delay_samples *samples,
                                 struct ct_replay_answer *answer, struct ct_error *err)
{
    enum ct_status status = replay_starts(work, samples, &answer->mean_ns, err);
    if (status != CT_OK)
        return status;
    for (size_t i = 0; i < work->setup->starts; i++)
        answer->runtime_ns[i] = work->runtime_ns[i];
    ct_stats_sort(answer->runtime_ns, work->setup->starts);
    return CT_OK;
}

enum ct_status ct_replay_beside(const struct ct_replay *replay,
                                const struct ct_delay_samples *samples,
                                const struct ct_replay_setup *setup,
                                struct ct_replay_answer *answer_p, struct ct_error *err)
{
    if (setup->starts == 0 || !(setup->half_delay_ns > 0))
        return ct_fail(err, CT_EINVAL, "replay: %zu starts, K = %g ns; both must be above 0",
                       setup->starts, setup->half_delay_ns);
    struct work work = {replay, setup, gsl_rng_alloc(gsl_rng_mt19937),
                        malloc(setup->starts * sizeof(double))};
    struct ct_replay_answer answer = {.runtime_ns = malloc(setup->starts * sizeof(double))};
    enum ct_status status = CT_OK;
    if (!work.rng || !work.runtime_ns || !answer.runtime_ns)
        status = no_memory(err);
    if (status == CT_OK) {
        /* The generator takes 32 bits. */
        gsl_rng_set(work.rng, ct_random_fold(setup->seed));
        status = replay_all(&work, samples, &answer, err);
    }
    gsl_rng_free(work.rng);
    free(work.runtime_ns);
    if (status == CT_OK)
        *answer_p = answer;
    else
        ct_replay_answer_free(&answer);
    return status;
}

void ct_replay_answer_free(struct ct_replay_answer *answer)
{
    free(answer->runtime_ns);
    *answer = (struct ct_replay_answer){0};
}
