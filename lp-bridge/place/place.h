/**
 * Where ranks run: T of a schedule as a function of the nodes that its ranks are on.
 *
 * A mapping is an array of n_ranks nodes, at most ranks_per_place ranks on each. A message between
 * ranks on nodes a and b costs the o, L and G of the class of (a, b); on one node, of (a, a). Parts
 * of the graph that cost the same wherever ranks are were summed up before; a mapping sets the
 * prices of the rest, and one walk gives T of eight mappings. Prices are set again only for the
 * messages of ranks that are elsewhere than in the mapping before.
 *
 *     struct ct_placer *placer;
 *     status = ct_placer_new(&graph, &pairs, threads, &placer, err);
 *     ct_placer_runtimes(placer, mappings, n, runtimes_ns);
 */
#pragma once

#include "lp-bridge/envelope/pairs.h"

struct ct_placer;

/**
 * @param graph     [in]  with peers if o differs from pair to pair; may be freed after the call
 * @param pairs     [in]  every pair of nodes has a class, and if a node has room for several ranks,
 *                        every node; borrowed
 * @param threads   [in]  walks at the same time, >= 1; does not influence results
 * @param placer_p  [out] ct_placer_free(); for one caller at a time; unchanged on error
 * @return CT_OK; CT_EINVAL (no room for all ranks; a pair without class); CT_ENOMEM
 */
enum ct_status ct_placer_new(const struct ct_graph *graph, const struct ct_pairs *pairs,
                             unsigned threads, struct ct_placer **placer_p, struct ct_error *err);
void ct_placer_free(struct ct_placer *placer);

/** What a placer is made of. */
struct ct_placer_size {
    uint32_t n_ranks, n_nodes, ranks_per_node;
    size_t joins, edges, terms;
    size_t evaluations; /**< mappings evaluated so far */
};
struct ct_placer_size ct_placer_size(const struct ct_placer *placer);

/**
 * T of n mappings.
 * @param mappings      [in]  n arrays of n_ranks nodes
 * @param runtimes_ns_p [out] n
 */
void ct_placer_runtimes(struct ct_placer *placer, const uint32_t *const *mappings, size_t n,
                        double *runtimes_ns_p);

/** A time that no mapping is below: T with the least o, L and G of all pairs of nodes, ns. */
double ct_placer_bound(struct ct_placer *placer);

/** How often each cost of a pair of ranks counts. */
struct ct_place_count {
    double o, L, G; /**< overheads, latencies, bytes */
};

/** A pair of ranks that has messages. */
struct ct_place_pair {
    uint32_t from, to;      /**< ranks */
    double messages, bytes; /**< of the whole schedule */
};

struct ct_place_pairs {
    const struct ct_place_pair *pairs; /**< n, by (from, to) */
    size_t n;
    const uint32_t *first; /**< n_ranks + 1; the pairs of rank r, from it and to it, are
                                of[first[r]] .. of[first[r + 1] - 1] */
    const uint32_t *of;    /**< indices into pairs */
};

/** The pairs that have messages; borrowed. */
struct ct_place_pairs ct_placer_pairs(const struct ct_placer *placer);

/** Price of a count between two nodes, ns. */
double ct_placer_price(const struct ct_placer *placer, const struct ct_place_count *count,
                       uint32_t node_from, uint32_t node_to);

/**
 * The critical path of a mapping: what it has of each pair of ranks. Its length under another
 * mapping, T plus the difference of prices, is a lower bound of that mapping's T.
 * @param counts_p  [out] as many as there are pairs
 * @return T, ns
 */
double ct_placer_path(struct ct_placer *placer, const uint32_t *mapping,
                      struct ct_place_count *counts_p);
