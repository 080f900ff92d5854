#include "core/draws.h"

#include "core/parallel.h"

#include <math.h>
#include <stdlib.h>

/* Shared by the threads; each draw writes to places of its own. */
struct work {
    const struct ct_draws_job *job;
    double *values;
    enum ct_status *status;  /* [draw] */
    struct ct_error *errors; /* [draw] */
};

static void run_draw(void *data, size_t draw)
{
    struct work *work = data;
    const struct ct_draws_job *job = work->job;
    work->status[draw] =
        job->evaluate(job->data, draw, work->values + draw * job->n_values, &work->errors[draw]);
}

enum ct_status ct_draws_evaluate(const struct ct_draws_job *job, double *values,
                                 struct ct_error *err)
{
    if (job->n_draws < 2 || job->n_values == 0 || job->threads == 0)
        return ct_fail(err, CT_EINVAL, "%zu draws of %zu values, %u threads", job->n_draws,
                       job->n_values, job->threads);
    struct work work = {.job = job,
                        .values = values,
                        .status = calloc(job->n_draws, sizeof *work.status),
                        .errors = calloc(job->n_draws, sizeof *work.errors)};
    enum ct_status status = CT_OK;
    if (work.status && work.errors)
        ct_parallel_run(job->n_draws, job->threads, run_draw, &work);
    else
        status = ct_no_memory(err, "%zu draws", job->n_draws);
    for (size_t i = 0; i < job->n_draws && status == CT_OK; i++)
        if (work.status[i] != CT_OK)
            status = ct_fail(err, work.status[i], "draw %zu: %s", i, work.errors[i].text);
    free(work.status);
    free(work.errors);
    return status;
}

struct ct_draws_summary ct_draws_summarize(const struct ct_draws_job *job, const double *values,
                                           size_t value, double level, double *scratch)
{
    struct ct_draws_summary summary = {
        .mean = NAN, .variance = NAN, .interval = {.lo = NAN, .hi = NAN}};
    double sum = 0, squares = 0;
    for (size_t i = 0; i < job->n_draws; i++) {
        double x = values[i * job->n_values + value];
        if (isnan(x))
            continue;
        scratch[summary.n++] = x;
        sum += x;
    }
    if (summary.n < 2)
        return summary;
    summary.mean = sum / (double)summary.n;
    for (size_t i = 0; i < summary.n; i++)
        squares += (scratch[i] - summary.mean) * (scratch[i] - summary.mean);
    summary.variance = squares / (double)(summary.n - 1);
    ct_stats_sort(scratch, summary.n);
    ct_stats_quantile(scratch, summary.n, (1 - level) / 2, &summary.interval.lo);
    ct_stats_quantile(scratch, summary.n, (1 + level) / 2, &summary.interval.hi);
    return summary;
}
