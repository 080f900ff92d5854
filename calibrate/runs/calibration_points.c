#include "calibrate/runs/calibration_points.h"

#include "calibrate/runs/calibration_store.h"
#include "core/clock.h"
#include "core/parallel.h"
#include "results/fingerprint.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct key {
    uint64_t bits[2];
};

/* Shared by the threads; what follows the lock is used under it. */
struct work {
    const struct ct_calibration_points *points;
    struct key *keys; /* [point] */
    size_t *missing;  /* [n_missing]: points to be simulated */
    size_t n_missing;
    double *outputs;
    double begin_s;
    pthread_mutex_t lock;
    struct ct_calibration_store *store;
    size_t n_done;
    enum ct_status status;
    struct ct_error *err;
};

static struct ct_stack_parameters parameters_of(const struct ct_calibration_points *points,
                                                size_t point, double *values)
{
    const struct ct_unknowns *unknowns = points->unknowns;
    const double *z = points->design->points + point * unknowns->n;
    for (size_t i = 0; i < unknowns->n; i++)
        values[i] = ct_prior_value(&unknowns->parameters[i].prior, z[i]);
    return ct_unknowns_at(unknowns, values);
}

/* Of all that a simulation depends on. */
static bool make_key(const struct ct_calibration_points *points, size_t point, struct key *key)
{
    double values[CT_STACK_KEYS];
    const struct ct_stack_parameters parameters = parameters_of(points, point, values);
    struct ct_fingerprint *fingerprint = ct_fingerprint_new();
    if (!fingerprint)
        return false;
    ct_fingerprint_add(fingerprint, points->inputs, sizeof points->inputs);
    for (size_t k = 0; k < CT_STACK_KEYS; k++) {
        const double of[] = {(double)k, ct_stack_value(&parameters, k)};
        if (ct_stack_counts(&parameters, k))
            ct_fingerprint_add(fingerprint, of, sizeof of);
    }
    ct_fingerprint_end(fingerprint, key->bits);
    return true;
}

/* A failure with the parameters that it was found at. */
static enum ct_status fail_at(const struct ct_calibration_points *points, const double *values,
                              enum ct_status status, struct ct_error *err)
{
    char text[300] = "";
    for (size_t i = 0; i < points->unknowns->n; i++) {
        char value[CT_STACK_VALUE_MAX];
        size_t n = strlen(text);
        ct_stack_key_format(points->unknowns->keys[i], values[i], value);
        snprintf(text + n, sizeof text - n, "%s%s %s", i > 0 ? ", " : "",
                 points->unknowns->parameters[i].name, value);
    }
    return ct_fail_within(err, status, "simulation with %s", text);
}

static void show_progress(const struct work *work)
{
    char what[80];
    double per_point_s = (ct_clock_now_s() - work->begin_s) / (double)work->n_done;
    snprintf(what, sizeof what, "simulation %zu of %zu", work->n_done, work->n_missing);
    ct_log_progress(work->points->log, (double)work->n_done, (double)work->n_missing,
                    per_point_s * (double)(work->n_missing - work->n_done), what);
}

static void run_point(void *data, size_t i)
{
    struct work *work = data;
    const struct ct_calibration_points *points = work->points;
    size_t point = work->missing[i];
    double values[CT_STACK_KEYS], *outputs = work->outputs + point * points->n_outputs;
    struct ct_error err = {.text = ""};
    pthread_mutex_lock(&work->lock);
    bool is_over = work->status != CT_OK;
    pthread_mutex_unlock(&work->lock);
    if (is_over)
        return;
    const struct ct_stack_parameters parameters = parameters_of(points, point, values);
    enum ct_status status = ct_benchmark_run(points->benchmark, &parameters, outputs, &err);
    if (status == CT_OK && points->loads)
        status = ct_calibration_loads_run(
            points->loads, &parameters,
            outputs + points->n_outputs - ct_calibration_loads_count(points->loads), &err);
    if (status != CT_OK)
        fail_at(points, values, status, &err);
    pthread_mutex_lock(&work->lock);
    if (status == CT_OK)
        status = ct_calibration_store_add(work->store, work->keys[point].bits, outputs, &err);
    if (status != CT_OK && work->status == CT_OK) {
        work->status = status;
        *work->err = err;
    }
    work->n_done++;
    show_progress(work);
    pthread_mutex_unlock(&work->lock);
}

static enum ct_status find_missing(struct work *work, struct ct_error *err)
{
    const struct ct_calibration_points *points = work->points;
    for (size_t i = 0; i < points->design->n_points; i++) {
        if (!make_key(points, i, &work->keys[i]))
            return ct_no_memory(err, "simulations");
        if (!ct_calibration_store_find(work->store, work->keys[i].bits,
                                       work->outputs + i * points->n_outputs))
            work->missing[work->n_missing++] = i;
    }
    return CT_OK;
}

static enum ct_status run_all(struct work *work, struct ct_error *err)
{
    CT_TRY(find_missing(work, err));
    struct ct_error failure = {.text = ""};
    work->err = &failure;
    work->begin_s = ct_clock_now_s();
    pthread_mutex_init(&work->lock, NULL);
    ct_parallel_run(work->n_missing, work->points->threads, run_point, work);
    pthread_mutex_destroy(&work->lock);
    ct_log_progress_end(work->points->log);
    return work->status == CT_OK ? CT_OK : ct_fail(err, work->status, "%s", failure.text);
}

enum ct_status ct_calibration_simulate(const struct ct_calibration_points *points, double *outputs,
                                       struct ct_calibration_counts *counts_p, struct ct_error *err)
{
    size_t n = points->design->n_points;
    struct work work = {.points = points,
                        .keys = malloc(n * sizeof *work.keys),
                        .missing = malloc(n * sizeof *work.missing),
                        .outputs = outputs};
    enum ct_status status = CT_OK;
    if (!work.keys || !work.missing)
        status = ct_no_memory(err, "%zu simulations", n);
    if (status == CT_OK)
        status = ct_calibration_store_open(points->output, points->n_outputs, &work.store, err);
    if (status == CT_OK)
        status = run_all(&work, err);
    if (status == CT_OK)
        *counts_p = (struct ct_calibration_counts){.n_found = n - work.n_missing,
                                                   .n_made = work.n_missing,
                                                   .elapsed_s = ct_clock_now_s() - work.begin_s};
    ct_calibration_store_close(work.store);
    free(work.missing);
    free(work.keys);
    return status;
}
