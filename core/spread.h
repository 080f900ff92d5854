/** Numbers of [0, 1) that lie evenly, however many of them are taken. */
#pragma once

#include <math.h>
#include <stdint.h>

/** The fraction of from + n / golden ratio: additive recurrence, without a period. from >= 0 */
static inline double ct_spread(double from, uint64_t n)
{
    static const double golden = 0.6180339887498949;
    return fmod(from + golden * (double)n, 1);
}
