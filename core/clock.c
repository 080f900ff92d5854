#include "core/clock.h"

void ct_clock_utc(char text[CT_UTC_MAX])
{
    time_t now = time(NULL);
    struct tm parts;
    gmtime_r(&now, &parts);
    strftime(text, CT_UTC_MAX, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

void ct_clock_sleep(double duration_s)
{
    double end_s = ct_clock_now_s() + duration_s;
    while (ct_clock_now_s() < end_s)
        ct_clock_sleep_until(end_s);
}
