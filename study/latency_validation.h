/**
 * Run times of a program at several added latencies, measured in a campaign and predicted from the
 * traces in its folder: T(L + dL), or beside a load T(L_B + dL) [Shen et al., "LLAMP" (2024),
 * section III]. The parameters are those of the campaign's logpb run, by class of paths where it
 * has measured these, or of a posterior; what they leave open makes intervals of predictions.
 */
#pragma once

#include "study/pass_schedules.h"
#include "study/validation_runs.h"

/** All borrowed. */
struct ct_validation_question {
    const char *folder;           /**< of the campaign; traces are where struct ct_pass_source
                                       says */
    const char *placement;        /**< of the runs; NULL: all have the same */
    const char *app;              /**< name of the program in the runs */
    const double *threshold_frac; /**< [n_thresholds], ascending: how much longer it may run */
    size_t n_thresholds;
    struct ct_convert_options convert; /**< traces to schedules */
    bool serialize, serialize_nic;     /**< of the graph (lp-bridge/graph/graph.h) */
    const char *posterior_path;        /**< of crosstalk calibrate; NULL: none */
    unsigned threads;                  /**< >= 1 */
    uint64_t seed;                     /**< of the intervals of probes */
};

/** At the latency that the probe had beside the load. NaN: it was not probed. */
struct ct_validation_by_probe {
    double L_s, predicted_s;
};

/** Added latency at which a pass is longer by a fraction, seconds. NaN: beyond the measured ones.
 */
struct ct_validation_tolerance {
    double threshold_frac, measured_s, predicted_s;
    struct ct_interval measured_ci; /**< ct_validation_tolerance_ci() */
};

/** What is not known of a predicted run time. NaN: there are no replicates. */
struct ct_validation_spread {
    struct ct_interval predicted_s; /**< what parameters contribute */
    double parameters_frac; /**< their share of the variance of predicted - measured; the rest is
                               the scatter of runs */
};

struct ct_validation {
    struct ct_validation_runs runs;
    struct ct_validation_point alone;        /**< without the load; its prediction in any case */
    struct ct_validation_point *points;      /**< beside the load, if there is one */
    struct ct_validation_by_probe *by_probe; /**< [n_points]; NaN without a load */
    struct ct_validation_spread *spreads;    /**< [n_points] */
    size_t n_points, n_draws;                /**< draws: of parameters, that spreads are of */
    struct ct_pass_schedules schedules;      /**< with one L, or L by class of paths */
    struct ct_pass_model model;              /**< longer is NULL if the whole program is timed */
    double L_s;  /**< without added latency and load; by class the mean over the critical path, NaN
                    without a message on it */
    double at_s; /**< the free parameter of the model without added latency: own_s or, beside a
                    load, own_s and what that adds to the probe */
    double lambda_L;                      /**< without added latency and load */
    struct ct_pair_lambda *class_lambdas; /**< likewise, by class of paths; NULL: one L */
    double rrmse, limit_s, slope_predicted;
    struct ct_validation_slope slope;
    struct ct_validation_tolerance *tolerances; /**< by threshold */
    size_t n_tolerances;
    struct ct_argv notes; /**< parts of the traces that the schedule leaves out */
};

/**
 * @param found_p  [out] ct_validation_free(), also on error
 * @return CT_OK; CT_ENODATA (run times at fewer than two latencies or none without added latency;
 *         no run of logpb; no traces), what else ct_validation_runs_read() and
 *         ct_pass_schedules_read() return
 */
enum ct_status ct_validation_find(const struct ct_validation_question *question,
                                  struct ct_validation *found_p, struct ct_error *err);
void ct_validation_free(struct ct_validation *found);
