#include "calibrate/observed.h"

#include "core/stats.h"

#include <math.h>
#include <string.h>

static enum ct_status summarize_observed(const struct ct_observed *observed,
                                         struct ct_observed_summary *summary, struct ct_error *err)
{
    if (observed->n < 2)
        return ct_fail(err, CT_ENODATA,
                       "%.80s: %zu repetition%s: their scatter is not known; measure at least two",
                       observed->name, observed->n, observed->n == 1 ? "" : "s");
    struct ct_summary all;
    enum ct_status status = ct_stats_summarize(observed->values, observed->n, &all);
    if (status != CT_OK)
        return ct_fail(err, status, "%.80s: a measured value is not finite", observed->name);
    if (!(all.max > all.min))
        return ct_fail(
            err, CT_EINVAL,
            "%.80s: all %zu repetitions are %g: a variance of zero would let this output "
            "alone decide; measure it with more digits, or leave it out",
            observed->name, observed->n, all.mean);
    *summary = (struct ct_observed_summary){all.mean, all.variance, observed->n,
                                            observed->scale > 0 ? observed->scale : fabs(all.mean)};
    return CT_OK;
}

enum ct_status ct_observed_summarize(const struct ct_observed *observed, size_t n,
                                     struct ct_observed_summary *summaries, struct ct_error *err)
{
    if (n == 0)
        return ct_fail(err, CT_ENODATA, "no measured outputs to calibrate to");
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++)
            if (strcmp(observed[i].name, observed[j].name) == 0)
                return ct_fail(err, CT_EEXIST,
                               "%.80s: measured twice; put all repetitions of a size together",
                               observed[i].name);
        CT_TRY(summarize_observed(&observed[i], &summaries[i], err));
    }
    return CT_OK;
}
