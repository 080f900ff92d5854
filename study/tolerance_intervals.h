/**
 * Intervals of T and of tolerances from the uncertainty of a run of logpb. T is computed with the
 * overheads, L and G of each replicate (model/loggp/resample.h), which are consistent: if an
 * overhead is longer, L is shorter. So T varies less than if only L varied. The tolerances of a
 * replicate are those of its T.
 */
#ifndef CT_STUDY_TOLERANCE_INTERVALS_H
#define CT_STUDY_TOLERANCE_INTERVALS_H

#include "lp-bridge/envelope/envelope.h"
#include "study/parameters.h"

/** Intervals of one threshold, seconds; an end is INFINITY if T never becomes so much longer. */
struct ct_tolerance_interval {
    struct ct_interval L_s;       /**< largest L */
    struct ct_interval delta_L_s; /**< the largest L minus the replicate's L */
};

/**
 * @param graph            [in]  of the schedule, with the overheads and S of the model
 * @param model            [in]  with replicates, see ct_parameters_resample()
 * @param threshold_frac   [in]  n, ascending, > 0
 * @param threads          [in]  >= 1
 * @param n_replicates_p   [out] number of replicates used: all of the model, or fewer if the graph
 *                               has more than CT_STUDY_INTERVAL_EDGES edges for all together; 0:
 *                               the intervals are NaN
 * @param runtime_s_p      [out] of T at the model's L
 * @param intervals_p      [out] n
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_tolerance_intervals(const struct ct_graph *graph,
                                      const struct ct_parameters *model,
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
 * T and lambda_L at given latencies, with the overheads and G of each replicate.
 * @param graph           [in]  of the schedule, with the overheads and S of the model
 * @param model           [in]  with replicates, see ct_parameters_resample(); its L is not used
 * @param L_ns            [in]  n latencies >= 0
 * @param threads         [in]  >= 1
 * @param n_replicates_p  [out] as above; 0: all intervals are NaN
 * @param intervals_p     [out] n
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_line_intervals(const struct ct_graph *graph, const struct ct_parameters *model,
                                 const double *L_ns, size_t n, unsigned threads,
                                 size_t *n_replicates_p, struct ct_line_interval *intervals_p,
                                 struct ct_error *err);

#endif
