/* The readers behind read.h. Each takes a text that ends in NUL. */
#pragma once

#include "topology/builder.h"

enum ct_status ct_topology_read_slurm(const char *text, const char *source,
                                      struct ct_topology *topology_p, struct ct_error *err);
enum ct_status ct_topology_read_ibnet(const char *text, const char *source,
                                      struct ct_topology *topology_p, struct ct_error *err);
enum ct_status ct_topology_read_yaml(const char *text, const char *source,
                                     struct ct_topology *topology_p, struct ct_error *err);

/* A switch of a tree of Slurm, with lists of the names below; texts are borrowed. */
struct ct_switch_text {
    const char *text; /* NULL: not given */
    size_t length;
};

struct ct_switch_entry {
    struct ct_switch_text name, switches, nodes;
    bool has_level; /* of scontrol: nodes are those of the switches below, too */
    uint32_t line;
};

/* The tree of n entries. */
enum ct_status ct_topology_add_switches(struct ct_topology_builder *builder, const char *source,
                                        const struct ct_switch_entry *entries, size_t n,
                                        struct ct_error *err);
