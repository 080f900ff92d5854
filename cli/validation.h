/**
 * Results of a validation, from its folder: measured and predicted run times, tables and a figure.
 */
#ifndef CT_CLI_VALIDATION_H
#define CT_CLI_VALIDATION_H

#include "cli/graph_input.h"
#include "cli/thresholds.h"
#include "study/pass_model.h"
#include "study/validation_runs.h"

struct ct_validation_question {
    const char *command; /**< for messages and tables */
    const char *folder;
    const char *title; /**< of the figure */
    const struct ct_graph_settings *graph;
    const struct ct_thresholds *thresholds;
    unsigned threads;
    uint64_t seed; /**< of the intervals of probes */
};

/** At the latency that the probe had beside the load. NaN: it was not probed. */
struct ct_validation_by_probe {
    double L_s, predicted_s;
};

struct ct_validation {
    struct ct_validation_runs runs;
    struct ct_validation_point alone;        /**< without the load; its prediction in any case */
    struct ct_validation_point *points;      /**< beside the load, if there is one */
    struct ct_validation_by_probe *by_probe; /**< [n_points]; NaN without a load */
    size_t n_points;
    double
        L_s; /**< without added latency: L or, beside a load, L and what that adds to the probe */
    struct ct_parameters parameters;
    struct ct_evaluator *schedule, *longer; /**< longer is NULL if the whole program is timed */
    struct ct_pass_model model;
    double lambda_L; /**< at L, without the load */
    double rrmse, limit_s, slope_predicted;
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
