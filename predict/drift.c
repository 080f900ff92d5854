#include "predict/drift.h"

#include <math.h>
#include <stdlib.h>

struct mean {
    double value_s;
    struct ct_interval interval;
};

/* No value: fewer than 2 passes. */
static enum ct_status mean_of(struct ct_series run, double level, struct mean *mean_p)
{
    struct ct_summary summary = {.mean = NAN};
    mean_p->value_s = NAN;
    if (run.n < 2)
        return CT_OK;
    CT_TRY(ct_stats_summarize(run.x, run.n, &summary));
    CT_TRY(ct_stats_mean_interval(run.x, run.n, level, &mean_p->interval));
    mean_p->value_s = summary.mean;
    return CT_OK;
}

static bool means_disagree(const struct mean *a, const struct mean *b)
{
    return (a->interval.hi < b->interval.lo || b->interval.hi < a->interval.lo) &&
           fabs(b->value_s / a->value_s - 1) > CT_DRIFT_LEAST_FRAC;
}

static struct ct_drift compare_means(const struct mean *means, size_t n)
{
    struct ct_drift drift = {0};
    for (size_t after = 0; after < n; after++)
        for (size_t before = 0; before < after; before++) {
            const struct mean *a = &means[before], *b = &means[after];
            double change = b->value_s / a->value_s - 1;
            if (fabs(change) > fabs(drift.change_frac) && means_disagree(a, b))
                drift = (struct ct_drift){true, before, after, a->value_s, b->value_s, change};
        }
    return drift;
}

enum ct_status ct_drift_find(const struct ct_series *runs, size_t n, double level,
                             struct ct_drift *drift_p)
{
    if (!(level > 0 && level < 1))
        return CT_EINVAL;
    struct mean *means = calloc(n + 1, sizeof *means);
    if (!means)
        return CT_ENOMEM;
    enum ct_status status = CT_OK;
    for (size_t i = 0; i < n && status == CT_OK; i++)
        status = mean_of(runs[i], 1 - (1 - level) / (double)n, &means[i]);
    if (status == CT_OK)
        *drift_p = compare_means(means, n);
    free(means);
    return status;
}
