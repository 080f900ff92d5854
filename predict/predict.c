#include "predict/predict.h"

#include <math.h>
#include <stdlib.h>

static double mean_ratio_minus_1(const struct ct_series *series, void *unused)
{
    (void)unused;
    struct ct_summary without, with;
    if (ct_stats_summarize(series[0].x, series[0].n, &without) != CT_OK ||
        ct_stats_summarize(series[1].x, series[1].n, &with) != CT_OK)
        return NAN;
    return with.mean / without.mean - 1;
}

static enum ct_status check_durations(struct ct_series durations, struct ct_error *err)
{
    for (size_t i = 0; i < durations.n; i++)
        if (!(isfinite(durations.x[i]) && durations.x[i] > 0))
            return ct_fail(err, CT_EINVAL, "duration of a pass: %g s is not above 0",
                           durations.x[i]);
    return CT_OK;
}

enum ct_status ct_predict_slowdown(struct ct_series without, struct ct_series with,
                                   const struct ct_bootstrap *setup, struct ct_slowdown *slowdown_p,
                                   struct ct_error *err)
{
    struct ct_slowdown slowdown = {NAN, {NAN, NAN}};
    enum ct_status status = check_durations(without, err);
    if (status == CT_OK)
        status = check_durations(with, err);
    if (status != CT_OK)
        return status;
    if (without.n > 0 && with.n > 0) {
        const struct ct_series series[] = {without, with};
        slowdown.frac = mean_ratio_minus_1(series, NULL);
        status = ct_stats_bootstrap(series, 2, mean_ratio_minus_1, NULL, setup, &slowdown.interval);
        if (status != CT_OK)
            return ct_fail(err, status, "interval of a slowdown: %s", ct_status_text(status));
    }
    *slowdown_p = slowdown;
    return CT_OK;
}

static enum ct_status analyse_load(struct ct_series idle_s, struct ct_series latency_s,
                                   double true_utilization_frac, const struct ct_bootstrap *setup,
                                   struct ct_predict_load *load_p, struct ct_error *err)
{
    struct ct_predict_load load = {.utilization_frac = NAN,
                                   .utilization_interval = {NAN, NAN},
                                   .true_utilization_frac = true_utilization_frac};
    if (latency_s.n > 0) {
        struct ct_queue_estimate estimate;
        enum ct_status status = ct_queue_estimate(idle_s, latency_s, setup, &estimate, err);
        if (status == CT_OK)
            status = ct_stats_summarize(latency_s.x, latency_s.n, &load.profile.latency_s);
        if (status != CT_OK)
            return status;
        load.utilization_frac = estimate.utilization_frac;
        load.utilization_interval = estimate.utilization_interval;
    }
    *load_p = load;
    return CT_OK;
}

static enum ct_status analyse_loads(const struct ct_predict_input *input,
                                    const struct ct_bootstrap *setup,
                                    struct ct_predict_analysis *analysis, struct ct_error *err)
{
    struct ct_series idle_s = input->idle_latency_s;
    struct ct_queue_service service; /* says what is wrong with the idle sample, once for all */
    enum ct_status status = ct_queue_service_of(idle_s, &service, err);
    if (status == CT_OK)
        status = analyse_load(idle_s, idle_s, input->idle_true_utilization_frac, setup,
                              &analysis->idle, err);
    if (status != CT_OK)
        return ct_fail_within(err, "idle network");
    for (size_t app = 0; app < input->n_apps; app++) {
        status =
            analyse_load(idle_s, input->app_latency_s[app], input->app_true_utilization_frac[app],
                         setup, &analysis->apps[app], err);
        if (status != CT_OK)
            return ct_fail_within(err, "probe beside %s", input->app_names[app]);
    }
    for (size_t config = 0; config < input->n_configs; config++) {
        status = analyse_load(idle_s, input->config_latency_s[config],
                              input->config_true_utilization_frac[config], setup,
                              &analysis->configs[config], err);
        if (status != CT_OK)
            return ct_fail_within(err, "probe beside %s", input->config_names[config]);
    }
    return CT_OK;
}

static enum ct_status analyse_slowdowns(const struct ct_predict_input *input,
                                        const struct ct_bootstrap *setup,
                                        struct ct_predict_analysis *analysis, struct ct_error *err)
{
    for (size_t app = 0; app < input->n_apps; app++) {
        size_t first = app * input->n_configs;
        for (size_t i = first; i < first + input->n_configs; i++)
            if (ct_predict_slowdown(input->baseline_s[app], input->under_config_s[i], setup,
                                    &analysis->under_config[i], err) != CT_OK)
                return ct_fail_within(err, "%s beside %s", input->app_names[app],
                                      input->config_names[i - first]);
        first = app * input->n_apps;
        for (size_t i = first; i < first + input->n_apps; i++)
            if (ct_predict_slowdown(input->baseline_s[app], input->beside_app_s[i], setup,
                                    &analysis->beside_app[i], err) != CT_OK)
                return ct_fail_within(err, "%s beside %s", input->app_names[app],
                                      input->app_names[i - first]);
    }
    return CT_OK;
}

enum ct_status ct_predict_analyse(const struct ct_predict_input *input,
                                  const struct ct_bootstrap *setup,
                                  struct ct_predict_analysis *analysis_p, struct ct_error *err)
{
    size_t n_apps = input->n_apps, n_configs = input->n_configs;
    /* At least one element each: calloc(0) may answer NULL. */
    struct ct_predict_analysis analysis = {
        .n_apps = n_apps,
        .n_configs = n_configs,
        .apps = calloc(n_apps + 1, sizeof *analysis.apps),
        .configs = calloc(n_configs + 1, sizeof *analysis.configs),
        .under_config = calloc(n_apps * n_configs + 1, sizeof *analysis.under_config),
        .beside_app = calloc(n_apps * n_apps + 1, sizeof *analysis.beside_app),
    };
    enum ct_status status = CT_OK;
    if (!analysis.apps || !analysis.configs || !analysis.under_config || !analysis.beside_app)
        status = ct_fail(err, CT_ENOMEM, "analysis of %zu applications: out of memory", n_apps);
    if (status == CT_OK)
        status = analyse_loads(input, setup, &analysis, err);
    if (status == CT_OK)
        status = analyse_slowdowns(input, setup, &analysis, err);
    if (status != CT_OK) {
        ct_predict_analysis_free(&analysis);
        return status;
    }
    *analysis_p = analysis;
    return CT_OK;
}

void ct_predict_analysis_free(struct ct_predict_analysis *analysis)
{
    free(analysis->apps);
    free(analysis->configs);
    free(analysis->under_config);
    free(analysis->beside_app);
    *analysis = (struct ct_predict_analysis){0};
}

enum ct_status ct_predict_errors_of(const double *predicted, const double *measured, size_t n,
                                    struct ct_predict_errors *errors_p)
{
    double *off = malloc((n + 1) * sizeof *off);
    if (!off)
        return CT_ENOMEM;
    struct ct_predict_errors errors = {0, NAN, NAN, NAN, NAN, NAN};
    for (size_t i = 0; i < n; i++) {
        double difference = fabs(predicted[i] - measured[i]);
        if (!isnan(difference))
            off[errors.n++] = difference;
    }
    struct ct_summary summary;
    if (ct_stats_summarize(off, errors.n, &summary) == CT_OK) {
        errors.mean_abs = summary.mean;
        errors.max = summary.max;
        ct_stats_sort(off, errors.n);
        ct_stats_quantile(off, errors.n, 0.25, &errors.q1);
        ct_stats_quantile(off, errors.n, 0.50, &errors.median);
        ct_stats_quantile(off, errors.n, 0.75, &errors.q3);
    }
    free(off);
    *errors_p = errors;
    return CT_OK;
}
