/** The critical path as a list of operations, with the parts of its time. */
#pragma once

#include "lp-bridge/graph/graph.h"

enum ct_path_part {
    CT_PATH_COMPUTE,
    CT_PATH_OVERHEAD,
    CT_PATH_LATENCY,
    CT_PATH_BANDWIDTH,
    CT_PATH_PARTS
};

/**
 * An operation on the path. Its parts are the time until the next step, or until T for the last
 * one.
 */
struct ct_path_step {
    uint32_t rank;
    uint32_t operation; /**< index within the rank */
    enum ct_vertex_kind kind;
    uint64_t amount; /**< calc: ns; send, recv: bytes */
    double time_ns;  /**< time of the vertex on the path, see graph.h */
    double part_ns[CT_PATH_PARTS];
    uint32_t to; /**< rank that latency and bandwidth are counted for: the one that receives */
};

struct ct_path {
    struct ct_path_step *steps; /**< n, in the order of time */
    size_t n;
    double runtime_ns; /**< T, the sum of all parts */
    double messages;   /**< latencies on it: lambda_L */
    double bytes;      /**< bytes (minus one for each message) on it: lambda_G */
};

/**
 * Find the critical path; of several, one with the most latencies.
 * @param path_p  [out] ct_path_free(); unchanged on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_path_find(const struct ct_graph *graph, const struct ct_loggps *at,
                            struct ct_path *path_p, struct ct_error *err);
void ct_path_free(struct ct_path *path);

/**
 * Time on the path for each rank: compute and overhead where they are spent, latency and bandwidth
 * at the rank that receives; everything after the request of a rendezvous at the rank that receives
 * the message.
 * @param parts_p  [out] n_ranks rows
 */
void ct_path_share(const struct ct_path *path, uint32_t n_ranks, double (*parts_p)[CT_PATH_PARTS]);
