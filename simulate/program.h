/* A graph as a simulation takes it: edges out of each vertex, messages of the network apart. */
#ifndef CT_SIMULATE_PROGRAM_H
#define CT_SIMULATE_PROGRAM_H

#include "simulate/simulate.h"

enum { CT_SIMULATE_NO_LEG = UINT8_MAX };

/* A point in time: so long after the last byte of a leg has left, or after its vertex is reached
 * (CT_SIMULATE_NO_LEG). */
struct ct_simulate_moment {
    double after_ns;
    uint8_t leg; /* of those of the vertex */
};

struct ct_simulate_edge {
    struct ct_simulate_moment when;
    uint32_t target;
};

/* A message of the network: of a vertex that is reached they follow one another. */
struct ct_simulate_leg {
    double before_ns; /* overhead, once the vertex is reached or the leg before is there */
    double bytes;
    double L_ns;
    uint32_t from, to; /* nodes, different ones */
};

struct ct_simulate_vertex {
    uint32_t first_edge, first_leg;
    uint32_t n_waits; /* edges into it */
    bool is_final;    /* its end may be that of the program */
    struct ct_simulate_moment end;
};

struct ct_simulate_program {
    struct ct_simulate_vertex *vertices; /* n_vertices + 1 */
    struct ct_simulate_edge *edges;
    struct ct_simulate_leg *legs;
    uint32_t n_vertices, n_edges;
    uint32_t n_nodes; /* above the number of each node that it has ranks on */
};

#endif
