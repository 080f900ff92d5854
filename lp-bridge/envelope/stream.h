/* What an evaluator is made of; shared by the compiler (evaluator.c) and the walk (walk.c). */
#pragma once

#include "lp-bridge/envelope/evaluator.h"

#include <sys/types.h>

/* One edge: 16 bytes. Slopes are few, so that they are numbered. */
struct ct_stream_edge {
    double cost_ns;
    uint32_t source; /* slot; the highest bit: last edge into its join */
    uint32_t slope;  /* index into slopes */
};

/* Where an edge comes from, for who walks back along the critical path. */
struct ct_stream_origin {
    uint32_t join;  /* 1 + its place in the stream; 0: time 0 */
    uint32_t trail; /* as travel() numbers it */
};

/* Slots of time 0, and of the maximum of all ends so far. */
enum { CT_SLOT_ZERO = 0, CT_SLOT_T = 1, CT_SLOT_INPUT = CT_SLOT_T + CT_FOLD_INPUT };
enum { CT_STREAM_LAST_BIT = 31 };

struct ct_evaluator {
    struct ct_stream_edge *edges;
    uint32_t *targets; /* n_joins slots, in the order of the stream */
    double *slopes;
    struct ct_stream_origin *origins; /* n_edges; NULL: not kept */
    uint32_t last_join;               /* that is T: 1 + its place in the stream; 0: no end */
    size_t n_edges, n_joins, n_slopes, n_slots;
    uint32_t *outputs; /* n_ranks slots where the ranks are at the end; NULL: it ends there */
    uint32_t n_ranks;
    struct ct_evaluator *next; /* the part that begins there; NULL: none */
    /* Edges and targets, where the evaluator has several parts, and both pointers are NULL. The
     * first part closes it. */
    int file;
    off_t offset;
};

/* Who wants to know what travels along each edge (fold.h). */
struct ct_stream_trails {
    uint32_t (*travel)(void *data, uint32_t trail, const struct ct_cost *cost);
    void *data;
};

/* ct_evaluator_compile() with trails; NULL: without. */
enum ct_status ct_stream_compile(const struct ct_graph *graph, const struct ct_plane *plane,
                                 const struct ct_stream_trails *trails,
                                 struct ct_evaluator **evaluator_p, struct ct_error *err);

/*
 * Walk the stream for one value and keep over which edge each join came to its value.
 * @param slots   [in]  ct_record_bytes(), aligned to 16
 * @param over_p  [out] n_joins edges
 * @return the line of ct_walk()
 */
struct ct_line ct_walk_recorded(const struct ct_evaluator *evaluator, double t, void *slots,
                                uint32_t *over_p);
size_t ct_record_bytes(const struct ct_evaluator *evaluator);

/* AVX2 where the machine has it, but not with sanitizers: what chooses runs before they are set up.
 * No FMA: results are the same everywhere. */
#if defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_ADDRESS__) &&                 \
    !defined(__SANITIZE_THREAD__)
#define CT_WIDEST __attribute__((target_clones("avx2", "default")))
#else
#define CT_WIDEST
#endif

/*
 * Walk the stream for n <= CT_EVALUATOR_LANES values. slots: ct_walk_bytes(), aligned to 64.
 * @return false: a part of it cannot be read from its file; errno has why
 */
bool ct_walk(const struct ct_evaluator *evaluator, const double *t, size_t n, void *slots,
             struct ct_line *lines_p);
size_t ct_walk_bytes(const struct ct_evaluator *evaluator);
