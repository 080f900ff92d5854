#include "results/thin.h"

#include "core/order.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A sample by its time and the row that it is in. */
struct timed {
    double t_s;
    size_t row;
};

CT_ORDER(by_time, struct timed, t_s, row)

/* *kept_p: for every row whether it stays; owned by the caller. */
static enum ct_status choose_samples(const struct ct_run *run, size_t n_stretches, size_t length,
                                     bool **kept_p)
{
    size_t n = run->n_samples;
    struct timed *timed = malloc(n * sizeof *timed);
    bool *kept = calloc(n, sizeof *kept);
    if (!timed || !kept) {
        free(timed);
        free(kept);
        return CT_ENOMEM;
    }
    for (size_t i = 0; i < n; i++)
        timed[i] = (struct timed){run->samples[i].t_s, i};
    qsort(timed, n, sizeof *timed, by_time);
    for (size_t s = 0; s < n_stretches; s++) {
        size_t first = n_stretches > 1 ? s * (n - length) / (n_stretches - 1) : (n - length) / 2;
        for (size_t i = first; i < first + length; i++)
            kept[timed[i].row] = true;
    }
    free(timed);
    *kept_p = kept;
    return CT_OK;
}

static enum ct_status add_facts(struct ct_run *run, size_t n_before, size_t n_stretches,
                                size_t length)
{
    char rule[160];
    snprintf(rule, sizeof rule,
             "%zu stretches of %zu consecutive samples in the order of time, at equal steps from "
             "the first sample to the last",
             n_stretches, length);
    CT_TRY(ct_run_add_number(&run->info, CT_THIN_FROM_FACT, (double)n_before));
    return ct_run_add_text(&run->info, CT_THIN_RULE_FACT, rule);
}

enum ct_status ct_run_thin(struct ct_run *run, size_t samples_max, struct ct_error *err)
{
    if (samples_max < CT_THIN_STRETCH)
        return ct_fail(err, CT_EINVAL, "%zu samples: at least %d are to stay", samples_max,
                       CT_THIN_STRETCH);
    if (run->n_samples <= samples_max)
        return CT_OK;
    if (!isnan(ct_run_number(&run->info, CT_THIN_FROM_FACT)))
        return ct_fail(
            err, CT_EINVAL,
            "its %zu samples are what is left of a run that was thinned; pack again from "
            "the run files",
            run->n_samples);
    size_t n_before = run->n_samples, n_stretches = samples_max / CT_THIN_STRETCH;
    size_t length = samples_max / n_stretches, n_kept = 0;
    bool *kept = NULL;
    enum ct_status status = choose_samples(run, n_stretches, length, &kept);
    if (status == CT_OK)
        status = add_facts(run, n_before, n_stretches, length);
    for (size_t i = 0; i < n_before && status == CT_OK; i++)
        if (kept[i])
            run->samples[n_kept++] = run->samples[i];
    if (status == CT_OK)
        run->n_samples = n_kept;
    else
        ct_no_memory(err, "%zu samples", n_before);
    free(kept);
    return status;
}
