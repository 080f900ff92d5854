#include "topology/layout.h"

#include "core/order.h"
#include "topology/draw.h"
#include "topology/shortest.h"

#include <math.h>
#include <stdlib.h>

enum {
    NODE_STEP = 14,
    GROUP_GAP = 10,
    SWITCH_STEP = 34,
    ROW_STEP = 110,
    GRID_STEP = 64,
    ROWS_MAX = 64,
    ARC_MAX = 1000
};

/* ---- rows ---- */

/* A vertex and where it would like to be. */
struct wish {
    double x;
    uint32_t v;
};

CT_ORDER(compare_wishes, struct wish, x, v)

/* Nodes of a switch side by side, switches in their order. */
static size_t wish_nodes(const struct ct_topology *topology, struct wish *wishes)
{
    for (uint32_t v = 0; v < topology->n_nodes; v++) {
        uint32_t peer = v;
        if (ct_topology_degree(topology, v) > 0)
            peer = topology->ports[topology->first_port[v]].peer;
        wishes[v] = (struct wish){peer, v};
    }
    return topology->n_nodes;
}

/* The mean of what is below, or, where nodes are not drawn, the number. */
static size_t wish_switches(const struct ct_topology *topology, const struct ct_layout *layout,
                            uint32_t row, struct wish *wishes)
{
    size_t n = 0;
    for (uint32_t v = topology->n_nodes; v < ct_topology_vertices(topology); v++) {
        if (layout->height[v] != row)
            continue;
        double sum = 0, below = 0;
        for (uint32_t p = topology->first_port[v]; p < topology->first_port[v + 1]; p++) {
            uint32_t peer = topology->ports[p].peer;
            if (layout->height[peer] >= row || (row == 1 && !layout->has_nodes))
                continue;
            sum += layout->places[peer].x;
            below++;
        }
        wishes[n++] = (struct wish){below > 0 ? sum / below : v, v};
    }
    return n;
}

static void place_nodes(const struct ct_topology *topology, struct ct_layout *layout,
                        const struct wish *wishes, size_t n)
{
    uint32_t group = topology->shape.group_switches * topology->shape.nodes_per_switch;
    double x = 0;
    for (size_t i = 0; i < n; i++) {
        bool other_switch = i > 0 && wishes[i].x != wishes[i - 1].x;
        bool other_group = i > 0 && group > 0 && wishes[i].v / group != wishes[i - 1].v / group;
        x += (i > 0) * NODE_STEP + other_switch * GROUP_GAP + other_group * 2 * GROUP_GAP;
        layout->places[wishes[i].v].x = x;
    }
    layout->width = fmax(layout->width, x);
}

/* Switches over their nodes; other rows evenly over all of the width. */
static void place_switches(struct ct_layout *layout, const struct wish *wishes, size_t n)
{
    bool fits = true;
    for (size_t i = 1; i < n; i++)
        fits = fits && wishes[i].x - wishes[i - 1].x >= SWITCH_STEP;
    double step = n > 0 ? layout->width / (double)n : 0;
    for (size_t i = 0; i < n; i++) {
        layout->places[wishes[i].v].x = fits ? wishes[i].x : ((double)i + 0.5) * step;
        if (i > 0)
            layout->spacing = fmin(layout->spacing, layout->places[wishes[i].v].x -
                                                        layout->places[wishes[i - 1].v].x);
    }
}

/* Room above a row that has links to the side: they are arcs, lower ones where they are long. */
static double arc_room(const struct ct_topology *topology, struct ct_layout *layout, uint32_t row)
{
    double longest = 0;
    for (uint32_t i = 0; i < topology->n_links; i++) {
        const uint32_t *end = topology->links[i].end;
        if (layout->height[end[0]] == row && layout->height[end[1]] == row)
            longest = fmax(longest, fabs(layout->places[end[0]].x - layout->places[end[1]].x));
    }
    if (longest > 0)
        layout->arc = fmin(layout->arc, ARC_MAX / longest);
    return 0.5 * layout->arc * longest;
}

static bool place_rows(const struct ct_topology *topology, struct ct_layout *layout)
{
    uint32_t n = ct_topology_vertices(topology), top = 0, fullest = 0;
    uint32_t count[ROWS_MAX + 1] = {0};
    struct wish *wishes = malloc(n * sizeof *wishes);
    if (!wishes)
        return false;
    for (uint32_t v = 0; v < n; v++) {
        if (layout->height[v] == UINT32_MAX) /* no node is near it */
            layout->height[v] = 1;
        layout->height[v] = layout->height[v] < ROWS_MAX ? layout->height[v] : ROWS_MAX;
        top = layout->height[v] > top ? layout->height[v] : top;
        if (layout->height[v] > 0 && ++count[layout->height[v]] > fullest)
            fullest = count[layout->height[v]];
    }
    layout->width = (double)fullest * SWITCH_STEP;
    layout->spacing = layout->width;
    for (uint32_t row = 0; row <= top; row++) {
        size_t in_row =
            row == 0 ? wish_nodes(topology, wishes) : wish_switches(topology, layout, row, wishes);
        qsort(wishes, in_row, sizeof *wishes, compare_wishes);
        if (row > 0)
            place_switches(layout, wishes, in_row);
        else if (layout->has_nodes)
            place_nodes(topology, layout, wishes, in_row);
    }
    double y = 0;
    layout->arc = 0.5;
    for (uint32_t row = top + 1; row-- > 0;) {
        y += row > 0 ? arc_room(topology, layout, row) : 0;
        for (uint32_t v = 0; v < n; v++)
            if (layout->height[v] == row)
                layout->places[v].y = y;
        if (row > 0)
            y += row == 1 ? ROW_STEP / 2.0 : ROW_STEP;
    }
    layout->depth = y;
    free(wishes);
    return true;
}

/* ---- grids ---- */

/* Planes of the first two dimensions, those of the third and others side by side. */
static void place_grid(const struct ct_topology *topology, struct ct_layout *layout)
{
    const struct ct_shape *shape = &topology->shape;
    uint32_t columns = shape->down[0], rows = shape->n > 1 ? shape->down[1] : 1;
    uint32_t plane = columns * rows, planes = topology->n_switches / plane;
    for (uint32_t i = 0; i < topology->n_switches; i++) {
        uint32_t column = i % columns, row = i % plane / columns, side = i / plane;
        layout->places[topology->n_nodes + i] = (struct ct_place){
            (side * (columns + 0.5) + column) * GRID_STEP, (double)row * GRID_STEP + column * 10.0};
    }
    for (uint32_t v = 0; v < topology->n_nodes; v++) {
        const struct ct_place *at =
            &layout->places[topology->n_nodes + v / shape->nodes_per_switch];
        layout->places[v] =
            (struct ct_place){at->x - 12 + 7 * (v % shape->nodes_per_switch), at->y + 22};
    }
    layout->width = planes * (columns + 0.5) * GRID_STEP;
    layout->depth = (rows - 1) * GRID_STEP + (columns - 1) * 10 + 22;
    layout->spacing = GRID_STEP;
}

bool ct_layout_make(const struct ct_topology *topology, struct ct_layout *layout_p)
{
    uint32_t n = ct_topology_vertices(topology);
    struct ct_layout layout = {.places = calloc(n, sizeof *layout.places),
                               .height = malloc(n * sizeof *layout.height),
                               .has_nodes = topology->n_nodes <= CT_DRAW_NODES_MAX};
    bool ok = layout.places && layout.height && ct_topology_heights(topology, layout.height);
    layout.is_grid = topology->shape.groups == 0 && topology->shape.nodes_per_switch > 0;
    if (ok && layout.is_grid)
        place_grid(topology, &layout);
    else if (ok)
        ok = place_rows(topology, &layout);
    if (ok)
        *layout_p = layout;
    else
        ct_layout_free(&layout);
    return ok;
}

void ct_layout_free(struct ct_layout *layout)
{
    free(layout->places);
    free(layout->height);
    *layout = (struct ct_layout){0};
}
