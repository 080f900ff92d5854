/* Tori of up to CT_SHAPE_DIMENSIONS_MAX dimensions; the first coordinate counts first. */
#include "topology/generators.h"

#include <stdio.h>

static uint32_t count_switches(const struct ct_shape *shape)
{
    uint32_t n = 1;
    for (uint32_t d = 0; d < shape->n; d++)
        n *= shape->down[d];
    return n;
}

static void name_switch(const struct ct_shape *shape, uint32_t i, char *name, size_t size)
{
    size_t length = 0;
    for (uint32_t d = 0; d < shape->n; d++) {
        length += (size_t)snprintf(name + length, size - length, "%c%u", d == 0 ? 's' : '.',
                                   i % shape->down[d]);
        i /= shape->down[d];
    }
}

/* Rings of two have one link, not two. */
static bool has_next(uint32_t size, uint32_t coordinate)
{
    return size > 2 || (size == 2 && coordinate == 0);
}

enum ct_status ct_torus_fill(struct ct_topology_builder *builder, const struct ct_shape *shape,
                             const struct ct_topology_settings *settings, struct ct_error *err)
{
    uint32_t p = shape->nodes_per_switch, n_switches = count_switches(shape), scale = 1;
    uint32_t n_nodes = n_switches * p;
    enum ct_status status = ct_generate_nodes(builder, n_nodes, err);
    for (uint32_t i = 0; i < n_switches && status == CT_OK; i++) {
        char name[CT_SHAPE_DIMENSIONS_MAX * 12];
        name_switch(shape, i, name, sizeof name);
        status = ct_topology_add(builder, CT_ROLE_SWITCH, name, 0, NULL, err);
    }
    for (uint32_t i = 0; i < n_nodes && status == CT_OK; i++)
        status = ct_generate_link(builder, i, n_nodes + i / p, true, settings, err);
    for (uint32_t d = 0; d < shape->n; d++) {
        uint32_t size = shape->down[d];
        for (uint32_t i = 0; i < n_switches && status == CT_OK; i++) {
            uint32_t at = i / scale % size;
            if (has_next(size, at))
                status = ct_generate_link(builder, n_nodes + i,
                                          n_nodes + i - at * scale + (at + 1) % size * scale, false,
                                          settings, err);
        }
        scale *= size;
    }
    return status;
}

/* Whether to go towards higher coordinates. */
static bool goes_up(uint32_t size, uint32_t from, uint32_t to)
{
    uint32_t distance = (to + size - from) % size;
    return 2 * distance < size || (2 * distance == size && to % 2 == 0);
}

/* Ports of a switch: nodes, then by dimension the lower neighbour and the higher one. */
static uint32_t choose_port(const struct ct_topology *topology, uint32_t at, uint32_t to)
{
    const struct ct_shape *shape = &topology->shape;
    uint32_t p = shape->nodes_per_switch, index = p;
    if (at < topology->n_nodes)
        return 0;
    uint32_t from = at - topology->n_nodes, target = to / p;
    for (uint32_t d = 0; d < shape->n; d++) {
        uint32_t size = shape->down[d], x = from % size, y = target % size;
        from /= size;
        target /= size;
        if (x == y) {
            index += size > 2 ? 2 : size - 1;
            continue;
        }
        /* Links are in the order of their lower ends, so that at 0 the ring's last one is second.
         */
        bool up = goes_up(size, x, y);
        return index + (size > 2 ? (x == 0) != up : 0);
    }
    return to % p;
}

const struct ct_routing ct_torus_routing = {"dimension order", choose_port};
