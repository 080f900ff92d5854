/**
 * The execution graph of A while B runs beside it: each message meets the latency, and the gap,
 * that B causes at the moment it is sent. One pass over the graph in topological order.
 *
 * A message of s bytes that is sent at t, its overhead paid (a request or a grant of a rendezvous
 * too: the steps are those of lp-bridge/graph/message.h), is there at
 *
 *     t + L + dL(t) + B G (1 + load(t)),   B = max(s - 1, 0),   load(t) = max(dL(t), 0) / K,
 *
 * where K is the delay of a network that is half used: of a queue with delay K rho / (1 - rho) a
 * share 1 - rho is left for others, so that a byte takes G / (1 - rho) (model/queue/calibration.h).
 * K = INFINITY leaves G as it is. What A sends to its own node meets neither. With constant dL and
 * K = INFINITY the result is T(L + dL) of lp-bridge/envelope/.
 *
 * A's own messages queue only where the graph has them leave one at a time, and B is not slowed by
 * A; simulate.h has both.
 */
#ifndef CT_SIMULATE_REPLAY_H
#define CT_SIMULATE_REPLAY_H

#include "lp-bridge/graph/graph.h"
#include "simulate/delay.h"

#include <stdbool.h>

/** A graph with its parameters, made for evaluation. */
struct ct_replay;

/**
 * @param graph           [in]  may be freed afterwards
 * @param at              [in]  parameters on the idle network
 * @param ranks_per_node  [in]  ranks are on nodes in blocks of so many, >= 1; messages within a
 *                              node meet no extra latency
 * @param replay_p        [out] ct_replay_free(); unchanged on error
 * @return CT_OK; CT_EINVAL; CT_ENOMEM
 */
enum ct_status ct_replay_new(const struct ct_graph *graph, const struct ct_loggps *at,
                             uint32_t ranks_per_node, struct ct_replay **replay_p,
                             struct ct_error *err);
void ct_replay_free(struct ct_replay *replay);

/** What runs beside it. */
struct ct_replay_load {
    const struct ct_delay *delay;
    double offset_ns;     /**< A starts at this time of the delay, >= 0 */
    double half_delay_ns; /**< K > 0; INFINITY: the gap does not change */
};

/** T beside a load, ns. @return CT_OK; CT_ENOMEM */
enum ct_status ct_replay_runtime(const struct ct_replay *replay, const struct ct_replay_load *load,
                                 double *runtime_ns_p, struct ct_error *err);

/** How often to replay. */
struct ct_replay_setup {
    size_t starts;        /**< >= 1: random offsets, one in each of so many parts of the period */
    bool is_constant;     /**< every message meets the mean of the samples: starts do not differ */
    double half_delay_ns; /**< K, as above */
    uint64_t seed;
};

/** Run times beside one load. */
struct ct_replay_answer {
    double *runtime_ns; /**< [starts], ascending: quantiles by ct_stats_quantile() */
    double mean_ns;     /**< of these */
};

/**
 * Replay from many starts.
 * @param samples   [in]  of the delay
 * @param answer_p  [out] ct_replay_answer_free(); unchanged on error
 * @return CT_OK; CT_EINVAL; CT_ENOMEM
 */
enum ct_status ct_replay_beside(const struct ct_replay *replay,
                                const struct ct_delay_samples *samples,
                                const struct ct_replay_setup *setup,
                                struct ct_replay_answer *answer_p, struct ct_error *err);
void ct_replay_answer_free(struct ct_replay_answer *answer);

#endif
