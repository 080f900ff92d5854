/** A frame with an axis of time below it, for figures in SVG that have a row for each rank. */
#ifndef CT_CORE_TIME_AXIS_H
#define CT_CORE_TIME_AXIS_H

#include <stdio.h>

/** Points, as SVG counts them; the axis is at the bottom and needs 44 below it. */
struct ct_time_axis {
    double left, width, top, bottom;
    double from_ns, span_ns; /**< span_ns > 0 */
};

/** Errors of the stream are the caller's. */
void ct_time_axis_draw(const struct ct_time_axis *axis, FILE *out);

#endif
