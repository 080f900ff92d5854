/* The walk through the stream of edges for eight mappings: for one it takes as long. */
#include "lp-bridge/envelope/stream.h"
#include "lp-bridge/place/program.h"

#include <math.h>
#include <string.h>

/* Half of the lanes: what one register of AVX2 holds. */
enum { HALF = CT_PLACE_LANES / 2, HALVES = 2, PREFETCH_BYTES = 4096 };
typedef double half_d __attribute__((vector_size(HALF * sizeof(double))));
typedef int64_t half_i __attribute__((vector_size(HALF * sizeof(int64_t))));

static const uint32_t last_bit = UINT32_C(1) << CT_PLACE_LAST_BIT;

struct eight {
    half_d half[HALVES];
};

/* An address, not a pointer: near the end there is nothing to point to. */
static inline void fetch_ahead(const struct ct_place_edge *edge)
{
    __builtin_prefetch((const void *)((uintptr_t)edge + PREFETCH_BYTES));
}

static inline double end_over(const struct ct_place_edge *edge, const double *prices,
                              const double *slots)
{
    return slots[edge->source & ~last_bit] + (prices[edge->term] + edge->base_ns);
}

/* By pointer and inline: vectors as arguments have another ABI on each kind of machine. */
static inline __attribute__((always_inline)) void ends_at(half_d *end, const half_d *source,
                                                          const half_d *price, double base_ns)
{
    *end = *source + (*price + base_ns);
}

static inline __attribute__((always_inline)) void improve_best(half_d *best, const half_d *source,
                                                               const half_d *price, double base_ns)
{
    half_d end = *source + (*price + base_ns);
    half_i later = end > *best;
    *best = (half_d)((later & (half_i)end) | (~later & (half_i)*best));
}

/* Static, as all of the widest, and with a name of its own: clang finds no others from another
 * file, and its names are global. */
CT_WIDEST static void walk_mappings(const struct ct_place_program *program,
                                    const struct eight *prices, struct eight *slots)
{
    const struct ct_place_edge *edge = program->edges;
    for (size_t j = 0; j < program->n_joins; j++) {
        struct eight best;
        fetch_ahead(edge);
        const struct eight *source = &slots[edge->source & ~last_bit];
        const struct eight *price = &prices[edge->term];
        ends_at(&best.half[0], &source->half[0], &price->half[0], edge->base_ns);
        ends_at(&best.half[1], &source->half[1], &price->half[1], edge->base_ns);
        while (!(edge->source & last_bit)) {
            edge++;
            source = &slots[edge->source & ~last_bit];
            price = &prices[edge->term];
            improve_best(&best.half[0], &source->half[0], &price->half[0], edge->base_ns);
            improve_best(&best.half[1], &source->half[1], &price->half[1], edge->base_ns);
        }
        edge++;
        slots[program->targets[j]] = best;
    }
}

void ct_place_walk(const struct ct_place_program *program, const double *prices, double *slots,
                   double *T_ns_p)
{
    struct eight *values = (struct eight *)(void *)slots;
    values[CT_PLACE_SLOT_ZERO] = values[CT_PLACE_SLOT_T] = (struct eight){0};
    walk_mappings(program, (const struct eight *)(const void *)prices, values);
    memcpy(T_ns_p, &values[CT_PLACE_SLOT_T], CT_PLACE_LANES * sizeof *T_ns_p);
}

double ct_place_walk_recorded(const struct ct_place_program *program, const double *prices,
                              double *slots, uint32_t *over_p)
{
    const struct ct_place_edge *edge = program->edges;
    slots[CT_PLACE_SLOT_ZERO] = slots[CT_PLACE_SLOT_T] = 0;
    for (size_t j = 0; j < program->n_joins; j++) {
        const struct ct_place_edge *over = edge;
        fetch_ahead(edge);
        double best_ns = end_over(edge, prices, slots);
        while (!(edge->source & last_bit)) {
            edge++;
            const double end_ns = end_over(edge, prices, slots);
            over = end_ns > best_ns ? edge : over;
            best_ns = end_ns > best_ns ? end_ns : best_ns;
        }
        edge++;
        over_p[j] = (uint32_t)(over - program->edges);
        slots[program->targets[j]] = best_ns;
    }
    return slots[CT_PLACE_SLOT_T];
}
