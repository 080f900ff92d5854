/*
 * One value of t, without a stream: the joins of the folded graph are evaluated as they are
 * visited. The sums and comparisons are those of walk.c, in the same order.
 */
#include "core/array.h"
#include "lp-bridge/envelope/stream.h"

struct once {
    struct ct_once *of;
    double t;
    const struct ct_graph *graph;
    struct ct_once_value *slots; /* of the fold; slot 0 is time 0 */
    size_t n_slots;
};

static struct ct_once_value extend_value(const struct once *once, const struct ct_fold_edge *edge)
{
    struct ct_once_value from = once->slots[edge->source.slot];
    return (struct ct_once_value){
        {from.line.cost_ns + edge->cost_ns, from.line.slope + edge->slope[0]},
        from.passenger + edge->slope[1]};
}

static struct ct_once_value later_of(struct ct_once_value best, struct ct_once_value other,
                                     double t)
{
    double best_ns = ct_line_at(best.line, t), other_ns = ct_line_at(other.line, t);
    bool better = other_ns > best_ns || (other_ns == best_ns && other.line.slope > best.line.slope);
    return better ? other : best;
}

static bool make_room(struct once *once, uint32_t slot)
{
    if (slot < once->n_slots)
        return true;
    size_t room = once->n_slots;
    if (!CT_ARRAY_RESERVE(once->slots, room, (size_t)slot + 1))
        return false;
    once->n_slots = room;
    return true;
}

static enum ct_status on_join(void *data, struct ct_fold_node target,
                              const struct ct_fold_edge *edges, size_t n_edges,
                              struct ct_error *err)
{
    struct once *once = data;
    struct ct_once_value best = extend_value(once, &edges[0]);
    for (size_t i = 1; i < n_edges; i++)
        best = later_of(best, extend_value(once, &edges[i]), once->t);
    if (!make_room(once, target.slot))
        return ct_no_memory(err, "evaluation of the graph");
    once->slots[target.slot] = best;
    return CT_OK;
}

static enum ct_status on_end(void *data, const struct ct_fold_edge *edge, struct ct_error *err)
{
    struct once *once = data;
    (void)err;
    once->of->end = later_of(once->of->end, extend_value(once, edge), once->t);
    return CT_OK;
}

/* The inputs are in slots by now. */
static enum ct_status on_output(void *data, uint32_t rank, uint32_t slot, struct ct_error *err)
{
    struct once *once = data;
    (void)err;
    once->of->ranks[rank] = once->slots[slot];
    return CT_OK;
}

/* Time 0, and where the ranks are. */
static bool begin_values(struct once *once)
{
    const struct ct_graph *graph = once->graph;
    const uint32_t n_inputs = graph->goes_on ? graph->n_ranks : 0;
    if (!make_room(once, n_inputs) || (n_inputs > 0 && !once->of->ranks))
        return false;
    once->slots[0] = (struct ct_once_value){0};
    for (uint32_t rank = 0; rank < n_inputs; rank++)
        once->slots[CT_FOLD_INPUT + rank] = once->of->ranks[rank];
    return !graph->is_continued || once->of->ranks ||
           CT_ARRAY_RESIZE(once->of->ranks, graph->n_ranks);
}

enum ct_status ct_once_add(struct ct_once *of, const struct ct_graph *graph,
                           const struct ct_plane *plane, double t, struct ct_error *err)
{
    struct once once = {.of = of, .t = t, .graph = graph};
    const struct ct_fold_visitor visitor = {
        .join = on_join, .end = on_end, .output = on_output, .data = &once};
    enum ct_status status = begin_values(&once) ? ct_graph_fold(graph, plane, &visitor, NULL, err)
                                                : ct_no_memory(err, "evaluation of the graph");
    free(once.slots);
    return status;
}

enum ct_status ct_evaluate_once(const struct ct_graph *graph, const struct ct_plane *plane,
                                double t, struct ct_line *line_p, struct ct_error *err)
{
    struct ct_plane along = *plane;
    struct ct_once once = {0};
    along.slope[1] = (struct ct_loggps){0};
    enum ct_status status = ct_once_add(&once, graph, &along, t, err);
    free(once.ranks);
    if (status == CT_OK)
        *line_p = once.end.line;
    return status;
}
