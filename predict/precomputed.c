#include "predict/precomputed.h"

#include <math.h>
#include <stdlib.h>

const struct ct_lookup_model *const ct_predict_lookups[CT_PREDICT_N_LOOKUPS] = {
    &ct_lookup_average, &ct_lookup_average_stdev, &ct_lookup_pdf};

static struct ct_lookup_choice pick_row(const struct ct_predict_analysis *analysis,
                                        const struct ct_lookup_model *lookup, size_t with)
{
    struct ct_lookup_search search = ct_lookup_begin(lookup, &analysis->apps[with].profile);
    for (size_t c = 0; c < analysis->n_configs; c++)
        ct_lookup_offer(&search, c, &analysis->configs[c].profile);
    return ct_lookup_end(&search);
}

static void take_speeds(const struct ct_predict_analysis *analysis, size_t app,
                        struct ct_predict_precomputed *precomputed)
{
    precomputed->highest_s[app] = NAN;
    precomputed->is_complete[app] = true;
    for (size_t c = 0; c < analysis->n_configs; c++) {
        size_t cell = app * analysis->n_configs + c;
        const struct ct_summary *latency_s = &analysis->configs[c].profile.latency_s;
        double slowdown = analysis->under_config[cell].frac;
        precomputed->speed[cell] = latency_s->n > 0 ? 1 / (1 + slowdown) : NAN;
        if (latency_s->n > 0 && isnan(slowdown))
            precomputed->is_complete[app] = false;
        else if (latency_s->n > 0)
            precomputed->highest_s[app] = fmax(precomputed->highest_s[app], latency_s->mean);
    }
}

enum ct_status ct_predict_precomputed_make(const struct ct_predict_analysis *analysis,
                                           struct ct_predict_precomputed **precomputed_p)
{
    size_t n_apps = analysis->n_apps, n_configs = analysis->n_configs;
    struct ct_predict_precomputed *precomputed = calloc(1, sizeof *precomputed);
    if (!precomputed)
        return CT_ENOMEM;
    /* One more than needed: calloc(0) may answer NULL. */
    precomputed->choices = calloc(CT_PREDICT_N_LOOKUPS * n_apps + 1, sizeof *precomputed->choices);
    precomputed->speed = calloc(n_apps * n_configs + 1, sizeof *precomputed->speed);
    precomputed->highest_s = calloc(n_apps + 1, sizeof *precomputed->highest_s);
    precomputed->is_complete = calloc(n_apps + 1, sizeof *precomputed->is_complete);
    if (!precomputed->choices || !precomputed->speed || !precomputed->highest_s ||
        !precomputed->is_complete) {
        ct_predict_precomputed_free(precomputed);
        return CT_ENOMEM;
    }
    for (size_t i = 0; i < CT_PREDICT_N_LOOKUPS * n_apps; i++)
        precomputed->choices[i] = pick_row(analysis, ct_predict_lookups[i / n_apps], i % n_apps);
    for (size_t app = 0; app < n_apps; app++)
        take_speeds(analysis, app, precomputed);
    *precomputed_p = precomputed;
    return CT_OK;
}

void ct_predict_precomputed_free(struct ct_predict_precomputed *precomputed)
{
    if (!precomputed)
        return;
    free(precomputed->choices);
    free(precomputed->speed);
    free(precomputed->highest_s);
    free(precomputed->is_complete);
    free(precomputed);
}
