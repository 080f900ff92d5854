/**
 * The search for a mapping whose T is small.
 *
 * From a start, ranks are exchanged, or moved to nodes with room, while T falls [LLAMP, section VI:
 * sensitivities times latencies]. The critical path tells which: its length after an exchange is a
 * lower bound of T, so that an exchange that does not shorten it cannot help, and is not evaluated.
 * Those that shorten it most are evaluated by T itself, sixteen at a time, some of these with
 * several exchanges at once. An exchange that leaves T as it is counts as better if all messages
 * together become cheaper, since often several paths are the longest.
 *
 * Starts are given, and then the best mapping with some ranks exchanged at random. The result is
 * never worse than any start, is the same for every number of threads, and is found within a number
 * of evaluations, not a time. The search ends early at a mapping that reaches ct_placer_bound().
 */
#pragma once

#include "lp-bridge/place/mapping.h"
#include "lp-bridge/place/place.h"

struct ct_place_search {
    size_t evaluations; /**< of T, at most about so many; 0: ct_place_effort() */
    uint64_t seed;
};

/** Evaluations that take some seconds on one core: fewer for a large schedule. */
size_t ct_place_effort(const struct ct_placer *placer);

struct ct_place_room ct_placer_room(const struct ct_placer *placer);

/**
 * All messages of a mapping, one after the other: a cost that is quick to compute, ns.
 */
double ct_place_volume(const struct ct_placer *placer, const uint32_t *mapping);

/**
 * Exchange ranks while ct_place_volume() falls, for a few seconds at most: where each rank of many
 * sends to each, one round of exchanges would take minutes.
 * @param mapping  [in,out]
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_place_lower_volume(const struct ct_placer *placer, uint32_t *mapping,
                                     struct ct_error *err);

/**
 * @param starts    [in]  n >= 1 mappings
 * @param mapping_p [out] n_ranks: the best mapping; unchanged on error
 * @param T_ns_p    [out] its T
 * @return CT_OK; CT_EINTR (core/cancel.h); CT_ENOMEM
 */
enum ct_status ct_place_find(struct ct_placer *placer, const struct ct_place_search *settings,
                             const uint32_t *const *starts, size_t n, uint32_t *mapping_p,
                             double *T_ns_p, struct ct_error *err);
