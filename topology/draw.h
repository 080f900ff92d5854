/** Pictures of a topology, with the utilization of its links in colour. */
#pragma once

#include "topology/topology.h"

#include <stdio.h>

enum {
    CT_DRAW_LINKS_MAX = 20000, /**< more would be a black area */
    CT_DRAW_NODES_MAX = 256    /**< of more, SVG shows how many there are on each switch */
};

/** A topology, and the utilizations to be shown. */
struct ct_picture {
    const struct ct_topology *topology;
    const double *utilization; /**< fractions, 2 n_links: [2 link] from its first end on, [2 link +
                                    1] back; NaN: not known; NULL: of none */
};

/**
 * SVG: nodes in a row at the bottom, above them switches by their distance from nodes; those of a
 * torus on a grid. With utilizations, each half of a link has the colour of the direction that
 * leaves its end.
 * @return CT_OK; CT_EINVAL (too many links for a picture); CT_ENOMEM; the caller checks the stream
 *         for errors
 */
enum ct_status ct_topology_svg(const struct ct_picture *picture, FILE *out, struct ct_error *err);

/** The language of Graphviz; a link has the colour of its busier direction. @return as above */
enum ct_status ct_topology_dot(const struct ct_picture *picture, FILE *out, struct ct_error *err);

/** Colour of a utilization, "#rrggbb": from blue over green and yellow to red; grey for NaN. */
void ct_utilization_colour(double utilization, char colour[8]);
