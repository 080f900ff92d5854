/* A calibration under way: for calibrate.c, group.c and posterior.c only. */
#pragma once

#include "calibrate/calibrate.h"
#include "calibrate/groups.h"

/* Independent streams of random numbers: ct_random_at(seed, stream). */
enum { CT_STREAM_PRIOR, CT_STREAM_NO_GROUP, CT_STREAM_RUNS, CT_STREAM_GROUPS };

struct ct_work {
    const struct ct_calibration *calibration;
    const struct ct_calibration_setup *setup;
    size_t n_parameters, n_outputs, n_draws;
    bool has_discrepancy;
    struct ct_groups groups;
    struct ct_observed_summary *data; /* [n_outputs] */
    double *surrogate_variance; /* [n_outputs] errors of the surrogate and by left-out parameters */
    double *z;                  /* [draw * n_parameters + parameter] */
    double *best_z;             /* [n_parameters] of the most likely values */
    double *best_discrepancy;   /* [n_groups]; 0 without */
};

/* What the chains of a group sample: its parameters, then its discrepancy. */
struct ct_group {
    const struct ct_work *work;
    int number;
    size_t n_dims, n_parameters, n_outputs;
    size_t parameters[CT_SURROGATE_DIMS_MAX];
    size_t *outputs; /* owned */
};

/* @param group [out] its outputs are to be freed, on error too */
enum ct_status ct_group_make(const struct ct_work *work, int number, struct ct_group *group,
                             struct ct_error *err);

/* Logarithm of the likelihood of a group's outputs; a ct_log_density(). @param group struct
 * ct_group */
double ct_group_log_likelihood(const double *z, void *data);

/* Coordinates of the most likely values of a group. @param z [in,out] where to start, n_dims */
enum ct_status ct_group_most_likely(const struct ct_group *group, double *z, struct ct_error *err);

/* Summaries of parameters and outputs, from the draws. */
enum ct_status ct_posterior_summarize(const struct ct_work *work, struct ct_posterior *posterior,
                                      struct ct_error *err);
