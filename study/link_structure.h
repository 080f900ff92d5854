/** What a topology says of the links that paths pass, besides which they are. */
#pragma once

#include "model/links/links.h"
#include "topology/paths.h"

struct ct_link_structure {
    struct ct_link_rows balances; /**< of switches all of whose links are passed both ways */
    uint32_t *kind; /**< [n_columns] by how far both ends are from the nearest node, in links */
    double *relative_rate; /**< [n_columns] beside the slowest link; 1: rates are not known */
};

/**
 * @param structure_p  [out] ct_link_structure_free(), also on error
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_link_structure_make(const struct ct_topology *topology,
                                      const struct ct_paths *paths,
                                      struct ct_link_structure *structure_p, struct ct_error *err);
void ct_link_structure_free(struct ct_link_structure *structure);

/**
 * Whether a probe that is a flow can be slowed on a link of its way. A flow fills the slowest link
 * of its way alone, and of a link with twice the rate, or more, leaves a probe all that it can use.
 * @param way  [in] [n] columns of the paths
 * @param at   [in] the column
 */
bool ct_link_is_seen(const struct ct_topology *topology, const struct ct_paths *paths,
                     const uint32_t *way, size_t n, uint32_t at);
