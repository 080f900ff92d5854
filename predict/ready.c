#include "predict/ready.h"

#include <math.h>
#include <stdlib.h>

const struct ct_lookup_model *const ct_predict_lookups[CT_PREDICT_N_LOOKUPS] = {
    &ct_lookup_average, &ct_lookup_average_stdev, &ct_lookup_pdf, &ct_lookup_pdf_normalised};

static struct ct_lookup_choice pick(const struct ct_predict_analysis *analysis,
                                    const struct ct_lookup_model *lookup, size_t with)
{
    struct ct_lookup_search search = ct_lookup_begin(lookup, &analysis->apps[with].profile);
    for (size_t c = 0; c < analysis->n_configs; c++)
        ct_lookup_offer(&search, c, &analysis->configs[c].profile);
    return ct_lookup_end(&search);
}

static void take_speeds(const struct ct_predict_analysis *analysis, size_t app,
                        struct ct_predict_ready *ready)
{
    ready->highest_s[app] = NAN;
    ready->is_complete[app] = true;
    for (size_t c = 0; c < analysis->n_configs; c++) {
        size_t cell = app * analysis->n_configs + c;
        const struct ct_summary *latency_s = &analysis->configs[c].profile.latency_s;
        double slowdown = analysis->under_config[cell].frac;
        ready->speed[cell] = latency_s->n > 0 ? 1 / (1 + slowdown) : NAN;
        if (latency_s->n > 0 && isnan(slowdown))
            ready->is_complete[app] = false;
        else if (latency_s->n > 0)
            ready->highest_s[app] = fmax(ready->highest_s[app], latency_s->mean);
    }
}

enum ct_status ct_predict_ready_make(const struct ct_predict_analysis *analysis,
                                     struct ct_predict_ready **ready_p)
{
    size_t n_apps = analysis->n_apps, n_configs = analysis->n_configs;
    struct ct_predict_ready *ready = calloc(1, sizeof *ready);
    if (!ready)
        return CT_ENOMEM;
    /* One more than needed: calloc(0) may answer NULL. */
    ready->picks = calloc(CT_PREDICT_N_LOOKUPS * n_apps + 1, sizeof *ready->picks);
    ready->speed = calloc(n_apps * n_configs + 1, sizeof *ready->speed);
    ready->highest_s = calloc(n_apps + 1, sizeof *ready->highest_s);
    ready->is_complete = calloc(n_apps + 1, sizeof *ready->is_complete);
    if (!ready->picks || !ready->speed || !ready->highest_s || !ready->is_complete) {
        ct_predict_ready_free(ready);
        return CT_ENOMEM;
    }
    for (size_t i = 0; i < CT_PREDICT_N_LOOKUPS * n_apps; i++)
        ready->picks[i] = pick(analysis, ct_predict_lookups[i / n_apps], i % n_apps);
    for (size_t app = 0; app < n_apps; app++)
        take_speeds(analysis, app, ready);
    *ready_p = ready;
    return CT_OK;
}

void ct_predict_ready_free(struct ct_predict_ready *ready)
{
    if (!ready)
        return;
    free(ready->picks);
    free(ready->speed);
    free(ready->highest_s);
    free(ready->is_complete);
    free(ready);
}
