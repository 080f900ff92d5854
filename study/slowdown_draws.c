#include "study/slowdown_draws.h"

#include "core/draws.h"
#include "predict/conformal.h"
#include "predict/simulator_error.h"

#include <math.h>
#include <stdlib.h>

/* ---- simulations ---- */

struct work {
    const struct ct_slowdown_draws *draws;
    struct ct_simulator_case *cases;  /* n_cases; first those of co-runs */
    size_t n_cases, n_co_runs, least; /* least: number from which an error is known */
    bool *counts;                     /* [n_cases] */
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
        struct ct_joint_slowdown slowdown = {NAN, NAN};
        size_t loads[CT_SIMULATE_JOBS_MAX];
        values[i] = NAN;
        if (question->n_with >= CT_SIMULATE_JOBS_MAX)
            continue;
        for (size_t k = 0; k < question->n_with; k++)
            loads[k] = ct_load_of_app(question->with[k]);
        status = response.slowdown(response.model, question->app, loads, question->n_with,
                                   &slowdown, err);
        values[i] = log1p(slowdown.frac);
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
    /* The draw's; what the posterior does not have, as found for the most likely values. */
    struct ct_port_queues queues = ct_simulation_queues_now(draws->schedules->simulation);
    struct ct_simulation *simulation;
    ct_parameters_queues(before, r, &queues);
    CT_TRY(
        ct_schedules_simulate(draws->schedules, draws->study, &model, &queues, &simulation, err));
    enum ct_status status = ask_all(draws, simulation, values, err);
    ct_simulation_free(simulation);
    if (draws->log) {
        char what[64];
        snprintf(what, sizeof what, "draw %zu of %zu", draw + 1, draws->n_draws);
        ct_log_progress(draws->log, (double)draw + 1, (double)draws->n_draws, NAN, what);
    }
    return status;
}

/* ---- scatter of runs ---- */

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

static double known_or_0(double variance)
{
    return isnan(variance) ? 0 : variance;
}

/* Of ln(T / T_0) of an application beside a load that was measured. */
static double variance_beside(const struct ct_study *study, size_t app, size_t load)
{
    const struct ct_samples alone = ct_measured_passes(&study->measured, app, 0),
                            beside = ct_measured_passes(&study->measured, app, load);
    return known_or_0(mean_variance(&alone)) + mean_variance(&beside);
}

/* Of the mean run time alone, and of one beside a load: the median of those beside configurations,
 * since the co-run is predicted without having been measured. */
static enum ct_status runs_variance(const struct ct_study *study, size_t app, double *variance_p,
                                    struct ct_error *err)
{
    const struct ct_measurements *measured = &study->measured;
    const struct ct_samples alone = ct_measured_passes(measured, app, 0);
    double median = mean_variance(&alone);
    double *variances = malloc((measured->n_configs + 1) * sizeof *variances);
    size_t n = 0;
    if (!variances)
        return ct_no_memory(err, "draws");
    for (size_t c = 0; c < measured->n_configs; c++) {
        variances[n] = variance_beside(study, app, ct_load_of_config(measured->n_apps, c));
        n += isnan(variances[n]) ? 0 : 1;
    }
    ct_stats_sort(variances, n);
    if (n > 0)
        ct_stats_quantile(variances, n, 0.5, &median);
    free(variances);
    *variance_p = known_or_0(median);
    return CT_OK;
}

/* ---- the simulator's own error ---- */

static bool is_steady(const struct ct_study *study, size_t load)
{
    size_t n_apps = study->measured.n_apps;
    return load < ct_load_of_config(n_apps, 0) ||
           !study->configs[load - ct_load_of_config(n_apps, 0)].config.burst.given;
}

static enum ct_status add_case(struct work *work, size_t app, size_t load, struct ct_error *err)
{
    const struct ct_slowdown_draws *draws = work->draws;
    const struct ct_measurements *measured = &draws->study->measured;
    const struct ct_samples alone = ct_measured_passes(measured, app, 0),
                            beside = ct_measured_passes(measured, app, load);
    const struct ct_predict_joint_response response =
        ct_simulation_response(draws->schedules->simulation);
    struct ct_simulator_case one = {.measured = log1p(ct_measured_slowdown(&beside, &alone)),
                                    .variance = variance_beside(draws->study, app, load),
                                    .app = app,
                                    .with = load};
    struct ct_joint_slowdown slowdown = {NAN, NAN};
    if (!isfinite(one.measured) || !is_steady(draws->study, load))
        return CT_OK;
    enum ct_status status = response.slowdown(response.model, app, &load, 1, &slowdown, err);
    one.simulated = log1p(slowdown.frac);
    one.variance = known_or_0(one.variance);
    if (status == CT_OK && isfinite(one.simulated))
        work->cases[work->n_cases++] = one;
    return status;
}

static enum ct_status add_cases(struct work *work, size_t from_load, size_t to_load,
                                struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (size_t app = 0; app < work->draws->study->measured.n_apps; app++)
        for (size_t load = from_load; load < to_load && status == CT_OK; load++)
            status = add_case(work, app, load, err);
    return status;
}

/* Co-runs, and if they may be too few for some questions, configurations, which take time. */
static enum ct_status find_cases(struct work *work, struct ct_error *err)
{
    const struct ct_measurements *measured = &work->draws->study->measured;
    size_t n_loads = ct_measured_n_loads(measured), first = ct_load_of_config(measured->n_apps, 0);
    work->cases = calloc(measured->n_apps * n_loads + 1, sizeof *work->cases);
    work->counts = malloc((measured->n_apps * n_loads + 1) * sizeof *work->counts);
    if (!work->cases || !work->counts)
        return ct_no_memory(err, "draws");
    enum ct_status status = add_cases(work, ct_load_of_app(0), first, err);
    work->n_co_runs = work->n_cases;
    work->least = ct_conformal_least(work->draws->level);
    if (status == CT_OK && work->n_co_runs < work->least + 2) /* a pair, and its reverse */
        status = add_cases(work, first, n_loads, err);
    return status;
}

/* Not the co-run that is asked about, nor the other side of it; of groups, no co-run of members. */
static bool is_of(const struct ct_question *question, const struct ct_simulator_case *one)
{
    bool has_app = question->app == one->app, has_with = false, is_member = has_app;
    for (size_t i = 0; i < question->n_with; i++) {
        has_with = has_with || ct_load_of_app(question->with[i]) == one->with;
        is_member = is_member || question->with[i] == one->app;
    }
    bool is_reverse = is_member && ct_load_of_app(question->app) == one->with;
    return (has_app && has_with) || is_reverse;
}

/* From co-runs, else from configurations: what the error is known from is noted in the spread. */
static struct ct_simulator_error error_for(const struct work *work,
                                           const struct ct_question *question,
                                           struct ct_slowdown_spread *spread)
{
    size_t n = 0;
    for (size_t i = 0; i < work->n_cases; i++) {
        work->counts[i] = i < work->n_co_runs && !is_of(question, &work->cases[i]);
        n += work->counts[i];
    }
    spread->error_from = CT_INTERVAL_FROM_CO_RUNS;
    if (n < work->least) {
        for (size_t i = 0; i < work->n_cases; i++)
            work->counts[i] = i >= work->n_co_runs;
        n = work->n_cases - work->n_co_runs;
        spread->error_from = n < work->least ? CT_INTERVAL_FROM_TOO_FEW : CT_INTERVAL_FROM_CONFIGS;
    }
    const struct ct_simulator_error error =
        ct_simulator_error_find(work->cases, work->counts, work->n_cases);
    spread->n_errors = error.n;
    return error;
}

/* ---- spreads ---- */

static struct ct_interval slowdowns_of(struct ct_interval logarithms)
{
    return (struct ct_interval){expm1(logarithms.lo), expm1(logarithms.hi)};
}

/* @param scratch  [out] n_draws numbers */
static struct ct_slowdown_spread spread_of(const struct work *work, const struct ct_draws_job *job,
                                           const double *values, size_t question,
                                           double runs_variance_of, double *scratch)
{
    const struct ct_slowdown_draws *draws = work->draws;
    const struct ct_draws_summary of =
        ct_draws_summarize(job, values, question, draws->level, scratch);
    struct ct_slowdown_spread spread = {.predicted_frac = NAN,
                                        .parameters_frac = slowdowns_of(of.interval),
                                        .frac = {NAN, NAN},
                                        .variance_parameters = of.variance,
                                        .variance_runs = runs_variance_of,
                                        .variance_simulator = 0};
    const struct ct_simulator_error error =
        error_for(work, &draws->questions->items[question], &spread);
    bool has_error = spread.error_from != CT_INTERVAL_FROM_TOO_FEW;
    const struct ct_simulator_mixture mixture = {.simulated =
                                                     scratch, /* what is known, since the summary */
                                                 .n = of.n,
                                                 .variance = spread.variance_runs,
                                                 .error = has_error ? &error : NULL};
    if (mixture.n < 2)
        return spread;
    if (has_error)
        spread.variance_simulator = ct_simulator_error_variance(&error, of.mean);
    spread.predicted_frac = expm1(ct_simulator_mixture_quantile(&mixture, 0.5));
    spread.frac = slowdowns_of(
        (struct ct_interval){ct_simulator_mixture_quantile(&mixture, (1 - draws->level) / 2),
                             ct_simulator_mixture_quantile(&mixture, (1 + draws->level) / 2)});
    return spread;
}

/* ---- the whole ---- */

enum ct_status ct_slowdown_draws(const struct ct_slowdown_draws *draws,
                                 struct ct_slowdown_spread **spreads_p, struct ct_error *err)
{
    struct work work = {.draws = draws};
    size_t n = draws->questions->n;
    /* One draw after the other: a simulation uses all processors, and the store has one user. */
    const struct ct_draws_job job = {.n_draws = draws->n_draws,
                                     .n_values = n,
                                     .threads = 1,
                                     .evaluate = run_draw,
                                     .data = &work};
    enum ct_status status = CT_OK;
    double *values = malloc((draws->n_draws * (n + 1) + 1) * sizeof *values);
    struct ct_slowdown_spread *spreads = malloc((n + 1) * sizeof *spreads);
    if (!(values && spreads))
        status = ct_no_memory(err, "draws");
    if (status == CT_OK && n > 0)
        status = ct_draws_evaluate(&job, values, err);
    if (status == CT_OK)
        status = find_cases(&work, err);
    if (draws->log)
        ct_log_progress_end(draws->log);
    for (size_t i = 0; i < n && status == CT_OK; i++) {
        double variance = 0;
        status = runs_variance(draws->study, draws->questions->items[i].app, &variance, err);
        spreads[i] = spread_of(&work, &job, values, i, variance, values + draws->n_draws * n);
    }
    free(values);
    free(work.cases);
    free(work.counts);
    if (status == CT_OK)
        *spreads_p = spreads;
    else
        free(spreads);
    return status;
}

double ct_slowdown_variance(const struct ct_slowdown_spread *spread)
{
    return spread->variance_parameters + spread->variance_runs + spread->variance_simulator;
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
        double variance = ct_slowdown_variance(spread);
        if (isnan(questions->items[i].measured.frac) || isnan(spread->frac.lo))
            continue;
        all.n++;
        all.n_inside += ct_slowdown_is_inside(&questions->items[i], spread);
        all.width_frac += spread->frac.hi - spread->frac.lo;
        all.parameters_frac += variance > 0 ? spread->variance_parameters / variance : 0;
        all.runs_frac += variance > 0 ? spread->variance_runs / variance : 0;
        all.simulator_frac += variance > 0 ? spread->variance_simulator / variance : 0;
    }
    double n = (double)all.n;
    all.width_frac /= n;
    all.parameters_frac /= n;
    all.runs_frac /= n;
    all.simulator_frac /= n;
    return all;
}
