/**
 * Replay: the execution graph of A beside B. Each message has the latency, and the gap, that B
 * causes at the time when it is sent. One pass over the graph in topological order.
 *
 * A message of s bytes whose overhead is paid at t arrives at
 *
 *     t + L + dL(t) + B G (1 + load(t)),   B = max(s - 1, 0),   load(t) = max(dL(t), 0) / K,
 *
 * and the same holds for the request and the grant of a rendezvous (steps of
 * lp-bridge/graph/message.h). K is the delay of a network with utilization 1/2: a queue with delay
 * K rho / (1 - rho) leaves the share 1 - rho to others, so a byte takes G / (1 - rho)
 * (model/queue/calibration.h). With K = INFINITY, G does not change. Messages within a node have
 * neither dL nor load. With constant dL and K = INFINITY the result is T(L + dL) of
 * lp-bridge/envelope/.
 *
 * Messages of A queue behind each other only if the graph has one message at a time on each NIC,
 * and A does not slow B; engine.h has both effects.
 */
#ifndef CT_SIMULATE_REPLAY_H
#define CT_SIMULATE_REPLAY_H

#include "lp-bridge/graph/graph.h"
#include "simulate/delay.h"

#include <stdbool.h>

/** A graph with its parameters, in a form for fast evaluation. */
struct ct_replay;

/**
 * @param graph           [in]  may be freed afterwards
 * @param at              [in]  parameters on the idle network
 * @param ranks_per_node  [in]  ranks are on nodes in blocks of so many, >= 1; messages within a
 *                              node have no extra latency
 * @param replay_p        [out] ct_replay_free(); unchanged on error
 * @return CT_OK; CT_EINVAL; CT_ENOMEM
 */
enum ct_status ct_replay_new(const struct ct_graph *graph, const struct ct_loggps *at,
                             uint32_t ranks_per_node, struct ct_replay **replay_p,
                             struct ct_error *err);
void ct_replay_free(struct ct_replay *replay);

/** The load. */
struct ct_replay_load {
    const struct ct_delay *delay;
    double offset_ns;     /**< A starts at this time of the delay, >= 0 */
    double half_delay_ns; /**< K > 0; INFINITY: the gap does not change */
};

/** T beside a load, ns. @return CT_OK; CT_ENOMEM */
enum ct_status ct_replay_runtime(const struct ct_replay *replay, const struct ct_replay_load *load,
                                 double *runtime_ns_p, struct ct_error *err);

/** Number and kind of replays. */
struct ct_replay_setup {
    size_t starts; /**< >= 1: number of random offsets, one in each of `starts` equal parts of the
                      period */
    bool is_constant; /**< every message has the mean of the samples, so all starts give the same
                         run time */
    double half_delay_ns; /**< K, as above */
    uint64_t seed;
};

/** Run times beside one load. */
struct ct_replay_answer {
    double *runtime_ns; /**< [starts], ascending: quantiles by ct_stats_quantile() */
    double mean_ns;     /**< of these */
};

/**
 * Replay from several starts.
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
