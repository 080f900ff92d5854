/** Run time and tolerances of a schedule in a latency that is the same for all pairs of ranks. */
#pragma once

#include "cli/tolerance.h"
#include "lp-bridge/envelope/evaluator.h"

/** A schedule on a network, and the graph that has its overheads and S. */
struct ct_tolerance_once {
    struct ct_parameters model;
    struct ct_graph graph;
    struct ct_loggps at;
    double runtime_ns;
    double lambda_L;                        /**< right derivative of T in L */
    double tolerance_ns[CT_THRESHOLDS_MAX]; /**< latency that may be added; INFINITY: any */
};

/**
 * @param question  [in]     input and settings: options of the graph, thresholds, threads
 * @param once_p    [in,out] with its model; ct_tolerance_once_free() also frees that, also after an
 *                           error
 * @return as ct_graph_load(), ct_tolerance_find()
 */
enum ct_status ct_tolerance_once_solve(const struct ct_tolerance_question *question,
                                       struct ct_tolerance_once *once_p, struct ct_error *err);
void ct_tolerance_once_free(struct ct_tolerance_once *once);

/** T with other parameters, on the same graph. @return as ct_evaluate_once() */
enum ct_status ct_tolerance_once_at(const struct ct_tolerance_once *once, struct ct_loggps at,
                                    double *runtime_ns_p, struct ct_error *err);
