/** How busy the directions of links are, from the small messages of a watch. */
#pragma once

#include "core/status.h"
#include "watch/state.h"

/**
 * Busy shares by the equations of paths (model/links/links.h): a message that did not wait met no
 * other on any link of its way. Messages leave at random times, so what they meet is what is there
 * (PASTA).
 * @param waits      [in]  [n]
 * @param busy_frac  [out] [2 n_links] of directions, 0..1; NaN: no message passed it
 * @return CT_OK; CT_ENODATA (no message); CT_EINVAL (what ct_paths_make() and ct_links_group()
 *         refuse); CT_ENOMEM
 */
enum ct_status ct_watch_load_estimate(const struct ct_topology *topology,
                                      const struct ct_watch_wait *waits, size_t n,
                                      double *busy_frac, struct ct_error *err);
