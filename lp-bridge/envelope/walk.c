/*
 * The walk through the stream of edges, for eight values of t at a time: for one it takes as long.
 * A slot holds cost and slope of the critical path to a join; which edge wins is decided by cost +
 * slope * t, so that sums of whole nanoseconds stay exact whatever t is.
 */
#include "lp-bridge/envelope/stream.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Half of the lanes: what one register of AVX2 holds. */
enum { HALF = CT_EVALUATOR_LANES / 2, HALVES = 2 };
enum { PREFETCH_BYTES = 4096 }; /* less is slower at 10^7 operations, more no faster */
typedef double half_d __attribute__((vector_size(HALF * sizeof(double))));
typedef int64_t half_i __attribute__((vector_size(HALF * sizeof(int64_t))));

static const uint32_t last_bit = UINT32_C(1) << CT_STREAM_LAST_BIT;

struct slot8 {
    half_d cost[HALVES], slope[HALVES];
};

/* The best path so far into a join, for half of the lanes. */
struct best {
    half_d cost, slope, value;
};

#define SELECT(mask, a, b) ((half_d)(((mask) & (half_i)(a)) | (~(mask) & (half_i)(b))))

/* By pointer and inline: vectors as arguments have another ABI on each kind of machine. */
static inline __attribute__((always_inline)) void begin_best(struct best *best, const half_d *cost,
                                                             const half_d *slope,
                                                             const struct ct_stream_edge *edge,
                                                             double edge_slope, const half_d *at)
{
    best->cost = *cost + edge->cost_ns;
    best->slope = *slope + edge_slope;
    best->value = best->cost + best->slope * *at;
}

static inline __attribute__((always_inline)) void
improve_best(struct best *best, const half_d *cost, const half_d *slope,
             const struct ct_stream_edge *edge, double edge_slope, const half_d *at)
{
    struct best other;
    begin_best(&other, cost, slope, edge, edge_slope, at);
    half_i better =
        (other.value > best->value) | ((other.value == best->value) & (other.slope > best->slope));
    best->cost = SELECT(better, other.cost, best->cost);
    best->slope = SELECT(better, other.slope, best->slope);
    best->value = SELECT(better, other.value, best->value);
}

/* The stream of a large schedule comes from memory, and the processor by itself fetches no further
 * than the end of a page. An address, not a pointer: near the end there is nothing to point to. */
static inline __attribute__((always_inline)) void fetch_ahead(const struct ct_stream_edge *edge)
{
    __builtin_prefetch((const void *)((uintptr_t)edge + PREFETCH_BYTES));
}

CT_WIDEST static void walk8(const struct ct_evaluator *evaluator, const double *t,
                            struct slot8 *slots)
{
    const struct ct_stream_edge *edge = evaluator->edges;
    half_d at[HALVES];
    memcpy(at, t, sizeof at);
    for (size_t j = 0; j < evaluator->n_joins; j++) {
        struct best low, high;
        fetch_ahead(edge);
        const struct slot8 *source = &slots[edge->source & ~last_bit];
        double slope = evaluator->slopes[edge->slope];
        begin_best(&low, &source->cost[0], &source->slope[0], edge, slope, &at[0]);
        begin_best(&high, &source->cost[1], &source->slope[1], edge, slope, &at[1]);
        while (!(edge->source & last_bit)) {
            edge++;
            source = &slots[edge->source & ~last_bit];
            slope = evaluator->slopes[edge->slope];
            improve_best(&low, &source->cost[0], &source->slope[0], edge, slope, &at[0]);
            improve_best(&high, &source->cost[1], &source->slope[1], edge, slope, &at[1]);
        }
        edge++;
        slots[evaluator->targets[j]] =
            (struct slot8){{low.cost, high.cost}, {low.slope, high.slope}};
    }
}

/* What a walk needs, in the order of memory. */
struct room {
    size_t slots, carried, part; /* bytes, multiples of a slot */
};

static size_t round_up(size_t bytes)
{
    return (bytes + sizeof(struct slot8) - 1) / sizeof(struct slot8) * sizeof(struct slot8);
}

static struct room find_room(const struct ct_evaluator *evaluator)
{
    struct room room = {.carried = evaluator->next ? evaluator->n_ranks * sizeof(struct slot8) : 0};
    for (const struct ct_evaluator *part = evaluator; part; part = part->next) {
        size_t slots = part->n_slots * sizeof(struct slot8);
        size_t stored =
            round_up(part->n_edges * sizeof *part->edges + part->n_joins * sizeof *part->targets);
        room.slots = slots > room.slots ? slots : room.slots;
        room.part = !part->edges && stored > room.part ? stored : room.part;
    }
    return room;
}

size_t ct_walk_bytes(const struct ct_evaluator *evaluator)
{
    struct room room = find_room(evaluator);
    return room.slots + room.carried + room.part;
}

static bool read_all(int file, void *to, size_t n, off_t at)
{
    char *bytes = to;
    while (n > 0) {
        ssize_t got = pread(file, bytes, n, at);
        if (got == 0)
            errno = EIO;
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        if (got > 0)
            bytes += got, n -= (size_t)got, at += got;
    }
    return true;
}

/* The part with its edges and targets in memory. */
static bool load_part(int file, const struct ct_evaluator *part, void *memory,
                      struct ct_evaluator *loaded_p)
{
    const size_t edges = part->n_edges * sizeof *part->edges,
                 targets = part->n_joins * sizeof *part->targets;
    *loaded_p = *part;
    if (part->edges)
        return true;
    loaded_p->edges = memory;
    loaded_p->targets = (uint32_t *)((char *)memory + edges);
    return read_all(file, memory, edges + targets, part->offset);
}

/* Where ranks are at the end of a part is where they begin the next. */
static void carry_values(const struct ct_evaluator *part, struct slot8 *slots,
                         struct slot8 *carried)
{
    for (uint32_t rank = 0; rank < part->n_ranks; rank++)
        carried[rank] = slots[part->outputs[rank]];
    memcpy(&slots[CT_SLOT_INPUT], carried, part->n_ranks * sizeof *carried);
}

bool ct_walk(const struct ct_evaluator *evaluator, const double *t, size_t n, void *slots,
             struct ct_line *lines_p)
{
    const struct room room = find_room(evaluator);
    struct slot8 *values = slots, *carried = &values[room.slots / sizeof *values];
    void *memory = &carried[room.carried / sizeof *carried];
    const struct slot8 *end = &values[CT_SLOT_T];
    double at[CT_EVALUATOR_LANES];
    for (size_t i = 0; i < CT_EVALUATOR_LANES; i++)
        at[i] = t[i < n ? i : 0];
    values[CT_SLOT_ZERO] = values[CT_SLOT_T] = (struct slot8){0};
    for (const struct ct_evaluator *part = evaluator; part; part = part->next) {
        struct ct_evaluator loaded;
        if (!load_part(evaluator->file, part, memory, &loaded))
            return false;
        walk8(&loaded, at, values);
        if (part->next)
            carry_values(part, values, carried);
    }
    for (size_t i = 0; i < n; i++)
        lines_p[i] =
            (struct ct_line){end->cost[i / HALF][i % HALF], end->slope[i / HALF][i % HALF]};
    return true;
}
