#include "core/clock.h"

#include <math.h>

void ct_clock_sleep_until(double time_s)
{
    double whole_s = floor(time_s);
    struct timespec until = {.tv_sec = (time_t)whole_s,
                             .tv_nsec = (long)((time_s - whole_s) * 1e9)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

void ct_clock_spin(double until_s)
{
    (void)until_s;
}
