/**
 * A network as a graph of nodes, switches and links, with static routes by destination. Pure: no
 * I/O, no MPI.
 *
 * Vertices are numbered: nodes from 0 to n_nodes - 1, then switches. A message passes switches
 * only, never another node. Its route has h switches and h + 1 links (h = 0: two nodes joined by
 * one link). With the latencies l_wire of a link and d_switch of a switch it takes (h + 1) l_wire +
 * h d_switch [LLAMP, section IV].
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CT_TOPOLOGY_NODES_MAX = 1 << 18,
    CT_TOPOLOGY_VERTICES_MAX = 1 << 19,
    CT_TOPOLOGY_LINKS_MAX = 1 << 21
};

/** A link. Its two directions carry data at the same time. */
struct ct_link {
    uint32_t end[2];       /**< vertices, two different ones */
    double rate_bit_per_s; /**< of a direction; NaN: not known */
    double latency_s;      /**< NaN: not known */
    uint32_t line;         /**< of the file it was read from; 0: none */
};

/** A link as seen from one of its ends. */
struct ct_port {
    uint32_t link;
    uint32_t peer; /**< the vertex at the other end */
};

/** A route from a file: messages at switch `at` for node `to` leave for the neighbour `via`. */
struct ct_given_route {
    uint32_t at, to, via; /**< vertices */
    uint32_t line;        /**< of the file */
};

struct ct_topology;

/** Routes as a formula of a generator. */
struct ct_routing {
    const char *name;
    /** Index into the ports of vertex `at` towards node `to`; both differ. */
    uint32_t (*port)(const struct ct_topology *topology, uint32_t at, uint32_t to);
};

enum { CT_SHAPE_DIMENSIONS_MAX = 8 };

/** Numbers that the formulas of generators need. */
struct ct_shape {
    uint32_t n;                               /**< levels of switches, or dimensions */
    uint32_t down[CT_SHAPE_DIMENSIONS_MAX];   /**< tree: children by level; torus: sizes */
    uint32_t up[CT_SHAPE_DIMENSIONS_MAX];     /**< tree: parents, by level of the child */
    uint32_t nodes_per_switch;                /**< dragonfly, torus */
    uint32_t groups, group_switches, globals; /**< dragonfly: g, a, h */
};

/** Immutable once built; ct_topology_free(). Not all vertices need be joined: parts.h. */
struct ct_topology {
    char *name; /**< for titles: "tree:4x4", "topology.conf" */
    uint32_t n_nodes, n_switches, n_links;
    struct ct_link *links;        /**< n_links */
    struct ct_port *ports;        /**< 2 n_links; those of v: first_port[v] .. first_port[v + 1] */
    uint32_t *first_port;         /**< vertices + 1 */
    char *names;                  /**< each ends in NUL; all different */
    uint32_t *name_at;            /**< vertices; offsets into names */
    uint32_t *by_name;            /**< vertices; in the order of their names */
    uint32_t *line;               /**< vertices; of the file they were read from; NULL: generated */
    struct ct_given_route *given; /**< n_given, by (at, to) */
    uint32_t n_given;
    char *notes; /**< what was left out of a file, or how it was taken: sentences, each with '\n' at
                    its end; NULL: nothing */
    const struct ct_routing *routing; /**< NULL: shortest paths */
    struct ct_shape shape;
};

static inline uint32_t ct_topology_vertices(const struct ct_topology *topology)
{
    return topology->n_nodes + topology->n_switches;
}

static inline const char *ct_topology_name(const struct ct_topology *topology, uint32_t v)
{
    return topology->names + topology->name_at[v];
}

static inline uint32_t ct_topology_degree(const struct ct_topology *topology, uint32_t v)
{
    return topology->first_port[v + 1] - topology->first_port[v];
}

/**
 * @param v_p  [out] the vertex of that name; unchanged if there is none
 * @return whether there is one
 */
bool ct_topology_find(const struct ct_topology *topology, const char *name, uint32_t *v_p);

/**
 * The node that a host is: by its name, or, if one of both is written with a domain and the other
 * is not ("node1", "node1.cluster.example"), by the part in front of the first dot, if one node
 * only has it.
 * @param node_p  [out] below n_nodes; unchanged if there is none
 * @return whether there is one
 */
bool ct_topology_find_host(const struct ct_topology *topology, const char *host, uint32_t *node_p);

void ct_topology_free(struct ct_topology *topology);
