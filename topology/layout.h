/* Where vertices are in a picture. */
#pragma once

#include "topology/topology.h"

struct ct_place {
    double x, y;
};

struct ct_layout {
    struct ct_place *places; /* vertices */
    uint32_t *height;        /* vertices; links to the nearest node */
    bool has_nodes;          /* whether nodes are drawn */
    bool is_grid;
    double width, depth; /* of the picture, without its margin */
    double arc;          /* twice the height of an arc for its length */
    double spacing;      /* least distance between switches in a row */
};

/* @return false: out of memory */
bool ct_layout_make(const struct ct_topology *topology, struct ct_layout *layout_p);
void ct_layout_free(struct ct_layout *layout);
