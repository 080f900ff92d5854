/** A posterior file (posterior_file.h) with all that its pictures show. */
#pragma once

#include "calibrate/benchmark.h"
#include "calibrate/runs/posterior_draws.h"
#include "results/arrays.h"

/** ct_posterior_view_free(). Arrays belong to the file. */
struct ct_posterior_view {
    struct ct_posterior_draws draws;
    struct ct_arrays file;
    size_t n_outputs;
    const struct ct_array *names, *quantities; /**< [output] */
    const double *bytes; /**< [output] sizes; of latency the number of the load */
    const double *data;  /**< [repetition, 2]: output, value */
    size_t n_data;
    const double *total;      /**< [output, parameter] total indices */
    const double *prior_mean; /**< [output] in base units, as the next ones */
    const double *most_likely;
    const double *prior, *interval, *run; /**< [output, 2] intervals */
    const double *parameter_interval;     /**< [parameter, 2] */
};

/**
 * @param view_p  [out] unchanged on error
 * @return what ct_arrays_read() and ct_posterior_draws_read() return; CT_EFORMAT (an array is
 *         missing, as in files of earlier versions)
 */
enum ct_status ct_posterior_view_read(const char *path, struct ct_posterior_view *view_p,
                                      struct ct_error *err);
void ct_posterior_view_free(struct ct_posterior_view *view);

/** What is measured of an output; CT_BENCHMARK_QUANTITIES: unknown. */
enum ct_benchmark_quantity ct_posterior_view_quantity(const struct ct_posterior_view *view,
                                                      size_t output);
