/**
 * Applications that run at the same time on the nodes of a network: their execution graphs are
 * evaluated together, event by event, and their messages share the links of their paths (links.h).
 *
 * Costs are those of lp-bridge/graph/, with one difference: instead of B G, B = max(s - 1, 0), the
 * time of a message of s bytes depends on the other messages on the links of its path, including
 * those of its own application. The request and the grant of a
 * rendezvous are messages without bytes. For an application alone whose messages never share a
 * link, T is T(L) of lp-bridge/envelope/. Messages within a node share nothing: they take L + B G.
 *
 * Each application starts again when its last operation has ended, until all have made their
 * passes.
 */
#ifndef CT_SIMULATE_SIMULATE_H
#define CT_SIMULATE_SIMULATE_H

#include "lp-bridge/graph/graph.h"
#include "simulate/network.h"

/** An application in a form for simulation. */
struct ct_simulate_program;

/** Where the ranks of a program are. */
struct ct_simulate_place {
    uint32_t ranks_per_node; /**< ranks are on nodes in blocks of so many, >= 1 */
    const uint32_t *nodes;   /**< [n_nodes]: of each block; borrowed; NULL: block i is on node i */
    uint32_t n_nodes;
    const struct ct_simulate_paths *paths; /**< with a known latency, which is L of each pair of
                                       nodes; borrowed; NULL: L is the same for all */
    const struct ct_loggps *inside; /**< L and G of messages within a node; borrowed; NULL: as
                                         between nodes */
};

/** Ranks in blocks, from the first node on. */
static inline struct ct_simulate_place ct_simulate_blocks(uint32_t ranks_per_node)
{
    return (struct ct_simulate_place){.ranks_per_node = ranks_per_node};
}

/**
 * @param graph      [in]  without one message at a time on each NIC; may be freed afterwards
 * @param at         [in]  parameters on the idle network
 * @param place      [in]  may be freed afterwards
 * @param program_p  [out] ct_simulate_program_free(); unchanged on error
 * @return CT_OK; CT_EINVAL (no rank on a node, more ranks than nodes have room for, more nodes than
 *         CT_SIMULATE_NODES_MAX, a graph with messages that leave one at a time); CT_ENOMEM
 */
enum ct_status ct_simulate_program_new(const struct ct_graph *graph, const struct ct_loggps *at,
                                       const struct ct_simulate_place *place,
                                       struct ct_simulate_program **program_p,
                                       struct ct_error *err);
void ct_simulate_program_free(struct ct_simulate_program *program);

/** Number of nodes that a network must have for a program: the highest of its nodes, plus 1. */
uint32_t ct_simulate_n_nodes(const struct ct_simulate_program *program);

/** Hand on all that it consists of, in pieces: of equal programs these are equal, for a hash. */
void ct_simulate_program_pieces(const struct ct_simulate_program *program,
                                void (*take)(void *taker, const void *bytes, size_t n),
                                void *taker);

struct ct_simulate_setup {
    const struct ct_simulate_paths *paths; /**< the network; borrowed; NULL: one switch */
    double ns_per_byte;                    /**< G of the links of one switch, > 0 */
    struct ct_links_queues queues;
    struct ct_links_frames frames;
    size_t passes;     /**< >= 1: passes of each program that begin after all programs have begun */
    uint64_t work_max; /**< limit: sum over events of the pairs of nodes that are busy; 1e9 take
                          about ten seconds */
};

/**
 * Queues of an unknown network: round-robin, one packet of each other pair ahead of a message and
 * nothing else, no bursts.
 */
struct ct_links_queues ct_simulate_plain_queues(void);

/**
 * Setup with plain queues, the default limit of work, and one pass.
 * @param ns_per_byte  [in] G of the links
 */
struct ct_simulate_setup ct_simulate_usual(double ns_per_byte);

/** What is observed of the network beside the times. */
struct ct_simulate_observed {
    double *busy_frac; /**< [n_links of the paths], written to: share of a link's time that bytes
                          pass it, from when all programs have begun to the end; NULL: not asked
                          for */
    struct ct_network_use use; /**< set: of the queues, whose ahead_bytes it has for a window */
};

/**
 * @param programs       [in]  n; node i of all programs is the same node, node i of the paths
 * @param begin_ns       [in]  n; when each begins, >= 0
 * @param mean_pass_ns   [out] n; mean time of the passes that began after all programs had begun
 * @param observed       [in,out] NULL: not asked for
 * @return CT_OK; CT_EINVAL (a program that takes no time, or with nodes that the paths do not
 *         have); CT_EUNSUPPORTED (too much work); CT_ENOMEM
 */
enum ct_status ct_simulate_run(const struct ct_simulate_program *const *programs, size_t n,
                               const double *begin_ns, const struct ct_simulate_setup *setup,
                               double *mean_pass_ns, struct ct_simulate_observed *observed,
                               struct ct_error *err);

#endif
