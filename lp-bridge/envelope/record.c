/*
 * The walk through the stream for one value of t that remembers which edge decided each join. It
 * decides as the walk of walk.c does: by the value, and of those that tie by the slope. Without a
 * branch for that: which edge is the longest cannot be predicted. Each number is there twice, as
 * the two lanes of a register, because comparisons of lanes give the masks that select them.
 */
#include "lp-bridge/envelope/stream.h"

enum { PREFETCH_BYTES = 4096 }; /* as in walk.c */
typedef double twice_d __attribute__((vector_size(16)));
typedef int64_t twice_i __attribute__((vector_size(16)));

static const uint32_t last_bit = UINT32_C(1) << CT_STREAM_LAST_BIT;

struct slot {
    double cost, slope;
};

struct best {
    twice_d cost, slope, value;
    twice_i edge;
};

#define SELECT(type, mask, a, b) ((type)(((mask) & (twice_i)(a)) | (~(mask) & (twice_i)(b))))

size_t ct_record_bytes(const struct ct_evaluator *evaluator)
{
    return evaluator->n_slots * sizeof(struct slot);
}

/* By pointer and inline, as in walk.c. */
static inline __attribute__((always_inline)) void begin_best(struct best *best,
                                                             const struct ct_evaluator *evaluator,
                                                             const struct slot *slots, uint32_t e,
                                                             const twice_d *t)
{
    const struct ct_stream_edge *edge = &evaluator->edges[e];
    const struct slot *source = &slots[edge->source & ~last_bit];
    best->cost = (twice_d){source->cost, source->cost} + edge->cost_ns;
    best->slope = (twice_d){source->slope, source->slope} + evaluator->slopes[edge->slope];
    best->value = best->cost + best->slope * *t;
    best->edge = (twice_i){e, e};
}

static inline __attribute__((always_inline)) void improve_best(struct best *best,
                                                               const struct best *other)
{
    twice_i better = (other->value > best->value) |
                     ((other->value == best->value) & (other->slope > best->slope));
    best->cost = SELECT(twice_d, better, other->cost, best->cost);
    best->slope = SELECT(twice_d, better, other->slope, best->slope);
    best->value = SELECT(twice_d, better, other->value, best->value);
    best->edge = SELECT(twice_i, better, other->edge, best->edge);
}

/* Static, as all of the widest: clang finds no others from another file. */
CT_WIDEST static void walk(const struct ct_evaluator *evaluator, double t, struct slot *values,
                           uint32_t *over_p)
{
    const struct ct_stream_edge *edges = evaluator->edges;
    const twice_d at = {t, t};
    uint32_t e = 0;
    for (size_t j = 0; j < evaluator->n_joins; j++) {
        struct best best, other;
        __builtin_prefetch((const void *)((uintptr_t)&edges[e] + PREFETCH_BYTES));
        begin_best(&best, evaluator, values, e, &at);
        while (!(edges[e].source & last_bit)) {
            begin_best(&other, evaluator, values, ++e, &at);
            improve_best(&best, &other);
        }
        e++;
        values[evaluator->targets[j]] = (struct slot){best.cost[0], best.slope[0]};
        over_p[j] = (uint32_t)best.edge[0];
    }
}

struct ct_line ct_walk_recorded(const struct ct_evaluator *evaluator, double t, void *slots,
                                uint32_t *over_p)
{
    struct slot *values = slots;
    values[CT_SLOT_ZERO] = values[CT_SLOT_T] = (struct slot){0, 0};
    walk(evaluator, t, values, over_p);
    return (struct ct_line){values[CT_SLOT_T].cost, values[CT_SLOT_T].slope};
}
