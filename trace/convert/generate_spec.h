/* What the text of a generated program says: its pattern, its ranks, and the values of its keys. */
#pragma once

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ct_pattern {
    CT_PATTERN_HALO,
    CT_PATTERN_ALLREDUCE,
    CT_PATTERN_PARTICLES,
    CT_PATTERN_ALLTOALL,
    CT_PATTERNS
};

enum { CT_GENERATE_DIMENSIONS = 3 };

/* See generate.h for the keys. */
struct ct_generate_spec {
    enum ct_pattern pattern;
    uint32_t n_ranks;
    uint32_t sides[CT_GENERATE_DIMENSIONS]; /* halo: their product is n_ranks */
    uint64_t rounds, levels, domains, group, seed;
    size_t bytes, sum_bytes, field_bytes;
    double compute_s, imbalance_frac, noise_frac;
};

/* Whether a text begins with the name of a pattern and a colon. */
bool ct_generate_spec_is(const char *text);

/* CT_OK; CT_EUSAGE naming the text, what is wrong and what is accepted */
enum ct_status ct_generate_spec_parse(const char *text, struct ct_generate_spec *spec_p,
                                      struct ct_error *err);
