#include "study/slowdown_draws.h"

#include "study/draws.h"
#include "study/posterior_draws.h"

#include <math.h>
#include <stdlib.h>

/* ---- simulations ---- */

struct work {
    const struct ct_slowdown_draws *draws;
    struct ct_joint_setup setup;
    struct ct_joint_program *programs; /* [app] */
};

/* The replicate of a draw: as many draws as are asked for, evenly from all replicates. */
static size_t replicate_of(const struct ct_slowdown_draws *draws, size_t draw)
{
    size_t n = draws->schedules->model->replicates.n;
    size_t r = (size_t)(((double)draw + 0.5) / (double)draws->n_draws * (double)n);
    return r < n ? r : n - 1;
}

static enum ct_status ask_all(const struct ct_slowdown_draws *draws,
                              struct ct_simulation *simulation, double *values,
                              struct ct_error *err)
{
    const struct ct_predict_joint_response response = ct_simulation_response(simulation);
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < draws->questions->n && status == CT_OK; i++) {
        const struct ct_question *question = &draws->questions->items[i];
        size_t loads[CT_LINKS_JOBS_MAX];
        values[i] = NAN;
        if (question->n_with >= CT_LINKS_JOBS_MAX)
            continue;
        for (size_t k = 0; k < question->n_with; k++)
            loads[k] = ct_load_of_app(question->with[k]);
        status = response.slowdown(response.model, question->app, loads, question->n_with,
                                   &values[i], err);
        values[i] = log1p(values[i]);
    }
    return status;
}

static enum ct_status run_draw(void *data, size_t draw, double *values, struct ct_error *err)
{
    const struct work *work = data;
    const struct ct_slowdown_draws *draws = work->draws;
    const struct ct_parameters *before = draws->schedules->model;
    size_t r = replicate_of(draws, draw);
    const struct ct_parameters model = ct_parameters_replicate(before, r);
    struct ct_joint_setup setup = work->setup;
    /* The draw's; what the posterior does not have, as found for the most likely values. */
    struct ct_links_queues queues =
        ct_simulation_queues_now(draws->schedules->simulations[setup.kind]);
    struct ct_joint_draw *joint;
    ct_parameters_queues(before, r, setup.kind, &queues);
    setup.model = &model;
    enum ct_status status = ct_joint_draw_new(&setup, work->programs, before, &queues, &joint, err);
    if (status != CT_OK)
        return status;
    struct ct_simulation *simulation = ct_joint_draw_simulation(joint);
    ct_simulation_keep(simulation, draws->store);
    status = ask_all(draws, simulation, values, err);
    ct_joint_draw_free(joint);
    if (draws->log) {
        char what[64];
        snprintf(what, sizeof what, "draw %zu of %zu", draw + 1, draws->n_draws);
        ct_log_progress(draws->log, (double)draw + 1, (double)draws->n_draws, NAN, what);
    }
    return status;
}

/* ---- spreads ---- */

/* Variance of the mean of the logarithms of passes; NaN: fewer than two. */
static double mean_variance(const struct ct_samples *passes)
{
    double sum = 0, squares = 0, n = (double)passes->n;
    if (passes->n < 2 || !passes->x)
        return NAN;
    for (size_t i = 0; i < passes->n; i++)
        sum += log(passes->x[i]);
    for (size_t i = 0; i < passes->n; i++)
        squares += pow(log(passes->x[i]) - sum / n, 2);
    return squares / (n - 1) / n;
}

/* Of the mean run time alone, and of one beside a load: the median of those beside configurations,
 * since the co-run is predicted without having been measured. */
static enum ct_status runs_variance(const struct ct_study *study, size_t app, double *variance_p,
                                    struct ct_error *err)
{
    const struct ct_measurements *measured = &study->measured;
    const struct ct_samples alone = ct_measured_passes(measured, app, 0);
    double alone_variance = mean_variance(&alone), beside_variance = 0;
    double *variances = malloc((measured->n_configs + 1) * sizeof *variances);
    size_t n = 0;
    if (!variances)
        return ct_fail(err, CT_ENOMEM, "draws: out of memory");
    for (size_t c = 0; c < measured->n_configs; c++) {
        const struct ct_samples beside =
            ct_measured_passes(measured, app, ct_load_of_config(measured->n_apps, c));
        variances[n] = mean_variance(&beside);
        n += isnan(variances[n]) ? 0 : 1;
    }
    ct_stats_sort(variances, n);
    if (n > 0)
        ct_stats_quantile(variances, n, 0.5, &beside_variance);
    free(variances);
    *variance_p = (isnan(alone_variance) ? 0 : alone_variance) + beside_variance;
    return CT_OK;
}

/* Logarithms, and the standard deviation around each of them. */
struct mixture {
    const double *y;
    double deviation;
    size_t n;
};

static double probability_below(const struct mixture *mixture, double y)
{
    double sum = 0;
    for (size_t i = 0; i < mixture->n; i++) {
        double z = (y - mixture->y[i]) / mixture->deviation;
        sum += erfc(-z * M_SQRT1_2) / 2;
    }
    return sum / (double)mixture->n;
}

/* By bisection. */
static double quantile(const struct mixture *mixture, double p)
{
    enum { STEPS = 60 };
    const double wide = 10;
    double lo = INFINITY, hi = -INFINITY;
    for (size_t i = 0; i < mixture->n; i++) {
        lo = fmin(lo, mixture->y[i] - wide * mixture->deviation);
        hi = fmax(hi, mixture->y[i] + wide * mixture->deviation);
    }
    for (int i = 0; i < STEPS; i++) {
        double middle = (lo + hi) / 2;
        if (probability_below(mixture, middle) < p)
            lo = middle;
        else
            hi = middle;
    }
    return (lo + hi) / 2;
}

static struct ct_interval slowdowns_of(struct ct_interval logarithms)
{
    return (struct ct_interval){expm1(logarithms.lo), expm1(logarithms.hi)};
}

/* @param scratch  [out] n_draws numbers */
static struct ct_slowdown_spread spread_of(const struct work *work, const struct ct_draws_job *job,
                                           const double *values, size_t question,
                                           double runs_variance_of, double *scratch)
{
    static const double least_deviation = 1e-9;
    const struct ct_slowdown_draws *draws = work->draws;
    const struct ct_draws_summary of =
        ct_draws_summarize(job, values, question, draws->level, scratch);
    struct ct_slowdown_spread spread = {.predicted_frac = NAN,
                                        .parameters_frac = slowdowns_of(of.interval),
                                        .frac = {NAN, NAN},
                                        .variance_parameters = of.variance,
                                        .variance_runs = runs_variance_of};
    const struct mixture mixture = {.y = scratch, /* what is known, since the summary */
                                    .deviation = fmax(sqrt(spread.variance_runs), least_deviation),
                                    .n = of.n};
    if (mixture.n < 2)
        return spread;
    spread.predicted_frac = expm1(quantile(&mixture, 0.5));
    spread.frac = slowdowns_of((struct ct_interval){quantile(&mixture, (1 - draws->level) / 2),
                                                    quantile(&mixture, (1 + draws->level) / 2)});
    return spread;
}

/* ---- the whole ---- */

static enum ct_status make_work(const struct ct_slowdown_draws *draws, struct work *work,
                                struct ct_error *err)
{
    const struct ct_schedules *schedules = draws->schedules;
    *work = (struct work){.draws = draws,
                          .setup = ct_schedules_joint_setup(schedules, draws->study, draws->kind),
                          .programs = calloc(schedules->n_apps + 1, sizeof *work->programs)};
    if (!work->programs)
        return ct_fail(err, CT_ENOMEM, "draws: out of memory");
    for (size_t app = 0; app < schedules->n_apps; app++)
        work->programs[app] = (struct ct_joint_program){schedules->items[app].goal,
                                                        schedules->items[app].ranks_per_node};
    return CT_OK;
}

enum ct_status ct_slowdown_draws(const struct ct_slowdown_draws *draws,
                                 struct ct_slowdown_spread **spreads_p, struct ct_error *err)
{
    struct work work;
    size_t n = draws->questions->n;
    /* One draw after the other: a simulation uses all processors, and the store has one user. */
    const struct ct_draws_job job = {.n_draws = draws->n_draws,
                                     .n_values = n,
                                     .threads = 1,
                                     .evaluate = run_draw,
                                     .data = &work};
    enum ct_status status = make_work(draws, &work, err);
    double *values = malloc((draws->n_draws * (n + 1) + 1) * sizeof *values);
    struct ct_slowdown_spread *spreads = malloc((n + 1) * sizeof *spreads);
    if (status == CT_OK && !(values && spreads))
        status = ct_fail(err, CT_ENOMEM, "draws: out of memory");
    if (status == CT_OK && n > 0)
        status = ct_draws_evaluate(&job, values, err);
    if (draws->log)
        ct_log_progress_end(draws->log);
    for (size_t i = 0; i < n && status == CT_OK; i++) {
        double variance = 0;
        status = runs_variance(draws->study, draws->questions->items[i].app, &variance, err);
        spreads[i] = spread_of(&work, &job, values, i, variance, values + draws->n_draws * n);
    }
    free(values);
    free(work.programs);
    if (status == CT_OK)
        *spreads_p = spreads;
    else
        free(spreads);
    return status;
}

bool ct_slowdown_is_inside(const struct ct_question *question,
                           const struct ct_slowdown_spread *spread)
{
    double measured = question->measured.frac;
    return measured >= spread->frac.lo && measured <= spread->frac.hi;
}

struct ct_slowdown_coverage ct_slowdown_coverage(const struct ct_questions *questions,
                                                 const struct ct_slowdown_spread *spreads)
{
    struct ct_slowdown_coverage all = {.n = 0};
    for (size_t i = 0; i < questions->n; i++) {
        const struct ct_slowdown_spread *spread = &spreads[i];
        double variance = spread->variance_parameters + spread->variance_runs;
        if (isnan(questions->items[i].measured.frac) || isnan(spread->frac.lo))
            continue;
        all.n++;
        all.n_inside += ct_slowdown_is_inside(&questions->items[i], spread);
        all.width_frac += spread->frac.hi - spread->frac.lo;
        all.parameters_frac += variance > 0 ? spread->variance_parameters / variance : 0;
        all.runs_frac += variance > 0 ? spread->variance_runs / variance : 0;
    }
    double n = (double)all.n;
    all.width_frac /= n;
    all.parameters_frac /= n;
    all.runs_frac /= n;
    return all;
}
