/*
 * The walk through the stream of edges, for one or for eight values of t at a time. A slot holds
 * cost[lanes] and slope[lanes] of the critical path to a join; which edge wins is decided by
 * cost + slope * t, so that sums of whole nanoseconds stay exact whatever t is.
 */
#include "lp-bridge/envelope/stream.h"

#include <math.h>
#include <string.h>

typedef double lanes_d __attribute__((vector_size(CT_PROGRAM_LANES * sizeof(double))));
typedef int64_t lanes_i __attribute__((vector_size(CT_PROGRAM_LANES * sizeof(int64_t))));

static const uint32_t last_bit = UINT32_C(1) << CT_STREAM_LAST_BIT;

/* The widest vectors that the machine has; nothing where the sanitizers or the compiler object. */
#if defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
#define WIDEST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDEST
#endif

struct slot8 {
    lanes_d cost, slope;
};

/* Values in a macro: a vector argument has another ABI for each kind of machine. */
#define SELECT(mask, a, b) ((lanes_d)(((mask) & (lanes_i)(a)) | (~(mask) & (lanes_i)(b))))

WIDEST static void walk8(const struct ct_program *program, const double *t, struct slot8 *slots)
{
    const struct ct_stream_edge *edge = program->edges;
    const double *slopes = program->slopes;
    lanes_d at;
    memcpy(&at, t, sizeof at);
    for (size_t j = 0; j < program->n_joins; j++) {
        const struct slot8 *source = &slots[edge->source & ~last_bit];
        lanes_d cost = source->cost + edge->cost_ns;
        lanes_d slope = source->slope + slopes[edge->slope];
        lanes_d value = cost + slope * at;
        while (!(edge->source & last_bit)) {
            edge++;
            source = &slots[edge->source & ~last_bit];
            lanes_d cost2 = source->cost + edge->cost_ns;
            lanes_d slope2 = source->slope + slopes[edge->slope];
            lanes_d value2 = cost2 + slope2 * at;
            lanes_i better = (value2 > value) | ((value2 == value) & (slope2 > slope));
            cost = SELECT(better, cost2, cost);
            slope = SELECT(better, slope2, slope);
            value = SELECT(better, value2, value);
        }
        edge++;
        slots[program->targets[j]] = (struct slot8){cost, slope};
    }
}

static void walk1(const struct ct_program *program, double t, struct ct_line *slots)
{
    const struct ct_stream_edge *edge = program->edges;
    const double *slopes = program->slopes;
    for (size_t j = 0; j < program->n_joins; j++) {
        const struct ct_line *source = &slots[edge->source & ~last_bit];
        struct ct_line best = {source->cost_ns + edge->cost_ns,
                               source->slope + slopes[edge->slope]};
        double value = ct_line_at(best, t);
        while (!(edge->source & last_bit)) {
            edge++;
            source = &slots[edge->source & ~last_bit];
            struct ct_line line = {source->cost_ns + edge->cost_ns,
                                   source->slope + slopes[edge->slope]};
            double value2 = ct_line_at(line, t);
            if (value2 > value || (value2 == value && line.slope > best.slope)) {
                best = line;
                value = value2;
            }
        }
        edge++;
        slots[program->targets[j]] = best;
    }
}

size_t ct_walk_bytes(const struct ct_program *program, size_t n)
{
    return program->n_slots * (n == 1 ? sizeof(struct ct_line) : sizeof(struct slot8));
}

static void walk_lanes(const struct ct_program *program, const double *t, size_t n,
                       struct slot8 *slots, struct ct_line *lines_p)
{
    double at[CT_PROGRAM_LANES];
    for (size_t i = 0; i < CT_PROGRAM_LANES; i++)
        at[i] = t[i < n ? i : 0];
    slots[CT_SLOT_ZERO] = slots[CT_SLOT_T] = (struct slot8){{0}, {0}};
    walk8(program, at, slots);
    const struct slot8 *end = &slots[CT_SLOT_T];
    for (size_t i = 0; i < n; i++)
        lines_p[i] = (struct ct_line){end->cost[i], end->slope[i]};
}

void ct_walk(const struct ct_program *program, const double *t, size_t n, void *slots,
             struct ct_line *lines_p)
{
    if (n == 1) {
        struct ct_line *lines = slots;
        lines[CT_SLOT_ZERO] = lines[CT_SLOT_T] = (struct ct_line){0};
        walk1(program, t[0], lines);
        lines_p[0] = lines[CT_SLOT_T];
    } else
        walk_lanes(program, t, n, slots, lines_p);
}
