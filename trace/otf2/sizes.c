#include "trace/otf2/sizes.h"

/* One of n equal parts; in place, of n - 1. */
static uint64_t find_part(uint64_t sum, uint32_t n)
{
    if (n > 1 && sum % n != 0 && sum % (n - 1) == 0)
        return sum / (n - 1);
    return sum / n;
}

/* What the others send to a root that is in place, or get from it. */
static uint64_t part_of_others(uint64_t sum, uint32_t n)
{
    return n > 1 ? sum / (n - 1) : 0;
}

uint64_t ct_otf2_bytes_of(enum ct_trace_kind kind, struct ct_otf2_sizes sizes,
                          struct ct_otf2_place place)
{
    uint32_t n = place.n > 0 ? place.n : 1;
    switch (kind) {
    case CT_TRACE_BCAST:
        return sizes.received;
    case CT_TRACE_REDUCE:
    case CT_TRACE_GATHER:
        return place.is_root && sizes.sent == 0 ? part_of_others(sizes.received, n) : sizes.sent;
    case CT_TRACE_SCATTER:
        return place.is_root && sizes.received == 0 ? part_of_others(sizes.sent, n)
                                                    : sizes.received;
    case CT_TRACE_ALLREDUCE:
    case CT_TRACE_ALLGATHER:
    case CT_TRACE_ALLTOALL:
        return find_part(sizes.sent, n);
    case CT_TRACE_SCAN:
        return sizes.received / (place.member + 1);
    case CT_TRACE_EXSCAN:
        return place.member > 0 ? sizes.received / place.member : part_of_others(sizes.sent, n);
    case CT_TRACE_ALLTOALLV:
    case CT_TRACE_NEIGHBOR:
    case CT_TRACE_REDUCE_SCATTER:
        return sizes.sent;
    default:
        return 0;
    }
}

struct ct_otf2_sizes ct_otf2_sizes_of(enum ct_trace_kind kind, uint64_t bytes,
                                      struct ct_otf2_place place)
{
    uint64_t n = place.n > 0 ? place.n : 1, me = place.member;
    switch (kind) {
    case CT_TRACE_BCAST:
    case CT_TRACE_SCATTER:
        return (struct ct_otf2_sizes){place.is_root ? n * bytes : 0, bytes};
    case CT_TRACE_REDUCE:
    case CT_TRACE_GATHER:
        return (struct ct_otf2_sizes){bytes, place.is_root ? n * bytes : 0};
    case CT_TRACE_ALLREDUCE:
    case CT_TRACE_ALLGATHER:
    case CT_TRACE_ALLTOALL:
        return (struct ct_otf2_sizes){n * bytes, n * bytes};
    case CT_TRACE_SCAN:
        return (struct ct_otf2_sizes){(n - me) * bytes, (me + 1) * bytes};
    case CT_TRACE_EXSCAN:
        return (struct ct_otf2_sizes){(n - me - 1) * bytes, me * bytes};
    case CT_TRACE_ALLTOALLV:
    case CT_TRACE_NEIGHBOR:
    case CT_TRACE_REDUCE_SCATTER:
        return (struct ct_otf2_sizes){bytes, bytes};
    default:
        return (struct ct_otf2_sizes){0, 0};
    }
}
