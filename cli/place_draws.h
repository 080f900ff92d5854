/** What the uncertainty of L, o and G contributes to the answer of crosstalk place. */
#pragma once

#include "cli/place_nodes.h"
#include "core/draws.h"
#include "lp-bridge/place/compare.h"

/** Borrowed. */
struct ct_place_draws {
    const struct ct_place_settings *settings;
    const struct ct_place_nodes *nodes; /**< with replicates of the model */
    const struct ct_graph *graph;
    struct ct_place_room room;
    const uint32_t *mapping; /**< that was found */
    unsigned threads;
};

struct ct_place_spread {
    size_t n; /**< replicates; 0: none, or a schedule too large for them */
    struct ct_interval before_s, after_s, gain_frac;
    double shorter_frac; /**< share of the replicates in which the mapping is shorter than blocks */
};

/**
 * T in blocks and with the mapping, for each replicate.
 * @return CT_OK; CT_ENOMEM; what ct_place_nodes_find() and ct_placer_new() return
 */
enum ct_status ct_place_draws_find(const struct ct_place_draws *draws,
                                   struct ct_place_spread *spread_p, struct ct_error *err);

/** Rows for the answer, and where they are from; nothing if n is 0. */
void ct_place_draws_fill(const struct ct_place_draws *draws, const struct ct_place_spread *spread,
                         struct ct_tables *tables);
