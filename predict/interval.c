#include "predict/interval.h"

#include "core/random.h"
#include "predict/analysis.h"
#include "predict/constants.h"

#include <math.h>
#include <stdlib.h>

/* ---- how far models are off beside what was measured ---- */

struct trial {
    double predicted; /* time, as a multiple of that alone */
    double off;       /* measured time over predicted time */
    size_t app, with; /* of a co-run; beside a configuration: SIZE_MAX */
};

/* A single one says nothing of how they scatter. */
enum { TRIALS_MIN = 2 };

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

static void add_trial(struct trials *trials, size_t app, size_t with, double measured_frac,
                      double predicted_frac)
{
    struct trial trial = {1 + predicted_frac, (1 + measured_frac) / (1 + predicted_frac), app,
                          with};
    if (trial.predicted > 0 && isfinite(trial.off))
        trials->items[trials->n++] = trial;
}

static enum ct_status try_configs(const struct ct_predict_model *model,
                                  const struct ct_predict_analysis *analysis, size_t app,
                                  struct trials *trials)
{
    for (size_t c = 0; c < analysis->n_configs; c++) {
        double measured = analysis->under_config[app * analysis->n_configs + c].frac;
        const size_t load = ct_load_of_config(analysis->n_apps, c);
        const struct ct_predict_query query = {.app = app,
                                               .load = &analysis->configs[c],
                                               .beside = &load,
                                               .n_beside = 1,
                                               .excluded = c};
        struct ct_prediction prediction;
        enum ct_status status = ct_predict_answer(model, analysis, &query, NULL, &prediction);
        if (status != CT_OK)
            return status;
        add_trial(trials, SIZE_MAX, SIZE_MAX, measured, prediction.slowdown_frac);
    }
    return CT_OK;
}

static enum ct_status try_pairs(const struct ct_predict_model *model,
                                const struct ct_predict_analysis *analysis, struct trials *trials)
{
    size_t n = analysis->n_apps;
    for (size_t i = 0; i < n * n; i++) {
        struct ct_prediction prediction;
        if (isnan(analysis->beside_app[i].frac))
            continue;
        enum ct_status status = ct_predict_pair(model, analysis, i / n, i % n, &prediction);
        if (status != CT_OK)
            return status;
        add_trial(trials, i / n, i % n, analysis->beside_app[i].frac, prediction.slowdown_frac);
    }
    return CT_OK;
}

/* A model that does not know configurations better than applications is tried on co-runs, if so
 * many were measured that one can be left out. */
static enum ct_status make_trials(const struct ct_predict_model *model,
                                  const struct ct_predict_analysis *analysis, size_t app,
                                  struct trials *trials)
{
    size_t least_pairs = ct_predict_count(CT_PREDICT_OFF_PAIRS);
    size_t most = analysis->n_configs + analysis->n_apps * analysis->n_apps;
    enum ct_status status = CT_OK;
    trials->items = malloc((most + 1) * sizeof *trials->items);
    if (!trials->items)
        return CT_ENOMEM;
    if (ct_predict_model_is(model, CT_MODEL_OFF_EITHER_WAY))
        status = try_pairs(model, analysis, trials);
    if (status == CT_OK && trials->n < least_pairs) {
        trials->n = 0;
        status = try_configs(model, analysis, app, trials);
    }
    qsort(trials->items, trials->n, sizeof *trials->items, by_predicted);
    return status;
}

/* Whether a trial is the co-run that is asked about, or the other side of it. */
static bool is_of(const struct trial *trial, const struct ct_predict_case *one)
{
    return one->n_with == 1 && ((trial->app == one->app && trial->with == one->with[0]) ||
                                (trial->with == one->app && trial->app == one->with[0]));
}

/* Random bits of a case in a replicate: the same whatever else is asked. */
static uint64_t bits_of(const struct ct_predict_case *one, uint64_t replicate_bits)
{
    uint64_t bits = ct_random_at(replicate_bits, (uint64_t)(one->model - ct_predict_models));
    bits = ct_random_at(bits, one->app);
    for (size_t i = 0; i < one->n_with; i++)
        bits = ct_random_at(bits, one->with[i]);
    return bits;
}

/* One of the trials whose prediction is nearest to this one, on a scale of ratios, but for the case
 * itself; 1 where there are none: then there is no interval either. */
static double draw_off(const struct trials *trials, const struct ct_predict_case *one,
                       double predicted, uint64_t bits)
{
    size_t least = ct_predict_count(CT_PREDICT_OFF_LEAST);
    size_t n = trials->n, part = n / ct_predict_count(CT_PREDICT_OFF_PARTS);
    size_t width = part > least ? part : least;
    if (n == 0)
        return 1;
    width = width < n ? width : n;
    /* The window moves up while what enters is nearer than what leaves it. */
    size_t first = 0, end = n - width;
    while (first < end) {
        size_t middle = (first + end) / 2;
        if (predicted * predicted >
            trials->items[middle].predicted * trials->items[middle + width].predicted)
            first = middle + 1;
        else
            end = middle;
    }
    size_t drawn = (size_t)(bits % width);
    for (size_t i = 0; i < width; i++) {
        const struct trial *trial = &trials->items[first + (drawn + i) % width];
        if (!is_of(trial, one))
            return trial->off;
    }
    return 1;
}

/* ---- what was measured ---- */

/* Quantities of an analysis that have an interval, one after the other. */
struct quantity {
    double value;
    struct ct_interval *interval;
};

static size_t n_quantities(const struct ct_predict_analysis *analysis)
{
    size_t n_loads = 1 + analysis->n_apps + analysis->n_configs;
    return CT_N_UTILIZATIONS * n_loads +
           analysis->n_apps * (analysis->n_apps + analysis->n_configs);
}

static struct quantity *list_load(struct ct_predict_load *load, struct quantity *next)
{
    *next++ = (struct quantity){load->utilization_frac, &load->utilization_interval};
    *next++ = (struct quantity){load->calibrated.frac, &load->calibrated.interval};
    *next++ = (struct quantity){load->waiting.frac, &load->waiting.interval};
    *next++ = (struct quantity){load->mixture.frac, &load->mixture.interval};
    return next;
}

static void list(struct ct_predict_analysis *analysis, struct quantity *next)
{
    size_t n_apps = analysis->n_apps, n_configs = analysis->n_configs;
    next = list_load(&analysis->idle, next);
    for (size_t i = 0; i < n_apps; i++)
        next = list_load(&analysis->apps[i], next);
    for (size_t i = 0; i < n_configs; i++)
        next = list_load(&analysis->configs[i], next);
    for (size_t i = 0; i < n_apps * n_configs; i++)
        *next++ =
            (struct quantity){analysis->under_config[i].frac, &analysis->under_config[i].interval};
    for (size_t i = 0; i < n_apps * n_apps; i++)
        *next++ =
            (struct quantity){analysis->beside_app[i].frac, &analysis->beside_app[i].interval};
}

/* ---- replicates ---- */

enum { TOGETHER = 16 };

struct room {
    struct trials *trials;       /* [model * n_apps + app]; made where a case needs them */
    double *values;              /* [replicate * n_cases + case]: in the order of writing */
    struct quantity *quantities; /* of the analysis, then of a replicate */
    double *measured;            /* [quantity * replicates + replicate] */
    double *together;            /* [case * replicates + replicate], TOGETHER cases */
};

static void room_free(struct room *room, size_t n_trials)
{
    for (size_t i = 0; room->trials && i < n_trials; i++)
        free(room->trials[i].items);
    free(room->trials);
    free(room->values);
    free(room->quantities);
    free(room->measured);
    free(room->together);
}

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
            status = make_trials(cases[i].model, analysis, cases[i].app, trials);
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
    size_t n_measured = n_quantities(analysis);
    for (size_t r = 0; r < setup->replicates && status == CT_OK; r++) {
        struct ct_predict_analysis drawn;
        uint64_t replicate_bits = ct_random_at(setup->seed, r);
        ct_predict_rng_set(rng, replicate_bits);
        status = ct_predict_analysis_make(analysis->summaries, rng, &drawn);
        if (status != CT_OK)
            break;
        list(&drawn, room->quantities);
        for (size_t i = 0; i < n_measured; i++)
            room->measured[i * setup->replicates + r] = room->quantities[i].value;
        for (size_t i = 0; i < n && status == CT_OK; i++) {
            struct ct_prediction prediction;
            if (!cases[i].model)
                continue;
            status = answer(&drawn, &cases[i], &prediction);
            if (status != CT_OK)
                break;
            const struct trials *trials = &room->trials[trials_index(analysis, &cases[i])];
            double time = 1 + prediction.slowdown_frac;
            uint64_t bits = bits_of(&cases[i], replicate_bits);
            double off = draw_off(trials, &cases[i], time, bits);
            if (ct_predict_model_is(cases[i].model, CT_MODEL_OFF_EITHER_WAY) && bits >> 63)
                off = 1 / off;
            room->values[r * n + i] = time > 0 ? time * off - 1 : NAN;
        }
        ct_predict_analysis_free(&drawn);
    }
    if (rng)
        gsl_rng_free(rng);
    return status;
}

static void set_intervals(struct ct_predict_analysis *analysis, const struct ct_bootstrap *setup,
                          struct ct_predict_case *cases, size_t n, struct room *room)
{
    size_t n_replicates = setup->replicates, n_measured = n_quantities(analysis);
    list(analysis, room->quantities);
    for (size_t i = 0; i < n_measured; i++)
        *room->quantities[i].interval =
            ct_predict_interval_of(room->measured + i * n_replicates, n_replicates, setup->level);
    /* A few cases at a time: their values are neighbours in each replicate. */
    for (size_t first = 0; first < n; first += TOGETHER) {
        size_t many = n - first < TOGETHER ? n - first : TOGETHER;
        for (size_t r = 0; r < n_replicates; r++)
            for (size_t i = 0; i < many; i++)
                room->together[i * n_replicates + r] = room->values[r * n + first + i];
        for (size_t i = 0; i < many; i++) {
            struct ct_predict_case *one = &cases[first + i];
            if (one->model && !isnan(one->prediction.slowdown_frac) &&
                room->trials[trials_index(analysis, one)].n >= TRIALS_MIN)
                one->prediction.interval = ct_predict_interval_of(room->together + i * n_replicates,
                                                                  n_replicates, setup->level);
        }
    }
}

enum ct_status ct_predict_cases(struct ct_predict_analysis *analysis,
                                const struct ct_bootstrap *setup, struct ct_predict_case *cases,
                                size_t n)
{
    if (setup->replicates < 20 || !(setup->level > 0 && setup->level < 1))
        return CT_EINVAL;
    size_t n_trials = CT_N_PREDICT_MODELS * analysis->n_apps, n_measured = n_quantities(analysis);
    struct room room = {.trials = calloc(n_trials + 1, sizeof *room.trials),
                        .values = malloc((n * setup->replicates + 1) * sizeof *room.values),
                        .quantities = malloc(n_measured * sizeof *room.quantities),
                        .measured = malloc(n_measured * setup->replicates * sizeof *room.measured)};
    room.together = malloc(TOGETHER * setup->replicates * sizeof *room.together);
    enum ct_status status = CT_ENOMEM;
    if (room.trials && room.values && room.quantities && room.measured && room.together)
        status = answer_all(analysis, cases, n, &room);
    if (status == CT_OK)
        status = replicate(analysis, setup, cases, n, &room);
    if (status == CT_OK)
        set_intervals(analysis, setup, cases, n, &room);
    room_free(&room, n_trials);
    return status;
}
