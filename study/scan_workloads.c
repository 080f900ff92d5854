#include "study/scan_workloads.h"

#include "predict/interval.h"
#include "study/session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char model_key[] = "probe";

static bool is_asked(const struct ct_scan_case *scan_case)
{
    return ct_scan_is_workload(scan_case->canary) && ct_scan_is_steady(&scan_case->setting);
}

/* The answer for one case; its value is NaN where the rounds do not have it. */
static enum ct_status predict_case(const struct ct_study *study,
                                   const struct ct_predict_analysis *analysis, double level,
                                   struct ct_scan_workload_factor *factor)
{
    const struct ct_scan_case *scan_case = &factor->scan_case;
    const size_t n_apps = study->measured.n_apps,
                 app = ct_study_find_app(study, ct_scan_canary_names[scan_case->canary]),
                 with = ct_study_find_app(study,
                                          ct_scan_congestor_names[scan_case->setting.congestor]);
    size_t number = 0;
    factor->value = NAN;
    if (app == n_apps || with == n_apps)
        return CT_OK;
    CT_TRY(ct_predict_model_find(model_key, strlen(model_key), &number, NULL));
    struct ct_predict_case one = {.model = &ct_predict_models[number],
                                  .app = app,
                                  .with = &with,
                                  .n_with = 1,
                                  .leaves_out_members = true,
                                  .is_by_configs = true};
    CT_TRY(ct_predict_cases(analysis, level, &one, 1));
    factor->value = 1 + one.prediction.slowdown_frac;
    factor->interval =
        (struct ct_interval){1 + one.prediction.interval.lo, 1 + one.prediction.interval.hi};
    return CT_OK;
}

static enum ct_status predict_all(const struct ct_scan *scan, const struct ct_study *study,
                                  const struct ct_predict_analysis *analysis, double level,
                                  struct ct_scan_workload_factor *factors, size_t *n_p)
{
    enum ct_status status = CT_OK;
    for (size_t c = 0; c < scan->n_cases && status == CT_OK; c++) {
        struct ct_scan_workload_factor factor = {.scan_case = scan->cases[c]};
        if (!is_asked(&factor.scan_case))
            continue;
        status = predict_case(study, analysis, level, &factor);
        if (status == CT_OK && isfinite(factor.value))
            factors[(*n_p)++] = factor;
    }
    return status;
}

static bool has_workload(const struct ct_scan *scan)
{
    for (size_t c = 0; c < scan->n_cases; c++)
        if (is_asked(&scan->cases[c]))
            return true;
    return false;
}

enum ct_status ct_scan_workloads_predict(const char *dir, const struct ct_scan *scan, double level,
                                         struct ct_scan_workload_factor **factors_p, size_t *n_p,
                                         struct ct_error *err)
{
    const struct ct_session_settings settings = {.path = dir, .link_bit_per_s = NAN};
    struct ct_session session;
    struct ct_predict_analysis analysis;
    struct ct_error why;
    *n_p = 0;
    if (!has_workload(scan))
        return CT_OK;
    enum ct_status status = ct_session_open(&settings, &session, err);
    if (status != CT_OK)
        return status;
    struct ct_scan_workload_factor *factors = calloc(scan->n_cases + 1, sizeof *factors);
    status = factors ? CT_OK : ct_no_memory(err, "predictions");
    if (status == CT_OK && ct_session_analyse(&session, dir, &analysis, &why) == CT_OK) {
        status = predict_all(scan, &session.study, &analysis, level, factors, n_p);
        if (status != CT_OK)
            ct_fail(err, status, "%s: %s", dir, ct_status_text(status));
        ct_predict_analysis_free(&analysis);
    } /* else no known load was measured, and nothing is predicted */
    ct_session_free(&session);
    if (status == CT_OK)
        *factors_p = factors;
    else
        free(factors);
    return status;
}
