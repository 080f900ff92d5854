#include "predict/interval.h"

#include "predict/analysis.h"

#include <math.h>
#include <stdlib.h>

/* ---- how far models are off beside configurations ---- */

struct trial {
    double predicted; /* log(1 + slowdown) */
    double off;       /* log of measured time over predicted time */
};

/* Of one model and application. */
struct trials {
    struct trial *items; /* sorted by predicted */
    size_t n;
};

static int by_predicted(const void *left, const void *right)
{
    const struct trial *a = left, *b = right;
    return (a->predicted > b->predicted) - (a->predicted < b->predicted);
}

static enum ct_status try_configs(const struct ct_predict_model *model,
                                  const struct ct_predict_analysis *analysis, size_t app,
                                  struct trials *trials)
{
    trials->items = malloc((analysis->n_configs + 1) * sizeof *trials->items);
    if (!trials->items)
        return CT_ENOMEM;
    for (size_t c = 0; c < analysis->n_configs; c++) {
        double measured = analysis->under_config[app * analysis->n_configs + c].frac;
        struct ct_predict_query query = {.app = app, .load = &analysis->configs[c], .left_out = c};
        struct ct_prediction prediction;
        enum ct_status status = ct_predict_answer(model, analysis, &query, NULL, &prediction);
        if (status != CT_OK)
            return status;
        struct trial trial = {log1p(prediction.slowdown_frac), 0};
        trial.off = log1p(measured) - trial.predicted;
        if (isfinite(trial.off))
            trials->items[trials->n++] = trial;
    }
    qsort(trials->items, trials->n, sizeof *trials->items, by_predicted);
    return CT_OK;
}

/* One of the trials whose prediction is nearest to this one; 0 where there are none. */
static double draw_off(const struct trials *trials, double predicted, gsl_rng *rng)
{
    enum { LEAST = 5 };
    size_t n = trials->n, width = n / 3 > LEAST ? n / 3 : LEAST;
    if (n == 0)
        return 0;
    width = width < n ? width : n;
    size_t first = 0;
    while (first + width < n && predicted - trials->items[first].predicted >
                                    trials->items[first + width].predicted - predicted)
        first++;
    return trials->items[first + gsl_rng_uniform_int(rng, width)].off;
}

/* ---- replicates ---- */

struct room {
    struct trials *trials; /* [model * n_apps + app]; made where a case needs them */
    double *values;        /* [case * replicates + replicate] */
};

static size_t trials_index(const struct ct_predict_analysis *analysis,
                           const struct ct_predict_case *one)
{
    return (size_t)(one->model - ct_predict_models) * analysis->n_apps + one->app;
}

static enum ct_status answer(const struct ct_predict_analysis *analysis,
                             const struct ct_predict_case *one, struct ct_prediction *prediction_p)
{
    return ct_predict_group(one->model, analysis, one->app, one->with, one->n_with, NULL,
                            prediction_p);
}

static enum ct_status answer_all(const struct ct_predict_analysis *analysis,
                                 struct ct_predict_case *cases, size_t n, struct room *room)
{
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < n && status == CT_OK; i++) {
        if (!cases[i].model)
            continue;
        struct trials *trials = &room->trials[trials_index(analysis, &cases[i])];
        status = answer(analysis, &cases[i], &cases[i].prediction);
        if (status == CT_OK && !trials->items)
            status = try_configs(cases[i].model, analysis, cases[i].app, trials);
    }
    return status;
}

static enum ct_status replicate(const struct ct_predict_analysis *analysis,
                                const struct ct_bootstrap *setup,
                                const struct ct_predict_case *cases, size_t n,
                                const struct room *room)
{
    gsl_rng *rng = ct_predict_rng(setup->seed);
    enum ct_status status = rng ? CT_OK : CT_ENOMEM;
    for (size_t r = 0; r < setup->replicates && status == CT_OK; r++) {
        struct ct_predict_analysis drawn;
        status = ct_predict_analysis_make(analysis->summaries, rng, &drawn);
        if (status != CT_OK)
            break;
        for (size_t i = 0; i < n && status == CT_OK; i++) {
            struct ct_prediction prediction;
            if (!cases[i].model)
                continue;
            status = answer(&drawn, &cases[i], &prediction);
            if (status != CT_OK)
                break;
            double predicted = log1p(prediction.slowdown_frac);
            const struct trials *trials = &room->trials[trials_index(analysis, &cases[i])];
            room->values[i * setup->replicates + r] =
                isnan(predicted) ? NAN : expm1(predicted + draw_off(trials, predicted, rng));
        }
        ct_predict_analysis_free(&drawn);
    }
    if (rng)
        gsl_rng_free(rng);
    return status;
}

enum ct_status ct_predict_cases(const struct ct_predict_analysis *analysis,
                                const struct ct_bootstrap *setup, struct ct_predict_case *cases,
                                size_t n)
{
    if (setup->replicates < 20 || !(setup->level > 0 && setup->level < 1))
        return CT_EINVAL;
    size_t n_trials = CT_N_PREDICT_MODELS * analysis->n_apps;
    struct room room = {calloc(n_trials + 1, sizeof *room.trials),
                        malloc((n * setup->replicates + 1) * sizeof *room.values)};
    enum ct_status status = CT_ENOMEM;
    if (room.trials && room.values)
        status = answer_all(analysis, cases, n, &room);
    if (status == CT_OK)
        status = replicate(analysis, setup, cases, n, &room);
    for (size_t i = 0; i < n && status == CT_OK; i++)
        if (cases[i].model && !isnan(cases[i].prediction.slowdown_frac))
            cases[i].prediction.interval = ct_predict_interval_of(
                room.values + i * setup->replicates, setup->replicates, setup->level);
    for (size_t i = 0; room.trials && i < n_trials; i++)
        free(room.trials[i].items);
    free(room.trials);
    free(room.values);
    return status;
}
