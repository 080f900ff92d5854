/** The mapping that was found, beside others. */
#pragma once

#include "lp-bridge/place/contention.h"
#include "lp-bridge/place/search.h"

enum { CT_PLACE_RANDOMS = 100, CT_PLACE_EXHAUSTIVE_RANKS = 8 };

/** Run times by simulation with shared links, ns; NaN: not computed. */
struct ct_place_simulated {
    double block_ns, round_robin_ns, volume_ns, given_ns;
    double search_ns; /**< of the mapping with the least T */
    double after_ns;  /**< of the mapping that was found */
    size_t evaluations;
};

/** Times are T, ns; NaN: not computed. */
struct ct_place_result {
    double block_ns, round_robin_ns;
    double random_mean_ns, random_least_ns; /**< of CT_PLACE_RANDOMS */
    double volume_ns;                       /**< by the volume of communication */
    bool by_scotch;                         /**< Scotch made that; else exchanges of ranks did */
    double given_ns;                        /**< of the mapping that was given */
    double exhaustive_ns;                   /**< the least of all mappings */
    double search_ns;                       /**< what ct_place_find() found */
    double after_ns;                        /**< of the mapping below: the least of these, but
                                                 where links are shared */
    double bound_ns;                        /**< no mapping is below */
    uint32_t *mapping;                      /**< n_ranks nodes */
    uint32_t n_ranks;
    size_t evaluations; /**< of the search */
    struct ct_place_simulated simulated;
};

/**
 * Search, starting from all mappings to compare with. All mappings are evaluated if there are at
 * most CT_PLACE_EXHAUSTIVE_RANKS ranks, and if that does not take longer than the longest search.
 * @param given       [in]  n_ranks nodes, a further mapping to compare with and to start from;
 *                          NULL: none
 * @param contention  [in]  search on, by simulation, from the best of these mappings; NULL: links
 *                          are not shared
 * @param result_p    [out] ct_place_result_free(); unchanged on error
 * @return CT_OK; CT_ENOMEM; CT_EINVAL (Scotch refuses); what ct_place_contend() returns
 */
enum ct_status ct_place_compare(struct ct_placer *placer, const struct ct_place_search *search,
                                const uint32_t *given, const struct ct_place_contention *contention,
                                struct ct_place_result *result_p, struct ct_error *err);
void ct_place_result_free(struct ct_place_result *result);
