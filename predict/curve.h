/**
 * A rising curve through noisy points: isotonic regression (pool adjacent violators), then the
 * monotone interpolant of Steffen (Astron. Astrophys. 239, 443, 1990; GSL).
 */
#pragma once

#include "core/status.h"

#include <stdbool.h>

struct ct_curve_point {
    double x, y;
};

struct ct_curve;

/**
 * The curve is 0 up to origin_x, and it never falls. Among the curves with this property it has the
 * least sum of squared distances from the points.
 * @param points    [in]  in any order, finite; reordered. Points at or below origin_x do not count.
 * @param n         [in]  0 is allowed: the curve is 0
 * @param origin_x  [in]  finite
 * @param curve_p   [out] ct_curve_free(); unchanged on error
 * @return CT_OK; CT_EINVAL (a number is not finite); CT_ENOMEM
 */
enum ct_status ct_curve_new(struct ct_curve_point *points, size_t n, double origin_x,
                            struct ct_curve **curve_p);
void ct_curve_free(struct ct_curve *curve);

/**
 * Value at x; constant beyond the last point.
 * @param beyond_p  [out] x lies beyond the last point
 */
double ct_curve_at(const struct ct_curve *curve, double x, bool *beyond_p);
