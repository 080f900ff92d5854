/** The latency of wires and switches that a program tolerates. */
#pragma once

#include "cli/thresholds.h"
#include "cli/wire_options.h"

/** The latencies of a topology; one is free, the other fixed. */
enum ct_wire_latency { CT_OF_WIRE, CT_OF_SWITCH, CT_WIRE_LATENCIES };

/** Input. */
struct ct_wire_subject {
    const struct ct_graph *graph;
    const struct ct_network *network; /**< with wires */
    struct ct_loggps at;              /**< its L is that of a wire, or, if no wire is given, L */
    double switch_ns;
    bool by_lp; /**< by linear programming */
    unsigned threads;
};

struct ct_wire_findings {
    struct ct_tolerance at[CT_WIRE_LATENCIES];
    double largest_ns[CT_WIRE_LATENCIES][CT_THRESHOLDS_MAX]; /**< INFINITY: unbounded */
};

/**
 * Make an evaluator of T as a function of one of them.
 * @param evaluator_p  [out] ct_evaluator_free()
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_wire_evaluator(const struct ct_wire_subject *subject, enum ct_wire_latency of,
                                 struct ct_evaluator **evaluator_p, struct ct_error *err);

/**
 * Find the tolerances in one of them. In a network without --wire, CT_OF_WIRE is L.
 * @return as ct_tolerance_by_envelope() or ct_tolerance_by_lp()
 */
enum ct_status ct_wire_tolerance(const struct ct_wire_subject *subject, enum ct_wire_latency of,
                                 const struct ct_thresholds *thresholds,
                                 struct ct_tolerance *found_p, double *largest_p,
                                 struct ct_error *err);

/**
 * Find both, in a topology.
 * @return as ct_wire_tolerance()
 */
enum ct_status ct_wire_find(const struct ct_wire_subject *subject,
                            const struct ct_thresholds *thresholds,
                            struct ct_wire_findings *found_p, struct ct_error *err);

/**
 * Find the share of T that is latency between nodes.
 * @param runtime_ns  [in]  T
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_wire_share(const struct ct_wire_subject *subject, double runtime_ns,
                             double *share_p, struct ct_error *err);

/** Add T, lambda_wire, lambda_switch, and the table "tolerance". */
void ct_wire_fill(const struct ct_wire_subject *subject, const struct ct_thresholds *thresholds,
                  const struct ct_wire_findings *found, struct ct_tables *tables);
