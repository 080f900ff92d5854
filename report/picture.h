/** Pictures of the first screen as SVG: where scripts are off, and as files. */
#pragma once

#include "report/part.h"

#include <stdio.h>

/** A matrix for each placement, side by side: row slowed beside column, shaded by size, hatched
 * where the measurement is disturbed. Parts that are not analysed are left out. */
void ct_page_draw_matrix(const struct ct_page_part *parts, size_t n_parts, FILE *out);

/** Which applications to put on a switch, by placement; an empty picture where that is not known.
 */
void ct_page_draw_groups(const struct ct_page_part *parts, size_t n_parts, FILE *out);
