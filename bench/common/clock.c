#include "bench/common/clock.h"

#include "core/parts.h"

#include <math.h>

#if !CT_SIMULATED && (defined(__x86_64__) || defined(__i386__))
#include <x86intrin.h>
#define HAVE_TSC 1
#else
#define HAVE_TSC 0
#endif

enum { READINGS = 20000 };
static const double calibration_s = 0.05;

struct ct_clock_quality ct_clock_measure(void)
{
    if (CT_SIMULATED) /* read in whole nanoseconds, at no cost */
        return (struct ct_clock_quality){.resolution_s = 1e-9, .overhead_s = 0};
    double start_s = ct_clock_now_s(), last_s = start_s, step_s = INFINITY;
    for (int i = 0; i < READINGS; i++) {
        double now_s = ct_clock_now_s();
        if (now_s > last_s && now_s - last_s < step_s)
            step_s = now_s - last_s;
        last_s = now_s;
    }
    return (struct ct_clock_quality){.resolution_s = step_s,
                                     .overhead_s = (last_s - start_s) / READINGS};
}

double ct_clock_cycles_per_s(void)
{
#if HAVE_TSC
    double start_s = ct_clock_now_s(), now_s;
    unsigned long long start = __rdtsc();
    do
        now_s = ct_clock_now_s();
    while (now_s - start_s < calibration_s);
    return (double)(__rdtsc() - start) / (now_s - start_s);
#else
    (void)calibration_s;
    return 1e9;
#endif
}
