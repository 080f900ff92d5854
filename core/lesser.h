/**
 * The lesser and the greater of two numbers, neither of which is NaN. fmin() and fmax() take care
 * of NaN, and are calls into the library for that reason: too slow where a simulation takes most of
 * its time.
 */
#pragma once

static inline double ct_lesser(double a, double b)
{
    return a < b ? a : b;
}

static inline double ct_greater(double a, double b)
{
    return a > b ? a : b;
}
