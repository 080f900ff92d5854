/**
 * Parameters that differ from pair to pair of ranks, or from class to class of pairs: HLogGP
 * [LLAMP, section VI]. Ranks are at places, which are nodes, or the ranks themselves: rank r is at
 * place r / ranks_per_place. A message from place i to place j costs the o, L and G of the class of
 * (i, j).
 *
 * T depends on every latency, and lambda_ij = dT/dL_ij counts those of (i, j) on the critical path.
 * All of them come from one walk through the graph, which keeps how each join came to its value,
 * and one walk back along the critical path. With a time t added to every latency between two
 * places, T is a function of t, and
 *
 *     dT/dt = lambda_L = sum of lambda_ij over all i != j.
 *
 * Where paths tie, the one with the largest lambda_L is taken: the right derivative of T(t).
 *
 *     struct ct_pair_evaluator *evaluator;
 *     struct ct_pair_sensitivity found;
 *     status = ct_pair_evaluator_new(&graph, &pairs, &evaluator, err);
 *     status = ct_pair_sensitivity_find(evaluator, 0, &found, err);
 *     ... found.runtime_ns, found.pairs[k].lambda_L ...
 *     status = ct_tolerance_find(ct_pair_evaluator_added(evaluator), 0, limits, n, 1, t, err);
 */
#pragma once

#include "lp-bridge/envelope/evaluator.h"

enum { CT_PAIRS_PLACES_MAX = 4096 };

struct ct_pairs {
    uint32_t n_places;         /**< 1 .. CT_PAIRS_PLACES_MAX */
    uint32_t ranks_per_place;  /**< >= 1 */
    uint32_t *class_of;        /**< [from * n_places + to]; n_classes: not known. from = to: between
                                    ranks of one place */
    struct ct_loggps *classes; /**< n_classes */
    uint32_t n_classes;
    double o_self_ns; /**< overhead of messages of a rank to itself */
};

/** Frees both arrays. */
void ct_pairs_free(struct ct_pairs *pairs);

/** A plane, and the data that it points to; do not copy or move it. */
struct ct_pairs_plane {
    struct ct_plane plane;
    struct ct_pair_costs costs;
};

/**
 * Costs as a function of what is added between two places: t[0] to every latency, t[1] to every G.
 * Pairs whose class is not known cost nothing: ct_pair_evaluator_new() finds them.
 * @param pairs    [in]  borrowed by the plane
 * @param plane_p  [out] do not copy or move it afterwards
 */
void ct_pairs_plane(const struct ct_pairs *pairs, struct ct_pairs_plane *plane_p);

struct ct_pair_evaluator;

/**
 * @param graph        [in]  with peers (graph.h), without overheads by size if o is to be that of
 *                           the pairs; may be freed after the call
 * @param pairs        [in]  may be freed after the call
 * @param evaluator_p  [out] ct_pair_evaluator_free(); unchanged on error
 * @return CT_OK; CT_EINVAL (more ranks than there is room for; a pair that has messages and whose
 *         class is not known: it is named); CT_ENOMEM
 */
enum ct_status ct_pair_evaluator_new(const struct ct_graph *graph, const struct ct_pairs *pairs,
                                     struct ct_pair_evaluator **evaluator_p, struct ct_error *err);
void ct_pair_evaluator_free(struct ct_pair_evaluator *evaluator);

/** T as a function of t, ns, the time added to every latency between two places. Borrowed. */
const struct ct_evaluator *ct_pair_evaluator_added(const struct ct_pair_evaluator *evaluator);

/** What a pair, or a class of pairs, has on the critical path. */
struct ct_pair_lambda {
    double latencies; /**< lambda_ij */
    double bytes;     /**< dT/dG_ij on this path: bytes, less one a message */
};

/** A pair of places that has messages. */
struct ct_pair_use {
    uint32_t from, to; /**< places; equal: inside one */
    uint32_t class;
    uint64_t messages; /**< edges of the graph on which something travels */
    struct ct_pair_lambda lambda;
};

struct ct_pair_sensitivity {
    double runtime_ns;             /**< T */
    struct ct_pair_lambda between; /**< of all pairs of different places: lambda_L and lambda_G */
    struct ct_pair_lambda inside;  /**< of messages between ranks of one place */
    struct ct_pair_use *pairs;     /**< n_pairs, every pair that has messages, as first met */
    size_t n_pairs;
    struct ct_pair_lambda *classes; /**< n_classes */
    uint32_t n_classes;
};

/**
 * T and all sensitivities at one t.
 * @param added_ns  [in]  t >= 0, finite
 * @param found_p   [out] ct_pair_sensitivity_free(); unchanged on error
 * @return CT_OK; CT_EINVAL (t); CT_ENOMEM
 */
enum ct_status ct_pair_sensitivity_find(const struct ct_pair_evaluator *evaluator, double added_ns,
                                        struct ct_pair_sensitivity *found_p, struct ct_error *err);
void ct_pair_sensitivity_free(struct ct_pair_sensitivity *found);
