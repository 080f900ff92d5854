/** Measured parameters in the input formats of simulators. */
#pragma once

#include "model/loggp/curve.h"
#include "model/loggp/threshold.h"

#include <stdio.h>

/** What is written: the parameters of one direction between two processes. */
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
 * Write parameters for a simulator.
 *
 * LogGOPSim takes integers, also for G. If G is below 100 ns per byte, all times are multiplied by
 * a power of ten: the smallest one that gives G three digits, as long as L fits in 31 bits. Lines
 * that begin with # state this factor, and what else has to be multiplied by it.
 *
 * LLAMP takes a line for each size: L and G, and for o the mean of both overheads of that size.
 * (LLAMP's own script reads Netgauge's G, in Gibit/s, as GiB/s: its G is an eighth of the right
 * one.)
 *
 * SimGrid takes sections "size:startup:per byte" and "size:factor". There are as few as stay within
 * 5 % of the measured values, or within their intervals. The time of the network is t(m) minus both
 * overheads, and at least a tenth of t(m). Factors are relative to the link that the first lines
 * state.
 *
 * L, o, G, t(m) and overheads are those of ct_loggps_model_derive(), which `crosstalk tolerance`
 * uses too.
 * @return CT_OK; CT_ENODATA (a parameter was not measured, sizes missing); CT_EIO; CT_ENOMEM
 */
enum ct_status ct_loggp_emit(enum ct_emit what, const struct ct_emit_source *source, FILE *out,
                             struct ct_error *err);
