#include "model/queue/queue.h"

#include <math.h>

static enum ct_status summarize_latencies(struct ct_series latencies, const char *what,
                                          size_t n_least, struct ct_summary *summary_p,
                                          struct ct_error *err)
{
    if (latencies.n < n_least)
        return ct_fail(err, CT_ENODATA, "%s latencies: %zu, at least %zu needed", what, latencies.n,
                       n_least);
    struct ct_summary summary;
    enum ct_status status = ct_stats_summarize(latencies.x, latencies.n, &summary);
    if (status != CT_OK)
        return ct_fail(err, status, "%s latencies: one is not a finite number", what);
    if (!(summary.min > 0))
        return ct_fail(err, CT_EINVAL, "%s latencies: %g s is not above 0", what, summary.min);
    *summary_p = summary;
    return CT_OK;
}

static struct ct_queue_service service_from(const struct ct_summary *idle)
{
    return (struct ct_queue_service){.time_s = idle->min, .variance_s2 = idle->variance};
}

enum ct_status ct_queue_service_of(struct ct_series idle, struct ct_queue_service *service_p,
                                   struct ct_error *err)
{
    struct ct_summary summary = {0};
    CT_TRY(summarize_latencies(idle, "idle", 2, &summary, err));
    *service_p = service_from(&summary);
    return CT_OK;
}

/* The header's formulas with 1/mu = time_s put in: exactly 0 where W is the service time itself. */

double ct_queue_utilization(const struct ct_queue_service *service, double mean_latency_s)
{
    double excess_s = mean_latency_s - service->time_s;
    if (excess_s <= 0)
        return 0;
    return 2 * excess_s / (2 * excess_s + service->time_s + service->variance_s2 / service->time_s);
}

double ct_queue_mean_latency(const struct ct_queue_service *service, double utilization_frac)
{
    return service->time_s + utilization_frac / (1 - utilization_frac) *
                                 (service->time_s + service->variance_s2 / service->time_s) / 2;
}

/* Statistics of the bootstrap: series[0] under load, series[1] idle. */

static double utilization_known(const struct ct_series *series, void *service)
{
    struct ct_summary loaded;
    if (ct_stats_summarize(series[0].x, series[0].n, &loaded) != CT_OK)
        return NAN;
    return ct_queue_utilization(service, loaded.mean);
}

static double utilization_resampled(const struct ct_series *series, void *unused)
{
    (void)unused;
    struct ct_summary idle;
    if (ct_stats_summarize(series[1].x, series[1].n, &idle) != CT_OK)
        return NAN;
    struct ct_queue_service service = service_from(&idle);
    return utilization_known(series, &service);
}

/* idle NULL: the service is known. */
static enum ct_status estimate_queue(const struct ct_queue_service *service,
                                     const struct ct_series *idle, struct ct_series loaded,
                                     const struct ct_bootstrap *setup,
                                     struct ct_queue_estimate *estimate_p, struct ct_error *err)
{
    struct ct_summary summary = {0};
    CT_TRY(summarize_latencies(loaded, "loaded", 1, &summary, err));
    double utilization_frac = ct_queue_utilization(service, summary.mean);
    struct ct_queue_estimate result = {.service = *service,
                                       .mean_latency_s = summary.mean,
                                       .arrival_rate_per_s = utilization_frac / service->time_s,
                                       .utilization_frac = utilization_frac};
    struct ct_queue_service known = *service;
    struct ct_series series[] = {loaded, idle ? *idle : (struct ct_series){0}};
    enum ct_status status = idle ? ct_stats_bootstrap(series, 2, utilization_resampled, NULL, setup,
                                                      &result.utilization_interval)
                                 : ct_stats_bootstrap(series, 1, utilization_known, &known, setup,
                                                      &result.utilization_interval);
    if (status != CT_OK)
        return ct_fail(err, status, "interval of the utilization: %s", ct_status_text(status));
    *estimate_p = result;
    return CT_OK;
}

enum ct_status ct_queue_estimate(struct ct_series idle, struct ct_series loaded,
                                 const struct ct_bootstrap *setup,
                                 struct ct_queue_estimate *estimate_p, struct ct_error *err)
{
    struct ct_queue_service service;
    CT_TRY(ct_queue_service_of(idle, &service, err));
    return estimate_queue(&service, &idle, loaded, setup, estimate_p, err);
}

enum ct_status ct_queue_estimate_known(const struct ct_queue_service *service,
                                       struct ct_series loaded, const struct ct_bootstrap *setup,
                                       struct ct_queue_estimate *estimate_p, struct ct_error *err)
{
    return estimate_queue(service, NULL, loaded, setup, estimate_p, err);
}
