/** Places in a program that call MPI. */
#pragma once

#include "core/map.h"
#include "trace/format.h"

/** Places by address; {0} has none. */
struct ct_tracer_sites {
    struct ct_map numbers;
    uint32_t n; /**< that have a number, from 1 on */
};

/**
 * Number of the place that made a call.
 * @param caller  [in]  where the call returns to. If that is in the MPI library or in the tracer,
 * as for calls from Fortran, the first caller above it that is not
 * @param name    [out] of a place that is new: "exchange (lulesh+0x4f12)"; else empty
 * @return 0: not known
 */
uint32_t ct_tracer_site(struct ct_tracer_sites *sites, const void *caller,
                        char name[CT_TRACE_SITE_MAX + 1]);
