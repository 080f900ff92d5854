/** Measured parameters in the words of the simulators that take them. */
#ifndef CT_MODEL_LOGGP_EMIT_H
#define CT_MODEL_LOGGP_EMIT_H

#include "model/loggp/curve.h"
#include "model/loggp/threshold.h"

#include <stdio.h>

/** What is emitted: one direction between two processes. */
struct ct_emit_source {
    const struct ct_loggp_point *points; /**< n_points, ascending sizes; borrowed */
    size_t n_points;
    struct ct_loggp_threshold threshold;
};

enum ct_emit {
    CT_EMIT_NONE,
    CT_EMIT_LOGGOPSIM, /**< options -L -o -g -G -O -S: whole numbers, the unit stated */
    CT_EMIT_LLAMP,     /**< CSV "L,s,o,G": ns, bytes, ns, ns per byte */
    CT_EMIT_SIMGRID /**< smpi/os, or, lat-factor, bw-factor and the thresholds: a file of --cfg */
};
extern const char *const ct_emit_names[]; /**< NULL-terminated */

/**
 * LogGOPSim takes integers, G included. Where G is below 100 ns per byte, all times are scaled by a
 * power of ten, the smallest that gives G three digits, as far as L fits in 31 bits; the lines
 * that begin with # say by how much, and what has to be scaled too.
 *
 * LLAMP takes a line a size: L and G of the set, and o of that size, the mean of both sides. (Its
 * own script reads Netgauge's figure of G, in Gibit/s, as if it were GiB/s, and so gets an eighth.)
 *
 * SimGrid: sections "size:startup:per byte" and "size:factor", as few as stay within 5 % of what
 * was measured, or within its interval. The network's time is t(m) less both overheads, but at
 * least a tenth of it. Factors are relative to the link that the first lines state.
 *
 * L, o, G, t(m) and overheads are those of ct_loggps_model_derive(), as `crosstalk tolerance` takes
 * them.
 * @return CT_OK; CT_ENODATA (a parameter was not measured, sizes missing); CT_EIO; CT_ENOMEM
 */
enum ct_status ct_loggp_emit(enum ct_emit what, const struct ct_emit_source *source, FILE *out,
                             struct ct_error *err);

#endif
