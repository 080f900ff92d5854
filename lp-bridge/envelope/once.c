/*
 * One value of t, without a stream: the joins of the folded graph are evaluated as they are
 * visited. The sums and comparisons are those of walk.c, in the same order.
 */
#include "core/array.h"
#include "lp-bridge/envelope/stream.h"

struct once {
    double t;
    struct ct_line *slots; /* of the fold; slot 0 is time 0 */
    size_t n_slots;
    struct ct_line end; /* T so far */
};

static struct ct_line extend_line(const struct once *once, const struct ct_fold_edge *edge)
{
    struct ct_line from = once->slots[edge->source.slot];
    return (struct ct_line){from.cost_ns + edge->cost_ns, from.slope + edge->slope[0]};
}

static struct ct_line later_of(struct ct_line best, struct ct_line other, double t)
{
    double best_ns = ct_line_at(best, t), other_ns = ct_line_at(other, t);
    bool better = other_ns > best_ns || (other_ns == best_ns && other.slope > best.slope);
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
    struct ct_line best = extend_line(once, &edges[0]);
    for (size_t i = 1; i < n_edges; i++)
        best = later_of(best, extend_line(once, &edges[i]), once->t);
    if (!make_room(once, target.slot))
        return ct_no_memory(err, "evaluation of the graph");
    once->slots[target.slot] = best;
    return CT_OK;
}

static enum ct_status on_end(void *data, const struct ct_fold_edge *edge, struct ct_error *err)
{
    struct once *once = data;
    (void)err;
    once->end = later_of(once->end, extend_line(once, edge), once->t);
    return CT_OK;
}

enum ct_status ct_evaluate_once(const struct ct_graph *graph, const struct ct_plane *plane,
                                double t, struct ct_line *line_p, struct ct_error *err)
{
    struct once once = {.t = t};
    const struct ct_fold_visitor visitor = {.join = on_join, .end = on_end, .data = &once};
    struct ct_plane along = *plane;
    along.slope[1] = (struct ct_loggps){0};
    enum ct_status status =
        make_room(&once, 0) ? CT_OK : ct_no_memory(err, "evaluation of the graph");
    if (status == CT_OK) {
        once.slots[0] = (struct ct_line){0};
        status = ct_graph_fold(graph, &along, &visitor, NULL, err);
    }
    free(once.slots);
    if (status == CT_OK)
        *line_p = once.end;
    return status;
}
