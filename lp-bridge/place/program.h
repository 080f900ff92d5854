/* What a placer is made of; shared by the compiler (program.c), walks (walk.c) and place.c. */
#pragma once

#include "lp-bridge/place/place.h"

enum { CT_PLACE_LANES = 8, CT_PLACE_SLOT_ZERO = 0, CT_PLACE_SLOT_T = 1, CT_PLACE_LAST_BIT = 31 };

/* One edge: 16 bytes. */
struct ct_place_edge {
    double base_ns;
    uint32_t source; /* slot; the highest bit: last edge into its join */
    uint32_t term;   /* whose price is added; 0: none */
};

/* A cost whose price depends on the mapping. Several edges may have it. */
struct ct_place_term {
    uint32_t pair; /* index into pairs */
    struct ct_place_count count;
};

struct ct_place_program {
    struct ct_place_edge *edges; /* n_edges */
    uint32_t *origins;           /* n_edges: the join of the source, 1 + its place; 0: time 0 */
    uint32_t *targets;           /* n_joins slots */
    size_t n_edges, n_joins, n_slots;
    uint32_t last_join; /* that is T */
    uint32_t n_ranks;
    struct ct_place_term *terms; /* n_terms, from 1, by pair; 0 is of no pair */
    size_t n_terms;
    uint32_t *first_term;        /* n_pairs + 1 */
    struct ct_place_pair *pairs; /* n_pairs, by (from, to) */
    size_t n_pairs;
    uint32_t *first_of_rank, *of_rank; /* struct ct_place_pairs */
};

enum ct_status ct_place_compile(const struct ct_graph *graph, const struct ct_pairs *pairs,
                                struct ct_place_program *program_p, struct ct_error *err);
void ct_place_program_free(struct ct_place_program *program);

/*
 * Walk the program for CT_PLACE_LANES mappings.
 * @param prices  [in]  (n_terms + 1) * CT_PLACE_LANES, aligned to 64; those of term 0 are 0
 * @param slots   [in]  n_slots * CT_PLACE_LANES doubles, aligned to 64
 * @param T_ns_p  [out] CT_PLACE_LANES
 */
void ct_place_walk(const struct ct_place_program *program, const double *prices, double *slots,
                   double *T_ns_p);

/*
 * Walk it for one mapping and keep over which edge each join came to its value.
 * @param prices  [in]  n_terms + 1
 * @param slots   [in]  n_slots doubles
 * @param over_p  [out] n_joins edges
 * @return T, ns
 */
double ct_place_walk_recorded(const struct ct_place_program *program, const double *prices,
                              double *slots, uint32_t *over_p);
