#include "predict/interval.h"

#include "core/distribution.h"
#include "core/order.h"
#include "predict/conformal.h"
#include "predict/constants.h"

#include <math.h>
#include <stdlib.h>

/* ---- how far models are off beside what was measured ---- */

struct trial {
    double off;       /* relative, see interval.h */
    size_t app, with; /* of a co-run; beside a configuration: SIZE_MAX */
};

/* Of one model. */
struct trials {
    struct trial *items; /* by off, rising; NULL: not made yet */
    size_t n;
};

CT_ORDER(by_off, struct trial, off)

/* What errors are relative to. */
static double scale_of(double predicted_frac)
{
    return ct_predict_constant(CT_PREDICT_INTERVAL_SCALE) + fmax(predicted_frac, 0);
}

static void add_trial(struct trials *trials, size_t app, size_t with, double measured_frac,
                      double predicted_frac)
{
    double off = fabs(measured_frac - predicted_frac) / scale_of(predicted_frac);
    if (isfinite(off))
        trials->items[trials->n++] = (struct trial){off, app, with};
}

static enum ct_status try_configs(const struct ct_predict_model *model,
                                  const struct ct_predict_analysis *analysis, size_t app,
                                  struct trials *trials)
{
    for (size_t c = 0; c < analysis->n_configs; c++) {
        double measured = analysis->under_config[app * analysis->n_configs + c].frac;
        struct ct_prediction prediction;
        CT_TRY(ct_predict_config(model, analysis, app, c, &prediction));
        add_trial(trials, SIZE_MAX, SIZE_MAX, measured, prediction.slowdown_frac);
    }
    return CT_OK;
}

/* Applications that are left out, each once. */
static size_t leave_out(size_t *left_out, size_t n, size_t app)
{
    for (size_t i = 0; i < n; i++)
        if (left_out[i] == app)
            return n;
    left_out[n] = app;
    return n + 1;
}

/* Where some are left out, so are those of each co-run that is tried: its prediction is then made
 * from as little as that of the case. left_out has room for two more. */
static enum ct_status try_co_runs(const struct ct_predict_model *model,
                                  const struct ct_predict_analysis *analysis, size_t *left_out,
                                  size_t n_left_out, struct trials *trials)
{
    size_t n = analysis->n_apps;
    for (size_t i = 0; i < n * n; i++) {
        const size_t with = i % n;
        size_t n_out = n_left_out;
        struct ct_prediction prediction;
        if (isnan(analysis->beside_app[i].frac))
            continue;
        if (n_left_out > 0)
            n_out = leave_out(left_out, leave_out(left_out, n_out, i / n), with);
        CT_TRY(ct_predict_without(model, analysis, i / n, &with, 1, left_out, n_out, &prediction));
        add_trial(trials, i / n, with, analysis->beside_app[i].frac, prediction.slowdown_frac);
    }
    return CT_OK;
}

static enum ct_status trials_new(size_t n_most, struct trials *trials)
{
    *trials = (struct trials){.items = malloc((n_most + 1) * sizeof *trials->items)};
    return trials->items ? CT_OK : CT_ENOMEM;
}

static enum ct_status make_configs(const struct ct_predict_model *model,
                                   const struct ct_predict_analysis *analysis, size_t app,
                                   struct trials *trials)
{
    CT_TRY(trials_new(analysis->n_configs, trials));
    CT_TRY(try_configs(model, analysis, app, trials));
    qsort(trials->items, trials->n, sizeof *trials->items, by_off);
    return CT_OK;
}

static enum ct_status make_co_runs(const struct ct_predict_model *model,
                                   const struct ct_predict_analysis *analysis, size_t *left_out,
                                   size_t n_left_out, struct trials *trials)
{
    CT_TRY(trials_new(analysis->n_apps * analysis->n_apps, trials));
    CT_TRY(try_co_runs(model, analysis, left_out, n_left_out, trials));
    qsort(trials->items, trials->n, sizeof *trials->items, by_off);
    return CT_OK;
}

/* ---- which of them count ---- */

static bool is_member(const struct ct_predict_case *one, size_t app)
{
    for (size_t i = 0; i < one->n_with; i++)
        if (one->with[i] == app)
            return true;
    return one->app == app;
}

/* Not the co-run that is asked about, nor the other side of it. */
static bool counts_case(const struct trial *trial, const struct ct_predict_case *one)
{
    if (trial->app == SIZE_MAX)
        return true;
    if (one->leaves_out_members)
        return !is_member(one, trial->app) && !is_member(one, trial->with);
    return one->n_with != 1 || !((trial->app == one->app && trial->with == one->with[0]) ||
                                 (trial->with == one->app && trial->app == one->with[0]));
}

/* NaN: too few. */
static double bound_of(const struct trials *trials, const struct ct_predict_case *one, double level,
                       size_t *n_p)
{
    size_t n = 0;
    for (size_t i = 0; i < trials->n; i++)
        n += counts_case(&trials->items[i], one);
    *n_p = n;
    size_t rank = ct_conformal_rank(n, level);
    for (size_t i = 0; i < trials->n && rank > 0; i++)
        if (counts_case(&trials->items[i], one) && --rank == 0)
            return trials->items[i].off;
    return NAN;
}

/* ---- cases ---- */

struct room {
    struct trials *co_runs; /* [model] */
    struct trials *configs; /* [model * n_apps + app] */
    struct trials *pooled;  /* [model]: those of all applications */
    size_t *members;        /* of the longest case, and two more */
    double level;
};

static void room_free(struct room *room, size_t n_apps)
{
    for (size_t m = 0; room->co_runs && m < CT_N_PREDICT_MODELS; m++)
        free(room->co_runs[m].items);
    for (size_t m = 0; room->pooled && m < CT_N_PREDICT_MODELS; m++)
        free(room->pooled[m].items);
    for (size_t i = 0; room->configs && i < CT_N_PREDICT_MODELS * n_apps; i++)
        free(room->configs[i].items);
    free(room->co_runs);
    free(room->configs);
    free(room->pooled);
    free(room->members);
}

static enum ct_status room_new(size_t n_apps, double level, const struct ct_predict_case *cases,
                               size_t n, struct room *room)
{
    size_t longest = 0;
    for (size_t i = 0; i < n; i++)
        longest = cases[i].n_with > longest ? cases[i].n_with : longest;
    *room =
        (struct room){.co_runs = calloc(CT_N_PREDICT_MODELS, sizeof *room->co_runs),
                      .configs = calloc(CT_N_PREDICT_MODELS * n_apps + 1, sizeof *room->configs),
                      .pooled = calloc(CT_N_PREDICT_MODELS, sizeof *room->pooled),
                      .members = malloc((3 + longest) * sizeof *room->members),
                      .level = level};
    if (room->co_runs && room->configs && room->pooled && room->members)
        return CT_OK;
    room_free(room, n_apps);
    return CT_ENOMEM;
}

/* Each application of a case once; none where co-runs of theirs count. */
static size_t list_left_out(const struct ct_predict_case *one, size_t *members)
{
    size_t n = 0;
    if (!one->leaves_out_members)
        return 0;
    n = leave_out(members, n, one->app);
    for (size_t i = 0; i < one->n_with; i++)
        n = leave_out(members, n, one->with[i]);
    return n;
}

/* A model that is made from co-runs is made anew for each case that leaves some out. */
static enum ct_status bound_by_co_runs(const struct ct_predict_analysis *analysis,
                                       const struct ct_predict_case *one, size_t n_left_out,
                                       struct room *room, double *bound_p, size_t *n_p)
{
    struct trials *kept = &room->co_runs[one->model - ct_predict_models], own = {NULL, 0};
    bool is_own = n_left_out > 0 && ct_predict_model_is(one->model, CT_MODEL_KNOWS_CO_RUNS);
    struct trials *trials = is_own ? &own : kept;
    enum ct_status status = CT_OK;
    if (!trials->items)
        status = make_co_runs(one->model, analysis, room->members, is_own ? n_left_out : 0, trials);
    if (status == CT_OK)
        *bound_p = bound_of(trials, one, room->level, n_p);
    free(own.items);
    return status;
}

/* Those of an application, made once. */
static enum ct_status find_configs(const struct ct_predict_analysis *analysis,
                                   const struct ct_predict_model *model, size_t app,
                                   struct room *room, const struct trials **trials_p)
{
    struct trials *trials =
        &room->configs[(size_t)(model - ct_predict_models) * analysis->n_apps + app];
    enum ct_status status = trials->items ? CT_OK : make_configs(model, analysis, app, trials);
    *trials_p = trials;
    return status;
}

static enum ct_status pool_configs(const struct ct_predict_analysis *analysis,
                                   const struct ct_predict_model *model, struct room *room,
                                   struct trials *pooled)
{
    CT_TRY(trials_new(analysis->n_apps * analysis->n_configs, pooled));
    for (size_t app = 0; app < analysis->n_apps; app++) {
        const struct trials *of_app;
        CT_TRY(find_configs(analysis, model, app, room, &of_app));
        for (size_t i = 0; i < of_app->n; i++)
            pooled->items[pooled->n++] = of_app->items[i];
    }
    qsort(pooled->items, pooled->n, sizeof *pooled->items, by_off);
    return CT_OK;
}

/* Of the application, or, where these are too few, of all applications. */
static enum ct_status bound_by_configs(const struct ct_predict_analysis *analysis,
                                       const struct ct_predict_case *one, struct room *room,
                                       double *bound_p, size_t *n_p)
{
    const struct trials *own;
    struct trials *pooled = &room->pooled[one->model - ct_predict_models];
    enum ct_status status = find_configs(analysis, one->model, one->app, room, &own);
    if (status == CT_OK)
        *bound_p = bound_of(own, one, room->level, n_p);
    if (status != CT_OK || !isnan(*bound_p))
        return status;
    if (!pooled->items)
        status = pool_configs(analysis, one->model, room, pooled);
    if (status == CT_OK)
        *bound_p = bound_of(pooled, one, room->level, n_p);
    return status;
}

/* Of packets, which alone has phases, in other campaigns; NaN: not known at such a level. */
static double bound_by_examples(const struct ct_prediction *prediction, double level)
{
    static const struct {
        double level;
        enum ct_predict_constant row;
    } known[] = {{0.8, CT_PREDICT_PACKETS_ERROR_80},
                 {0.9, CT_PREDICT_PACKETS_ERROR_90},
                 {0.95, CT_PREDICT_PACKETS_ERROR_95}};
    for (size_t i = 0; prediction->n_phases > 0 && i < sizeof known / sizeof *known; i++)
        if (level <= known[i].level)
            return ct_predict_constant(known[i].row);
    return NAN;
}

static enum ct_status add_interval(const struct ct_predict_analysis *analysis,
                                   struct ct_predict_case *one, size_t n_left_out,
                                   struct room *room)
{
    struct ct_prediction *prediction = &one->prediction;
    double bound = NAN, slowdown = prediction->slowdown_frac;
    size_t n_configs = 0;
    if (isnan(slowdown))
        return CT_OK;
    prediction->interval_from = CT_INTERVAL_FROM_CO_RUNS;
    enum ct_status status =
        bound_by_co_runs(analysis, one, n_left_out, room, &bound, &prediction->n_errors);
    if (status == CT_OK && isnan(bound) &&
        (one->is_by_configs || !ct_predict_model_is(one->model, CT_MODEL_JUDGED_BY_CO_RUNS))) {
        prediction->interval_from = CT_INTERVAL_FROM_CONFIGS;
        status = bound_by_configs(analysis, one, room, &bound, &n_configs);
        if (!isnan(bound) || n_configs > prediction->n_errors)
            prediction->n_errors = n_configs;
    }
    bool by_examples = isnan(bound);
    if (by_examples) {
        bound = bound_by_examples(prediction, room->level);
        prediction->interval_from =
            isnan(bound) ? CT_INTERVAL_FROM_TOO_FEW : CT_INTERVAL_FROM_EXAMPLES;
    }
    prediction->interval =
        (struct ct_interval){isnan(bound) ? NAN : fmax(-1, slowdown - bound * scale_of(slowdown)),
                             slowdown + bound * scale_of(slowdown)};
    const struct ct_interval mean = ct_prediction_mean_interval(prediction, room->level);
    if (by_examples && !isnan(bound) && !isnan(mean.lo)) {
        prediction->interval.lo = fmin(prediction->interval.lo, mean.lo);
        prediction->interval.hi = fmax(prediction->interval.hi, mean.hi);
    }
    return status;
}

enum ct_status ct_predict_cases(const struct ct_predict_analysis *analysis, double level,
                                struct ct_predict_case *cases, size_t n)
{
    struct room room;
    if (!(level > 0 && level < 1))
        return CT_EINVAL;
    CT_TRY(room_new(analysis->n_apps, level, cases, n, &room));
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < n && status == CT_OK; i++) {
        struct ct_predict_case *one = &cases[i];
        if (!one->model)
            continue;
        size_t n_left_out = list_left_out(one, room.members);
        status = ct_predict_without(one->model, analysis, one->app, one->with, one->n_with,
                                    room.members, n_left_out, &one->prediction);
        if (status == CT_OK)
            status = add_interval(analysis, one, n_left_out, &room);
    }
    room_free(&room, analysis->n_apps);
    return status;
}

struct ct_interval ct_prediction_mean_interval(const struct ct_prediction *prediction, double level)
{
    if (isnan(prediction->spread_frac) || prediction->n_phases < 2)
        return (struct ct_interval){NAN, NAN};
    double half = ct_student_half_width(level, prediction->n_phases - 1) * prediction->spread_frac /
                  sqrt((double)prediction->n_phases);
    return (struct ct_interval){fmax(-1, prediction->slowdown_frac - half),
                                prediction->slowdown_frac + half};
}
