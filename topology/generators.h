/* The generators behind spec.h. A topology is made of numbers that have been checked. */
#pragma once

#include "topology/builder.h"
#include "topology/spec.h"

/* How a generator calls its vertices. */
enum ct_tree_names { CT_TREE_SWITCH, CT_TREE_LEAF_SPINE, CT_TREE_LEVELS };

/*
 * shape: n, down, up; the product of what they say is below the limits. These fill the builder, in
 * the order of ports that the formulas below rely on.
 */
enum ct_status ct_xgft_fill(struct ct_topology_builder *builder, const struct ct_shape *shape,
                            enum ct_tree_names names, const struct ct_topology_settings *settings,
                            struct ct_error *err);
/* shape: groups, group_switches, nodes_per_switch, globals >= (groups - 1) / group_switches */
enum ct_status ct_dragonfly_fill(struct ct_topology_builder *builder, const struct ct_shape *shape,
                                 const struct ct_topology_settings *settings, struct ct_error *err);
/* shape: n, down, nodes_per_switch */
enum ct_status ct_torus_fill(struct ct_topology_builder *builder, const struct ct_shape *shape,
                             const struct ct_topology_settings *settings, struct ct_error *err);

extern const struct ct_routing ct_xgft_routing, ct_dragonfly_routing, ct_torus_routing;

/* Add n nodes n0, n1, ... */
enum ct_status ct_generate_nodes(struct ct_topology_builder *builder, uint32_t n,
                                 struct ct_error *err);
/* A link of a node, or between switches, with what the settings say of such links. */
enum ct_status ct_generate_link(struct ct_topology_builder *builder, uint32_t a, uint32_t b,
                                bool of_node, const struct ct_topology_settings *settings,
                                struct ct_error *err);
