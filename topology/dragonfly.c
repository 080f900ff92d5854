/*
 * Dragonflies: the switches of a group are all joined, and so are groups. Link q of a group to
 * others leads to group q mod (g - 1), itself not counted, and belongs to its switch q / h. What
 * is left of a h ports is not used.
 */
#include "topology/generators.h"

#include <stdio.h>

/* Links between every two groups. */
static uint32_t count_rounds(const struct ct_shape *shape)
{
    return shape->groups > 1 ? shape->group_switches * shape->globals / (shape->groups - 1) : 0;
}

/* Number, within its group, of the link to another group. */
static uint32_t global_link(const struct ct_shape *shape, uint32_t round, uint32_t group,
                            uint32_t other)
{
    return round * (shape->groups - 1) + (other < group ? other : other - 1);
}

static enum ct_status join_groups(struct ct_topology_builder *builder, const struct ct_shape *shape,
                                  uint32_t first_switch,
                                  const struct ct_topology_settings *settings, struct ct_error *err)
{
    uint32_t a = shape->group_switches;
    enum ct_status status = CT_OK;
    for (uint32_t round = 0; round < count_rounds(shape); round++)
        for (uint32_t x = 0; x < shape->groups; x++)
            for (uint32_t y = x + 1; y < shape->groups && status == CT_OK; y++)
                status = ct_generate_link(
                    builder,
                    first_switch + x * a + global_link(shape, round, x, y) / shape->globals,
                    first_switch + y * a + global_link(shape, round, y, x) / shape->globals, false,
                    settings, err);
    return status;
}

static enum ct_status add_switches(struct ct_topology_builder *builder,
                                   const struct ct_shape *shape, struct ct_error *err)
{
    enum ct_status status = CT_OK;
    for (uint32_t group = 0; group < shape->groups; group++)
        for (uint32_t i = 0; i < shape->group_switches && status == CT_OK; i++) {
            char name[32];
            snprintf(name, sizeof name, "g%us%u", group, i);
            status = ct_topology_add(builder, CT_ROLE_SWITCH, name, 0, NULL, err);
        }
    return status;
}

static enum ct_status join_switches(struct ct_topology_builder *builder,
                                    const struct ct_shape *shape, uint32_t first_switch,
                                    const struct ct_topology_settings *settings,
                                    struct ct_error *err)
{
    uint32_t a = shape->group_switches;
    enum ct_status status = CT_OK;
    for (uint32_t group = 0; group < shape->groups; group++, first_switch += a)
        for (uint32_t i = 0; i < a; i++)
            for (uint32_t j = i + 1; j < a && status == CT_OK; j++)
                status = ct_generate_link(builder, first_switch + i, first_switch + j, false,
                                          settings, err);
    return status;
}

enum ct_status ct_dragonfly_fill(struct ct_topology_builder *builder, const struct ct_shape *shape,
                                 const struct ct_topology_settings *settings, struct ct_error *err)
{
    uint32_t p = shape->nodes_per_switch, n_switches = shape->groups * shape->group_switches;
    uint32_t first_switch = n_switches * p;
    enum ct_status status = ct_generate_nodes(builder, first_switch, err);
    if (status == CT_OK)
        status = add_switches(builder, shape, err);
    for (uint32_t i = 0; i < n_switches; i++)
        for (uint32_t node = i * p; node < (i + 1) * p && status == CT_OK; node++)
            status = ct_generate_link(builder, node, first_switch + i, true, settings, err);
    if (status == CT_OK)
        status = join_switches(builder, shape, first_switch, settings, err);
    return status == CT_OK ? join_groups(builder, shape, first_switch, settings, err) : status;
}

/* Index of the port from one switch of a group to another one. */
static uint32_t local_port(const struct ct_shape *shape, uint32_t from, uint32_t to)
{
    return shape->nodes_per_switch + (to < from ? to : to - 1);
}

/* Towards another group: over the link with the fewest links before and behind it. */
static uint32_t global_port(const struct ct_shape *shape, uint32_t group, uint32_t at,
                            uint32_t to_group, uint32_t to_switch, uint32_t to)
{
    enum { DETOURS_MAX = 3 };
    uint32_t count[DETOURS_MAX] = {0}, best = 0;
    for (uint32_t round = 0; round < count_rounds(shape); round++) {
        bool before = global_link(shape, round, group, to_group) / shape->globals != at;
        bool behind = global_link(shape, round, to_group, group) / shape->globals != to_switch;
        count[before + behind]++;
    }
    while (count[best] == 0)
        best++;
    uint32_t chosen = to % count[best];
    for (uint32_t round = 0;; round++) {
        uint32_t link = global_link(shape, round, group, to_group), owner = link / shape->globals;
        bool behind = global_link(shape, round, to_group, group) / shape->globals != to_switch;
        if ((owner != at) + behind != (int)best || chosen-- > 0)
            continue;
        if (owner != at)
            return local_port(shape, at, owner);
        return shape->nodes_per_switch + shape->group_switches - 1 + link % shape->globals;
    }
}

static uint32_t choose_port(const struct ct_topology *topology, uint32_t at, uint32_t to)
{
    const struct ct_shape *shape = &topology->shape;
    uint32_t a = shape->group_switches, p = shape->nodes_per_switch;
    if (at < topology->n_nodes)
        return 0;
    at -= topology->n_nodes;
    uint32_t to_switch = to / p;
    if (at == to_switch)
        return to % p;
    if (at / a == to_switch / a)
        return local_port(shape, at % a, to_switch % a);
    return global_port(shape, at / a, at % a, to_switch / a, to_switch % a, to);
}

const struct ct_routing ct_dragonfly_routing = {"minimal", choose_port};
