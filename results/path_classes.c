#include "results/path_classes.h"

#include "core/stats.h"

#include <math.h>
#include <stdlib.h>

/* Sums by pair. */
struct sum {
    size_t n;
    double latency_s;
};

static size_t find_worst(const struct sum *sums, size_t n)
{
    size_t worst = n;
    double most_s = -INFINITY;
    for (size_t p = 0; p < n; p++)
        if (sums[p].n > 0 && sums[p].latency_s / (double)sums[p].n > most_s) {
            most_s = sums[p].latency_s / (double)sums[p].n;
            worst = p;
        }
    return worst;
}

/* values_s: room for all samples. */
static struct ct_path_class summarize_class(const struct ct_run *run, const struct sum *sums,
                                            uint32_t switches, double *values_s)
{
    struct ct_path_class class = {.switches = switches};
    for (size_t p = 0; p < run->n_pairs; p++)
        class.n_pairs += run->pairs[p].path_class == switches && sums[p].n > 0;
    for (size_t i = 0; i < run->n_samples; i++)
        if (run->pairs[run->samples[i].pair].path_class == switches) {
            values_s[class.n++] = run->samples[i].latency_s;
            class.mean_s += (run->samples[i].latency_s - class.mean_s) / (double)class.n;
        }
    class.p25_s = class.p50_s = class.p75_s = class.p99_s = NAN;
    ct_stats_sort(values_s, class.n);
    ct_stats_quantile(values_s, class.n, 0.25, &class.p25_s);
    ct_stats_quantile(values_s, class.n, 0.75, &class.p75_s);
    ct_stats_quantile(values_s, class.n, 0.5, &class.p50_s);
    ct_stats_quantile(values_s, class.n, 0.99, &class.p99_s);
    return class;
}

/* The smallest class above a number of switches; the number itself where there is none. */
static uint32_t next_class(const struct ct_run *run, const struct sum *sums, uint32_t above)
{
    uint32_t next = above;
    for (size_t p = 0; p < run->n_pairs; p++) {
        uint32_t switches = run->pairs[p].path_class;
        if (sums[p].n > 0 && switches > above && (next == above || switches < next))
            next = switches;
    }
    return next;
}

enum ct_status ct_path_classes_take(const struct ct_run *run, struct ct_path_class **classes_p,
                                    size_t *n_p, size_t *worst_p, struct ct_error *err)
{
    struct sum *sums = calloc(run->n_pairs + 1, sizeof *sums);
    double *values_s = malloc((run->n_samples + 1) * sizeof *values_s);
    struct ct_path_class *classes = calloc(run->n_pairs + 1, sizeof *classes);
    enum ct_status status = CT_OK;
    size_t n = 0;
    if (!sums || !values_s || !classes) {
        status = ct_no_memory(err, "classes of paths");
        free(classes);
    } else {
        for (size_t i = 0; i < run->n_samples; i++) {
            sums[run->samples[i].pair].n++;
            sums[run->samples[i].pair].latency_s += run->samples[i].latency_s;
        }
        uint32_t last = 0, switches;
        while ((switches = next_class(run, sums, last)) > last) {
            classes[n++] = summarize_class(run, sums, switches, values_s);
            last = switches;
        }
        *worst_p = find_worst(sums, run->n_pairs);
        *n_p = n;
        if (n == 0) {
            free(classes);
            classes = NULL;
        }
        *classes_p = classes;
    }
    free(sums);
    free(values_s);
    return status;
}
