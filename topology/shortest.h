/* Distances to a node or the switch that it is on, by breadth-first search; the last ones stay. */
#pragma once

#include "topology/topology.h"

enum { CT_FIELDS_BYTES_MAX = 1 << 26 };

/* Links from each vertex to the nearest node; UINT32_MAX: there is none. @return false: out of
 * memory */
bool ct_topology_heights(const struct ct_topology *topology, uint32_t *height_p);

/* Links from each vertex to a root, over switches only; UINT32_MAX: there is no way. */
struct ct_distances {
    const struct ct_topology *topology;
    uint32_t *queue;        /* vertices */
    uint32_t *height;       /* vertices; links to the nearest node */
    uint32_t *first_switch; /* vertices + 1; of v: first_switch[v] .. first_switch[v + 1] */
    uint32_t *to_switch; /* indices of the ports that lead to switches: most of a leaf's do not */
    uint32_t **field;    /* vertices; of this root; NULL: not kept */
    uint32_t *kept;      /* n_kept_max roots, one after the other, round and round */
    uint32_t n_kept, n_kept_max, next;
};

/* @return false: out of memory */
bool ct_distances_begin(struct ct_distances *distances, const struct ct_topology *topology);
void ct_distances_end(struct ct_distances *distances);

/* Index of the port of `at` towards node `to`, as route.h says; both differ. */
enum ct_status ct_shortest_port(struct ct_distances *distances, uint32_t at, uint32_t to,
                                uint32_t *port_p, struct ct_error *err);
