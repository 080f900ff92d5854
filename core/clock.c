#include "core/clock.h"

void ct_clock_utc_of(int64_t unix_ns, char text[CT_UTC_MAX])
{
    time_t seconds = (time_t)(unix_ns / 1000000000);
    struct tm parts;
    gmtime_r(&seconds, &parts);
    strftime(text, CT_UTC_MAX, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

void ct_clock_utc(char text[CT_UTC_MAX])
{
    ct_clock_utc_of((int64_t)ct_clock_unix_ns(), text);
}

void ct_clock_sleep(double duration_s)
{
    double end_s = ct_clock_now_s() + duration_s;
    while (ct_clock_now_s() < end_s)
        ct_clock_sleep_until(end_s);
}
