/** The picture of a schedule's latency tolerance: run time, lambda_L and rho_L over the latency. */
#pragma once

#include "lp-bridge/envelope/envelope.h"

/** A shaded zone: latencies at which the run time is at most (1 + threshold) T(L). */
struct ct_latency_zone {
    double threshold_frac;
    double L_ns; /**< its end; INFINITY: beyond the picture */
};

/** The x axis of the figure, and texts that depend on it. */
struct ct_latency_axis {
    const char *x, *title, *lambda, *rho;
};
extern const struct ct_latency_axis ct_axis_L, ct_axis_wire, ct_axis_switch, ct_axis_added;

/**
 * @param axis      [in] one of these
 * @param envelope  [in] T over the latencies to show
 * @param zones     [in] n_zones, from the smallest threshold up; the first begins at the picture's
 *                       left end
 * @return as ct_plot_write()
 */
enum ct_status ct_latency_plot(const char *title, const struct ct_latency_axis *axis,
                               const struct ct_envelope *envelope,
                               const struct ct_latency_zone *zones, size_t n_zones,
                               const char *path, struct ct_error *err);
