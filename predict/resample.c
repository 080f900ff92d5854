#include "predict/resample.h"

#include "core/parallel.h"
#include "core/random.h"
#include "predict/analysis.h"

#include <stdbool.h>
#include <stdlib.h>

/* Quantities of an analysis that have an interval, one after the other. */
struct quantity {
    double value;
    struct ct_interval *interval;
};

static size_t n_quantities(const struct ct_predict_analysis *analysis)
{
    size_t n_loads = 1 + analysis->n_apps + analysis->n_configs;
    return CT_N_UTILIZATIONS * n_loads + analysis->n_apps * analysis->n_configs;
}

static struct quantity *list_load(struct ct_predict_load *load, struct quantity *next)
{
    *next++ = (struct quantity){load->utilization_frac, &load->utilization_interval};
    *next++ = (struct quantity){load->calibrated.frac, &load->calibrated.interval};
    *next++ = (struct quantity){load->waiting.frac, &load->waiting.interval};
    *next++ = (struct quantity){load->mixture.frac, &load->mixture.interval};
    return next;
}

static void list_quantities(struct ct_predict_analysis *analysis, struct quantity *next)
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
}

/* Shared by the threads; each replicate writes to places of its own. */
struct work {
    const struct ct_predict_analysis *analysis;
    uint64_t seed;
    size_t n_replicates, n;
    double *values; /* [quantity * n_replicates + replicate] */
    bool *is_drawn; /* [replicate] */
};

static bool draw_one(const struct work *work, size_t replicate, gsl_rng *rng,
                     struct quantity *quantities)
{
    struct ct_predict_analysis drawn;
    if (ct_predict_analysis_draw(work->analysis->summaries, rng, &drawn) != CT_OK)
        return false;
    list_quantities(&drawn, quantities);
    ct_predict_analysis_free(&drawn); /* values are copied, and nobody follows the pointers */
    for (size_t i = 0; i < work->n; i++)
        work->values[i * work->n_replicates + replicate] = quantities[i].value;
    return true;
}

static void draw_replicate(void *data, size_t replicate)
{
    const struct work *work = data;
    struct quantity *quantities = malloc(work->n * sizeof *quantities);
    gsl_rng *rng = ct_predict_rng(ct_random_at(work->seed, replicate));
    work->is_drawn[replicate] = quantities && rng && draw_one(work, replicate, rng, quantities);
    free(quantities);
    if (rng)
        gsl_rng_free(rng);
}

static bool draw_all(struct work *work)
{
    ct_parallel_run(work->n_replicates, ct_parallel_processors(), draw_replicate, work);
    for (size_t r = 0; r < work->n_replicates; r++)
        if (!work->is_drawn[r])
            return false;
    return true;
}

static bool set_intervals(const struct work *work, double level,
                          struct ct_predict_analysis *analysis)
{
    struct quantity *quantities = malloc(work->n * sizeof *quantities);
    if (!quantities)
        return false;
    list_quantities(analysis, quantities);
    for (size_t i = 0; i < work->n; i++)
        *quantities[i].interval = ct_predict_interval_of(work->values + i * work->n_replicates,
                                                         work->n_replicates, level);
    free(quantities);
    return true;
}

enum ct_status ct_predict_resample(struct ct_predict_analysis *analysis,
                                   const struct ct_bootstrap *setup)
{
    if (setup->replicates < 20 || !(setup->level > 0 && setup->level < 1))
        return CT_EINVAL;
    struct work work = {.analysis = analysis,
                        .seed = setup->seed,
                        .n_replicates = setup->replicates,
                        .n = n_quantities(analysis)};
    work.values = malloc(work.n * work.n_replicates * sizeof *work.values);
    work.is_drawn = malloc(work.n_replicates * sizeof *work.is_drawn);
    bool done = work.values && work.is_drawn && draw_all(&work) &&
                set_intervals(&work, setup->level, analysis);
    free(work.values);
    free(work.is_drawn);
    return done ? CT_OK : CT_ENOMEM;
}
