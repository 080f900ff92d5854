#include "predict/resample.h"

#include "core/random.h"
#include "predict/analysis.h"

#include <stdlib.h>

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

static enum ct_status draw_one(const struct ct_predict_analysis *analysis, gsl_rng *rng,
                               struct quantity *quantities)
{
    struct ct_predict_analysis drawn;
    enum ct_status status = ct_predict_analysis_make(analysis->summaries, rng, &drawn);
    if (status != CT_OK)
        return status;
    list(&drawn, quantities);
    ct_predict_analysis_free(&drawn); /* values are copied, and nobody follows the pointers */
    return CT_OK;
}

enum ct_status ct_predict_resample(struct ct_predict_analysis *analysis,
                                   const struct ct_bootstrap *setup)
{
    if (setup->replicates < 20 || !(setup->level > 0 && setup->level < 1))
        return CT_EINVAL;
    size_t n = n_quantities(analysis), n_replicates = setup->replicates;
    struct quantity *quantities = malloc(n * sizeof *quantities);
    double *values = malloc(n * n_replicates * sizeof *values); /* [quantity * replicates + r] */
    gsl_rng *rng = ct_predict_rng(setup->seed);
    enum ct_status status = quantities && values && rng ? CT_OK : CT_ENOMEM;
    for (size_t r = 0; r < n_replicates && status == CT_OK; r++) {
        ct_predict_rng_set(rng, ct_random_at(setup->seed, r));
        status = draw_one(analysis, rng, quantities);
        for (size_t i = 0; i < n && status == CT_OK; i++)
            values[i * n_replicates + r] = quantities[i].value;
    }
    if (status == CT_OK) {
        list(analysis, quantities);
        for (size_t i = 0; i < n; i++)
            *quantities[i].interval =
                ct_predict_interval_of(values + i * n_replicates, n_replicates, setup->level);
    }
    free(quantities);
    free(values);
    if (rng)
        gsl_rng_free(rng);
    return status;
}
