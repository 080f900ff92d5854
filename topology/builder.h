/**
 * Builds a topology: add nodes and switches in any order, then links and routes, then build. Parts
 * that were read from a file are given with their line, for messages.
 */
#pragma once

#include "topology/topology.h"

struct ct_topology_builder;

enum ct_vertex_role { CT_ROLE_NODE, CT_ROLE_SWITCH };

/**
 * @param name  [in] of the topology; copied
 * @return NULL: out of memory; freed by ct_topology_builder_free() or ct_topology_build()
 */
struct ct_topology_builder *ct_topology_builder_new(const char *name);
void ct_topology_builder_free(struct ct_topology_builder *builder);

/**
 * Add a vertex. Vertices are numbered in the order of the calls, nodes and switches together.
 * @param name      [in]  not empty; copied
 * @param line      [in]  of the file; 0: generated
 * @param number_p  [out] for links and routes; may be NULL
 * @return CT_OK; CT_EINVAL (too many); CT_ENOMEM
 */
enum ct_status ct_topology_add(struct ct_topology_builder *builder, enum ct_vertex_role role,
                               const char *name, uint32_t line, uint32_t *number_p,
                               struct ct_error *err);

/** @param link  [in] its ends are numbers as above. @return CT_OK; CT_EINVAL (too many; both ends
 * are one vertex); CT_ENOMEM */
enum ct_status ct_topology_connect(struct ct_topology_builder *builder, const struct ct_link *link,
                                   struct ct_error *err);

/** @param route  [in] numbers as above. @return CT_OK; CT_ENOMEM */
enum ct_status ct_topology_route_over(struct ct_topology_builder *builder,
                                      const struct ct_given_route *route, struct ct_error *err);

/**
 * Note for the reader of results what was left out, or how something was taken.
 * @param format  [in] of printf: a sentence
 * @return CT_OK; CT_ENOMEM
 */
enum ct_status ct_topology_note(struct ct_topology_builder *builder, struct ct_error *err,
                                const char *format, ...) __attribute__((format(printf, 3, 4)));

/** Fill an error: "SOURCE: line N: message", without the line where that is 0. */
#define ct_topology_fail(err, source, line, ...)                                                   \
    ct_fail_at_line((err), ct_fail((err), CT_EFORMAT, __VA_ARGS__), (source), (line))
enum ct_status ct_fail_at_line(struct ct_error *err, enum ct_status status, const char *source,
                               uint32_t line);

/**
 * Build the topology from all parts; the builder is freed, also on error. Nodes and switches keep
 * their order, ports of a vertex that of the links.
 * @param topology_p  [out] ct_topology_free(); its routes are shortest paths; unchanged on error
 * @return CT_OK; CT_EFORMAT naming the line (a name twice, two routes for a switch and a node, a
 *         route over no link); CT_ENODATA (no node); CT_ENOMEM
 */
enum ct_status ct_topology_build(struct ct_topology_builder *builder,
                                 struct ct_topology *topology_p, struct ct_error *err);
