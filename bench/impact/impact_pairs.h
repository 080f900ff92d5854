/**
 * The partner of each rank in a pairing. What is paired, the units, are nodes, or for probes within
 * one node its ranks. Pure: works on a layout.
 */
#pragma once

#include "bench/common/layout.h"
#include "bench/impact/impact_plan.h"
#include "bench/impact/impact_rounds.h"

struct ct_impact_team {
    const struct ct_layout *layout; /**< borrowed */
    enum ct_pairing pairing;
    bool within_node;
    uint64_t seed;
    struct ct_impact_rounds rounds; /**< of CT_PAIRING_LINKS; borrowed */
    int n_units;
    int *partner_of_unit; /**< of the epoch that was set last */
};

/**
 * @param rounds  [in] of CT_PAIRING_LINKS, for the nodes of the layout, at least one; borrowed;
 * NULL with other pairings
 * @return CT_OK; CT_ENOMEM. Free with ct_impact_team_free().
 */
enum ct_status ct_impact_team_new(const struct ct_layout *layout, enum ct_pairing pairing,
                                  bool within_node, uint64_t seed,
                                  const struct ct_impact_rounds *rounds,
                                  struct ct_impact_team *team_p);
void ct_impact_team_free(struct ct_impact_team *team);

/** Number of epochs after which all pairs of the pairing have met, if it draws none. */
int ct_impact_team_cycle(const struct ct_impact_team *team);

/** Pair the units of an epoch. @return CT_OK; CT_ENOMEM */
enum ct_status ct_impact_team_epoch(struct ct_impact_team *team, int epoch);

/**
 * Partner of a rank in the epoch set last: the rank with the same slot on the partner node. The
 * rank itself: it has no partner in this epoch.
 */
int ct_impact_team_partner(const struct ct_impact_team *team, int rank);

/**
 * The one of two partners that probes; the other one answers. They take turns from cycle to cycle,
 * since a probe meets the network as it is on the way there only: the way back begins when the way
 * there allows it. Within a cycle about half of the partners of a rank probe it.
 */
int ct_impact_team_prober(const struct ct_impact_team *team, int rank, int partner, int epoch);

/**
 * All pairs of ranks that meet in the first n_epochs epochs, each once, ordered by rank_a, rank_b;
 * rank_a < rank_b. Leaves the last epoch set.
 * @param pairs_p  [out] to be freed by the caller; NULL where there is none
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_impact_team_pairs(struct ct_impact_team *team, int n_epochs,
                                    struct ct_pair **pairs_p, size_t *n_p);

/** Row of a pair in that list; rank_a < rank_b. The pair must be in it. */
uint32_t ct_impact_pair_index(const struct ct_pair *pairs, size_t n, int rank_a, int rank_b);
