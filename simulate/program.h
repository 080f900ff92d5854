/* A graph as a simulation takes it: edges out of each vertex, messages apart. */
#ifndef CT_SIMULATE_PROGRAM_H
#define CT_SIMULATE_PROGRAM_H

#include "simulate/simulate.h"

/* What an edge does once its source is reached. */
enum ct_simulate_way {
    CT_SIMULATE_LOCAL,   /* nothing but time */
    CT_SIMULATE_MESSAGE, /* a message goes to the target's node */
    CT_SIMULATE_GRANTED, /* it waits for grant and data of its source, a receive */
};

struct ct_simulate_edge {
    uint32_t target;
    uint8_t way;
    double after_ns; /* LOCAL: the whole; MESSAGE: before it leaves; GRANTED: after the data */
};

/* The message of a vertex: what it sends, or the data that it is granted. */
struct ct_simulate_vertex {
    uint32_t first_edge;
    uint32_t n_waits; /* edges into it */
    uint32_t rank, peer;
    double bytes;
    double grant_ns, data_ns; /* overheads before grant and data leave */
    double end_ns; /* until the end of its operation, after the data where there is some */
    bool is_final, is_granted;
};

struct ct_simulate_program {
    struct ct_simulate_vertex *vertices; /* n_vertices + 1 */
    struct ct_simulate_edge *edges;
    uint32_t n_vertices, n_edges, n_nodes, ranks_per_node;
    double L_ns;
};

#endif
