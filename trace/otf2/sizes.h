/*
 * Converts the sizes of a collective call between those of an archive and those of events. In an
 * archive they are the bytes that the rank sends and receives, summed over all members including
 * itself, as Score-P computes them.
 */
#pragma once

#include "trace/format.h"

struct ct_otf2_sizes {
    uint64_t sent, received;
};

/* A rank's place in a call. */
struct ct_otf2_place {
    uint32_t member, n; /* member < n */
    bool is_root;
};

/* The bytes of an event of that kind: see CT_TRACE_KIND_MAP; of lists their sum. Sizes that are no
 * multiple of the number of members are those of a call in place. */
uint64_t ct_otf2_bytes_of(enum ct_trace_kind kind, struct ct_otf2_sizes sizes,
                          struct ct_otf2_place place);

/* The inverse: bytes as of the former, not in place. */
struct ct_otf2_sizes ct_otf2_sizes_of(enum ct_trace_kind kind, uint64_t bytes,
                                      struct ct_otf2_place place);
