/**
 * Intervals of T and of tolerances from the uncertainty of a run of logpb. T is computed with the
 * overheads, L and G of each replicate (model/loggp/resample.h), which are consistent: if an
 * overhead is longer, L is shorter. So T varies less than if only L varied. The tolerances of a
 * replicate are those of its T.
 */
#pragma once

#include "lp-bridge/envelope/envelope.h"
#include "lp-bridge/envelope/wires.h"
#include "study/parameters.h"

/** Evaluators of T, each with the values of a replicate. */
struct ct_replicates {
    size_t n;       /**< 0: no intervals */
    double level;   /**< of the intervals */
    size_t n_edges; /**< of the graph, for what an evaluation takes */
    /**
     * @param at_ns_p      [out] the replicate's own value of the free parameter
     * @param evaluator_p  [out] ct_evaluator_free()
     * @return CT_OK; CT_ENOMEM
     */
    enum ct_status (*compile)(const void *data, size_t r, double *at_ns_p,
                              struct ct_evaluator **evaluator_p, struct ct_error *err);
    const void *data; /**< borrowed */
};

/**
 * How many replicates take no longer than a few seconds: all, or fewer if the graph has more than
 * CT_STUDY_INTERVAL_EDGES edges for all together.
 * @param walks  [in] over the graph for each of them, >= 1
 * @return 0: too few for an interval
 */
size_t ct_replicates_affordable(const struct ct_replicates *replicates, size_t walks);

/** What replicates are of; borrowed. */
struct ct_model_replicates {
    const struct ct_graph *graph;      /**< with the overheads and S of the model */
    const struct ct_parameters *model; /**< with replicates, see ct_parameters_resample() */
    const struct ct_wires *wires;      /**< where L is free; NULL: it is the same for all pairs */
    struct ct_growth growth;           /**< for ct_replicates_of_growth() */
};

/** T(L) with the overheads and G of each replicate of a model, whose L is its own value. */
struct ct_replicates ct_replicates_of_model(const struct ct_model_replicates *of);

/** T(G) with the overheads and L of each replicate of a model, whose G is its own value. */
struct ct_replicates ct_replicates_of_gap(const struct ct_model_replicates *of);

/** T at a factor of what grows, with all parameters of each replicate: 1 is its own. */
struct ct_replicates ct_replicates_of_growth(const struct ct_model_replicates *of);

/** Intervals of one threshold, seconds (of G: a byte); an end is INFINITY if T never becomes so
 * much longer. */
struct ct_tolerance_interval {
    struct ct_interval L_s;       /**< largest L */
    struct ct_interval delta_L_s; /**< the largest L minus the replicate's L */
};

/**
 * @param threshold_frac   [in]  n, ascending, > 0
 * @param threads          [in]  >= 1
 * @param n_replicates_p   [out] number of replicates used: all, or fewer if the graph
 *                               has more than CT_STUDY_INTERVAL_EDGES edges for all together; 0:
 *                               the intervals are NaN
 * @param runtime_s_p      [out] of T at the replicate's own value
 * @param intervals_p      [out] n
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_tolerance_intervals(const struct ct_replicates *replicates,
                                      const double *threshold_frac, size_t n, unsigned threads,
                                      size_t *n_replicates_p, struct ct_interval *runtime_s_p,
                                      struct ct_tolerance_interval *intervals_p,
                                      struct ct_error *err);

/** Intervals at one latency. */
struct ct_line_interval {
    struct ct_interval runtime_s; /**< of T */
    struct ct_interval lambda_L;  /**< of dT/dL; at a critical latency, of the right derivative */
};

/**
 * T and lambda_L at given values of the free parameter; the replicates' own are not used.
 * @param L_ns            [in]  n latencies >= 0
 * @param threads         [in]  >= 1
 * @param n_replicates_p  [out] as above; 0: all intervals are NaN
 * @param intervals_p     [out] n
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_line_intervals(const struct ct_replicates *replicates, const double *L_ns,
                                 size_t n, unsigned threads, size_t *n_replicates_p,
                                 struct ct_line_interval *intervals_p, struct ct_error *err);
