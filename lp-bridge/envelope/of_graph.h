/** Single evaluations of a graph: what they are made with is freed inside. */
#pragma once

#include "lp-bridge/envelope/envelope.h"

/** T at one set of parameters. @param runtime_ns_p [out] unchanged on error. @return CT_OK;
 * CT_ENOMEM
 */
enum ct_status ct_runtime_of_graph(const struct ct_graph *graph, const struct ct_loggps *at,
                                   double *runtime_ns_p, struct ct_error *err);

/**
 * ct_envelope_find() of T(L).
 * @param at  [in]  the other parameters; its L is not used
 */
enum ct_status ct_envelope_of_graph(const struct ct_graph *graph, const struct ct_loggps *at,
                                    double lo_ns, double hi_ns, unsigned threads,
                                    struct ct_envelope *envelope_p, struct ct_error *err);

/**
 * The longest chain of messages in a schedule, all of them eager: the critical path if all other
 * costs are 0.
 * @param messages_p  [out] their number; unchanged on error
 * @return CT_OK; what ct_graph_build() returns; CT_ENOMEM
 */
enum ct_status ct_longest_chain(const struct ct_goal *goal, double *messages_p,
                                struct ct_error *err);
