/**
 * Results of a validation, from its folder: measured and predicted run times, tables and a figure.
 */
#ifndef CT_CLI_VALIDATION_H
#define CT_CLI_VALIDATION_H

#include "cli/graph_input.h"
#include "cli/thresholds.h"
#include "study/pass_model.h"
#include "study/validation.h"

struct ct_validation_question {
    const char *command; /**< for messages and tables */
    const char *folder;
    const char *title; /**< of the figure */
    const struct ct_graph_settings *graph;
    const struct ct_thresholds *thresholds;
    unsigned threads;
};

struct ct_validation {
    struct ct_validation_run *runs;
    struct ct_validation_point *points;
    size_t n_runs, n_points;
    struct ct_parameters parameters;
    struct ct_evaluator *schedule, *longer; /**< longer is NULL if the whole program is timed */
    struct ct_pass_model model;
    double lambda_L, rrmse, limit_s, slope_predicted;
    struct ct_validation_slope slope;
    struct {
        double measured_s, predicted_s; /**< added latency; NaN: beyond the measured ones */
    } tolerance[CT_THRESHOLDS_MAX];
};

/** @param found_p  [out] ct_validation_free(), also on error */
enum ct_status ct_validation_find(const struct ct_validation_question *question,
                                  struct ct_validation *found_p, struct ct_error *err);
void ct_validation_free(struct ct_validation *found);

void ct_validation_fill(struct ct_tables *tables, const struct ct_validation_question *question,
                        const struct ct_validation *found);

/** Run time over latency, with tolerances as zones. @return as ct_plot_write() */
enum ct_status ct_validation_plot(const struct ct_validation_question *question,
                                  const struct ct_validation *found, const char *path,
                                  struct ct_error *err);

#endif
