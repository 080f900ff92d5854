#include "core/clock.h"

#include <math.h>

void ct_clock_utc(char text[CT_UTC_MAX])
{
    time_t now = time(NULL);
    struct tm parts;
    gmtime_r(&now, &parts);
    strftime(text, CT_UTC_MAX, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

void ct_clock_sleep_until(double time_s)
{
    double whole_s = floor(time_s);
    struct timespec until = {.tv_sec = (time_t)whole_s,
                             .tv_nsec = (long)((time_s - whole_s) * 1e9)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

void ct_clock_sleep(double duration_s)
{
    double end_s = ct_clock_now_s() + duration_s;
    while (ct_clock_now_s() < end_s)
        ct_clock_sleep_until(end_s);
}
