/** What a run of logpb says of several pairs of nodes: a table of o, L and G, and a picture. */
#pragma once

#include "core/table.h"
#include "study/logp_links.h"

/** Table "pairs": each direction that was measured, L and G with intervals. */
void ct_measured_pairs_fill(const struct ct_logp_links *links, struct ct_tables *tables);

/**
 * Draw L, o and G as matrices of coloured cells, from whom by rows, to whom by columns; what was
 * not measured is grey.
 * @param hosts  [in] names of the nodes, separated by blanks; used where there are as many as nodes
 * @return as ct_plot_write(); CT_EINVAL (too many pairs to be drawn)
 */
enum ct_status ct_measured_pairs_plot(const char *title, const char *hosts,
                                      const struct ct_logp_links *links, const char *path,
                                      struct ct_error *err);
