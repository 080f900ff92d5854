/** Static mapping by Scotch: ranks that exchange many bytes on nodes that are close. */
#pragma once

#include "lp-bridge/place/place.h"

/**
 * Map the graph of ranks, with the bytes between them, onto the graph of nodes, with the latencies
 * between them as distances. Always the same for the same input.
 * @param mapping_p  [out] n_ranks nodes
 * @return CT_OK; CT_EUNSUPPORTED (built without Scotch; more nodes than it is asked for); CT_EINVAL
 *         (Scotch refuses); CT_ENOMEM
 */
enum ct_status ct_place_scotch(const struct ct_placer *placer, uint32_t *mapping_p,
                               struct ct_error *err);
