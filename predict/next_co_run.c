#include "predict/next_co_run.h"

#include "predict/constants.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

/* What is known of m, r and c, in this order, and of the verdicts. */
struct chooser {
    const struct ct_next_co_run_question *question;
    size_t n_effects;
    double *covariance; /* [n_effects * n_effects], in units of s^2 */
    double *along;      /* [n_effects] covariance of each effect with a sum m + r + c */
    double *spread;     /* [n_pairs] */
    double s, z;
};

static enum ct_status make_room(const struct ct_next_co_run_question *question,
                                struct chooser *chooser)
{
    size_t n_pairs = question->n_apps * question->n_apps, n = 1 + 2 * question->n_apps;
    *chooser = (struct chooser){.question = question,
                                .n_effects = n,
                                .covariance = calloc(n * n, sizeof(double)),
                                .along = calloc(n, sizeof(double)),
                                .spread = calloc(n_pairs + 1, sizeof(double)),
                                .z = gsl_cdf_ugaussian_Pinv((1 + question->level) / 2)};
    return chooser->covariance && chooser->along && chooser->spread ? CT_OK : CT_ENOMEM;
}

static void free_chooser(struct chooser *chooser)
{
    free(chooser->covariance);
    free(chooser->along);
    free(chooser->spread);
}

/* Of m + r + c of a pair, with something that each effect has in a vector. */
static double sum_of(const struct chooser *chooser, const double *of_effect, size_t pair)
{
    size_t n = chooser->question->n_apps;
    return of_effect[0] + of_effect[1 + pair / n] + of_effect[1 + n + pair % n];
}

/* Sets along for a pair; its variance. */
static double look_along(struct chooser *chooser, size_t pair)
{
    size_t n = chooser->n_effects;
    for (size_t effect = 0; effect < n; effect++)
        chooser->along[effect] = sum_of(chooser, chooser->covariance + effect * n, pair);
    return sum_of(chooser, chooser->along, pair);
}

static void learn_co_run(struct chooser *chooser, size_t pair)
{
    size_t n = chooser->n_effects;
    double variance = look_along(chooser, pair) + 1;
    for (size_t i = 0; i < n * n; i++)
        chooser->covariance[i] -= chooser->along[i / n] * chooser->along[i % n] / variance;
}

static void learn_measured(struct chooser *chooser)
{
    const struct ct_next_co_run_question *question = chooser->question;
    double shrinkage = ct_predict_constant(CT_PREDICT_CO_RUN_SHRINKAGE);
    for (size_t effect = 0; effect < chooser->n_effects; effect++)
        chooser->covariance[effect * (chooser->n_effects + 1)] = 1 / shrinkage;
    for (size_t pair = 0; pair < question->n_apps * question->n_apps; pair++)
        if (question->pairs[pair].is_measured)
            learn_co_run(chooser, pair);
}

static double log_of(double frac)
{
    double offset = ct_predict_constant(CT_PREDICT_PROBE_OFFSET);
    return log(offset + fmax(frac, 0));
}

/* s, of the intervals of the open verdicts. */
static void find_deviation(struct chooser *chooser)
{
    const struct ct_next_co_run_question *question = chooser->question;
    size_t n = 0;
    for (size_t i = 0; i < question->n_apps * question->n_apps; i++) {
        const struct ct_next_co_run_pair *pair = &question->pairs[i];
        double width = log_of(pair->interval.hi) - log_of(pair->interval.lo);
        if (pair->is_open && isfinite(pair->interval.lo) && width > 0)
            chooser->spread[n++] = width / 2 / (chooser->z * sqrt(look_along(chooser, i) + 1));
    }
    chooser->s =
        n > 0 ? ct_stats_median(chooser->spread, n) : ct_predict_constant(CT_PREDICT_PROBE_NOISE);
}

/* How much likelier an open verdict is decided with a run, along which we look, whose sum of
 * effects has this variance. */
static double gain_for(const struct chooser *chooser, size_t pair, double before, double variance)
{
    double distance =
        fabs(log_of(chooser->question->pairs[pair].frac) - log_of(chooser->question->limit_frac)) /
        chooser->s;
    double shared = sum_of(chooser, chooser->along, pair);
    double lowered = shared * shared / (variance + 1);
    double needed = chooser->z * sqrt(fmax(before - lowered, 0) + 1), moved = sqrt(lowered);
    if (!(moved > 0) || distance > chooser->z * sqrt(before + 1))
        return 0;
    return gsl_cdf_ugaussian_P((distance - needed) / moved) +
           gsl_cdf_ugaussian_P((-distance - needed) / moved);
}

/* before: [pair] variance of the sum of effects. */
static double gain_of(struct chooser *chooser, size_t run, const double *before)
{
    const struct ct_next_co_run_question *question = chooser->question;
    double gain = 0, variance = look_along(chooser, run);
    for (size_t pair = 0; pair < question->n_apps * question->n_apps; pair++)
        if (pair == run)
            gain += question->pairs[pair].is_open ? 1 : 0;
        else if (question->pairs[pair].is_open && !isnan(question->pairs[pair].frac))
            gain += gain_for(chooser, pair, before[pair], variance);
    return gain;
}

static void choose_run(struct chooser *chooser, struct ct_next_co_run *next)
{
    const struct ct_next_co_run_question *question = chooser->question;
    size_t n = question->n_apps;
    double best = 0;
    for (size_t pair = 0; pair < n * n; pair++)
        chooser->spread[pair] = look_along(chooser, pair);
    for (size_t pair = 0; pair < n * n; pair++) {
        const struct ct_next_co_run_pair *run = &question->pairs[pair];
        next->n_open += run->is_open ? 1 : 0;
        if (run->is_measured || isnan(run->run_s))
            continue;
        double gain = gain_of(chooser, pair, chooser->spread);
        if (gain / run->run_s > best) {
            best = gain / run->run_s;
            next->is_found = true;
            next->app = pair / n;
            next->with = pair % n;
            next->n_decided = gain;
        }
    }
}

enum ct_status ct_next_co_run_choose(const struct ct_next_co_run_question *question,
                                     struct ct_next_co_run *next_p)
{
    struct ct_next_co_run next = {.is_found = false};
    struct chooser chooser;
    if (!(question->limit_frac > 0) || !(question->level > 0 && question->level < 1))
        return CT_EINVAL;
    enum ct_status status = make_room(question, &chooser);
    if (status == CT_OK) {
        learn_measured(&chooser);
        find_deviation(&chooser);
        choose_run(&chooser, &next);
        *next_p = next;
    }
    free_chooser(&chooser);
    return status;
}
