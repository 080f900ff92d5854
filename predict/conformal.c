#include "predict/conformal.h"

#include <math.h>

/* 0.55 times 100 is a little more than 55. */
static const double rounding = 1e-9;

size_t ct_conformal_rank(size_t n, double level)
{
    double rank = ceil(level * ((double)n + 1) - rounding);
    return rank <= (double)n ? (size_t)rank : 0;
}

size_t ct_conformal_least(double level)
{
    size_t n = (size_t)fmax(0, floor(level / (1 - level)) - 1);
    while (ct_conformal_rank(n, level) == 0)
        n++;
    return n;
}
