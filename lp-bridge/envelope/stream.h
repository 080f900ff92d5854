/* What an evaluator is made of; shared by the compiler (evaluator.c) and the walk (walk.c). */
#ifndef CT_LP_BRIDGE_ENVELOPE_STREAM_H
#define CT_LP_BRIDGE_ENVELOPE_STREAM_H

#include "lp-bridge/envelope/evaluator.h"

/* One edge: 16 bytes. Slopes are few, so that they are numbered. */
struct ct_stream_edge {
    double cost_ns;
    uint32_t source; /* slot; the highest bit: last edge into its join */
    uint32_t slope;  /* index into slopes */
};

/* Slots of time 0, and of the maximum of all ends so far. */
enum { CT_SLOT_ZERO = 0, CT_SLOT_T = 1 };
enum { CT_STREAM_LAST_BIT = 31 };

struct ct_evaluator {
    struct ct_stream_edge *edges;
    uint32_t *targets; /* n_joins slots, in the order of the stream */
    double *slopes;
    size_t n_edges, n_joins, n_slopes, n_slots;
};

/* Walk the stream for n <= CT_EVALUATOR_LANES values. slots: ct_walk_bytes(), aligned to 64. */
void ct_walk(const struct ct_evaluator *evaluator, const double *t, size_t n, void *slots,
             struct ct_line *lines_p);
size_t ct_walk_bytes(const struct ct_evaluator *evaluator);

#endif
