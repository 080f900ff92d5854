#include "lp-bridge/graph/fold.h"

#include "core/array.h"

#include <stdlib.h>
#include <string.h>

enum { DOMINANCE_WINDOW = 8, NODE_ZERO = 0, AHEAD = 12 /* vertices */ };

/* Numbers handed out and taken back, the last one taken back first: what was used is in the cache.
 */
struct free_list {
    uint32_t *numbers;
    size_t n, capacity;
    uint32_t n_issued;
};

struct walk {
    const struct ct_graph *graph;
    const struct ct_plane *plane;
    const struct ct_fold_visitor *visitor;
    uint32_t *anchor_of;          /* n_vertices; valid until the last edge that leaves the vertex */
    struct ct_fold_edge *anchors; /* a vertex is at a node and the cost since */
    size_t anchors_capacity;
    struct free_list free_anchors, free_slots;
    uint32_t *slot_uses; /* anchors that refer to the node in a slot */
    size_t slots_capacity;
    struct ct_fold_edge *edges; /* of the join at hand */
    size_t n_edges, edges_capacity;
    uint32_t n_joins;
};

static bool take_number(struct free_list *list, uint32_t *number_p)
{
    if (list->n > 0)
        *number_p = list->numbers[--list->n];
    else
        *number_p = list->n_issued++;
    /* Room to take back everything that is out. */
    return CT_ARRAY_RESERVE(list->numbers, list->capacity, list->n_issued);
}

static void give_back(struct free_list *list, uint32_t number)
{
    list->numbers[list->n++] = number;
}

static bool new_slot(struct walk *walk, uint32_t *slot_p)
{
    if (!take_number(&walk->free_slots, slot_p) ||
        !CT_ARRAY_RESERVE(walk->slot_uses, walk->slots_capacity, walk->free_slots.n_issued))
        return false;
    walk->slot_uses[*slot_p] = 0;
    return true;
}

static void release_slot(struct walk *walk, uint32_t slot)
{
    if (slot != NODE_ZERO && --walk->slot_uses[slot] == 0)
        give_back(&walk->free_slots, slot);
}

/* The costs of the graph as those of the plane. */
static void add_cost(const struct ct_plane *plane, const struct ct_cost *cost,
                     struct ct_fold_edge *edge)
{
    struct ct_loggps origin = plane->origin;
    struct ct_loggps slope[CT_FREE_MAX] = {plane->slope[0], plane->slope[1]};
    if (plane->pairs && cost->from != cost->to)
        plane->pairs->get(plane->pairs->data, cost->from, cost->to, &origin, slope);
    const double grows_ns = plane->overheads_share * cost->overhead_ns;
    edge->cost_ns += cost->compute_ns + (cost->overhead_ns - grows_ns) + cost->o * origin.o_ns +
                     cost->L * origin.L_ns + cost->G * origin.G_ns_per_byte + cost->g_ns;
    edge->slope[0] += grows_ns;
    for (size_t k = 0; k < CT_FREE_MAX; k++)
        edge->slope[k] +=
            cost->o * slope[k].o_ns + cost->L * slope[k].L_ns + cost->G * slope[k].G_ns_per_byte;
}

/* The same, and the trail goes on where something travels; false: out of memory. */
static bool extend_walk(const struct walk *walk, const struct ct_cost *cost,
                        struct ct_fold_edge *edge)
{
    const struct ct_fold_visitor *visitor = walk->visitor;
    bool is_priced =
        visitor->prices_later && walk->graph->peer && cost->from != cost->to && cost->o > 0;
    add_cost(walk->plane, cost, edge);
    if (!visitor->travel || !(cost->L > 0 || cost->G > 0 || is_priced))
        return true;
    edge->trail = visitor->travel(visitor->data, edge->trail, cost);
    return edge->trail != 0;
}

/* a is never above b, whatever the free parameters, and the prices of trails that are not known. */
static bool is_dominated(const struct ct_fold_edge *a, const struct ct_fold_edge *b, bool is_priced)
{
    if (a->source.id != b->source.id || a->cost_ns > b->cost_ns)
        return false;
    if (is_priced && a->trail != 0 && a->trail != b->trail)
        return false;
    for (size_t k = 0; k < CT_FREE_MAX; k++)
        if (a->slope[k] > b->slope[k])
            return false;
    return true;
}

/* Only the last few are compared, so that a join of thousands does not take their square. */
static bool add_edge(struct walk *walk, const struct ct_fold_edge *edge)
{
    size_t first = walk->n_edges > DOMINANCE_WINDOW ? walk->n_edges - DOMINANCE_WINDOW : 0;
    bool is_priced = walk->visitor->prices_later;
    for (size_t i = first; i < walk->n_edges; i++) {
        if (is_dominated(edge, &walk->edges[i], is_priced))
            return true;
        if (is_dominated(&walk->edges[i], edge, is_priced)) {
            walk->edges[i] = *edge;
            return true;
        }
    }
    if (!CT_ARRAY_RESERVE(walk->edges, walk->edges_capacity, walk->n_edges + 1))
        return false;
    walk->edges[walk->n_edges++] = *edge;
    return true;
}

static bool gather_edges(struct walk *walk, uint32_t v)
{
    const struct ct_graph *graph = walk->graph;
    walk->n_edges = 0;
    for (uint32_t e = graph->first_edge[v]; e < graph->first_edge[v + 1]; e++) {
        uint32_t word = graph->edges[e];
        struct ct_cost cost = ct_graph_edge_cost(graph, v, word);
        struct ct_fold_edge edge = walk->anchors[walk->anchor_of[ct_edge_source(word)]];
        if (!extend_walk(walk, &cost, &edge) || !add_edge(walk, &edge))
            return false;
    }
    return true;
}

static void release_sources(struct walk *walk, uint32_t v)
{
    const struct ct_graph *graph = walk->graph;
    for (uint32_t e = graph->first_edge[v]; e < graph->first_edge[v + 1]; e++)
        if (ct_edge_is_last(graph->edges[e])) {
            if (!walk->anchors) /* a source has one */
                return;
            uint32_t anchor = walk->anchor_of[ct_edge_source(graph->edges[e])];
            release_slot(walk, walk->anchors[anchor].source.slot);
            give_back(&walk->free_anchors, anchor);
        }
}

/* Where v is: time zero, one edge after a node, or a join of its own. */
static enum ct_status anchor_vertex(struct walk *walk, uint32_t v, struct ct_fold_edge *at_p,
                                    struct ct_error *err)
{
    const enum ct_vertex_kind kind = ct_vertex_kind(walk->graph, v);
    const uint32_t input = kind == CT_VERTEX_INPUT ? CT_FOLD_INPUT + walk->graph->rank[v] : 0;
    *at_p = (struct ct_fold_edge){.source = {input, input}};
    if (input)
        return CT_OK;
    if (!gather_edges(walk, v))
        return ct_no_memory(err, "execution graph");
    /* An edge from here may have a cost of a pair, too: one is what an edge has at most. */
    bool is_full = walk->visitor->prices_later && walk->n_edges == 1 && walk->edges[0].trail != 0;
    if (walk->n_edges == 1 && !is_full && kind != CT_VERTEX_OUTPUT) {
        *at_p = walk->edges[0];
        walk->slot_uses[at_p->source.slot]++;
        release_sources(walk, v);
        return CT_OK;
    }
    release_sources(walk, v);
    if (walk->n_edges == 0)
        return CT_OK;
    at_p->source.id = ++walk->n_joins;
    if (!new_slot(walk, &at_p->source.slot))
        return ct_no_memory(err, "execution graph");
    walk->slot_uses[at_p->source.slot] = 1;
    return walk->visitor->join(walk->visitor->data, at_p->source, walk->edges, walk->n_edges, err);
}

static enum ct_status visit_end(struct walk *walk, uint32_t v, const struct ct_fold_edge *at,
                                struct ct_error *err)
{
    struct ct_cost cost = ct_graph_finish_cost(walk->graph, v);
    struct ct_fold_edge end = *at;
    if (!extend_walk(walk, &cost, &end))
        return ct_no_memory(err, "execution graph");
    return walk->visitor->end(walk->visitor->data, &end, err);
}

static enum ct_status walk_vertex(struct walk *walk, uint32_t v, struct ct_error *err)
{
    struct ct_fold_edge at;
    CT_TRY(anchor_vertex(walk, v, &at, err));
    if (walk->graph->what[v] & CT_VERTEX_FINAL)
        CT_TRY(visit_end(walk, v, &at, err));
    if (ct_vertex_kind(walk->graph, v) == CT_VERTEX_OUTPUT)
        return walk->visitor->output(walk->visitor->data, walk->graph->rank[v], at.source.slot,
                                     err);
    if (walk->graph->what[v] & CT_VERTEX_LEAF) {
        release_slot(walk, at.source.slot);
        return CT_OK;
    }
    uint32_t anchor;
    if (!take_number(&walk->free_anchors, &anchor) ||
        !CT_ARRAY_RESERVE(walk->anchors, walk->anchors_capacity, walk->free_anchors.n_issued))
        return ct_no_memory(err, "execution graph");
    walk->anchors[anchor] = at;
    walk->anchor_of[v] = anchor;
    return CT_OK;
}

/*
 * Of many ranks the anchors that are live do not fit into a cache, and come in no order. So those
 * of the vertices ahead are fetched, in two steps: which anchors, then these.
 */
static void fetch_anchors(const struct walk *walk, uint32_t v)
{
    const struct ct_graph *graph = walk->graph;
    if (graph->n_vertices - v <= 2 * AHEAD)
        return;
    const uint32_t far = v + 2 * AHEAD, near = v + AHEAD;
    for (uint32_t e = graph->first_edge[far]; e < graph->first_edge[far + 1]; e++)
        __builtin_prefetch(&walk->anchor_of[ct_edge_source(graph->edges[e])]);
    for (uint32_t e = graph->first_edge[near]; e < graph->first_edge[near + 1]; e++)
        if (ct_edge_source(graph->edges[e]) < v)
            __builtin_prefetch(&walk->anchors[walk->anchor_of[ct_edge_source(graph->edges[e])]]);
}

/* Slots of time 0 and of the inputs, of which each is used by one vertex. */
static bool first_slots(struct walk *walk)
{
    uint32_t slot;
    if (!new_slot(walk, &slot))
        return false;
    for (uint32_t rank = 0; walk->graph->goes_on && rank < walk->graph->n_ranks; rank++) {
        if (!new_slot(walk, &slot))
            return false;
        walk->slot_uses[slot] = 1;
        walk->n_joins++;
    }
    return true;
}

enum ct_status ct_graph_fold(const struct ct_graph *graph, const struct ct_plane *plane,
                             const struct ct_fold_visitor *visitor, struct ct_fold_size *size_p,
                             struct ct_error *err)
{
    struct walk walk = {.graph = graph, .plane = plane, .visitor = visitor};
    walk.anchor_of = malloc((graph->n_vertices + (size_t)1) * sizeof *walk.anchor_of);
    enum ct_status status =
        walk.anchor_of && first_slots(&walk) ? CT_OK : ct_no_memory(err, "execution graph");
    for (uint32_t v = 0; v < graph->n_vertices && status == CT_OK; v++) {
        fetch_anchors(&walk, v);
        status = walk_vertex(&walk, v, err);
    }
    if (status == CT_OK && size_p)
        *size_p = (struct ct_fold_size){walk.n_joins, walk.free_slots.n_issued};
    free(walk.anchor_of);
    free(walk.anchors);
    free(walk.slot_uses);
    free(walk.edges);
    free(walk.free_anchors.numbers);
    free(walk.free_slots.numbers);
    return status;
}

/* Slots are many only where a schedule is wide: the array grows by halves of itself. */
bool ct_fold_writers_note(struct ct_fold_writers *writers, uint32_t slot, size_t join)
{
    if (slot >= writers->n) {
        size_t n = (size_t)slot + slot / 2 + 2;
        if (!CT_ARRAY_RESIZE(writers->join, n))
            return false;
        memset(writers->join + writers->n, 0, (n - writers->n) * sizeof *writers->join);
        writers->n = n;
    }
    writers->join[slot] = (uint32_t)join;
    return true;
}
