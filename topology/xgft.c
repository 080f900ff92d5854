/* Extended generalized fat trees: one switch, leaves and spines, k-ary n-trees. */
#include "topology/generators.h"

#include <stdio.h>

/*
 * A vertex of level l (nodes are level 0) has the digits u_1 .. u_l, d_(l+1) .. d_n: which parent
 * it is on each level below it, and which child on each level above. The first digit counts first.
 * Ports of a switch: its children by digit d_l, then its parents by digit u_(l+1).
 */
static uint32_t digit_base(const struct ct_shape *shape, uint32_t level, uint32_t digit)
{
    uint32_t base = digit < level ? shape->up[digit] : shape->down[digit];
    return base > 0 ? base : 1;
}

static uint32_t level_size(const struct ct_shape *shape, uint32_t level)
{
    uint32_t n = 1;
    for (uint32_t digit = 0; digit < shape->n; digit++)
        n *= digit_base(shape, level, digit);
    return n;
}

/* Of the number of the parent of vertex i of a level; `up` is which parent. */
static uint32_t parent_of(const struct ct_shape *shape, uint32_t level, uint32_t i, uint32_t up)
{
    uint32_t number = 0, scale = 1;
    for (uint32_t digit = 0; digit < shape->n; digit++) {
        uint32_t base = digit_base(shape, level, digit);
        uint32_t value = i % base;
        i /= base;
        if (digit == level) {
            value = up;
            base = shape->up[digit];
        }
        number += scale * value;
        scale *= base;
    }
    return number;
}

static void name_switch(const struct ct_shape *shape, enum ct_tree_names names, uint32_t level,
                        uint32_t i, char *name, size_t size)
{
    if (names == CT_TREE_SWITCH)
        snprintf(name, size, "s%u", i);
    else if (names == CT_TREE_LEAF_SPINE)
        snprintf(name, size, "%s%u", level == shape->n ? "spine" : "leaf", i);
    else
        snprintf(name, size, "s%u.%u", level, i);
}

enum ct_status ct_xgft_fill(struct ct_topology_builder *builder, const struct ct_shape *shape,
                            enum ct_tree_names names, const struct ct_topology_settings *settings,
                            struct ct_error *err)
{
    uint32_t lower = 0, n_lower = level_size(shape, 0);
    enum ct_status status = ct_generate_nodes(builder, n_lower, err);
    for (uint32_t level = 1; level <= shape->n && status == CT_OK; level++)
        for (uint32_t i = 0; i < level_size(shape, level) && status == CT_OK; i++) {
            char name[32];
            name_switch(shape, names, level, i, name, sizeof name);
            status = ct_topology_add(builder, CT_ROLE_SWITCH, name, 0, NULL, err);
        }
    for (uint32_t level = 0; level < shape->n && status == CT_OK; level++) {
        uint32_t upper = lower + n_lower;
        for (uint32_t i = 0; i < n_lower && status == CT_OK; i++)
            for (uint32_t up = 0; up < shape->up[level] && status == CT_OK; up++)
                status =
                    ct_generate_link(builder, lower + i, upper + parent_of(shape, level, i, up),
                                     level == 0, settings, err);
        lower = upper;
        n_lower = level_size(shape, level + 1);
    }
    return status;
}

/* Up as long as some digit of the destination above the switch is another one. */
static uint32_t choose_port(const struct ct_topology *topology, uint32_t at, uint32_t to)
{
    const struct ct_shape *shape = &topology->shape;
    uint32_t level = 0, i = at, rest = to, spread = to, digit_down = 0;
    for (uint32_t n = level_size(shape, 0); i >= n; n = level_size(shape, level)) {
        i -= n;
        level++;
    }
    for (uint32_t digit = 0; digit < level; digit++) {
        i /= shape->up[digit];
        spread /= shape->up[digit];
        digit_down = rest % shape->down[digit];
        rest /= shape->down[digit];
    }
    if (level > 0 && i == rest)
        return digit_down;
    return (level > 0 ? shape->down[level - 1] : 0) + spread % shape->up[level];
}

const struct ct_routing ct_xgft_routing = {"D-mod-k", choose_port};
