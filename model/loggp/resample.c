#include "model/loggp/resample.h"

#include "core/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_REPLICATES = 20 };

/* ---- drawing ---- */

static size_t draw_index(uint64_t *random, size_t n)
{
    return (size_t)(ct_random_unit(ct_random_next(random)) * (double)n);
}

/* scratch: room for two values of each repetition. */
static void draw_point(const struct ct_loggp_sample *sample, uint64_t *random, double *scratch,
                       struct ct_loggp_point *point)
{
    double *send_s = scratch, *rtt_s = scratch + sample->n_trips;
    for (size_t i = 0; i < sample->n_trips; i++) {
        size_t at = draw_index(random, sample->n_trips);
        send_s[i] = sample->send_s[at];
        rtt_s[i] = sample->rtt_s[at];
    }
    if (sample->n_trips > 0) {
        point->os_s.value = ct_stats_median(send_s, sample->n_trips);
        point->rtt_s.value = ct_stats_median(rtt_s, sample->n_trips);
    }
    for (size_t i = 0; i < sample->n_receives; i++)
        scratch[i] = sample->recv_s[draw_index(random, sample->n_receives)];
    if (sample->n_receives > 0)
        point->or_s.value = ct_stats_median(scratch, sample->n_receives);
}

/* A value of a point. */
typedef struct ct_estimate *value_fn(struct ct_loggp_point *point);

static struct ct_estimate *send_of(struct ct_loggp_point *point)
{
    return &point->os_s;
}

static struct ct_estimate *recv_of(struct ct_loggp_point *point)
{
    return &point->or_s;
}

static struct ct_estimate *trip_of(struct ct_loggp_point *point)
{
    return &point->rtt_s;
}

/* Where a larger size took less as measured, it counts for the smaller one in what was drawn too:
 * the least of several drawn values would be less again than the least of those measured. */
static void keep_choice(struct ct_loggp_point *measured, size_t n, uint64_t S_bytes,
                        value_fn *value, struct ct_loggp_point *drawn)
{
    size_t least = n;
    for (size_t i = n; i-- > 0;) {
        double here = value(&measured[i])->value;
        if (!(here >= 0) || measured[i].bytes > S_bytes)
            continue;
        if (least == n || here <= value(&measured[least])->value)
            least = i;
        value(&drawn[i])->value = value(&drawn[least])->value;
    }
}

/* Room for the largest sample; 0: no size has repetitions. */
static size_t scratch_of(const struct ct_loggp_sample *samples, size_t n)
{
    size_t most = 0;
    for (size_t i = 0; i < n; i++) {
        most = 2 * samples[i].n_trips > most ? 2 * samples[i].n_trips : most;
        most = samples[i].n_receives > most ? samples[i].n_receives : most;
    }
    return most;
}

enum ct_status ct_loggps_resample(const struct ct_loggp_point *points,
                                  const struct ct_loggp_sample *samples, size_t n, uint64_t S_bytes,
                                  const struct ct_loggp_resampling *setup,
                                  struct ct_loggps_replicates *replicates_p, struct ct_error *err)
{
    struct ct_loggps_replicates found = {.level = setup->level, .seed = setup->seed};
    size_t room = scratch_of(samples, n);
    *replicates_p = found;
    if (room == 0 || setup->replicates == 0)
        return CT_OK;
    uint64_t random = setup->seed;
    struct ct_loggp_point *drawn = malloc(n * sizeof *drawn), *measured = malloc(n * sizeof *drawn);
    double *scratch = malloc(room * sizeof *scratch);
    found.models = calloc(setup->replicates, sizeof *found.models);
    enum ct_status status = drawn && measured && scratch && found.models ? CT_OK : CT_ENOMEM;
    if (status == CT_OK)
        memcpy(measured, points, n * sizeof *measured);
    for (size_t r = 0; r < setup->replicates && status == CT_OK; r++) {
        memcpy(drawn, points, n * sizeof *drawn);
        for (size_t i = 0; i < n; i++)
            draw_point(&samples[i], &random, scratch, &drawn[i]);
        keep_choice(measured, n, UINT64_MAX, trip_of, drawn);
        keep_choice(measured, n, S_bytes, send_of, drawn);
        keep_choice(measured, n, S_bytes, recv_of, drawn);
        enum ct_status derived =
            ct_loggps_model_derive_drawn(drawn, n, S_bytes, &found.models[found.n], NULL);
        found.n += derived == CT_OK;
        status = derived == CT_ENOMEM ? derived : CT_OK;
    }
    free(measured);
    free(drawn);
    free(scratch);
    if (status != CT_OK || 2 * found.n < setup->replicates)
        ct_loggps_replicates_free(&found);
    *replicates_p = found;
    return status == CT_OK ? CT_OK : ct_no_memory(err, "replicates of L and G");
}

void ct_loggps_replicates_free(struct ct_loggps_replicates *replicates)
{
    for (size_t r = 0; r < replicates->n; r++)
        ct_loggps_model_free(&replicates->models[r]);
    free(replicates->models);
    replicates->models = NULL;
    replicates->n = 0;
}

/* ---- intervals ---- */

struct ct_interval ct_loggp_percentiles(double *x, size_t n, double level)
{
    size_t known = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(x[i]))
            x[known++] = x[i];
    if (known < LEAST_REPLICATES || 2 * known < n)
        return (struct ct_interval){NAN, NAN};
    ct_stats_sort(x, known);
    size_t out = (size_t)((1 - level) / 2 * (double)known);
    return (struct ct_interval){x[out], x[known - 1 - out]};
}

typedef double parameter_fn(const struct ct_loggps_model *model);

static double L_of(const struct ct_loggps_model *model)
{
    return model->L_s;
}

static double G_of(const struct ct_loggps_model *model)
{
    return model->G_s_per_byte;
}

/* Without memory there is no interval. */
static struct ct_interval interval_of(const struct ct_loggps_replicates *replicates,
                                      parameter_fn *parameter)
{
    struct ct_interval interval = {NAN, NAN};
    double *values = malloc((replicates->n + 1) * sizeof *values);
    for (size_t r = 0; values && r < replicates->n; r++)
        values[r] = parameter(&replicates->models[r]);
    if (values)
        interval = ct_loggp_percentiles(values, replicates->n, replicates->level);
    free(values);
    return interval;
}

struct ct_interval ct_loggps_L_interval(const struct ct_loggps_replicates *replicates)
{
    return interval_of(replicates, L_of);
}

struct ct_interval ct_loggps_G_interval(const struct ct_loggps_replicates *replicates)
{
    return interval_of(replicates, G_of);
}

/* Of the size that o is of, as measured; down to o where larger sizes took less. */
static struct ct_interval overhead_interval(const struct ct_loggp_point *points, size_t n,
                                            double o_s)
{
    for (size_t i = 0; i < n; i++) {
        if (points[i].bytes == 0)
            continue;
        struct ct_interval ci = ct_estimate_combine(0.5, points[i].os_s, 0.5, points[i].or_s).ci;
        return (struct ct_interval){fmin(ci.lo, o_s), fmax(ci.hi, o_s)};
    }
    return ct_estimate_none().ci;
}

enum ct_status ct_loggp_derive(const struct ct_loggp_point *points,
                               const struct ct_loggp_sample *samples, size_t n, uint64_t S_bytes,
                               const struct ct_loggp_resampling *setup, struct ct_loggp *loggp_p,
                               struct ct_error *err)
{
    const struct ct_estimate none = ct_estimate_none();
    struct ct_loggp loggp = {none, none, ct_loggp_gap_of_one(points, n), none, {.ci = none.ci}};
    struct ct_loggps_model model;
    struct ct_loggps_replicates replicates = {0};
    enum ct_status status = ct_loggps_model_derive(points, n, S_bytes, &model, NULL);
    if (status == CT_ENODATA) {
        *loggp_p = loggp;
        return CT_OK;
    }
    if (status != CT_OK)
        return ct_no_memory(err, "L and G");
    if (samples)
        status = ct_loggps_resample(points, samples, n, S_bytes, setup, &replicates, err);
    if (status == CT_OK) {
        loggp.L_s = (struct ct_estimate){model.L_s, ct_loggps_L_interval(&replicates)};
        loggp.o_s = (struct ct_estimate){model.o_s, overhead_interval(points, n, model.o_s)};
        loggp.G = model.G;
        if (model.G.is_determined)
            loggp.G_s_per_byte =
                (struct ct_estimate){model.G_s_per_byte, ct_loggps_G_interval(&replicates)};
        *loggp_p = loggp;
    }
    ct_loggps_replicates_free(&replicates);
    ct_loggps_model_free(&model);
    return status;
}
